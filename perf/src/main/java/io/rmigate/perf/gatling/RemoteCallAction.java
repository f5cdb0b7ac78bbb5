package io.rmigate.perf.gatling;

import com.typesafe.scalalogging.Logger;
import io.gatling.commons.stats.KO$;
import io.gatling.commons.stats.OK$;
import io.gatling.commons.stats.Status;
import io.gatling.commons.util.Clock;
import io.gatling.core.action.Action;
import io.gatling.core.session.Session;
import io.gatling.core.stats.StatsEngine;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.LoggerFactory;
import scala.Option;

/**
 * Gatling's action for a {@link RemoteCall}: leaves the event loop, makes the call, tells Gatling's
 * statistics (milliseconds) and ours (nanoseconds) when it began and ended and how, and goes on
 * with the user's next action.
 */
final class RemoteCallAction implements Action {
  private final String name;
  private final RemoteCall call;
  private final Executor callers;
  private final Tally tally;
  private final StatsEngine stats;
  private final Clock clock;
  private final Action next;
  private Logger logger = Logger.apply(LoggerFactory.getLogger(RemoteCallAction.class));

  /**
   * @param name of the request, in reports
   */
  RemoteCallAction(
      String name,
      RemoteCall call,
      Executor callers,
      Tally tally,
      StatsEngine stats,
      Clock clock,
      Action next) {
    this.name = name;
    this.call = call;
    this.callers = callers;
    this.tally = tally;
    this.stats = stats;
    this.clock = clock;
    this.next = next;
  }

  @Override
  public String name() {
    return name;
  }

  /** On the user's event loop: hands over. */
  @Override
  public void execute(Session session) {
    try {
      callers.execute(() -> make(session));
    } catch (RejectedExecutionException tooMany) {
      long now = System.nanoTime();
      end(session, clock.nowMillis(), now, now, tooMany);
    }
  }

  /** On a thread that may block. */
  private void make(Session session) {
    long beganMillis = clock.nowMillis();
    long began = System.nanoTime();
    Session after;
    try {
      after = call.make(session);
    } catch (Exception | LinkageError failure) {
      end(session, beganMillis, began, System.nanoTime(), failure);
      return;
    }
    long ended = System.nanoTime();
    tally.succeeded(session.groups().mkString("/"), name, began, ended);
    proceed(after, beganMillis, OK$.MODULE$, Option.empty());
  }

  private void end(Session session, long beganMillis, long began, long ended, Throwable failure) {
    tally.failed(session.groups().mkString("/"), name, began, ended, failure);
    proceed(session.markAsFailed(), beganMillis, KO$.MODULE$, Option.apply(failure.toString()));
  }

  private void proceed(Session session, long beganMillis, Status status, Option<String> message) {
    long endedMillis = clock.nowMillis();
    stats.logResponse(
        session.scenario(),
        session.groups(),
        name,
        beganMillis,
        endedMillis,
        status,
        Option.empty(),
        message);
    next.$bang(session.logGroupRequestTimings(beganMillis, endedMillis));
  }

  @Override
  public Logger logger() {
    return logger;
  }

  /** The setter that Scala makes for a value in a trait. */
  @Override
  public void com$typesafe$scalalogging$StrictLogging$_setter_$logger_$eq(Logger value) {
    logger = value;
  }
}
