package io.rmigate.java8;

import java.lang.reflect.Field;

/** A thread made by the constructor that Java 9 added. */
public final class LaterThread extends Thread {
  public LaterThread(
      ThreadGroup group, Runnable task, String name, long stackSize, boolean inheritThreadLocals) {
    super(group, task, name, stackSize);
    if (!inheritThreadLocals) {
      try {
        Field inherited = Thread.class.getDeclaredField("inheritableThreadLocals");
        inherited.setAccessible(true);
        inherited.set(this, null);
      } catch (ReflectiveOperationException e) {
        // A JVM that keeps them elsewhere: the thread has them, and nothing uses them.
      }
    }
  }
}
