package io.rmigate.client.instrument;

import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;

/** A javaagent that uses RMI before ours is asked: TCPTransport has its socket factory then. */
public final class EarlyRmiUser {
  private EarlyRmiUser() {}

  /** Called by the JVM. */
  public static void premain(String arguments) throws RemoteException {
    Registry registry = LocateRegistry.createRegistry(0);
    UnicastRemoteObject.unexportObject(registry, true);
  }
}
