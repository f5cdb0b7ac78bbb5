package io.rmigate.gateway.session;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** The remote interface of a {@link LedgerServer}, which counts executions. */
interface Ledger extends Remote {
  /** Counts one execution under this name. */
  int execute(String id) throws RemoteException;

  /** Counts one execution without arguments. */
  void tick() throws RemoteException;

  /** Takes anything that can be unmarshalled. */
  void take(Object value) throws RemoteException;

  /** Takes bytes and says how many came. */
  int swallow(byte[] bytes) throws RemoteException;

  /** Returns an array of {@code bytes} bytes. */
  byte[] give(int bytes) throws RemoteException;

  /** Returns once the server's gate is open. */
  void await() throws RemoteException;
}
