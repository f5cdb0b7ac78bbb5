package io.rmigate.gateway.stream;

import io.rmigate.gateway.gate.GateCheck;
import io.rmigate.gateway.gate.Verdict;
import io.rmigate.gateway.limit.CallPermit;
import io.rmigate.gateway.limit.Lockouts;
import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.JudgedMessage;
import io.rmigate.gateway.policy.rule.ClassSettings;
import io.rmigate.gateway.policy.rule.RequiredPermissions;
import io.rmigate.gateway.route.Route;
import io.rmigate.gateway.route.RouteNotes;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.CallHeader;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import io.rmigate.protocol.tunnel.Open;
import java.util.List;
import java.util.Optional;

/**
 * Puts each request of one stream to the {@link GateCheck}s, and sends on what passes.
 *
 * <pre>
 *   {@link RequestGathering} ──► this ──► {@link StreamConnections}
 *                           ├── {@link RequestChecks}      the checks, in their order
 *                           │     ├── {@link CollectorRequests}  leases that JVMs take by themselves
 *                           │     ├── {@link RegistryRequests}   operations and names
 *                           │     └── {@link RequestRefusals}    all that does not pass
 *                           └── {@link StreamedCall}       what is too long to be gathered
 * </pre>
 *
 * <p>A reload may put another policy in force at any moment. Each request is judged by one, that of
 * the moment when all of it had come, or as much as is gathered: the way found then carries it
 * ({@link Route.Permitted#policy}), and what is asked later asks that one, to the end of a request
 * that passes as it comes, and of its reply ({@link ReturnPath#judge}). How much is gathered was
 * said before, by the policy of then; by the one that judges it is asked again where it is less.
 * The one that says that a request is too long to be gathered is the one that judges it. What is
 * refused counts for the lockouts of now, which the next request asks.
 *
 * <p>Guarded by {@link OpenStream#lock()}.
 */
final class RequestJudge implements RequestGathering.Listener {
  private static final byte[] NOTHING = {};

  /** Less than has come of any request of which it is asked. */
  private static final int PASS_AT_ONCE = 1;

  private final StreamSession session;
  private final StreamParts parts;
  private final EndpointId at;
  private final RequestRefusals refusals;
  private final RequestChecks checks;

  /** Route of the request for which the amount to gather was asked last; null if it was refused. */
  private Route.Permitted askedWay;

  /** What knows that a method of the jars has been called here; null before. */
  private Lockouts knownBy;

  /** Null unless the request that is under way is one. */
  private StreamedCall passing;

  RequestJudge(StreamSession session, Open open, StreamParts parts, RequestDeadline deadline) {
    this.session = session;
    this.parts = parts;
    this.at = new EndpointId(open.host(), open.port());
    this.refusals = new RequestRefusals(session, parts, this::dropBeginning);
    this.checks = new RequestChecks(session, open, parts, deadline, refusals, this::pass);
  }

  @Override
  public void onWhole(byte[] whole) {
    try {
      Route.Permitted way = checks.way(whole);
      if (way != null && checks.passesWhole()) {
        send(checks.verdict(), checks.request(), way);
      }
    } finally {
      checks.forget();
    }
  }

  /** What a call takes that passes, apart from what it carries. */
  private void learn(
      CallHeader header, Optional<RegistryOperation> operation, byte[] call, Route.Permitted way) {
    CallRules rules = way.permission().rules();
    if (!rules.learns()) {
      return;
    }
    RouteNotes notes = session.knowledge().routes().notes();
    notes.reached(way.policy(), way, at);
    if (operation.isPresent()) {
      notes.asked(way.policy(), way, at, operation.get(), AuditedCall.boundName(call));
    } else if (!header.object().equals(ObjIdentifier.DGC)) {
      refusals.learn(rules, rules.needs(header, call));
    }
    refusals.learn(
        rules,
        passing == null
            ? RequiredPermissions.length(call.length).stream().toList()
            : rules.takesLongByItself(header) ? List.of() : List.of(RequiredPermissions.stream()));
  }

  @Override
  public int holdUpTo(byte[] beginning) {
    askedWay = way(beginning);
    if (askedWay == null) {
      return 0;
    }
    CallRules rules = askedWay.permission().rules();
    if (!rules.looks()) {
      return CollectorRequests.isOne(beginning)
          ? CollectorRequests.MAX_CALL_BYTES
          : session.settings().maxHeldCallBytes();
    }
    if (rules.streams()) {
      return Math.min(rules.callLimit(), ClassSettings.CALL_LIMIT);
    }
    boolean announced =
        rules.enforces()
            && CallHeader.decode(beginning, 0, beginning.length)
                .filter(header -> rules.announcesLong(header, beginning))
                .isPresent();
    return announced ? PASS_AT_ONCE : rules.callLimit();
  }

  @Override
  public void onNoRoom(byte[] beginning) {
    refusals.refuseForRoom(beginning);
  }

  @Override
  public boolean mayHold(int bytes) {
    return parts.window().lend(bytes);
  }

  @Override
  public void onTooLong(byte[] beginning) {
    begin(askedWay, beginning);
  }

  @Override
  public void onFull(byte[] beginning) {
    Route.Permitted way = way(beginning);
    if (way == null) {
      parts.gathering().discardRest();
      return;
    }
    begin(way, beginning);
  }

  /** A request passes as it comes, if it passes. */
  private void begin(Route.Permitted way, byte[] beginning) {
    try {
      if (checks.passesBeginning(way, beginning)) {
        send(checks.verdict(), beginning, way);
      }
    } finally {
      checks.forget();
    }
  }

  private void pass(JudgedMessage judged) {
    passing = new StreamedCall(session, parts, refusals, judged, this::onStalled);
  }

  @Override
  public void onRest(byte[] bytes) {
    parts.audit().more(bytes.length);
    parts.connections().permit().carried(bytes.length);
    if (passing == null) {
      parts.connections().sendIsolated(bytes);
      return;
    }
    if (!passing.more(bytes)) {
      forgetPassing();
    }
  }

  @Override
  public void onDiscarded(int bytes) {
    forgetPassing();
    parts.window().consumed(bytes);
  }

  @Override
  public void onOver() {
    if (passing != null && passing.isCutShort()) {
      refusals.end(
          "expected a whole message, got only a beginning", NOTHING); // a client may just die
    } else if (passing != null) {
      passing.end();
    }
    forgetPassing();
  }

  /** The long Call brings nothing any more, or hardly anything. */
  private void onStalled(StreamedCall stalled) {
    if (passing == stalled) {
      forgetPassing();
    }
  }

  /** No more of the long Call goes on. */
  private void forgetPassing() {
    if (passing != null) {
      passing.close();
      passing = null;
    }
  }

  /** Drops the beginning of a call that was refused before any of it was sent. */
  private void dropBeginning() {
    if (passing != null) {
      passing.drop();
      passing = null;
    }
  }

  /** Whether the Call that passes as it comes may be executed, as far as it has gone on. */
  boolean mayBeExecuted() {
    return passing == null || passing.mayBeExecuted();
  }

  /** The stream is over. */
  void close() {
    forgetPassing();
  }

  /** Where a request goes that begins so; when null, it has been refused. */
  private Route.Permitted way(byte[] beginning) {
    try {
      return checks.way(beginning);
    } finally {
      checks.forget();
    }
  }

  private void send(Verdict verdict, byte[] bytes, Route.Permitted way) {
    if (verdict instanceof Verdict.Forward forward) {
      noteMethod(forward.header(), way);
      learn(forward.header(), forward.registry(), bytes, way);
      forward(bytes, forward, way);
    } else if (verdict instanceof Verdict.Isolate isolate) {
      noteMethod(isolate.header(), way);
      learn(isolate.header(), isolate.registry(), bytes, way);
      isolate(bytes, isolate, way);
    } else if (verdict instanceof Verdict.Acknowledge) {
      parts.connections().acknowledge(bytes, way);
    } else {
      throw new AssertionError(verdict);
    }
  }

  private void isolate(byte[] call, Verdict.Isolate verdict, Route.Permitted way) {
    boolean sent =
        parts
            .connections()
            .isolate(mayPass(call), verdict.header(), verdict.registry(), way, verdict.reason());
    if (sent && passing != null) {
      passing.sent();
    }
    orRefuseForRoom(call, sent);
  }

  /** Once for each stream: a target of which one method is known has others that are guessed. */
  private void noteMethod(CallHeader header, Route.Permitted way) {
    Lockouts lockouts = way.policy().lockouts();
    if (knownBy != lockouts && way.permission().rules().explains(header)) {
      lockouts.onKnownMethod(session.standing().caller(), parts.stream().target());
      knownBy = lockouts;
    }
  }

  /** What of a Call, or its beginning, may go on now. */
  private byte[] mayPass(byte[] call) {
    return passing == null ? call : passing.takeReady();
  }

  private void forward(byte[] call, Verdict.Forward verdict, Route.Permitted way) {
    StreamConnections connections = parts.connections();
    orRefuseForRoom(
        call,
        session.settings().callsAlone()
            ? connections.isolate(
                call, verdict.header(), verdict.registry(), way, "as all of its session")
            : connections.forward(call, verdict.header(), verdict.registry(), way));
  }

  /** Its server does not take it at once, and there may be no room for it until it does. */
  private void orRefuseForRoom(byte[] call, boolean sent) {
    if (!sent) {
      parts.connections().permit(CallPermit.UNLIMITED);
      refusals.refuseForRoom(call);
    }
  }
}
