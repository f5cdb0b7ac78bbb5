package io.rmigate.perf.dictionary;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.sql.SQLException;
import java.util.ConcurrentModificationException;
import java.util.NoSuchElementException;
import java.util.concurrent.TimeoutException;

/** How a call may fail at the server, with the stack traces that come of it. */
final class Failures {
  static final int COUNT = 21;

  private Failures() {}

  static void fail(int way) throws IOException, Refusal {
    switch (way) {
      case 0 -> throw new Refusal("refused");
      case 1 -> throw new IllegalArgumentException("argument");
      case 2 -> throw new IllegalStateException("state", new IOException("cause"));
      case 3 -> throw new NullPointerException();
      case 4 -> throw new UnsupportedOperationException("not supported");
      case 5 -> throw new IndexOutOfBoundsException("Index 1 out of bounds for length 1");
      case 6 -> throw new ConcurrentModificationException();
      case 7 -> throw new NoSuchElementException("none");
      case 8 -> throw new NumberFormatException("For input string: \"x\"");
      case 9 -> throw new ClassCastException("cast");
      case 10 -> throw new ArithmeticException("/ by zero");
      case 11 -> throw new SecurityException("access denied");
      case 12 -> throw new RuntimeException(new SQLException("table", "42000", 1));
      case 13 -> throw new RuntimeException(new TimeoutException("time"));
      case 14 -> throw new RuntimeException(new InterruptedException());
      case 15 -> throw new RuntimeException(new ClassNotFoundException("some.Class"));
      case 16 -> throw new IOException("io");
      case 17 -> throw new FileNotFoundException("file (No such file or directory)");
      case 18 -> throw new RemoteException("remote", new IllegalStateException("nested"));
      case 19 -> throw new NoSuchObjectException("no such object in table");
      case 20 -> throw new OutOfMemoryError("Java heap space");
      default -> throw new AssertionError(way);
    }
  }
}
