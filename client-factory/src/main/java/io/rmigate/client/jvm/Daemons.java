package io.rmigate.client.jvm;

import java.util.function.Consumer;

/**
 * Makes the agent's threads: daemons that keep nothing of the application's thread that happens to
 * need one, neither its context class loader nor its inheritable thread locals nor its permissions.
 *
 * <p>The start of a thread may fail at any time and succeed later. Callers undo what they have
 * noted of a thread that does not run.
 */
public final class Daemons {
  /** How threads are started; replaced by tests. */
  private static volatile Consumer<Thread> starter = Thread::start;

  private Daemons() {}

  /**
   * Starts a daemon.
   *
   * @throws NoThreadException the task will not be run
   */
  public static Thread start(String name, Runnable task) throws NoThreadException {
    try {
      Thread thread = unstarted(name, task);
      starter.accept(thread);
      return thread;
    } catch (RuntimeException | Error noThread) {
      throw new NoThreadException(name, noThread);
    }
  }

  /**
   * Starts a thread that {@link #unstarted} has made.
   *
   * @throws NoThreadException it will not run
   */
  public static void start(Thread thread) throws NoThreadException {
    try {
      starter.accept(thread);
    } catch (RuntimeException | Error noThread) {
      throw new NoThreadException(thread.getName(), noThread);
    }
  }

  /** A daemon that is started later. */
  public static Thread unstarted(String name, Runnable task) {
    Thread[] made = new Thread[1];
    Privileged.run(
        () -> {
          Thread thread = new Thread(null, task, name, 0, false);
          thread.setDaemon(true);
          thread.setContextClassLoader(null);
          made[0] = thread;
        });
    return made[0];
  }

  /** From here on {@code other} starts the threads. */
  static void startBy(Consumer<Thread> other) {
    starter = other;
  }
}
