package io.rmigate.perf.gatling;

import io.gatling.javaapi.core.CoreDsl;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.ScenarioBuilder;
import java.time.Duration;
import java.util.Locale;

/**
 * One load: a number of users at a time, or of users that begin each second.
 *
 * @param users at a time, or each second
 */
public record Level(Model model, double users) {
  /** The rule by which users begin. */
  public enum Model {
    /** A user begins when another one has ended: slow calls mean fewer calls. */
    CLOSED,
    /** Users begin at a fixed rate, independent of others. */
    OPEN;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The name of Gatling's group, {@code closed-16} for example. */
  String label() {
    return model.label() + "-" + (users == Math.rint(users) ? "" + (long) users : "" + users);
  }

  /** Parses the result of {@link #label}. */
  static Level parse(String label) {
    int dash = label.indexOf('-');
    if (dash < 0) {
      throw new IllegalArgumentException("expected closed-N or open-N, got " + label);
    }
    return new Level(
        Model.valueOf(label.substring(0, dash).toUpperCase(Locale.ROOT)),
        Double.parseDouble(label.substring(dash + 1)));
  }

  /** Gatling's population of this level for a duration. */
  PopulationBuilder inject(ScenarioBuilder scenario, Duration duration) {
    return model == Model.CLOSED
        ? scenario.injectClosed(CoreDsl.constantConcurrentUsers((int) users).during(duration))
        : scenario.injectOpen(CoreDsl.constantUsersPerSec(users).during(duration));
  }
}
