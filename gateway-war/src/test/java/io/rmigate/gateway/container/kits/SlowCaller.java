package io.rmigate.gateway.container.kits;

import io.rmigate.sample.Everything;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;

/**
 * A client with one call in flight. Says {@code begun} once the server has it, and then {@code
 * answered} or {@code failed CLASS}. Arguments: host, registry port, how long the server takes, in
 * milliseconds.
 */
public final class SlowCaller {
  private static final String CALL = "slow";

  private SlowCaller() {}

  /** See above. */
  public static void main(String[] arguments) throws Exception {
    Everything everything =
        (Everything)
            LocateRegistry.getRegistry(arguments[0], Integer.parseInt(arguments[1]))
                .lookup(Everything.NAME);
    int before = everything.executions(CALL);
    Thread caller = new Thread(() -> call(everything, Long.parseLong(arguments[2])));
    caller.start();
    while (everything.executions(CALL) == before) {
      Thread.onSpinWait(); // until the server has begun with it
    }
    System.out.println("begun");
    caller.join();
    System.exit(0);
  }

  private static void call(Everything everything, long millis) {
    try {
      everything.executeSlowly(CALL, millis);
      System.out.println("answered");
    } catch (RemoteException failure) {
      System.out.println("failed " + failure.getClass().getName());
    }
  }
}
