package io.rmigate.gateway.container.cuts;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** Counts what is executed, call by call. */
public interface Tally extends Remote {
  /** The name it is bound under. */
  String NAME = "tally";

  /**
   * Counts one call.
   *
   * @param id another one for each call
   * @param payload comes back as it went
   */
  byte[] count(long id, byte[] payload) throws RemoteException;

  /** Counts by way of the caller's listener, which is called in between. */
  byte[] countBoth(long id, byte[] payload, TallyListener there) throws RemoteException;
}
