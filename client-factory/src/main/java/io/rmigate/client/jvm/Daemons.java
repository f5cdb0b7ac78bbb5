package io.rmigate.client.jvm;

import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/**
 * Makes the agent's threads: daemons that keep nothing of the application's thread that happens to
 * need one, neither its context class loader nor its inheritable thread locals nor its permissions.
 *
 * <p>The start of a thread may fail at any time and succeed later. Callers undo what they have
 * noted of a thread that does not run.
 */
public final class Daemons {
  /** How threads are started; null except in tests. */
  private static volatile Consumer<Thread> starter;

  private Daemons() {}

  /**
   * Starts a daemon.
   *
   * @throws NoThreadException the task will not be run
   */
  public static Thread start(String name, Runnable task) throws NoThreadException {
    try {
      Thread thread = unstarted(name, task);
      begin(thread);
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
      begin(thread);
    } catch (RuntimeException | Error noThread) {
      throw new NoThreadException(thread.getName(), noThread);
    }
  }

  /** A daemon that is started later. */
  public static Thread unstarted(String name, Runnable task) {
    if (!Privileged.isNeeded()) {
      return daemon(name, task);
    }
    Thread[] made = new Thread[1];
    Privileged.run(() -> made[0] = daemon(name, task));
    return made[0];
  }

  private static Thread daemon(String name, Runnable task) {
    Thread thread = new Thread(null, task, name, 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    return thread;
  }

  private static void begin(Thread thread) {
    Consumer<Thread> other = starter;
    if (other == null) {
      thread.start();
    } else {
      other.accept(thread);
    }
  }

  /** Makes daemons of one name, for executors. */
  public static ThreadFactory named(String name) {
    return new ThreadFactory() {
      @Override
      public Thread newThread(Runnable task) {
        return unstarted(name, task);
      }
    };
  }

  /** From here on {@code other} starts the threads. */
  static void startBy(Consumer<Thread> other) {
    starter = other;
  }
}
