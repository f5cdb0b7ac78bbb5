package io.rmigate.gateway.bridge;

import static io.rmigate.testing.Patience.PATIENCE;

import io.rmigate.gateway.bridge.marshal.ReplyLimits;
import io.rmigate.gateway.lease.LeaseMeters;
import io.rmigate.gateway.lease.LeaseSettings;
import io.rmigate.gateway.lease.Leases;
import io.rmigate.gateway.lease.OwnCallLeaseServers;
import io.rmigate.gateway.lease.TimerLeaseClock;
import io.rmigate.gateway.limit.CallLimits;
import io.rmigate.gateway.limit.LockoutSettings;
import io.rmigate.gateway.log.RareLines;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.lookup.LookupSettings;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.relay.Relay;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.relay.own.BlockingSettings;
import io.rmigate.gateway.relay.own.OwnCallSettings;
import io.rmigate.gateway.relay.own.OwnCalls;
import io.rmigate.gateway.route.EndpointMapping;
import io.rmigate.gateway.route.Restraints;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.protocol.NamePatterns;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import io.rmigate.protocol.tunnel.RegistryName;
import io.rmigate.soap.call.CallFailure;
import io.rmigate.soap.call.RemoteObject;
import io.rmigate.soap.publish.Publication;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.ServerSocket;
import java.net.URLClassLoader;
import java.rmi.NoSuchObjectException;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A registry, a {@code desk.Desk} bound in it, and the bridge to both. */
final class BridgeBed {
  static final Principal ANN = new Principal("ann", Principal.Scheme.BASIC);
  static final Principal BOB = new Principal("bob", Principal.Scheme.BASIC);
  static final String NAME = "desk";

  final Map<String, Integer> outcomes = new ConcurrentHashMap<>();
  final AtomicInteger lookups = new AtomicInteger();
  final AtomicInteger referencesHeld = new AtomicInteger();
  final AtomicInteger acknowledged = new AtomicInteger();
  final Publication publication;
  final RelayBridge bridge;
  final Leases leases;

  private final TimerLeaseClock clock = new TimerLeaseClock();
  private final Relay relay;
  private final URLClassLoader serverLoader;
  private volatile TargetPolicy policy;
  private volatile Duration poll = Duration.ofHours(1);
  private ServerSocket listener;
  private Registry registry;
  private Remote servant;
  private Remote replaced;

  BridgeBed(DeskJar jar) throws Exception {
    this(jar, 256L << 20);
  }

  BridgeBed(DeskJar jar, long maxAnswerBytes) throws Exception {
    publication = jar.publish();
    serverLoader = jar.loader();
    relay = new Relay(new RelaySettings(PATIENCE, PATIENCE, Duration.ofSeconds(1), 64 * 1024, 1));
    OwnCalls inside = new OwnCalls(relay, OwnCallSettings.DEFAULTS);
    leases =
        new Leases(
            LeaseSettings.DEFAULTS,
            new OwnCallLeaseServers(inside, LeaseSettings.DEFAULTS.callTimeout()),
            clock,
            new LeaseMeters() {
              @Override
              public void leaseAcknowledged() {
                acknowledged.incrementAndGet();
              }
            });
    allow("127.0.0.1:*", "localhost:*");
    bridge =
        new RelayBridge(
            relay,
            leases,
            () -> policy,
            () -> new LookupSettings(true, NamePatterns.NONE, poll, List.of()),
            new Meters(),
            RareLines.ofCallers(),
            new BridgeLimits(
                BlockingSettings.DEFAULTS, ReplyLimits.DEFAULTS, Quota.of(maxAnswerBytes)));
    startRegistry();
    bind();
  }

  private final class Meters implements BridgeMeters {
    @Override
    public void bridgeCall(String outcome, long nanos) {
      outcomes.merge(outcome, 1, Integer::sum);
    }

    @Override
    public void bridgeLookup() {
      lookups.incrementAndGet();
    }

    @Override
    public void bridgeReferences(int change) {
      referencesHeld.addAndGet(change);
    }
  }

  /** Of ann only. */
  void allow(String... targets) {
    allowTo(ANN.name(), targets);
  }

  /** Of that entry of a list of principals only. */
  void allowTo(String principal, String... targets) {
    policy =
        new TargetPolicy(
            List.of(
                new TargetGrant(
                    Set.of(principal), List.of(targets), Set.of(RegistryOperation.LOOKUP))));
  }

  /** From now on a principal may have {@code calls} calls in progress. */
  void limitInProgress(int calls) {
    CallLimits limits =
        new CallLimits(
            OptionalInt.empty(), OptionalInt.empty(), OptionalInt.of(calls), OptionalInt.empty());
    policy =
        new TargetPolicy(
            List.of(),
            List.of(),
            EndpointMapping.DEFAULT,
            Rulebook.OFF,
            new Restraints(limits, LockoutSettings.DEFAULTS));
  }

  /** Bindings older than this are looked up again. */
  void poll(Duration interval) {
    poll = interval;
  }

  private void startRegistry() throws IOException {
    listener = new ServerSocket(0);
    registry = LocateRegistry.createRegistry(0, null, anyPort -> listener);
  }

  void stopRegistry() throws NoSuchObjectException {
    UnicastRemoteObject.unexportObject(registry, true);
  }

  /** A new servant, bound in place of the one before. */
  Remote bind() throws Exception {
    servant = (Remote) serverLoader.loadClass("desk.Desk$Servant").getConstructor().newInstance();
    UnicastRemoteObject.exportObject(servant, 0);
    registry.rebind(NAME, servant);
    return servant;
  }

  void bind(String name, Remote object) throws IOException {
    registry.rebind(name, object);
  }

  void unbind() throws IOException, NotBoundException {
    registry.unbind(NAME);
  }

  /** What is bound next replaces the servant there is, which lives on. */
  void endServantLater() {
    replaced = servant;
  }

  /** The servant's objects are there no more. */
  void endServant() throws Exception {
    servant.getClass().getMethod("end").invoke(servant);
    UnicastRemoteObject.unexportObject(servant, true);
  }

  /** A counter of the servant that is bound now. */
  int counted(String field) throws ReflectiveOperationException {
    return ((AtomicInteger) servant.getClass().getField(field).get(servant)).get();
  }

  void release() throws ReflectiveOperationException {
    ((CountDownLatch) servant.getClass().getField("release").get(servant)).countDown();
  }

  RegistryName name() {
    return new RegistryName(new EndpointId("localhost", listener.getLocalPort()), NAME);
  }

  BridgeVisit visit() {
    return visit(PATIENCE);
  }

  BridgeVisit visit(Duration within) {
    return bridge.visit(publication, ANN, within);
  }

  /** A class of the publication. */
  Class<?> type(String name) throws ClassNotFoundException {
    return publication.loader().loadClass(name);
  }

  Object call(RemoteObject target, String type, String method, Object... arguments)
      throws CallFailure {
    return target.call(method(type, method), arguments);
  }

  /** A method of the bound object in a visit of its own. */
  Object call(String method, Object... arguments) throws CallFailure {
    return call(PATIENCE, method, arguments);
  }

  Object call(Duration within, String method, Object... arguments) throws CallFailure {
    try (BridgeVisit visit = visit(within)) {
      return call(visit.named(name()), "desk.Desk", method, arguments);
    }
  }

  Method method(String type, String name) {
    try {
      return Stream.of(type(type).getMethods())
          .filter(m -> m.getName().equals(name))
          .findFirst()
          .orElseThrow();
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  void close() throws Exception {
    bridge.close();
    leases.close();
    relay.close();
    clock.close();
    try {
      endServant();
    } catch (NoSuchObjectException ended) {
      // The test has done it.
    }
    if (replaced != null) {
      UnicastRemoteObject.unexportObject(replaced, true);
    }
    try {
      stopRegistry();
    } catch (NoSuchObjectException stopped) {
      // The registry is stopped already.
    }
    listener.close();
    publication.close();
    serverLoader.close();
  }
}
