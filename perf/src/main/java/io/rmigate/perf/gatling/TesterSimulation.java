package io.rmigate.perf.gatling;

import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.exitHereIfFailed;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.group;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.gatling.core.session.Session;
import io.gatling.javaapi.core.Assertion;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.Simulation;
import io.rmigate.perf.ways.Access;
import io.rmigate.sample.PerformanceTester;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;

/**
 * Users of the {@link PerformanceTester} who come one way: each looks it up, and calls its eight
 * getters once. Levels follow one another. Gatling makes it, with the {@link Plan} in the system
 * properties.
 */
public final class TesterSimulation extends Simulation {
  static final String LOOKUP = "lookup";
  static final String GETTER = "getter";
  private static final String WARM_UP = "warm-up";
  private static final String TESTER = "tester";

  /** Longest time until a user without a connection is refused; less than the kernel's timeout. */
  private static final Duration LONGEST_REFUSAL = Duration.ofSeconds(20);

  private static final Duration SPARE = Duration.ofMinutes(5);

  private final Plan plan = Plan.parse(System.getProperty(Plan.PROPERTY));
  private final ExecutorService callers = Callers.start();
  private final Tally tally = new Tally();
  private final RemoteCalls calls = new RemoteCalls(callers, tally);

  /** Sets this JVM up for its way, and Gatling for the levels. */
  public TesterSimulation() throws Exception {
    Access access = Access.by(plan.approach());
    PopulationBuilder populations = null;
    for (int i = plan.load().levels().size() - 1; i >= 0; i--) { // each knows what comes after it
      Level level = plan.load().levels().get(i);
      PopulationBuilder population =
          level.inject(
              scenario(level.label()).exec(user(level.label(), access)), plan.load().duration());
      populations = populations == null ? population : population.andThen(populations);
    }
    if (!plan.load().warmUp().isZero()) {
      Level level = new Level(Level.Model.CLOSED, 4);
      populations =
          level
              .inject(scenario(WARM_UP).exec(user(WARM_UP, access)), plan.load().warmUp())
              .andThen(populations);
    }
    setUp(populations)
        .assertions(assertions())
        .maxDuration(
            plan.load()
                .duration()
                .multipliedBy(plan.load().levels().size())
                .plus(plan.load().warmUp())
                .plus(SPARE));
  }

  private ChainBuilder user(String level, Access access) {
    ChainBuilder getters = exec(calls.call(GETTER, getter(0)));
    for (int i = 1; i < 8; i++) {
      getters = getters.exec(calls.call(GETTER, getter(i)));
    }
    return group(level)
        .on(
            exec(calls.call(LOOKUP, session -> session.set(TESTER, access.open())))
                .exec(exitHereIfFailed())
                .exec(pause(level.equals(WARM_UP) ? Duration.ZERO : plan.pause()))
                .exec(getters));
  }

  private static RemoteCall getter(int which) {
    return session -> {
      get(tester(session), which);
      return session;
    };
  }

  private static PerformanceTester tester(Session session) {
    return (PerformanceTester) session.attributes().apply(TESTER);
  }

  private static Object get(PerformanceTester tester, int which) throws Exception {
    return switch (which) {
      case 0 -> tester.getInt();
      case 1 -> tester.getShort();
      case 2 -> tester.getLong();
      case 3 -> tester.getFloat();
      case 4 -> tester.getDouble();
      case 5 -> tester.getBoolean();
      case 6 -> tester.getByte();
      default -> tester.getString();
    };
  }

  private List<Assertion> assertions() {
    List<Assertion> assertions = new ArrayList<>();
    if (plan.passes()) {
      assertions.add(global().failedRequests().count().is(0L));
      for (Level level : plan.load().levels()) {
        assertions.add(details(level.label(), GETTER).successfulRequests().percent().is(100.0));
      }
    } else {
      assertions.add(global().failedRequests().percent().is(100.0));
      assertions.add(global().responseTime().max().lte((int) LONGEST_REFUSAL.toMillis()));
    }
    return assertions;
  }

  /** Writes what was measured. */
  @Override
  public void after() {
    callers.shutdownNow();
    try {
      new ObjectMapper()
          .writeValue(plan.outcome().toFile(), tally.outcomes(plan.load().duration()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
