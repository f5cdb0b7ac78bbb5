package io.rmigate.gateway.edge.legacy;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** What old clients call in tests. */
interface Till extends Remote {
  /** Counted. */
  int add(int a, int b) throws RemoteException;

  /** The bytes, reversed. */
  byte[] reverse(byte[] bytes) throws RemoteException;

  /** A new object, held by this client only. */
  Till fresh() throws RemoteException;

  /** Returns once the server is told to let it. */
  void hang() throws RemoteException;
}
