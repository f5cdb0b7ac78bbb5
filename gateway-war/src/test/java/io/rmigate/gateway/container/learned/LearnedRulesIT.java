package io.rmigate.gateway.container.learned;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import groovy.lang.GroovyShell;
import io.rmigate.gateway.container.ProbeRun;
import io.rmigate.gateway.container.WorkDirectory;
import io.rmigate.gateway.container.kits.JmeterScripts;
import io.rmigate.gateway.container.probe.Way;
import io.rmigate.gateway.container.services.GatedClient;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.InsideServers;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OldJvm;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.gateway.testing.SampleJar;
import io.rmigate.sample.SampleServer;
import io.rmigate.testing.LoopbackPort;
import io.rmigate.testing.Tier;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The programs of the other tests run with class rules in force, by the rules that were learnt from
 * them and nothing else: those of the contract and the sample, JMX consoles, JMeter's plan, a
 * client of JDK 8, web services, the client's commands, and what {@link ProgramsOutside} has.
 */
@Tag(Tier.FULL)
@ExtendWith(LeftoverCheck.class)
class LearnedRulesIT {
  private static final Pattern EXPECTED_REFUSAL =
      Pattern.compile(
          " refused: (registry operation|target|it may come of a web page"
              + "|the session is not known to this gateway)");

  private static final Duration SOON = Duration.ofMinutes(2);
  private static final int CONNECTS = 50;

  /** One waits while another one has the processor. */
  private static final int AT_ONCE = 3;

  private Path directory;
  private InsideHosts hosts;
  private InsideServers servers;
  private ProgramsInside inside;
  private OpenGateway gateway;

  /** By reason; null until it is known. */
  private Map<String, Long> refusedWhileLearning;

  private final int bellPort = LoopbackPort.free();
  private final int registryPort = LoopbackPort.free();
  private final AtomicInteger clients = new AtomicInteger();

  @BeforeEach
  void startServers() throws Exception {
    directory = WorkDirectory.empty(BuiltArtefacts.workDirectory(getClass()));
    hosts = InsideHosts.ofAllTests();
    inside = new ProgramsInside(Files.createDirectories(directory.resolve("programs")), hosts);
    servers = InsideServers.start(directory, hosts);
    SampleJar.in(directory.resolve("published"));
  }

  @AfterEach
  void stopEverything() throws Exception {
    if (gateway != null) {
      gateway.close();
    }
    if (servers != null) {
      servers.close();
    }
    if (inside != null) {
      inside.close();
    }
  }

  /**
   * What no program's calls can tell.
   *
   * @param rules the sections classes and targets
   */
  private String[] settings(String rules) {
    return new String[] {
      """
      callbacks:
        address: 127.0.0.1
        host: %1$s
        from: ['127.*']
        allow:
          - principals: ['*']
            explicit: [%2$d, %6$d]
      legacy:
        enabled: true
        principal: old
        from: [127.0.0.1]
      raw:
        - principals: ['*']
          allow: ['%1$s:%3$s']
      preload:
        - principals: ['*']
          names: ['%1$s:%4$s/Hello']
      publish:
        - path: everything
          object: rmi://%1$s:%4$s/Everything
          interface: io.rmigate.sample.Everything
          jars: '%5$s'
          principals: ['*']
      """
          .formatted(
              InsideHosts.INSIDE,
              bellPort,
              inside.port("management"),
              port(),
              directory.resolve("published"),
              registryPort),
      rules
    };
  }

  /** Everything may be reached; how much memory there is for calls remains as it is said here. */
  private static String learning() {
    return "classes:\n  mode: learn\n  call-limit: 4MiB\n"
        + OpenGateway.onlyTargets(InsideHosts.INSIDE + ":*", InsideHosts.MISSING + ":*")
        + "\n    stream: true";
  }

  @Test
  void whatWasLearntFromProgramsIsAllThatTheyNeed() throws Exception {
    gateway = OpenGateway.start(directory.resolve("gateway"), hosts, settings(learning()));
    ProgramsOutside outside =
        new ProgramsOutside(inside, gateway, servers.samplePort(), bellPort, registryPort);
    runEverything(outside);
    String rules = gateway.learnedRules();
    assertThat(rules)
        .contains("mode: enforce", "principals: ['anonymous']", "principals: ['old']", "jmx: true")
        .doesNotContain("# Not allowed by a line", "jmx-grants", "principals: ['*']");

    gateway.reconfigure(settings(rules));
    await().until(() -> gateway.get("/health/ready").contains("\"classRules\":\"enforce\""));
    runEverything(outside);
    assertNothingWasRefused();
  }

  private void runEverything(ProgramsOutside outside) throws Exception {
    Map<String, ProgramsOutside.Program> programs = outside.all();
    programs.put("contract", this::runContract);
    programs.put("arguments of all kinds", this::callGated);
    programs.put("sample", this::runSample);
    programs.put("management", this::manage);
    programs.put("JMeter", this::runJmeter);
    programs.put("JDK 8", this::callAsJdk8);
    programs.put("web services", this::callWebServices);
    programs.put("commands", this::runCommands);
    assertThat(failuresOf(programs)).isEmpty();
    outside.useAfterRestart(
        () -> {
          gateway.awaitLearnedWritten();
          assertNothingWasRefused();
          gateway.kill();
          gateway.startAgain();
        });
  }

  /** What has failed, by the program; the others run all the same. */
  private static Map<String, Throwable> failuresOf(Map<String, ProgramsOutside.Program> programs)
      throws InterruptedException {
    Map<String, Throwable> failures = new ConcurrentHashMap<>();
    ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
    try {
      programs.forEach(
          (name, program) ->
              threads.execute(
                  () -> {
                    try {
                      program.run();
                    } catch (Exception | AssertionError failure) {
                      failures.put(name, failure);
                    }
                  }));
    } finally {
      threads.shutdown();
      assertThat(threads.awaitTermination(10, TimeUnit.MINUTES)).isTrue();
    }
    failures.values().forEach(Throwable::printStackTrace);
    return failures;
  }

  /**
   * But what is while everything is that may be reached: programs bind from outside, and look up
   * elsewhere, to see that refused.
   */
  private void assertNothingWasRefused() throws IOException {
    assertThat(gateway.jvm().output())
        .filteredOn(line -> line.contains(" refused: "))
        .allMatch(line -> EXPECTED_REFUSAL.matcher(line).find());
    Map<String, Long> refusals = gateway.refusals();
    if (refusedWhileLearning == null) {
      assertThat(refusals.keySet()).isSubsetOf("registry-operation", "target");
      refusedWhileLearning = refusals;
    }
    assertThat(refusals)
        .allSatisfy(
            (reason, count) ->
                assertThat(count)
                    .as(reason)
                    .isLessThanOrEqualTo(refusedWhileLearning.getOrDefault(reason, 0L)));
  }

  private void callGated() throws InterruptedException {
    assertThat(output(GatedClient.class.getName(), host(), port(), "work")).contains("worked");
  }

  private void runSample() throws InterruptedException {
    String[] arguments = {
      "--host", host(), "--port", port(), "--payload-mb", "2", "--threads", "2"
    };
    assertThat(output("io.rmigate.sample.SampleClient", arguments)).isNotEmpty();
  }

  private void manage() throws InterruptedException {
    String url = "service:jmx:rmi:///jndi/rmi://" + host() + ":" + servers.jmxPort() + "/jmxrmi";
    assertThat(output("io.rmigate.sample.JmxClient", "--url", url))
        .contains("jmx client: everything as it should be");
  }

  private void runJmeter() throws Exception {
    String[] arguments = JmeterScripts.arguments(directory, host(), port(), 3);
    assertThat(output(JmeterScripts.MAIN, arguments))
        .filteredOn(line -> line.startsWith("sample "))
        .hasSize(3);
  }

  /** Those of the client's jar. */
  private void runCommands() throws Exception {
    String hello = "rmi://" + host() + ":" + port() + "/Hello";
    String jars = directory.resolve("published").toString();
    String management =
        "service:jmx:rmi:///jndi/rmi://" + host() + ":" + servers.jmxPort() + "/jmxrmi";
    assertThat(command("ls", "-l", hello)).anyMatch(line -> line.startsWith("Hello "));
    assertThat(command("call", hello, "hello", "Ann", "--interfaces", jars))
        .anyMatch(line -> line.contains("Ann"));
    assertThat(command("jmx", management, "java.lang:type=Runtime", "SpecName"))
        .containsExactly("Java Virtual Machine Specification");
    command("doctor", hello, "--idle", "0s");
  }

  private List<String> command(String... command) throws InterruptedException {
    try (ChildJvm jvm =
        ChildJvm.named("command" + clients.incrementAndGet(), directory)
            .jvmOptions(hosts.outsideOption(), "-Xmx64m")
            .jar(BuiltArtefacts.javaagent())
            .arguments(command)
            .arguments("--gateway", gateway.uri().toString(), "--way", "websocket")
            .start()) {
      return outputOf(jvm);
    }
  }

  /** In JSON and in SOAP, with a reference that is passed back. */
  private void callWebServices() throws Exception {
    String made = post("/newCounter", "application/json", "{\"start\": 10}");
    String counter = made.replaceAll("(?s).*\"href\":\"([^\"]*)\".*", "$1");
    assertThat(post("/incrementFor", "application/json", "{\"counter\": \"" + counter + "\"}"))
        .isEqualTo("11");
    assertThat(
            post(
                "",
                "text/xml; charset=utf-8",
                """
                <e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>\
                <t:execute xmlns:t="urn:rmigate:contract:io.rmigate.sample.Everything">\
                <callId>by SOAP</callId></t:execute></e:Body></e:Envelope>\
                """))
        .containsPattern("executeResponse.*>\\d+</");
  }

  private String post(String operation, String type, String body) throws Exception {
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(
                        URI.create(gateway.uri() + "/services/everything" + operation))
                    .header("Content-Type", type)
                    .POST(HttpRequest.BodyPublishers.ofString(body))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  private static String host() {
    return InsideHosts.INSIDE;
  }

  private String port() {
    return Integer.toString(servers.samplePort());
  }

  private String javaagent() {
    return "-javaagent:"
        + BuiltArtefacts.javaagent()
        + "="
        + gateway.uri()
        + ",tunnel=*:*,way=websocket,stats=off";
  }

  private void runContract() throws Exception {
    try (ProbeRun probe =
        new ProbeRun(
            "contract" + clients.incrementAndGet(),
            directory,
            List.of(hosts.outsideOption(), javaagent()),
            ProbeRun.inside(servers, CONNECTS, 1),
            SOON)) {
      List<DynamicTest> cases = probe.tests(Way.TUNNEL, gateway.jvm()).toList();
      assertThat(cases).hasSizeGreaterThan(30);
      Map<String, String> failures = new TreeMap<>();
      for (DynamicTest each : cases) {
        try {
          each.getExecutable().execute();
        } catch (Throwable failed) { // which is what JUnit says it may be
          failures.put(each.getDisplayName(), String.valueOf(failed.getMessage()));
        }
      }
      assertThat(failures).isEmpty();
    }
  }

  /** Of a program that ends by itself, with exit code 0. */
  private List<String> output(String main, String... arguments) throws InterruptedException {
    try (ChildJvm client =
        ChildJvm.named("client" + clients.incrementAndGet(), directory)
            .jvmOptions(hosts.outsideOption(), "-Xmx200m", javaagent())
            .classPath(
                BuiltArtefacts.codeSource(SampleServer.class),
                BuiltArtefacts.codeSource(GatedClient.class),
                BuiltArtefacts.codeSource(GroovyShell.class))
            .main(main)
            .arguments(arguments)
            .start()) {
      return outputOf(client);
    }
  }

  private static List<String> outputOf(ChildJvm program) throws InterruptedException {
    int exitCode = program.awaitExit(SOON);
    assertThat(exitCode).as(() -> String.join("\n", program.output())).isZero();
    return List.copyOf(program.output());
  }

  private void callAsJdk8() throws IOException {
    OldJvm old = new OldJvm(gateway.port());
    OldJvm.Stub stub =
        OldJvm.Stub.in(old.toCgi(host(), servers.samplePort(), OldJvm.lookup("Everything")));
    byte[] echo = OldJvm.call(stub, "echoInt(I)I", out -> out.writeInt(42));
    assertThat(old.toCgi(stub.host(), stub.port(), echo).asInt()).isEqualTo(42);
    byte[] counter =
        OldJvm.call(stub, "newCounter(I)Lio/rmigate/sample/Counter;", out -> out.writeInt(1));
    assertThat(old.toCgi(stub.host(), stub.port(), counter).isReturned()).isTrue();
  }
}
