package io.rmigate.gateway.container.traces;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** What is traced. */
interface Orders extends Remote {
  /** Returns what was ordered. */
  String place(String what) throws RemoteException;
}
