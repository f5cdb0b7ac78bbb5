package io.rmigate.gateway.container;

import io.rmigate.sample.Everything;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;

/**
 * A client JVM with calls in flight: makes some, says {@code calling N}, and says {@code failed
 * CLASS} for each that ends badly. Lives until its input says {@code exit}; {@code again} makes one
 * call and says how it went; {@code threads} counts what is left of the tunnel.
 */
public final class LongCaller {
  private static final int CALLS = 8;

  /** Arguments: host, registry port. */
  public static void main(String[] arguments) throws Exception {
    String host = arguments[0];
    int port = Integer.parseInt(arguments[1]);
    Everything everything =
        (Everything) LocateRegistry.getRegistry(host, port).lookup("Everything");
    for (int number = 1; number <= CALLS; number++) {
      String id = "slow-" + number;
      Thread caller = new Thread(() -> callSlowly(everything, id));
      caller.setDaemon(true);
      caller.start();
      while (everything.executions(id) == 0) {
        Thread.onSpinWait(); // until the server has begun with it
      }
    }
    System.out.println("calling " + CALLS);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null && !line.equals("exit"); line = in.readLine()) {
      if (line.equals("again")) {
        System.out.println("again " + callOnce(host, port));
      } else if (line.equals("threads")) {
        System.out.println("threads " + tunnelThreads());
      }
    }
    System.out.println("bye");
  }

  private static void callSlowly(Everything everything, String id) {
    try {
      everything.executeSlowly(id, 600_000);
      System.out.println("answered");
    } catch (RemoteException expected) {
      System.out.println("failed " + expected.getClass().getName());
    }
  }

  private static String callOnce(String host, int port) {
    try {
      ((Everything) LocateRegistry.getRegistry(host, port).lookup("Everything")).echoInt(1);
      return "answered";
    } catch (Exception failure) {
      return "failed " + failure.getClass().getName();
    }
  }

  /** The timer stays with the JVM's mediator agent; what belongs to a link must go with it. */
  private static long tunnelThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("rmigate-") && !name.equals("rmigate-timer"))
        .count();
  }

  private LongCaller() {}
}
