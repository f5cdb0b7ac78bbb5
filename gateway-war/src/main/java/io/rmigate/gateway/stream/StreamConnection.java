package io.rmigate.gateway.stream;

import io.rmigate.gateway.relay.ConnectionListener;
import io.rmigate.gateway.relay.ServerConnection;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.RefusalReason;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One of a stream's two connections to its server. Takes the stream's lock, and passes events to
 * {@link StreamConnections} and {@link ReturnPath}.
 *
 * <p>Threads: the relay loop, or the thread that sends. Guarded by {@link OpenStream#lock()}.
 */
final class StreamConnection implements ConnectionListener {
  private final StreamSession session;
  private final OpenStream stream;
  private final StreamConnections connections;
  private final ReturnPath returns;
  private final RequestWindow window;
  private final ReentrantLock lock;
  private final ServerConnection connection;

  /** Bytes that the connection has taken and the operating system has not. */
  private int unwritten;

  /** Whether a Call that is no registry operation has gone this way. */
  private boolean carriedOthers;

  /** Whether the next bytes may belong to the Return of an earlier Call on this connection. */
  private boolean owesRest;

  StreamConnection(
      StreamSession session,
      OpenStream stream,
      StreamConnections connections,
      ReturnPath returns,
      RequestWindow window,
      Target target,
      ServerConnection.Protocol protocol) {
    this.session = session;
    this.stream = stream;
    this.connections = connections;
    this.returns = returns;
    this.window = window;
    this.lock = stream.lock();
    this.connection = session.targets().connect(target, protocol, this);
  }

  /** False when the connection has ended and has taken nothing. */
  boolean send(byte[] bytes, boolean startsRequest) {
    unwritten += bytes.length;
    boolean taken = connection.send(bytes, startsRequest);
    if (!taken) {
      unwritten -= bytes.length;
    }
    return taken;
  }

  /** Whether the beginning of a request does not have to wait here. */
  boolean writesAtOnce() {
    return connection.writesAtOnce();
  }

  /** Bytes that wait here for the server to take them. */
  int unwritten() {
    return unwritten;
  }

  /** Sees to a handshake without sending a request; false when the connection has ended. */
  boolean connect() {
    return connection.connect();
  }

  /** Connects to this address only. Called before anything is sent. */
  void pin(InetSocketAddress proven) {
    connection.pin(proven);
  }

  /** The peer with which the connection has completed a handshake, while its listener is told. */
  InetSocketAddress peer() {
    return connection.peer();
  }

  /** Reads on, after it was told that nothing is wanted. Without the stream's lock. */
  void resume() {
    connection.resume();
  }

  void close() {
    connection.close();
    forgetUnwritten();
  }

  /** Ends it if nothing of the latest request can have been written; whether that is so. */
  boolean closeIfNotReady() {
    boolean unsent = connection.closeIfNotReady();
    if (unsent) {
      forgetUnwritten();
    }
    return unsent;
  }

  void carriesOthers() {
    carriedOthers = true;
  }

  boolean carriedOthers() {
    return carriedOthers;
  }

  /** Whether what comes next may still belong to the latest Return. */
  void owesRest(boolean now) {
    owesRest = now;
  }

  boolean owesRest() {
    return owesRest;
  }

  long connectNanos() {
    return connection.connectNanos();
  }

  ServerConnection.State state() {
    return connection.state();
  }

  /** Forgets the bytes that the connection will not write any more. */
  void forgetUnwritten() {
    int lost = unwritten;
    unwritten = 0;
    window.consumed(lost);
    connections.lessWaits();
  }

  @Override
  public void onConnected() {
    lock.lock();
    try {
      connections.onConnected(this);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int wanted() {
    lock.lock();
    try {
      return returns.wanted(this);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void onBytes(ByteBuffer bytes) {
    lock.lock();
    try {
      if (!returns.answers(this)) {
        return;
      }
      connections.permit().carried(bytes.remaining());
      if (!returns.add(bytes)) {
        Optional<CloseCause> refusal = returns.refusal();
        if (refusal.isPresent()) {
          stream.closeFromHere(refusal.get(), returns.refusalText());
        } else { // wanted() was asked while another connection answered: a call has one answer
          stream.closeFromHere(CloseCause.INTERNAL_ERROR);
        }
      }
    } finally {
      lock.unlock();
    }
    stream.afterReturn();
    session.agent().flush();
  }

  @Override
  public void onWritten(int count) {
    session.meters().bytesToServer(count);
    lock.lock();
    try {
      connections.onWritten(count);
      int counted = Math.min(count, unwritten); // what was given up has been counted already
      unwritten -= counted;
      window.consumed(counted);
      connections.lessWaits();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void onRefused(RefusalReason reason, String text) {
    session.agent().flushAfter(lock, () -> connections.onRefused(this, reason, text));
  }

  @Override
  public void onServerClosed() {
    session.agent().flushAfter(lock, () -> connections.onServerClosed(this));
  }

  @Override
  public void onBroken() {
    session.agent().flushAfter(lock, () -> stream.closeFromHere(CloseCause.INTERNAL_ERROR));
  }
}
