package io.rmigate.gateway.route;

import com.github.benmanes.caffeine.cache.Ticker;
import io.rmigate.gateway.grant.NamedRegistry;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.quota.Share;
import io.rmigate.gateway.relay.address.AddressRule;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.protocol.LogText;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.LiveReference;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the endpoints are that one session's stubs name, by policy and by what registries have
 * handed out in this session, or in an earlier one that has sealed it.
 *
 * <p>Stubs are never changed, so a server that does not know its own name is named by a host that
 * is somewhere else or nowhere ({@link EndpointMapping}). It is taken to be where the registry was
 * reached that handed out its stub. Nothing more can be reached by that than the registry could
 * have named in plain words: its own host, at the port in the stub, with the addresses that its
 * name was permitted to stand for.
 *
 * <pre>
 *  mapped host, named by a registry        that registry's place
 *    … by registries in several places     the one that handed out the called object, else none
 *    … at another port only                that registry's place, if policy permits host and port
 *    … and permitted by policy as it is    a registry is asked there, as named
 *  any other host                          as named; the registry's place if the name is unknown
 * </pre>
 *
 * Thread-safe.
 */
public final class SessionRoutes {
  private static final Logger LOG = LoggerFactory.getLogger(SessionRoutes.class);

  /** Mapped endpoints that are worth a line in one session. */
  private static final int MAX_LOGGED = 100;

  private static final Route.NotPermitted NOT_PERMITTED = new Route.NotPermitted();

  private final String session;
  private final Principal principal;
  private final LearnedEndpoints learnt = new LearnedEndpoints();
  private final ReceivedReferences received;

  private final RouteNotes notes;
  private final AtomicInteger logged = new AtomicInteger();

  /** A lasting route, and what it was found by. */
  private record Lasting(int version, EndpointId endpoint, Route.Permitted way) {}

  /** The latest that was asked for by {@link #routeOfMany}; null at first. */
  private volatile Lasting latest;

  SessionRoutes(String session, Principal principal) {
    this(session, principal, new FormerSessions(Ticker.systemTicker()), new Share());
  }

  /** The routes of a session after other sessions, and beside them. */
  public SessionRoutes(String session, Principal principal, FormerSessions former, Share room) {
    this.session = session;
    this.principal = principal;
    this.received = new ReceivedReferences(learnt, former, room);
    this.notes = new RouteNotes(principal, learnt);
  }

  /**
   * A permitted registry has handed out a reference.
   *
   * @param object the one referred to; empty when that is not known
   * @param registry where it was reached
   */
  public void learn(
      TargetPolicy policy,
      EndpointId named,
      Optional<ObjIdentifier> object,
      RegistryPlace registry) {
    boolean isNew = learnt.learn(named, object, registry);
    String host = named.host();
    if (isNew
        && !registry.isAt(host)
        && policy.mapping().isMapped(host)
        && logged.getAndIncrement() < MAX_LOGGED) {
      String endpoint = LogText.of(host) + ":" + named.port();
      String place = policy.mapping().destination(host).orElse(registry.host());
      if (policy.mapping().destination(host).isEmpty()
          && hosts(learnt.named(host, named.port())).size() > 1) {
        LOG.warn(
            "session {}: servers on several hosts call themselves {}, one of them on {}; the"
                + " gateway finds the server by the called object; set java.rmi.server.hostname at"
                + " these servers",
            session,
            endpoint,
            place);
      } else {
        LOG.info("session {}: {} in stubs is mapped to {}", session, endpoint, place);
      }
    }
  }

  /** A server behind a mapped endpoint has handed out a reference to one of its own objects. */
  public void learnObject(TargetPolicy policy, LiveReference reference, RegistryPlace place) {
    if (policy.mapping().isMapped(reference.host())) {
      learnt.learnObject(reference, place);
    }
  }

  /**
   * Whether an endpoint that these registries have named is reached in the same place without
   * knowing that: by policy alone, where its name says.
   */
  public boolean isListed(
      TargetPolicy policy, EndpointId endpoint, Collection<RegistryPlace> registries) {
    String host = endpoint.host();
    EndpointMapping mapping = policy.mapping();
    return policy.permission(principal, host, endpoint.port()).isPresent()
        && (mapping.destination(host).isPresent()
            || registries.stream().allMatch(place -> place.isAt(host))
            || !(mapping.isMapped(host) || mapping.replacesUnknownNames()));
  }

  /** The objects at an endpoint of which it is known where they are. */
  public Map<ObjIdentifier, RegistryPlace> objectsAt(EndpointId endpoint) {
    return learnt.at(endpoint);
  }

  /**
   * Where a registry is that was asked earlier, under the same name.
   *
   * @return empty when it may not be asked there by the policy of now
   */
  public Optional<RegistryPlace> registry(TargetPolicy policy, NamedRegistry earlier) {
    EndpointId asked = earlier.asked();
    Optional<TargetPolicy.Permission> there =
        policy.permission(principal, earlier.reached(), asked.port());
    boolean sentThere =
        policy.mapping().destination(asked.host()).stream()
            .anyMatch(earlier.reached()::equalsIgnoreCase);
    boolean permitted =
        mayLookUp(there)
            || (sentThere && mayLookUp(policy.permission(principal, asked.host(), asked.port())));
    return permitted
        ? Optional.of(
            new RegistryPlace(
                asked,
                earlier.reached(),
                there.map(TargetPolicy.Permission::addresses).orElse(AddressRule.ROUTABLE)))
        : Optional.empty();
  }

  private static boolean mayLookUp(Optional<TargetPolicy.Permission> permission) {
    return permission.filter(p -> p.registry().contains(RegistryOperation.LOOKUP)).isPresent();
  }

  /** The registries that have named an endpoint, or in mode learn a server that has. */
  public List<AskedRegistry> registriesOf(EndpointId endpoint) {
    return Stream.concat(
            learnt.named(endpoint.host(), endpoint.port()).stream(),
            notes.registriesBehind(endpoint).stream())
        .flatMap(place -> place.asked().map(name -> new AskedRegistry(name, place)).stream())
        .distinct()
        .toList();
  }

  /** The notes that mode {@code learn} takes about the routes of this session. */
  public RouteNotes notes() {
    return notes;
  }

  /** The references that the session may name in arguments. */
  public ReceivedReferences received() {
    return received;
  }

  /**
   * Version of the routes: a {@link Route.Permitted#lasting} route is valid until it or policy
   * changes.
   */
  public int version() {
    return learnt.version();
  }

  /**
   * The way to an endpoint.
   *
   * @param object the one that is called; asked only where it makes a difference
   */
  public Route route(
      TargetPolicy policy, String host, int port, Supplier<Optional<ObjIdentifier>> object) {
    Optional<TargetPolicy.Permission> listed = policy.permission(principal, host, port);
    List<RegistryPlace> named = learnt.named(host, port);
    if (policy.mapping().isMapped(host)) {
      return mapped(policy, host, port, listed, named, object);
    }
    if (listed.isEmpty() && named.isEmpty()) {
      return NOT_PERMITTED;
    }
    // A learnt endpoint is no registry that may be asked: its objects may be called.
    TargetPolicy.Permission permission =
        listed.orElseGet(() -> policy.learnt(principal, asNamed(host, named), named));
    if (!policy.mapping().replacesUnknownNames()) {
      return new Route.Permitted(policy, host, port, permission, Optional.empty(), true);
    }
    boolean inOnePlace = named.stream().map(RegistryPlace::where).distinct().count() < 2;
    Optional<RegistryPlace> substitute =
        inOnePlace ? named.stream().findFirst() : object.get().flatMap(learnt::of);
    return new Route.Permitted(
        policy,
        host,
        port,
        permission,
        substitute
            .filter(place -> !place.isAt(host))
            .map(place -> new Target.Substitute(place.host(), place.addresses())),
        inOnePlace);
  }

  /**
   * The way to an endpoint, where many objects of it are asked for one after the other: it is
   * looked for once, as long as it lasts.
   */
  Route routeOfMany(TargetPolicy policy, EndpointId endpoint, Optional<ObjIdentifier> object) {
    int version = version();
    Lasting before = latest;
    if (before != null
        && before.way().policy() == policy
        && before.version() == version
        && before.endpoint().equals(endpoint)) {
      return before.way();
    }
    Route route = route(policy, endpoint.host(), endpoint.port(), () -> object);
    if (route instanceof Route.Permitted inside && inside.lasting()) {
      latest = new Lasting(version, endpoint, inside);
    }
    return route;
  }

  /**
   * The way to where objects of an endpoint were found before, wherever others are, by the policy
   * of now; empty when that place is none of its any more.
   */
  public Optional<Route.Permitted> again(
      TargetPolicy policy, Route.Permitted before, String host, int port) {
    if (before.policy() == policy) {
      return Optional.of(before);
    }
    List<RegistryPlace> named = learnt.named(host, port);
    return named.stream()
        .filter(place -> place.isAt(before.host()))
        .findFirst()
        .map(place -> inside(policy, place, named, port, false))
        .or(() -> besidesNamed(policy, before.host(), host, port));
  }

  /** A place that no registry has named for the endpoint: its own host, or one beside others. */
  private Optional<Route.Permitted> besidesNamed(
      TargetPolicy policy, String place, String host, int port) {
    boolean known =
        place.equalsIgnoreCase(host)
            || learnt.named(host).stream().anyMatch(registry -> registry.isAt(place));
    return known
        ? policy
            .permission(principal, place, port)
            .map(permission -> inside(policy, place, port, permission, false))
        : Optional.empty();
  }

  /**
   * Whether objects of an endpoint may be at a place where some of them were found before, wherever
   * others are.
   */
  public boolean mayBeAt(TargetPolicy policy, String host, int port, String place) {
    Route route = route(policy, host, port, Optional::empty);
    if (route instanceof Route.NotPermitted) {
      return false;
    }
    return (route instanceof Route.Permitted inside && inside.host().equalsIgnoreCase(place))
        || (host.equalsIgnoreCase(place) && policy.permission(principal, host, port).isPresent())
        || (policy.mapping().isMapped(host)
            && policy.mapping().destination(host).isEmpty()
            && learnt.named(host).stream().anyMatch(registry -> registry.isAt(place)));
  }

  private static AddressRule asNamed(String host, List<RegistryPlace> named) {
    return named.stream()
        .filter(place -> place.isAt(host))
        .map(RegistryPlace::addresses)
        .findFirst()
        .orElse(AddressRule.ROUTABLE);
  }

  private Route mapped(
      TargetPolicy policy,
      String host,
      int port,
      Optional<TargetPolicy.Permission> listed,
      List<RegistryPlace> named,
      Supplier<Optional<ObjIdentifier>> object) {
    Optional<String> destination = policy.mapping().destination(host);
    if (destination.isPresent()) {
      return toDestination(policy, host, destination.get(), port, listed, named);
    }
    if (named.isEmpty()) {
      return listed
          .<Route>map(permission -> inside(policy, host, port, permission, true))
          .orElseGet(() -> besideOthers(policy, host, port));
    }
    boolean lasting = true;
    if (listed.isPresent()) {
      // Policy means the gateway's own loopback: that is where a client asks a registry by name.
      if (object.get().equals(Optional.of(ObjIdentifier.REGISTRY))) {
        return inside(policy, host, port, listed.get(), false);
      }
      lasting = false;
    }
    Set<String> hosts = hosts(named);
    if (hosts.size() == 1) {
      return inside(policy, named.get(named.size() - 1), named, port, lasting);
    }
    return object
        .get()
        .flatMap(learnt::of)
        .filter(place -> hosts.contains(place.host()))
        .<Route>map(place -> inside(policy, place, named, port, false))
        .orElseGet(() -> new Route.Ambiguous(String.join(", ", hosts)));
  }

  /**
   * Where the configuration says; a name of its own, of which policy knows what it may stand for.
   */
  private Route toDestination(
      TargetPolicy policy,
      String host,
      String destination,
      int port,
      Optional<TargetPolicy.Permission> listed,
      List<RegistryPlace> named) {
    Optional<TargetPolicy.Permission> there = policy.permission(principal, destination, port);
    if (listed.isPresent() || !named.isEmpty()) {
      return inside(
          policy,
          destination,
          port,
          listed
              .orElseGet(() -> policy.learnt(principal, AddressRule.ROUTABLE, named))
              .at(there.map(TargetPolicy.Permission::addresses).orElse(AddressRule.ROUTABLE)),
          true);
    }
    return learnt.named(host).isEmpty() || there.isEmpty()
        ? NOT_PERMITTED
        : inside(policy, destination, port, there.get(), true);
  }

  /** No registry has named this port, but perhaps others of the same host: one JVM has several. */
  private Route besideOthers(TargetPolicy policy, String host, int port) {
    Set<String> hosts = hosts(learnt.named(host));
    if (hosts.size() > 1) {
      return new Route.Ambiguous(String.join(", ", hosts));
    }
    return hosts.stream()
        .findFirst()
        .flatMap(
            place ->
                policy
                    .permission(principal, place, port)
                    .<Route>map(permission -> inside(policy, place, port, permission, true)))
        .orElse(NOT_PERMITTED);
  }

  /** At the place of a registry: what policy permits there by name, at least to call objects. */
  private Route.Permitted inside(
      TargetPolicy policy,
      RegistryPlace place,
      List<RegistryPlace> named,
      int port,
      boolean lasting) {
    List<RegistryPlace> there = named.stream().filter(each -> each.isAt(place.host())).toList();
    return inside(
        policy,
        place.host(),
        port,
        policy
            .permission(principal, place.host(), port)
            .orElseGet(() -> policy.learnt(principal, place.addresses(), there)),
        lasting);
  }

  private static Route.Permitted inside(
      TargetPolicy policy,
      String host,
      int port,
      TargetPolicy.Permission permission,
      boolean lasting) {
    return new Route.Permitted(policy, host, port, permission, Optional.empty(), lasting);
  }

  private static Set<String> hosts(Collection<RegistryPlace> places) {
    return places.stream().map(RegistryPlace::host).collect(Collectors.toSet());
  }
}
