package io.rmigate.gateway.boxes;

import io.rmigate.gateway.boxes.Outcome.Verdict;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.DevelopmentCertificate;
import io.rmigate.gateway.testing.InterfacesOfTests;
import io.rmigate.gateway.testing.NetworkNamespace;
import io.rmigate.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An RMI server, a gateway and two HTTP proxies in a network of their own, to which the networks of
 * clients are cabled, each behind its {@link Wall}:
 *
 * <pre>
 *                                        198.51.100.1:443         gateway
 *                                        198.51.100.4:443         another, with rarer heartbeats
 * client 192.0.2.4n+2 ── wall ── inside  198.51.100.2             RMI server
 *                                        198.51.100.3:3128, 3129  HTTP proxies: port 443 only, any port
 * </pre>
 *
 * <p>(The addresses are those that RFC 5737 keeps for examples.) Thread-safe once it is started.
 */
final class WalledBed implements AutoCloseable {
  static final String SERVER = "198.51.100.2";
  static final int STRICT_PROXY_PORT = 3128;
  static final int OPEN_PROXY_PORT = 3129;

  private static final String GATEWAY = "198.51.100.1";
  private static final String PROXY = "198.51.100.3";
  private static final String RARE_GATEWAY = "198.51.100.4";
  private static final Duration SOON = Patience.PATIENCE;
  private static final Installed NFT = Installed.of("nftables", "/usr/sbin/nft", "/sbin/nft");
  private static final Installed IP =
      Installed.of("iproute2", "/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip", "/bin/ip");

  private final Path directory;
  private final Path logging;
  private final Deque<Runnable> stops = new ArrayDeque<>();
  private final List<BoxPart> proxies = new ArrayList<>();
  private final List<NetworkNamespace> outsides = new ArrayList<>();
  private NetworkNamespace inside;
  private DevelopmentCertificate certificate;
  private String registryPort;

  private WalledBed(Path directory) throws IOException {
    this.directory = directory;
    logging = Traveller.loggingIn(directory);
  }

  /** What of it is not on this machine; empty when all is. */
  static Optional<Installed> missing() {
    return NFT.missing().or(IP::missing);
  }

  /** Starts all of it; {@code directory} is empty. */
  static WalledBed start(Path directory) throws Exception {
    WalledBed bed = new WalledBed(directory);
    try {
      bed.startInside();
      return bed;
    } catch (Exception | Error e) {
      bed.close();
      throw e;
    }
  }

  private void startInside() throws Exception {
    inside = NetworkNamespace.create("inside");
    for (String address : List.of(GATEWAY, SERVER, PROXY, RARE_GATEWAY)) {
      inside.address(address + "/32");
    }
    ChildJvm depot =
        ChildJvm.named("depot", directory)
            .inside(inside)
            .jvmOptions("-Xmx256m")
            .property("java.rmi.server.hostname", SERVER)
            .classPath(BuiltArtefacts.codeSource(DepotServer.class))
            .main(DepotServer.class.getName())
            .start();
    stops.push(depot::close);
    registryPort = depot.awaitLine(Pattern.compile("^depot ready (\\d+)$"), SOON).group(1);
    certificate = DevelopmentCertificate.create(directory, "ip:" + GATEWAY + ",ip:" + RARE_GATEWAY);
    startGateway("gateway", GATEWAY, "15s");
    // Agents then speak every 15 s, and the firewall forgets after 10 s.
    startGateway("rare-gateway", RARE_GATEWAY, "30s");
    if (new TinyproxyBox().missing().isEmpty()) {
      startProxy(STRICT_PROXY_PORT);
      startProxy(OPEN_PROXY_PORT);
    }
  }

  private void startGateway(String name, String address, String heartbeat) throws Exception {
    Path home = Files.createDirectories(directory.resolve(name));
    ChildJvm gateway =
        ChildJvm.named(name, home)
            .inside(inside)
            .jvmOptions("-Xmx320m")
            .jar(BuiltArtefacts.war())
            .arguments("--config", configuration(home, address, heartbeat).toString())
            .start();
    stops.push(gateway::close);
    gateway.awaitLine(Pattern.compile("^rmigate ready "), SOON);
  }

  private Path configuration(Path home, String address, String heartbeat) throws IOException {
    return Files.writeString(
        home.resolve("rmigate.yaml"),
        """
        listen: %s:443
        path: /rmigate
        tls:
          keystore: '%s'
          password-file: '%s'
        state: '%s'
        drain: 1s
        session:
          heartbeat: %s
        logins:
          anonymous: true
        classes:
          interfaces: '%s'
        targets:
          - principals: ['*']
            allow: ['%s:*']
        callbacks:
          address: %s
          from: ['198.51.100.*']
          allow:
            - principals: ['*']
        """
            .formatted(
                address,
                certificate.keystore(),
                certificate.passwordFile(),
                home.resolve("state"),
                heartbeat,
                InterfacesOfTests.directory(),
                SERVER,
                address));
  }

  private void startProxy(int port) throws Exception {
    BoxProcess proxy =
        BoxProcess.start(
            (own, listening) -> {
              Path filter =
                  Files.writeString(own.resolve("rmigate.filter"), "^198\\.51\\.100\\.[12]$\n");
              Fragment installed =
                  Fragment.of("tinyproxy/rmigate.conf")
                      .with("Port 3128", "Port " + listening + "\nListen " + PROXY)
                      .with("Allow 10.0.0.0/8", "Allow 192.0.2.0/24")
                      .with("/etc/tinyproxy/rmigate.filter", filter);
              return TinyproxyBox.command(
                  own, port == STRICT_PROXY_PORT ? installed : installed.without("ConnectPort"));
            },
            inside,
            port);
    proxies.add(proxy);
    stops.push(proxy::close);
  }

  /** Builds a wall, and sends a client through it; returns the outcome, also of a failure. */
  Outcome pass(Wall wall, Journey journey, Duration idle) throws InterruptedException {
    try (Traveller client = client(wall)) {
      return journey.make(client, idle, this::logs);
    } catch (IOException | AssertionError | RuntimeException failed) {
      return journey.notMade(Verdict.FAILED, failed.toString());
    }
  }

  private Traveller client(Wall wall) throws IOException {
    NetworkNamespace outside;
    String address;
    String name;
    synchronized (outsides) {
      int number = outsides.size();
      name = "client" + number;
      outside = NetworkNamespace.create("outside" + number);
      outsides.add(outside);
      String near = "192.0.2." + (4 * number + 1);
      address = "192.0.2." + (4 * number + 2);
      inside.cable(near + "/30", outside, address + "/30");
      outside.route("198.51.100.0/24", "via", near);
    }
    wall.build(outside, inside, address);
    return new Traveller(
        ChildJvm.named(name, directory)
            .inside(outside)
            .jvmOptions(
                "-Xmx192m",
                "-javaagent:"
                    + BuiltArtefacts.javaagent()
                    + "=https://"
                    + (wall.beatsRarely() ? RARE_GATEWAY : GATEWAY)
                    + "/rmigate,truststore="
                    + certificate.truststore()
                    + ",truststore-password-file="
                    + certificate.passwordFile()
                    + (wall.proxyPort() == 0 ? "" : ",proxy=" + PROXY + ":" + wall.proxyPort())
                    + ",way=auto,way-stagger=2s,connect-timeout=1m")
            .property("java.util.logging.config.file", logging)
            .classPath(BuiltArtefacts.codeSource(DepotClient.class))
            .main(DepotClient.class.getName())
            .arguments(SERVER, registryPort, name)
            .start(),
        SERVER);
  }

  private String logs() {
    StringBuilder logs = new StringBuilder();
    proxies.forEach(proxy -> logs.append(proxy.logs()));
    return logs.toString();
  }

  @Override
  public void close() throws IOException {
    while (!stops.isEmpty()) {
      stops.pop().run();
    }
    for (NetworkNamespace outside : outsides) {
      outside.close();
    }
    if (inside != null) {
      inside.close();
    }
  }
}
