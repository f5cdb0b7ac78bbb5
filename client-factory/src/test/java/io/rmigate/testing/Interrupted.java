package io.rmigate.testing;

import static io.rmigate.testing.Patience.await;

/** What becomes of threads that are interrupted and wait all the same. */
public final class Interrupted {
  private Interrupted() {}

  /**
   * Interrupts this thread.
   *
   * @param onceItWaits run by another one when a wait has taken notice of that
   */
  public static void thisThread(Runnable onceItWaits) {
    Thread interrupted = Thread.currentThread();
    interrupted.interrupt();
    Thread watching =
        new Thread(
            () -> {
              await().until(() -> !interrupted.isInterrupted());
              onceItWaits.run();
            },
            "watches-interrupted");
    watching.setDaemon(true);
    watching.start();
  }
}
