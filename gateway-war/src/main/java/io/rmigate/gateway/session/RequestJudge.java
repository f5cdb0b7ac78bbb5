package io.rmigate.gateway.session;

import io.rmigate.gateway.mediator.RequestGate;
import io.rmigate.gateway.mediator.Verdict;
import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.Objection;
import io.rmigate.gateway.scan.ScanResult;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.CallHeader;
import io.rmigate.protocol.jrmp.DgcCall;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.RegistryOperation;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.Refused;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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

  private static final String NO_REGISTRY_OPERATION =
      "rmigate: this registry operation is not permitted by the gateway's policy";

  private static final List<Objection> TOO_LONG =
      List.of(
          new Objection(
              Objection.Rule.UNREADABLE, "it is longer than call-limit", "call-limit: 64MiB"));

  private final TunnelSession session;
  private final TunnelStream stream;
  private final Open open;

  /** The way that all requests take, until policy changes or the session learns something. */
  private Route.Inside usualWay;

  private TargetPolicy usualPolicy;
  private int usualVersion;

  RequestJudge(TunnelSession session, TunnelStream stream, Open open) {
    this.session = session;
    this.stream = stream;
    this.open = open;
  }

  @Override
  public void onWhole(byte[] request) {
    Route.Inside way = way(request);
    if (way == null) {
      return;
    }
    if (request.length == 0) {
      reject("expected a message, got an empty request", request);
      return;
    }
    CallRules rules = way.permission().rules();
    if (!rules.looks() || (request.length > rules.callLimit() && rules.streams())) {
      Verdict verdict = RequestGate.judge(request, way.permission().registry());
      if (permitsHeader(rules, verdict, request)) {
        apply(verdict, request, way);
      }
      return;
    }
    if (request.length > rules.callLimit() && !permits(rules, TOO_LONG, request)) {
      return;
    }
    ScanResult seen = rules.scanner().request(request, 0, request.length);
    Verdict verdict = RequestGate.judge(request, way.permission().registry(), seen::end);
    Optional<CallHeader> header = header(verdict);
    if (header.isEmpty()) {
      apply(verdict, request, way);
    } else if (permits(
            rules, rules.object(header.get().object(), session.received()::hasObject), request)
        && permits(rules, rules.call(header.get(), seen, request, session::mayName), request)) {
      apply(rules.isOpaque(seen) ? alone(verdict) : verdict, request, way);
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
        || (permits(
                rules, rules.object(header.get().object(), session.received()::hasObject), request)
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
      String principal = session.principal().name();
      objections.forEach(objection -> rules.learned().add(principal, stream.target(), objection));
      return true;
    }
    Objection first = objections.get(0);
    LOG.warn(
        "{}: call of principal {} refused: {}; {}",
        stream.target(),
        session.principal(),
        first.reason(),
        first.advice());
    session.lockout().onRefused(first);
    session.meters().refused(first.rule().toString());
    stream.audit().refused(first.rule().toString(), first.reason(), request);
    stream.gathering().discardRest();
    refuse(request.length, RefusalReason.OPERATION_NOT_PERMITTED, NO_CALL);
    return false;
  }

  @Override
  public int holdUpTo(byte[] beginning) {
    Route.Inside way = way(beginning);
    if (way == null) {
      return 0;
    }
    CallRules rules = way.permission().rules();
    return rules.looks() ? rules.callLimit() : session.maxHeldCallBytes();
  }

  @Override
  public void onHeld(int bytes) {
    stream.window().lend(bytes);
  }

  @Override
  public void onBeginning(byte[] beginning) {
    Route.Inside way = way(beginning);
    if (way == null) {
      stream.gathering().discardRest();
      return;
    }
    CallRules rules = way.permission().rules();
    if (rules.looks() && !rules.streams() && !permits(rules, TOO_LONG, beginning)) {
      return;
    }
    Verdict verdict =
        RequestGate.judgeBeginning(beginning, beginning.length, way.permission().registry());
    if (permitsHeader(rules, verdict, beginning)) {
      apply(verdict, beginning, way);
    }
  }

  @Override
  public void onRest(byte[] bytes) {
    stream.audit().more(bytes.length);
    stream.connections().sendIsolated(bytes);
  }

  @Override
  public void onDiscarded(int bytes) {
    stream.window().consumed(bytes);
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
    int version = session.routes().version();
    if (usualWay != null && usualPolicy == policy && usualVersion == version) {
      return usualWay;
    }
    usualWay = null;
    Route route = session.routes().route(policy, open.host(), open.port(), () -> objectOf(request));
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
      if (mayCall(bytes) && permitsName(forward.registry(), bytes, way.permission().rules())) {
        forward(bytes, forward, way);
      }
    } else if (verdict instanceof Verdict.Acknowledge) {
      stream.connections().acknowledge(bytes, way);
    } else if (verdict instanceof Verdict.Isolate isolate) {
      if (mayCall(bytes) && permitsName(isolate.registry(), bytes, way.permission().rules())) {
        stream
            .connections()
            .isolate(bytes, isolate.header(), isolate.registry(), way, isolate.reason());
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

  /** Whether the registry may be asked for that name; if not it has been refused. */
  private boolean permitsName(
      Optional<RegistryOperation> operation, byte[] request, CallRules rules) {
    if (operation.isEmpty() || !rules.limitsNames()) {
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
        name.map(text -> "\"" + text.replaceAll("\\p{Cntrl}", "?") + "\"").orElse("all names"),
        session.principal());
    session.meters().refused("registry-name");
    stream.audit().refused("registry-name", request);
    stream.gathering().discardRest();
    refuse(request.length, RefusalReason.OPERATION_NOT_PERMITTED, NO_REGISTRY_OPERATION);
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

  private void refuse(int bytes, RefusalReason reason, String text) {
    stream.window().consumed(bytes);
    session.outbound().add(new Refused(stream.id(), stream.gathering().request(), reason, text));
    session.flush();
  }

  /** Nothing of it goes to a server; the agent's side is told why the stream ends. */
  private void reject(String reason, byte[] request) {
    LOG.warn("{} of principal {}: bad request: {}", stream.target(), session.principal(), reason);
    session.meters().refused("bad-request");
    stream.audit().refused("bad-request", reason, request);
    stream.closeFromHere(CloseCause.BAD_REQUEST);
  }
}
