package io.rmigate.gateway.stream;

import io.rmigate.protocol.tunnel.CloseCause;
import java.util.concurrent.locks.ReentrantLock;

/** A stream, as its parts know it. */
interface OpenStream {
  int id();

  /** Host and port as asked for, fit for a log. */
  String target();

  /** Guards all parts of the stream. */
  ReentrantLock lock();

  /**
   * Closes the stream and tells the agent why. Under the lock.
   *
   * @param text for the caller: why, and whether the call was executed
   */
  void closeFromHere(CloseCause cause, String text);

  /** Bytes of a Return have been handled, and no lock of a stream is held any more. */
  default void afterReturn() {}

  /**
   * Closes the stream and tells the agent why. Under the lock. A Call that is under way may have
   * been executed, as far as its caller is told.
   */
  default void closeFromHere(CloseCause cause) {
    closeFromHere(cause, "");
  }
}
