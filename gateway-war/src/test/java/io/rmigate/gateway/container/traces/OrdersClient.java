package io.rmigate.gateway.container.traces;

import java.rmi.registry.LocateRegistry;

/**
 * Places orders; ends with {@code bye}.
 *
 * <pre>
 * OrdersClient HOST PORT COUNT
 * </pre>
 */
final class OrdersClient {
  private OrdersClient() {}

  public static void main(String[] args) throws Exception {
    Orders orders =
        (Orders) LocateRegistry.getRegistry(args[0], Integer.parseInt(args[1])).lookup("orders");
    for (int i = 0; i < Integer.parseInt(args[2]); i++) {
      System.out.println(orders.place("order " + i));
    }
    System.out.println("bye");
    System.exit(0); // has the agent send its spans
  }
}
