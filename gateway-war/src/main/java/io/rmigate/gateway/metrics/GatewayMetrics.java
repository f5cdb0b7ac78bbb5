package io.rmigate.gateway.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.rmigate.gateway.bridge.BridgeMeters;
import io.rmigate.gateway.callback.CallbackMeters;
import io.rmigate.gateway.lease.LeaseMeters;
import io.rmigate.gateway.legacy.LegacyMeters;
import io.rmigate.gateway.services.ServiceMeters;
import io.rmigate.gateway.view.Saved;
import io.rmigate.gateway.view.SessionMeters;
import io.rmigate.protocol.coding.CodingFigures;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * {@link SessionMeters}, {@link LeaseMeters}, {@link CallbackMeters}, {@link BridgeMeters}, {@link
 * ServiceMeters} and {@link LegacyMeters} for Prometheus, together with the usual figures of the
 * JVM. Counting is a {@link LongAdder}; Micrometer only looks at it when somebody scrapes. One
 * instance per gateway.
 */
public final class GatewayMetrics
    implements SessionMeters,
        LeaseMeters,
        CallbackMeters,
        BridgeMeters,
        ServiceMeters,
        LegacyMeters,
        AutoCloseable {
  /** The format {@link #scrape} writes. */
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  /** Far above any closed set of ours: a mistake must not make a time series per client. */
  private static final int MAX_LABEL_VALUES = 64;

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics garbageCollection = new JvmGcMetrics();

  private final LongAdder sessionsOpened = new LongAdder();
  private final LongAdder sessionsClosed = new LongAdder();
  private final LongAdder streamsOpened = new LongAdder();
  private final LongAdder streamsClosed = new LongAdder();
  private final LongAdder callbackListeners = new LongAdder();
  private final LongAdder callbackConnections = new LongAdder();
  private final LongAdder heldInside = new LongAdder();
  private final LongAdder callbacks;
  private final LongAdder callbacksAnswered;
  private final LongAdder resumed;
  private final LongAdder rests;
  private final LongAdder calls;
  private final LongAdder isolatedCalls;
  private final LongAdder bytesFromAgents;
  private final LongAdder bytesToAgents;
  private final LongAdder codedFromAgents;
  private final LongAdder codedFromAgentsUncoded;
  private final LongAdder codedToAgents;
  private final LongAdder codedToAgentsUncoded;
  private final LongAdder bytesToServers;
  private final LongAdder bytesFromServers;
  private final LongAdder rawConnections;
  private final LongAdder rawToServers;
  private final LongAdder rawFromServers;
  private final LongAdder plainRoundTrips;
  private final LongAdder roundTrips;
  private final LongAdder plainBytes;
  private final LongAdder lookupsAnswered;
  private final LongAdder leaseCallsAnswered;
  private final LongAdder pingsAnswered;
  private final LongAdder leases = new LongAdder();
  private final LongAdder namesWatched = new LongAdder();
  private final LongAdder lookupsKnown;
  private final LongAdder lookupsAsked;
  private final LongAdder registriesAsked;
  private final LongAdder bindingsPushed;
  private final LongAdder dirtyCalls;
  private final LongAdder cleanCalls;
  private final LongAdder leaseFailures;
  private final LongAdder leaseAcks;
  private final LongAdder grantsSealed;
  private final LongAdder objectsGranted;
  private final LongAdder grantsAccepted;
  private final Timer connects;
  private final Map<ServiceCall, Timer> serviceCalls = new ConcurrentHashMap<>();
  private final LongAdder bridgeLookups;
  private final LongAdder bridgeReferences = new LongAdder();
  private final Map<String, Timer> bridgeCalls = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> closedByCause = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> connectFailuresByReason = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> timedOutByWait = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> legacyByMessage = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> refusedByReason = new ConcurrentHashMap<>();

  /** By what the calls of web-service clients are told apart; all of it from the configuration. */
  private record ServiceCall(String path, String contract, String operation, int status) {}

  /** Registers everything. */
  public GatewayMetrics() {
    gauge("rmigate.sessions", "Sessions open", this::sessionsOpen);
    gauge("rmigate.streams", "Streams open", this::streamsOpen);
    gauge("rmigate.leases", "Objects held for agents, or being released", this::leases);
    dirtyCalls = counter("rmigate.leases.dirty", "Dirty calls to servers, renewals included", null);
    cleanCalls = counter("rmigate.leases.clean", "Clean calls to servers", null);
    leaseFailures = counter("rmigate.leases.failures", "Dirty and clean calls that failed", null);
    leaseAcks =
        counter("rmigate.leases.acks", "DgcAcks passed on, the leases before them in place", null);
    gauge("rmigate.callbacks.listeners", "Ports listened at for agents", callbackListeners::sum);
    gauge("rmigate.callbacks.connections", "Connections of inner JVMs", callbackConnections::sum);
    gauge("rmigate.callbacks.objects", "Objects of agents held by inner JVMs", heldInside::sum);
    callbacks = counter("rmigate.callbacks.calls", "Calls of inner JVMs to agents", null);
    callbacksAnswered =
        counter(
            "rmigate.callbacks.answered",
            "Handshakes, pings, dirty and clean calls of inner JVMs answered by the gateway",
            null);
    resumed = counter("rmigate.sessions.resumed", "Lost links that were replaced", null);
    rests =
        counter("rmigate.link.rests", "Pauses in reading a link that asks for too much work", null);
    grantsSealed = counter("rmigate.grants.sealed", "Grants given to agents to keep", null);
    objectsGranted = counter("rmigate.grants.objects", "Objects in grants given to agents", null);
    grantsAccepted = counter("rmigate.grants.accepted", "Grants that agents have shown", null);
    calls = counter("rmigate.calls", "Calls sent to servers", null);
    isolatedCalls =
        counter("rmigate.calls.isolated", "Calls that had a connection of their own", null);
    bytesFromAgents = counter("rmigate.link.received", "Link bytes from agents", "bytes");
    bytesToAgents = counter("rmigate.link.sent", "Link bytes to agents", "bytes");
    codedFromAgents =
        counter("rmigate.link.received.coded", "Compressed link bytes from agents", "bytes");
    codedFromAgentsUncoded =
        counter(
            "rmigate.link.received.uncoded",
            "Size of the compressed link bytes from agents before compression",
            "bytes");
    codedToAgents = counter("rmigate.link.sent.coded", "Compressed link bytes to agents", "bytes");
    codedToAgentsUncoded =
        counter(
            "rmigate.link.sent.uncoded",
            "Size of the compressed link bytes to agents before compression",
            "bytes");
    bytesToServers = counter("rmigate.servers.sent", "JRMP bytes to servers", "bytes");
    bytesFromServers = counter("rmigate.servers.received", "JRMP bytes from servers", "bytes");
    rawConnections = counter("rmigate.raw.connections", "Connections made for raw streams", null);
    rawToServers = counter("rmigate.raw.sent", "Bytes of raw streams to their targets", "bytes");
    rawFromServers =
        counter("rmigate.raw.received", "Bytes of raw streams from their targets", "bytes");
    plainRoundTrips =
        counter(
            "rmigate.saved.plain.round.trips",
            "Round trips that plain RMI would have needed, as agents report",
            null);
    roundTrips =
        counter("rmigate.saved.round.trips", "Round trips on links, as agents report", null);
    plainBytes =
        counter(
            "rmigate.saved.plain",
            "JRMP bytes that plain RMI would have needed, as agents report",
            "bytes");
    lookupsAnswered = counter("rmigate.saved.lookups", "Lookups answered by agents", null);
    gauge("rmigate.lookups.watched", "Names in registries that are watched", namesWatched::sum);
    lookupsKnown =
        counter(
            "rmigate.lookups.known", "Lookups of agents answered without asking a registry", null);
    lookupsAsked =
        counter("rmigate.lookups.asked", "Lookups of agents for which a registry was asked", null);
    registriesAsked =
        counter("rmigate.lookups.inside", "Lookups in registries, scheduled ones included", null);
    bindingsPushed =
        counter("rmigate.lookups.pushes", "Changes of bindings pushed to agents", null);
    leaseCallsAnswered =
        counter("rmigate.saved.lease.calls", "Dirty and clean calls answered by agents", null);
    pingsAnswered = counter("rmigate.saved.pings", "Pings and handshakes answered by agents", null);
    bridgeLookups =
        counter("rmigate.bridge.lookups", "Lookups in registries for web-service clients", null);
    gauge(
        "rmigate.bridge.references", "Objects held for web-service clients", bridgeReferences::sum);
    connects =
        Timer.builder("rmigate.servers.connect")
            .description("Time to connect to servers, handshake included")
            .register(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    garbageCollection.bindTo(registry);
  }

  private void gauge(String name, String description, LongSupplier value) {
    Gauge.builder(name, value::getAsLong).description(description).register(registry);
  }

  private LongAdder counter(String name, String description, String unit) {
    LongAdder counter = new LongAdder();
    FunctionCounter.builder(name, counter, LongAdder::doubleValue)
        .description(description)
        .baseUnit(unit)
        .register(registry);
    return counter;
  }

  private void labelled(
      Map<String, LongAdder> counters, String name, String description, String tag, String value) {
    LongAdder counter = counters.get(value);
    if (counter == null) {
      String bounded = counters.size() < MAX_LABEL_VALUES ? value : "other";
      counter =
          counters.computeIfAbsent(
              bounded,
              added -> {
                LongAdder adder = new LongAdder();
                FunctionCounter.builder(name, adder, LongAdder::doubleValue)
                    .description(description)
                    .tag(tag, added)
                    .register(registry);
                return adder;
              });
    }
    counter.increment();
  }

  /** Sessions open now. */
  public long sessionsOpen() {
    return sessionsOpened.sum() - sessionsClosed.sum();
  }

  /** Streams open now. */
  public long streamsOpen() {
    return streamsOpened.sum() - streamsClosed.sum();
  }

  /** Objects held for agents, or being released. */
  public long leases() {
    return leases.sum();
  }

  /** Calls sent to servers so far. */
  public long calls() {
    return calls.sum();
  }

  /** What agents have said that they have saved so far; of leases, those held now. */
  public Saved saved() {
    return new Saved(
        plainRoundTrips.sum(),
        roundTrips.sum(),
        plainBytes.sum(),
        lookupsAnswered.sum(),
        leaseCallsAnswered.sum(),
        pingsAnswered.sum(),
        leases());
  }

  /**
   * What has crossed links so far.
   *
   * @param bytesFromAgents as they came, coded or not
   * @param bytesToAgents likewise
   * @param coded of those, both ways
   */
  public record LinkTotals(long bytesFromAgents, long bytesToAgents, CodingFigures coded) {}

  /** Of all links so far. */
  public LinkTotals links() {
    return new LinkTotals(
        bytesFromAgents.sum(),
        bytesToAgents.sum(),
        new CodingFigures(
            codedFromAgentsUncoded.sum() + codedToAgentsUncoded.sum(),
            codedFromAgents.sum() + codedToAgents.sum()));
  }

  /** Calls of inner JVMs to agents so far. */
  public long callbacks() {
    return callbacks.sum();
  }

  /** What was refused so far, by reason. */
  public Map<String, Long> refused() {
    Map<String, Long> sums = new TreeMap<>();
    refusedByReason.forEach((reason, count) -> sums.put(reason, count.sum()));
    return sums;
  }

  /** All of it in Prometheus' text format, see {@link #CONTENT_TYPE}. */
  public String scrape() {
    return registry.scrape(CONTENT_TYPE);
  }

  @Override
  public void sessionOpened() {
    sessionsOpened.increment();
  }

  @Override
  public void sessionClosed(String cause) {
    sessionsClosed.increment();
    labelled(closedByCause, "rmigate.sessions.closed", "Sessions ended", "cause", cause);
  }

  @Override
  public void sessionResumed() {
    resumed.increment();
  }

  @Override
  public void linkRested() {
    rests.increment();
  }

  @Override
  public void streamOpened() {
    streamsOpened.increment();
  }

  @Override
  public void streamClosed() {
    streamsClosed.increment();
  }

  @Override
  public void call() {
    calls.increment();
  }

  @Override
  public void isolatedCall() {
    isolatedCalls.increment();
  }

  @Override
  public void refused(String reason) {
    labelled(refusedByReason, "rmigate.refused", "Refusals", "reason", reason);
  }

  @Override
  public void legacyRequest(String what) {
    labelled(
        legacyByMessage,
        "rmigate.legacy.requests",
        "Requests of clients of JDK 8 and older",
        "message",
        what);
  }

  /**
   * Shows how much of the audit could be kept.
   *
   * @param written the number of the last line
   * @param lost lines since the start that could not be
   */
  public void watchAudit(LongSupplier written, LongSupplier lost) {
    gauge("rmigate.audit.line", "Number of the last line of the audit", written);
    FunctionCounter.builder("rmigate.audit.lost", lost, LongSupplier::getAsLong)
        .description("Lines of the audit that could not be kept")
        .register(registry);
  }

  /** Shows whether a change is refused; {@code refused} is asked when somebody looks. */
  public void watchConfiguration(BooleanSupplier refused) {
    gauge(
        "rmigate.configuration.refused",
        "1 while the files of the configuration hold a change that was refused",
        () -> refused.getAsBoolean() ? 1 : 0);
  }

  /** Shows how many calls wait for too long; {@code hung} is asked when somebody looks. */
  public void watchHungCalls(LongSupplier hung) {
    gauge("rmigate.calls.hung", "Calls that wait longer than calls.hung-after", hung);
  }

  @Override
  public void callTimedOut(String waitedFor) {
    labelled(
        timedOutByWait,
        "rmigate.calls.timed.out",
        "Calls that reached their deadlines",
        "waited_for",
        waitedFor);
  }

  @Override
  public void saved(Saved more) {
    plainRoundTrips.add(more.plainRoundTrips());
    roundTrips.add(more.roundTrips());
    plainBytes.add(more.plainBytes());
    lookupsAnswered.add(more.lookups());
    leaseCallsAnswered.add(more.leaseCalls());
    pingsAnswered.add(more.pings());
  }

  @Override
  public void namesWatched(int change) {
    namesWatched.add(change);
  }

  @Override
  public void lookupAnswered(boolean known) {
    (known ? lookupsKnown : lookupsAsked).increment();
  }

  @Override
  public void registryAsked() {
    registriesAsked.increment();
  }

  @Override
  public void bindingPushed() {
    bindingsPushed.increment();
  }

  @Override
  public void leasesHeld(int change) {
    leases.add(change);
  }

  @Override
  public void leaseCall(boolean dirty) {
    (dirty ? dirtyCalls : cleanCalls).increment();
  }

  @Override
  public void leaseCallFailed() {
    leaseFailures.increment();
  }

  @Override
  public void leaseAcknowledged() {
    leaseAcks.increment();
  }

  @Override
  public void grantSealed(int objects) {
    grantsSealed.increment();
    objectsGranted.add(objects);
  }

  @Override
  public void grantAccepted() {
    grantsAccepted.increment();
  }

  @Override
  public void callbackListeners(int change) {
    callbackListeners.add(change);
  }

  @Override
  public void callbackConnections(int change) {
    callbackConnections.add(change);
  }

  @Override
  public void callbackObjects(int change) {
    heldInside.add(change);
  }

  @Override
  public void callback() {
    callbacks.increment();
  }

  @Override
  public void callbackAnswered() {
    callbacksAnswered.increment();
  }

  @Override
  public void serviceCall(String path, String contract, String operation, int status, long nanos) {
    serviceCalls
        .computeIfAbsent(
            new ServiceCall(path, contract, operation, status),
            call ->
                Timer.builder("rmigate.services.calls")
                    .description("Calls of web-service clients, answered")
                    .tag("path", call.path())
                    .tag("operation", call.contract() + "." + call.operation())
                    .tag("status", Integer.toString(call.status()))
                    .register(registry))
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  /** Shows how many connections clients have; {@code open} is asked when somebody looks. */
  public void watchConnections(LongSupplier open) {
    gauge("rmigate.connections", "Connections at the stand-alone gateway's ports", open);
  }

  /** Shows how many handles web-service clients have; {@code held} is asked when somebody looks. */
  public void watchHandles(LongSupplier held) {
    gauge("rmigate.services.handles", "Handles of web-service clients", held);
  }

  @Override
  public void bytesFromAgent(int count) {
    bytesFromAgents.add(count);
  }

  @Override
  public void bytesToAgent(int count) {
    bytesToAgents.add(count);
  }

  @Override
  public void codedFromAgent(CodingFigures more) {
    codedFromAgentsUncoded.add(more.uncodedBytes());
    codedFromAgents.add(more.codedBytes());
  }

  @Override
  public void codedToAgent(CodingFigures more) {
    codedToAgentsUncoded.add(more.uncodedBytes());
    codedToAgents.add(more.codedBytes());
  }

  @Override
  public void bytesToServer(int count) {
    bytesToServers.add(count);
  }

  @Override
  public void bytesFromServer(int count) {
    bytesFromServers.add(count);
  }

  @Override
  public void rawConnected() {
    rawConnections.increment();
  }

  @Override
  public void rawBytesToServer(int count) {
    rawToServers.add(count);
  }

  @Override
  public void rawBytesFromServer(int count) {
    rawFromServers.add(count);
  }

  @Override
  public void connected(long nanos) {
    connects.record(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void connectFailed(String reason) {
    labelled(
        connectFailuresByReason,
        "rmigate.servers.connect.failures",
        "Connections to servers that failed",
        "reason",
        reason);
  }

  @Override
  public void bridgeCall(String outcome, long nanos) {
    bridgeCalls
        .computeIfAbsent(
            outcome,
            added ->
                Timer.builder("rmigate.bridge.calls")
                    .description("Calls to servers for web-service clients")
                    .tag("outcome", added)
                    .register(registry))
        .record(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void bridgeLookup() {
    bridgeLookups.increment();
  }

  @Override
  public void bridgeReferences(int change) {
    bridgeReferences.add(change);
  }

  /** Ends the listening to the garbage collector. */
  @Override
  public void close() {
    garbageCollection.close();
    registry.close();
  }
}
