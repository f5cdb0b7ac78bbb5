package io.rmigate.client.async;

import java.rmi.RemoteException;

/** Where calls to one server get their connections. Thread-safe. */
interface ConnectionSource {
  StubReference.Server server();

  /** Whether a connection passes the gateway and is made without a wait, as far as is known. */
  boolean passesGateway();

  /**
   * A connection for one call.
   *
   * @throws RemoteException as a stub throws it when there is no connection
   */
  CallConnection take() throws RemoteException;

  /** The call is over, and nothing is left of it on its connection. */
  void giveBack(CallConnection connection);
}
