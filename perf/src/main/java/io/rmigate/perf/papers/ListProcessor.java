package io.rmigate.perf.papers;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.Collection;

/** The remote interface with which Mobility-RPC was compared with RMI. */
public interface ListProcessor extends Remote {
  /** The name it is bound under in the registry. */
  String NAME = "ListProcessor";

  /** Returns a new list of the same elements. */
  <T extends Comparable<T>> Collection<T> processRequest(Collection<T> elements)
      throws RemoteException;
}
