package io.rmigate.gateway.container.traces;

import io.rmigate.testing.LoopbackPort;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.concurrent.CountDownLatch;

/** Serves {@link Orders}. Says {@code orders at} and the port of its registry. */
final class OrdersServer implements Orders {
  private OrdersServer() {}

  public static void main(String[] args) throws Exception {
    OrdersServer orders = new OrdersServer();
    int port = LoopbackPort.free();
    Registry registry = LocateRegistry.createRegistry(port);
    registry.bind("orders", UnicastRemoteObject.exportObject(orders, 0));
    System.out.println("orders at " + port);
    new CountDownLatch(1).await();
  }

  @Override
  public String place(String what) {
    return "placed " + what;
  }
}
