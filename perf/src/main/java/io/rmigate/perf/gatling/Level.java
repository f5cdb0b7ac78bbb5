package io.rmigate.perf.gatling;

import io.gatling.javaapi.core.CoreDsl;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.ScenarioBuilder;
import java.time.Duration;
import java.util.Locale;

/**
 * One load: of so many users at a time, or of so many that come each second.
 *
 * @param users at a time, or each second
 */
public record Level(Model model, double users) {
  /** How users come. */
  public enum Model {
    /** Whenever one has done all its calls, the next one begins: the slower, the fewer calls. */
    CLOSED,
    /** They come whether those before them have done or not. */
    OPEN;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The name of Gatling's group, {@code closed-16} for example. */
  String label() {
    return model.label() + "-" + (users == Math.rint(users) ? "" + (long) users : "" + users);
  }

  /** Takes back what {@link #label} has made. */
  static Level parse(String label) {
    int dash = label.indexOf('-');
    if (dash < 0) {
      throw new IllegalArgumentException("expected closed-N or open-N, got " + label);
    }
    return new Level(
        Model.valueOf(label.substring(0, dash).toUpperCase(Locale.ROOT)),
        Double.parseDouble(label.substring(dash + 1)));
  }

  /** Users of it for so long. */
  PopulationBuilder inject(ScenarioBuilder scenario, Duration duration) {
    return model == Model.CLOSED
        ? scenario.injectClosed(CoreDsl.constantConcurrentUsers((int) users).during(duration))
        : scenario.injectOpen(CoreDsl.constantUsersPerSec(users).during(duration));
  }
}
