package io.rmigate.gateway.container.ordinary.api;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** A remote object for one client. */
public interface Session extends Remote {
  String user() throws RemoteException;

  int add(int number) throws RemoteException;

  void close() throws RemoteException;
}
