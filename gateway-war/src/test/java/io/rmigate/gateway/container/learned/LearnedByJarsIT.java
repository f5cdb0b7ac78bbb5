package io.rmigate.gateway.container.learned;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.container.WorkDirectory;
import io.rmigate.gateway.container.chat.ChatClient;
import io.rmigate.gateway.container.chat.ChatServer;
import io.rmigate.gateway.container.kits.SpringApplication;
import io.rmigate.gateway.container.lookups.LookingClient;
import io.rmigate.gateway.container.replies.ArchiveClient;
import io.rmigate.gateway.container.replies.ArchiveServer;
import io.rmigate.gateway.login.UserLines;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.InsideServers;
import io.rmigate.gateway.testing.InterfacesOfTests;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.sample.JmxClient;
import io.rmigate.sample.SampleClient;
import io.rmigate.sample.SampleServer;
import io.rmigate.testing.LoopbackPort;
import io.rmigate.testing.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Two principals with different programs, and a gateway that has the jars of their interfaces: by
 * the rules learnt each may do all that it did, and nothing that only the other one did.
 */
@Tag(Tier.FULL)
@ExtendWith(LeftoverCheck.class)
class LearnedByJarsIT {
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final String PASSWORD = "wonder";

  /** More than is kept of a reply, by the configuration. */
  private static final String BYTES = "5000000";

  private Path directory;
  private Path password;
  private InsideHosts hosts;
  private InsideServers servers;
  private SpringApplication spring;
  private String springPort;
  private OpenGateway gateway;
  private final List<ChildJvm> others = new ArrayList<>();
  private String room;
  private String archive;
  private int clients;

  @BeforeEach
  void startServers() throws Exception {
    directory = WorkDirectory.empty(BuiltArtefacts.workDirectory(getClass()));
    password = Files.writeString(directory.resolve("password"), PASSWORD);
    hosts = InsideHosts.ofAllTests();
    ChildJvm chat = start("room", ChatServer.class, "0");
    ChildJvm archives = start("archive", ArchiveServer.class);
    ChildJvm greeter = startSpring();
    servers = InsideServers.start(directory, hosts);
    room = chat.awaitLine(Pattern.compile("^room ready (\\d+)"), SOON).group(1);
    archive = archives.awaitLine(Pattern.compile("^archive ready (\\d+)$"), SOON).group(1);
    greeter.awaitLine(Pattern.compile("^spring ready$"), SOON);
  }

  private ChildJvm startSpring() throws IOException {
    spring = SpringApplication.compile(directory);
    springPort = Integer.toString(LoopbackPort.free());
    ChildJvm greeter =
        spring
            .program("greeter", hosts.insideOption(), "-Xmx96m")
            .arguments("serve", springPort)
            .start();
    others.add(greeter);
    return greeter;
  }

  private ChildJvm start(String name, Class<?> main, String... arguments) {
    ChildJvm server =
        ChildJvm.named(name, directory)
            .jvmOptions(hosts.insideOption(), "-Xmx300m")
            .property("java.rmi.server.hostname", InsideHosts.INSIDE)
            .classPath(BuiltArtefacts.codeSource(main))
            .main(main.getName())
            .arguments(arguments)
            .start();
    others.add(server);
    return server;
  }

  @AfterEach
  void stopEverything() throws Exception {
    if (gateway != null) {
      gateway.close();
    }
    if (servers != null) {
      servers.close();
    }
    others.forEach(ChildJvm::close);
  }

  /** The jars of all tests' interfaces, and Spring's, one of which has that of its exporter. */
  private String interfaces() throws IOException {
    Path jars = Files.createDirectories(directory.resolve("interfaces"));
    try (Stream<Path> ours = Files.list(InterfacesOfTests.directory())) {
      for (Path jar : Stream.concat(ours, spring.jars().stream()).toList()) {
        Files.copy(jar, jars.resolve(jar.getFileName()));
      }
    }
    return "classes:\n  interfaces: '" + jars + "'\n";
  }

  private static String[] settings(String rules) {
    return new String[] {
      rules,
      """
      callbacks:
        address: 127.0.0.1
        host: %s
        from: ['127.*']
        allow:
          - principals: [ann]
      """
          .formatted(InsideHosts.INSIDE)
    };
  }

  @Test
  void eachPrincipalMayDoWhatItDidAndNothingThatOnlyTheOtherDid() throws Exception {
    Path users = Files.writeString(directory.resolve("users"), UserLines.user("ann", PASSWORD));
    gateway =
        OpenGateway.start(
            directory.resolve("gateway"),
            hosts,
            List.of("-Xmx192m"),
            users,
            settings(
                interfaces()
                    + "  mode: learn\n  call-limit: 4MiB\n"
                    + OpenGateway.onlyTargets(InsideHosts.INSIDE + ":*")));
    runAnn();
    runAnybody();
    String rules = gateway.learnedRules();
    assertThat(rules)
        .contains("principals: ['ann']", "principals: ['anonymous']", "jmx: true")
        .contains("PerformanceTester.getInt()", "ChatRoom.join(", "Archive.text(int)")
        .contains("RmiInvocationHandler.invoke(")
        .doesNotContain("opaque:", "# Not allowed by a line", "jmx-grants");

    gateway.reconfigure(settings(rules));
    await().until(() -> gateway.get("/health/ready").contains("\"classRules\":\"enforce\""));
    runAnn();
    runAnybody();
    assertThat(gateway.jvm().output()).noneMatch(line -> line.contains(" refused: "));
    assertThat(gateway.refusals()).isEmpty();

    assertWhatAnnDidIsRefusedToAnybody();
    assertWhatAnybodyDidIsRefusedToAnn();
  }

  /** Callbacks, results of any length, management, and one name of those that the sample has. */
  private void runAnn() throws Exception {
    try (ChildJvm looking = ann(LookingClient.class, InsideHosts.INSIDE, samplePort())) {
      looking.awaitLine(Pattern.compile("^looking$"), SOON);
      looking.ask("hello", Pattern.compile("^did hello Hello, World!$"), SOON);
      looking.ask("call", Pattern.compile("^did call Hello, World!$"), SOON);
    }
    try (ChildJvm member = ann(ChatClient.class, InsideHosts.INSIDE, room, "ann", "0")) {
      member.awaitLine(Pattern.compile("^chatting "), SOON);
      for (String command : List.of("join", "greet 3", "nest 3 1", "self", "leave")) {
        member.ask(command, Pattern.compile("^done"), SOON);
      }
    }
    assertThat(output(ann(ArchiveClient.class, InsideHosts.INSIDE, archive, BYTES)))
        .contains("bytes whole", "text whole", "entries whole");
    assertThat(output(ann(JmxClient.class, "--url", jmx()))).isNotEmpty();
  }

  /** The sample's calls, among them those of the tester of performance, and one of Spring's. */
  private void runAnybody() throws Exception {
    assertThat(
            output(
                anybody(
                    SampleClient.class,
                    "--host",
                    InsideHosts.INSIDE,
                    "--port",
                    samplePort(),
                    "--payload-mb",
                    "2",
                    "--threads",
                    "2")))
        .isNotEmpty();
    assertThat(
            output(
                spring
                    .program("client" + ++clients, hosts.outsideOption(), "-Xmx128m", agent(""))
                    .arguments("call", InsideHosts.INSIDE, springPort, "world")
                    .start()))
        .contains("Hello, world");
  }

  private void assertWhatAnnDidIsRefusedToAnybody() throws Exception {
    try (ChildJvm member = anybody(ChatClient.class, InsideHosts.INSIDE, room, "bob", "0")) {
      assertThat(member.awaitExit(SOON)).isNotZero();
    }
    assertThat(gateway.refusals()).containsOnlyKeys("target");
  }

  private void assertWhatAnybodyDidIsRefusedToAnn() throws Exception {
    try (ChildJvm looking = ann(LookingClient.class, InsideHosts.INSIDE, samplePort())) {
      looking.awaitLine(Pattern.compile("^looking$"), SOON);
      looking.ask("hello", Pattern.compile("^did hello Hello, World!$"), SOON);
      for (String command : List.of("everything", "list")) {
        looking.ask(command, Pattern.compile("^did " + command + " .*Exception"), SOON);
      }
    }
    assertThat(gateway.refusals()).containsKeys("registry-name", "registry-operation");
  }

  private String samplePort() {
    return Integer.toString(servers.samplePort());
  }

  private String jmx() {
    return "service:jmx:rmi:///jndi/rmi://"
        + InsideHosts.INSIDE
        + ":"
        + servers.jmxPort()
        + "/jmxrmi";
  }

  private ChildJvm ann(Class<?> main, String... arguments) {
    return client(",user=ann,password-file=" + password, main, arguments);
  }

  private ChildJvm anybody(Class<?> main, String... arguments) {
    return client("", main, arguments);
  }

  private ChildJvm client(String login, Class<?> main, String... arguments) {
    return ChildJvm.named("client" + ++clients, directory)
        .jvmOptions(hosts.outsideOption(), "-Xmx400m", agent(login))
        .classPath(
            BuiltArtefacts.codeSource(SampleServer.class), BuiltArtefacts.codeSource(getClass()))
        .main(main.getName())
        .arguments(arguments)
        .start();
  }

  private String agent(String login) {
    return "-javaagent:"
        + BuiltArtefacts.javaagent()
        + "="
        + gateway.uri()
        + login
        + ",tunnel=*:*,way=websocket,stats=off";
  }

  /** Of a program that ends by itself, with exit code 0. */
  private static List<String> output(ChildJvm client) throws InterruptedException {
    try (client) {
      assertThat(client.awaitExit(SOON)).as(() -> String.join("\n", client.output())).isZero();
      return List.copyOf(client.output());
    }
  }
}
