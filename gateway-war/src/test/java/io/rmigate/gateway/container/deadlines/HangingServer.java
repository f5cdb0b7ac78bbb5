package io.rmigate.gateway.container.deadlines;

import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Prints {@code hanging ready <registry port>}. Ends with its input. */
public final class HangingServer implements Hanging {
  private final AtomicInteger hung = new AtomicInteger();
  private final CountDownLatch never = new CountDownLatch(1);

  private HangingServer() {}

  @Override
  public void hang() {
    hung.incrementAndGet();
    try {
      never.await();
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public int hung() {
    return hung.get();
  }

  /** Runs until its input ends. */
  public static void main(String[] args) throws Exception {
    HangingServer server = new HangingServer();
    Registry registry = LocateRegistry.createRegistry(0);
    registry.bind(Hanging.NAME, UnicastRemoteObject.exportObject(server, 0));
    int port = Integer.parseInt(registry.toString().replaceAll("(?s).*:(\\d+)\\].*", "$1"));
    System.out.println("hanging ready " + port);
    while (System.in.read() >= 0) {
      // nothing is asked
    }
  }
}
