package io.rmigate.gateway.session;

import io.rmigate.gateway.limit.Admission;
import io.rmigate.gateway.limit.NewChores;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.relay.RelayLoop;
import io.rmigate.gateway.route.KeptObjects;
import io.rmigate.gateway.route.PreloadedNames;
import io.rmigate.gateway.route.SessionKnowledge;
import io.rmigate.gateway.stream.CallerShare;
import io.rmigate.gateway.stream.RawStream;
import io.rmigate.gateway.stream.RefusalTexts;
import io.rmigate.gateway.stream.SessionAudit;
import io.rmigate.gateway.stream.SessionStanding;
import io.rmigate.gateway.stream.SessionStream;
import io.rmigate.gateway.stream.TunnelStream;
import io.rmigate.gateway.view.GatewayView;
import io.rmigate.gateway.view.Saved;
import io.rmigate.protocol.LogText;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.coding.CodedReader;
import io.rmigate.protocol.tunnel.Ack;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Coding;
import io.rmigate.protocol.tunnel.Credit;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Deadline;
import io.rmigate.protocol.tunnel.Drain;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameLog;
import io.rmigate.protocol.tunnel.FrameOutput;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.protocol.tunnel.HeartbeatAck;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.Leaving;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.OpenRaw;
import io.rmigate.protocol.tunnel.Report;
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
 * object of this class; when its hello names a session that is known, that one goes on with the
 * connection and this one only passes bytes on to it ({@link #resumed}).
 *
 * <p>Threads: the edge hands in bytes one call at a time per connection ({@link #onBytes}); the
 * registry's timer calls {@link #tick}; server bytes come on the session's relay loop. The session
 * ends once, by {@link #end}, from whichever thread is first.
 *
 * <p>Lock: {@code reading} is held while bytes of an agent are taken, that of the session which a
 * connection began with before that of the session it goes on with.
 */
public final class TunnelSession {
  private static final Logger LOG = LoggerFactory.getLogger(TunnelSession.class);
  private static final Logger FRAMES = LoggerFactory.getLogger("io.rmigate.frames");

  /** What has come is acknowledged when it is more than this. */
  private static final int ACKNOWLEDGED_BYTES = 64 * 1024;

  /** So much may stay unacknowledged on a link that rests. */
  private static final int UNACKNOWLEDGED_AT_REST_BYTES = 1024;

  /** What an agent has said at once. */
  @FunctionalInterface
  private interface Said {
    void read() throws IOException;
  }

  /** The session that goes on with a connection. */
  private record Resumed(TunnelSession session, SessionCarrier.Attachment over) {}

  /** Whether the registry counts this session. */
  private enum Admission {
    NONE,
    HELD,
    OVER
  }

  private final SessionRegistry registry;
  private final SessionCarrier carrier;

  /** The connection it began with. */
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
  private final AtomicReference<CloseCause> ended = new AtomicReference<>();
  private final AtomicReference<Admission> admission = new AtomicReference<>(Admission.NONE);
  private final LongAdder bytesFromAgent = new LongAdder();

  private final NewChores newChores = new NewChores();

  private final AtomicBoolean linkClosed = new AtomicBoolean();

  private final ReentrantLock reading = new ReentrantLock();

  /** Bytes of the agent that have been taken. Guarded by {@code reading}. */
  private long received;

  /** How many of them the agent knows of. Guarded by {@code reading}. */
  private long acknowledged;

  /** Null unless the connection this began with carries another session. */
  private volatile Resumed resumed;

  /** Names the session towards its agent; null unless it outlives its link. */
  private volatile SessionToken token;

  /** What the agent was told first; null until then. */
  private volatile Welcome welcome;

  /** Null until the agent has said hello. Written by the edge's thread. */
  private volatile Hello hello;

  private final CallerShare share;

  private final Departure departure = new Departure();

  /** The agent has said that its JVM ends. Written by the edge's thread. */
  private volatile boolean leaving;

  /** By the agent's latest report. Written by the edge's thread. */
  private volatile Saved saved = Saved.NOTHING;

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
    this.streams = new SessionStreams(settings.maxStreams(), share.streams(), registry.meters());
    this.knowledge = context.knowledge();
    this.audit = context.audit();
    this.outbound = context.outbound();
    this.coding = new SessionCoding(outbound, reader, registry.meters());
  }

  /**
   * Bytes from the agent, over the connection this began with. One call at a time; does not block.
   *
   * @param bytes valid during the call only
   */
  public void onBytes(ByteBuffer bytes) {
    Resumed to = resumed;
    if (to == null) {
      onBytes(first, bytes);
    } else {
      to.session().onBytes(to.over(), bytes);
    }
  }

  /**
   * What an agent says that is in this JVM: as {@link #onBytes(ByteBuffer)}, but nothing has to be
   * encoded, nor are calls cut into pieces, and it has all the credit there can be.
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

  private void take(SessionCarrier.Attachment from, int bytes, Said said) {
    reading.lock();
    try {
      if (ended.get() != null || carrier.current() != from) {
        return; // what still comes over a connection that was given up comes again
      }
      clock.heard();
      received += bytes;
      bytesFromAgent.add(bytes);
      registry.meters().bytesFromAgent(bytes);
      read(said);
      if (resumed != null) {
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

  /** Lets the link rest when too much has been asked for. With no lock held. */
  private void countChores(LinkPort link) {
    long rest = share.chores().asked(newChores.take());
    if (rest <= 0 || ended.get() != null) {
      return;
    }
    registry.meters().linkRested();
    if (share.chores().mayWriteLine()) {
      LOG.warn(
          "session {} of {} from {}: more is asked for than session.chores-per-second ({}) allows;"
              + " its links are read more slowly; said at most once a minute",
          id,
          principal,
          carrier.peer(),
          settings.choresPerSecond());
    }
    link.rest(Math.min(rest, settings.heartbeat().toNanos())); // silence must not end the session
  }

  private void read(Said said) {
    try {
      said.read();
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

  /** Says what has come, unless it is no more than that. With {@code reading} held. */
  private void acknowledge(int unacknowledged) {
    if (token != null && received - acknowledged > unacknowledged) {
      acknowledged = received;
      outbound.add(new Ack(received));
    }
  }

  /**
   * The transport has brought what is no part of the frame stream: a violation, which ends the
   * session. Called like {@link #onBytes(ByteBuffer)}, over the same connection.
   *
   * @param reason what was expected, and what came
   */
  public void onViolation(String reason) {
    Said violation =
        () -> {
          throw new ProtocolViolationException(reason);
        };
    Resumed to = resumed;
    if (to == null) {
      take(first, 0, violation);
    } else {
      to.session().take(to.over(), 0, violation);
    }
  }

  /** The transport connection this began with has ended. */
  public void onTransportClosed() {
    Resumed to = resumed;
    if (to == null) {
      linkLost(first);
    } else {
      to.session().linkLost(to.over());
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
    if (token == null || leaving || ended.get() != null) {
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
          settings.grace().toSeconds());
      if (isKnownByName()) {
        share.former().lost(knowledge.received());
        if (ended.get() != null || carrier.current() != null) { // meanwhile
          share.former().notLost(knowledge.received());
        }
      }
    }
    return true;
  }

  /** Else others share its name, and are not to go on with what it held. */
  private boolean isKnownByName() {
    return context.standing().caller().from().isEmpty();
  }

  /**
   * Goes on over the connection that {@code newcomer} began with.
   *
   * @return false when that is not possible
   */
  private boolean resume(TunnelSession newcomer, LinkPort port, Hello greeting)
      throws ProtocolViolationException {
    reading.lock();
    try {
      if (ended.get() != null
          || !newcomer.principal.isSameAs(principal)
          || !carrier.reachesBackTo(greeting.received())) {
        return false;
      }
      Welcome again = welcome.resuming(received);
      acknowledged = received;
      clock.heard();
      login.renew(newcomer.login);
      context.standing().comesFrom(port.peer());
      FrameOutput bytes = new FrameOutput(256);
      bytes.append(again);
      newcomer.resumed =
          new Resumed(
              this,
              carrier.attach(
                  port, greeting.received(), ByteBuffer.wrap(bytes.array(), 0, bytes.size())));
    } finally {
      reading.unlock();
    }
    if (ended.get() != null) {
      port.close(CloseCause.LINK_LOST); // meanwhile; the next attempt is told that it is unknown
      return true;
    }
    share.former().notLost(knowledge.received());
    registry.meters().sessionResumed();
    audit.resumed(port.peer());
    LOG.info("session {} of {} goes on from {}", id, principal, port.peer());
    return true;
  }

  private void onFrame(Frame frame) throws IOException {
    if (FRAMES.isTraceEnabled()) {
      FRAMES.trace(FrameLog.line(false, frame));
    }
    if (ended.get() != null) {
      return;
    }
    if (hello == null && !(frame instanceof Hello)) {
      throw new ProtocolViolationException("expected HELLO first, got " + frame.type());
    }
    newChores.onFrame(frame);
    if (frame instanceof Data data && isOfAgent(data)) { // first: most frames are
      streams.of(frame).onData(data.bytes(), data.endOfRequest());
    } else if (context.parts().onFrame(frame)) {
      return;
    } else if (frame instanceof Credit credit) {
      streams.of(frame).onCredit(credit.moreBytes());
    } else if (frame instanceof Open open) {
      open(open, new TunnelStream(context, open, hello.streamCredit(), creditOfCalls()));
    } else if (frame instanceof OpenRaw open && context.parts().has(Feature.RAW_STREAMS)) {
      RawStream stream =
          new RawStream(context, open, hello.streamCredit(), settings.streamCredit());
      if (open(open, stream)) {
        stream.begin();
      }
    } else if (frame instanceof Close) {
      streams.of(frame).onClose();
      streams.forget(frame.stream());
    } else if (frame instanceof Deadline deadline && context.parts().has(Feature.DEADLINES)) {
      streams.of(frame).onDeadline(deadline);
    } else if (frame instanceof Heartbeat heartbeat) {
      outbound.add(new HeartbeatAck(heartbeat.number()));
    } else if (frame instanceof Coding wish) {
      coding.onWish(wish);
    } else if (frame instanceof Report told) {
      report(told);
    } else if (frame instanceof Drain && departure.isAsked()) {
      departure.onAnswer();
    } else if (frame instanceof Leaving) {
      leaving = true;
    } else if (frame instanceof Goodbye goodbye) {
      end(goodbye.cause(), "");
    } else if (frame instanceof Hello greeting && hello == null) {
      hello(greeting);
    } else if (frame instanceof Ack ack && token != null) {
      carrier.confirmed(ack.received());
    } else if (!(frame instanceof HeartbeatAck)) {
      throw new ProtocolViolationException("expected no " + frame.type() + " from an agent now");
    }
  }

  /** Whether a frame is of no stream that the gateway may have opened for a callback. */
  private boolean isOfAgent(Data data) {
    int number = data.stream();
    return number % 2 != 0 || number <= 0 || context.parts().callbacks() == null;
  }

  private void hello(Hello greeting) throws ProtocolViolationException {
    if (greeting.session().equals(SessionToken.NONE)) {
      welcome(greeting);
      return;
    }
    hello = greeting; // in time, whatever the timer sees
    TunnelSession known = registry.session(greeting.session());
    if (known == null || !known.resume(this, first.port(), greeting)) {
      end(CloseCause.UNKNOWN_SESSION, "");
      return;
    }
    if (ended.compareAndSet(null, CloseCause.DONE)) { // this object was there for the hello only
      reader.close();
      registry.onPassedOn(this);
    }
  }

  private void welcome(Hello greeting) {
    if (greeting.minVersion() > Tunnel.VERSION || greeting.maxVersion() < Tunnel.VERSION) {
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
    hello = greeting;
    if (!admission.compareAndSet(Admission.NONE, Admission.HELD)) {
      registry.release(this, ended.get()); // the session has ended in between
      return;
    }
    SessionParts agreed =
        SessionParts.agree(context, departure::isAnswered, registry, loop, greeting);
    context.parts(agreed);
    if (ended.get() != null) {
      agreed.end(ended.get(), true); // meanwhile, without seeing these
    }
    SessionLookups lookups = agreed.lookups();
    Map<String, String> properties = new HashMap<>();
    if (lookups != null) {
      int preloaded =
          lookups.preload(
              registry.preloaded().configured(principal), PreloadedNames.asked(greeting));
      properties.put(Welcome.PRELOADED, Integer.toString(preloaded));
    }
    properties.put(Welcome.SESSION_ID, id);
    properties.put(Welcome.GRACE, Long.toString(settings.grace().toMillis()));
    SessionToken name = SessionToken.of(registry.newSecret());
    if (agreed.has(Feature.RESUME)) {
      token = name;
      registry.nameSession(name, this);
      if (ended.get() != null) {
        registry.forgetName(name);
      }
    } else {
      carrier.notResumable();
    }
    if (registry.policy().mapping().replacesUnknownNames()) {
      properties.put(Welcome.MAPS_LOOPBACK, "true");
    }
    registry.callbacks().innerHost().ifPresent(host -> properties.put(Welcome.INNER_HOST, host));
    welcome =
        new Welcome(
            Tunnel.VERSION,
            agreed.features(),
            name,
            0,
            settings.streamCredit(),
            settings.maxStreams(),
            settings.heartbeat(),
            coding.pick(greeting.codings(), registry.compression(principal)),
            properties);
    outbound.add(welcome);
    outbound.flush(); // as it is
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

  private void report(Report told) {
    Saved before = saved;
    saved = before.after(told);
    registry.meters().saved(saved.since(before));
  }

  /** Takes a stream that the agent opens; false when that is one too many. */
  private boolean open(Frame open, SessionStream stream) throws ProtocolViolationException {
    if (streams.isFull()) {
      context
          .refusals()
          .warn(
              LOG,
              "session {} of {} opened more than {} streams",
              id,
              principal,
              settings.maxStreams());
      end(
          CloseCause.TOO_MANY_STREAMS,
          "expected at most " + settings.maxStreams() + " open streams, got one more");
      return false;
    }
    streams.add(open, stream);
    if (!streams.haveRoom()) {
      context
          .refusals()
          .warn(
              LOG,
              "session {} of {} ends: the streams of that principal take more of the heap than"
                  + " there is for them; a larger heap (-Xmx) has room for more,"
                  + " session.max-sessions-per-principal and session.max-streams let nobody open as"
                  + " many",
              id,
              principal);
      end(
          CloseCause.TOO_MANY_STREAMS,
          "expected fewer open streams in all sessions of this login, got one more");
      streams.end(open.stream()); // should the session have ended meanwhile, without seeing it
      return false;
    }
    if (ended.get() != null) {
      // Meanwhile, perhaps without seeing this one.
      streams.end(open.stream());
    }
    return true;
  }

  /** Ends the session and everything in it. The first cause counts. From any thread. */
  void end(CloseCause cause, String text) {
    if (!ended.compareAndSet(null, cause)) {
      return;
    }
    clock.ended();
    streams.endAll();
    context.parts().end(cause, hasAgentEnded(cause));
    KeptObjects held = knowledge.received().handOver();
    share.former().notLost(knowledge.received());
    if (isKnownByName() && share.former().ended(held)) {
      registry.keep(context.standing().caller(), share);
    }
    if (token != null) {
      registry.forgetName(token);
    }
    boolean wasOpen = admission.getAndSet(Admission.OVER) == Admission.HELD;
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

  /** A JVM that has ended holds nothing; one that has lost its link, or us, comes back. */
  private boolean hasAgentEnded(CloseCause cause) {
    // It has said so, or has had its time to come back.
    return cause == CloseCause.DONE
        || (cause == CloseCause.LINK_LOST && (leaving || token != null));
  }

  /** Once, when the last words have left, or have had their time. From any thread. */
  private void closeLink() {
    if (linkClosed.compareAndSet(false, true)) {
      try {
        carrier.close(ended.get());
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

  /** Whatever has not left the ended session by now never will. */
  void stopTalking() {
    outbound.stop();
    closeLink();
  }

  /** Looks at the clock. On the registry's timer; does not block. */
  void tick(long now) {
    outbound.releaseIdleCoder(now);
    context.parts().tick(now);
    streams.forEach(stream -> stream.tick(now));
    SessionCarrier.Attachment link = carrier.current(); // before any judgement of it
    renewGrants(now);
    if (hello == null) {
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
    } else if (leaving && departure.isJvmGone(link.port().desertedNanos())) {
      end(CloseCause.LINK_LOST, ""); // nobody sees where a link of POSTs ends
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
    if (ended.get() == null && !outbound.isAboveHighWater() && context.parts().renewGrants(now)) {
      context.flushNow();
    }
  }

  private void giveUp(SessionCarrier.Attachment link, CloseCause cause) {
    LOG.debug("session {}: {}", id, cause.sentence());
    if (token == null) {
      end(cause, "");
    } else {
      linkLost(link);
    }
  }

  /** Since when there is no link, on the clock of sessions; empty with one. */
  OptionalLong lostSinceNanos() {
    return carrier.current() == null ? OptionalLong.of(clock.lostNanos()) : OptionalLong.empty();
  }

  /**
   * Asks the agent to go elsewhere, once; one that has not said hello hears it in answer to that.
   */
  void drain(Duration within) {
    if (hello == null || departure.isAsked()) {
      return;
    }
    departure.ask(registry.nanoTime());
    context.parts().leave();
    outbound.add(new Drain(within));
    outbound.flush();
  }

  /** Whether its agent has gone elsewhere, as it was asked to. */
  boolean hasLeft() {
    return departure.isAnswered();
  }

  /** Whether nothing is lost when a session that has been asked to go ends now. */
  boolean mayEnd() {
    SessionCarrier.Attachment link = carrier.current();
    return hello == null
        || link == null
        || (departure.isOver(registry.nanoTime())
            && (!hasCallsInFlight() || departure.isBeyondPatience(link.port().desertedNanos())));
  }

  /** Not so without a link: nobody can wait for an agent that may not come back. */
  boolean hasCallsInFlight() {
    if (carrier.current() == null) {
      return false;
    }
    return outbound.stuckNanos(registry.nanoTime()) > 0
        || streams.callInFlight()
        || context.parts().callInFlight();
  }

  /** What streams, lookups and callbacks know of this session. */
  SessionContext context() {
    return context;
  }

  String id() {
    return id;
  }

  Principal principal() {
    return principal;
  }

  /** Of a stream at its beginning; calls of an agent in this JVM come in one piece. */
  private int creditOfCalls() {
    return context.settings().callsAlone() ? Tunnel.MAX_CREDIT_BYTES : settings.streamCredit();
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
        LOG.info("session {} of {}: its login does not hold any more", id, principal);
      }
    } finally {
      reading.unlock();
    }
  }

  /** Its calls that wait for their Returns, and those of inner JVMs to its objects. */
  Stream<GatewayView.CallView> calls(long now) {
    return Stream.concat(streams.calls(now), context.parts().calls(now, principal.name(), id));
  }

  GatewayView.SessionView view() {
    Hello greeting = hello;
    return new GatewayView.SessionView(
        id,
        principal.name(),
        principal.scheme().name(),
        carrier.peer(),
        greeting == null ? "" : greeting.properties().getOrDefault("client", ""),
        since,
        bytesFromAgent.sum(),
        outbound.bytesSent(),
        context.calls(),
        coding.view(),
        saved,
        streams.views());
  }

  @Override
  public String toString() {
    return "session " + id;
  }
}
