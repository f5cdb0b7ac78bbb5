package io.rmigate.client.mediator;

/**
 * A task of the {@link AgentTimer} that runs at intervals. It never throws, because the timer does
 * not run a task again that has thrown anything.
 */
abstract class IntervalTask implements Runnable {
  /** Runs once. Must not block. */
  abstract void runOnce();

  @Override
  public final void run() {
    try {
      runOnce();
    } catch (RuntimeException | Error unexpected) {
      System.getLogger(MediatorAgent.class.getName())
          .log(System.Logger.Level.WARNING, "a task of the timer has failed", unexpected);
    }
  }
}
