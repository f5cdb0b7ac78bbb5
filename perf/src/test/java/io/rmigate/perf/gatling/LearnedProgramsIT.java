package io.rmigate.perf.gatling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.rmigate.perf.harness.Artefacts;
import io.rmigate.perf.harness.ChildJvm;
import io.rmigate.perf.harness.JvmGroup;
import io.rmigate.perf.papers.PapersClient;
import io.rmigate.perf.papers.PapersServer;
import io.rmigate.perf.speed.SpeedClient;
import io.rmigate.perf.ways.Approach;
import io.rmigate.perf.ways.Way;
import io.rmigate.sample.PerformanceTester;
import io.rmigate.testing.Tier;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * One program of each kind that measures here runs with class rules in force, by the rules that
 * were learnt from it. Skipped where the gateway is not built.
 */
@Tag(Tier.FULL)
class LearnedProgramsIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path JDK = Path.of(System.getProperty("java.home"));
  private static final String HOST = "inside.example";
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final String WORKLOADS = "HELLO,MONADS,TESTS,BYTES";
  private static final List<Way> WAYS =
      List.of(Way.POST, Way.WEBSOCKET, Way.SERVLET, Way.SOAP, Way.JSON);

  private Artefacts built;
  private JvmGroup jvms;
  private Path hosts;
  private Path config;
  private int registry;
  private String papers;
  private URI gateway;
  private int clients;

  @BeforeEach
  void start() throws Exception {
    assumeTrue(
        Files.exists(ROOT.resolve("gateway-war/target/rmigate.war")), "gateway-war is not built");
    built = Artefacts.of(ROOT, "learnt-it");
    Files.deleteIfExists(built.logs().resolve("state/learned.jsonl"));
    hosts = Files.write(built.logs().resolve("hosts"), List.of("127.0.0.1 localhost " + HOST));
    config = built.logs().resolve("rmigate.yaml");
    jvms = new JvmGroup(built, JDK, false);
    registry = jvms.server(hosts, HOST);
    papers =
        jvms.other(
                "papers",
                hosts,
                List.of(
                    "-Djava.rmi.server.hostname=" + HOST,
                    "-cp",
                    built.programClassPath(),
                    PapersServer.class.getName(),
                    "127.0.0.1"))
            .await("papers ready")
            .split(" ", -1)[0];
    configure(
        """
        classes:
          mode: learn
          interfaces: '%s'
        targets:
          - principals: ['*']
            allow: ['%s:*']
        """
            .formatted(built.interfaces(), HOST));
    gateway =
        URI.create(
            jvms.gateway(
                hosts, List.of("-jar", built.war().toString(), "--config", config.toString())));
  }

  @AfterEach
  void stop() {
    if (jvms != null) {
      jvms.close();
    }
  }

  private void configure(String rules) throws IOException {
    Path written =
        Files.writeString(
            built.logs().resolve("rmigate.yaml.new"),
            """
            listen: 127.0.0.1:0
            insecure: true
            metrics: open
            state: '%1$s'
            admin:
              principals: [anonymous]
            logins:
              anonymous: true
            legacy:
              enabled: true
              principal: old
              from: [127.0.0.0/8]
            publish:
              - path: %2$s
                object: rmi://%3$s:%4$d/%5$s
                interface: %6$s
                jars: '%7$s'
                principals: ['*']
            """
                    .formatted(
                        built.logs().resolve("state"),
                        Artefacts.PUBLISHED,
                        HOST,
                        registry,
                        PerformanceTester.NAME,
                        PerformanceTester.class.getName(),
                        built.interfaces())
                + rules);
    Files.move(written, config, StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void whatWasLearntFromProgramsThatMeasureIsAllThatTheyNeed() throws Exception {
    runEverything();
    awaitThat(() -> lines(built.logs().resolve("state/learned.jsonl")) == learnt());
    String rules = learnedRules();
    assertThat(rules)
        .contains("mode: enforce", "principals: ['anonymous']", "principals: ['old']")
        .doesNotContain("# Not allowed by a line", "opaque:", "principals: ['*']");

    configure(rules);
    awaitThat(() -> get("/health/ready").contains("\"classRules\":\"enforce\""));
    runEverything();
    assertThat(get("/metrics").lines())
        .noneMatch(line -> line.startsWith("rmigate_refused_total{") && !line.endsWith(" 0.0"));
  }

  private void runEverything() throws Exception {
    measureSpeed();
    runPapers();
    for (Way way : WAYS) {
      runJuric(way);
    }
    runGatling();
  }

  private String javaagent() {
    return "-javaagent:" + built.agent() + "=" + gateway + ",tunnel=*:*";
  }

  private ChildJvm client(List<String> arguments) throws IOException {
    List<String> all = new ArrayList<>(List.of("-Xmx256m", "-Djdk.net.hosts.file=" + hosts));
    all.addAll(arguments);
    Path log = built.logs().resolve("client" + ++clients + ".log");
    return ChildJvm.start("client" + clients, JDK, -1, log, all);
  }

  private void measureSpeed() throws IOException {
    try (ChildJvm client =
        client(
            List.of(
                javaagent(),
                "-cp",
                built.classPath(),
                SpeedClient.class.getName(),
                "rmi",
                HOST,
                Integer.toString(registry)))) {
      client.await("client ready");
      assertThat(client.ask("latency 20")).startsWith("reading");
      assertThat(client.ask("throughput 4 50")).startsWith("reading");
    }
  }

  private void runPapers() throws IOException {
    try (ChildJvm client =
        client(
            List.of(
                javaagent(),
                "-cp",
                built.programClassPath(),
                PapersClient.class.getName(),
                WORKLOADS,
                "1",
                HOST,
                papers,
                HOST,
                papers))) {
      client.await("client ready");
      client.ask("run"); // fails if the client says that it has
    }
  }

  private void runJuric(Way way) throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of("-cp", built.classPath(), "io.rmigate.perf.juric.JuricClient"));
    arguments.addAll(approach(way).arguments());
    try (ChildJvm client = client(arguments)) {
      client.await("client ready");
      for (String operation : List.of("getInt", "getDouble", "getBoolean", "getString")) {
        assertThat(client.ask(operation + " 2")).startsWith("micros ");
      }
    }
  }

  private Approach approach(Way way) {
    return new Approach(way, HOST, registry, Optional.of(gateway));
  }

  private void runGatling() throws IOException {
    Path directory = Files.createDirectories(built.logs().resolve("gatling" + ++clients));
    Plan plan =
        new Plan(
            approach(Way.WEBSOCKET),
            new Load(
                List.of(new Level(Level.Model.CLOSED, 1)), Duration.ofSeconds(1), Duration.ZERO),
            Duration.ZERO,
            true,
            directory.resolve("outcome.json"));
    ChildJvm jvm =
        ChildJvm.start(
            "gatling",
            JDK,
            -1,
            directory.resolve("gatling.err"),
            GatlingJvm.arguments(plan, hosts, built, directory));
    assertThat(jvm.awaitEnd(directory.resolve("gatling.out"), SOON)).isZero();
  }

  /** As an operator asks for them. */
  private String learnedRules() throws IOException {
    Path output = built.logs().resolve("learned.yaml");
    ChildJvm command =
        ChildJvm.start(
            "learned",
            JDK,
            -1,
            built.logs().resolve("learned.log"),
            List.of("-jar", built.war().toString(), "policy", "learned", "--config", "" + config));
    assertThat(command.awaitEnd(output, SOON)).isZero();
    return Files.readString(output);
  }

  private long learnt() throws IOException, InterruptedException {
    return new ObjectMapper().readTree(get("/admin/learned")).get("notes").size();
  }

  private static long lines(Path file) throws IOException {
    return Files.exists(file) ? Files.readAllLines(file).size() : 0;
  }

  private String get(String path) throws IOException, InterruptedException {
    HttpResponse<String> response =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(gateway + path)).build(),
                HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as(path).isEqualTo(200);
    return response.body();
  }

  private interface Condition {
    boolean isMet() throws Exception;
  }

  private static void awaitThat(Condition condition) throws Exception {
    long end = System.nanoTime() + SOON.toNanos();
    while (!condition.isMet()) {
      assertThat(System.nanoTime() - end).as("patience").isNegative();
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }
}
