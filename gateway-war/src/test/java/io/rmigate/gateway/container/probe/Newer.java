package io.rmigate.gateway.container.probe;

import io.rmigate.sample.Everything;
import java.rmi.Remote;
import java.rmi.RemoteException;

/** What {@link Everything} might become: gateways know it already, and servers do not yet. */
public interface Newer extends Remote {
  /** No server has this. */
  void unheardOf(String argument) throws RemoteException;
}
