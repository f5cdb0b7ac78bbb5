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
 * Puts each request of one stream to the {@link GateCheck}s, and sends the requests that pass.
 *
 * <pre>
 *   {@link RequestGathering} ──► this ──► {@link StreamConnections}
 *                           ├── {@link RequestChecks}      the checks, in their order
 *                           │     ├── {@link CollectorRequests}  leases that JVMs take by themselves
 *                           │     ├── {@link RegistryRequests}   operations and names
 *                           │     └── {@link RequestRefusals}    requests that do not pass
 *                           └── {@link StreamedCall}       calls too long to be gathered
 * </pre>
 *
 * <p>A reload may put another policy in force at any moment. One policy judges each request: the
 * policy in force when the whole request has come, or as much of it as the gateway gathers. The
 * route that this policy permits carries the policy along ({@link Route.Permitted#policy}). All
 * later decisions on the request use it, up to the last byte of a request that passes while it
 * comes, and of the Return ({@link ReturnPath#judge}).
 *
 * <p>The number of bytes to gather comes from the policy in force at the call of {@link #holdUpTo}.
 * A policy that calls a request too long to gather also judges this request. A policy that judges a
 * whole request also checks its length, because its limit may be lower.
 *
 * <p>A refusal counts towards the lockouts of the current policy; the next request checks them.
 *
 * <p>Guarded by {@link OpenStream#lock()}.
 */
final class RequestJudge implements RequestGathering.Listener {
  private static final byte[] NOTHING = {};

  /** A number of bytes to gather that every request exceeds, so that it passes at once. */
  private static final int PASS_AT_ONCE = 1;

  private final StreamSession session;
  private final StreamParts parts;
  private final EndpointId at;
  private final RequestRefusals refusals;
  private final RequestChecks checks;

  /** Route of the request for which the amount to gather was asked last; null if it was refused. */
  private Route.Permitted askedWay;

  /** Lockouts that know of a known method called here; null before. */
  private Lockouts knownBy;

  /** The call that passes while it comes; null if there is none. */
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

  /** Notes the permissions that a passing call needs, apart from those for its content. */
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

  /** Judges the beginning of a request that passes while it comes. */
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

  /** A long Call has been given up, because too few bytes of it came in time. */
  private void onStalled(StreamedCall stalled) {
    if (passing == stalled) {
      forgetPassing();
    }
  }

  /** Ends the long Call that is passing, if there is one. */
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

  /** Ends the judging, because the stream is over. */
  void close() {
    forgetPassing();
  }

  /** The route of a request, by its beginning; null when the request has been refused. */
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

  /** Tells the lockouts, once a stream, that a call here names a method that the jars have. */
  private void noteMethod(CallHeader header, Route.Permitted way) {
    Lockouts lockouts = way.policy().lockouts();
    if (knownBy != lockouts && way.permission().rules().explains(header)) {
      lockouts.onKnownMethod(session.standing().caller(), parts.stream().target());
      knownBy = lockouts;
    }
  }

  /** The bytes of a Call, or of its beginning, that may go on now. */
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

  /** Refuses a call that was not sent because there is no room until its server takes it. */
  private void orRefuseForRoom(byte[] call, boolean sent) {
    if (!sent) {
      parts.connections().permit(CallPermit.UNLIMITED);
      refusals.refuseForRoom(call);
    }
  }
}
