package io.rmigate.gateway.session;

import io.rmigate.gateway.mediator.RequestGate;
import io.rmigate.gateway.mediator.Verdict;
import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.ClassSettings;
import io.rmigate.gateway.policy.JudgedMessage;
import io.rmigate.gateway.policy.Needs;
import io.rmigate.gateway.policy.Objection;
import io.rmigate.gateway.scan.ScanResult;
import io.rmigate.gateway.scan.StreamScanner;
import io.rmigate.protocol.LogText;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.CallHeader;
import io.rmigate.protocol.jrmp.DgcCall;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.RegistryCall;
import io.rmigate.protocol.jrmp.RegistryOperation;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.Refused;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the login, the policy and the gate about each request of one stream, and does what they say:
 * sends it on, or tells the agent why not and the log how it could be allowed.
 *
 * <p>Guarded by {@link TunnelStream#lock()}.
 */
final class RequestJudge implements RequestGathering.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(RequestJudge.class);

  private static final String NO_CALL =
      "rmigate: this call is not permitted by the gateway's policy";

  /** Tells nobody more than what he has been told before. */
  static final String NOT_GIVEN =
      "rmigate: no server has given this session the object that is called, as far as the gateway"
          + " knows; look it up anew (received-objects in the gateway's configuration)";

  static final String NO_REGISTRY_OPERATION =
      "rmigate: this registry operation is not permitted by the gateway's policy";

  /** Of the most objects that one may name, and more. */
  private static final int MAX_COLLECTOR_CALL_BYTES = 512 * 1024;

  private static final byte[] NOTHING = {};

  private final TunnelSession session;
  private final SessionKnowledge knowledge;
  private final TunnelStream stream;
  private final Open open;

  /** The way that all requests take, until policy changes or the session learns something. */
  private Route.Inside usualWay;

  private TargetPolicy usualPolicy;
  private int usualVersion;

  /** Null before the first request that is scanned. */
  private StreamScanner.RequestScans scans;

  /** A Call that is too long to be gathered, and is looked into as it passes; else null. */
  private JudgedMessage passing;

  RequestJudge(TunnelSession session, TunnelStream stream, Open open) {
    this.session = session;
    this.knowledge = session.knowledge();
    this.stream = stream;
    this.open = open;
  }

  @Override
  public void onWhole(byte[] whole) {
    Route.Inside way = way(whole);
    if (way == null) {
      return;
    }
    if (whole.length == 0) {
      reject("expected a message, got an empty request", whole);
      return;
    }
    CallRules rules = way.permission().rules();
    byte[] request = isForCollector(whole) ? collectorCall(rules, whole) : whole;
    if (request == null) {
      return;
    }
    if (!rules.looks()) {
      Verdict verdict = RequestGate.judge(request, way.permission().registry());
      if (permitsHeader(rules, verdict, request)) {
        apply(verdict, request, way);
      }
      return;
    }
    if (request.length > rules.callLimit()
        && !rules.streams()
        && !permits(rules, rules.tooLong(), request)) {
      return;
    }
    ScanResult seen = scansBy(rules.scanner()).scan(request, 0, request.length);
    Verdict verdict = RequestGate.judge(request, way.permission().registry(), seen::end);
    Optional<CallHeader> header = header(verdict);
    if (header.isEmpty()) {
      apply(verdict, request, way);
    } else if (permits(rules, rules.object(header.get().object(), this::hasObject), request)
        && permits(rules, rules.call(header.get(), seen, request, knowledge::mightName), request)) {
      seen.references().forEach(knowledge::named);
      if (rules.learns() && seen.references().stream().anyMatch(knowledge::listensAt)) {
        learn(rules, List.of(Needs.callbacks()));
      }
      apply(rules.isOpaque(seen) ? alone(verdict) : verdict, request, way);
    }
  }

  private StreamScanner.RequestScans scansBy(StreamScanner scanner) {
    if (scans == null || !scans.areBy(scanner)) {
      scans = scanner.requests(); // policy may bring other classes
    }
    return scans;
  }

  private boolean hasObject(ObjIdentifier object) {
    return knowledge.mayCall(object, new EndpointId(open.host(), open.port()));
  }

  private static boolean isForCollector(byte[] request) {
    return DgcCall.isForCollector(request, 0, request.length);
  }

  /** All callers together hold too much, or this one does. */
  private void refuseForRoom(byte[] beginning) {
    warnOfRoom();
    refuse("no-room", beginning, RefusalReason.CONNECT_FAILED, "rmigate: " + TunnelSession.NO_ROOM);
  }

  private void warnOfRoom() {
    LOG.warn(
        "{}: call of principal {} refused: {}",
        stream.target(),
        session.principal(),
        JudgedMessage.MORE_ROOM);
  }

  /** A call of the collector as it passes; null when it has been refused. */
  private byte[] collectorCall(CallRules rules, byte[] whole) {
    byte[] request = ofGivenObjects(rules, whole);
    return request != null && permitsLeases(request) ? request : null;
  }

  /**
   * Takes out the objects of which no lease may be taken, for a JVM names what it holds in one call
   * with what it was once refused: it would lose all. Null when nothing is left and it has been
   * refused.
   */
  private byte[] ofGivenObjects(CallRules rules, byte[] whole) {
    Optional<DgcCall.Dirty> dirty =
        rules.looks() && rules.limitsObjects() ? dirty(whole) : Optional.empty();
    Set<ObjIdentifier> given = new LinkedHashSet<>();
    List<Objection> objections = List.of();
    for (ObjIdentifier object : dirty.map(DgcCall::objects).orElse(List.of())) {
      List<Objection> own =
          objections.isEmpty() || hasObject(object)
              ? rules.object(object, this::hasObject)
              : objections; // the first one stands for all
      if (own.isEmpty()) {
        given.add(object);
      } else if (!rules.enforces()) {
        learn(rules, own); // as any other would be
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
      permits(rules, objections, whole); // that is, refuses
      return null;
    }
    noteRefusal(rules, objections.get(0), whole);
    stream.window().consumed(whole.length - rest.length);
    return rest;
  }

  /** Whether a call of the collector passes; if not it has been refused. */
  private boolean permitsLeases(byte[] request) {
    EndpointId at = new EndpointId(open.host(), open.port());
    Optional<String> objection = session.collectorCalls().objection(at, request);
    if (objection.isEmpty()) {
      noteHeld(at, request);
      return true;
    }
    LOG.warn(
        "{}: call of principal {} to the collector refused: {}",
        stream.target(),
        session.principal(),
        LogText.brief(objection.get()));
    session.lockout().onRefusedCollectorCall(objection.get());
    refuse("collector-call", request, RefusalReason.OPERATION_NOT_PERMITTED, NO_CALL);
    return false;
  }

  /** What JVMs hold by calls of their own they keep no less than what an agent declares. */
  private void noteHeld(EndpointId at, byte[] call) {
    collectorCall(call)
        .ifPresent(
            read -> {
              boolean dirty = read instanceof DgcCall.Dirty;
              for (ObjIdentifier object : read.objects()) {
                if (dirty) {
                  knowledge.onHeld(at, object);
                } else if (!session.collectorCalls().isHeld(at, object)) { // by another JVM
                  knowledge.onDropped(at, object);
                }
              }
            });
  }

  private static Optional<DgcCall.Dirty> dirty(byte[] call) {
    return collectorCall(call)
        .filter(DgcCall.Dirty.class::isInstance)
        .map(DgcCall.Dirty.class::cast);
  }

  private static Optional<DgcCall> collectorCall(byte[] call) {
    try {
      return DgcCall.decode(call, 0, call.length);
    } catch (ProtocolViolationException others) {
      return Optional.empty(); // it is refused for that
    }
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
  private boolean permitsHeader(CallRules rules, Verdict verdict, byte[] request) {
    Optional<CallHeader> header = rules.looks() ? header(verdict) : Optional.empty();
    return header.isEmpty()
        || (permits(rules, rules.object(header.get().object(), this::hasObject), request)
            && permits(rules, rules.header(header.get()), request));
  }

  /** What nobody has looked into may spell another Call, whatever the grammar says. */
  private static Verdict alone(Verdict verdict) {
    return verdict instanceof Verdict.Forward forward
        ? new Verdict.Isolate(forward.header(), forward.registry(), "it carries an opaque class")
        : verdict;
  }

  /** Whether a Call passes; if not it has been refused. */
  private boolean permits(CallRules rules, List<Objection> objections, byte[] request) {
    if (objections.isEmpty()) {
      return true;
    }
    if (!rules.enforces()) {
      learn(rules, objections);
      return true;
    }
    Objection first = objections.get(0);
    noteRefusal(rules, first, request);
    stream.gathering().discardRest();
    refuse(
        request.length,
        RefusalReason.OPERATION_NOT_PERMITTED,
        first.rule() == Objection.Rule.OBJECT ? NOT_GIVEN : NO_CALL);
    return false;
  }

  private void learn(CallRules rules, List<Objection> objections) {
    String principal = session.principal().name();
    objections.forEach(objection -> rules.learned().add(principal, stream.target(), objection));
  }

  /** What a call takes that passes, apart from what it carries. */
  private void learn(
      CallHeader header, Optional<RegistryOperation> operation, byte[] call, Route.Inside way) {
    CallRules rules = way.permission().rules();
    if (!rules.learns()) {
      return;
    }
    EndpointId at = new EndpointId(open.host(), open.port());
    knowledge.routes().learnReached(session.policy(), way, at);
    if (operation.isPresent()) {
      knowledge
          .routes()
          .learnAsked(session.policy(), way, at, operation.get(), AuditedCall.boundName(call));
    } else if (!header.object().equals(ObjIdentifier.DGC)) {
      learn(rules, rules.needs(header, call));
    }
    learn(
        rules,
        passing == null ? Needs.length(call.length).stream().toList() : List.of(Needs.stream()));
  }

  private void noteRefusal(CallRules rules, Objection first, byte[] request) {
    LOG.warn(
        "{}: call of principal {} refused: {}; {}",
        stream.target(),
        session.principal(),
        first.reason(),
        rules.advice(first));
    session.lockout().onRefused(first);
    session.meters().refused(first.rule().toString());
    stream.audit().refused(first, request);
  }

  @Override
  public int holdUpTo(byte[] beginning) {
    Route.Inside way = way(beginning);
    if (way == null) {
      return 0;
    }
    CallRules rules = way.permission().rules();
    if (!rules.looks()) {
      return isForCollector(beginning) ? MAX_COLLECTOR_CALL_BYTES : session.maxHeldCallBytes();
    }
    return rules.streams()
        ? Math.min(rules.callLimit(), ClassSettings.CALL_LIMIT)
        : rules.callLimit();
  }

  @Override
  public void onNoRoom(byte[] beginning) {
    refuseForRoom(beginning);
  }

  @Override
  public boolean mayHold(int bytes) {
    return stream.window().lend(bytes);
  }

  @Override
  public void onBeginning(byte[] beginning) {
    Route.Inside way = way(beginning);
    if (way == null) {
      stream.gathering().discardRest();
      return;
    }
    CallRules rules = way.permission().rules();
    if (isForCollector(beginning)) {
      reject("expected no longer call to the collector", beginning);
      return;
    }
    if (rules.looks() && !rules.streams() && beginning.length <= rules.callLimit()) {
      if (rules.enforces()) {
        refuseForRoom(beginning);
        return;
      }
    } else if (rules.looks() && !rules.streams() && !permits(rules, rules.tooLong(), beginning)) {
      return;
    }
    Verdict verdict =
        RequestGate.judgeBeginning(beginning, beginning.length, way.permission().registry());
    if (!permitsHeader(rules, verdict, beginning)) {
      return;
    }
    Optional<CallHeader> header = header(verdict);
    if (rules.looks() && rules.streams() && header.isPresent()) {
      JudgedMessage judged = rules.longCall(header.get(), session.heldBytes(), knowledge::mayName);
      List<Objection> objections = judged.more(ByteBuffer.wrap(beginning));
      if (JudgedMessage.isForRoom(objections)) {
        judged.close();
        refuseForRoom(beginning);
        return;
      }
      if (!permits(rules, objections, beginning)) {
        judged.close();
        return;
      }
      passing = judged;
    }
    apply(verdict, beginning, way);
  }

  /**
   * More of a long Call. What may not pass ends the call when part of it has reached the server,
   * which has begun to read; the connection ends with it, so that nothing is ever behind that part.
   */
  @Override
  public void onRest(byte[] bytes) {
    stream.audit().more(bytes.length);
    stream.connections().permit().carried(bytes.length);
    if (passing == null) {
      stream.connections().sendIsolated(bytes);
      return;
    }
    List<Objection> objections = passing.more(ByteBuffer.wrap(bytes));
    boolean enforced = passing.rules().enforces();
    if (enforced && objections.isEmpty()) {
      int kept = bytes.length - passing.ready();
      objections = kept <= 0 || stream.window().lend(kept) ? objections : JudgedMessage.TOO_MUCH;
    }
    if (enforced && JudgedMessage.isForRoom(objections)) {
      warnOfRoom();
      session.meters().refused("no-room");
      stream.audit().refusedLater("no-room", "too much is held");
      stream.closeFromHere(CloseCause.NO_ROOM);
      return;
    }
    if (enforced && !objections.isEmpty()) {
      noteRefusal(passing.rules(), objections.get(0), NOTHING);
      stream.closeFromHere(CloseCause.NOT_PERMITTED);
      return;
    }
    learn(passing.rules(), objections);
    byte[] ready = passing.takeReady();
    if (ready.length > 0) {
      stream.connections().sendIsolated(ready);
    }
  }

  @Override
  public void onDiscarded(int bytes) {
    forgetPassing();
    stream.window().consumed(bytes);
  }

  @Override
  public void onOver() {
    if (passing != null && !passing.mayEnd() && passing.rules().enforces()) {
      end("expected a whole message, got only a beginning", NOTHING); // a client may just die
    }
    forgetPassing();
  }

  /** No more of the long Call goes on. */
  private void forgetPassing() {
    if (passing != null) {
      stream.window().consumed(passing.held());
      passing.close();
      passing = null;
    }
  }

  /** The stream is over. */
  void close() {
    forgetPassing();
  }

  /** Where a request goes that begins so; when null, it has been refused. */
  private Route.Inside way(byte[] request) {
    if (session.loginExpired()) {
      session.meters().refused("login-expired");
      stream.audit().refused("login-expired", request);
      refuse(
          request.length,
          RefusalReason.TARGET_NOT_PERMITTED,
          "rmigate: " + TunnelSession.LOGIN_EXPIRED);
      return null;
    }
    if (session.audit().refusesWork()) {
      session.meters().refused("audit-full");
      stream.audit().refused("audit-full", request);
      refuse(request.length, RefusalReason.CONNECT_FAILED, "rmigate: " + TunnelSession.NO_AUDIT);
      return null;
    }
    if (session.lockout().isOn()) {
      session.meters().refused("locked-out");
      stream.audit().refused("locked-out", request);
      refuse(request.length, RefusalReason.OPERATION_NOT_PERMITTED, NO_CALL);
      return null;
    }
    if (stream.deadline().isOver()) {
      stream.window().consumed(request.length);
      stream.deadline().refuse(stream.gathering().request(), "it came too late");
      session.flush();
      return null;
    }
    TargetPolicy policy = session.policy();
    int version = knowledge.routes().version();
    if (usualWay != null && usualPolicy == policy && usualVersion == version) {
      return usualWay;
    }
    usualWay = null;
    Route route =
        knowledge.routes().route(policy, open.host(), open.port(), () -> objectOf(request));
    if (route instanceof Route.Inside inside) {
      if (inside.lasting()) {
        usualWay = inside;
        usualPolicy = policy;
        usualVersion = version;
      }
      return inside;
    }
    if (route instanceof Route.Ambiguous ambiguous) {
      Optional<Route.Inside> latest = stream.connections().latestRoute();
      if (isForNoObject(request) && latest.isPresent()) {
        return latest.get();
      }
      stream.audit().refused("ambiguous-endpoint", request);
      refuseAmbiguous(request.length, ambiguous);
    } else {
      stream.audit().refused("target", request);
      refuseTarget(request.length);
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
          && isAsRegistriesReadIt(forward.registry(), bytes)
          && permitsName(forward.registry(), bytes, way.permission().rules())
          && isWithinLimits(bytes, way.permission())) {
        learn(forward.header(), forward.registry(), bytes, way);
        forward(bytes, forward, way);
      }
    } else if (verdict instanceof Verdict.Acknowledge) {
      stream.connections().acknowledge(bytes, way);
    } else if (verdict instanceof Verdict.Isolate isolate) {
      if (mayCall(bytes)
          && isAsRegistriesReadIt(isolate.registry(), bytes)
          && permitsName(isolate.registry(), bytes, way.permission().rules())
          && isWithinLimits(bytes, way.permission())) {
        learn(isolate.header(), isolate.registry(), bytes, way);
        stream
            .connections()
            .isolate(mayPass(bytes), isolate.header(), isolate.registry(), way, isolate.reason());
      }
    } else if (verdict instanceof Verdict.Deny deny) {
      stream.audit().refused("registry-operation", bytes);
      deny(deny, bytes.length);
    } else if (verdict instanceof Verdict.Reject reject) {
      reject(reject.reason(), bytes);
    } else {
      throw new AssertionError(verdict);
    }
  }

  /**
   * Whether a question to a registry has its one argument, a string and nothing else, or none; if
   * not it has been refused. Registries before JDK 8u121 read whatever object stands there
   * (CVE-2017-3241).
   */
  private boolean isAsRegistriesReadIt(Optional<RegistryOperation> operation, byte[] request) {
    if (operation.isEmpty() || bringsAnObject(operation.get())) {
      return true;
    }
    try {
      Optional<RegistryCall> call = RegistryCall.decode(request, 0, request.length);
      if (operation.get() == RegistryOperation.LIST || call.get().name().isPresent()) {
        return true;
      }
    } catch (ProtocolViolationException others) {
      LOG.debug("{}: {}", stream.target(), others.getMessage());
    }
    LOG.warn(
        "{}: {} of principal {} refused: its argument is not just a name",
        stream.target(),
        operation.get(),
        session.principal());
    session.lockout().onMalformed("argument of " + operation.get(), request);
    refuse(
        "registry-argument", request, RefusalReason.OPERATION_NOT_PERMITTED, NO_REGISTRY_OPERATION);
    return false;
  }

  private static boolean bringsAnObject(RegistryOperation operation) {
    return operation == RegistryOperation.BIND || operation == RegistryOperation.REBIND;
  }

  /** Whether the registry may be asked for that name; if not it has been refused. */
  private boolean permitsName(
      Optional<RegistryOperation> operation, byte[] request, CallRules rules) {
    if (operation.isEmpty()
        || !rules.limitsNames()
        || (operation.get() == RegistryOperation.LIST && rules.looks())) { // names go on the way
      return true;
    }
    Optional<String> name = AuditedCall.boundName(request);
    if (rules.permitsName(name)) {
      return true;
    }
    LOG.warn(
        "{}: {} of {} refused to principal {}; to allow it add it to names in a targets entry",
        stream.target(),
        operation.get(),
        name.map(text -> "\"" + LogText.brief(text) + "\"").orElse("all names"),
        session.principal());
    name.ifPresent(session.lockout()::onRefusedName);
    refuse("registry-name", request, RefusalReason.OPERATION_NOT_PERMITTED, NO_REGISTRY_OPERATION);
    return false;
  }

  /** What of a Call, or its beginning, may go on now. */
  private byte[] mayPass(byte[] call) {
    return passing == null ? call : passing.takeReady();
  }

  /** Whether there may be another call, which then has begun; if not it has been refused. */
  private boolean isWithinLimits(byte[] call, TargetPolicy.Permission permission) {
    List<CallLimiter> limiters = session.policy().limiters(session.caller(), permission);
    Optional<CallPermit.Refusal> tooMuch = CallPermit.refusal(limiters);
    if (tooMuch.isEmpty()) {
      stream.connections().permit(CallPermit.of(limiters, call.length));
      return true;
    }
    CallLimiter limiter = tooMuch.get().limiter();
    CallLimiter.Bound bound = tooMuch.get().bound();
    if (limiter.mayWriteLine()) {
      LOG.warn(
          "{}: calls of principal {} are refused by {}.{}; said at most once a minute",
          stream.target(),
          session.principal(),
          limiter,
          bound.key());
    }
    refuse(bound.word(), call, RefusalReason.CONNECT_FAILED, "rmigate: " + TunnelSession.TOO_MUCH);
    return false;
  }

  private void forward(byte[] call, Verdict.Forward verdict, Route.Inside way) {
    StreamConnections connections = stream.connections();
    if (session.callsAlone()) {
      connections.isolate(call, verdict.header(), verdict.registry(), way, "as all of its session");
    } else {
      connections.forward(call, verdict.header(), verdict.registry(), way);
    }
  }

  private boolean mayCall(byte[] request) {
    if (stream.returns().awaiting()) {
      reject("expected no Call while another one has not been answered", request);
      return false;
    }
    return true;
  }

  private void deny(Verdict.Deny deny, int bytes) {
    LOG.warn(
        "{}: {} of principal {} refused; to allow it add \"registry: [{}]\" to a targets entry",
        stream.target(),
        deny.operation(),
        session.principal(),
        deny.operation().name().toLowerCase(Locale.ROOT));
    session.lockout().onRefusedOperation(deny.operation(), stream.target());
    session.meters().refused("registry-operation");
    stream.gathering().discardRest();
    refuse(bytes, RefusalReason.OPERATION_NOT_PERMITTED, NO_REGISTRY_OPERATION);
  }

  private void refuseTarget(int bytes) {
    LOG.warn(
        "target {} refused to principal {}; to allow it add \"allow: ['{}']\" to a targets entry",
        stream.target(),
        session.principal(),
        stream.target());
    session.lockout().onRefusedTarget(stream.target());
    session.meters().refused("target");
    refuse(
        bytes,
        RefusalReason.TARGET_NOT_PERMITTED,
        "rmigate: " + stream.target() + " is not permitted by the gateway's policy");
  }

  private void refuseAmbiguous(int bytes, Route.Ambiguous ambiguous) {
    LOG.warn(
        "{}: refused to principal {}: this is what servers on {} call themselves, and which of"
            + " them has this object is not known; set java.rmi.server.hostname there",
        stream.target(),
        session.principal(),
        ambiguous.places());
    session.meters().refused("ambiguous-endpoint");
    refuse(
        bytes,
        RefusalReason.CONNECT_FAILED,
        "rmigate: several servers call themselves "
            + stream.target()
            + ", and which one is meant is not known");
  }

  /**
   * Nothing of it goes to a server, and its rest is dropped.
   *
   * @param word for metrics and audit
   */
  private void refuse(String word, byte[] request, RefusalReason reason, String text) {
    session.meters().refused(word);
    stream.audit().refused(word, request);
    stream.gathering().discardRest();
    refuse(request.length, reason, text);
  }

  private void refuse(int bytes, RefusalReason reason, String text) {
    if (passing != null) { // its beginning, of which nothing has gone on
      passing.close();
      passing = null;
    }
    session.onRefused();
    stream.window().consumed(bytes);
    session.outbound().add(new Refused(stream.id(), stream.gathering().request(), reason, text));
    session.flush();
  }

  /** Nothing of it goes to a server; the agent's side is told why the stream ends. */
  private void reject(String reason, byte[] request) {
    session.lockout().onMalformed(reason, request);
    end(reason, request);
  }

  private void end(String reason, byte[] request) {
    LOG.warn(
        "{} of principal {}: bad request: {}",
        stream.target(),
        session.principal(),
        LogText.brief(reason));
    session.meters().refused("bad-request");
    session.onRefused();
    stream.audit().refused("bad-request", reason, request);
    stream.closeFromHere(CloseCause.BAD_REQUEST);
  }
}
