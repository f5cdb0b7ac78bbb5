package io.rmigate.gateway.container.codebases;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.rmigate.gateway.container.WorkDirectory;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OldJre;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.gateway.testing.OtherJdk;
import io.rmigate.testing.LoopbackPort;
import io.rmigate.testing.Tier;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * T10. Programs whose classes come from a URLClassLoader get their calls through, and of JVMs that
 * load classes from where a message says none does so: an HTTP server that is named as codebase is
 * asked for nothing, unless the configuration has codebases kept.
 */
@ExtendWith(LeftoverCheck.class)
class CodebasesIT {
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final List<String> SHARED = List.of("Depot", "Teller");
  private static final String UNKNOWN = "ClassNotFoundException: depot.";

  private Path directory;
  private InsideHosts hosts;
  private HttpServer codebase;

  /** Of JVMs that were told of it by others. */
  private final AtomicInteger requests = new AtomicInteger();

  private final List<AutoCloseable> started = new ArrayList<>();
  private String port;

  @BeforeEach
  void compile() throws Exception {
    directory = WorkDirectory.empty(BuiltArtefacts.workDirectory(getClass()));
    hosts = InsideHosts.ofAllTests();
    port = Integer.toString(LoopbackPort.free());
    Path sources = Path.of(getClass().getResource("/codebases/depot").toURI());
    List<String> command =
        new ArrayList<>(List.of("-d", all().toString(), "--release", "8", "-Xlint:-options"));
    try (Stream<Path> files = Files.list(sources)) {
      files.map(Path::toString).forEach(command::add);
    }
    assertThat(
            ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(System.out, System.err, command.toArray(String[]::new)))
        .isZero();
    codebase = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    codebase.createContext(
        "/",
        exchange -> {
          String[] path = exchange.getRequestURI().getPath().split("/", 3);
          if (!exchange.getRequestHeaders().getFirst("User-Agent").startsWith(path[1] + " ")) {
            requests.incrementAndGet(); // where nothing is said a JVM asks its own codebase
          }
          Path file = all().resolve(path[2]);
          byte[] found = Files.isRegularFile(file) ? Files.readAllBytes(file) : new byte[0];
          exchange.sendResponseHeaders(found.length > 0 ? 200 : 404, Math.max(found.length, -1));
          exchange.getResponseBody().write(found);
          exchange.close();
        });
    codebase.start();
  }

  @AfterEach
  void stop() throws Exception {
    for (int i = started.size() - 1; i >= 0; i--) {
      started.get(i).close();
    }
    codebase.stop(0);
  }

  /** All classes. */
  private Path all() {
    return directory.resolve("all");
  }

  /** Some of them, and what both sides have. */
  private Path only(String... names) throws IOException {
    Path its = Files.createDirectories(directory.resolve(names[0]).resolve("depot"));
    for (String name : Stream.concat(SHARED.stream(), Arrays.stream(names)).toList()) {
      Path file = Path.of("depot", name + ".class");
      Files.copy(all().resolve(file), its.getParent().resolve(file));
    }
    return its.getParent();
  }

  private OpenGateway gateway(String... classes) throws Exception {
    Path jars = Files.createDirectories(directory.resolve("jars"));
    Path jar = jars.resolve("depot.jar");
    assertThat(
            ToolProvider.findFirst("jar")
                .orElseThrow()
                .run(
                    System.out,
                    System.err,
                    "--create",
                    "--file",
                    jar.toString(),
                    "-C",
                    all().toString(),
                    "depot"))
        .isZero();
    OpenGateway gateway =
        OpenGateway.start(
            directory.resolve("gateway"),
            hosts,
            OpenGateway.onlyTargets(InsideHosts.INSIDE + ":*")
                + "\n    registry: [lookup]\n    classes: ['depot.*']",
            "callbacks:\n  address: 127.0.0.1\n  host: "
                + InsideHosts.INSIDE
                + "\n  from: ['127.*']\n  allow:\n    - principals: [anonymous]",
            "classes:\n  interfaces: '" + jars + "'\n  " + String.join("\n  ", classes));
    started.add(gateway);
    return gateway;
  }

  private ChildJvm.Builder program(String name) {
    return ChildJvm.named(name, directory)
        .jvmOptions("-Xmx128m")
        .property("java.rmi.server.hostname", InsideHosts.INSIDE);
  }

  private void server(ChildJvm.Builder program) throws InterruptedException {
    ChildJvm server = program.start();
    started.add(server);
    server.awaitLine(Pattern.compile("^depot ready on "), SOON);
  }

  private List<String> client(ChildJvm.Builder program, OpenGateway gateway) throws Exception {
    String agent =
        "-javaagent:" + BuiltArtefacts.javaagent() + "=" + gateway.uri() + ",tunnel=*:*,stats=off";
    try (ChildJvm client = program.jvmOptions(hosts.outsideOption(), agent).start()) {
      assertThat(client.awaitExit(SOON)).as(() -> String.join("\n", client.output())).isZero();
      return client.output();
    }
  }

  private ChildJvm.Builder loaded(ChildJvm.Builder program, String main, String... arguments)
      throws IOException {
    Path launcher = directory.resolve("launcher");
    if (!Files.exists(launcher)) {
      Files.createDirectories(launcher.resolve("depot"));
      Path file = Path.of("depot", "Loaded.class");
      Files.copy(all().resolve(file), launcher.resolve(file));
    }
    return program
        .classPath(launcher)
        .main("depot.Loaded")
        .arguments(all() + "/", "depot." + main)
        .arguments(arguments);
  }

  /** As in Tomcat on both sides: each class that is sent has an annotation with its codebase. */
  @Test
  void programsWhoseClassesComeFromAUrlClassLoaderGetTheirCallsThrough() throws Exception {
    server(loaded(program("server").jvmOptions(hosts.insideOption()), "DepotServer", port));
    OpenGateway gateway = gateway("mode: enforce");
    String[] all = {InsideHosts.INSIDE, port, "all"};
    assertThat(client(loaded(program("client"), "DepotClient", all), gateway))
        .contains(
            "take: took Parcel first of 7",
            "list: took [Parcel a of 1, Parcel b of 2]",
            "give: Crate given of 7",
            "long: took Parcel long of 3145728",
            "ask: told Crate shown of 7 and Parcel back of 7",
            "over");
    assertThat(gateway.refusals()).isEmpty();
    gateway.close();

    OpenGateway refusing = gateway("codebases: refuse");
    try (ChildJvm refused =
        loaded(program("refused"), "DepotClient", all)
            .jvmOptions(
                hosts.outsideOption(),
                "-javaagent:" + BuiltArtefacts.javaagent() + "=" + refusing.uri() + ",tunnel=*:*")
            .start()) {
      assertThat(refused.awaitExit(SOON)).isNotZero(); // as what is looked up is refused
    }
    assertThat(refusing.refusals()).isNotEmpty();
  }

  /** Who loads classes from there, in truth. */
  private ChildJvm.Builder believing(String name, Path java) throws IOException {
    Path policy =
        Files.writeString(
            directory.resolve("policy"), "grant { permission java.security.AllPermission; };");
    return program(name)
        .with(java)
        .property("http.agent", name)
        .jvmOptions("-Djava.security.manager", "-Djava.security.policy==" + policy)
        .property("java.rmi.server.useCodebaseOnly", false)
        .property(
            "java.rmi.server.codebase",
            "http://127.0.0.1:" + codebase.getAddress().getPort() + "/" + name + "/");
  }

  private static Path java17() throws IOException {
    Optional<Path> home =
        Runtime.version().feature() == 17
            ? Optional.of(Path.of(System.getProperty("java.home")))
            : OtherJdk.find();
    Assumptions.assumeTrue(
        home.isPresent(), "there is no JDK 17, which a SecurityManager needs: " + OtherJdk.PLACES);
    return home.get().resolve("bin/java");
  }

  @ParameterizedTest
  @ValueSource(strings = {"drop", "keep"})
  @Tag(Tier.FULL)
  void aServerOfJdk8LoadsNoClassesFromWhereACallSays(String codebases) throws Exception {
    Path java17 = java17();
    server(
        believing("server", OldJre.java())
            .classPath(only("DepotServer", "Crate"))
            .main("depot.DepotServer")
            .arguments(port));
    assertRequests(codebases, java17);
  }

  @ParameterizedTest
  @ValueSource(strings = {"drop", "keep"})
  @Tag(Tier.FULL)
  void neitherAServerNorAClientOfJdk17LoadsThem(String codebases) throws Exception {
    Path java17 = java17();
    server(
        believing("server", java17)
            .jvmOptions(hosts.insideOption())
            .classPath(only("DepotServer", "Crate"))
            .main("depot.DepotServer")
            .arguments(port));
    assertRequests(codebases, java17);
  }

  /** The server has no Parcel, and the client no Crate. */
  private void assertRequests(String codebases, Path java) throws Exception {
    assertThat(requests).hasValue(0);
    List<String> said =
        client(
            believing("client", java)
                .classPath(only("DepotClient", "Parcel"))
                .main("depot.DepotClient")
                .arguments(InsideHosts.INSIDE, port),
            gateway("codebases: " + codebases));
    if (codebases.equals("keep")) {
      assertThat(requests.get()).isGreaterThan(1);
      assertThat(said).contains("take: took Parcel first of 7", "give: Crate given of 7");
    } else {
      assertThat(requests).hasValue(0);
      assertThat(said)
          .anyMatch(line -> line.startsWith("take: ServerException, ") && line.contains(UNKNOWN))
          .anyMatch(line -> line.startsWith("give: ") && line.contains(UNKNOWN));
    }
    assertThat(said).contains("over");
  }
}
