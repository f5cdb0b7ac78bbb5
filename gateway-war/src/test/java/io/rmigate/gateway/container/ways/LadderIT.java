package io.rmigate.gateway.container.ways;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.client.Rmigate;
import io.rmigate.client.transport.proxy.RealProxy;
import io.rmigate.gateway.edge.post.UpgradeDoor;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.sample.Hello;
import io.rmigate.sample.SampleServer;
import io.rmigate.testing.LoopbackPort;
import io.rmigate.testing.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;

/** The ladder's rungs behind a squid that lets less and less through. */
@ExtendWith(LeftoverCheck.class)
@TestInstance(Lifecycle.PER_CLASS)
class LadderIT {
  private static final Duration SOON = Patience.PATIENCE;
  private static final Pattern READY = Pattern.compile("^sample ready (\\d+)$");
  private static final Pattern OVER = Pattern.compile("^(?:done|failed .*)$");

  private Path directory;
  private InsideHosts hosts;
  private ChildJvm server;
  private int registry;
  private OpenGateway gateway;
  private UpgradeDoor door;

  @BeforeAll
  void start() throws Exception {
    RealProxy.installed("usr/sbin/squid");
    directory = Files.createDirectories(BuiltArtefacts.workDirectory(getClass()));
    hosts = InsideHosts.ofAllTests();
    server =
        ChildJvm.named("sample", directory)
            .jvmOptions(hosts.insideOption(), "-Xmx500m")
            .property("java.rmi.server.hostname", InsideHosts.INSIDE)
            .classPath(BuiltArtefacts.codeSource(SampleServer.class))
            .reusable()
            .main(SampleServer.class.getName())
            .start();
    registry = Integer.parseInt(server.awaitLine(READY, SOON).group(1));
    gateway =
        OpenGateway.start(
            directory.resolve("gateway"),
            hosts,
            OpenGateway.targets(InsideHosts.INSIDE + ":*"),
            "callbacks:\n  address: 127.0.0.1\n  host: gateway.example\n  from: ['127.*']\n"
                + "  allow:\n    - principals: ['*']");
    door = new UpgradeDoor(gateway.uri().getPort());
  }

  @AfterAll
  void stop() throws Exception {
    for (AutoCloseable each : new AutoCloseable[] {door, gateway, server}) {
      if (each != null) {
        each.close();
      }
    }
  }

  /** What a client says that is let through so. */
  private List<String> clientBehind(String name, String rules) throws Exception {
    return clientBehind(name, rules, "none"); // others would open the link at once
  }

  private List<String> clientBehind(String name, String rules, String export) throws Exception {
    Path own = Files.createDirectories(directory.resolve(name));
    int port = LoopbackPort.free();
    RealProxy squid =
        RealProxy.squid(
            own,
            port,
            "http_port 127.0.0.1:" + port + "\nhosts_file " + hosts.inside() + "\n" + rules);
    try (ChildJvm client =
        ChildJvm.named("client", own)
            .jvmOptions(hosts.outsideOption(), "-Xmx64m")
            .classPath(
                BuiltArtefacts.codeSource(Rmigate.class),
                BuiltArtefacts.codeSource(Hello.class),
                BuiltArtefacts.codeSource(WayCaller.class))
            .main(WayCaller.class.getName())
            .arguments(
                "http://127.0.0.1:" + door.port() + gateway.uri().getPath().replaceAll("/$", ""),
                "127.0.0.1:" + port,
                InsideHosts.INSIDE,
                String.valueOf(registry),
                export)
            .start()) {
      client.awaitLine(OVER, SOON);
      return client.output();
    } finally {
      squid.stop();
    }
  }

  private String gatewayOnly() {
    return "acl gateway port "
        + door.port()
        + "\nhttp_access deny CONNECT !gateway\nhttp_access allow all\n";
  }

  @Test
  void theServerItselfIsReachedWhereTheProxyConnectsToIt() throws Exception {
    assertThat(clientBehind("connect", "http_access allow all\n"))
        .anyMatch(line -> line.startsWith("called "))
        .anyMatch(line -> line.startsWith("way inside.example:" + registry + ": connect: direct: "))
        .noneMatch(line -> line.contains("/rmigate"));
  }

  /** The server sees the HTTP proxy only, and could not connect to this machine. */
  @Test
  void referencesNameTheGatewayToAServerThatIsReachedByAProxy() throws Exception {
    door.open();

    assertThat(clientBehind("references", "http_access allow all\n", "0"))
        .anyMatch(line -> line.startsWith("way inside.example:" + registry + ": connect: direct: "))
        .anyMatch(line -> line.startsWith("bound ") && line.contains("[gateway.example:"))
        .contains("comes back true");
  }

  @Test
  void theGatewayIsTakenWhereTheProxyDoesNot() throws Exception {
    door.open();

    assertThat(clientBehind("websocket", gatewayOnly()))
        .anyMatch(line -> line.startsWith("called "))
        .anyMatch(
            line ->
                line.startsWith("way inside.example:" + registry + ": gateway: direct: ")
                    && line.contains("; connect: HTTP proxy 127.0.0.1:")
                    && line.contains(" answered 403 Forbidden to CONNECT inside.example:"))
        .anyMatch(
            line -> line.startsWith("way http://") && line.endsWith(": websocket: it answers"));
  }

  @Test
  void postIsTakenWhereTheUpgradeIsRefusedAsWell() throws Exception {
    door.shut();

    assertThat(clientBehind("post", gatewayOnly()))
        .anyMatch(line -> line.startsWith("called "))
        .anyMatch(
            line ->
                line.startsWith("way http://127.0.0.1:")
                    && line.contains(": post: websocket: ")
                    && line.contains(" answered 426 Upgrade Required"));
  }
}
