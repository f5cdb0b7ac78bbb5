package io.rmigate.gateway.session;

import io.rmigate.gateway.stream.RawStream;
import io.rmigate.gateway.stream.SessionStream;
import io.rmigate.gateway.stream.TunnelStream;
import io.rmigate.gateway.view.Savings;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.Accept;
import io.rmigate.protocol.tunnel.Ack;
import io.rmigate.protocol.tunnel.Bound;
import io.rmigate.protocol.tunnel.Clean;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Coded;
import io.rmigate.protocol.tunnel.Coding;
import io.rmigate.protocol.tunnel.Credit;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Deadline;
import io.rmigate.protocol.tunnel.DgcAck;
import io.rmigate.protocol.tunnel.Dirty;
import io.rmigate.protocol.tunnel.Drain;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Forgot;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.Grant;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.protocol.tunnel.HeartbeatAck;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.Hold;
import io.rmigate.protocol.tunnel.Leased;
import io.rmigate.protocol.tunnel.Leaving;
import io.rmigate.protocol.tunnel.Listen;
import io.rmigate.protocol.tunnel.Listening;
import io.rmigate.protocol.tunnel.Lookup;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.OpenRaw;
import io.rmigate.protocol.tunnel.Refused;
import io.rmigate.protocol.tunnel.Release;
import io.rmigate.protocol.tunnel.Report;
import io.rmigate.protocol.tunnel.ReturnEnd;
import io.rmigate.protocol.tunnel.Sequence;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Unbound;
import io.rmigate.protocol.tunnel.Unlisten;
import io.rmigate.protocol.tunnel.Welcome;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an open session does with each frame of its agent: one handler for each type. A test checks
 * that no type is left out.
 *
 * <p>Confined to the thread of the edge, except {@link #saved}.
 */
final class AgentFrames {
  private static final Logger LOG = LoggerFactory.getLogger(TunnelSession.class);

  /** Takes the frames of one type. */
  @FunctionalInterface
  private interface Handler<F extends Frame> {
    void handle(AgentFrames session, F frame) throws ProtocolViolationException;
  }

  /**
   * The handler of one type.
   *
   * @param needs without this feature the frame is a violation
   */
  private record Entry<F extends Frame>(
      Class<F> type, Optional<Feature> needs, Handler<F> handler) {
    void handle(AgentFrames session, Frame frame) throws ProtocolViolationException {
      if (needs.isPresent() && !session.parts.has(needs.get())) {
        throw unexpected(frame);
      }
      handler.handle(session, type.cast(frame));
    }
  }

  private static final Map<Class<? extends Frame>, Entry<?>> HANDLERS =
      Stream.of(
              on(Data.class, (to, data) -> to.data(data)),
              on(Credit.class, (to, credit) -> to.streams.of(credit).onCredit(credit.moreBytes())),
              on(Open.class, AgentFrames::open),
              on(OpenRaw.class, Feature.RAW_STREAMS, AgentFrames::openRaw),
              on(Close.class, AgentFrames::close),
              on(
                  Deadline.class,
                  Feature.DEADLINES,
                  (to, deadline) -> to.streams.of(deadline).onDeadline(deadline)),
              on(
                  Sequence.class,
                  Feature.SEQUENCES,
                  (to, sequence) -> to.streams.of(sequence).onSequence(sequence)),
              on(Ack.class, Feature.RESUME, (to, ack) -> to.carrier.confirmed(ack.received())),
              on(Heartbeat.class, (to, beat) -> to.context.add(new HeartbeatAck(beat.number()))),
              on(HeartbeatAck.class, (to, answer) -> {}),
              on(Coding.class, (to, wish) -> to.coding.onWish(wish)),
              on(Report.class, AgentFrames::report),
              on(Drain.class, AgentFrames::drain),
              on(Leaving.class, (to, leaving) -> to.session.onJvmEnds()),
              on(Goodbye.class, (to, goodbye) -> to.session.end(goodbye.cause(), "")),
              on(Dirty.class, Feature.LEASES, (to, dirty) -> to.parts.leases().dirty(dirty)),
              on(Clean.class, Feature.LEASES, (to, clean) -> to.parts.leases().clean(clean)),
              on(DgcAck.class, Feature.LEASES, (to, ack) -> to.parts.leases().acknowledge(ack)),
              on(Lookup.class, Feature.LOOKUPS, (to, asked) -> to.parts.lookups().onLookup(asked)),
              on(Forgot.class, Feature.LOOKUPS, (to, name) -> to.parts.lookups().onForgot(name)),
              on(Grant.class, Feature.GRANTS, (to, grant) -> to.parts.grants().show(grant)),
              on(Listen.class, Feature.CALLBACKS, AgentFrames::callback),
              on(Unlisten.class, Feature.CALLBACKS, AgentFrames::callback),
              violation(Hello.class), // a session has one
              violation(Coded.class), // decoded before
              violation(Welcome.class), // this one and those below are the gateway's
              violation(ReturnEnd.class),
              violation(Refused.class),
              violation(Leased.class),
              violation(Bound.class),
              violation(Unbound.class),
              violation(Listening.class),
              violation(Accept.class),
              violation(Hold.class),
              violation(Release.class))
          .collect(Collectors.toUnmodifiableMap(Entry::type, Function.identity()));

  private final TunnelSession session;
  private final SessionContext context;
  private final SessionParts parts;
  private final SessionStreams streams;
  private final SessionCoding coding;
  private final SessionCarrier carrier;
  private final DrainProgress draining;

  /** Bytes that the agent takes on a stream at its beginning. */
  private final int agentCredit;

  /** The savings in the agent's latest report. */
  private volatile Savings saved = Savings.NOTHING;

  /**
   * @param parts what agent and gateway have agreed on
   */
  AgentFrames(TunnelSession session, SessionParts parts, int agentCredit) {
    this.session = session;
    this.parts = parts;
    this.agentCredit = agentCredit;
    this.context = session.context();
    this.streams = session.streams();
    this.coding = session.coding();
    this.carrier = session.carrier();
    this.draining = session.draining();
  }

  private static <F extends Frame> Entry<F> on(Class<F> type, Handler<F> handler) {
    return new Entry<>(type, Optional.empty(), handler);
  }

  private static <F extends Frame> Entry<F> on(Class<F> type, Feature needs, Handler<F> handler) {
    return new Entry<>(type, Optional.of(needs), handler);
  }

  private static <F extends Frame> Entry<F> violation(Class<F> type) {
    return on(
        type,
        (to, frame) -> {
          throw unexpected(frame);
        });
  }

  private static ProtocolViolationException unexpected(Frame frame) {
    return new ProtocolViolationException("expected no " + frame.type() + " from an agent now");
  }

  /** The types that have a handler, be it one that refuses them. */
  static Set<Class<? extends Frame>> types() {
    return HANDLERS.keySet();
  }

  /**
   * Takes the next frame.
   *
   * @throws ProtocolViolationException the agent has broken the protocol
   */
  void on(Frame frame) throws ProtocolViolationException {
    if (isOfGatewaysStream(frame)) {
      callback(frame);
    } else if (frame instanceof Data data) { // first: most frames are
      data(data);
    } else {
      HANDLERS.get(frame.getClass()).handle(this, frame);
    }
  }

  /** Whether the gateway may have opened the frame's stream, for a callback. */
  private boolean isOfGatewaysStream(Frame frame) {
    int number = frame.stream();
    return number % 2 == 0 && number > 0 && parts.callbacks() != null;
  }

  private void callback(Frame frame) throws ProtocolViolationException {
    parts.callbacks().onFrame(frame);
  }

  private void data(Data data) throws ProtocolViolationException {
    streams.of(data).onData(data.bytes(), data.endOfRequest());
  }

  private void open(Open open) throws ProtocolViolationException {
    add(open, new TunnelStream(context, open, agentCredit, creditOfCalls()));
  }

  /** Credit of a stream at its beginning; calls of an agent in this JVM come in one piece. */
  private int creditOfCalls() {
    return context.settings().callsAlone() ? Tunnel.MAX_CREDIT_BYTES : context.settings().credit();
  }

  private void openRaw(OpenRaw open) throws ProtocolViolationException {
    RawStream stream = new RawStream(context, open, agentCredit, context.settings().credit());
    if (add(open, stream)) {
      stream.begin();
    }
  }

  /** Takes a stream that the agent opens; false if the session ends because of it. */
  private boolean add(Frame open, SessionStream stream) throws ProtocolViolationException {
    if (streams.isFull()) {
      context
          .refusals()
          .warn(
              LOG,
              "session {} of {} opened more than {} streams",
              context.standing().id(),
              context.standing().principal(),
              streams.most());
      session.end(
          CloseCause.TOO_MANY_STREAMS,
          "expected at most " + streams.most() + " open streams, got one more");
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
                  + " lower session.max-sessions-per-principal or session.max-streams to permit"
                  + " fewer streams",
              context.standing().id(),
              context.standing().principal());
      session.end(
          CloseCause.TOO_MANY_STREAMS,
          "expected fewer open streams in all sessions of this login, got one more");
      streams.end(open.stream()); // the session may have ended before, without this stream
      return false;
    }
    if (session.isOver()) {
      streams.end(open.stream()); // the session may have ended without this stream
    }
    return true;
  }

  private void close(Close close) throws ProtocolViolationException {
    streams.of(close).onClose();
    streams.forget(close.stream());
  }

  private void report(Report report) {
    Savings before = saved;
    saved = before.after(report);
    context.meters().saved(saved.since(before));
  }

  private void drain(Drain answer) throws ProtocolViolationException {
    if (!draining.isAsked()) {
      throw unexpected(answer);
    }
    draining.onAnswer();
  }

  /** The savings that the agent reports. From any thread. */
  Savings saved() {
    return saved;
  }
}
