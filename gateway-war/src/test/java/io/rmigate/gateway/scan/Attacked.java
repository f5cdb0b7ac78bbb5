package io.rmigate.gateway.scan;

import java.io.Serializable;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** An object whose interface takes anything, as many do. */
public interface Attacked extends Remote {

  /** Reads its argument as RMI does, and what is marshalled in it. */
  String take(Object argument) throws RemoteException;

  /** Takes an object behind other arguments. */
  String takeBehind(String first, short second, Object argument) throws RemoteException;

  /** Answers with these bytes instead of a Return of its own. */
  Object give(byte[] reply) throws RemoteException;

  /**
   * Declares another type, as the following do: RMI reads any object first, and checks its type
   * afterwards.
   */
  String takeSerializable(Serializable argument) throws RemoteException;

  String takeMap(Map<?, ?> argument) throws RemoteException;

  String takeList(List<?> argument) throws RemoteException;

  String takeCollection(Collection<?> argument) throws RemoteException;

  String takeIterable(Iterable<?> argument) throws RemoteException;

  String takeComparable(Comparable<?> argument) throws RemoteException;

  String takeComparator(Comparator<?> argument) throws RemoteException;

  String takeNumber(Number argument) throws RemoteException;

  String takeThrowable(Throwable argument) throws RemoteException;
}
