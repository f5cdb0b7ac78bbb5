package io.rmigate.gateway.stream;

import io.rmigate.gateway.gate.RequestGate;
import io.rmigate.gateway.gate.Verdict;
import io.rmigate.gateway.limit.CallLimiter;
import io.rmigate.gateway.limit.CallPermit;
import io.rmigate.gateway.limit.Lockouts;
import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.ClassSettings;
import io.rmigate.gateway.policy.JudgedMessage;
import io.rmigate.gateway.policy.Needs;
import io.rmigate.gateway.policy.Objection;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.route.Route;
import io.rmigate.gateway.route.SessionKnowledge;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.gateway.scan.ScanResult;
import io.rmigate.gateway.scan.StreamScanner;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.CallHeader;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.RefusalReason;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the login, the policy and the gate about each request of one stream, and does what they say:
 * sends it on, or refuses it.
 *
 * <pre>
 *   {@link RequestGathering} ──► this ──► {@link StreamConnections}
 *                           ├── {@link CollectorRequests}  leases that JVMs take by themselves
 *                           ├── {@link RegistryRequests}   operations and names
 *                           ├── {@link StreamedCall}       what is too long to be gathered
 *                           └── {@link RequestRefusals}    all that does not pass
 * </pre>
 *
 * <p>A reload may put another policy in force at any moment. Each request is judged by one, that of
 * the moment when all of it had come, or as much as is gathered: the way found then carries it
 * ({@link Route.Inside#policy}), and what is asked later asks that one, to the end of a request
 * that passes as it comes, and of its reply ({@link ReturnPath#judge}). How much is gathered was
 * said before, by the policy of then; by the one that judges it is asked again where it is less.
 * The one that says that a request is too long to be gathered is the one that judges it. What is
 * refused counts for the lockouts of now, which the next request asks.
 *
 * <p>Guarded by {@link OpenStream#lock()}.
 */
final class RequestJudge implements RequestGathering.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(RequestJudge.class);

  private static final byte[] NOTHING = {};

  /** Less than has come of any request of which it is asked. */
  private static final int PASS_AT_ONCE = 1;

  private final StreamSession session;
  private final SessionKnowledge knowledge;
  private final StreamParts parts;
  private final RequestDeadline deadline;
  private final Open open;
  private final RequestRefusals refusals;
  private final CollectorRequests collector;
  private final RegistryRequests registry;

  /** The way that all requests take, until policy changes or the session learns something. */
  private Route.Inside usualWay;

  private int usualVersion;

  /** Of the request of which it was asked last how much is gathered; null when that was refused. */
  private Route.Inside askedWay;

  /** Null before the first request that is scanned. */
  private StreamScanner.RequestScans scans;

  /** What knows that a method of the jars has been called here; null before. */
  private Lockouts knownBy;

  /** Null unless the request that is under way is one. */
  private StreamedCall passing;

  RequestJudge(StreamSession session, Open open, StreamParts parts, RequestDeadline deadline) {
    this.session = session;
    this.knowledge = session.knowledge();
    this.parts = parts;
    this.deadline = deadline;
    this.open = open;
    this.refusals = new RequestRefusals(session, parts, this::dropBeginning);
    this.collector = new CollectorRequests(session, open, parts.window(), refusals);
    this.registry =
        new RegistryRequests(parts.stream().target(), session.refusals().lockout(), refusals);
  }

  @Override
  public void onWhole(byte[] whole) {
    Route.Inside way = way(whole);
    if (way == null) {
      return;
    }
    if (whole.length == 0) {
      refusals.reject("expected a message, got an empty request", whole);
      return;
    }
    CallRules rules = way.permission().rules();
    byte[] request = CollectorRequests.isOne(whole) ? collector.permitted(way, whole) : whole;
    if (request == null) {
      return;
    }
    if (!rules.looks()) {
      Verdict verdict = RequestGate.judge(request, way.permission().registry());
      if (permitsHeader(way, verdict, request)) {
        apply(verdict, request, way);
      }
      return;
    }
    if (request.length > rules.callLimit()
        && !rules.streams()
        && !refusals.permits(rules, rules.tooLong(), request)) {
      return;
    }
    ScanResult seen = scansBy(rules.scanner()).scan(request, 0, request.length);
    Verdict verdict = RequestGate.judge(request, way.permission().registry(), seen::end);
    Optional<CallHeader> header = header(verdict);
    if (header.isEmpty()) {
      apply(verdict, request, way);
    } else if (permitsObject(way, header.get(), request)
        && refusals.permits(
            rules,
            rules.call(
                header.get(),
                seen,
                request,
                named -> knowledge.mightName(way.policy(), named),
                session.share().proxies().upTo(rules.proxyLimit())),
            request,
            objection ->
                rules.place(
                    objection,
                    header.get(),
                    request,
                    named -> knowledge.mightName(way.policy(), named)))) {
      seen.references().forEach(named -> knowledge.named(way.policy(), named));
      if (rules.learns() && seen.references().stream().anyMatch(knowledge::listensAt)) {
        refusals.learn(rules, List.of(Needs.callbacks()));
      }
      byte[] goesOn = rules.enforces() ? seen.dropped().without(request) : request;
      if (goesOn.length < request.length) {
        verdict = RequestGate.ofShortened(verdict, goesOn);
        parts.window().consumed(request.length - goesOn.length);
      }
      apply(rules.isOpaque(seen) ? alone(verdict) : verdict, goesOn, way);
    }
  }

  private StreamScanner.RequestScans scansBy(StreamScanner scanner) {
    if (scans == null || !scans.areBy(scanner)) {
      scans = scanner.requests(); // policy may bring other classes
    }
    return scans;
  }

  private boolean permitsObject(Route.Inside way, CallHeader header, byte[] request) {
    CallRules rules = way.permission().rules();
    EndpointId at = new EndpointId(open.host(), open.port());
    return refusals.permits(
        rules,
        rules.object(header.object(), object -> knowledge.mayCall(way.policy(), object, at)),
        request);
  }

  private static Optional<CallHeader> header(Verdict verdict) {
    if (verdict instanceof Verdict.Forward forward) {
      return Optional.of(forward.header());
    }
    return verdict instanceof Verdict.Isolate isolate
        ? Optional.of(isolate.header())
        : Optional.empty();
  }

  /** Whether a Call passes of which nothing else is looked into; if not it has been refused. */
  private boolean permitsHeader(Route.Inside way, Verdict verdict, byte[] request) {
    CallRules rules = way.permission().rules();
    Optional<CallHeader> header = rules.looks() ? header(verdict) : Optional.empty();
    return header.isEmpty()
        || (permitsObject(way, header.get(), request)
            && refusals.permits(rules, rules.header(header.get()), request));
  }

  /** What nobody has looked into may spell another Call, whatever the grammar says. */
  private static Verdict alone(Verdict verdict) {
    return verdict instanceof Verdict.Forward forward
        ? new Verdict.Isolate(forward.header(), forward.registry(), "it carries an opaque class")
        : verdict;
  }

  /** What a call takes that passes, apart from what it carries. */
  private void learn(
      CallHeader header, Optional<RegistryOperation> operation, byte[] call, Route.Inside way) {
    CallRules rules = way.permission().rules();
    if (!rules.learns()) {
      return;
    }
    EndpointId at = new EndpointId(open.host(), open.port());
    knowledge.routes().notes().reached(way.policy(), way, at);
    if (operation.isPresent()) {
      knowledge
          .routes()
          .notes()
          .asked(way.policy(), way, at, operation.get(), AuditedCall.boundName(call));
    } else if (!header.object().equals(ObjIdentifier.DGC)) {
      refusals.learn(rules, rules.needs(header, call));
    }
    refusals.learn(
        rules,
        passing == null
            ? Needs.length(call.length).stream().toList()
            : rules.takesLongByItself(header) ? List.of() : List.of(Needs.stream()));
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
    Route.Inside way = way(beginning);
    if (way == null) {
      parts.gathering().discardRest();
      return;
    }
    begin(way, beginning);
  }

  /** A request passes as it comes, if it passes. */
  private void begin(Route.Inside way, byte[] beginning) {
    CallRules rules = way.permission().rules();
    if (CollectorRequests.isOne(beginning)) {
      refusals.reject("expected no longer call to the collector", beginning);
      return;
    }
    Verdict verdict =
        RequestGate.judgeBeginning(beginning, beginning.length, way.permission().registry());
    Optional<CallHeader> header = header(verdict);
    boolean takesLong = rules.streams() || header.filter(rules::takesLong).isPresent();
    boolean isShort = beginning.length <= rules.callLimit();
    if (rules.looks() && !takesLong && isShort) {
      if (rules.enforces()) {
        refusals.refuseForRoom(beginning);
        return;
      }
    } else if (rules.looks()
        && !takesLong
        && !refusals.permits(rules, rules.tooLong(), beginning)) {
      return;
    }
    if (!permitsHeader(way, verdict, beginning)) {
      return;
    }
    if (rules.looks() && takesLong && header.isPresent()) {
      JudgedMessage judged =
          rules.longCall(
              header.get(),
              session.share().heldBytes(),
              session.share().claimed(),
              named -> knowledge.mayName(way.policy(), named),
              session.share().proxies().upTo(rules.proxyLimit()));
      List<Objection> objections = judged.more(ByteBuffer.wrap(beginning));
      if (objections.isEmpty() && rules.enforces() && !rules.streams() && !judged.isLong()) {
        objections = JudgedMessage.TOO_MUCH; // or all of it would be there before any of it passes
      }
      if (JudgedMessage.isForRoom(objections)) {
        judged.close();
        refusals.refuseForRoom(objections, beginning);
        return;
      }
      if (!refusals.permits(rules, objections, beginning, judged::place)) {
        judged.close();
        return;
      }
      passing = new StreamedCall(session, parts, refusals, judged, this::onStalled);
    }
    apply(verdict, beginning, way);
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

  /** It has been refused, and none of it has gone on. */
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
  private Route.Inside way(byte[] request) {
    if (session.standing().loginExpired()) {
      refusals.refuseEarly(
          "login-expired",
          request,
          RefusalReason.TARGET_NOT_PERMITTED,
          "rmigate: " + RefusalTexts.LOGIN_EXPIRED);
      return null;
    }
    if (session.audit().refusesWork()) {
      refusals.refuseEarly(
          "audit-full", request, RefusalReason.CONNECT_FAILED, "rmigate: " + RefusalTexts.NO_AUDIT);
      return null;
    }
    TargetPolicy policy = session.standing().policy();
    if (policy.lockouts().isOn(session.standing().caller())) {
      refusals.refuseEarly(
          "locked-out",
          request,
          RefusalReason.OPERATION_NOT_PERMITTED,
          session.refusals().lockout().text());
      return null;
    }
    if (deadline.isOver()) {
      parts.window().consumed(request.length);
      deadline.refuse(parts.gathering().request(), "it came too late");
      session.agent().flush();
      return null;
    }
    int version = knowledge.routes().version();
    if (usualWay != null && usualWay.policy() == policy && usualVersion == version) {
      return usualWay;
    }
    usualWay = null;
    Route route =
        knowledge.routes().route(policy, open.host(), open.port(), () -> objectOf(request));
    if (route instanceof Route.Inside inside) {
      if (inside.lasting()) {
        usualWay = inside;
        usualVersion = version;
      }
      return inside;
    }
    if (route instanceof Route.Ambiguous ambiguous) {
      Optional<Route.Inside> latest =
          parts
              .connections()
              .latestRoute()
              .flatMap(way -> knowledge.routes().again(policy, way, open.host(), open.port()));
      if (isForNoObject(request) && latest.isPresent()) {
        return latest.get();
      }
      refusals.refuseAmbiguous(request, ambiguous);
    } else {
      refusals.refuseTarget(request);
    }
    return null;
  }

  /** The object that is called or, by the collector's calls, named first. */
  private static Optional<ObjIdentifier> objectOf(byte[] request) {
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
  private static boolean isForNoObject(byte[] request) {
    return objectOf(request).isEmpty();
  }

  private void apply(Verdict verdict, byte[] bytes, Route.Inside way) {
    if (verdict instanceof Verdict.Forward forward) {
      if (mayCall(bytes)
          && registry.permits(forward.registry(), bytes, way.permission().rules())
          && isWithinLimits(bytes, way)) {
        noteMethod(forward.header(), way);
        learn(forward.header(), forward.registry(), bytes, way);
        forward(bytes, forward, way);
      }
    } else if (verdict instanceof Verdict.Acknowledge) {
      parts.connections().acknowledge(bytes, way);
    } else if (verdict instanceof Verdict.Isolate isolate) {
      if (mayCall(bytes)
          && registry.permits(isolate.registry(), bytes, way.permission().rules())
          && isWithinLimits(bytes, way)) {
        noteMethod(isolate.header(), way);
        learn(isolate.header(), isolate.registry(), bytes, way);
        boolean sent =
            parts
                .connections()
                .isolate(
                    mayPass(bytes), isolate.header(), isolate.registry(), way, isolate.reason());
        if (sent && passing != null) {
          passing.sent();
        }
        orRefuseForRoom(bytes, sent);
      }
    } else if (verdict instanceof Verdict.Deny deny) {
      registry.deny(deny, bytes);
    } else if (verdict instanceof Verdict.Reject reject) {
      refusals.reject(reject.reason(), bytes);
    } else {
      throw new AssertionError(verdict);
    }
  }

  /** Once for each stream: a target of which one method is known has others that are guessed. */
  private void noteMethod(CallHeader header, Route.Inside way) {
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

  /** Whether there may be another call, which then has begun; if not it has been refused. */
  private boolean isWithinLimits(byte[] call, Route.Inside way) {
    List<CallLimiter> limiters =
        way.policy().limiters(session.standing().caller(), way.permission());
    Optional<CallPermit.Refusal> tooMuch = CallPermit.refusal(limiters);
    if (tooMuch.isEmpty()) {
      parts.connections().permit(CallPermit.of(limiters, call.length));
      return true;
    }
    CallLimiter limiter = tooMuch.get().limiter();
    CallLimiter.Bound bound = tooMuch.get().bound();
    if (limiter.mayWriteLine()) {
      LOG.warn(
          "{}: calls of principal {} are refused by {}.{}; said at most once a minute",
          parts.stream().target(),
          session.standing().principal(),
          limiter,
          bound.key());
    }
    refusals.refuse(
        bound.word(),
        Refusal.of(limiter + "." + bound.key()),
        call,
        RefusalReason.CONNECT_FAILED,
        "rmigate: " + RefusalTexts.TOO_MUCH);
    return false;
  }

  private void forward(byte[] call, Verdict.Forward verdict, Route.Inside way) {
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

  private boolean mayCall(byte[] request) {
    if (parts.returns().awaiting()) {
      refusals.reject("expected no Call while another one has not been answered", request);
      return false;
    }
    return true;
  }
}
