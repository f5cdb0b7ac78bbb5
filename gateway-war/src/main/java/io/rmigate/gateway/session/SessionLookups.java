package io.rmigate.gateway.session;

import io.rmigate.gateway.audit.AuditEntry;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditField;
import io.rmigate.gateway.audit.AuditOutcome;
import io.rmigate.gateway.limit.CallLimiter;
import io.rmigate.gateway.limit.CallPermit;
import io.rmigate.gateway.lookup.BindingHolder;
import io.rmigate.gateway.lookup.RegistryWatch;
import io.rmigate.gateway.lookup.Subscriptions;
import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.policy.WholeReply;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.gateway.route.AskedRegistry;
import io.rmigate.gateway.route.RegistryPlace;
import io.rmigate.gateway.route.Route;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.gateway.stream.RefusalTexts;
import io.rmigate.gateway.stream.SessionAudit;
import io.rmigate.protocol.LogText;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.LiveReference;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import io.rmigate.protocol.tunnel.Bound;
import io.rmigate.protocol.tunnel.Forgot;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Lookup;
import io.rmigate.protocol.tunnel.RegistryName;
import io.rmigate.protocol.tunnel.Unbound;
import io.rmigate.protocol.tunnel.UnboundReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one session's agent looks up and holds. A lookup is permitted here exactly as over a stream.
 *
 * <p>Threads: frames come from the edge; the watch calls back from anywhere, under its lock. {@code
 * lock} guards what waits for the welcome; it is taken under the watch's.
 */
final class SessionLookups implements BindingHolder {
  /** For lookups that are permitted, or whose refusal is not reported. */
  private static final Refusal NOT_REFUSED = new Refusal("", "", "");

  private static final Logger LOG = LoggerFactory.getLogger(SessionLookups.class);

  private final SessionContext session;
  private final RegistryWatch watch;
  private final Subscriptions subscriptions = new Subscriptions(this);

  /** The session has ended: it may see nothing, and nothing is sent. */
  private volatile boolean over;

  private final ReentrantLock lock = new ReentrantLock();

  /** Frames to send after the welcome; null from then on. */
  private List<Frame> untilWelcome = new ArrayList<>();

  /** The state on which {@link #maySee} depends. */
  private record View(TargetPolicy policy, int learnt, boolean loginExpired, boolean over) {}

  SessionLookups(SessionContext session, RegistryWatch watch) {
    this.session = session;
    this.watch = watch;
  }

  /**
   * What the agent is going to look up. What is permitted and known goes out behind the welcome;
   * nothing is said of the rest, which the agent may ask for as ever.
   *
   * @param configured by the configuration
   * @param asked by the agent's own words: these count as its lookups
   * @return how many bindings that are
   */
  int preload(Set<RegistryName> configured, Set<RegistryName> asked) {
    if (session.refusals().lockout().isOn() || session.audit().refusesWork()) {
      return 0;
    }
    Map<RegistryName, Target> wanted = new LinkedHashMap<>();
    for (RegistryName name : configured) {
      Optional<Route.Permitted> inside = permission(name);
      // Who is told beforehand does not ask, and that is what mode learn wants to know.
      if (inside.isPresent() && !inside.get().permission().rules().learns()) {
        audit(name, "", NOT_REFUSED);
        wanted.put(name, target(inside.get()));
      }
    }
    for (RegistryName name : asked) {
      if (!wanted.containsKey(name)) {
        preloadTarget(name).ifPresent(target -> wanted.put(name, target));
      }
    }
    watch.preload(subscriptions, wanted);
    lock.lock();
    try {
      return (int) untilWelcome.stream().filter(Bound.class::isInstance).count();
    } finally {
      lock.unlock();
    }
  }

  /** Where a name is looked up that the agent has asked to be told of; empty when it may not be. */
  private Optional<Target> preloadTarget(RegistryName name) {
    Optional<Route.Permitted> inside = permission(name);
    if (inside.isEmpty()) {
      audit(
          name,
          route(name) instanceof Route.Permitted way ? refusedBy(way) : "target",
          Refusal.of(
              "the agent's key preload has this name, and the principal may not look it up"));
      return Optional.empty();
    }
    Optional<CallPermit.Refusal> tooMuch = tooMuch(inside.get());
    audit(
        name,
        tooMuch.map(refusal -> refusal.bound().word()).orElse(""),
        tooMuch.isPresent() ? Refusal.of(RefusalTexts.TOO_MUCH) : NOT_REFUSED);
    if (tooMuch.isPresent()) {
      return Optional.empty();
    }
    learn(name, inside.get());
    return Optional.of(target(inside.get()));
  }

  private Optional<Route.Permitted> permission(RegistryName name) {
    return route(name) instanceof Route.Permitted inside
            && inside.permission().mayLookUp(name.name())
        ? Optional.of(inside)
        : Optional.empty();
  }

  /** The welcome has been sent: what has been told meanwhile may follow. */
  void onWelcomed() {
    lock.lock();
    try {
      untilWelcome.forEach(session.agent()::add);
      untilWelcome = null;
    } finally {
      lock.unlock();
    }
  }

  void onLookup(Lookup lookup) {
    if (session.standing().loginExpired()) {
      refuse(
          lookup,
          "login-expired",
          UnboundReason.TARGET_NOT_PERMITTED,
          "rmigate: " + RefusalTexts.LOGIN_EXPIRED);
      return;
    }
    if (session.audit().refusesWork()) {
      refuse(
          lookup, "audit-full", UnboundReason.CONNECT_FAILED, "rmigate: " + RefusalTexts.NO_AUDIT);
      return;
    }
    if (session.refusals().lockout().isOn()) {
      refuse(
          lookup,
          "locked-out",
          UnboundReason.OPERATION_NOT_PERMITTED,
          session.refusals().lockout().text());
      return;
    }
    Route route = route(lookup.name());
    String target = Objection.printable(lookup.name().registry().toString());
    if (route instanceof Route.Ambiguous) {
      refuse(
          lookup,
          "ambiguous-endpoint",
          UnboundReason.CONNECT_FAILED,
          "rmigate: several servers call themselves by this name, and which one is meant is not"
              + " known");
    } else if (!(route instanceof Route.Permitted inside)) {
      session.refusals().lockout().onRefusedTarget(lookup.name().registry().toString());
      Refusal refusal =
          logRefusal(lookup.name(), "target " + target, "\"allow: ['" + target + "']\"");
      refuse(
          lookup,
          "target",
          refusal,
          UnboundReason.TARGET_NOT_PERMITTED,
          "rmigate: " + target + " is not permitted by the gateway's policy");
    } else if (!inside.permission().mayLookUp(lookup.name().name())) {
      Refusal refusal;
      if (inside.permission().registry().contains(RegistryOperation.LOOKUP)) {
        session.refusals().lockout().onRefusedName(lookup.name().name());
        refusal =
            logRefusal(
                lookup.name(),
                "name \"" + LogText.brief(lookup.name().name()) + "\"",
                "it to names");
      } else {
        session
            .refusals()
            .lockout()
            .onRefusedOperation(RegistryOperation.LOOKUP, lookup.name().registry().toString());
        refusal = logRefusal(lookup.name(), "registry operation lookup", "\"registry: [lookup]\"");
      }
      refuse(
          lookup,
          refusedBy(inside),
          refusal,
          UnboundReason.OPERATION_NOT_PERMITTED,
          RefusalTexts.NO_REGISTRY_OPERATION);
    } else if (isWithinLimits(lookup, inside)) {
      session.countCall();
      audit(lookup, "", NOT_REFUSED);
      learn(lookup.name(), inside);
      watch.ask(subscriptions, lookup.name(), target(inside), lookup.number(), lookup.fresh());
    }
  }

  /** No line is written, for there may be any number of these. */
  private void refuse(Lookup lookup, String word, UnboundReason reason, String text) {
    refuse(lookup, word, Refusal.of(text), reason, text);
  }

  private void refuse(
      Lookup lookup, String word, Refusal refusal, UnboundReason reason, String text) {
    session.meters().refused(word);
    audit(lookup, word, refusal);
    refuse(lookup, reason, session.refusals().told(refusal, text));
  }

  /** Why a lookup is refused there: for its name, where others are permitted. */
  private static String refusedBy(Route.Permitted way) {
    boolean forItsName = way.permission().registry().contains(RegistryOperation.LOOKUP);
    return (forItsName ? Objection.Rule.NAME : Objection.Rule.OPERATION).toString();
  }

  private Refusal logRefusal(RegistryName name, String reason, String remedy) {
    Refusal refusal = Refusal.of(reason, "to allow it add " + remedy + " in a targets entry");
    session
        .refusals()
        .warnRefused(
            LOG,
            refusal,
            Objection.printable(name.registry().toString()),
            "lookup of \"" + LogText.brief(name.name()) + "\"");
    return refusal;
  }

  private void learn(RegistryName name, Route.Permitted way) {
    session
        .knowledge()
        .routes()
        .notes()
        .asked(
            way.policy(), way, name.registry(), RegistryOperation.LOOKUP, Optional.of(name.name()));
  }

  /** The refusal by the limits of one more lookup; if they permit it, they count it at once. */
  private Optional<CallPermit.Refusal> tooMuch(Route.Permitted way) {
    List<CallLimiter> limiters =
        way.policy().limiters(session.standing().caller(), way.permission());
    Optional<CallPermit.Refusal> tooMuch = CallPermit.refusal(limiters);
    if (tooMuch.isEmpty()) {
      CallPermit.of(limiters, 0).end();
    }
    return tooMuch;
  }

  /** Whether there may be one more; if not it has been refused. */
  private boolean isWithinLimits(Lookup lookup, Route.Permitted way) {
    Optional<CallPermit.Refusal> tooMuch = tooMuch(way);
    if (tooMuch.isEmpty()) {
      return true;
    }
    refuse(
        lookup,
        tooMuch.get().bound().word(),
        UnboundReason.CONNECT_FAILED,
        "rmigate: " + RefusalTexts.TOO_MUCH);
    return false;
  }

  private void audit(Lookup lookup, String refusedBy, Refusal refusal) {
    audit(lookup.name(), refusedBy, refusal);
  }

  /** Audits a lookup as permitted, or as refused by a rule that is not empty. */
  private void audit(RegistryName name, String refusedBy, Refusal refusal) {
    SessionAudit audit = session.audit();
    if (audit.records(AuditEvent.REGISTRY)) {
      AuditEntry entry = lookedUp(name);
      audit.add(
          refusedBy.isEmpty()
              ? entry.outcome(AuditOutcome.PERMITTED).with(AuditField.VERDICT, AuditEntry.ALLOWED)
              : entry.refused(refusedBy, refusal));
    }
  }

  private AuditEntry lookedUp(RegistryName name) {
    return session
        .audit()
        .entry(AuditEvent.REGISTRY)
        .with(AuditField.TARGET, name.registry())
        .with(AuditField.METHOD, "lookup")
        .with(AuditField.NAME, name.name());
  }

  private void refuse(Lookup lookup, UnboundReason reason, String text) {
    session.refusals().count();
    queue(Unbound.answer(lookup.number(), reason, text));
    flush();
  }

  private Route route(RegistryName name) {
    return session
        .knowledge()
        .routes()
        .route(
            session.standing().policy(),
            name.registry().host(),
            name.registry().port(),
            () -> Optional.of(ObjIdentifier.REGISTRY));
  }

  private Target target(Route.Permitted route) {
    return session.targets().target(route, Duration.ZERO, Duration.ZERO);
  }

  void onForgot(Forgot forgot) {
    watch.forgetting(subscriptions, forgot.binding()).ifPresent(session::behindDirties);
  }

  /** The session has ended. */
  void end() {
    over = true;
    session.behindDirties(() -> watch.end(subscriptions));
  }

  // For the watch, under its lock.

  @Override
  public String principal() {
    return session.standing().principal().name();
  }

  @Override
  public Object payer() {
    return session.standing().caller();
  }

  @Override
  public boolean maySee(RegistryName name, Target registry) {
    return !over
        && !session.standing().loginExpired()
        && route(name) instanceof Route.Permitted inside
        && inside.permission().mayLookUp(name.name())
        && target(inside).equals(registry);
  }

  @Override
  public void judge(RegistryName name, Target registry, WholeReply reply) {
    if (route(name) instanceof Route.Permitted inside) {
      reply.by(inside.permission().rules());
    }
  }

  @Override
  public Optional<String> refusal(RegistryName name, Target registry, WholeReply reply) {
    if (!(route(name) instanceof Route.Permitted inside)) {
      return Optional.of(RefusalTexts.NO_REGISTRY_OPERATION);
    }
    CallRules rules = inside.permission().rules();
    WholeReply.Verdict verdict = reply.by(rules);
    verdict.references().forEach(session.knowledge()::onReceived);
    List<Objection> objections = verdict.objections();
    if (objections.isEmpty()) {
      return Optional.empty();
    }
    String target = LogText.of(name.registry().toString());
    if (!rules.enforces()) {
      objections.forEach(objection -> rules.learned().add(principal(), target, objection));
      return Optional.empty();
    }
    Objection first = objections.get(0);
    Refusal refusal = Refusal.of(first.reason(), rules.advice(first)).at(reply.place(rules, first));
    session
        .refusals()
        .warnRefused(
            LOG,
            refusal,
            target,
            "the reply to a lookup of \"" + LogText.brief(name.name()) + "\"");
    session.meters().refused("reply-" + first.rule());
    SessionAudit audit = session.audit();
    if (audit.records(AuditEvent.REGISTRY)) {
      AuditEntry refused =
          lookedUp(name)
              .refused(first.rule().toString(), refusal)
              .with(AuditField.REASON, "reply: " + first.reason());
      SessionAudit.about(refused, first);
      audit.add(refused);
    }
    return Optional.of(
        session
            .refusals()
            .told(
                refusal, first.wantsJmx() ? RefusalTexts.NO_JMX : RefusalTexts.NO_REGISTRY_ANSWER));
  }

  @Override
  public byte[] message(RegistryName name, Target registry, WholeReply reply) {
    return route(name) instanceof Route.Permitted inside
        ? reply.by(inside.permission().rules()).message()
        : reply.message();
  }

  @Override
  public Object view() {
    return new View(
        session.standing().policy(),
        session.knowledge().routes().version(),
        session.standing().loginExpired(),
        over);
  }

  @Override
  public void learn(
      RegistryName name,
      Target registry,
      List<LiveReference> references,
      Map<ObjIdentifier, List<String>> interfaces) {
    RegistryPlace place = new RegistryPlace(name.registry(), registry.host(), registry.addresses());
    AskedRegistry asked = new AskedRegistry(name.registry(), place);
    references.forEach(reference -> session.knowledge().learn(reference, asked));
    session.knowledge().learnInterfaces(interfaces);
  }

  @Override
  public void queue(Frame frame) {
    if (over) {
      return;
    }
    lock.lock();
    try {
      if (untilWelcome == null) {
        session.agent().add(frame);
      } else {
        untilWelcome.add(frame);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void flush() {
    session.flushNow();
  }
}
