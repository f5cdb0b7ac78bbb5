package io.rmigate.perf.papers;

import io.rmigate.perf.harness.Artefacts;
import io.rmigate.perf.harness.Circumstances;
import io.rmigate.perf.harness.Program;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** The driver; started by {@code perf/papers}. */
public final class Papers {
  private Papers() {}

  /** Exit codes: 0 measured, 1 something failed, 2 wrong usage. Missed aims are no failure. */
  public static void main(String[] args) {
    Program.main("papers", args, PapersOptions::parse, Papers::run);
  }

  private static boolean run(PapersOptions options, String shown) throws IOException {
    Map<String, String> circumstances = Circumstances.of(options.tree().commit(), shown);
    circumstances.put("jdk", Circumstances.jdkVersion(options.jdk()));
    circumstances.put("link", options.link().describe());
    circumstances.put("rounds", options.rounds() == 1 ? "one round" : options.rounds() + " rounds");
    if (options.command().equals("bytes")) {
      BytesReport report =
          new BytesReport(circumstances, options.link(), results(options, List.of(Workload.BYTES)));
      System.out.print(report.text());
      options.results().write(report.values(), report::text);
    } else {
      List<Workload> workloads = List.of(Workload.HELLO, Workload.MONADS, Workload.TESTS);
      MonadsReport report =
          new MonadsReport(circumstances, options.link(), results(options, workloads));
      System.out.print(report.text());
      options.results().write(report.values(), report::plot);
    }
    return true;
  }

  private static Results results(PapersOptions options, List<Workload> workloads)
      throws IOException {
    Results results = new Results();
    Artefacts built = Artefacts.of(options.tree().root(), "papers");
    List<Contestant> contestants = new ArrayList<>(List.of(Contestant.values()));
    try (Bench bench = Bench.start(built, options.jdk(), options.link(), options.registryOnly())) {
      for (int round = 1; round <= options.rounds(); round++) {
        for (Workload workload : workloads) {
          for (Contestant contestant : contestants) {
            System.err.printf(
                "round %d of %d: %s, %s%n",
                round, options.rounds(), workload.label(), contestant.label());
            results.add(bench.run(contestant, workload, round * 1_000_000L));
          }
        }
        Collections.rotate(contestants, 1); // rotates who is first
      }
    }
    return results;
  }
}
