package io.rmigate.gateway.container.services;

import static io.restassured.RestAssured.given;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.hasItems;

import io.rmigate.gateway.login.UserLines;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.sample.SampleServer;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.SwaggerParseResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * One remote object with a call for each kind of value, each kind of failure, references and large
 * amounts of bytes. Clients in other languages call it through a gateway with a small heap, and
 * must come to the lines that plain RMI comes to in {@link ShowcaseClient}:
 *
 * <ul>
 *   <li>SOAP: Java with classes of Metro's wsimport (bytes attached: MTOM), C# with classes of
 *       Mono's wsdl, Python with zeep, PHP with SoapClient (none of the three can attach, so their
 *       bytes are base64).
 *   <li>JSON: Node (bytes as base64) and Python's standard library (bytes as they are); {@link
 *       GeneratedClientsIT} has those that are made of the OpenAPI document.
 * </ul>
 *
 * <p>Mono's svcutil, its tool for the later stack WCF, reads no WSDL 1.1 document; the SDK of .NET
 * itself is in no Debian. The examples of the catalogue are taken from its page and run as they
 * are, so that none of them can rot.
 */
@ExtendWith(LeftoverCheck.class)
class ClientsIT {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  /**
   * Of the gateway. It has to hold the 50 MiB of the upload twice for a moment, as they come and as
   * a value: in the old generation of the serial collector, which child JVMs use.
   */
  private static final List<String> HEAP = List.of("-Xmx144m", "-Xmn16m");

  private static SampleInside inside;
  private static OpenGateway gateway;
  private static String byPlainRmi;

  @BeforeAll
  static void start() throws Exception {
    inside = SampleInside.start(ClientsIT.class);
    byPlainRmi = calledByPlainRmi(inside);
    Path users = inside.directory().resolve("users");
    Files.writeString(users, UserLines.user("alice", "password"));
    gateway =
        OpenGateway.start(
            inside.directory().resolve("gateway"),
            inside.hosts(),
            HEAP,
            users,
            OpenGateway.targets(InsideHosts.INSIDE + ":*"),
            "publish:",
            inside.showcase("showcase"),
            inside.showcase("shipping", "methods: [loaded]"));
  }

  /** The lines of {@link ShowcaseClient}. */
  static String calledByPlainRmi(SampleInside inside) throws Exception {
    try (ChildJvm client =
        ChildJvm.named("rmi-client", inside.directory())
            .jvmOptions(inside.hosts().insideOption(), "-Xmx300m")
            .classPath(
                BuiltArtefacts.codeSource(ShowcaseClient.class),
                BuiltArtefacts.codeSource(SampleServer.class))
            .main(ShowcaseClient.class.getName())
            .arguments(InsideHosts.INSIDE, Integer.toString(inside.port()))
            .start()) {
      assertThat(client.awaitExit(LIMIT)).as("%s", client.output()).isZero();
      return String.join("\n", client.output()) + "\n";
    }
  }

  @AfterAll
  static void stop() {
    if (gateway != null) {
      gateway.close();
    }
    inside.close();
  }

  @AfterEach
  void theHeapIsLargeEnough() {
    assertThat(gateway.jvm().isAlive()).isTrue();
    assertThat(gateway.jvm().output()).noneMatch(line -> line.contains("OutOfMemoryError"));
  }

  private static String address() {
    return gateway.uri() + "/services/showcase";
  }

  /** Number of counters that are unreferenced. */
  private static int unreferenced() {
    return given()
        .contentType("application/json")
        .post(address() + "/unreferencedCounters")
        .then()
        .statusCode(200)
        .extract()
        .as(Integer.class);
  }

  private interface Client {
    String linesAt(String address) throws Exception;
  }

  /** And what it releases is released by the gateway. */
  private static void mustSeeTheSame(Client client) throws Exception {
    int before = unreferenced();
    assertThat(client.linesAt(address())).isEqualTo(byPlainRmi);
    await().until(() -> unreferenced() > before); // handles that other tests have left expire, too
  }

  private static ForeignProgram program(String... command) {
    return new ForeignProgram(inside.directory(), List.of(command));
  }

  private static void mustSeeTheSame(ForeignProgram program) throws Exception {
    mustSeeTheSame(address -> program.output(address));
  }

  /** A client of this test, as a file. */
  private static String file(String name) throws Exception {
    return ForeignProgram.file("/clients/" + name, inside.directory()).toString();
  }

  @Test
  void plainRmiSeesEachKind() {
    assertThat(byPlainRmi.lines().map(line -> line.replaceAll("=.*", "")).distinct())
        .hasSize(30)
        .contains("legacy dates", "interface", "immutable", "fault", "passed back");
    assertThat(byPlainRmi).contains("upload=" + (50 << 20) + " ");
  }

  @Test
  void javaByWsimport() throws Exception {
    Path directory = Files.createDirectories(inside.directory().resolve("wsimport"));
    WsdlClasses classes = new WsdlClasses(directory);
    classes.generate(address() + "?wsdl", "showcases");
    classes.generate(address() + "?wsdl=Counter", "counters");
    classes.compile(ForeignProgram.file("/clients/ShowcaseCalls.java", directory));
    mustSeeTheSame(address -> classes.call("ShowcaseCalls", "run", address));
  }

  @Test
  void schemasBesideTheWsdlMakeTheSameClasses() throws Exception {
    Path directory = Files.createDirectories(inside.directory().resolve("linked"));
    WsdlClasses classes = new WsdlClasses(directory);
    classes.generate(address() + "?wsdl", "embedded");
    classes.generate(address() + "?wsdl&linked", "linked");

    assertThat(namesIn(directory.resolve("linked")))
        .contains("Showcase.java", "Shipment.java", "TooHeavy.java")
        .isEqualTo(namesIn(directory.resolve("embedded")));
  }

  private static Set<String> namesIn(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
    }
  }

  @Test
  void theOpenApiDocumentIsOne() {
    String document =
        given().get(address() + "/openapi.json").then().statusCode(200).extract().asString();

    SwaggerParseResult parsed = new OpenAPIV3Parser().readContents(document);

    assertThat(parsed.getMessages()).isEmpty();
    assertThat(parsed.getOpenAPI().getServers().get(0).getUrl()).isEqualTo(address());
    assertThat(parsed.getOpenAPI().getPaths())
        .containsKeys("/next", "/loaded", "/kind_int", "/Counter/{handle}/increment");
  }

  @Test
  void csharpByMonosWsdl() throws Exception {
    program("wsdl", "-nologo").needed("mono-devel");
    List<String> sources = new ArrayList<>();
    for (String[] made : new String[][] {{"Showcases", "?wsdl"}, {"Counters", "?wsdl=Counter"}}) {
      String source = inside.directory().resolve(made[0] + ".cs").toString();
      program("wsdl", "-namespace:" + made[0], "-out:" + source, address() + made[1]).output();
      sources.add(source);
    }
    mustSeeTheSame(
        csharp(file("Client.cs"), "System.Web.Services", sources.toArray(String[]::new)));
  }

  /** Compiles a program; returns how it is run. */
  private static ForeignProgram csharp(String source, String library, String... others)
      throws Exception {
    String program = source.replaceAll("\\.cs$", ".exe");
    List<String> command =
        new ArrayList<>(List.of("mcs", "-r:" + library, "-out:" + program, source));
    command.addAll(List.of(others));
    program(command.toArray(String[]::new)).output();
    return program("mono", program);
  }

  @Test
  void pythonByZeep() throws Exception {
    program("/usr/bin/python3", "-c", "import zeep").needed("Debian's python3-zeep");
    mustSeeTheSame(program("/usr/bin/python3", file("zeep_client.py")));
  }

  @Test
  void pythonByItself() throws Exception {
    program("python3", "--version").needed("python3");
    mustSeeTheSame(program("python3", file("urllib_client.py")));
  }

  @Test
  void php() throws Exception {
    program("php", "-r", "new ReflectionClass('SoapClient');").needed("php-cli with php-soap");
    mustSeeTheSame(program("php", "-d", "memory_limit=2G", file("client.php")));
  }

  @Test
  void node() throws Exception {
    program("node", "-e", "fetch.name").needed("nodejs with fetch");
    mustSeeTheSame(program("node", file("client.js")));
  }

  @Test
  void whatCannotBeMappedIsSaidAndDoesNotStopTheRest() {
    given()
        .accept("application/json")
        .get(address())
        .then()
        .statusCode(200)
        .body("refusals.what", hasItems("Showcase.echo(Object)", "Showcase.join(String,Object[])"))
        .body("operations.name", hasItems("next", "kind_int", "kind_String"));
    assertThat(gateway.jvm().output())
        .anyMatch(line -> line.contains("Showcase.echo(Object)") && line.contains("configure"));
  }

  // ---- the examples of the catalogue

  /** With one plain argument, and with a large one; each shows its result. */
  private static void mustWork(String language, ExampleRun run) throws Exception {
    assertThat(run.of(CataloguePage.at(address()).example(language)))
        .as("echoBoolean")
        .containsPattern("\\b(?:[Tt]rue|1)\\b");
    assertThat(run.of(CataloguePage.at(gateway.uri() + "/services/shipping").example(language)))
        .as("loaded")
        .contains("25.00", "LOADED");
  }

  private interface ExampleRun {
    String of(String text) throws Exception;
  }

  /** As pasted into a shell; only what curl would ask for is there already. */
  private static String shell(String text) throws Exception {
    return program("sh", "-c", text.replace("-u alice ", "-sS -u alice:password ")).output();
  }

  @Test
  void everyOperationsExampleForCurlIsUnderstood() throws Exception {
    program("curl", "--version").needed("curl");
    List<String> commands = CataloguePage.at(address()).commands();
    assertThat(commands).hasSizeGreaterThan(35);
    for (String command : commands) {
      if (!command.contains("HANDLE") && !command.contains("the href of a handle")) {
        assertThat(shell(command)).as(command).doesNotContain("\"executed\":\"no\"");
      }
    }
  }

  @Test
  void theExampleOfSoapForCurlWorks() throws Exception {
    program("curl", "--version").needed("curl");
    mustWork("curl, SOAP", ClientsIT::shell);
  }

  @Test
  void theExampleForZeepWorks() throws Exception {
    program("/usr/bin/python3", "-c", "import zeep").needed("Debian's python3-zeep");
    mustWork("Python, zeep", text -> program("/usr/bin/python3", "-c", text).output());
  }

  @Test
  void theExampleForPythonWorks() throws Exception {
    program("python3", "--version").needed("python3");
    mustWork("Python, standard library", text -> program("python3", "-c", text).output());
  }

  @Test
  void theExampleForPhpWorks() throws Exception {
    program("php", "-r", "new ReflectionClass('SoapClient');").needed("php-cli with php-soap");
    Path file = inside.directory().resolve("example.php");
    mustWork(
        "PHP, SoapClient",
        text ->
            program(
                    "php",
                    "-d",
                    "soap.wsdl_cache_enabled=0", // which would leave files
                    Files.writeString(file, text).toString())
                .output());
  }

  @Test
  void theExampleForCsharpWorks() throws Exception {
    program("wsdl", "-nologo").needed("mono-devel");
    Path file = inside.directory().resolve("Example.cs");
    mustWork(
        "C#", text -> csharp(Files.writeString(file, text).toString(), "System.Net.Http").output());
  }
}
