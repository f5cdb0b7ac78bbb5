package io.rmigate.client.stats;

import io.rmigate.client.jvm.Privileged;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Puts {@link Stats} among the JVM's MBeans and takes it out again, once each, in either order. A
 * failure is logged, because figures must not make a program fail. Thread-safe.
 */
public final class StatsRegistration implements Runnable {
  private final Supplier<Stats> source;
  private final ReentrantLock lock = new ReentrantLock();

  /** Null while the bean is not among the MBeans. */
  private Runnable unregister;

  private boolean begun;
  private boolean over;

  /**
   * Nothing is registered yet.
   *
   * @param source makes the bean when it is registered: until then no class of JMX is needed
   */
  public StatsRegistration(Supplier<Stats> source) {
    this.source = source;
  }

  /** Registers the bean unless that has been done, or {@link #end} has come first. */
  @Override
  public void run() {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    lock.lock();
    try {
      if (!over && !begun) {
        begun = true;
        // The MBean server may be made here. The JDK looks for the builder that the property
        // javax.management.builder.initial names in this loader, and the timer's thread has none.
        Privileged.run(() -> thread.setContextClassLoader(ClassLoader.getSystemClassLoader()));
        unregister = source.get().register();
      }
    } catch (RuntimeException failed) {
      log("the MBean " + Stats.NAME + " could not be registered", failed);
    } catch (LinkageError none) { // a run-time image without the module java.management
      log("there is no MBean " + Stats.NAME + " without the module java.management", none);
    } finally {
      Privileged.run(() -> thread.setContextClassLoader(before));
      lock.unlock();
    }
  }

  /** Takes the bean out, if it is in. */
  public void end() {
    lock.lock();
    try {
      over = true;
      if (unregister != null) {
        unregister.run();
        unregister = null;
      }
    } finally {
      lock.unlock();
    }
  }

  private static void log(String text, Throwable why) {
    System.getLogger(StatsRegistration.class.getName()).log(System.Logger.Level.WARNING, text, why);
  }
}
