package io.rmigate.gateway.lease;

import io.rmigate.gateway.relay.own.DeliveryStatus;
import io.rmigate.gateway.relay.own.OwnCallFailure;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.message.LeaseReturn;
import io.rmigate.protocol.tunnel.Leased;
import java.util.List;

/**
 * A dirty or clean that is under way.
 *
 * @param objects none for a mere renewal
 * @param fromNanos when it began, on the monotonic clock
 * @param fromMillis the time of day at that moment
 */
record LeaseCall(Kind kind, List<HeldObject> objects, long fromNanos, long fromMillis) {

  /** Kinds of calls to the server. */
  enum Kind {
    DIRTY,
    CLEAN
  }

  /** How it went. */
  sealed interface End {}

  /** The server has granted a lease. */
  record Granted(long millis) implements End {}

  /** The server has let the objects go. */
  record Cleaned() implements End {}

  /**
   * Too many calls wait for this server. That says nothing about the lease: no outcome is reported.
   */
  record NotTried() implements End {}

  /**
   * The call failed.
   *
   * @param outcome what those are told who ask
   * @param perhapsExecuted whether the server may have executed it, or may yet
   * @param perhapsGranted whether a lease may run from it whose length is not known
   */
  record Failed(Leased.Outcome outcome, boolean perhapsExecuted, boolean perhapsGranted, String why)
      implements End {}

  /** Policy does not permit it. */
  static final Failed REFUSED = new Failed(Leased.Outcome.REFUSED, false, false, "not permitted");

  /** By what the server has answered. */
  End end(byte[] message) {
    try {
      if (kind == Kind.DIRTY) {
        return new Granted(LeaseReturn.decode(message, 0, message.length).durationMillis());
      }
      LeaseReturn.expectNothing(message, 0, message.length);
      return new Cleaned();
    } catch (ProtocolViolationException exceptional) {
      return new Failed(
          Leased.Outcome.FAILED, true, false, "the server answered with an exception");
    }
  }

  /** When there is no answer. */
  End end(OwnCallFailure failure) {
    if (failure.kind() == OwnCallFailure.Kind.OVERLOADED) {
      return new NotTried();
    }
    boolean perhaps = failure.delivery() == DeliveryStatus.POSSIBLY_DELIVERED;
    return new Failed(
        Leased.Outcome.FAILED, perhaps, perhaps && kind == Kind.DIRTY, failure.text());
  }
}
