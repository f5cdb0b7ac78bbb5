package io.rmigate.client.instrument;

import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An application that knows nothing of rmigate; prints what becomes of a call that is tunnelled.
 */
public final class TunnelledProgram {
  private TunnelledProgram() {}

  /** Run by {@link PremainTest} in a JVM of its own. */
  public static void main(String[] arguments) {
    System.out.println("threads: " + threadsOfOurs());
    try {
      System.out.println(
          "answer: " + List.of(LocateRegistry.getRegistry("inside.example", 1099).list()));
    } catch (RemoteException failed) {
      System.out.println("failed: " + failed.getClass().getName() + ": " + failed.getMessage());
    }
    System.exit(0);
  }

  private static String threadsOfOurs() {
    Thread[] all = new Thread[Thread.activeCount() + 16];
    int count = Thread.enumerate(all);
    return Arrays.stream(all, 0, count)
        .map(Thread::getName)
        .filter(name -> name.startsWith("rmigate"))
        .collect(Collectors.joining(","));
  }
}
