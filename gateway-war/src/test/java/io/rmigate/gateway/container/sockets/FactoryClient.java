package io.rmigate.gateway.container.sockets;

import io.rmigate.gateway.testing.StatsBean;
import io.rmigate.sample.Hello;
import java.rmi.registry.LocateRegistry;

/** Calls the stub of {@link FactoryServer}. Arguments: host and port of the registry. */
public final class FactoryClient {
  static final int CALLS = 20;

  private FactoryClient() {}

  /** Prints {@code answered N}, or {@code failed WHY}, and the figures of the mediator agent. */
  public static void main(String[] arguments) throws Exception {
    try {
      Hello hello =
          (Hello)
              LocateRegistry.getRegistry(arguments[0], Integer.parseInt(arguments[1]))
                  .lookup(Hello.NAME);
      int answered = 0;
      for (int i = 0; i < CALLS; i++) {
        answered += hello.hello("Ann").contains("Ann") ? 1 : 0;
      }
      System.out.println("answered " + answered);
      System.out.printf(
          "opaque %s leases %s calls %s%n",
          StatsBean.attribute("OpaqueConnections"),
          StatsBean.attribute("LeaseCallsAnswered"),
          StatsBean.attribute("Calls"));
    } catch (Exception failure) {
      System.out.println("failed " + failure);
    }
    System.out.println("bye");
  }
}
