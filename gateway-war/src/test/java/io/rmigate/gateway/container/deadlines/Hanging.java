package io.rmigate.gateway.container.deadlines;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** A server that does not answer. */
public interface Hanging extends Remote {
  /** Its name in the registry. */
  String NAME = "hanging";

  /** Does not return. */
  void hang() throws RemoteException;

  /** Returns at once: how often {@link #hang} was executed. */
  int hung() throws RemoteException;
}
