package io.rmigate.gateway.container.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

import io.rmigate.gateway.container.chat.ChatClient;
import io.rmigate.gateway.container.chat.ChatServer;
import io.rmigate.gateway.standalone.Standalone;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.DevelopmentCertificate;
import io.rmigate.gateway.testing.InterfacesOfTests;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.NetworkNamespace;
import io.rmigate.gateway.testing.ThreeNetworks;
import io.rmigate.testing.Patience;
import io.rmigate.testing.Tier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Nothing but the gateway's HTTPS port connects clients and server. That is enough for a chat of
 * stock RMI programs, in which the server calls its clients.
 */
@Tag(Tier.FULL)
@ExtendWith(LeftoverCheck.class)
class SeparateNetworksIT {
  private static final Duration SOON = Patience.PATIENCE;
  private static final int NUMBER = 40100;
  private static final int JMX_PORT = 40900;
  private static final Pattern ANSWER = Pattern.compile("^(?:done|failed)(?: .*)?$");

  private Path directory;
  private ThreeNetworks networks;
  private DevelopmentCertificate certificate;
  private ChildJvm server;
  private ChildJvm gateway;
  private String registryPort;
  private String uri;

  @BeforeEach
  void startInside() throws Exception {
    Optional<String> obstacle = NetworkNamespace.obstacle();
    if (obstacle.isPresent()) {
      abort(obstacle.get());
    }
    directory = BuiltArtefacts.workDirectory(getClass()).resolve(Long.toString(System.nanoTime()));
    Files.createDirectories(directory);
    networks = ThreeNetworks.separate();
    certificate = DevelopmentCertificate.create(directory, "ip:" + ThreeNetworks.BORDER);
    server =
        ChildJvm.named("server", directory)
            .inside(networks.inside())
            .jvmOptions("-Xmx192m")
            .property("java.rmi.server.hostname", ThreeNetworks.SERVER)
            .property("com.sun.management.jmxremote.port", JMX_PORT)
            .property("com.sun.management.jmxremote.authenticate", false)
            .property("com.sun.management.jmxremote.ssl", false)
            .classPath(BuiltArtefacts.codeSource(ChatServer.class))
            .main(ChatServer.class.getName())
            .arguments("0")
            .start();
    registryPort = server.awaitLine(Pattern.compile("^room ready (\\d+)$"), SOON).group(1);
    gateway = gateway("gateway");
    uri = gateway.awaitLine(Pattern.compile("^rmigate ready (\\S+?)/?$"), SOON).group(1);
  }

  private ChildJvm gateway(String name) throws Exception {
    return ChildJvm.named(name, directory)
        .inside(networks.border())
        .jvmOptions("-Xmx192m")
        .classPath(BuiltArtefacts.gatewayClassPath())
        .main(Standalone.class.getName())
        .arguments("--config", configuration().toString())
        .start();
  }

  private Path configuration() throws Exception {
    return Files.writeString(
        directory.resolve("rmigate.yaml"),
        """
        listen: %s:443
        path: /rmigate
        tls:
          keystore: '%s'
          password-file: '%s'
        state: '%s'
        logins:
          anonymous: true
        session:
          grace: 5s # for so long calls of a killed client wait
        classes:
          interfaces: '%s'
        targets:
          - principals: ['*']
            allow: ['%s:*']
            jmx: true
        callbacks:
          address: %s
          host: %s
          from: ['%s']
          ports: 40200-40299
          allow:
            - principals: ['*']
              explicit: [%s]
        """
            .formatted(
                ThreeNetworks.BORDER,
                certificate.keystore(),
                certificate.passwordFile(),
                directory.resolve("state"),
                InterfacesOfTests.directory(),
                ThreeNetworks.SERVER,
                ThreeNetworks.BORDER_INSIDE,
                ThreeNetworks.BORDER_INSIDE,
                ThreeNetworks.SERVER,
                NUMBER));
  }

  @AfterEach
  void stopInside() throws Exception {
    for (ChildJvm jvm : new ChildJvm[] {gateway, server}) {
      if (jvm != null) {
        jvm.close();
      }
    }
    if (networks != null) {
      networks.close();
    }
  }

  @Test
  void withoutTheGatewayThereIsNoWay() throws Exception {
    try (ChildJvm client = member("ann").start()) {
      client.awaitLine(Pattern.compile("java\\.net\\.\\w+: Network (is )?unreachable"), SOON);
      assertThat(client.awaitExit(SOON)).isNotZero();
    }
  }

  @Test
  void withTheGatewayStockProgramsChat() throws Exception {
    try (ChildJvm ann = chatting("ann");
        ChildJvm bob = chatting("bob")) {
      assertThat(ask(ann, "say hello")).isEqualTo("done 1");
      assertThat(ask(bob, "heard")).isEqualTo("done 1 [ann: hello] from " + ThreeNetworks.SERVER);
      assertThat(ask(ann, "nest 10 8")).isEqualTo("done 80");
      assertThat(ask(server, "tell bob 20")).isEqualTo("done 20");
      bob.kill();
      await().atMost(SOON).until(() -> ask(ann, "say anybody").equals("done 0"));
      assertThat(ask(server, "members")).isEqualTo("done [ann]");
    }
  }

  @Test
  void serversAreToldTheGatewaysAddressAndClientsTheServers() throws Exception {
    try (ChildJvm ann = chatting("ann")) {
      assertThat(ask(server, "from ann")).isEqualTo("done " + ThreeNetworks.BORDER_INSIDE);
      assertThat(ask(ann, "manage " + ThreeNetworks.SERVER + " " + JMX_PORT))
          .startsWith("done rmi://" + ThreeNetworks.BORDER_INSIDE + " ");
      assertThat(ask(server, "tell ann 1")).isEqualTo("done 1");
      assertThat(ask(ann, "heard")).endsWith(" from " + ThreeNetworks.SERVER);
    }
  }

  /** At the gateway, at the client, and nowhere twice. */
  @Test
  void aNumberedPortIsThatVeryNumberOnBothSides() throws Exception {
    String atTheGateway = ThreeNetworks.BORDER_INSIDE + ":" + NUMBER;
    try (ChildJvm ann = numbered("ann", networks.outside())) {
      assertThat(ann.output()).anyMatch(line -> line.contains(":" + NUMBER + "](local)"));
      assertThat(ask(ann, "registry " + NUMBER)).isEqualTo("done");
      assertThat(ask(server, "where ann")).isEqualTo("done " + atTheGateway);
      assertThat(ask(server, "tell ann 3")).isEqualTo("done 3");
      assertThat(ask(server, "list " + ThreeNetworks.BORDER_INSIDE + " " + NUMBER))
          .isEqualTo("done listener");
      assertThat(ask(server, "rebind " + ThreeNetworks.BORDER_INSIDE + " " + NUMBER))
          .startsWith("failed java.rmi.ServerException")
          .contains("java.rmi.AccessException")
          .contains("non-local host");
      assertThat(listedBesides(ThreeNetworks.CLIENT)).isEqualTo("done listener");

      gateway.kill();
      gateway = gateway("again");

      await().atMost(SOON).until(() -> ask(server, "tell ann 1").equals("done 1"));
      assertThat(ask(ann, "heard"))
          .isEqualTo("done 4 [room: message 0] from " + ThreeNetworks.SERVER);
      assertThat(ask(server, "list " + ThreeNetworks.BORDER_INSIDE + " " + NUMBER))
          .isEqualTo("done listener");

      try (ChildJvm bob = numbered("bob", networks.anotherOutside())) {
        bob.awaitLine(
            Pattern.compile("exported on port " + NUMBER + ": .* says PORT_IN_USE"), SOON);
        assertThat(ask(server, "where bob"))
            .matches("done " + Pattern.quote(ThreeNetworks.BORDER_INSIDE) + ":402\\d\\d");
        assertThat(ask(server, "tell bob 2")).isEqualTo("done 2");
        assertThat(ask(server, "tell ann 1")).isEqualTo("done 1");
        assertThat(ask(bob, "heard")).startsWith("done 2 ");
        assertThat(ask(ann, "heard")).startsWith("done 5 ");

        ann.kill(); // its session keeps the port for the grace

        bob.awaitLine(
            Pattern.compile("port " + NUMBER + " at the rmigate gateway is ours again"), SOON);
        assertThat(ask(bob, "join")).isEqualTo("done");
        assertThat(ask(server, "where bob")).isEqualTo("done " + atTheGateway);
        assertThat(ask(server, "tell bob 2")).isEqualTo("done 2");
      }
    }
  }

  private ChildJvm numbered(String name, NetworkNamespace network) throws Exception {
    return chatting(
        member(name, network, NUMBER).agentLogsInfo().jvmOptions(agent(",export=" + NUMBER)));
  }

  /** What a registry lists to a program without an agent in the client's network. */
  private String listedBesides(String host) throws Exception {
    try (ChildJvm neighbour =
        ChildJvm.named("neighbour", directory)
            .inside(networks.outside())
            .jvmOptions("-Xmx96m")
            .classPath(BuiltArtefacts.codeSource(ChatServer.class))
            .main(ChatServer.class.getName())
            .arguments("0")
            .start()) {
      return ask(neighbour, "list " + host + " " + NUMBER);
    }
  }

  private static String ask(ChildJvm program, String command) throws InterruptedException {
    return program.ask(command, ANSWER, SOON).group();
  }

  private ChildJvm chatting(String name) throws Exception {
    return chatting(member(name).jvmOptions(agent("")));
  }

  private static ChildJvm chatting(ChildJvm.Builder started) throws Exception {
    ChildJvm member = started.start();
    member.awaitLine(Pattern.compile("^chatting "), SOON);
    assertThat(ask(member, "join")).isEqualTo("done");
    return member;
  }

  private String agent(String more) {
    return "-javaagent:"
        + BuiltArtefacts.javaagent()
        + "="
        + uri
        + ",truststore="
        + certificate.truststore()
        + ",truststore-password-file="
        + certificate.passwordFile()
        + more;
  }

  private ChildJvm.Builder member(String name) {
    return member(name, networks.outside(), 0);
  }

  private ChildJvm.Builder member(String name, NetworkNamespace network, int port) {
    return ChildJvm.named(name, directory)
        .inside(network)
        .jvmOptions("-Xmx128m")
        .classPath(BuiltArtefacts.codeSource(ChatClient.class))
        .main(ChatClient.class.getName())
        .arguments(ThreeNetworks.SERVER, registryPort, name, Integer.toString(port));
  }
}
