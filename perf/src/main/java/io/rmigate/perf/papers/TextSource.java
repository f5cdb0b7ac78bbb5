package io.rmigate.perf.papers;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.List;

/** One of the three servers of the Monads prototype: each replies with a text of its length. */
public interface TextSource extends Remote {
  /** The lengths in the paper, bytes. */
  List<Integer> LENGTHS = List.of(3_300, 7_048, 14_760);

  /** The name under which it is bound, but for the length behind it. */
  String NAME = "Text";

  /** The text of this seed; see {@link FreshText}. */
  String text(long seed) throws RemoteException;
}
