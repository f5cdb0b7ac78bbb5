package io.rmigate.sample;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** A remote object made by a call: has an identity, a state and an end. */
public interface Counter extends Remote {

  /** Adds one and returns the sum. */
  int increment() throws RemoteException;

  /** Unexports the object, by force, while this very call is served: later calls find nothing. */
  void unexport() throws RemoteException;
}
