package io.rmigate.gateway.session;

import io.rmigate.gateway.grant.GrantKeys;
import io.rmigate.gateway.grant.GrantRefusal;
import io.rmigate.gateway.grant.GrantSeal;
import io.rmigate.gateway.grant.NamedRegistry;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.route.AskedRegistry;
import io.rmigate.gateway.route.LearnedEndpoints;
import io.rmigate.gateway.route.RegistryPlace;
import io.rmigate.gateway.route.Route;
import io.rmigate.gateway.route.SessionRoutes;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.gateway.session.KnownEndpoint.Subject;
import io.rmigate.gateway.view.SessionMeters;
import io.rmigate.protocol.LogText;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.LiveReference;
import io.rmigate.protocol.tunnel.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The grants of one session (PROTOCOL.md, section 12): seals for its agent what it learns, and
 * which objects it was given and holds ({@link ObjectGrants}), renews that in time, and learns from
 * what earlier sessions have sealed.
 *
 * <p>Bounded like what the session knows: the least recently named endpoints go first.
 *
 * <p>Threads: it learns on relay loops and on the edge's thread, under locks of theirs; grants are
 * shown on the edge's; the registry's timer ticks. {@code lock} guards everything; the queue to the
 * agent is filled under it.
 */
final class SessionGrants {
  private static final Logger LOG = LoggerFactory.getLogger(SessionGrants.class);

  static final int MAX_ENDPOINTS = 4096;
  static final int MAX_SHOWN = 4096;
  private static final int MAX_OBJECTS = LearnedEndpoints.MAX_OBJECTS;

  /** Sealed in one tick: the others can wait for the next. */
  private static final int MAX_AT_ONCE = 256;

  /**
   * Most grants of objects that are queued at once, of 4 KiB each: the queue of the link must stay
   * short.
   */
  private static final int MAX_GIVEN_AT_ONCE = 32;

  /** When the agent is about to go: half of what the queue takes before it is too much. */
  private static final int MAX_GIVEN_AT_LAST = 128;

  /**
   * So long a grant waits that is only for naming what a wildcard lets the next session reach: a
   * client that looks up, calls and goes is spared its bytes. Shorter when the agent names it, or
   * is asked to go.
   */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  private final String session;
  private final Principal principal;

  /** Scheme and name, because a name of another scheme is another principal. */
  private final String owner;

  private final GrantSeal seal;
  private final SessionRoutes routes;
  private final Supplier<TargetPolicy> policy;
  private final Consumer<Grant> agent;
  private final BiConsumer<EndpointId, GrantRefusal> audit;
  private final SessionMeters meters;

  /** The clock of the session, as {@link System#nanoTime}. */
  private final LongSupplier nanoTime;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Subject, KnownEndpoint> endpoints = KnownEndpoint.bounded(MAX_ENDPOINTS);
  private final Map<Subject, KnownEndpoint> objects = KnownEndpoint.bounded(MAX_OBJECTS);
  private final ObjectGrants given;
  private final ObjectGrants.Sealing sealing = new GivenObjectSealing();

  /** Sealed and not yet told. */
  private final List<Grant> untold = new ArrayList<>();

  private TargetPolicy policyThen;
  private GrantKeys keysThen;

  /** Time before which no grant is due for renewal, as {@link System#nanoTime}. */
  private long dueNanos;

  private int shown;
  private boolean refusalLogged;

  /** The agent has been asked to go, and nothing may wait any more. */
  private boolean leaving;

  /** There may be something to tell: spares the lock where there is not. */
  private volatile boolean telling;

  /** The agent has been welcomed, before which it is told nothing. */
  private volatile boolean welcomed;

  SessionGrants(
      String session,
      Principal principal,
      GrantSeal seal,
      SessionRoutes routes,
      Supplier<TargetPolicy> policy,
      GrantReports reports,
      LongSupplier nanoTime) {
    this.session = session;
    this.principal = principal;
    this.owner = principal.scheme().word() + ":" + principal.name();
    this.seal = seal;
    this.routes = routes;
    this.policy = policy;
    this.agent = reports.agent();
    this.audit = reports.audit();
    this.meters = reports.meters();
    this.policyThen = policy.get();
    this.keysThen = seal.keys();
    this.nanoTime = nanoTime;
    this.given = new ObjectGrants(nanoTime);
    this.dueNanos = nanoTime.getAsLong() + seal.lifetime().toNanos();
  }

  /** A registry has handed out a reference, which {@link SessionRoutes} has been told. */
  void learnt(LiveReference reference, AskedRegistry registry) {
    EndpointId endpoint = new EndpointId(reference.host(), reference.port());
    lock.lock();
    try {
      KnownEndpoint known = known(endpoint, Optional.empty());
      boolean before = known.isInSeveralPlaces();
      if (known.add(registry)) {
        grant(known);
      }
      if (known.isInSeveralPlaces()) {
        if (before) {
          learntObject(reference.object(), known, registry.place());
        } else { // from here on each object counts
          routes.objectsAt(endpoint).forEach((object, at) -> learntObject(object, known, at));
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** A server has handed out a reference to an object of its own. */
  void learntObject(LiveReference reference, RegistryPlace place) {
    EndpointId endpoint = new EndpointId(reference.host(), reference.port());
    lock.lock();
    try {
      KnownEndpoint known = endpoints.get(Subject.of(endpoint, Optional.empty()));
      if (known != null && known.isInSeveralPlaces()) {
        learntObject(reference.object(), known, place);
      }
    } finally {
      lock.unlock();
    }
  }

  /** The agent's JVM takes a lease of an object that the session was given. */
  void held(EndpointId endpoint, ObjIdentifier object) {
    given.held(endpoint, object);
  }

  /** The agent's JVM no longer holds the object. */
  void dropped(EndpointId endpoint, ObjIdentifier object) {
    given.dropped(endpoint, object);
  }

  /** Seals objects that the session was given, without their registries. */
  private final class GivenObjectSealing implements ObjectGrants.Sealing {
    @Override
    public boolean isNeeded(EndpointId endpoint) {
      TargetPolicy now = policy.get();
      Route way = routes.route(now, endpoint.host(), endpoint.port(), Optional::empty);
      CallRules rules =
          way instanceof Route.Permitted inside
              ? inside.permission().rules()
              : now.strictest(principal);
      return rules.looks() && rules.limitsObjects();
    }

    @Override
    public Optional<Grant> seal(EndpointId endpoint, List<ObjIdentifier> some) {
      if (some.size() == 1 && isGranted(endpoint, some.get(0))) {
        return Optional.empty(); // by a grant that says where it is, too
      }
      Optional<Grant> sealed = seal.seal(owner, endpoint, some, List.of());
      sealed.ifPresent(grant -> meters.grantSealed(grant.objects().size()));
      return sealed;
    }

    private boolean isGranted(EndpointId endpoint, ObjIdentifier object) {
      KnownEndpoint known = objects.get(Subject.of(endpoint, Optional.of(object)));
      return known != null && known.granted;
    }

    @Override
    public Duration lifetime() {
      return seal.lifetime();
    }
  }

  /** Seals given objects behind those that were learnt, up to the limit; under the lock. */
  private void sealGiven(long nowNanos) {
    int room = leaving ? MAX_GIVEN_AT_LAST : MAX_GIVEN_AT_ONCE;
    List<Grant> sealed = given.seal(sealing, nowNanos, room, leaving);
    telling |= !sealed.isEmpty();
    untold.addAll(sealed);
  }

  private void learntObject(ObjIdentifier object, KnownEndpoint at, RegistryPlace place) {
    if (LearnedEndpoints.isWellKnown(object)) {
      return; // every server has it
    }
    for (AskedRegistry registry : List.copyOf(at.registries)) {
      if (registry.place().where().equals(place.where())) {
        KnownEndpoint known = known(at.endpoint, Optional.of(object));
        if (!known.registries.equals(List.of(registry))) {
          known.registries.clear(); // it is in one place
          known.add(registry);
          grant(known);
        }
        return;
      }
    }
  }

  private KnownEndpoint known(EndpointId endpoint, Optional<ObjIdentifier> object) {
    return (object.isEmpty() ? endpoints : objects)
        .computeIfAbsent(
            Subject.of(endpoint, object),
            first -> new KnownEndpoint(endpoint, object, nanoTime.getAsLong()));
  }

  /** Seals, now or soon, if policy does not do without. */
  private void grant(KnownEndpoint known) {
    known.granted = false;
    known.postponed = false;
    TargetPolicy now = policy.get();
    List<NamedRegistry> registries =
        known.registries.stream()
            .map(AskedRegistry::named)
            .filter(registry -> routes.registry(now, registry).isPresent())
            .toList();
    boolean reachedByGrant =
        !registries.isEmpty() && !routes.isListed(now, known.endpoint, known.places());
    if (!reachedByGrant) {
      if (registries.isEmpty() || !isNamedByGrant(now, known.endpoint)) {
        return;
      }
      if (!leaving && known.patientUntilNanos - nanoTime.getAsLong() > 0) {
        known.postponed = true;
        replaceAt(known, known.patientUntilNanos);
        return;
      }
    }
    if (untold.size() >= MAX_AT_ONCE && !leaving) {
      replaceWithin(known, Duration.ZERO); // at the next tick
      return;
    }
    Optional<Grant> sealed =
        seal.seal(owner, known.endpoint, known.object.stream().toList(), registries);
    if (sealed.isPresent()) {
      untold.add(sealed.get());
      telling = true;
      meters.grantSealed(sealed.get().objects().size());
      replaceWithin(known, seal.lifetime());
    }
  }

  /** Whether the next session may not name the endpoint in arguments without a grant. */
  private boolean isNamedByGrant(TargetPolicy now, EndpointId endpoint) {
    return now.strictest(principal).looks()
        && !now.names(principal, endpoint.host(), endpoint.port());
  }

  /** The agent's JVM has named something in an argument: it may do so in its next session, too. */
  void named(LiveReference reference) {
    EndpointId endpoint = new EndpointId(reference.host(), reference.port());
    lock.lock();
    try {
      hurry(endpoints.get(Subject.of(endpoint, Optional.empty())));
      hurry(objects.get(Subject.of(endpoint, Optional.of(reference.object()))));
    } finally {
      lock.unlock();
    }
  }

  /** The agent is about to be asked to go: tells it what has waited, and lets nothing wait. */
  void leave() {
    lock.lock();
    try {
      leaving = true;
      endpoints.values().forEach(this::hurry);
      objects.values().forEach(this::hurry);
      sealGiven(nanoTime.getAsLong());
      if (welcomed) {
        tellAll();
      }
    } finally {
      lock.unlock();
    }
  }

  private void hurry(KnownEndpoint known) {
    boolean due =
        leaving && known != null && known.granted && known.renewNanos - nanoTime.getAsLong() <= 0;
    if (known != null && (known.postponed || due)) {
      known.patientUntilNanos = nanoTime.getAsLong();
      grant(known);
    }
  }

  /** When half of its lifetime is left, a grant is replaced. */
  private void replaceWithin(KnownEndpoint known, Duration left) {
    replaceAt(known, renewNanos(left));
  }

  private long renewNanos(Duration left) {
    return nanoTime.getAsLong() + Math.max(0, left.minus(seal.lifetime().dividedBy(2)).toNanos());
  }

  private void replaceAt(KnownEndpoint known, long nanos) {
    known.granted = true;
    known.renewNanos = nanos;
    if (nanos - dueNanos < 0) {
      dueNanos = nanos;
    }
  }

  /** The welcome has been queued: from here on the agent may be told. */
  void onWelcomed() {
    welcomed = true;
  }

  /** Queues for the agent what has been sealed; returns whether that was anything. */
  boolean tell() {
    if (!telling || !welcomed) {
      return false;
    }
    lock.lock();
    try {
      return tellAll();
    } finally {
      lock.unlock();
    }
  }

  private boolean tellAll() {
    telling = false;
    boolean any = !untold.isEmpty();
    untold.forEach(agent);
    untold.clear();
    return any;
  }

  /**
   * Looks at the clock, and at what has been configured meanwhile.
   *
   * @return whether there is something to tell the agent
   */
  boolean tick(long nowNanos) {
    lock.lock();
    try {
      boolean others = policyThen != policy.get();
      boolean rekeyed = !keysThen.equals(seal.keys());
      if (others) {
        given.reconsider();
      }
      if (rekeyed) {
        given.sealAnew();
      }
      if (others || rekeyed || dueNanos - nowNanos <= 0) {
        policyThen = policy.get();
        keysThen = seal.keys();
        dueNanos = nowNanos + seal.lifetime().toNanos();
        int room = renew(endpoints.values(), MAX_AT_ONCE, rekeyed, nowNanos);
        renew(objects.values(), room, rekeyed, nowNanos);
      }
      sealGiven(nowNanos);
      return !untold.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Seals what is due, or was not needed before; what there is no room for is due at once. */
  private int renew(Iterable<KnownEndpoint> all, int atMost, boolean rekeyed, long nowNanos) {
    int room = atMost;
    for (KnownEndpoint known : all) {
      if (!known.granted || rekeyed || known.renewNanos - nowNanos <= 0) {
        if (room > 0) {
          grant(known);
          room -= known.granted ? 1 : 0;
        } else {
          known.granted = true;
          known.renewNanos = nowNanos;
        }
      }
      if (known.granted && known.renewNanos - dueNanos < 0) {
        dueNanos = known.renewNanos;
      }
    }
    return room;
  }

  /** The agent shows a grant: what it says is learnt, as far as policy lets it be learnt now. */
  void show(Grant grant) {
    lock.lock();
    try {
      if (++shown > MAX_SHOWN) {
        refuse(grant, GrantRefusal.TOO_MANY);
        return;
      }
      GrantSeal.Opening opening = seal.open(owner, grant);
      if (opening instanceof GrantSeal.Opened opened) {
        learn(grant, opened);
      } else if (opening instanceof GrantSeal.RefusedGrant refused) {
        refuse(grant, refused.reason());
      }
    } finally {
      lock.unlock();
    }
  }

  private void learn(Grant grant, GrantSeal.Opened opened) {
    TargetPolicy now = policy.get();
    Optional<ObjIdentifier> object = grant.objects().stream().findFirst();
    if (object.isPresent() && opened.registries().isEmpty()) {
      if (!grant.objects().stream()
          .allMatch(each -> routes.received().add(grant.endpoint(), each))) {
        refuse(grant, GrantRefusal.TOO_MANY);
        return;
      }
      given.shown(grant.endpoint(), grant.objects(), renewNanos(left(opened)));
      meters.grantAccepted();
      return;
    }
    List<AskedRegistry> registries = new ArrayList<>(1);
    for (NamedRegistry earlier : opened.registries()) {
      routes
          .registry(now, earlier)
          .ifPresent(place -> registries.add(new AskedRegistry(earlier.asked(), place)));
    }
    if (registries.isEmpty()) {
      refuse(grant, GrantRefusal.NOT_PERMITTED);
      return;
    }
    KnownEndpoint known = known(grant.endpoint(), object);
    for (AskedRegistry registry : registries) {
      routes.learn(now, grant.endpoint(), object, registry.place());
      known.add(registry);
    }
    accept(known, opened);
  }

  private void accept(KnownEndpoint known, GrantSeal.Opened opened) {
    known.object.ifPresent(object -> routes.received().add(known.endpoint, object));
    replaceWithin(known, left(opened));
    meters.grantAccepted();
  }

  /** None when there is another key by now. */
  private static Duration left(GrantSeal.Opened opened) {
    return opened.latestKey() ? opened.left() : Duration.ZERO;
  }

  private void refuse(Grant grant, GrantRefusal reason) {
    meters.refused(reason.word());
    if (refusalLogged) {
      return;
    }
    refusalLogged = true;
    audit.accept(grant.endpoint(), reason);
    LOG.warn(
        "session {} of {}: a grant of {} is not accepted: {}; its client must look up references"
            + " there again (further grants of this session are only counted)",
        session,
        principal,
        LogText.of(grant.endpoint().toString()),
        reason.sentence());
  }
}
