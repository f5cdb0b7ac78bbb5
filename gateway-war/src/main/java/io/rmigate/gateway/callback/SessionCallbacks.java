package io.rmigate.gateway.callback;

import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Shares;
import io.rmigate.protocol.AddressOwner;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.Credit;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Listen;
import io.rmigate.protocol.tunnel.Unlisten;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * The callbacks of one session: its listeners, which live as long as it does, and the streams of
 * inner JVMs. What is queued here for the agent waits with the session when its link is lost.
 *
 * <p>Threads: frames come one at a time from the edge, connections and their bytes on the session's
 * relay loop, the clock's ticks on the timer of sessions. {@code lock} guards {@link
 * SessionListeners}, {@link StreamNumbers} and {@link SessionReferences}; it may be taken under a
 * stream's lock.
 */
public final class SessionCallbacks {
  /**
   * Most bytes of incomplete messages of inner JVMs, or to them: calls of the collector, Returns of
   * SingleOpProtocol connections.
   */
  static final Quota KEPT_BYTES = Quota.threeQuarters(8 << 20);

  private static final long REST_CHECK_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Callbacks all;
  private final CallbackLink link;
  private final Set<CallbackStream> connections = ConcurrentHashMap.newKeySet();
  private final ConnectionPlaces places = new ConnectionPlaces();
  private final WaitingBytes waiting = new WaitingBytes(connections);
  private final Shares<AddressOwner> kept = new Shares<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final StreamNumbers numbers = new StreamNumbers();
  private final SessionListeners listeners;
  private final SessionReferences references;
  private boolean ended;

  /** Confined to the timer. */
  private long restsCheckedNanos = System.nanoTime();

  SessionCallbacks(Callbacks all, CallbackLink link) {
    this.all = all;
    this.link = link;
    this.listeners = new SessionListeners(this, lock);
    this.references = new SessionReferences(this, lock);
  }

  Callbacks all() {
    return all;
  }

  CallbackLink link() {
    return link;
  }

  SessionListeners listeners() {
    return listeners;
  }

  SessionReferences references() {
    return references;
  }

  /** Bytes for inner JVMs that have not left. */
  WaitingBytes waiting() {
    return waiting;
  }

  /** Bytes of messages whose end has not come, by host. */
  Shares<AddressOwner> kept() {
    return kept;
  }

  /** Whether stubs of this session's objects name that endpoint. Takes no lock. */
  public boolean listensAt(String host, int port) {
    return listeners.isOpen(port) && isInnerHost(host);
  }

  /**
   * Whether stubs of this session's objects name that endpoint, or did so before it gave a listener
   * back.
   */
  public boolean hasListenedAt(String host, int port) {
    return listeners.wasOpen(port) && isInnerHost(host);
  }

  private boolean isInnerHost(String host) {
    return all.innerHost().filter(host::equalsIgnoreCase).isPresent();
  }

  // Frames, from the edge.

  /**
   * Takes a frame of callbacks, or of a stream with an even number.
   *
   * @return false when it is none
   * @throws ProtocolViolationException the agent has broken the protocol
   */
  public boolean onFrame(Frame frame) throws ProtocolViolationException {
    if (frame instanceof Listen listen) {
      listeners.listen(listen);
    } else if (frame instanceof Unlisten unlisten) {
      listeners.unlisten(unlisten);
    } else if (frame.stream() > 0 && frame.stream() % 2 == 0) {
      onStreamFrame(frame);
    } else {
      return false;
    }
    return true;
  }

  private void onStreamFrame(Frame frame) throws ProtocolViolationException {
    CallbackStream stream = numbers.get(frame.stream());
    if (stream == null) {
      throw new ProtocolViolationException(
          "expected " + frame.type() + " on an open stream, got stream " + frame.stream());
    }
    if (frame instanceof Data data && !data.endOfRequest()) {
      stream.onData(data.bytes());
    } else if (frame instanceof Credit more) {
      stream.onCredit(more.moreBytes());
    } else if (frame instanceof Close) {
      stream.onClose();
    } else {
      throw new ProtocolViolationException(
          "expected no " + frame.type() + " on a stream of the gateway's");
    }
  }

  // For the streams.

  /** Gives a new connection its place; false when there is none for it. On the loop. */
  boolean add(CallbackStream stream) {
    Optional<ConnectionAdmission.Bound> full = doorkeeper().letIn(stream, System.nanoTime());
    if (full.isPresent()) {
      all.tooMuch(this, full.get().what(), full.get().taken(), stream.sharer());
      return false;
    }
    all.meters().callbackConnections(1);
    connections.add(stream);
    if (isEnded()) {
      stream.end();
      return false;
    }
    return true;
  }

  /** By the bounds of now. */
  private ConnectionAdmission doorkeeper() {
    return new ConnectionAdmission(
        List.of(
            new ConnectionAdmission.Bound("connections", places, maxConnections()),
            all.connections()));
  }

  private int maxConnections() {
    return all.settings().map(now -> now.connections().ofSession()).orElse(0);
  }

  private boolean isEnded() {
    lock.lock();
    try {
      return ended;
    } finally {
      lock.unlock();
    }
  }

  /** A connection needs its place no more. Idempotent. */
  void onConnectionOver(CallbackStream stream) {
    stream.listener().forget(stream);
    if (connections.remove(stream)) {
      doorkeeper().leave(stream);
      all.meters().callbackConnections(-1);
    }
  }

  /** A number for a stream whose first bytes go to the agent; 0 when there is none. */
  int numberFor(CallbackStream stream) {
    lock.lock();
    try {
      int most = CallbackSettings.STREAMS_PER_CONNECTION * maxConnections();
      if (ended || !listeners.has(stream.listener()) || numbers.used() >= most) {
        return 0; // an agent that never closes its side has used up its numbers
      }
      return numbers.give(stream);
    } finally {
      lock.unlock();
    }
  }

  void freeNumber(int number, CallbackStream stream) {
    lock.lock();
    try {
      numbers.free(number, stream);
    } finally {
      lock.unlock();
    }
  }

  // The clock, and the end.

  /** Ends leases that are over, and connections that rest for too long. On the timer. */
  public void tick(long now) {
    references.tick(now);
    listeners.bindWaiting();
    if (link.records(AuditEvent.CALLBACK_CALL)) {
      connections.forEach(connection -> connection.tick(now));
    }
    if (now - restsCheckedNanos > REST_CHECK_NANOS) {
      restsCheckedNanos = now;
      connections.forEach(connection -> connection.endRest(now));
    }
    link.send();
  }

  /** Whether an inner JVM waits for the agent's. */
  public boolean callInFlight() {
    return connections.stream().anyMatch(CallbackStream::callInFlight);
  }

  /** Calls of inner JVMs that wait for their Returns. */
  public Stream<CallbackCall> calls(long now) {
    return connections.stream().flatMap(connection -> connection.call(now).stream());
  }

  /** The session has ended: ports are free, inner JVMs find their connections ended. */
  public void end() {
    lock.lock();
    try {
      if (ended) {
        return;
      }
      ended = true;
    } finally {
      lock.unlock();
    }
    listeners.end();
    connections.forEach(CallbackStream::end);
    all.forget(this);
  }

  /** One snapshot per listener. */
  List<ListenerView> views() {
    lock.lock();
    try {
      return listeners.open().stream().map(CallbackListener::view).toList();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return "session " + link.session();
  }
}
