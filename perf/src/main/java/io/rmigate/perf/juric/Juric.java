package io.rmigate.perf.juric;

import io.rmigate.perf.harness.Artefacts;
import io.rmigate.perf.harness.Circumstances;
import io.rmigate.perf.harness.JvmGroup;
import io.rmigate.perf.harness.Measurements;
import io.rmigate.perf.harness.Program;
import io.rmigate.perf.ways.Way;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The driver; started by {@code perf/papers juric}. */
public final class Juric {
  private Juric() {}

  /** Exit codes: 0 measured, 1 something failed, 2 wrong usage. Missed aims are no failure. */
  public static void main(String[] args) {
    Program.main(
        "papers",
        args,
        JuricOptions::parse,
        (options, shown) -> {
          JuricReport report = run(options, shown);
          System.out.print(report.text());
          options.results().write(report.values(), report::text);
          return true;
        });
  }

  /** Measures. */
  static JuricReport run(JuricOptions options, String command) throws IOException {
    Map<String, String> circumstances = Circumstances.of(options.tree().commit(), command);
    circumstances.put("jdk", Circumstances.jdkVersion(options.jdk()));
    circumstances.put(
        "runs",
        "%d of %d calls each, after %d warm-ups; %s"
            .formatted(
                options.amount().runs(),
                options.amount().calls(),
                options.amount().warmUps(),
                options.pinned() ? "client on core 0, all else on core 1" : "not pinned"));
    Artefacts built = Artefacts.of(options.tree().root(), "juric");
    Path hosts = Files.write(built.logs().resolve("hosts"), WayUnderTest.hosts());
    List<WayUnderTest> systems = new ArrayList<>();
    try (JvmGroup sharedJvms = new JvmGroup(built.in("shared"), options.jdk(), options.pinned())) {
      Optional<InnerServers> shared = Optional.empty();
      if (options.shared()) {
        circumstances.put("shared", "a server by all ways, gateways by some");
        shared = Optional.of(new InnerServers(built.in("shared"), hosts, sharedJvms));
      }
      List<Way> started = new ArrayList<>();
      for (Way way : options.ways()) {
        System.err.println("starting " + way.title());
        try {
          systems.add(
              WayUnderTest.start(way, built, options.jdk(), hosts, options.pinned(), shared));
          started.add(way);
        } catch (IOException e) {
          if (way == Way.DIRECT) {
            throw e; // there would be nothing to compare with
          }
          System.err.println("left out: " + way.title() + ": " + e.getMessage());
          circumstances.put("left out: " + way.title(), e.getMessage());
        }
      }
      return new JuricReport(circumstances, started, measure(options, systems));
    } finally {
      systems.forEach(WayUnderTest::close);
    }
  }

  private static Measurements<Way> measure(JuricOptions options, List<WayUnderTest> systems)
      throws IOException {
    for (WayUnderTest system : systems) {
      System.err.println("warming up " + system.way().title());
      for (Operation operation : Operation.values()) {
        if (operation.isPartOf(system.way())) {
          system.measure(operation, options.amount().warmUps());
        }
      }
    }
    Measurements<Way> measurements = new Measurements<>();
    for (int run = 1; run <= options.amount().runs(); run++) {
      System.err.printf("run %d of %d%n", run, options.amount().runs());
      for (Operation operation : Operation.values()) {
        for (WayUnderTest system : systems) {
          if (operation.isPartOf(system.way())) {
            double micros = system.measure(operation, options.amount().calls());
            measurements.add(operation.label(), system.way(), micros);
          }
        }
      }
      Collections.rotate(systems, 1); // rotates who is first
    }
    return measurements;
  }
}
