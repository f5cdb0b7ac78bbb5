package io.rmigate.perf.gatling;

import io.rmigate.perf.ways.Way;
import java.util.List;
import java.util.Optional;

/**
 * What came of one way in one scenario.
 *
 * @param expectedToPass else every call was to fail
 * @param asExpected whether all of Gatling's assertions held
 * @param report Gatling's, beneath the directory of results
 */
record WayRun(
    Way way, boolean expectedToPass, boolean asExpected, String report, List<Outcome> outcomes) {

  /** The outcome of a kind of request at a level. */
  Optional<Outcome> outcome(String level, String request) {
    return outcomes.stream()
        .filter(outcome -> outcome.level().equals(level) && outcome.request().equals(request))
        .findFirst();
  }
}
