package io.rmigate.perf.gatling;

import io.gatling.core.action.Action;
import io.gatling.core.structure.ScenarioContext;
import io.gatling.javaapi.core.ActionBuilder;
import java.util.concurrent.Executor;

/** Makes {@link RemoteCall}s part of a scenario of Gatling's. */
final class RemoteCalls {
  private final Executor callers;
  private final Tally tally;

  RemoteCalls(Executor callers, Tally tally) {
    this.callers = callers;
    this.tally = tally;
  }

  /** For {@code exec}. */
  ActionBuilder call(String name, RemoteCall call) {
    return () ->
        new io.gatling.core.action.builder.ActionBuilder() {
          @Override
          public Action build(ScenarioContext context, Action next) {
            return new RemoteCallAction(
                name,
                call,
                callers,
                tally,
                context.coreComponents().statsEngine(),
                context.coreComponents().clock(),
                next);
          }
        };
  }
}
