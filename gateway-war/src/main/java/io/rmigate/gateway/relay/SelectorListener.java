package io.rmigate.gateway.relay;

import java.nio.channels.SelectionKey;

/** The attachment of each key of a relay loop's selector, which is called when the key is ready. */
public interface SelectorListener {

  /** Something can be done without waiting. On the loop. */
  void onReady(SelectionKey key) throws Exception;

  /** Doing it has failed, for a reason of our own: this ends. On the loop. */
  void breakDown();

  /** The loop ends, and closes this without telling a listener. */
  void close();
}
