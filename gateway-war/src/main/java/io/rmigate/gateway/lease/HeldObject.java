package io.rmigate.gateway.lease;

import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.util.ArrayList;
import java.util.List;

/** One object at an endpoint. Guarded by the session's lock. */
final class HeldObject {

  /** What the server knows of our holding it. */
  enum Known {
    /** Nothing, surely. */
    NOT_HELD,
    /** It has granted a lease, which has not ended. */
    HELD,
    /** A call of unknown outcome, or a lease that may have ended: a clean has to be strong. */
    IN_DOUBT
  }

  final ObjIdentifier id;

  /** Whether the agent's JVM holds it. */
  boolean wanted;

  /** A dirty is to be tried once even if the agent has dropped it meanwhile. */
  boolean owed;

  Known known = Known.NOT_HELD;

  /** It is part of the call that is under way. */
  boolean inFlight;

  /** The oldest DIRTY that waits for it in the barrier; 0 when none does. */
  long awaitedBy;

  /** Who is to be told; mostly nobody. */
  private List<LeaseAsk> asks = List.of();

  HeldObject(ObjIdentifier id) {
    this.id = id;
  }

  void addAsk(LeaseAsk ask) {
    if (asks.isEmpty()) {
      asks = new ArrayList<>(1);
    }
    asks.add(ask);
    ask.awaited++;
  }

  List<LeaseAsk> takeAsks() {
    List<LeaseAsk> taken = asks;
    asks = List.of();
    return taken;
  }
}
