package io.rmigate.client.program.doctor;

import io.rmigate.protocol.jrmp.EndpointId;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RMISocketFactory;
import java.rmi.server.UnicastRemoteObject;
import java.util.concurrent.atomic.AtomicInteger;

/** A registry of this JVM, on loopback, whose port is known. */
record ListeningRegistry(Registry registry, int port) implements AutoCloseable {

  static ListeningRegistry start() throws Exception {
    AtomicInteger port = new AtomicInteger();
    Registry registry =
        LocateRegistry.createRegistry(
            0,
            RMISocketFactory.getDefaultSocketFactory(),
            wanted -> {
              ServerSocket server = new ServerSocket(wanted, 50, InetAddress.getLoopbackAddress());
              port.set(server.getLocalPort());
              return server;
            });
    return new ListeningRegistry(registry, port.get());
  }

  EndpointId endpoint() {
    return new EndpointId("127.0.0.1", port);
  }

  void bind(String name, Remote object) throws Exception {
    registry.bind(name, object);
  }

  @Override
  public void close() throws NoSuchObjectException {
    UnicastRemoteObject.unexportObject(registry, true);
  }
}
