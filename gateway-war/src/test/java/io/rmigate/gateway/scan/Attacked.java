package io.rmigate.gateway.scan;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** An object whose interface takes anything, as many do. */
public interface Attacked extends Remote {

  /** Reads its argument as RMI does, and what is marshalled in it. */
  String take(Object argument) throws RemoteException;

  /** Likewise, behind other arguments. */
  String takeBehind(String first, short second, Object argument) throws RemoteException;

  /** Answers with these bytes instead of a Return of its own. */
  Object give(byte[] reply) throws RemoteException;
}
