package io.rmigate.gateway.route;

import io.rmigate.gateway.lease.CollectorCalls;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.scan.SeenReference;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.LiveReference;
import io.rmigate.protocol.jrmp.message.ReturnedProxies;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What one session has seen of references, and what follows from that: which ones its agent may
 * name to servers, which objects it may call, and where the endpoints are that its stubs name.
 *
 * <p>It tells what servers have given from what is the agent's own: of that nothing is ever learnt,
 * for any object can be named at one's own endpoint. What is new is told to the session's grants,
 * so that the agent can show it to the next gateway.
 *
 * <p>Belongs to a session for as long as that lives; asked and told by the edge, by relay loops,
 * and under the locks of streams, of leases and of the watch of names. Thread-safe: everything it
 * holds is so by itself, and it takes no lock of its own.
 */
public final class SessionKnowledge implements CollectorCalls.Session {

  /** The callbacks of the session, which know what is the agent's own, and its grants. */
  public interface Parts {
    /** Whether stubs of the agent's objects name that endpoint. */
    boolean listensAt(String host, int port);

    /** Whether stubs of the agent's objects name that endpoint now or have done so. */
    boolean hasListenedAt(String host, int port);

    /** The agent has named to a server what it was given. */
    void named(LiveReference reference);

    /** The agent's JVM has taken a lease. */
    void held(EndpointId endpoint, ObjIdentifier object);

    /** No JVM of the agent's caller holds that object any more. */
    void dropped(EndpointId endpoint, ObjIdentifier object);

    /** A registry has handed out a reference. */
    void learnt(LiveReference reference, AskedRegistry registry);

    /** A server has handed out an object of its own. */
    void learntObject(LiveReference reference, RegistryPlace place);
  }

  private final Principal principal;
  private final SessionRoutes routes;
  private final Supplier<TargetPolicy> policy;
  private final Supplier<? extends Parts> parts;
  private final ObjectInterfaces interfaces = new ObjectInterfaces();

  /**
   * @param policy for what is learnt, asked each time; calls are judged by their own
   * @param parts of the session, which change once, at its hello
   */
  public SessionKnowledge(
      Principal principal,
      SessionRoutes routes,
      Supplier<TargetPolicy> policy,
      Supplier<? extends Parts> parts) {
    this.principal = principal;
    this.routes = routes;
    this.policy = policy;
    this.parts = parts;
  }

  /** The routes to the endpoints that this session's stubs name. */
  public SessionRoutes routes() {
    return routes;
  }

  /** The references that servers have given to this session. */
  public ReceivedReferences received() {
    return routes.received();
  }

  // What the agent may name.

  /**
   * Whether the agent's JVM may name that to servers: it is its own, was given to it, or is an
   * object that it may call without having been given it, where it may call by name. It is about to
   * go to one.
   *
   * @param by what else is asked about the same message
   */
  public boolean mayName(TargetPolicy by, SeenReference seen) {
    return (!claims(by, seen) || received().claim(seen)) && isNameable(by, seen);
  }

  /**
   * Whether the agent's JVM may name that to servers, if it goes to a server only if all of its
   * call may: see {@link #named}.
   */
  public boolean mightName(TargetPolicy by, SeenReference seen) {
    return (!claims(by, seen) || received().mayClaim(seen)) && isNameable(by, seen);
  }

  /** A reference goes to a server, which may repeat it. */
  public void named(TargetPolicy by, SeenReference seen) {
    if (claims(by, seen)) {
      received().claim(seen);
    }
  }

  private boolean claims(TargetPolicy by, SeenReference seen) {
    return !listensAt(seen)
        && (by.strictest(principal).limitsObjects() || by.opensPorts(principal));
  }

  private boolean isNameable(TargetPolicy by, SeenReference seen) {
    LiveReference reference = seen.reference();
    if (listensAt(seen)) {
      return true;
    }
    if (received().has(seen)) {
      parts.get().named(reference);
      return true;
    }
    return seen.factory().isEmpty()
        && isNamed(by, new EndpointId(reference.host(), reference.port()))
        && isAnyonesToCall(by, reference);
  }

  /** Whether policy or a registry has named that endpoint. */
  private boolean isNamed(TargetPolicy by, EndpointId at) {
    return by.names(principal, at.host(), at.port()) || received().isNamed(at);
  }

  /** Whether an object may be called at its endpoint by sessions that were not given it. */
  private boolean isAnyonesToCall(TargetPolicy by, LiveReference reference) {
    ObjIdentifier object = reference.object();
    if (object.equals(ObjIdentifier.REGISTRY)) {
      return true;
    }
    Route route = routes.route(by, reference.host(), reference.port(), () -> Optional.of(object));
    if (!(route instanceof Route.Permitted inside)) {
      return false;
    }
    CallRules there = inside.permission().rules();
    return !there.looks() || !there.limitsObjects();
  }

  /** Whether it names an object at one of the agent's own listeners. */
  public boolean listensAt(SeenReference seen) {
    return parts.get().listensAt(seen.reference().host(), seen.reference().port());
  }

  /** Whether the reference is to an object of the agent, with any socket factory. */
  private boolean isOwn(LiveReference reference) {
    return parts.get().hasListenedAt(reference.host(), reference.port());
  }

  /** Whether stubs of the agent's own objects name that endpoint now. */
  public boolean listensAt(EndpointId at) {
    return parts.get().listensAt(at.host(), at.port());
  }

  /**
   * Whether the object is the agent's own, or was given to it as one that may be there.
   *
   * @param by the policy, which maps hosts
   */
  public boolean mayCall(TargetPolicy by, ObjIdentifier object, EndpointId at) {
    return listensAt(at) || received().hasObject(object, at, by.mapping()::isMapped);
  }

  /**
   * A server has handed out a reference: in a Return, or in a Call to an object here. That it has
   * given the agent one of its own back says nothing: any object can be named at one's own
   * endpoint.
   */
  public void onReceived(SeenReference seen) {
    if (!isOwn(seen.reference())) {
      received().add(seen);
    }
  }

  /** Whether a reference that a server hands out is to something that the agent did not name. */
  boolean isGiven(LiveReference reference) {
    return !isOwn(reference) && !received().isClaimed(reference);
  }

  /**
   * The agent's JVM has taken a lease of an object. What it was given and keeps is not forgotten
   * here, and is granted.
   */
  public void onHeld(EndpointId at, ObjIdentifier object) {
    if (!listensAt(at)) {
      received()
          .hold(object, at, policy.get().mapping()::isMapped)
          .ifPresent(said -> parts.get().held(said, object));
    }
  }

  /** The JVM no longer holds the object. Called by other sessions of the caller, too. */
  @Override
  public void onDropped(EndpointId at, ObjIdentifier object) {
    EndpointId said = received().drop(object, at, policy.get().mapping()::isMapped).orElse(at);
    parts.get().dropped(said, object);
  }

  /** A permitted registry has handed out a reference. */
  public void learn(LiveReference reference, AskedRegistry registry) {
    boolean own = isOwn(reference);
    routes.learn(
        policy.get(),
        new EndpointId(reference.host(), reference.port()),
        own ? Optional.empty() : Optional.of(reference.object()),
        registry.place());
    if (!own) {
      parts.get().learnt(reference, registry);
    }
  }

  /** A server at that place, which names another one, has handed out a reference. */
  public void learnObject(LiveReference reference, RegistryPlace place) {
    if (isGiven(reference)) {
      routes.learnObject(policy.get(), reference, place);
      parts.get().learntObject(reference, place);
    }
  }

  // What objects are called for people.

  /** The interfaces of the object's stub, if one has passed on the way to the agent. */
  public String interfacesOf(ObjIdentifier object) {
    return interfaces.of(object);
  }

  /** Learns them from a Return as it passes. */
  public ReturnedProxies newReturnedProxies() {
    return new ReturnedProxies(interfaces::learn);
  }

  /** The agent is about to be told of stubs with these interfaces. */
  public void learnInterfaces(Map<ObjIdentifier, List<String>> byObject) {
    byObject.forEach(interfaces::learn);
  }
}
