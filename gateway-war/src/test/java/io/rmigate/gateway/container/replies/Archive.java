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

  /** Returns {@code count} bytes. */
  byte[] bytes(int count) throws RemoteException;

  /** Returns a text of {@code count} characters. */
  String text(int count) throws RemoteException;

  /** Returns {@code count} entries. */
  List<Entry> entries(int count) throws RemoteException;

  /** Returns {@code count} bytes, and a {@link Stranger}. */
  Object bytesAndStranger(int count) throws RemoteException;

  /** Fails with a text of {@code count} characters, and a {@link Stranger} behind it. */
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
