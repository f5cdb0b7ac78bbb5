package io.rmigate.perf.gatling;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rmigate.perf.harness.Artefacts;
import io.rmigate.perf.harness.ChildJvm;
import io.rmigate.perf.ways.Approach;
import io.rmigate.perf.ways.Way;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A JVM in which Gatling runs one way of a scenario. */
final class GatlingJvm {
  /** Gatling's exit code when assertions do not hold. */
  private static final int ASSERTIONS_FAILED = 2;

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration LONGEST = Duration.ofMinutes(30);

  private final Artefacts built;
  private final Path jdk;
  private final Path directory;

  /**
   * @param directory for what it leaves, which it must not share
   */
  GatlingJvm(Artefacts built, Path jdk, Path directory) {
    this.built = built;
    this.jdk = jdk;
    this.directory = directory;
  }

  WayRun run(Scenario scenario, Way way, GatlingOptions options, Site site, ClientNetwork outside)
      throws IOException {
    Files.createDirectories(directory);
    Load load = options.load();
    boolean passes = scenario.passing().contains(way);
    Plan plan =
        new Plan(
            approach(way, site, outside),
            passes
                ? new Load(scenario.users().levels(load.levels()), load.duration(), load.warmUp())
                : new Load(
                    List.of(new Level(Level.Model.CLOSED, 1)), load.duration(), Duration.ZERO),
            scenario.users().pause(),
            passes,
            directory.resolve("outcome.json").toAbsolutePath());
    ChildJvm jvm =
        ChildJvm.start(
            "gatling",
            jdk,
            -1,
            directory.resolve("gatling.err"),
            arguments(plan, hosts(outside), built, directory));
    int code = jvm.awaitEnd(directory.resolve("gatling.out"), LONGEST);
    if (code != 0 && code != ASSERTIONS_FAILED) {
      throw new IOException("Gatling has ended with " + code + "; see " + directory);
    }
    return new WayRun(way, passes, code == 0, report(), outcomes(plan.outcome()));
  }

  private Path hosts(ClientNetwork outside) throws IOException {
    return Files.write(
        directory.resolve("hosts"),
        List.of(
            "127.0.0.1 localhost",
            outside.serverAddress() + " " + Site.SERVER,
            outside.gatewayAddress() + " " + Site.GATEWAY));
  }

  private Approach approach(Way way, Site site, ClientNetwork outside) throws IOException {
    Optional<String> passwordFile = Optional.empty();
    if (outside.password().isPresent() && outside.proxy(way).isPresent()) {
      Path file = directory.resolve("proxy.password").toAbsolutePath();
      Files.writeString(file, outside.password().get() + "\n");
      passwordFile = Optional.of(file.toString());
    }
    URI gateway =
        URI.create("http://" + Site.GATEWAY + ":" + outside.gatewayPort() + site.gatewayPath());
    return new Approach(
        way,
        Site.SERVER,
        site.registry(),
        Optional.of(gateway),
        outside.proxy(way),
        passwordFile,
        way == Way.DIRECT ? Optional.of(CONNECT_TIMEOUT) : Optional.empty());
  }

  /** Arguments of a JVM that runs the plan, and leaves its report in {@code directory}. */
  static List<String> arguments(Plan plan, Path hosts, Artefacts built, Path directory) {
    return List.of(
        "-Xmx512m",
        "--add-opens=java.base/java.lang=ALL-UNNAMED", // as Gatling's own launchers do
        "-Djdk.net.hosts.file=" + hosts,
        "-Dgatling.data.enableAnalytics=false",
        "-Dgatling.netty.useNativeTransport=false",
        "-Djava.util.prefs.PreferencesFactory=" + QuietPreferences.Factory.class.getName(),
        "-D" + Plan.PROPERTY + "=" + plan.text(),
        "-cp",
        built.classPath(),
        "io.gatling.app.Gatling",
        "--simulation",
        TesterSimulation.class.getName(),
        "--results-folder",
        directory.toAbsolutePath().toString());
  }

  private String report() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> Files.exists(file.resolve("index.html")))
          .max(Path::compareTo)
          .map(file -> directory.getFileName() + "/" + file.getFileName() + "/index.html")
          .orElseThrow(() -> new IOException("Gatling has left no report in " + directory));
    }
  }

  private static List<Outcome> outcomes(Path file) throws IOException {
    return new ObjectMapper().readValue(file.toFile(), new TypeReference<List<Outcome>>() {});
  }
}
