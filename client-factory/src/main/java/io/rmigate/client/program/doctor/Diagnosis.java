package io.rmigate.client.program.doctor;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What was seen, what it means, and what to do.
 *
 * @param exitCode as {@link DoctorOptions#HELP} explains
 */
record Diagnosis(
    Observations facts,
    List<Finding> findings,
    DecisionTable table,
    Recommendation prescription,
    int exitCode) {
  static final int FINE = 0;
  static final int WITH_WARNINGS = 1;
  static final int NO_WAY = 2;

  Diagnosis {
    findings = List.copyOf(findings);
  }

  static Diagnosis of(Observations facts, Clock clock) {
    List<Finding> findings = new ArrayList<>(WayFindings.of(facts));
    findings.addAll(LinkFindings.of(facts, clock));
    findings.addAll(StubFindings.of(facts));
    findings.sort(Comparator.comparing(Finding::level).reversed()); // the worst first
    return new Diagnosis(
        facts,
        findings,
        DecisionTable.of(facts),
        Recommendation.of(facts),
        exitCode(facts, findings));
  }

  private static int exitCode(Observations facts, List<Finding> findings) {
    if (facts.leading().isEmpty()) {
      return NO_WAY;
    }
    boolean clean =
        findings.stream().noneMatch(f -> f.level() == Level.WARNING || f.level() == Level.PROBLEM);
    return facts.configured().isPresent() && clean ? FINE : WITH_WARNINGS;
  }
}
