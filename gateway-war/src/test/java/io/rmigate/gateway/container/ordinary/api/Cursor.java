package io.rmigate.gateway.container.ordinary.api;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** An iterator of remote objects. */
public interface Cursor<T> extends Remote {
  boolean hasNext() throws RemoteException;

  T next() throws RemoteException;
}
