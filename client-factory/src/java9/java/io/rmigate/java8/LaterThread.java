package io.rmigate.java8;

/** A thread made by the constructor that Java 9 added. */
public final class LaterThread extends Thread {
  public LaterThread(
      ThreadGroup group, Runnable task, String name, long stackSize, boolean inheritThreadLocals) {
    super(group, task, name, stackSize, inheritThreadLocals);
  }
}
