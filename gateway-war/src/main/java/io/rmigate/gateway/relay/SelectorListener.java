package io.rmigate.gateway.relay;

import java.nio.channels.SelectionKey;

/** What a relay loop's selector finds ready: the attachment of each of its keys. */
public interface SelectorListener {

  /** Something can be done without waiting. On the loop. */
  void onReady(SelectionKey key) throws Exception;

  /** Doing it has failed, for a reason of our own: this ends. On the loop. */
  void breakDown();

  /** The loop ends, and closes this without telling a listener. */
  void close();
}
