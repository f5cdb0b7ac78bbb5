package io.rmigate.gateway.container.chat;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.CountingRelay;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A room inside, a gateway that listens for callbacks, a relay before it, and members outside. */
final class ChatBed implements AutoCloseable {
  static final Duration SOON = Patience.PATIENCE;
  private static final Pattern ANSWER = Pattern.compile("^(?:done|failed)(?: .*)?$");
  private static final Pattern STARTED = Pattern.compile("^(?:chatting|failed) .*$");

  private final Path directory;
  private final InsideHosts hosts;
  private final List<ChildJvm> children = new ArrayList<>();
  private final OpenGateway gateway;
  private final CountingRelay relay;
  private final ChildJvm server;
  private final int roomPort;

  /**
   * @param callbacks lines of the gateway's section of that name, besides address, host and who may
   *     connect
   */
  ChatBed(Path directory, String... callbacks) throws Exception {
    this.directory = directory;
    hosts = InsideHosts.ofAllTests();
    gateway =
        OpenGateway.start(
            directory.resolve("gateway"),
            hosts,
            "session: {grace: 5s}",
            OpenGateway.targets(InsideHosts.INSIDE + ":*"),
            """
            callbacks:
              address: 127.0.0.1
              host: %s
              from: ['127.0.0.1']
              %s
            """
                .formatted(InsideHosts.INSIDE, String.join("\n  ", callbacks)));
    relay = CountingRelay.to(gateway.port());
    server =
        ChildJvm.named("room", directory)
            .jvmOptions(hosts.insideOption(), "-Xmx128m")
            .property("java.rmi.server.hostname", InsideHosts.INSIDE)
            .classPath(BuiltArtefacts.codeSource(ChatServer.class))
            .reusable()
            .main(ChatServer.class.getName())
            .arguments("0")
            .start();
    children.add(server);
    Matcher ready = server.awaitLine(Pattern.compile("^room ready (\\d+)"), SOON);
    roomPort = Integer.parseInt(ready.group(1));
  }

  OpenGateway gateway() {
    return gateway;
  }

  ChildJvm server() {
    return server;
  }

  CountingRelay relay() {
    return relay;
  }

  /** A member that has started; {@code more} are further arguments of the javaagent. */
  ChildJvm client(String name, int listenerPort, String more) throws Exception {
    ChildJvm client =
        ChildJvm.named(name, directory)
            .jvmOptions(
                hosts.outsideOption(),
                "-Xmx128m",
                "-javaagent:"
                    + BuiltArtefacts.javaagent()
                    + "=http://127.0.0.1:"
                    + relay.port()
                    + "/rmigate,compression=off,stats=off"
                    + more)
            .classPath(BuiltArtefacts.codeSource(ChatClient.class))
            .main(ChatClient.class.getName())
            .arguments(
                InsideHosts.INSIDE,
                Integer.toString(roomPort),
                name,
                Integer.toString(listenerPort))
            .start();
    children.add(client);
    client.awaitLine(STARTED, SOON);
    return client;
  }

  /** A member that has joined. */
  ChildJvm member(String name) throws Exception {
    ChildJvm client = client(name, 0, "");
    assertThat(ask(client, "join")).isEqualTo("done");
    return client;
  }

  /** Of how many ports the gateway will know after a restart whose they are. */
  long portsWrittenDown() throws IOException {
    Path file = gateway.state().resolve("callback-ports");
    return Files.exists(file) ? Files.readString(file).lines().count() : 0;
  }

  /** A command and what is answered. */
  static String ask(ChildJvm program, String command) throws InterruptedException {
    return program.ask(command, ANSWER, SOON).group();
  }

  @Override
  public void close() throws IOException {
    for (ChildJvm child : children) {
      child.close();
    }
    gateway.close();
    relay.close();
  }
}
