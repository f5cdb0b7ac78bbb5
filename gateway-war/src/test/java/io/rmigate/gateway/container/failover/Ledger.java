package io.rmigate.gateway.container.failover;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** Writes down what is executed, call by call. */
public interface Ledger extends Remote {
  /** The name that the first one is bound under. */
  String NAME = "ledger";

  /**
   * Writes one call down.
   *
   * @param id another one for each call
   * @param payload comes back as it went
   */
  byte[] count(long id, byte[] payload) throws RemoteException;

  /** Writes one call down, and returns when the server lets go of all that it holds. */
  void hold(long id) throws RemoteException;

  /** Another object of the same server, which lives as long as a client refers to it. */
  Ledger another() throws RemoteException;
}
