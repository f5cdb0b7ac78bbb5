package io.rmigate.gateway.container.ordinary.api;

import java.io.Serializable;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.List;

/** What a remote interface of each entity extends. */
public interface Repository<T extends Serializable, K extends Serializable> extends Remote {
  /** Stores it, and returns its key. */
  K save(T entity) throws RemoteException;

  T find(K key) throws RemoteException;

  List<T> findAll() throws RemoteException;

  /** A method that stubs have without any of their own. */
  default boolean has(K key) throws RemoteException {
    return find(key) != null;
  }
}
