package io.rmigate.gateway.amplification;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;

/**
 * A registry of the JDK without bindings, and its DGC, which grants leases of any object. Neither
 * side is charged for its threads.
 */
final class EmptyRegistry implements Closeable {
  private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final Registry registry = LocateRegistry.createRegistry(0, null, any -> listener);

  EmptyRegistry() throws IOException {}

  int port() {
    return listener.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    UnicastRemoteObject.unexportObject(registry, true);
    listener.close();
  }
}
