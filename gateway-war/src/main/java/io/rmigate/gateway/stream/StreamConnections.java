package io.rmigate.gateway.stream;

import io.rmigate.gateway.audit.AuditOutcome;
import io.rmigate.gateway.limit.CallPermit;
import io.rmigate.gateway.relay.ServerConnection;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.gateway.route.Route;
import io.rmigate.protocol.jrmp.message.CallHeader;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.Tunnel;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the judged requests of one stream go: its own connection, made with the first of them and
 * again after the server has ended it, and beside it a SingleOp connection for each Call whose end
 * is not known or whose Return must not be mixed up with another.
 *
 * <p>Guarded by {@link OpenStream#lock()}.
 */
final class StreamConnections {
  private static final Logger LOG = LoggerFactory.getLogger(StreamConnections.class);

  private final StreamSession session;
  private final OpenStream stream;
  private final Open open;
  private final AuditedCall audit;
  private final RequestWindow window;
  private final RequestGathering gathering;
  private final ReturnPath returns;

  /** The stream's own connection, and where it goes; null until the first request. */
  private StreamConnection own;

  private Target ownTarget;

  /** The peer of the last handshake of the stream's own connection; null before the first. */
  private InetSocketAddress proven;

  private final IsolatedConnection isolated;
  private final AwaitedReturn awaited;
  private final ConnectionFailures failures;

  /** The route of the latest request. */
  private Route.Permitted route;

  /** The latest call; null before the first. */
  private CallInFlight latestCall;

  /** The permit of the latest call. */
  private CallPermit permit = CallPermit.UNLIMITED;

  private long calls;
  private long bytesToServer;

  StreamConnections(
      StreamSession session,
      OpenStream stream,
      Open open,
      AuditedCall audit,
      RequestWindow window,
      RequestGathering gathering,
      ReturnPath returns) {
    this.session = session;
    this.stream = stream;
    this.open = open;
    this.audit = audit;
    this.window = window;
    this.gathering = gathering;
    this.returns = returns;
    this.isolated = new IsolatedConnection(window);
    this.awaited = new AwaitedReturn(session, open, returns);
    this.failures = new ConnectionFailures(session, stream, audit, returns);
  }

  /** The next Call has this place. */
  void permit(CallPermit next) {
    permit.end();
    permit = next;
  }

  /** The permit of the latest Call. */
  CallPermit permit() {
    return permit;
  }

  /**
   * A Call whose end is known.
   *
   * @return false when it would have to wait, and there is no room for that; then nothing of it has
   *     gone out, nor will
   */
  boolean forward(
      byte[] call, CallHeader header, Optional<RegistryOperation> registry, Route.Permitted way) {
    follow(way);
    boolean lookup = registry.equals(Optional.of(RegistryOperation.LOOKUP));
    if (lookup && own != null && own.carriedOthers()) {
      // What comes first on a connection that others use may be the tail of their Return, and
      // endpoints are learnt only from what a registry says.
      return isolate(call, header, registry, way, "a lookup behind other calls");
    }
    if (own != null && own.owesRest() && isReturnRead()) {
      // The agent has not waited for the end of a Return, or that end is unknown: its rest,
      // in which there may be anything, would be read as the answer to this Call.
      dropOwn();
    }
    if (!mayWait(call) && (own == null || !own.writesAtOnce())) {
      return false;
    }
    send(call);
    begin(own, header, registry, call);
    if (registry.isEmpty()) {
      own.carriesOthers();
    }
    endIfTooMuchWaits();
    return true;
  }

  /**
   * Whether there is room for a Call, or its beginning, to wait; who calls alone sees to its own.
   * Where all but the last piece of it had room there is for that, too.
   */
  private boolean mayWait(byte[] call) {
    int had = gathering.roomOfBeginning();
    int anyway = had > 0 || window.hasLent() ? had + Tunnel.MAX_BODY_BYTES : 0;
    return session.settings().callsAlone() || window.holdsWaiting(waiting() + call.length, anyway);
  }

  /** Bytes that have been let through, and that no operating system has taken. */
  private int waiting() {
    int usual = own == null ? 0 : own.unwritten();
    return usual + isolated.waiting();
  }

  /** Some of what has waited does not any more. */
  void lessWaits() {
    isRoomForWhatWaits();
  }

  private boolean isRoomForWhatWaits() {
    return session.settings().callsAlone() || window.holdsWaiting(waiting(), 0);
  }

  /** Part of what waits may have gone out: nothing may stand behind that but the rest. */
  private void endIfTooMuchWaits() {
    if (isRoomForWhatWaits()) {
      return;
    }
    failures.onTooMuchWaits();
  }

  /** Whether what the Return of the next Call hands out counts as given to the session. */
  private boolean isReturnRead() {
    return route.permission().rules().looks() || awaited.strictest(route).looks();
  }

  /**
   * Sends a message without an answer. If a Call waits for its Return on the same connection, that
   * is neither pinged nor made again, because the Call would be given up, as if it had reached no
   * server.
   */
  void acknowledge(byte[] message, Route.Permitted way) {
    if (turnTo(way)) {
      loseOwn();
      leave();
    }
    send(message);
    endIfTooMuchWaits();
  }

  private void send(byte[] message) {
    boolean behindCall = returns.awaiting() && returns.answers(own);
    if (!own().send(message, !behindCall)) {
      dropOwn(); // it had ended, and has taken no byte
      own().send(message, true);
    }
  }

  /**
   * A Call, or its beginning, that must be alone on its connection.
   *
   * @return false as for {@link #forward}
   */
  boolean isolate(
      byte[] call,
      CallHeader header,
      Optional<RegistryOperation> registry,
      Route.Permitted way,
      String reason) {
    LOG.debug("{}: call sent SingleOp: {}", stream, reason);
    follow(way);
    closeIsolated();
    if (!mayWait(call)) {
      return false;
    }
    session.meters().isolatedCall();
    StreamConnection alone = connection(ServerConnection.Protocol.SINGLE_OP);
    isolated.begin(alone);
    if (proven != null) {
      isolated.pin(proven);
    }
    begin(alone, header, registry, call);
    sendIsolated(call);
    return true;
  }

  private void begin(
      StreamConnection connection,
      CallHeader header,
      Optional<RegistryOperation> registry,
      byte[] call) {
    latestCall = new CallInFlight(header, System.nanoTime());
    audit.begin(header, registry, call);
    returns.begin(connection, gathering.request());
    awaited.expect(route, registry, call, permit);
    calls++;
    failures.stats().calls.increment();
    session.countCall();
  }

  /**
   * More of the isolated Call. It goes over its connection, which is only opened once the server
   * has proven to be JRMP, and to the address that has: its name may stand for others, too.
   */
  void sendIsolated(byte[] bytes) {
    if (isolated.is(null)) {
      // The server has ended it: what is left of the Call has no reader.
      window.consumed(bytes.length);
    } else if (proven != null) {
      isolated.send(bytes);
    } else {
      isolated.keep(bytes);
      if (!own().connect()) {
        dropOwn();
        own().connect();
      }
    }
    endIfTooMuchWaits();
  }

  /**
   * The isolated Call is refused before its end has gone out: nothing more of it does, and its
   * server, which waits for that, hears no more.
   */
  void breakOff(RefusalReason reason, String text) {
    closeIsolated();
    returns.onRefused(reason, text);
  }

  /** Whether some of what was let through waits for its server. */
  boolean waitsForServer() {
    return waiting() > 0;
  }

  /** The next request goes this way: not over a connection to another server. */
  private void follow(Route.Permitted way) {
    if (turnTo(way)) {
      leave();
    }
  }

  /** Whether that way leads elsewhere than the stream's own connection. */
  private boolean turnTo(Route.Permitted way) {
    boolean sameWay = way.equals(route);
    route = way;
    return !sameWay && !target().equals(ownTarget);
  }

  private void leave() {
    dropOwn();
    proven = null;
    refuseWaiting();
  }

  /** A Call may wait there for its Return, or the rest: that ends as if its server had. */
  private void loseOwn() {
    if (own == null || !returns.answers(own) || !own.owesRest()) {
      return;
    }
    boolean unsent = returns.awaiting() && own.closeIfNotReady();
    dropOwn();
    if (unsent) {
      failures.refuseElsewhere();
    } else {
      audit.over(AuditOutcome.SERVER_CLOSED);
      returns.onServerClosed();
    }
  }

  /** A Call that waits for a handshake at the server which it was judged for goes to no other. */
  private void refuseWaiting() {
    if (!isolated.hasBacklog()) {
      return;
    }
    closeIsolated();
    if (returns.awaiting()) {
      failures.refuseElsewhere();
    }
  }

  /** The route of the latest request, for messages that do not name an object. */
  Optional<Route.Permitted> latestRoute() {
    return Optional.ofNullable(route);
  }

  private Target target() {
    return session.targets().target(route, open.connectTimeout(), open.handshakeTimeout());
  }

  private StreamConnection own() {
    if (own == null) {
      ownTarget = target();
      own = connection(ServerConnection.Protocol.STREAM);
      failures.stats().connections.incrementAndGet();
    }
    return own;
  }

  private StreamConnection connection(ServerConnection.Protocol protocol) {
    return new StreamConnection(session, stream, this, returns, window, target(), protocol);
  }

  private void dropOwn() {
    if (own != null) {
      own.close();
      own = null;
      failures.stats().connections.decrementAndGet();
    }
  }

  private void closeIsolated() {
    isolated.forgetBacklog();
    lessWaits();
    isolated.close();
  }

  /** The link has room again. Takes the lock by itself: none may be held. */
  void onRoom() {
    stream.lock().lock();
    try {
      returns.onRoom();
    } finally {
      stream.lock().unlock();
    }
    resume();
  }

  /** Resumes reading of paused connections. Takes the lock by itself: none may be held. */
  void resume() {
    StreamConnection first;
    StreamConnection second;
    stream.lock().lock();
    try {
      first = own; // the one that does not answer may have paused before the other call began
      second = isolated.connection();
    } finally {
      stream.lock().unlock();
    }
    if (first != null) {
      first.resume();
    }
    if (second != null) {
      second.resume();
    }
  }

  /**
   * The latest Call, which still waits for its Return, has lasted too long: its connection ends.
   *
   * @return whether nothing of it has been written to a server
   */
  boolean giveUp() {
    failures.onTimeOut();
    StreamConnection answering = returns.answering();
    boolean unsent =
        (isolated.is(answering) && isolated.hasBacklog())
            || (answering != null && answering.closeIfNotReady());
    if (unsent) {
      audit.notConnected(RefusalReason.CALL_TIMEOUT.name());
    } else {
      audit.over(AuditOutcome.TIMED_OUT);
    }
    closeIsolated();
    dropOwn();
    return unsent;
  }

  /** The latest Call; null until there has been one. */
  CallInFlight latestCall() {
    return latestCall;
  }

  /** The stream is over. */
  void close() {
    permit.end();
    closeIsolated();
    dropOwn();
  }

  // What the two connections have to say.

  void onConnected(StreamConnection connection) {
    session.meters().connected(connection.connectNanos());
    if (connection != own) {
      return; // dropped meanwhile, perhaps for one to another server
    }
    proven = connection.peer();
    if (latestCall != null) {
      latestCall.connected();
    }
    if (isolated.hasBacklog()) {
      isolated.pin(proven);
    }
    while (isolated.hasBacklog()) {
      sendIsolated(isolated.takeKept());
    }
  }

  void onWritten(int count) {
    bytesToServer += count;
  }

  void onRefused(StreamConnection connection, RefusalReason reason, String text) {
    failures.onRefused(reason, text);
    boolean handshake = connection == own && isolated.hasBacklog();
    boolean carriesCall = returns.answers(connection) || handshake;
    onOver(connection);
    if (isolated.is(connection) || handshake) {
      closeIsolated();
    }
    if (connection == own) {
      dropOwn();
    }
    if (own == null && isolated.is(null)) {
      proven = null; // the server may be elsewhere by now
    }
    if (carriesCall && returns.awaiting()) {
      failures.refuseCall(reason, text);
    }
  }

  void onServerClosed(StreamConnection connection) {
    onOver(connection);
    if (isolated.is(connection)) {
      isolated.onClosed();
    }
    if (connection == own) {
      dropOwn();
    }
    if (returns.answers(connection)) {
      audit.over(AuditOutcome.SERVER_CLOSED);
      returns.onServerClosed();
    }
  }

  /** Forgets the unwritten bytes of a connection that is over, and the rest of its request. */
  private void onOver(StreamConnection connection) {
    connection.forgetUnwritten();
    if (returns.answers(connection)) {
      gathering.discardRest();
    }
  }

  // For the admin view.

  /** Whether the latest Call, which still waits for its Return, waits for its connection. */
  boolean isConnecting() {
    return isolated.hasBacklog()
        || (returns.answers(own) && own != null && own.state() != ServerConnection.State.READY);
  }

  String state() {
    return own == null ? "IDLE" : own.state().name();
  }

  long calls() {
    return calls;
  }

  long bytesToServer() {
    return bytesToServer;
  }
}
