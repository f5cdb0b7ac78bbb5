package io.rmigate.gateway.container.callbacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.GatewayUnderTest;
import io.rmigate.gateway.testing.InnerAddress;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.testing.LoopbackPort;
import io.rmigate.testing.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A tower inside and clients outside; the test supplies the gateway between them. */
final class BellBed implements AutoCloseable {
  static final Duration SOON = Patience.PATIENCE;
  private static final Pattern ANSWER = Pattern.compile("^(?:done|failed|rang) (.*)$");

  private final Path directory;
  private final InsideHosts hosts;
  private final InetAddress inner = InnerAddress.find();
  private final List<ChildJvm> children = new ArrayList<>();
  private int towerPort;
  private int started;

  BellBed(Path directory) throws IOException {
    this.directory = directory;
    hosts = InsideHosts.ofAllTests();
  }

  InsideHosts hosts() {
    return hosts;
  }

  /** Who rings, as a bell is told. */
  String ringer() {
    return inner.isLoopbackAddress() ? "0.0.0.0" : inner.getHostAddress();
  }

  /** The gateway's section. */
  String callbacks(String... more) {
    return "callbacks:\n  address: %s\n  from: ['%s']\n  allow:\n    - principals: ['*']\n"
            .formatted(inner.getHostAddress(), inner.getHostAddress())
        + (more.length == 0 ? "" : "  " + String.join("\n  ", more) + "\n");
  }

  ChildJvm tower() throws Exception {
    towerPort = LoopbackPort.free();
    ChildJvm tower =
        ChildJvm.named("tower", directory)
            .jvmOptions(hosts.insideOption(), "-Xmx96m")
            .property("java.rmi.server.hostname", InsideHosts.INSIDE)
            .classPath(BuiltArtefacts.codeSource(TowerServer.class))
            .reusable()
            .main(TowerServer.class.getName())
            .arguments(Integer.toString(towerPort))
            .start();
    children.add(tower);
    tower.awaitLine(Pattern.compile("^tower ready$"), SOON);
    return tower;
  }

  ChildJvm client(URI gateway) throws Exception {
    return client(gateway + ",stats=off");
  }

  /** With a javaagent that is told this. */
  ChildJvm client(String arguments) throws Exception {
    ChildJvm client =
        ChildJvm.named("client" + started++, directory)
            .agentLogsInfo()
            .jvmOptions(
                hosts.outsideOption(),
                "-Xmx96m",
                "-javaagent:" + BuiltArtefacts.javaagent() + "=" + arguments)
            .classPath(BuiltArtefacts.codeSource(BellClient.class))
            .main(BellClient.class.getName())
            .arguments(InsideHosts.INSIDE, Integer.toString(towerPort))
            .start();
    children.add(client);
    client.awaitLine(Pattern.compile("^at the tower$"), SOON);
    return client;
  }

  /** A command, and what is answered behind the first word. */
  static String ask(ChildJvm program, String command) throws InterruptedException {
    return program.ask(command, ANSWER, SOON).group(1);
  }

  static void hang(ChildJvm client, String name) throws InterruptedException {
    assertThat(ask(client, "hang " + name)).isEqualTo(name);
  }

  static void awaitUnreferenced(ChildJvm client, String name) {
    await().atMost(SOON).until(() -> client.output().contains("unreferenced " + name));
  }

  /** A figure of the gateway's metrics, which are open; −1 when there is none. */
  static long metric(GatewayUnderTest gateway, String name) {
    try {
      return HttpClient.newHttpClient()
          .send(
              HttpRequest.newBuilder(URI.create(gateway.uri() + "/metrics")).build(),
              HttpResponse.BodyHandlers.ofString())
          .body()
          .lines()
          .filter(line -> line.startsWith(name + " "))
          .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
          .findFirst()
          .orElse(-1);
    } catch (IOException notThere) {
      return -1;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() throws IOException {
    for (ChildJvm child : children) {
      if (child.isAlive()) {
        child.close();
      }
    }
  }
}
