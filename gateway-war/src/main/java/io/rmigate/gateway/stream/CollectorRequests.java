package io.rmigate.gateway.stream;

import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.route.Route;
import io.rmigate.protocol.LogText;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.CallHeader;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.RefusalReason;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Calls to the distributed garbage collector ({@link java.rmi.dgc.DGC}) that the agent's JVM makes
 * by itself on one stream: which of them pass, and with which objects. A lease is taken only of
 * what the session may call; what JVMs hold so counts for the caller, within its bounds ({@link
 * CollectorCalls}), and is known to the session as what the agent declares is.
 *
 * <p>Guarded by {@link OpenStream#lock()}.
 */
final class CollectorRequests {
  /** Bytes of a call with the most objects that it may name, and more. */
  static final int MAX_CALL_BYTES = 512 * 1024;

  private static final byte[] NOTHING = {};

  private final StreamSession session;
  private final RequestWindow window;
  private final Open open;
  private final RequestRefusals refusals;

  CollectorRequests(
      StreamSession session, Open open, RequestWindow window, RequestRefusals refusals) {
    this.session = session;
    this.window = window;
    this.open = open;
    this.refusals = refusals;
  }

  /** Whether a request that begins so is for the collector. */
  static boolean isOne(byte[] request) {
    return DgcCall.isForCollector(request, 0, request.length);
  }

  /** The object that is called or, by the collector's calls, named first. */
  static Optional<ObjIdentifier> objectOf(byte[] request) {
    Optional<ObjIdentifier> called =
        CallHeader.decode(request, 0, request.length).map(CallHeader::object);
    if (!called.equals(Optional.of(ObjIdentifier.DGC))) {
      return called;
    }
    try {
      return DgcCall.decode(request, 0, request.length)
          .flatMap(c -> c.objects().stream().findFirst());
    } catch (ProtocolViolationException notOurs) {
      return Optional.empty();
    }
  }

  /** An acknowledgement, or the renewal of leases: it belongs to what went this way before. */
  static boolean isForNoObject(byte[] request) {
    return objectOf(request).isEmpty();
  }

  private EndpointId at() {
    return new EndpointId(open.host(), open.port());
  }

  private boolean isGiven(Route.Permitted way, ObjIdentifier object) {
    return session.knowledge().mayCall(way.policy(), object, at());
  }

  /** A call to the collector as it passes; null when it has been refused. */
  byte[] permitted(Route.Permitted way, byte[] whole) {
    byte[] request = ofGivenObjects(way, whole);
    return request != null && permitsLeases(request) ? request : null;
  }

  /**
   * Takes out the objects of which no lease may be taken, for a JVM names what it holds in one call
   * with what it was once refused: it would lose all. Null when nothing is left and it has been
   * refused.
   */
  private byte[] ofGivenObjects(Route.Permitted way, byte[] whole) {
    CallRules rules = way.permission().rules();
    Optional<DgcCall.Dirty> dirty =
        rules.looks() && rules.limitsObjects() ? dirty(whole) : Optional.empty();
    Set<ObjIdentifier> given = new LinkedHashSet<>();
    List<Objection> objections = List.of();
    for (ObjIdentifier object : dirty.map(DgcCall::objects).orElse(List.of())) {
      List<Objection> own =
          objections.isEmpty() || isGiven(way, object)
              ? rules.object(object, each -> isGiven(way, each))
              : objections; // the first one stands for all
      if (own.isEmpty()) {
        given.add(object);
      } else if (!rules.enforces()) {
        refusals.learn(rules, own); // as any other would be
        return whole;
      } else {
        objections = own;
      }
    }
    if (objections.isEmpty()) {
      return whole;
    }
    byte[] rest = NOTHING;
    if (!given.isEmpty() && dirty.get().client().isPresent()) {
      DgcCall.Dirty all = dirty.get();
      rest =
          new DgcCall.Dirty(List.copyOf(given), all.sequence(), all.client(), all.durationMillis())
              .encode();
    }
    if (rest.length == 0 || rest.length > whole.length) { // which no JDK writes so briefly
      refusals.permits(rules, objections, whole); // that is, refuses
      return null;
    }
    refusals.note(rules, objections.get(0), "", whole);
    window.consumed(whole.length - rest.length);
    return rest;
  }

  /** Whether a call of the collector passes; if not it has been refused. */
  private boolean permitsLeases(byte[] request) {
    EndpointId at = at();
    Optional<String> objection =
        session.collectorCalls().objection(session.knowledge(), at, request);
    if (objection.isEmpty()) {
      noteHeld(at, request);
      return true;
    }
    session.refusals().lockout().onRefusedCollectorCall(objection.get());
    Refusal refusal = Refusal.of("call to the collector: " + LogText.brief(objection.get()));
    refusals.refuse(
        "collector-call",
        refusals.log(refusal, request),
        request,
        RefusalReason.OPERATION_NOT_PERMITTED,
        RequestRefusals.NO_CALL);
    return false;
  }

  /** Notes objects that a JVM holds by its own dirty call as if an agent had declared them. */
  private void noteHeld(EndpointId at, byte[] call) {
    dirty(call)
        .ifPresent(
            taken -> taken.objects().forEach(object -> session.knowledge().onHeld(at, object)));
  }

  private static Optional<DgcCall.Dirty> dirty(byte[] call) {
    return decode(call).filter(DgcCall.Dirty.class::isInstance).map(DgcCall.Dirty.class::cast);
  }

  private static Optional<DgcCall> decode(byte[] call) {
    try {
      return DgcCall.decode(call, 0, call.length);
    } catch (ProtocolViolationException others) {
      return Optional.empty(); // it is refused for that
    }
  }
}
