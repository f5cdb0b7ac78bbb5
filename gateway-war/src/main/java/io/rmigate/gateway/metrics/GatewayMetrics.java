package io.rmigate.gateway.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.rmigate.gateway.callback.CallbackMeters;
import io.rmigate.gateway.lease.LeaseMeters;
import io.rmigate.gateway.legacy.LegacyMeters;
import io.rmigate.gateway.metrics.MeterFactory.LabelledCounter;
import io.rmigate.gateway.view.Savings;
import io.rmigate.gateway.view.SessionMeters;
import io.rmigate.protocol.coding.CodingFigures;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The meters of one gateway, for Prometheus, together with those of its JVM. {@link ServiceMetrics}
 * has the meters of web services.
 */
public final class GatewayMetrics
    implements SessionMeters, LeaseMeters, CallbackMeters, LegacyMeters, AutoCloseable {
  /** The format {@link #scrape} writes. */
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final MeterFactory meters = new MeterFactory(registry);
  private final ServiceMetrics services = new ServiceMetrics(registry, meters, this::refused);
  private final JvmGcMetrics garbageCollection = new JvmGcMetrics();

  private final LongAdder sessionsOpened = new LongAdder();
  private final LongAdder sessionsClosed = new LongAdder();
  private final LongAdder streamsOpened = new LongAdder();
  private final LongAdder streamsClosed = new LongAdder();
  private final LongAdder callbackListeners = new LongAdder();
  private final LongAdder callbackConnections = new LongAdder();
  private final LongAdder heldInside = new LongAdder();
  private final LongAdder callbacks =
      meters.counter("rmigate.callbacks.calls", "Calls of inner JVMs to agents", null);
  private final LongAdder callbacksAnswered =
      meters.counter(
          "rmigate.callbacks.answered",
          "Handshakes, pings, dirty and clean calls of inner JVMs answered by the gateway",
          null);
  private final LongAdder resumed =
      meters.counter("rmigate.sessions.resumed", "Lost links that were replaced", null);
  private final LongAdder rests =
      meters.counter(
          "rmigate.link.rests", "Pauses in reading a link that asks for too much work", null);
  private final LongAdder calls = meters.counter("rmigate.calls", "Calls sent to servers", null);
  private final LongAdder isolatedCalls =
      meters.counter("rmigate.calls.isolated", "Calls that had a connection of their own", null);
  private final LongAdder bytesFromAgents =
      meters.counter("rmigate.link.received", "Link bytes from agents", "bytes");
  private final LongAdder bytesToAgents =
      meters.counter("rmigate.link.sent", "Link bytes to agents", "bytes");
  private final LongAdder codedFromAgents =
      meters.counter("rmigate.link.received.coded", "Compressed link bytes from agents", "bytes");
  private final LongAdder codedFromAgentsUncoded =
      meters.counter(
          "rmigate.link.received.uncoded",
          "Size of the compressed link bytes from agents before compression",
          "bytes");
  private final LongAdder codedToAgents =
      meters.counter("rmigate.link.sent.coded", "Compressed link bytes to agents", "bytes");
  private final LongAdder codedToAgentsUncoded =
      meters.counter(
          "rmigate.link.sent.uncoded",
          "Size of the compressed link bytes to agents before compression",
          "bytes");
  private final LongAdder bytesToServers =
      meters.counter("rmigate.servers.sent", "JRMP bytes to servers", "bytes");
  private final LongAdder bytesFromServers =
      meters.counter("rmigate.servers.received", "JRMP bytes from servers", "bytes");
  private final LongAdder rawConnections =
      meters.counter("rmigate.raw.connections", "Connections made for raw streams", null);
  private final LongAdder rawToServers =
      meters.counter("rmigate.raw.sent", "Bytes of raw streams to their targets", "bytes");
  private final LongAdder rawFromServers =
      meters.counter("rmigate.raw.received", "Bytes of raw streams from their targets", "bytes");
  private final LongAdder plainRoundTrips =
      meters.counter(
          "rmigate.saved.plain.round.trips",
          "Round trips that plain RMI would have needed, as agents report",
          null);
  private final LongAdder roundTrips =
      meters.counter("rmigate.saved.round.trips", "Round trips on links, as agents report", null);
  private final LongAdder plainBytes =
      meters.counter(
          "rmigate.saved.plain",
          "JRMP bytes that plain RMI would have needed, as agents report",
          "bytes");
  private final LongAdder lookupsAnswered =
      meters.counter("rmigate.saved.lookups", "Lookups answered by agents", null);
  private final LongAdder leaseCallsAnswered =
      meters.counter("rmigate.saved.lease.calls", "Dirty and clean calls answered by agents", null);
  private final LongAdder pingsAnswered =
      meters.counter("rmigate.saved.pings", "Pings and handshakes answered by agents", null);
  private final LongAdder leases = new LongAdder();
  private final LongAdder namesWatched = new LongAdder();
  private final LongAdder lookupsKnown =
      meters.counter(
          "rmigate.lookups.known", "Lookups of agents answered without asking a registry", null);
  private final LongAdder lookupsAsked =
      meters.counter(
          "rmigate.lookups.asked", "Lookups of agents for which a registry was asked", null);
  private final LongAdder registriesAsked =
      meters.counter(
          "rmigate.lookups.inside", "Lookups in registries, scheduled ones included", null);
  private final LongAdder bindingsPushed =
      meters.counter("rmigate.lookups.pushes", "Changes of bindings pushed to agents", null);
  private final LongAdder dirtyCalls =
      meters.counter("rmigate.leases.dirty", "Dirty calls to servers, renewals included", null);
  private final LongAdder cleanCalls =
      meters.counter("rmigate.leases.clean", "Clean calls to servers", null);
  private final LongAdder leaseFailures =
      meters.counter("rmigate.leases.failures", "Dirty and clean calls that failed", null);
  private final LongAdder leaseAcks =
      meters.counter(
          "rmigate.leases.acks", "DgcAcks passed on, the leases before them in place", null);
  private final LongAdder grantsSealed =
      meters.counter("rmigate.grants.sealed", "Grants given to agents to keep", null);
  private final LongAdder objectsGranted =
      meters.counter("rmigate.grants.objects", "Objects in grants given to agents", null);
  private final LongAdder grantsAccepted =
      meters.counter("rmigate.grants.accepted", "Grants that agents have shown", null);
  private final Timer connects;
  private final LabelledCounter closedByCause =
      meters.labelled("rmigate.sessions.closed", "Sessions ended", "cause");
  private final LabelledCounter connectFailuresByReason =
      meters.labelled(
          "rmigate.servers.connect.failures", "Connections to servers that failed", "reason");
  private final LabelledCounter timedOutByWait =
      meters.labelled(
          "rmigate.calls.timed.out", "Calls that reached their deadlines", "waited_for");
  private final LabelledCounter legacyByMessage =
      meters.labelled(
          "rmigate.legacy.requests", "Requests of clients of JDK 8 and older", "message");
  private final LabelledCounter refusedByReason =
      meters.labelled("rmigate.refused", "Refusals", "reason");

  /** Registers everything. */
  public GatewayMetrics() {
    meters.gauge("rmigate.sessions", "Sessions open", this::sessionsOpen);
    meters.gauge("rmigate.streams", "Streams open", this::streamsOpen);
    meters.gauge("rmigate.leases", "Objects held for agents, or being released", this::leases);
    meters.gauge(
        "rmigate.callbacks.listeners", "Ports listened at for agents", callbackListeners::sum);
    meters.gauge(
        "rmigate.callbacks.connections", "Connections of inner JVMs", callbackConnections::sum);
    meters.gauge(
        "rmigate.callbacks.objects", "Objects of agents held by inner JVMs", heldInside::sum);
    meters.gauge(
        "rmigate.lookups.watched", "Names in registries that are watched", namesWatched::sum);
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

  /** The meters of web services. */
  public ServiceMetrics services() {
    return services;
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

  /** Savings that agents have reported so far; for leases, the number held now. */
  public Savings saved() {
    return new Savings(
        plainRoundTrips.sum(),
        roundTrips.sum(),
        plainBytes.sum(),
        lookupsAnswered.sum(),
        leaseCallsAnswered.sum(),
        pingsAnswered.sum(),
        leases());
  }

  /**
   * Bytes that have crossed links so far.
   *
   * @param bytesFromAgents received bytes, compressed or not
   * @param bytesToAgents sent bytes, compressed or not
   * @param coded the compressed bytes of both
   */
  public record LinkTotals(long bytesFromAgents, long bytesToAgents, CodingFigures coded) {}

  /** Totals of all links so far. */
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

  /** Refusals so far, by reason. */
  public Map<String, Long> refused() {
    Map<String, Long> sums = new TreeMap<>();
    refusedByReason.counters().forEach((reason, count) -> sums.put(reason, count.sum()));
    return sums;
  }

  /** The metrics in Prometheus' text format, see {@link #CONTENT_TYPE}. */
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
    closedByCause.increment(cause);
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
    refusedByReason.increment(reason);
  }

  @Override
  public void legacyRequest(String what) {
    legacyByMessage.increment(what);
  }

  /**
   * Shows how much of the audit could be kept.
   *
   * @param written the number of the last line
   * @param lost lines since the start that could not be
   */
  public void watchAudit(LongSupplier written, LongSupplier lost) {
    meters.gauge("rmigate.audit.line", "Number of the last line of the audit", written);
    FunctionCounter.builder("rmigate.audit.lost", lost, LongSupplier::getAsLong)
        .description("Lines of the audit that could not be kept")
        .register(registry);
  }

  /** Registers the gauge of refused changes; {@code refused} is read at each scrape. */
  public void watchConfiguration(BooleanSupplier refused) {
    meters.gauge(
        "rmigate.configuration.refused",
        "1 while the files of the configuration hold a change that was refused",
        () -> refused.getAsBoolean() ? 1 : 0);
  }

  /** Registers the gauge of calls that wait for too long; {@code hung} is read at each scrape. */
  public void watchHungCalls(LongSupplier hung) {
    meters.gauge("rmigate.calls.hung", "Calls that wait longer than calls.hung-after", hung);
  }

  @Override
  public void callTimedOut(String waitedFor) {
    timedOutByWait.increment(waitedFor);
  }

  @Override
  public void saved(Savings more) {
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

  /** Registers the gauge of connections; {@code open} is read at each scrape. */
  public void watchConnections(LongSupplier open) {
    meters.gauge("rmigate.connections", "Connections at the stand-alone gateway's ports", open);
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
    connectFailuresByReason.increment(reason);
  }

  /** Ends the listening to the garbage collector. */
  @Override
  public void close() {
    garbageCollection.close();
    registry.close();
  }
}
