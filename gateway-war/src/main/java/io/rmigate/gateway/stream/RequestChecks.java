package io.rmigate.gateway.stream;

import io.rmigate.gateway.gate.GateCheck;
import io.rmigate.gateway.gate.GateRequest;
import io.rmigate.gateway.gate.RequestGate;
import io.rmigate.gateway.gate.Verdict;
import io.rmigate.gateway.limit.CallLimiter;
import io.rmigate.gateway.limit.CallPermit;
import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.JudgedMessage;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.policy.rule.RequiredPermissions;
import io.rmigate.gateway.route.Route;
import io.rmigate.gateway.route.SessionKnowledge;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.gateway.scan.ScanResult;
import io.rmigate.gateway.scan.SeenReference;
import io.rmigate.gateway.scan.StreamScanner;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.message.CallHeader;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.RefusalReason;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the {@link GateCheck}s about the requests of one stream, one request at a time, and
 * refuses a request that does not pass.
 *
 * <p>A request comes whole, or is so long that it passes while it comes: then the checks are asked
 * of its beginning, and {@link StreamedCall} goes on.
 *
 * <p>Guarded by {@link OpenStream#lock()}.
 */
final class RequestChecks implements GateRequest {
  private static final Logger LOG = LoggerFactory.getLogger(RequestJudge.class);

  private final StreamSession session;
  private final SessionKnowledge knowledge;
  private final StreamParts parts;
  private final RequestDeadline deadline;
  private final Open open;
  private final EndpointId at;
  private final RequestRefusals refusals;
  private final CollectorRequests collector;
  private final RegistryRequests registry;

  /** Takes a long Call, of which the beginning has been judged. */
  private final Consumer<JudgedMessage> pass;

  /** The way that all requests take, until policy changes or the session learns something. */
  private Route.Permitted usualWay;

  private int usualVersion;

  /** Scans of this stream's requests; null before the first request that is scanned. */
  private StreamScanner.RequestScans scans;

  // Asked about the request that is judged.

  private final Predicate<SeenReference> mightName = this::mightName;
  private final LongPredicate mayMakeProxy = this::mayMakeProxy;
  private final Function<Objection, String> place = this::place;

  // The request that is judged, until it is forgotten.

  /** The bytes of the request that have come, and that go on if it passes. */
  private byte[] request;

  private boolean isWhole;
  private TargetPolicy policy;

  /** The route of the request; null until it is known. */
  private Route.Permitted way;

  private Verdict verdict;

  /** The header of the Call; null when the request is no Call. */
  private CallHeader header;

  /** The result of the scan; null where rules do not scan the request. */
  private ScanResult seen;

  /**
   * @param pass takes a long Call, of which the beginning has been judged
   */
  RequestChecks(
      StreamSession session,
      Open open,
      StreamParts parts,
      RequestDeadline deadline,
      RequestRefusals refusals,
      Consumer<JudgedMessage> pass) {
    this.session = session;
    this.knowledge = session.knowledge();
    this.parts = parts;
    this.deadline = deadline;
    this.open = open;
    this.at = new EndpointId(open.host(), open.port());
    this.refusals = refusals;
    this.collector = new CollectorRequests(session, open, parts.window(), refusals);
    this.registry =
        new RegistryRequests(parts.stream().target(), session.refusals().lockout(), refusals);
    this.pass = pass;
  }

  /** The way of a request that begins so; null when the request has been refused. */
  Route.Permitted way(byte[] beginning) {
    forget();
    request = beginning;
    return GateCheck.passesBeginning(this) ? way : null;
  }

  /** Whether a whole request passes, of which {@link #way} was asked just now. */
  boolean passesWhole() {
    isWhole = true;
    return GateCheck.passesRest(this);
  }

  /**
   * Whether a request passes that is not gathered to its end.
   *
   * @param found the way that was found for its beginning
   */
  boolean passesBeginning(Route.Permitted found, byte[] beginning) {
    forget();
    way = found;
    request = beginning;
    judged(RequestGate.judgeBeginning(beginning, beginning.length, way.permission().registry()));
    return GateCheck.passesRest(this);
  }

  /** The verdict on the request that has passed. */
  Verdict verdict() {
    return verdict;
  }

  /** The bytes of the request that go on when it has passed. */
  byte[] request() {
    return request;
  }

  /** Forgets the request that was judged. */
  void forget() {
    request = null;
    isWhole = false;
    policy = null;
    way = null;
    verdict = null;
    header = null;
    seen = null;
  }

  private void judged(Verdict its) {
    verdict = its;
    header =
        its instanceof Verdict.Forward forward
            ? forward.header()
            : its instanceof Verdict.Isolate isolate ? isolate.header() : null;
  }

  private CallRules rules() {
    return way.permission().rules();
  }

  // The checks, in their order.

  @Override
  public boolean login() {
    if (!session.standing().loginExpired()) {
      return true;
    }
    refusals.refuseEarly(
        "login-expired",
        request,
        RefusalReason.TARGET_NOT_PERMITTED,
        "rmigate: " + RefusalTexts.LOGIN_EXPIRED);
    return false;
  }

  @Override
  public boolean audit() {
    if (!session.audit().refusesWork()) {
      return true;
    }
    refusals.refuseEarly(
        "audit-full", request, RefusalReason.CONNECT_FAILED, "rmigate: " + RefusalTexts.NO_AUDIT);
    return false;
  }

  @Override
  public boolean lockout() {
    policy = session.standing().policy();
    if (!policy.lockouts().isOn(session.standing().caller())) {
      return true;
    }
    refusals.refuseEarly(
        "locked-out",
        request,
        RefusalReason.OPERATION_NOT_PERMITTED,
        session.refusals().lockout().text());
    return false;
  }

  @Override
  public boolean deadline() {
    if (!deadline.isOver()) {
      return true;
    }
    parts.window().consumed(request.length);
    deadline.refuse(parts.gathering().request(), "it came too late");
    session.agent().flush();
    return false;
  }

  @Override
  public boolean route() {
    int version = knowledge.routes().version();
    if (usualWay != null && usualWay.policy() == policy && usualVersion == version) {
      way = usualWay;
      return true;
    }
    usualWay = null;
    byte[] begins = request;
    Route route =
        knowledge
            .routes()
            .route(policy, open.host(), open.port(), () -> CollectorRequests.objectOf(begins));
    if (route instanceof Route.Permitted inside) {
      if (inside.lasting()) {
        usualWay = inside;
        usualVersion = version;
      }
      way = inside;
      return true;
    }
    if (route instanceof Route.Ambiguous ambiguous) {
      Optional<Route.Permitted> latest =
          parts
              .connections()
              .latestRoute()
              .flatMap(
                  before -> knowledge.routes().again(policy, before, open.host(), open.port()));
      if (CollectorRequests.isForNoObject(request) && latest.isPresent()) {
        way = latest.get();
        return true;
      }
      refusals.refuseAmbiguous(request, ambiguous);
    } else {
      refusals.refuseTarget(request);
    }
    return false;
  }

  @Override
  public boolean collector() {
    if (!CollectorRequests.isOne(request)) {
      return true;
    }
    if (!isWhole) {
      refusals.reject("expected no longer call to the collector", request);
      return false;
    }
    byte[] permitted = collector.permitted(way, request);
    if (permitted == null) {
      return false;
    }
    request = permitted;
    return true;
  }

  @Override
  public boolean length() {
    CallRules rules = rules();
    if (!rules.looks() || takesLong()) {
      return true;
    }
    if (request.length > rules.callLimit()) {
      return refusals.permits(rules, rules.tooLong(), request);
    }
    if (!isWhole && rules.enforces()) {
      refusals.refuseForRoom(request);
      return false;
    }
    return true;
  }

  /** Whether the request may have any length. */
  private boolean takesLong() {
    return rules().streams() || (!isWhole && header != null && rules().takesLong(header));
  }

  @Override
  public boolean form() {
    if (isWhole && !judgeWhole()) {
      return false;
    }
    if (verdict instanceof Verdict.Deny deny) {
      registry.deny(deny, request);
      return false;
    }
    if (verdict instanceof Verdict.Reject reject) {
      refusals.reject(reject.reason(), request);
      return false;
    }
    return true;
  }

  /** Finds the end of a whole request; false when the request has been refused. */
  private boolean judgeWhole() {
    if (request.length == 0) {
      refusals.reject("expected a message, got an empty request", request);
      return false;
    }
    CallRules rules = rules();
    if (rules.looks()) {
      seen = scansBy(rules.scanner()).scan(request, 0, request.length);
      judged(RequestGate.judge(request, way.permission().registry(), seen::end));
    } else {
      judged(RequestGate.judge(request, way.permission().registry()));
    }
    return true;
  }

  private StreamScanner.RequestScans scansBy(StreamScanner scanner) {
    if (scans == null || !scans.areBy(scanner)) {
      scans = scanner.requests(); // policy may bring other classes
    }
    return scans;
  }

  @Override
  public boolean object() {
    CallRules rules = rules();
    if (!rules.looks() || header == null) {
      return true;
    }
    if (!rules.limitsObjects() || knowledge.mayCall(way.policy(), header.object(), at)) {
      return true;
    }
    return refusals.permits(rules, rules.object(header.object(), object -> false), request);
  }

  @Override
  public boolean contents() {
    if (!rules().looks() || header == null) {
      return true;
    }
    return isWhole ? permitsArguments() : permitsBeginning();
  }

  private boolean mightName(SeenReference named) {
    return knowledge.mightName(way.policy(), named);
  }

  private boolean mayMakeProxy(long hash) {
    return session.share().proxies().upTo(rules().proxyLimit()).test(hash);
  }

  private String place(Objection objection) {
    return rules().place(objection, header, request, mightName);
  }

  private boolean permitsArguments() {
    CallRules rules = rules();
    if (!refusals.permits(
        rules, rules.call(header, seen, request, mightName, mayMakeProxy), request, place)) {
      return false;
    }
    if (!seen.references().isEmpty()) {
      seen.references().forEach(named -> knowledge.named(way.policy(), named));
    }
    if (rules.learns() && seen.references().stream().anyMatch(knowledge::listensAt)) {
      refusals.learn(rules, List.of(RequiredPermissions.callbacks()));
    }
    byte[] goesOn = rules.enforces() ? seen.dropped().without(request) : request;
    if (goesOn.length < request.length) {
      verdict = RequestGate.ofShortened(verdict, goesOn);
      parts.window().consumed(request.length - goesOn.length);
    }
    verdict = rules.isOpaque(seen) ? alone(verdict) : verdict;
    request = goesOn;
    return true;
  }

  /** Bytes of an opaque class may form another Call that the grammar does not see. */
  private static Verdict alone(Verdict verdict) {
    return verdict instanceof Verdict.Forward forward
        ? new Verdict.Isolate(forward.header(), forward.registry(), "it carries an opaque class")
        : verdict;
  }

  private boolean permitsBeginning() {
    CallRules rules = rules();
    if (!refusals.permits(rules, rules.header(header), request)) {
      return false;
    }
    if (!takesLong()) {
      return true;
    }
    TargetPolicy by = way.policy();
    JudgedMessage judged =
        rules.longCall(
            header,
            session.share().room().heldBytes(),
            session.share().room().claimed(),
            named -> knowledge.mayName(by, named),
            session.share().proxies().upTo(rules.proxyLimit()));
    List<Objection> objections = judged.more(ByteBuffer.wrap(request));
    if (objections.isEmpty() && rules.enforces() && !rules.streams() && !judged.isLong()) {
      objections = JudgedMessage.TOO_MUCH; // or all of it would be there before any of it passes
    }
    if (JudgedMessage.isForRoom(objections)) {
      judged.close();
      refusals.refuseForRoom(objections, request);
      return false;
    }
    if (!refusals.permits(rules, objections, request, judged::place)) {
      judged.close();
      return false;
    }
    pass.accept(judged);
    return true;
  }

  @Override
  public boolean turn() {
    if (header == null || !parts.returns().awaiting()) {
      return true;
    }
    refusals.reject("expected no Call while another one has not been answered", request);
    return false;
  }

  @Override
  public boolean name() {
    return header == null || registry.permits(operation(), request, rules());
  }

  private Optional<RegistryOperation> operation() {
    return verdict instanceof Verdict.Forward forward
        ? forward.registry()
        : verdict instanceof Verdict.Isolate isolate ? isolate.registry() : Optional.empty();
  }

  @Override
  public boolean limit() {
    if (header == null) {
      return true;
    }
    List<CallLimiter> limiters =
        way.policy().limiters(session.standing().caller(), way.permission());
    Optional<CallPermit.Refusal> tooMuch = CallPermit.refusal(limiters);
    if (tooMuch.isEmpty()) {
      parts.connections().permit(CallPermit.of(limiters, request.length));
      return true;
    }
    CallLimiter limiter = tooMuch.get().limiter();
    CallLimiter.Bound bound = tooMuch.get().bound();
    if (limiter.mayWriteLine()) {
      LOG.warn(
          "{}: calls of principal {} are refused by {}.{}; logged at most once a minute",
          parts.stream().target(),
          session.standing().principal(),
          limiter,
          bound.key());
    }
    refusals.refuse(
        bound.word(),
        Refusal.of(limiter + "." + bound.key()),
        request,
        RefusalReason.CONNECT_FAILED,
        "rmigate: " + RefusalTexts.TOO_MUCH);
    return false;
  }
}
