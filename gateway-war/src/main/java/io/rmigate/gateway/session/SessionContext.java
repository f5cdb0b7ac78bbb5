package io.rmigate.gateway.session;

import io.rmigate.gateway.lease.CollectorCalls;
import io.rmigate.gateway.limit.PendingWork;
import io.rmigate.gateway.relay.RelayLoop;
import io.rmigate.gateway.route.SessionKnowledge;
import io.rmigate.gateway.route.SessionRoutes;
import io.rmigate.gateway.stream.AgentLink;
import io.rmigate.gateway.stream.CallSequences;
import io.rmigate.gateway.stream.CallerShare;
import io.rmigate.gateway.stream.Lockout;
import io.rmigate.gateway.stream.SessionAudit;
import io.rmigate.gateway.stream.SessionRefusals;
import io.rmigate.gateway.stream.SessionStanding;
import io.rmigate.gateway.stream.SessionTargets;
import io.rmigate.gateway.stream.StreamSession;
import io.rmigate.gateway.stream.StreamSettings;
import io.rmigate.gateway.view.SessionMeters;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;

/**
 * What the streams, lookups and callbacks of one session work with. Belongs to a {@link
 * TunnelSession}, which knows when it begins and ends. Thread-safe.
 */
final class SessionContext implements StreamSession, AgentLink {
  private final SessionRegistry registry;
  private final SessionStanding standing;
  private final RelayLoop loop;
  private final BiConsumer<CloseCause, String> end;
  private final CallerShare share;
  private final StreamSettings settings;
  private final SessionKnowledge knowledge;
  private final SessionAudit audit;
  private final SessionRefusals refusals;
  private final SessionTargets targets;
  private final OutboundQueue outbound;
  private final Runnable flush = this::flushNow;
  private final LongAdder calls = new LongAdder();
  private final CallSequences sequences = new CallSequences();

  /** Written by the edge's thread, once, at the hello. */
  private volatile SessionParts parts = SessionParts.NONE;

  /**
   * @param loop of all connections of the session
   * @param chores counts refusals
   * @param callsAlone see {@link SessionRegistry#beginSingleOps}
   * @param end ends the session
   */
  SessionContext(
      SessionRegistry registry,
      SessionStanding standing,
      SessionCarrier carrier,
      RelayLoop loop,
      PendingWork chores,
      boolean callsAlone,
      BiConsumer<CloseCause, String> end) {
    this.registry = registry;
    this.standing = standing;
    this.loop = loop;
    this.end = end;
    this.share = registry.share(standing.caller());
    this.settings = settings(registry, callsAlone);
    this.knowledge =
        new SessionKnowledge(
            standing.principal(),
            new SessionRoutes(
                standing.id(), standing.principal(), share.former(), share.room().given()),
            standing::policy,
            this::parts);
    this.audit =
        new SessionAudit(registry.audit(), standing.principal(), standing.id(), carrier.peer());
    Lockout lockout = new Lockout(standing, knowledge.received());
    this.refusals = new SessionRefusals(standing, carrier::peer, registry.lines(), chores, lockout);
    this.targets =
        new SessionTargets(
            registry.relay(),
            loop,
            standing::caller,
            carrier::peer,
            registry.watch(),
            registry::targetStats);
    this.outbound =
        new OutboundQueue(
            carrier,
            registry.meters(),
            failure -> end.accept(CloseCause.LINK_LOST, ""),
            registry::nanoTime);
  }

  private static StreamSettings settings(SessionRegistry registry, boolean callsAlone) {
    int credit = registry.settings().limits().streamCredit();
    // Held bytes give no credit back: more than half the window could never be gathered.
    int maxHeld = Math.min(registry.relay().settings().maxHeldCallBytes(), credit / 2 - 1);
    return new StreamSettings(credit, maxHeld, callsAlone);
  }

  /** The parts of the session on which agent and gateway have agreed. */
  SessionParts parts() {
    return parts;
  }

  void parts(SessionParts agreed) {
    parts = agreed;
  }

  OutboundQueue outbound() {
    return outbound;
  }

  /** Calls and lookups that were let through. */
  long calls() {
    return calls.sum();
  }

  /** Runs that behind the DIRTYs that have come, which may declare what it would let go. */
  void behindDirties(Runnable then) {
    parts.behindDirties(then);
  }

  /**
   * Sends what has been queued; behind it, so that nothing waits for that, what was learnt from it.
   * With no lock held.
   */
  void flushNow() {
    outbound.flush();
    if (parts.tell()) {
      outbound.flush();
    }
  }

  // For the streams.

  @Override
  public SessionStanding standing() {
    return standing;
  }

  @Override
  public AgentLink agent() {
    return this;
  }

  @Override
  public SessionKnowledge knowledge() {
    return knowledge;
  }

  @Override
  public SessionAudit audit() {
    return audit;
  }

  @Override
  public SessionRefusals refusals() {
    return refusals;
  }

  @Override
  public SessionTargets targets() {
    return targets;
  }

  @Override
  public SessionMeters meters() {
    return registry.meters();
  }

  @Override
  public CallerShare share() {
    return share;
  }

  @Override
  public CollectorCalls collectorCalls() {
    registry.keep(standing.caller(), share);
    return share.collectorCalls();
  }

  @Override
  public StreamSettings settings() {
    return settings;
  }

  @Override
  public CallSequences sequences() {
    return sequences;
  }

  @Override
  public Future<?> alarm(Runnable task, Duration delay) {
    return registry.alarm(this, task, () -> end.accept(CloseCause.INTERNAL_ERROR, ""), delay);
  }

  @Override
  public void countCall() {
    calls.increment();
    registry.meters().call();
  }

  // The link.

  @Override
  public void add(Frame frame) {
    outbound.add(frame);
  }

  @Override
  public void close(int stream, CloseCause cause, String text) {
    outbound.add(
        parts.has(Feature.REASONS) ? new Close(stream, cause, text) : new Close(stream, cause));
  }

  @Override
  public long addData(int stream, ByteBuffer bytes) {
    return outbound.addData(stream, bytes);
  }

  @Override
  public boolean hasRoom(long lastBatch, Runnable whenRoom) {
    return outbound.hasRoom(lastBatch, whenRoom);
  }

  @Override
  public void flush() {
    loop.afterRound(flush);
  }

  @Override
  public void send() {
    outbound.flush();
  }

  @Override
  public String toString() {
    return "session " + standing.id();
  }
}
