package io.rmigate.gateway.container.ordinary.api;

import java.io.IOException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Remote objects of both sides, and failures. */
public interface Desk extends Remote {
  Session open(String user) throws RemoteException;

  /** The user of a session that was passed back. */
  String userOf(Session session) throws RemoteException;

  List<Session> sessions(int count) throws RemoteException;

  Map<String, Session> sessionsByUser(String... users) throws RemoteException;

  Cursor<Session> cursor(int count) throws RemoteException;

  Ticket ticket(Ticket ticket) throws RemoteException;

  /** A session that connects by a factory of its own. */
  Session factorySession() throws RemoteException;

  /** A session that exists only once it is called. */
  Session lazySession() throws RemoteException;

  Session none() throws RemoteException;

  /** Calls the listener that many times. */
  int tell(Listener listener, String message, int times) throws RemoteException, ShopException;

  void register(List<Listener> listeners) throws RemoteException;

  int tellRegistered(String message) throws RemoteException, ShopException;

  Listener returned(Listener listener) throws RemoteException;

  /** Binds or unbinds a session under that name. */
  void bind(String name, boolean bound) throws RemoteException;

  void fail(String message) throws RemoteException, ShopException;

  void failUndeclared(String kind) throws RemoteException;

  void failInJdk(String kind) throws RemoteException, IOException, SQLException;

  Person best() throws RemoteException;

  /** Sums up an array of any length. */
  long checksum(byte[] bytes) throws RemoteException;

  int length(String text) throws RemoteException;

  byte[] produce(int length) throws RemoteException;
}
