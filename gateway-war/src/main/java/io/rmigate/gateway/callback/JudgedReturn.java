package io.rmigate.gateway.callback;

import io.rmigate.gateway.policy.JudgedMessage;

/**
 * The latest Return for one inner JVM, as far as it has passed. Guarded by the lock of the {@link
 * CallbackStream}.
 */
final class JudgedReturn {
  private final CallbackLink link;
  private final AcceptedStream onLink;

  /** Null when no rules look into the Return, and once it is forgotten. */
  private JudgedMessage message;

  /** Whether bytes of the Return have gone to the inner JVM. */
  private boolean begun;

  JudgedReturn(CallbackLink link, AcceptedStream onLink) {
    this.link = link;
    this.onLink = onLink;
  }

  /** A Call begins whose Return is still to come. */
  void expect() {
    begun = false;
  }

  /** The Return begins to pass. */
  void begin() {
    forget();
    message = link.answer().orElse(null);
  }

  boolean isJudged() {
    return message != null;
  }

  /** The verdict so far; only while {@link #isJudged}. */
  JudgedMessage message() {
    return message;
  }

  /**
   * Takes the permitted bytes of the Return.
   *
   * @param added how many bytes have just been judged
   */
  byte[] take(int added) {
    int permitted = message.readyAsCome();
    byte[] ready = message.takeReady();
    if (permitted < added) { // the held bytes need room for the bytes that follow
      onLink.lend(added - permitted);
    }
    if (ready.length < permitted) {
      onLink.consumed(permitted - ready.length); // these bytes are dropped
    }
    return ready;
  }

  /** Bytes go to the inner JVM. */
  void onPassed(int bytes) {
    begun |= bytes > 0;
  }

  boolean hasBegun() {
    return begun;
  }

  void forget() {
    if (message != null) {
      onLink.consumed(message.held());
      message.close();
      message = null;
    }
  }
}
