package io.rmigate.gateway.container.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

import io.rmigate.gateway.container.chat.ChatClient;
import io.rmigate.gateway.container.chat.ChatServer;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.DevelopmentCertificate;
import io.rmigate.gateway.testing.InterfacesOfTests;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.NetworkNamespace;
import io.rmigate.gateway.testing.ThreeNetworks;
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
  private static final Duration SOON = Duration.ofSeconds(60);
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
            .classPath(BuiltArtefacts.codeSource(ChatServer.class))
            .main(ChatServer.class.getName())
            .arguments("0")
            .start();
    registryPort = server.awaitLine(Pattern.compile("^room ready (\\d+)$"), SOON).group(1);
    gateway =
        ChildJvm.named("gateway", directory)
            .inside(networks.border())
            .jvmOptions("-Xmx192m")
            .jar(BuiltArtefacts.war())
            .arguments("--config", configuration().toString())
            .start();
    uri = gateway.awaitLine(Pattern.compile("^rmigate ready (\\S+?)/?$"), SOON).group(1);
  }

  private Path configuration() throws Exception {
    return Files.writeString(
        directory.resolve("rmigate.yaml"),
        """
        listen: %s:0
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
        callbacks:
          address: %s
          host: %s
          from: ['%s']
          allow:
            - principals: ['*']
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
                ThreeNetworks.SERVER));
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

  private static String ask(ChildJvm program, String command) throws InterruptedException {
    return program.ask(command, ANSWER, SOON).group();
  }

  private ChildJvm chatting(String name) throws Exception {
    ChildJvm member =
        member(name)
            .jvmOptions(
                "-javaagent:"
                    + BuiltArtefacts.javaagent()
                    + "="
                    + uri
                    + ",truststore="
                    + certificate.truststore()
                    + ",truststore-password-file="
                    + certificate.passwordFile())
            .start();
    member.awaitLine(Pattern.compile("^chatting "), SOON);
    assertThat(ask(member, "join")).isEqualTo("done");
    return member;
  }

  private ChildJvm.Builder member(String name) {
    return ChildJvm.named(name, directory)
        .inside(networks.outside())
        .jvmOptions("-Xmx128m")
        .classPath(BuiltArtefacts.codeSource(ChatClient.class))
        .main(ChatClient.class.getName())
        .arguments(ThreeNetworks.SERVER, registryPort, name, "0");
  }
}
