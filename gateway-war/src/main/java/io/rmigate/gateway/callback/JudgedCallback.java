package io.rmigate.gateway.callback;

import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.JudgedMessage;
import io.rmigate.protocol.jrmp.message.CallHeader;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The latest Call of one inner JVM. Its judged part passes to the agent as far as the agent gives
 * credit. Guarded by the lock of the {@link CallbackStream}.
 */
final class JudgedCallback {
  private final CallbackLink link;
  private final AcceptedStream onLink;

  /** Null when the rules look into no Call, and once the Call is forgotten. */
  private JudgedMessage message;

  private long beganNanos;

  /** The first bytes, up to the method. */
  private byte[] head;

  JudgedCallback(CallbackLink link, AcceptedStream onLink) {
    this.link = link;
    this.onLink = onLink;
  }

  void begin(byte[] beginning) {
    forget();
    CallRules rules = link.rules();
    message = rules.looks() ? rules.callOfServer(link.heldBytes(), link::onReceived) : null;
    beganNanos = System.nanoTime();
    head = beginning;
  }

  boolean isJudged() {
    return message != null;
  }

  /** The verdict so far; only while {@link #isJudged}. */
  JudgedMessage message() {
    return message;
  }

  /** Whether no judged bytes wait: further ones are kept here until more of the Call is judged. */
  boolean isHeld() {
    return message != null && message.ready() == 0;
  }

  /** Judged bytes that wait for credit of the agent. */
  int waiting() {
    return message == null ? 0 : message.ready();
  }

  /** Sends judged bytes to the agent, within its credit. */
  void pass() {
    int count = Math.min(onLink.credit(), waiting());
    if (count > 0) {
      onLink.send(message.take(count));
    }
  }

  void forget() {
    if (message != null) {
      message.close();
      message = null;
    }
  }

  long ageMillis(long now) {
    return TimeUnit.NANOSECONDS.toMillis(Math.max(0, now - beganNanos));
  }

  /** Empty when the first bytes are no header. */
  Optional<CallHeader> header() {
    return CallHeader.decode(head, 0, head.length);
  }
}
