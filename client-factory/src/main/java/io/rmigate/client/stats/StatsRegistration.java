package io.rmigate.client.stats;

import java.util.concurrent.locks.ReentrantLock;
import javax.management.JMException;

/**
 * Puts {@link Stats} among the JVM's MBeans and takes it out again, once each, in whichever order
 * the threads come. What fails is logged: figures are no reason for a program to fail. Thread-safe.
 */
public final class StatsRegistration {
  private final Stats stats;
  private final ReentrantLock lock = new ReentrantLock();
  private Runnable unregister = () -> {};
  private boolean begun;
  private boolean over;

  /** Nothing is registered yet. */
  public StatsRegistration(Stats stats) {
    this.stats = stats;
  }

  /** Registers the bean unless that has been done, or {@link #end} has come first. */
  public void register() {
    lock.lock();
    try {
      if (!over && !begun) {
        begun = true;
        unregister = stats.register();
      }
    } catch (JMException | RuntimeException failed) {
      log("the MBean " + Stats.NAME + " could not be registered", failed);
    } catch (LinkageError none) { // a run-time image without the module java.management
      log("there is no MBean " + Stats.NAME + " without the module java.management", none);
    } finally {
      lock.unlock();
    }
  }

  /** Takes the bean out, if it is in. */
  public void end() {
    lock.lock();
    try {
      over = true;
      unregister.run();
      unregister = () -> {};
    } finally {
      lock.unlock();
    }
  }

  private static void log(String text, Throwable why) {
    System.getLogger(StatsRegistration.class.getName()).log(System.Logger.Level.WARNING, text, why);
  }
}
