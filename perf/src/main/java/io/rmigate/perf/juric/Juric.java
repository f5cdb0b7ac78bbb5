package io.rmigate.perf.juric;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.rmigate.perf.harness.Artefacts;
import io.rmigate.perf.harness.Circumstances;
import io.rmigate.perf.harness.JvmGroup;
import io.rmigate.perf.harness.Measurements;
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
    JuricOptions options;
    try {
      options = JuricOptions.parse(args);
    } catch (IllegalArgumentException e) {
      System.err.println("papers juric: " + e.getMessage() + "; see --help");
      System.exit(2);
      return;
    }
    try {
      // The script adds two options of its own, with their values, in front.
      String given = String.join(" ", List.of(args).subList(Math.min(4, args.length), args.length));
      JuricReport report = run(options, "perf/papers " + given);
      System.out.print(report.text());
      if (options.markdown().isPresent()) {
        Files.writeString(options.markdown().get(), report.text());
      }
      if (options.json().isPresent()) {
        new ObjectMapper()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .writeValue(options.json().get().toFile(), report.values());
      }
    } catch (IOException | RuntimeException e) {
      System.err.println("papers juric: " + e);
      e.printStackTrace();
      System.exit(1);
    }
    System.exit(0);
  }

  /** Measures. */
  static JuricReport run(JuricOptions options, String command) throws IOException {
    Map<String, String> circumstances = Circumstances.of(options.commit(), command);
    circumstances.put("jdk", Circumstances.jdkVersion(options.jdk()));
    circumstances.put(
        "runs",
        "%d of %d calls each, after %d warm-ups; %s"
            .formatted(
                options.runs(),
                options.calls(),
                options.warmUps(),
                options.pinned() ? "client on core 0, all else on core 1" : "not pinned"));
    Artefacts built = Artefacts.of(options.root(), "juric");
    Path hosts = Files.write(built.logs().resolve("hosts"), WayUnderTest.hosts());
    List<WayUnderTest> systems = new ArrayList<>();
    try (JvmGroup sharedJvms = new JvmGroup(built.in("shared"), options.jdk(), options.pinned())) {
      Optional<Inside> shared = Optional.empty();
      if (options.shared()) {
        circumstances.put("shared", "a server by all ways, gateways by some");
        shared = Optional.of(new Inside(built.in("shared"), hosts, sharedJvms));
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
          system.measure(operation, options.warmUps());
        }
      }
    }
    Measurements<Way> measurements = new Measurements<>();
    for (int run = 1; run <= options.runs(); run++) {
      System.err.printf("run %d of %d%n", run, options.runs());
      for (Operation operation : Operation.values()) {
        for (WayUnderTest system : systems) {
          if (operation.isPartOf(system.way())) {
            double micros = system.measure(operation, options.calls());
            measurements.add(operation.label(), system.way(), micros);
          }
        }
      }
      Collections.rotate(systems, 1); // nobody is always first
    }
    return measurements;
  }
}
