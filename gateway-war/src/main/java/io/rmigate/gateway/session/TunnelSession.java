package io.rmigate.gateway.session;

import io.rmigate.gateway.limit.PendingWork;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.relay.RelayLoop;
import io.rmigate.gateway.route.KeptObjects;
import io.rmigate.gateway.route.PreloadedNames;
import io.rmigate.gateway.route.SessionKnowledge;
import io.rmigate.gateway.stream.CallerShare;
import io.rmigate.gateway.stream.RefusalTexts;
import io.rmigate.gateway.stream.SessionAudit;
import io.rmigate.gateway.stream.SessionStanding;
import io.rmigate.gateway.stream.SessionStream;
import io.rmigate.gateway.view.GatewayView;
import io.rmigate.gateway.view.Savings;
import io.rmigate.protocol.LogText;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.coding.CodedReader;
import io.rmigate.protocol.tunnel.Ack;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Drain;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameLog;
import io.rmigate.protocol.tunnel.FrameOutput;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Welcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One agent's session, over one transport connection after another. Each connection begins with an
 * object of this class; if its HELLO names an earlier session, that session continues over the
 * connection, and this one only passes bytes on ({@link SessionState.PassedOn}).
 *
 * <p>Threads: the edge hands in bytes one call at a time per connection ({@link #onBytes}); the
 * registry's timer calls {@link #tick}; server bytes come on the session's relay loop. The session
 * ends once, by {@link #end}, on the thread that is first.
 *
 * <p>Lock: {@code reading} is held while bytes of an agent are taken; the lock of the session which
 * a connection began with is taken before that of the session which continues.
 */
public final class TunnelSession {
  private static final Logger LOG = LoggerFactory.getLogger(TunnelSession.class);
  private static final Logger FRAMES = LoggerFactory.getLogger("io.rmigate.frames");

  /** Number of bytes above which they are acknowledged at once. */
  private static final int ACKNOWLEDGED_BYTES = 64 * 1024;

  /** Number of bytes that may stay unacknowledged while the link is silent. */
  private static final int UNACKNOWLEDGED_AT_REST_BYTES = 1024;

  /** Frames that have come together. */
  @FunctionalInterface
  private interface FrameSource {
    void read() throws IOException;
  }

  private final SessionRegistry registry;
  private final SessionCarrier carrier;

  /** The connection that this session began with. */
  private final SessionCarrier.Attachment first;

  private final Principal principal;

  private final SessionLogin login;

  private final RelayLoop loop;
  private final SessionSettings settings;
  private final String id;
  private final SessionContext context;
  private final Instant since = Instant.now();
  private final SessionClock clock;
  private final CodedReader reader = new CodedReader(this::onFrame);
  private final OutboundQueue outbound;
  private final SessionCoding coding;
  private final SessionKnowledge knowledge;
  private final SessionAudit audit;
  private final SessionStreams streams;
  private final AtomicReference<SessionState> state =
      new AtomicReference<>(new SessionState.Greeting());
  private final LongAdder bytesFromAgent = new LongAdder();

  private final PendingWork newChores = new PendingWork();

  private final AtomicBoolean linkClosed = new AtomicBoolean();

  private final ReentrantLock reading = new ReentrantLock();

  /** Bytes that have come from the agent. Guarded by {@code reading}. */
  private long received;

  /** How many of them were acknowledged. Guarded by {@code reading}. */
  private long acknowledged;

  private final CallerShare share;

  private final DrainProgress draining = new DrainProgress();

  /**
   * @param callsAlone see {@link SessionRegistry#beginSingleOps}
   */
  TunnelSession(
      SessionRegistry registry,
      LinkPort port,
      Principal principal,
      RelayLoop loop,
      String id,
      boolean callsAlone) {
    this.registry = registry;
    this.carrier = new SessionCarrier(port, this::outlivesFailure, registry::nanoTime);
    this.first = carrier.current();
    this.principal = principal;
    this.loop = loop;
    this.settings = registry.settings();
    this.clock = new SessionClock(settings, registry::nanoTime);
    this.login = new SessionLogin(principal, since, clock.sinceNanos());
    this.id = id;
    SessionStanding standing =
        new SessionStanding(id, principal, port.peer(), registry::policy, login::hasExpired);
    this.context =
        new SessionContext(registry, standing, carrier, loop, newChores, callsAlone, this::end);
    this.share = context.share();
    this.streams =
        new SessionStreams(
            settings.limits().maxStreams(), share.room().streams(), registry.meters());
    this.knowledge = context.knowledge();
    this.audit = context.audit();
    this.outbound = context.outbound();
    this.coding = new SessionCoding(outbound, reader, registry.meters());
  }

  /**
   * The HELLO of a new session, which has come with the request for the connection. Before any
   * {@link #onBytes}, on the same thread.
   */
  public void onEarlyHello(ByteBuffer bytes) {
    onBytes(first, bytes);
    clock.onlyGreeted();
  }

  /**
   * Bytes from the agent, over the connection this began with. One call at a time; does not block.
   *
   * @param bytes valid during the call only
   */
  public void onBytes(ByteBuffer bytes) {
    if (state.get() instanceof SessionState.PassedOn to) {
      to.session().onBytes(to.over(), bytes);
    } else {
      onBytes(first, bytes);
    }
  }

  /**
   * Frames from an agent in this JVM, which need no encoding. Its calls come in one piece, and it
   * has the largest credit. One call at a time; does not block.
   */
  public void onFrames(List<Frame> frames) {
    int bytes = 0;
    for (Frame frame : frames) {
      bytes += frame instanceof Data data ? data.bytes().length : 0;
    }
    take(
        first,
        bytes,
        () -> {
          for (Frame frame : frames) {
            onFrame(frame);
          }
        });
  }

  private void onBytes(SessionCarrier.Attachment from, ByteBuffer bytes) {
    take(from, bytes.remaining(), () -> reader.feed(bytes));
  }

  private void take(SessionCarrier.Attachment from, int bytes, FrameSource frames) {
    reading.lock();
    try {
      if (isOver() || carrier.current() != from) {
        return; // the agent sends again what comes over a connection that was given up
      }
      clock.heard();
      received += bytes;
      bytesFromAgent.add(bytes);
      registry.meters().bytesFromAgent(bytes);
      read(frames);
      if (state.get() instanceof SessionState.PassedOn) {
        return;
      }
      newChores.add(coding.count());
      acknowledge(ACKNOWLEDGED_BYTES);
    } finally {
      reading.unlock();
    }
    context.flushNow();
    if (outbound.isOverfull()) {
      end(CloseCause.SLOW_LINK, "");
    }
    countChores(from.port());
  }

  /** Pauses the link if the agent asks for too much work. With no lock held. */
  private void countChores(LinkPort link) {
    long rest = share.chores().asked(newChores.take());
    if (rest <= 0 || isOver()) {
      return;
    }
    registry.meters().linkRested();
    if (share.chores().mayWriteLine()) {
      LOG.warn(
          "session {} of {} from {}: its client causes more work than session.chores-per-second"
              + " ({}) allows; its links are read more slowly; logged at most once a minute",
          id,
          principal,
          carrier.peer(),
          settings.choresPerSecond());
    }
    link.rest(Math.min(rest, settings.heartbeat().toNanos())); // silence must not end the session
  }

  private void read(FrameSource frames) {
    try {
      frames.read();
    } catch (ProtocolViolationException violation) {
      context
          .refusals()
          .warn(
              LOG,
              "session {} of {} from {}: protocol violation: {}",
              id,
              principal,
              carrier.peer(),
              LogText.brief(violation.getMessage()));
      end(CloseCause.PROTOCOL_VIOLATION, violation.getMessage());
    } catch (IOException | RuntimeException | Error unexpected) {
      LOG.error("session {}: unexpected failure", id, unexpected);
      end(CloseCause.INTERNAL_ERROR, "");
    }
  }

  /** Acknowledges what has come if that is more than the given bytes. With {@code reading} held. */
  private void acknowledge(int unacknowledged) {
    if (isResumable() && received - acknowledged > unacknowledged) {
      acknowledged = received;
      outbound.add(new Ack(received));
    }
  }

  /**
   * The transport has received data that is no part of the frame stream: a violation, which ends
   * the session. Called like {@link #onBytes(ByteBuffer)}, over the same connection.
   *
   * @param reason what was expected, and what came
   */
  public void onViolation(String reason) {
    FrameSource violation =
        () -> {
          throw new ProtocolViolationException(reason);
        };
    if (state.get() instanceof SessionState.PassedOn to) {
      to.session().take(to.over(), 0, violation);
    } else {
      take(first, 0, violation);
    }
  }

  /** The transport connection that this session began with has ended. */
  public void onTransportClosed() {
    if (state.get() instanceof SessionState.PassedOn to) {
      to.session().linkLost(to.over());
    } else {
      linkLost(first);
    }
  }

  private void linkLost(SessionCarrier.Attachment lost) {
    if (!outlives(lost) && carrier.current() == lost) {
      end(CloseCause.LINK_LOST, "");
    }
  }

  private boolean outlivesFailure(SessionCarrier.Attachment on, Throwable failure) {
    LOG.debug("session {}: send failed: {}", id, failure.toString());
    return outlives(on);
  }

  /** Whether the session waits for its agent to come back, or has it back. From any thread. */
  private boolean outlives(SessionCarrier.Attachment lost) {
    if (!(state.get() instanceof SessionState.Open open) || !open.outlivesConnection()) {
      return false;
    }
    if (carrier.current() == lost) {
      clock.lost(); // before the timer can see that there is no link
    }
    if (carrier.detach(lost)) {
      LOG.info(
          "session {} of {} has lost its link and waits {} s for its agent",
          id,
          principal,
          clock.grace().toSeconds());
      if (isKnownByName()) {
        share.former().lost(knowledge.received());
        if (isOver() || carrier.current() != null) { // meanwhile
          share.former().notLost(knowledge.received());
        }
      }
    }
    return true;
  }

  /** Whether no other caller has the name, so that a later session may have what this one held. */
  private boolean isKnownByName() {
    return context.standing().caller().from().isEmpty();
  }

  /**
   * Continues over the connection that {@code newcomer} began with.
   *
   * @return false when that is not possible
   */
  private boolean resume(TunnelSession newcomer, LinkPort port, Hello greeting)
      throws ProtocolViolationException {
    SessionCarrier.Attachment over;
    boolean passedOn;
    reading.lock();
    try {
      if (!(state.get() instanceof SessionState.Open open)
          || !newcomer.principal.isSameAs(principal)
          || !carrier.reachesBackTo(greeting.received())) {
        return false;
      }
      Welcome again = open.welcome().resuming(received);
      acknowledged = received;
      clock.heard();
      login.renew(newcomer.login);
      context.standing().comesFrom(port.peer());
      FrameOutput bytes = new FrameOutput(256);
      bytes.append(again);
      over =
          carrier.attach(
              port, greeting.received(), ByteBuffer.wrap(bytes.array(), 0, bytes.size()));
      passedOn = newcomer.toPassedOn(this, over);
    } finally {
      reading.unlock();
    }
    if (!passedOn) {
      linkLost(over); // the newcomer has ended meanwhile, and its connection with it
      return true;
    }
    if (isOver()) {
      port.close(CloseCause.LINK_LOST); // meanwhile; the next attempt is told that it is unknown
      return true;
    }
    share.former().notLost(knowledge.received());
    registry.meters().sessionResumed();
    audit.resumed(port.peer());
    LOG.info("session {} of {} resumed from {}", id, principal, port.peer());
    return true;
  }

  private boolean toPassedOn(TunnelSession to, SessionCarrier.Attachment over) {
    SessionState now = state.get();
    return now instanceof SessionState.Resuming
        && state.compareAndSet(now, new SessionState.PassedOn(to, over));
  }

  private void onFrame(Frame frame) throws IOException {
    if (FRAMES.isTraceEnabled()) {
      FRAMES.trace(FrameLog.line(false, frame));
    }
    SessionState now = state.get();
    if (now instanceof SessionState.Open open) {
      newChores.onFrame(frame);
      open.frames().on(frame);
    } else if (!now.isOver()) {
      if (!(frame instanceof Hello hello)) {
        throw new ProtocolViolationException("expected HELLO first, got " + frame.type());
      }
      newChores.onFrame(frame);
      hello(now, hello);
    }
  }

  private void hello(SessionState greeting, Hello hello) throws ProtocolViolationException {
    if (hello.session().equals(SessionToken.NONE)) {
      welcome(greeting, hello);
      return;
    }
    if (!state.compareAndSet(greeting, new SessionState.Resuming())) {
      return; // ended meanwhile
    }
    TunnelSession known = registry.session(hello.session());
    try {
      if (known == null || !known.resume(this, first.port(), hello)) {
        end(CloseCause.UNKNOWN_SESSION, "");
      }
    } finally { // also when the other session fails after it has taken the connection
      if (state.get() instanceof SessionState.PassedOn) {
        reader.close();
        registry.onPassedOn(this);
      }
    }
  }

  private void welcome(SessionState greeting, Hello hello) {
    if (hello.minVersion() > Tunnel.VERSION || hello.maxVersion() < Tunnel.VERSION) {
      end(
          CloseCause.UNSUPPORTED_VERSION,
          "this gateway speaks version " + Tunnel.VERSION + " of the link protocol");
      return;
    }
    Optional<CloseCause> refused = registry.admit(this);
    if (refused.isPresent()) {
      end(refused.get(), "");
      return;
    }
    SessionState admitted = new SessionState.Admitted();
    if (!state.compareAndSet(greeting, admitted)) {
      registry.release(this, endCause()); // the session has ended in between
      return;
    }
    SessionParts agreed = SessionParts.agree(context, draining::isAnswered, registry, loop, hello);
    context.parts(agreed);
    if (isOver()) {
      agreed.end(endCause(), true); // meanwhile, without seeing these
    }
    SessionToken secret = SessionToken.of(registry.newSecret());
    Welcome welcome = answer(hello, agreed, secret);
    Optional<SessionToken> token = Optional.empty();
    if (agreed.has(Feature.RESUME)) {
      token = Optional.of(secret);
      registry.nameSession(secret, this);
    } else {
      carrier.notResumable();
    }
    AgentFrames frames = new AgentFrames(this, agreed, hello.streamCredit());
    if (!state.compareAndSet(
        admitted, new SessionState.Open(hello, token, welcome, frames, false))) {
      registry.forgetName(secret); // ended meanwhile
    }
    outbound.add(welcome);
    outbound.flush(); // before anything is coded
    coding.welcomed();
    agreed.onWelcomed();
    audit.opened();
    LOG.info(
        "session {} opened: principal {} ({}) from {}",
        id,
        principal,
        principal.scheme(),
        carrier.peer());
  }

  private Welcome answer(Hello hello, SessionParts agreed, SessionToken secret) {
    Map<String, String> properties = new HashMap<>();
    if (agreed.has(Feature.LOOKUPS)) {
      int preloaded =
          agreed
              .lookups()
              .preload(registry.preloaded().configured(principal), PreloadedNames.asked(hello));
      properties.put(Welcome.PRELOADED, Integer.toString(preloaded));
    }
    properties.put(Welcome.SESSION_ID, id);
    properties.put(Welcome.GRACE, Long.toString(settings.grace().toMillis()));
    if (registry.policy().mapping().replacesUnknownNames()) {
      properties.put(Welcome.MAPS_LOOPBACK, "true");
    }
    registry.callbacks().innerHost().ifPresent(host -> properties.put(Welcome.INNER_HOST, host));
    return new Welcome(
        Tunnel.VERSION,
        agreed.features(),
        secret,
        0,
        settings.limits().streamCredit(),
        settings.limits().maxStreams(),
        settings.heartbeat(),
        coding.pick(hello.codings(), registry.compression(principal)),
        properties);
  }

  /** The agent has said that its JVM ends. */
  void onJvmEnds() {
    SessionState now = state.get();
    if (now instanceof SessionState.Open open) {
      state.compareAndSet(now, open.toJvmEnds());
    }
  }

  /** Ends the session and everything in it. The first cause counts. From any thread. */
  void end(CloseCause cause, String text) {
    SessionState ended = new SessionState.Ended(cause);
    SessionState before = state.getAndUpdate(now -> now.isOver() ? now : ended);
    if (before.isOver()) {
      return;
    }
    clock.ended();
    streams.endAll();
    context.parts().end(cause, hasAgentEnded(before, cause));
    KeptObjects held = knowledge.received().handOver();
    share.former().notLost(knowledge.received());
    if (isKnownByName() && share.former().ended(held)) {
      registry.keep(context.standing().caller(), share);
    }
    if (before instanceof SessionState.Open open) {
      open.token().ifPresent(registry::forgetName);
    }
    boolean wasOpen =
        before instanceof SessionState.Open || before instanceof SessionState.Admitted;
    registry.onEnded(this, cause, wasOpen);
    String told = wasOpen ? text : notWelcomed(cause, text);
    if (wasOpen) {
      audit.ended(cause);
    }
    reader.close();
    LOG.info("session {} of {} ended: {}", id, principal, cause.sentence());
    if (cause == CloseCause.LINK_LOST
        || cause == CloseCause.SLOW_LINK
        || carrier.current() == null) {
      outbound.stop();
      closeLink();
    } else {
      outbound.finish(new Goodbye(cause, told), this::closeLink);
    }
  }

  /** The session is refused, unless its agent has given it up. What the agent is told. */
  private String notWelcomed(CloseCause cause, String text) {
    if (cause == CloseCause.LINK_LOST || cause == CloseCause.DONE) {
      return text; // an agent that tries several ways goes on with one of them
    }
    Refusal refusal = Refusal.of(text.isEmpty() ? cause.sentence() : LogText.brief(text));
    audit.refused(cause, refusal);
    context.refusals().warnRefused(LOG, refusal, "/tunnel", "session");
    return refusal.told(text, false).strip();
  }

  /** Whether the agent's JVM has ended and holds nothing, rather than that it may come back. */
  private static boolean hasAgentEnded(SessionState before, CloseCause cause) {
    // The agent has said so, or has had its time to come back.
    return cause == CloseCause.DONE
        || (cause == CloseCause.LINK_LOST
            && before instanceof SessionState.Open open
            && (open.jvmEnds() || open.isResumable()));
  }

  /** Once, when the last words have left, or have had their time. From any thread. */
  private void closeLink() {
    if (linkClosed.compareAndSet(false, true)) {
      try {
        carrier.close(endCause());
      } finally {
        registry.onLinkClosed(this);
      }
    }
  }

  /** Looks at the clock once the session has ended. On the registry's timer; does not block. */
  void tickEnded(long now) {
    if (clock.areLastWordsOver(now)) {
      stopTalking();
    }
  }

  /** Gives up what the ended session has not sent. */
  void stopTalking() {
    outbound.stop();
    closeLink();
  }

  /** Looks at the clock. On the registry's timer; does not block. */
  void tick(long now) {
    outbound.releaseIdleCoder(now);
    carrier.tick();
    context.parts().tick(now);
    streams.forEach(stream -> stream.tick(now));
    SessionCarrier.Attachment link = carrier.current(); // before any judgement of it
    renewGrants(now);
    SessionState current = state.get();
    if (current instanceof SessionState.Greeting) {
      if (clock.isHelloLate(now)) {
        end(CloseCause.HELLO_TIMEOUT, "");
      }
    } else if (link == null) {
      if (clock.isGraceOver(now)) {
        end(CloseCause.LINK_LOST, "");
      } else if (outbound.isOverfull()) {
        end(CloseCause.SLOW_LINK, "");
      }
      return;
    } else if (current instanceof SessionState.Open open
        && open.jvmEnds()
        && draining.isJvmGone(link.port().desertedNanos())) {
      end(CloseCause.LINK_LOST, ""); // the end of a link of POSTs cannot be seen
    } else if (clock.isSilent(now)) {
      giveUp(link, CloseCause.SILENCE);
    } else if (carrier.stuckNanos(now) > settings.sendTimeout().toNanos()) {
      giveUp(link, CloseCause.SLOW_LINK);
    } else if (outbound.isOverfull()) {
      end(CloseCause.SLOW_LINK, "");
    } else if (login.expireIfOver(now)) {
      // No new call from here on; those in flight may end.
      streams.forEach(SessionStream::onLoginExpired);
      outbound.flush();
      if (!hasCallsInFlight()) {
        end(CloseCause.NOT_PERMITTED, RefusalTexts.LOGIN_EXPIRED);
      }
    }
    if (clock.isAtRest(now) && reading.tryLock()) {
      try {
        acknowledge(UNACKNOWLEDGED_AT_REST_BYTES);
      } finally {
        reading.unlock();
      }
      outbound.flush();
    }
  }

  private void renewGrants(long now) {
    // What is due can wait for the link.
    if (!isOver() && !outbound.isAboveHighWater() && context.parts().renewGrants(now)) {
      context.flushNow();
    }
  }

  private void giveUp(SessionCarrier.Attachment link, CloseCause cause) {
    LOG.debug("session {}: {}", id, cause.sentence());
    if (isResumable()) {
      linkLost(link);
    } else {
      end(cause, "");
    }
  }

  /** Since when there is no link, on the clock of sessions; empty with one. */
  OptionalLong lostSinceNanos() {
    return carrier.current() == null ? OptionalLong.of(clock.lostNanos()) : OptionalLong.empty();
  }

  /**
   * Asks the agent once to go to another gateway; before its HELLO it is told so in answer to that.
   */
  void drain(Duration within) {
    if (!(state.get() instanceof SessionState.Open) || draining.isAsked()) {
      return;
    }
    draining.ask(registry.nanoTime());
    context.parts().leave();
    outbound.add(new Drain(within));
    outbound.flush();
  }

  /** Whether the agent has gone to another gateway, as it was asked to. */
  boolean hasLeft() {
    return draining.isAnswered();
  }

  /** Whether nothing is lost when a session that has been asked to go ends now. */
  boolean mayEnd() {
    SessionCarrier.Attachment link = carrier.current();
    return state.get() instanceof SessionState.Greeting
        || link == null
        || (draining.isOver(registry.nanoTime())
            && (!hasCallsInFlight() || draining.isBeyondPatience(link.port().desertedNanos())));
  }

  /** Whether calls wait for answers; not without a link, because the agent may never come back. */
  boolean hasCallsInFlight() {
    if (carrier.current() == null) {
      return false;
    }
    return outbound.stuckNanos(registry.nanoTime()) > 0
        || streams.callInFlight()
        || context.parts().callInFlight();
  }

  boolean isOver() {
    return state.get().isOver();
  }

  private boolean isResumable() {
    return state.get() instanceof SessionState.Open open && open.isResumable();
  }

  /** The cause of a session that has ended. */
  private CloseCause endCause() {
    return ((SessionState.Ended) state.get()).cause();
  }

  // For the frames.

  SessionStreams streams() {
    return streams;
  }

  SessionCoding coding() {
    return coding;
  }

  SessionCarrier carrier() {
    return carrier;
  }

  DrainProgress draining() {
    return draining;
  }

  /** The context of this session, for its streams, lookups and callbacks. */
  SessionContext context() {
    return context;
  }

  String id() {
    return id;
  }

  Principal principal() {
    return principal;
  }

  /**
   * Has the login end now unless it still holds. From any thread.
   *
   * @param holds may block, and is asked without a lock
   */
  void checkLogin(Predicate<Principal> holds) {
    Principal asked = login.proven();
    if (holds.test(asked)) {
      return;
    }
    reading.lock();
    try {
      if (login.revoke(asked, registry.nanoTime())) {
        LOG.info("session {} of {}: its login is no longer valid", id, principal);
      }
    } finally {
      reading.unlock();
    }
  }

  /** The session's calls that wait for their Returns, and calls of inner JVMs to its objects. */
  Stream<GatewayView.CallView> calls(long now) {
    return Stream.concat(streams.calls(now), context.parts().calls(now, principal.name(), id));
  }

  GatewayView.SessionView view() {
    SessionState now = state.get();
    Optional<SessionState.Open> open =
        now instanceof SessionState.Open is ? Optional.of(is) : Optional.empty();
    return new GatewayView.SessionView(
        id,
        principal.name(),
        principal.scheme().name(),
        carrier.peer(),
        open.map(is -> is.hello().properties().get("client")).orElse(""),
        since,
        bytesFromAgent.sum(),
        outbound.bytesSent(),
        context.calls(),
        coding.view(),
        open.map(is -> is.frames().saved()).orElse(Savings.NOTHING),
        streams.views());
  }

  @Override
  public String toString() {
    return "session " + id;
  }
}
