package io.rmigate.gateway.container.ordinary.api;

import java.io.Serializable;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Vector;

/** An interface from before generics; each method returns its argument. */
@SuppressWarnings("rawtypes")
public interface OldShop extends Remote {
  Vector vector(Vector vector) throws RemoteException;

  Hashtable hashtable(Hashtable table) throws RemoteException;

  List list(List list) throws RemoteException;

  Map map(Map map) throws RemoteException;

  Object object(Object object) throws RemoteException;

  Serializable serializable(Serializable value) throws RemoteException;

  Object[] row(Object[] row) throws RemoteException;
}
