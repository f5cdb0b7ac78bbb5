package io.rmigate.gateway.container.callbacks;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** An object of a client. */
public interface Bell extends Remote {
  /** What it is called, and who has rung it. */
  String ring() throws RemoteException;
}
