package io.rmigate.gateway.container.ordinary.api;

import java.io.Serializable;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.List;

/** Takes values of classes that a program loads later; each method returns its argument. */
public interface Shelf extends Remote {
  Item item(Item item) throws RemoteException;

  List<Item> items(List<Item> items) throws RemoteException;

  Serializable value(Serializable value) throws RemoteException;
}
