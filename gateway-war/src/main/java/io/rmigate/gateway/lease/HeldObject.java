package io.rmigate.gateway.lease;

import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.util.ArrayList;
import java.util.List;

/**
 * One object at a server: whether the agent holds it, and what the server knows of that. Guarded by
 * the session's lock.
 *
 * <pre>
 *  the server knows        what is done: wanted or owed   what is done else
 *  NOT_HELD                dirty                          it is forgotten
 *  HELD                    nothing; if owed, dirty        clean
 *  IN_DOUBT                dirty                          clean
 *
 *  and then                NOT_HELD       HELD           IN_DOUBT
 *  dirty granted           HELD           HELD           HELD
 *  clean done                             NOT_HELD       NOT_HELD
 *  call perhaps executed   IN_DOUBT       IN_DOUBT       IN_DOUBT
 *  call not executed       NOT_HELD       IN_DOUBT       IN_DOUBT
 *  another call failed,    NOT_HELD       IN_DOUBT       IN_DOUBT
 *   or the lease may be over
 * </pre>
 *
 * <em>Owed</em> is a dirty that is to be tried once even if the agent drops the object before: its
 * DgcAck waits for it and {@code Unreferenced} hangs on it. While a call with the object is under
 * way nothing else is done about it.
 */
final class HeldObject {

  /** The lease as the server knows it. */
  enum Known {
    /** Nothing, surely. */
    NOT_HELD,
    /** The server has granted a lease, which has not ended. */
    HELD,
    /** A call of unknown outcome, or a lease that may have ended. */
    IN_DOUBT
  }

  /** The next call for the object. */
  enum Step {
    DIRTY,
    CLEAN,
    NOTHING,
    FORGET
  }

  final ObjIdentifier id;

  private boolean wanted;
  private boolean owed;
  private Known known = Known.NOT_HELD;

  /** The kind of call that it is part of; null while it is part of none. */
  private LeaseCall.Kind underWay;

  /** A dirty for it may still arrive at the server, later than all that has followed. */
  private boolean mayArriveLate;

  /** The oldest DIRTY that waits for it in the barrier; 0 when none does. */
  private long awaitedBy;

  /** They get the outcome; mostly empty. */
  private List<PendingAnswer> asks = List.of();

  HeldObject(ObjIdentifier id) {
    this.id = id;
  }

  Step next() {
    if (underWay != null) {
      return Step.NOTHING;
    }
    if (wanted || owed) {
      return owed || known != Known.HELD ? Step.DIRTY : Step.NOTHING;
    }
    return known == Known.NOT_HELD ? Step.FORGET : Step.CLEAN;
  }

  Known known() {
    return known;
  }

  boolean isWanted() {
    return wanted;
  }

  /** Whether its clean has to be remembered by the server, against a dirty that comes late. */
  boolean needsStrongClean() {
    return mayArriveLate;
  }

  /**
   * The agent holds it.
   *
   * @param leaseMayBeOver the server may not know of it any more
   * @return whether a dirty has to come first
   */
  boolean want(boolean leaseMayBeOver) {
    wanted = true;
    if (known != Known.HELD || underWay == LeaseCall.Kind.CLEAN || leaseMayBeOver) {
      owed = true;
      return true;
    }
    return false;
  }

  /** The agent holds it no more. */
  void drop() {
    wanted = false;
  }

  void begin(LeaseCall.Kind kind) {
    underWay = kind;
  }

  /** The call with it went well. */
  void succeeded() {
    known = underWay == LeaseCall.Kind.DIRTY ? Known.HELD : Known.NOT_HELD;
    tried();
  }

  /** The call with it failed. */
  void failed(boolean perhapsExecuted) {
    if (perhapsExecuted) {
      known = Known.IN_DOUBT;
      mayArriveLate |= underWay == LeaseCall.Kind.DIRTY;
    }
    tried();
  }

  private void tried() {
    if (underWay == LeaseCall.Kind.DIRTY) {
      owed = false;
    }
    underWay = null;
  }

  /** The call with it was not even tried. */
  void notTried() {
    underWay = null;
  }

  /** The server may have forgotten it. */
  void doubt() {
    if (known == Known.HELD) {
      known = Known.IN_DOUBT;
    }
  }

  /** The server will forget it by itself. */
  void leaveToTheLease() {
    known = Known.NOT_HELD;
  }

  /** A DIRTY begins to wait for this object; false if an older one waits, which counts for both. */
  boolean await(long dirty) {
    if (awaitedBy != 0) {
      return false;
    }
    awaitedBy = dirty;
    return true;
  }

  /** The DIRTY that has waited for it, 0 for none; from here on none does. */
  long takeAwaiting() {
    long taken = awaitedBy;
    awaitedBy = 0;
    return taken;
  }

  void addAsk(PendingAnswer ask) {
    if (asks.isEmpty()) {
      asks = new ArrayList<>(1);
    }
    asks.add(ask);
    ask.awaited++;
  }

  List<PendingAnswer> takeAsks() {
    List<PendingAnswer> taken = asks;
    asks = List.of();
    return taken;
  }
}
