package io.rmigate.perf.papers;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.rmigate.perf.harness.Artefacts;
import io.rmigate.perf.harness.Circumstances;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** The driver; started by {@code perf/papers}. */
public final class Papers {
  private Papers() {}

  /** Exit codes: 0 measured, 1 something failed, 2 wrong usage. Missed aims are no failure. */
  public static void main(String[] args) {
    PapersOptions options;
    try {
      options = PapersOptions.parse(args);
    } catch (IllegalArgumentException e) {
      System.err.println("papers: " + e.getMessage() + "; see --help");
      System.exit(2);
      return;
    }
    try {
      // The script adds two options of its own, with their values, in front.
      String given = String.join(" ", List.of(args).subList(Math.min(4, args.length), args.length));
      run(options, Circumstances.of(options.commit(), "perf/papers " + given));
    } catch (IOException | RuntimeException e) {
      System.err.println("papers: " + e);
      e.printStackTrace();
      System.exit(1);
    }
    System.exit(0);
  }

  private static void run(PapersOptions options, Map<String, String> circumstances)
      throws IOException {
    circumstances.put("jdk", Circumstances.jdkVersion(options.jdk()));
    circumstances.put("link", options.link().describe());
    circumstances.put("rounds", options.rounds() == 1 ? "one round" : options.rounds() + " rounds");
    if (options.command().equals("bytes")) {
      BytesReport report =
          new BytesReport(circumstances, options.link(), results(options, List.of(Workload.BYTES)));
      System.out.print(report.text());
      write(options, report.values());
    } else {
      List<Workload> workloads = List.of(Workload.HELLO, Workload.MONADS, Workload.TESTS);
      MonadsReport report =
          new MonadsReport(circumstances, options.link(), results(options, workloads));
      System.out.print(report.text());
      write(options, report.values());
      if (options.plot().isPresent()) {
        Files.writeString(options.plot().get(), report.plot());
      }
    }
  }

  private static Results results(PapersOptions options, List<Workload> workloads)
      throws IOException {
    Results results = new Results();
    Artefacts built = Artefacts.of(options.root(), "papers");
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
        Collections.rotate(contestants, 1); // nobody is always first
      }
    }
    return results;
  }

  private static void write(PapersOptions options, Map<String, Object> values) throws IOException {
    if (options.json().isPresent()) {
      new ObjectMapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .writeValue(options.json().get().toFile(), values);
    }
  }
}
