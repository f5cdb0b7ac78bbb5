package io.rmigate.gateway.container.leases;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** An object that lives as long as a client holds a reference to it. */
public interface Token extends Remote {
  /** Its name and the number of the object, as in {@code a#7}, from where it is. */
  String name() throws RemoteException;
}
