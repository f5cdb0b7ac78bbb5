package io.rmigate.gateway.container.ordinary.api;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;

/** Collections of the JDK; each method returns its argument. */
public interface Containers extends Remote {
  List<String> list(List<String> list) throws RemoteException;

  Set<String> set(Set<String> set) throws RemoteException;

  Collection<Integer> collection(Collection<Integer> collection) throws RemoteException;

  Map<String, Integer> map(Map<String, Integer> map) throws RemoteException;

  SortedMap<String, List<Integer>> sorted(SortedMap<String, List<Integer>> map)
      throws RemoteException;

  EnumMap<TimeUnit, String> units(EnumMap<TimeUnit, String> map) throws RemoteException;

  Set<TimeUnit> unitSet(Set<TimeUnit> set) throws RemoteException;

  Hashtable<String, Integer> table(Hashtable<String, Integer> table) throws RemoteException;

  Properties properties(Properties properties) throws RemoteException;

  Queue<String> queue(Queue<String> queue) throws RemoteException;

  Deque<String> deque(Deque<String> deque) throws RemoteException;

  Map.Entry<String, Integer> entry(Map.Entry<String, Integer> entry) throws RemoteException;

  Map<String, Map<Integer, Set<String>>> nested(Map<String, Map<Integer, Set<String>>> map)
      throws RemoteException;

  Iterable<String> iterable(Iterable<String> iterable) throws RemoteException;
}
