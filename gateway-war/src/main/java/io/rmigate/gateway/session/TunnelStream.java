package io.rmigate.gateway.session;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Open;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The gateway's side of one stream: its frames come here, and its parts meet here.
 *
 * <pre>
 *   DATA ──► RequestGathering ──► RequestJudge ──► StreamConnections ──► server
 *                                      │                                   │
 *   CREDIT, REFUSED, CLOSE ◄───────────┘ RequestWindow                     ▼
 *   DATA, RETURN_END, REFUSED ◄── ReturnPath ◄────────────────── StreamConnection
 * </pre>
 *
 * <p>Threads: frames come one at a time from the edge; bytes from the server on the relay loop.
 * {@link #lock} guards all parts; connections are called under it, and call back outside theirs.
 * What goes to the agent is queued under it and flushed outside.
 */
final class TunnelStream {
  private final TunnelSession session;
  private final int id;
  private final String target;
  private final ReentrantLock lock = new ReentrantLock();

  private final RequestWindow window;
  private final RequestGathering gathering;
  private final RequestJudge judge;
  private final StreamConnections connections;
  private final ReturnPath returns;

  private boolean closed;

  TunnelStream(TunnelSession session, Open open, int agentCredit, int gatewayCredit) {
    this.session = session;
    this.id = open.stream();
    this.target = open.host().replaceAll("\\p{Cntrl}", "?") + ":" + open.port();
    this.window = new RequestWindow(session, id, gatewayCredit);
    this.gathering = new RequestGathering(session);
    this.judge = new RequestJudge(session, this, open);
    this.connections = new StreamConnections(session, this, open);
    this.returns = new ReturnPath(session, open, agentCredit, connections::resume);
  }

  int id() {
    return id;
  }

  /** Host and port as asked for, fit for a log. */
  String target() {
    return target;
  }

  // Frames, from the edge.

  void onData(byte[] bytes, boolean last) throws ProtocolViolationException {
    lock.lock();
    try {
      window.arrived(bytes.length);
      if (!closed) { // otherwise it was on its way when we closed
        gathering.onData(bytes, last, judge);
      }
    } finally {
      lock.unlock();
    }
  }

  void onCredit(int moreBytes) throws ProtocolViolationException {
    boolean resumes;
    lock.lock();
    try {
      resumes = returns.onCredit(moreBytes);
    } finally {
      lock.unlock();
    }
    if (resumes) {
      connections.resume();
    }
  }

  /** The agent has closed its side; afterwards the stream is over. */
  void onClose() {
    lock.lock();
    try {
      closeFromHere(CloseCause.DONE);
    } finally {
      lock.unlock();
    }
  }

  /** The session has ended: nothing more can be sent. */
  void end() {
    lock.lock();
    try {
      closed = true;
      closeParts();
    } finally {
      lock.unlock();
    }
  }

  /** Closes the stream and tells the agent why. Under the lock. */
  void closeFromHere(CloseCause cause) {
    assert lock.isHeldByCurrentThread();
    if (!closed) {
      closed = true;
      session.outbound().add(new Close(id, cause));
      session.flush();
    }
    closeParts();
  }

  private void closeParts() {
    window.close();
    gathering.close();
    returns.close();
    connections.close();
  }

  // The parts, for each other.

  ReentrantLock lock() {
    return lock;
  }

  RequestWindow window() {
    return window;
  }

  RequestGathering gathering() {
    return gathering;
  }

  StreamConnections connections() {
    return connections;
  }

  ReturnPath returns() {
    return returns;
  }

  // For the session.

  boolean callInFlight() {
    lock.lock();
    try {
      return gathering.withinRequest() || returns.busy();
    } finally {
      lock.unlock();
    }
  }

  GatewayView.StreamView view() {
    lock.lock();
    try {
      return new GatewayView.StreamView(
          id,
          target,
          connections.state(),
          connections.calls(),
          connections.bytesToServer(),
          returns.bytesToClient());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return "stream " + id + " to " + target;
  }
}
