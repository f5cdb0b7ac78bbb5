package io.rmigate.perf.gatling;

import io.rmigate.perf.harness.Artefacts;
import io.rmigate.perf.harness.Circumstances;
import io.rmigate.perf.harness.Program;
import io.rmigate.perf.harness.ResultFiles;
import io.rmigate.perf.ways.Way;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The driver; started by {@code perf/gatling}. */
public final class GatlingCommand {
  private GatlingCommand() {}

  /**
   * Exit codes: 0 every way did in every scenario what is expected of it, 1 one did not, is far too
   * slow, or something else failed, 2 wrong usage. A missed aim is no failure.
   */
  public static void main(String[] args) {
    if (List.of(args).contains("--list")) {
      Scenario.all()
          .forEach(
              scenario -> System.out.printf("%-16s %s%n", scenario.name(), scenario.description()));
      return;
    }
    Program.main(
        "gatling",
        args,
        GatlingOptions::parse,
        (options, shown) -> {
          Summary summary = run(options, shown);
          System.out.print(summary.text());
          boolean fast = options.anySpeed() || summary.tooSlow().isEmpty();
          return summary.isAsExpected() && fast;
        });
  }

  /** Runs everything and writes the results. */
  static Summary run(GatlingOptions options, String command) throws IOException {
    Map<String, String> circumstances = Circumstances.of(options.tree().commit(), command);
    circumstances.put("jdk", Circumstances.jdkVersion(options.jdk()));
    Artefacts built = Artefacts.of(options.tree().root(), "gatling");
    Path out = Files.createDirectories(options.out().orElse(built.logs().resolve("results")));
    List<Summary.ScenarioRun> runs = new ArrayList<>();
    try (Site site = Site.start(built, options.jdk())) {
      for (Scenario scenario : options.scenarios()) {
        runs.add(run(scenario, options, built, site, out));
        write(new Summary(circumstances, runs), out); // what there is, should a later one fail
      }
    }
    Summary summary = new Summary(circumstances, runs);
    System.err.println("results in " + out);
    return summary;
  }

  private static Summary.ScenarioRun run(
      Scenario scenario, GatlingOptions options, Artefacts built, Site site, Path out)
      throws IOException {
    List<WayRun> ways = new ArrayList<>();
    try (Boxes boxes = new Boxes(site)) {
      ClientNetwork outside = scenario.layout().lay(boxes);
      for (Way way : options.ways()) {
        if (scenario.passing().contains(way) || scenario.refused().contains(way)) {
          System.err.println(scenario.name() + ": " + way.title());
          Path directory = out.resolve(scenario.name() + "-" + way.label());
          GatlingJvm jvm = new GatlingJvm(built, options.jdk(), directory);
          ways.add(jvm.run(scenario, way, options, site, outside));
        }
      }
    }
    return new Summary.ScenarioRun(
        scenario, scenario.users().levels(options.load().levels()), ways);
  }

  private static void write(Summary summary, Path out) throws IOException {
    Files.writeString(out.resolve("summary.md"), summary.text());
    ResultFiles.writeJson(out.resolve("summary.json"), summary.values());
    for (Summary.ScenarioRun run : summary.runs()) {
      Files.writeString(out.resolve(run.scenario().name() + ".svg"), run.plot().svg());
    }
  }
}
