package io.rmigate.gateway.container.oldjvms;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.container.WorkDirectory;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InnerAddress;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.gateway.testing.RealJvm;
import io.rmigate.testing.LoopbackPort;
import io.rmigate.testing.Patience;
import io.rmigate.testing.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One client jar for Java 8 to 25: the same program prints the same lines on each, by each door,
 * through an HTTP proxy with a login whose connections are cut once.
 */
@ExtendWith(LeftoverCheck.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag(Tier.FULL)
class OldJvmsIT {
  private static final Duration SOON = Patience.PATIENCE;
  private static final List<String> VALUES =
      List.of(
          "list: [desk, jmxrmi]",
          "lookup: absent",
          "add: 3",
          "wide: 1099511627878",
          "text: 7",
          "texts: [a, null, ]",
          "bytes: 300000",
          "table: [[1, 2], []]",
          "list: [7 SMALL bolt, null, 7 SMALL bolt]",
          "map: {one=7 SMALL bolt}",
          "item: null null nut",
          "kind: true",
          "none: null",
          "slow: slept",
          "refused: java.io.FileNotFoundException, gone",
          "broken: broken",
          "other: second",
          "same: true second",
          "held: true true",
          "released: true");
  private static final List<String> JMX =
      List.of(
          "beans: [desk:type=Lamp]", "on: true", "told: true", "blink: blinked 3", "told: false");
  private static final List<String> CALLBACKS =
      List.of("ring: told rung once", "ring: told rung twice");
  private static final List<String> OVER = List.of("over");
  private static final List<String> CUT = List.of("cut: now", "cut: after");

  /** Of clients beside a sidecar; the gateway may use the same port of another address. */
  private static final String EXPORT_ADDRESS = "127.0.0.2";

  private final List<AutoCloseable> started = new ArrayList<>();
  private Path directory;
  private InsideHosts hosts;
  private OpenGateway gateway;
  private LoginProxy proxy;
  private Path proxyPassword;
  private String inner;
  private int exportPort;
  private int legacy;
  private String port;

  @BeforeAll
  void start() throws Exception {
    directory = WorkDirectory.empty(BuiltArtefacts.workDirectory(getClass()));
    hosts = InsideHosts.ofAllTests();
    Path jars = Files.createDirectories(directory.resolve("jars"));
    compile(Path.of(getClass().getResource("/oldjvms/desk").toURI()), jars.resolve("desk.jar"));
    proxy = new LoginProxy();
    started.add(proxy);
    proxyPassword = Files.writeString(directory.resolve("password"), LoginProxy.PASSWORD);
    // By its address: an old JVM knows no hosts file of its own, so no name of the inner world.
    inner = InnerAddress.find().getHostAddress();
    exportPort = LoopbackPort.free();
    legacy = LoopbackPort.free();
    gateway =
        OpenGateway.start(
            directory.resolve("gateway"),
            hosts,
            OpenGateway.onlyTargets(InsideHosts.INSIDE + ":*")
                + "\n    registry: [lookup, list]\n    jmx: true",
            """
            callbacks:
              address: %s
              from: ['%s']
              allow:
                - principals: [anonymous]
                  explicit: [%d]
            """
                .formatted(inner, inner, exportPort),
            "legacy:\n  enabled: true\n  listen: 127.0.0.1:"
                + legacy
                + "\n  from: ['127.0.0.0/8']\n  principal: till",
            "classes:\n  interfaces: '" + jars + "'\n  mode: enforce");
    started.add(gateway);
    port = server("server", ChildJvm.jdk().resolve("bin/java"));
  }

  @AfterAll
  void stop() throws Exception {
    for (int i = started.size() - 1; i >= 0; i--) {
      started.get(i).close();
    }
  }

  private void compile(Path sources, Path jar) throws IOException {
    List<String> command =
        new ArrayList<>(List.of("-d", classes().toString(), "--release", "8", "-Xlint:-options"));
    try (Stream<Path> files = Files.list(sources)) {
      files.map(Path::toString).forEach(command::add);
    }
    run("javac", command);
    run("jar", List.of("--create", "--file", jar.toString(), "-C", classes().toString(), "desk"));
  }

  private static void run(String tool, List<String> arguments) {
    int status =
        ToolProvider.findFirst(tool)
            .orElseThrow()
            .run(System.out, System.err, arguments.toArray(String[]::new));
    assertThat(status).isZero();
  }

  private Path classes() {
    return directory.resolve("classes");
  }

  /** Skips the test where there is no such JVM. */
  private static Path java(int release) throws IOException {
    Optional<Path> java = RealJvm.find(release);
    Assumptions.assumeTrue(
        java.isPresent(),
        "there is no JVM of Java "
            + release
            + ": deploy/get-tools gets 8, 11 and 21, or JAVA"
            + release
            + "_HOME names it");
    return java.get();
  }

  /** Starts a server and returns the port of its registry. */
  private String server(String name, Path java) throws InterruptedException {
    String at = Integer.toString(LoopbackPort.free());
    ChildJvm server =
        ChildJvm.named(name, directory)
            .with(java)
            .jvmOptions(hosts.insideOption(), "-Xmx96m")
            .property("java.rmi.server.hostname", InsideHosts.INSIDE)
            .classPath(classes())
            .main("desk.DeskServer")
            .arguments(at)
            .start();
    started.add(server);
    server.awaitLine(Pattern.compile("^desk ready on "), SOON);
    return at;
  }

  private ChildJvm.Builder client(String name, Path java) {
    return ChildJvm.named(name, directory)
        .with(java)
        .jvmOptions(hosts.outsideOption(), "-Xmx96m")
        .classPath(classes());
  }

  /** Runs the program with all that it can do, and cuts the link between two of its calls. */
  private ChildJvm assertPrintsAll(ChildJvm.Builder program) throws Exception {
    try (ChildJvm client = program.arguments("jmx", "cut").start()) {
      client.awaitLine(Pattern.compile("^cut: now$"), SOON);
      int tunnels = proxy.tunnels();
      proxy.cut();
      client.ask("", Pattern.compile("^over$"), SOON);
      assertThat(client.awaitExit(SOON)).isZero();
      assertThat(proxy.tunnels()).isGreaterThan(tunnels);
      assertThat(linesOfProgram(client))
          .isEqualTo(joined(List.of(VALUES, JMX, CALLBACKS, CUT, OVER)));
      return client;
    }
  }

  private static List<String> joined(List<List<String>> lists) {
    return lists.stream().flatMap(List::stream).toList();
  }

  /** Java 8 says where it was told of another security manager, agents say that they are there. */
  private static List<String> linesOfProgram(ChildJvm client) {
    return client.output().stream()
        .filter(line -> line.matches("[a-z]+: .*|over") && !line.startsWith("rmigate"))
        .toList();
  }

  private String javaagent(String more) {
    return "-javaagent:"
        + BuiltArtefacts.javaagent()
        + "="
        + gateway.uri()
        + ",tunnel=*:*"
        + more
        + ",proxy=127.0.0.1:"
        + proxy.port()
        + ",proxy-user="
        + LoginProxy.USER
        + ",proxy-password-file="
        + proxyPassword;
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 11, 17, 21, 25})
  void theSameLinesByTheJavaagent(int release) throws Exception {
    ChildJvm client =
        assertPrintsAll(
            client("agent" + release, java(release))
                .jvmOptions(javaagent(""))
                .main("desk.DeskClient")
                .arguments(InsideHosts.INSIDE, port, "bell"));
    assertThat(client.output())
        .as("sources of log records")
        .anyMatch(line -> line.contains(" io.rmigate.client."))
        .noneMatch(line -> line.contains("io.rmigate.java8"));
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 11, 17, 21, 25})
  void theSameLinesByOneLineOfCode(int release) throws Exception {
    String login = LoginProxy.USER + ":" + LoginProxy.PASSWORD;
    assertPrintsAll(
        client("code" + release, java(release))
            .classPath(BuiltArtefacts.javaagent())
            .main("desk.DeskClient")
            .arguments(InsideHosts.INSIDE, port, "bell")
            .arguments("proxy=http://" + login + "@127.0.0.1:" + proxy.port())
            .arguments(gateway.uri().toString()));
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 11, 17, 21, 25})
  void theSameLinesByTheSidecar(int release) throws Exception {
    Path java = java(release);
    try (ChildJvm sidecar =
        ChildJvm.named("sidecar" + release, directory)
            .with(java)
            .jvmOptions(hosts.outsideOption(), "-Xmx64m")
            .jar(BuiltArtefacts.javaagent())
            .arguments("sidecar", "--gateway", gateway.uri().toString(), "--listen", "127.0.0.1:0")
            .arguments("--proxy", "127.0.0.1:" + proxy.port(), "--proxy-user", LoginProxy.USER)
            .arguments("--proxy-password-file", proxyPassword.toString())
            .arguments("--reverse", exportPort + "=" + EXPORT_ADDRESS + ":" + exportPort)
            .start()) {
      Pattern listens = Pattern.compile("^rmigate sidecar listens on 127.0.0.1:(\\d+)");
      String socks = sidecar.awaitLine(listens, SOON).group(1);
      sidecar.awaitLine(Pattern.compile("^rmigate sidecar ready$"), SOON);
      assertPrintsAll(
          client("beside" + release, java)
              .property("socksProxyHost", "127.0.0.1")
              .property("socksProxyPort", socks)
              .property("java.rmi.server.hostname", inner)
              .main("desk.DeskClient")
              .arguments(InsideHosts.INSIDE, port, "bell=" + exportPort + "@" + EXPORT_ADDRESS));
    }
  }

  /** The key {@code sockets}: the proxy selector of the JVM, and a SOCKS server in the agent. */
  @ParameterizedTest
  @ValueSource(ints = {8, 11})
  void theSameLinesThroughAGlobalFactoryOfPlainSockets(int release) throws Exception {
    ChildJvm client =
        assertPrintsAll(
            client("sockets" + release, java(release))
                .jvmOptions(javaagent(",sockets=*:*"))
                .main("desk.DeskClient")
                .arguments(InsideHosts.INSIDE, port, "sockets", "bell"));
    assertThat(client.output()).as("log").noneMatch(line -> line.startsWith("INFO"));
  }

  /** The agent does not know of the exports, and the gateway permits no reference to them. */
  @Test
  void plainServerSocketsTakeNoCallbacks() throws Exception {
    try (ChildJvm client =
        client("plain", java(17))
            .jvmOptions(javaagent(",sockets=*:*"))
            .main("desk.DeskClient")
            .arguments(InsideHosts.INSIDE, port, "plain", "bell")
            .start()) {
      assertThat(client.awaitExit(SOON)).isNotZero();
      assertThat(linesOfProgram(client)).isEqualTo(VALUES);
      assertThat(client.output()).anyMatch(line -> line.contains("java.rmi.AccessException"));
    }
  }

  @Test
  void theSameLinesOfAServerOfJava8() throws Exception {
    Path java = java(8);
    assertPrintsAll(
        client("agent-to-8", java)
            .jvmOptions(javaagent(""))
            .main("desk.DeskClient")
            .arguments(InsideHosts.INSIDE, server("server8", java), "bell"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sun.rmi.transport.proxy.RMIHttpToPortSocketFactory",
        "sun.rmi.transport.proxy.RMIHttpToCGISocketFactory"
      })
  void theTunnellingOfJava8PassesTheSameCalls(String form) throws Exception {
    try (ChildJvm client =
        client(form.contains("CGI") ? "cgi" : "port", java(8))
            .property("java.rmi.server.disableHttp", false)
            .property("sun.rmi.transport.proxy.eagerHttpFallback", true)
            .property("http.proxyHost", "127.0.0.1")
            .property("http.proxyPort", legacy)
            .main("desk.DeskClient")
            .arguments(InsideHosts.INSIDE, port, form)
            .start()) {
      assertThat(client.awaitExit(SOON)).as(() -> String.join("\n", client.output())).isZero();
      assertThat(linesOfProgram(client)).isEqualTo(joined(List.of(VALUES, OVER)));
    }
  }

  /** They set a serial filter, and load interfaces by a class loader of their own. */
  @ParameterizedTest
  @ValueSource(ints = {8, 11})
  void theCommandsWork(int release) throws Exception {
    Path java = java(release);
    String desk = "rmi://" + InsideHosts.INSIDE + ":" + port + "/desk";
    String interfaces = directory.resolve("jars/desk.jar").toString();
    assertThat(command("ls" + release, java, "ls", desk.substring(0, desk.lastIndexOf('/'))))
        .contains("desk");
    assertThat(
            command(
                "call" + release, java, "call", desk, "add", "1", "2", "--interfaces", interfaces))
        .contains("3");
    assertThat(command("doctor" + release, java, "doctor", desk))
        .anyMatch(line -> line.contains("websocket  yes"));
  }

  private List<String> command(String name, Path java, String... arguments) throws Exception {
    try (ChildJvm command =
        client(name, java)
            .jar(BuiltArtefacts.javaagent())
            .arguments(arguments)
            .arguments("--gateway", gateway.uri().toString())
            .start()) {
      assertThat(command.awaitExit(SOON)).as(() -> String.join("\n", command.output())).isZero();
      return command.output();
    }
  }
}
