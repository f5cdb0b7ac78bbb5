package io.rmigate.gateway.container.ordinary.api;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** An object of a client. */
public interface Listener extends Remote {
  /** Answers with the length of the message. */
  int heard(String message, Order order) throws RemoteException, ShopException;
}
