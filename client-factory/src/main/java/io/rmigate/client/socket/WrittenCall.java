package io.rmigate.client.socket;

import io.rmigate.client.callback.OutwardMessage;
import io.rmigate.client.deadline.CallTimeoutException;
import java.io.IOException;

/** A Call that the client is writing, and why it may not be sent. */
final class WrittenCall implements WrittenMessage {
  /** Null if no reference in the Call may have to name the gateway. */
  private final OutwardMessage outward;

  /** Why the Call will not be sent though it is not complete; null for no reason. */
  private CallTimeoutException overdue;

  /** Why the gateway cannot be named in the Call, which is not sent then; null for no reason. */
  private IOException unnameable;

  /**
   * @param outward rewrites references in the Call; null if there may be none
   */
  WrittenCall(OutwardMessage outward) {
    this.outward = outward;
  }

  /**
   * Rewrites references to objects of this JVM in the unsent bytes, so that they name the gateway.
   *
   * @param last whether the Call ends with the unsent bytes
   * @return false when the gateway cannot be named: no more of the Call may be sent
   */
  boolean nameGateway(RequestBuffer request, boolean last) {
    if (unnameable != null) {
      return false;
    }
    if (outward == null) {
      return true;
    }
    try {
      byte[] named = outward.more(request.bytes(), request.length(), last);
      if (named != request.bytes()) {
        request.replace(named);
      }
      return true;
    } catch (IOException noPort) {
      unnameable = noPort;
      return false;
    }
  }

  /** Whether references in the Call may have to name the gateway. */
  boolean hasReferences() {
    return outward != null;
  }

  IOException unnameable() {
    return unnameable;
  }

  /** The time of the Call was over before any byte of it was sent: its rest is dropped. */
  void onOverdue(CallTimeoutException late) {
    overdue = late;
  }

  boolean isOverdue() {
    return overdue != null;
  }

  void throwIfOverdue() throws CallTimeoutException {
    if (overdue != null) {
      throw overdue;
    }
  }
}
