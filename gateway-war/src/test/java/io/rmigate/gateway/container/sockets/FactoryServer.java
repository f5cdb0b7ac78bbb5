package io.rmigate.gateway.container.sockets;

import io.rmigate.sample.Hello;
import io.rmigate.testing.LoopbackPort;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.concurrent.CountDownLatch;

/** A server whose stubs bring {@link PlainSockets}. Prints {@code server ready PORT}. */
public final class FactoryServer {
  private FactoryServer() {}

  /** Runs until it is killed. */
  public static void main(String[] arguments) throws Exception {
    PlainSockets factory = new PlainSockets();
    Hello greeter = name -> "Hello, " + name;
    int port = LoopbackPort.free();
    Registry registry = LocateRegistry.createRegistry(port);
    registry.bind(Hello.NAME, UnicastRemoteObject.exportObject(greeter, 0, factory, factory));
    System.out.println("server ready " + port);
    new CountDownLatch(1).await();
  }
}
