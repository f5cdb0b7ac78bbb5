package io.rmigate.gateway.container.async;

import java.io.IOException;
import java.rmi.Remote;
import java.rmi.RemoteException;

/** A server without code of ours. */
public interface Desk extends Remote {
  /** The name it is bound under. */
  String NAME = "desk";

  /** The text comes back. */
  String echo(String text) throws RemoteException;

  /** The numbers that are given, and what is made of them. */
  double compute(int a, long b, boolean negates, byte[] others) throws RemoteException;

  /**
   * Throws what is asked for: {@code checked}, {@code runtime}, {@code error} or {@code remote}.
   */
  void fail(String kind) throws IOException;

  /** A new object, which nothing but references hold. */
  Drawer open(String label) throws RemoteException;

  /** Returns what the bell answers. */
  String ring(Bell bell, String text) throws RemoteException;

  /** Does not return before {@link #release}; returns how many calls were held at a time. */
  int hold() throws RemoteException;

  /** How many calls are held. */
  int held() throws RemoteException;

  /** Lets all held calls return. */
  void release() throws RemoteException;

  /** Counts the call; the payload comes back. */
  byte[] count(long id, byte[] payload) throws RemoteException;

  /** {@code <counted calls> <calls that were counted more than once>}. */
  String counted() throws RemoteException;

  /**
   * A new cursor.
   *
   * @param rows how many it has
   * @param bad the number of a row that cannot be read; −1 for none
   */
  Rows rows(int rows, int bad) throws RemoteException;

  /** Drawers that are exported. */
  int openDrawers() throws RemoteException;

  /** An object of the server. */
  interface Drawer extends Remote {
    /** As it was opened. */
    String label() throws RemoteException;
  }

  /** A cursor, for one thread at a time. */
  interface Rows extends Remote {
    /** The next row, whose number comes first; null behind the last one. */
    String next() throws IOException;

    /** How often it was asked for the next row. */
    int asked() throws RemoteException;
  }

  /** An object of the client. */
  interface Bell extends Remote {
    /** Answers the server. */
    String ring(String text) throws RemoteException;
  }
}
