package io.rmigate.perf.juric;

import io.rmigate.perf.box.ForwardProxy;
import io.rmigate.perf.harness.Artefacts;
import io.rmigate.perf.harness.ChildJvm;
import io.rmigate.perf.harness.JvmGroup;
import io.rmigate.perf.ways.Approach;
import io.rmigate.perf.ways.Way;
import io.rmigate.sample.PerformanceTester;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A way's JVMs: a server, a gateway or an HTTP proxy where the way needs them, and a client, which
 * nobody else shares. Used by one thread.
 */
final class WayUnderTest implements AutoCloseable {
  private static final String HOST = "inside.example";
  private static final String GATEWAY = "gateway.example";

  private final Way way;
  private final JvmGroup jvms;
  private ChildJvm client;

  private WayUnderTest(Way way, JvmGroup jvms) {
    this.way = way;
    this.jvms = jvms;
  }

  /** The names that everybody knows, all of them of this machine. */
  static List<String> hosts() {
    return List.of("127.0.0.1 localhost " + HOST + " " + GATEWAY);
  }

  static WayUnderTest start(Way way, Artefacts built, Path jdk, Path hosts, boolean pinned)
      throws IOException {
    WayUnderTest started = new WayUnderTest(way, new JvmGroup(built.in(way.label()), jdk, pinned));
    try {
      started.startAll(built.in(way.label()), hosts);
      return started;
    } catch (IOException | RuntimeException e) {
      started.close();
      throw e;
    }
  }

  private void startAll(Artefacts built, Path hosts) throws IOException {
    int registry = jvms.server(hosts, HOST);
    Optional<URI> gateway = Optional.empty();
    if (way != Way.DIRECT) {
      URI url = URI.create(jvms.gateway(hosts, gatewayArguments(built, registry)));
      gateway = Optional.of(URI.create("http://" + GATEWAY + ":" + url.getPort() + url.getPath()));
    }
    Optional<URI> proxy = Optional.empty();
    if (way == Way.CONNECT) {
      String port =
          jvms.other(
                  "proxy", hosts, List.of("-cp", built.classPath(), ForwardProxy.class.getName()))
              .await("proxy ready");
      proxy = Optional.of(URI.create("http://localhost:" + port));
    }
    Approach approach =
        new Approach(way, HOST, registry, gateway, proxy, Optional.empty(), Optional.empty());
    List<String> arguments =
        new ArrayList<>(List.of("-cp", built.classPath(), JuricClient.class.getName()));
    arguments.addAll(approach.arguments());
    client = jvms.client(hosts, arguments);
    client.await("client ready");
  }

  private List<String> gatewayArguments(Artefacts built, int registry) throws IOException {
    String targets = HOST + ":*";
    if (way == Way.SERVLET) {
      return built.legacyGateway(way.label(), targets);
    }
    return way.isService()
        ? built.publishingGateway(
            way.label(),
            targets,
            "rmi://" + HOST + ":" + registry + "/" + PerformanceTester.NAME,
            PerformanceTester.class)
        : built.gateway(targets);
  }

  Way way() {
    return way;
  }

  /** Does it so often; returns the mean in microseconds. */
  double measure(Operation operation, int times) throws IOException {
    String answer = client.ask(operation.label() + " " + times);
    if (!answer.startsWith("micros ")) {
      throw new IOException("expected a time, got " + answer);
    }
    return Double.parseDouble(answer.substring("micros ".length()));
  }

  @Override
  public void close() {
    jvms.close();
  }
}
