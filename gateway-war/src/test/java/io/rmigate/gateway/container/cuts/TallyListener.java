package io.rmigate.gateway.container.cuts;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** A client's side of a call that calls back. */
public interface TallyListener extends Remote {
  /**
   * Counts one call at the client.
   *
   * @param payload comes back as it went
   */
  byte[] counted(long id, byte[] payload) throws RemoteException;
}
