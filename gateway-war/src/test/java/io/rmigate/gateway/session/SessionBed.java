package io.rmigate.gateway.session;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.audit.AuditTrail;
import io.rmigate.gateway.callback.CallbackMeters;
import io.rmigate.gateway.callback.CallbackSettings;
import io.rmigate.gateway.callback.CallbackView;
import io.rmigate.gateway.callback.Callbacks;
import io.rmigate.gateway.callback.InnerPeers;
import io.rmigate.gateway.callback.port.PortRange;
import io.rmigate.gateway.grant.GrantKeys;
import io.rmigate.gateway.grant.GrantSeal;
import io.rmigate.gateway.grant.GrantSettings;
import io.rmigate.gateway.grant.MovableClock;
import io.rmigate.gateway.lease.LeaseMeters;
import io.rmigate.gateway.lease.LeaseSettings;
import io.rmigate.gateway.lease.Leases;
import io.rmigate.gateway.lease.OwnCallLeaseServers;
import io.rmigate.gateway.lease.TimerLeaseClock;
import io.rmigate.gateway.log.RareLines;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.lookup.LookupSettings;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.Relay;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.relay.address.NameService;
import io.rmigate.gateway.relay.own.OwnCallSettings;
import io.rmigate.gateway.relay.own.OwnCalls;
import io.rmigate.gateway.route.EndpointMapping;
import io.rmigate.gateway.route.RawGrant;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.gateway.view.Savings;
import io.rmigate.gateway.view.SessionMeters;
import io.rmigate.protocol.coding.CodingFigures;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The gateway's sessions without a container, and the servers behind them. After each test it ends
 * the sessions and asserts that nothing is left: no session, no connection to a server, no thread.
 */
public final class SessionBed implements BeforeEachCallback, AfterEachCallback {
  public static final Principal ANN = new Principal("ann", Principal.Scheme.BASIC);
  public static final Set<RegistryOperation> READING =
      Set.of(RegistryOperation.LOOKUP, RegistryOperation.LIST);
  public static final Set<RegistryOperation> ALL = EnumSet.allOf(RegistryOperation.class);

  /** Tests wait for the end of all connections. */
  private static final OwnCallSettings SOON_IDLE =
      new OwnCallSettings(
          OwnCallSettings.DEFAULTS.connectionsPerTarget(),
          OwnCallSettings.DEFAULTS.waitingPerTarget(),
          OwnCallSettings.DEFAULTS.waitingBytesPerTarget(),
          OwnCallSettings.DEFAULTS.maxReturnBytes(),
          Duration.ofSeconds(1));

  /** On loopback, for everybody there. */
  static final CallbackSettings LISTENING =
      new CallbackSettings(
          InetAddress.getLoopbackAddress(),
          "gw.inner",
          new CallbackSettings.ListenerPorts(PortRange.ANY, CallbackSettings.QUARANTINE),
          InnerPeers.of(List.of("127.0.0.1")),
          List.of(new CallbackSettings.Allowance(Set.of("*"), 100, List.of())),
          new CallbackSettings.ConnectionLimits(
              CallbackSettings.MAX_CONNECTIONS, CallbackSettings.MAX_CONNECTIONS_IN_ALL),
          CallbackSettings.LEASE);

  /** From one look at the clock to the next. */
  private static final Duration TICK = Duration.ofMillis(20);

  /** How far the clock of sessions is ahead of {@link System#nanoTime}. */
  private final AtomicLong passedNanos = new AtomicLong();

  private final AtomicInteger isolatedCalls = new AtomicInteger();
  private final AtomicReference<Savings> saved = new AtomicReference<>(Savings.NOTHING);
  private final AtomicInteger sessionsCounted = new AtomicInteger();
  private final AtomicInteger registriesAsked = new AtomicInteger();
  private volatile Runnable whenAdmitted;
  private final AtomicReference<CodingFigures> codedFromAgents = new AtomicReference<>();
  private final AtomicReference<CodingFigures> codedToAgents = new AtomicReference<>();
  private final List<TestAgent> agents = new ArrayList<>();
  private final List<ScriptedRmiServer> scripted = new ArrayList<>();
  private final List<LedgerServer> ledgers = new ArrayList<>();
  private SessionSettings settings;
  private AuditTrail audit;
  private RelaySettings relaySettings;
  private volatile TargetPolicy policy;
  private volatile Runnable whenPolicyAsked;
  private volatile LookupSettings lookups;
  private volatile CompressionPolicy compression;
  private Set<String> threadsBefore;
  private Relay relay;
  private NameService names;
  private TimerLeaseClock leaseClock;
  private Leases leases;
  private LeaseSettings leaseSettings;
  private Callbacks callbacks;
  private volatile Optional<CallbackSettings> callbackSettings;
  private CallbackMeters callbackMeters;
  private Path state;
  private SessionRegistry registry;
  private volatile GrantKeys grantKeys;
  private volatile GrantSettings grantSettings;
  private final MovableClock grantClock = new MovableClock();
  private final Map<String, Integer> refused = new ConcurrentHashMap<>();
  private final AtomicInteger acknowledged = new AtomicInteger();
  private final AtomicInteger grantsSealed = new AtomicInteger();
  private final AtomicInteger grantsAccepted = new AtomicInteger();

  @Override
  public void beforeEach(ExtensionContext context) {
    passedNanos.set(0);
    isolatedCalls.set(0);
    saved.set(Savings.NOTHING);
    sessionsCounted.set(0);
    registriesAsked.set(0);
    whenAdmitted = () -> {};
    whenPolicyAsked = () -> {};
    codedFromAgents.set(CodingFigures.NONE);
    codedToAgents.set(CodingFigures.NONE);
    settings = SessionSettings.DEFAULTS;
    lookups = LookupSettings.DEFAULTS;
    leaseSettings = LeaseSettings.DEFAULTS;
    grantKeys = GrantKeys.random();
    grantSettings = GrantSettings.DEFAULTS;
    refused.clear();
    acknowledged.set(0);
    grantsSealed.set(0);
    grantsAccepted.set(0);
    callbackSettings = Optional.of(LISTENING);
    callbackMeters = CallbackMeters.NONE;
    audit = AuditTrail.OFF;
    names = NameService.SYSTEM;
    state = null;
    relaySettings =
        new RelaySettings(PATIENCE, PATIENCE, PATIENCE, 64 * 1024, 1); // nothing is pinged
    policy(new TargetGrant(Set.of("*"), List.of("127.0.0.1:*", "localhost:*"), READING));
    compression(Compression.AUTO);
    threadsBefore = threads();
    relay = null;
    registry = null;
  }

  /** Before the first agent. */
  void settings(SessionSettings next) {
    settings = next;
  }

  /** Before the first agent. */
  void audit(AuditTrail trail) {
    audit = trail;
  }

  /** Before the first agent. */
  void leaseSettings(LeaseSettings next) {
    leaseSettings = next;
  }

  /** At any time. */
  void grantKeys(GrantKeys next) {
    grantKeys = next;
  }

  GrantKeys grantKeys() {
    return grantKeys;
  }

  /** At any time. */
  void grantSettings(GrantSettings next) {
    grantSettings = next;
  }

  /** What seals and opens grants goes by this. */
  MovableClock grantClock() {
    return grantClock;
  }

  /** How often something was refused, by the meters. */
  int refused(String reason) {
    return refused.getOrDefault(reason, 0);
  }

  /** DgcAcks that were passed on. */
  int acknowledged() {
    return acknowledged.get();
  }

  int grantsSealed() {
    return grantsSealed.get();
  }

  int grantsAccepted() {
    return grantsAccepted.get();
  }

  Leases leases() {
    return leases;
  }

  /** At any time; empty: agents may not listen. */
  void callbacks(Optional<CallbackSettings> next) {
    callbackSettings = next;
  }

  /** Before the first agent. */
  void callbackMeters(CallbackMeters meters) {
    callbackMeters = meters;
  }

  /** Before the first agent: what outlives the gateway is kept there. */
  void state(Path directory) {
    state = directory;
  }

  CallbackView callbacks() {
    return callbacks.view();
  }

  /** At any time. */
  void lookups(LookupSettings next) {
    lookups = next;
  }

  /**
   * So much time is over for sessions at once: for their silence, patience, grants and last words.
   * Alarms of calls, leases and connections go by the real clock.
   */
  void pass(Duration time) {
    passedNanos.addAndGet(time.toNanos());
  }

  SessionSettings settings() {
    return settings;
  }

  /** Before the first agent. */
  void relaySettings(RelaySettings next) {
    relaySettings = next;
  }

  /** Before the first agent: says where targets are. */
  void names(NameService service) {
    names = service;
  }

  /** As a reload does it: at any time. */
  void policy(TargetGrant... grants) {
    policy = new TargetPolicy(List.of(grants));
  }

  /** Changes the policy as a reload does it: at any time. */
  void policy(TargetPolicy next) {
    policy = next;
  }

  /** Changes the policy, and what calls to all targets may carry. */
  void policy(Rulebook rulebook, TargetGrant... grants) {
    policy = new TargetPolicy(List.of(grants), List.of(), EndpointMapping.DEFAULT, rulebook);
  }

  /** Changes the policy and the mapping of endpoints. */
  void policy(EndpointMapping mapping, TargetGrant... grants) {
    policy = new TargetPolicy(List.of(grants), mapping);
  }

  /** Changes the policy after {@code times} further requests for the one before. */
  void policyOnceAsked(int times, TargetPolicy next) {
    AtomicInteger asked = new AtomicInteger();
    whenPolicyAsked =
        () -> {
          if (asked.incrementAndGet() > times) {
            policy = next;
          }
        };
  }

  private TargetPolicy askedPolicy() {
    whenPolicyAsked.run();
    return policy;
  }

  /** The usual targets, and these for raw streams. */
  void raw(RawGrant... grants) {
    policy =
        new TargetPolicy(
            List.of(new TargetGrant(Set.of("*"), List.of("127.0.0.1:*"), READING)),
            List.of(grants),
            EndpointMapping.DEFAULT);
  }

  /** For sessions opened from now on. */
  void compression(Compression mode) {
    compression = new CompressionPolicy(mode, List.of());
  }

  /** The usual targets with these operations of registries. */
  void grant(Set<RegistryOperation> operations) {
    policy(new TargetGrant(Set.of("*"), List.of("127.0.0.1:*"), operations));
  }

  SessionRegistry registry() {
    if (registry == null) {
      relay = new Relay(relaySettings);
      relay.names(names);
      leaseClock = new TimerLeaseClock();
      OwnCalls inside = new OwnCalls(relay, SOON_IDLE);
      leases =
          new Leases(
              leaseSettings,
              new OwnCallLeaseServers(inside, leaseSettings.callTimeout()),
              leaseClock,
              new LeaseMeters() {
                @Override
                public void refused(String reason) {
                  refused.merge(reason, 1, Integer::sum);
                }

                @Override
                public void leaseAcknowledged() {
                  acknowledged.incrementAndGet();
                }
              });
      callbacks =
          new Callbacks(() -> callbackSettings, relay, Optional.ofNullable(state), callbackMeters);
      registry =
          new SessionRegistry(
              settings,
              new InnerParts(relay, leases, inside, callbacks),
              new LiveSettings(
                  () -> lookups,
                  this::askedPolicy,
                  () -> compression,
                  new GrantSeal(() -> grantKeys, () -> grantSettings, grantClock)),
              new SessionReports(
                  new SessionMeters() {
                    @Override
                    public void refused(String reason) {
                      refused.merge(reason, 1, Integer::sum);
                    }

                    @Override
                    public void grantSealed(int objects) {
                      grantsSealed.incrementAndGet();
                    }

                    @Override
                    public void grantAccepted() {
                      grantsAccepted.incrementAndGet();
                    }

                    @Override
                    public void isolatedCall() {
                      isolatedCalls.incrementAndGet();
                    }

                    @Override
                    public void codedFromAgent(CodingFigures more) {
                      codedFromAgents.accumulateAndGet(more, SessionBed::sum);
                    }

                    @Override
                    public void codedToAgent(CodingFigures more) {
                      codedToAgents.accumulateAndGet(more, SessionBed::sum);
                    }

                    @Override
                    public void saved(Savings more) {
                      saved.accumulateAndGet(more, SessionBed::sum);
                    }

                    @Override
                    public void sessionOpened() {
                      sessionsCounted.incrementAndGet();
                      whenAdmitted.run();
                    }

                    @Override
                    public void registryAsked() {
                      registriesAsked.incrementAndGet();
                    }

                    @Override
                    public void sessionClosed(String cause) {
                      sessionsCounted.decrementAndGet();
                    }
                  },
                  audit,
                  RareLines.ofCallers()),
              () -> System.nanoTime() + passedNanos.get(),
              TICK);
    }
    return registry;
  }

  /** What all agents have reported, added up. */
  Savings saved() {
    return saved.get();
  }

  /** What was metered as coded. */
  CodingFigures coded(boolean fromAgents) {
    return fromAgents ? codedFromAgents.get() : codedToAgents.get();
  }

  private static CodingFigures sum(CodingFigures a, CodingFigures b) {
    return new CodingFigures(a.uncodedBytes() + b.uncodedBytes(), a.codedBytes() + b.codedBytes());
  }

  private static Savings sum(Savings a, Savings b) {
    return new Savings(
        a.plainRoundTrips() + b.plainRoundTrips(),
        a.roundTrips() + b.roundTrips(),
        a.plainBytes() + b.plainBytes(),
        a.lookups() + b.lookups(),
        a.leaseCalls() + b.leaseCalls(),
        a.pings() + b.pings(),
        a.leases() + b.leases());
  }

  int isolatedCalls() {
    return isolatedCalls.get();
  }

  /** Sessions open, by the meters. */
  int sessionsCounted() {
    return sessionsCounted.get();
  }

  /** Lookups that the gateway has made by itself, by the meters. */
  int registriesAsked() {
    return registriesAsked.get();
  }

  /** Runs between the admission of a session and its welcome. */
  void whenAdmitted(Runnable task) {
    whenAdmitted = task;
  }

  /** An agent that has been welcomed. */
  TestAgent agent() {
    return agent(RecordingLinkPort.Sends.INLINE);
  }

  TestAgent agent(RecordingLinkPort.Sends sends) {
    TestAgent agent = strangers(sends);
    agent.hello();
    agent.awaitWelcome();
    return agent;
  }

  /** An agent that has not said hello. */
  TestAgent stranger() {
    return strangers(RecordingLinkPort.Sends.INLINE);
  }

  /** An agent of another principal that has not said hello. */
  TestAgent stranger(Principal principal) {
    return strangers(RecordingLinkPort.Sends.INLINE, principal);
  }

  private TestAgent strangers(RecordingLinkPort.Sends sends) {
    return strangers(sends, ANN);
  }

  private TestAgent strangers(RecordingLinkPort.Sends sends, Principal principal) {
    TestAgent agent = new TestAgent(registry(), sends, principal);
    agents.add(agent);
    return agent;
  }

  ScriptedRmiServer scripted(FailurePolicy failure) throws IOException {
    ScriptedRmiServer server = new ScriptedRmiServer(failure);
    scripted.add(server);
    return server;
  }

  /** At that address; port 0 is any free one. */
  ScriptedRmiServer scripted(InetAddress address, int port) throws IOException {
    ScriptedRmiServer server = new ScriptedRmiServer(FailurePolicy.NONE, address, port);
    scripted.add(server);
    return server;
  }

  /** One at each of these addresses, all of the same port. */
  List<ScriptedRmiServer> scriptedAtOnePort(InetAddress first, InetAddress second)
      throws IOException {
    for (int attempt = 1; ; attempt++) {
      ScriptedRmiServer one = scripted(first, 0);
      try {
        return List.of(one, scripted(second, one.port()));
      } catch (BindException taken) { // by another program, perhaps at every address
        if (attempt == 20) {
          throw taken;
        }
      }
    }
  }

  LedgerServer ledger() throws Exception {
    LedgerServer server = new LedgerServer();
    ledgers.add(server);
    return server;
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    try {
      if (registry != null) {
        agents.forEach(agent -> agent.port().release(RecordingLinkPort.Sends.INLINE));
        registry.close();
        callbacks.close();
        leases.close();
        leaseClock.close();
        assertThat(registry.sessions()).isEmpty();
        assertThat(sessionsCounted).hasValue(0);
        for (TestAgent agent : agents) {
          assertThat(agent.port().closed()).isNotNull();
          assertThat(agent.port().failure()).isNull();
        }
        ledgers.forEach(LedgerServer::openGate);
        scripted.forEach(server -> server.policy(FailurePolicy.NEVER_ANSWER)); // reads to the end
        await().until(() -> scripted.stream().allMatch(s -> s.allEnded()));
        await().until(() -> ledgers.stream().allMatch(s -> s.allConnectionsClosed()));
        relay.close();
        await().untilAsserted(() -> assertThat(newThreads()).isEmpty());
      }
    } finally {
      if (relay != null) {
        relay.close();
      }
      for (ScriptedRmiServer server : scripted) {
        server.close();
      }
      for (LedgerServer server : ledgers) {
        server.close();
      }
      agents.forEach(agent -> agent.port().stop());
      agents.clear();
      scripted.clear();
      ledgers.clear();
    }
  }

  /** Threads of the gateway that this test has started. */
  Set<String> newThreads() {
    Set<String> now = threads();
    now.removeAll(threadsBefore);
    return now;
  }

  /** By name and number: names are used again. */
  private static Set<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("rmigate-"))
        .map(thread -> thread.getName() + " " + thread.getId())
        .collect(Collectors.toSet());
  }
}
