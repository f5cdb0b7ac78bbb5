package io.rmigate.gateway.boxes;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** An object of a client. */
public interface Door extends Remote {
  /** Counts a call, and gives back what it was given. */
  int knock(int number) throws RemoteException;
}
