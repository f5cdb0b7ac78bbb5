package io.rmigate.gateway.container.learned;

import io.rmigate.gateway.boxes.DepotServer;
import io.rmigate.gateway.container.callbacks.TowerServer;
import io.rmigate.gateway.container.chat.ChatServer;
import io.rmigate.gateway.container.cuts.TallyServer;
import io.rmigate.gateway.container.deadlines.HangingServer;
import io.rmigate.gateway.container.failover.LedgerServer;
import io.rmigate.gateway.container.kits.SpringApplication;
import io.rmigate.gateway.container.leases.KeeperServer;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.DevelopmentCertificate;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.sample.SampleServer;
import io.rmigate.testing.LoopbackPort;
import io.rmigate.testing.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The servers of the other tests' programs, all at once; those of the contract are elsewhere. */
final class ProgramsInside implements AutoCloseable {
  private static final Duration SOON = Patience.PATIENCE;

  /** And the port, where it is the server that chooses. */
  private static final Pattern READY = Pattern.compile("^[a-z ]+ ready(?: (\\d+))?\\b");

  private final Path directory;
  private final InsideHosts hosts;
  private final SpringApplication spring;
  private final DevelopmentCertificate certificate;
  private final Map<String, ChildJvm> servers = new LinkedHashMap<>();
  private final Map<String, Integer> ports = new LinkedHashMap<>();

  /** In a directory for them and their clients; returns when they are ready. */
  ProgramsInside(Path directory, InsideHosts hosts) throws Exception {
    this.directory = directory;
    this.hosts = hosts;
    try {
      start("room", ChatServer.class, "0");
      startAtOwnPort("keeper", KeeperServer.class);
      startAtOwnPort("other keeper", KeeperServer.class);
      startAtOwnPort("tower", TowerServer.class);
      startAtOwnPort("ledger", LedgerServer.class, Integer.toString(LoopbackPort.free()));
      start("tally", TallyServer.class);
      start("hanging", HangingServer.class);
      start("depot", DepotServer.class);
      spring = SpringApplication.compile(directory);
      int springPort = LoopbackPort.free();
      ports.put("spring", springPort);
      servers.put(
          "spring",
          spring
              .program("spring", hosts.insideOption())
              .arguments("serve", Integer.toString(springPort))
              .start());
      certificate = DevelopmentCertificate.create(directory, "dns:" + InsideHosts.INSIDE);
      startManaged();
      for (Map.Entry<String, ChildJvm> server : servers.entrySet()) {
        String port = server.getValue().awaitLine(READY, SOON).group(1);
        ports.computeIfAbsent(server.getKey(), of -> Integer.valueOf(port));
      }
    } catch (Exception | AssertionError e) {
      close();
      throw e;
    }
  }

  private void startAtOwnPort(String name, Class<?> main, String... more) {
    int port = LoopbackPort.free();
    ports.put(name, port);
    List<String> arguments = new ArrayList<>(List.of(Integer.toString(port)));
    arguments.addAll(List.of(more));
    start(name, main, arguments.toArray(String[]::new));
  }

  private void start(String name, Class<?> main, String... arguments) {
    servers.put(
        name,
        inside(name)
            .classPath(BuiltArtefacts.codeSource(main))
            .main(main.getName())
            .arguments(arguments)
            .start());
  }

  private ChildJvm.Builder inside(String name) {
    return ChildJvm.named(name.replace(' ', '-'), directory)
        .jvmOptions(hosts.insideOption(), "-Xmx96m")
        .property("java.rmi.server.hostname", InsideHosts.INSIDE);
  }

  /** The JDK's own management over TLS, which wants to see a certificate. */
  private void startManaged() {
    int port = LoopbackPort.free();
    ports.put("management", port);
    servers.put(
        "managed",
        withKeys(inside("managed"))
            .property("com.sun.management.jmxremote.port", 0)
            .property("com.sun.management.jmxremote.rmi.port", port)
            .property("com.sun.management.jmxremote.authenticate", false)
            .property("com.sun.management.jmxremote.ssl", true)
            .property("com.sun.management.jmxremote.ssl.need.client.auth", true)
            .classPath(BuiltArtefacts.codeSource(SampleServer.class))
            .main("io.rmigate.sample.JmxSample")
            .start());
  }

  /** What can talk to the management, and be it. */
  ChildJvm.Builder withKeys(ChildJvm.Builder jvm) {
    return jvm.property("javax.net.ssl.trustStore", certificate.truststore())
        .property("javax.net.ssl.trustStorePassword", certificate.password())
        .property("javax.net.ssl.keyStore", certificate.keystore())
        .property("javax.net.ssl.keyStorePassword", certificate.password());
  }

  Path directory() {
    return directory;
  }

  InsideHosts hosts() {
    return hosts;
  }

  SpringApplication spring() {
    return spring;
  }

  ChildJvm server(String name) {
    return servers.get(name);
  }

  /** Of a server's registry, or of the management. */
  String port(String name) {
    return ports.get(name).toString();
  }

  @Override
  public void close() {
    servers.values().forEach(ChildJvm::close);
  }
}
