package io.rmigate.perf.dictionary;

import java.io.IOException;
import java.math.BigDecimal;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Methods as applications have them. */
interface Subject extends Remote {

  void run() throws RemoteException;

  String greet(String name) throws RemoteException;

  int add(int a, int b) throws RemoteException;

  boolean put(long id, String name, byte[] content) throws RemoteException;

  Object echo(Object value) throws RemoteException;

  BigDecimal price(String id, Date at) throws RemoteException;

  List<Item> items() throws RemoteException;

  Map<String, Object> values(Set<String> names) throws RemoteException;

  Subject child() throws RemoteException;

  void use(Subject other) throws RemoteException;

  /** Fails in one of {@link Failures#COUNT} ways. */
  void fail(int way) throws IOException, Refusal;
}
