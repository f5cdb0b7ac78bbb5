package io.rmigate.gateway.container.replies;

import java.io.Serializable;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.List;

/** Answers at length. */
public interface Archive extends Remote {

  /** What is in the results, beside values. */
  record Entry(int number, String text) implements Serializable {}

  /** What the interface does not mention, and is read in a way of its own. */
  record Stranger(int number) implements Serializable {
    private Object readResolve() {
      // more than a look at values: the class is not proven harmless
      return System.nanoTime() == 0 ? null : this;
    }
  }

  /** So many bytes. */
  byte[] bytes(int count) throws RemoteException;

  /** A text of so many characters. */
  String text(int count) throws RemoteException;

  /** So many entries. */
  List<Entry> entries(int count) throws RemoteException;

  /** So many bytes, and a {@link Stranger}. */
  Object bytesAndStranger(int count) throws RemoteException;

  /** Fails with so many characters, and a {@link Stranger} behind them. */
  void fail(int count) throws RemoteException, LongFailure;

  /** The exception. */
  final class LongFailure extends Exception {
    private static final long serialVersionUID = 1L;

    /** Its declared type is what it is so that anything may stand there. */
    @SuppressWarnings("serial")
    private final Object cause;

    /** With both. */
    public LongFailure(String message, Object cause) {
      super(message);
      this.cause = cause;
    }

    /** What it was made with. */
    public Object stranger() {
      return cause;
    }
  }
}
