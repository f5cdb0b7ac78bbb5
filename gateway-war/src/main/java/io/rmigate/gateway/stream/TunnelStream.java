package io.rmigate.gateway.stream;

import io.rmigate.gateway.audit.AuditOutcome;
import io.rmigate.gateway.view.GatewayView;
import io.rmigate.protocol.LogText;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.message.CallHeader;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Deadline;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.Sequence;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The gateway's side of one stream: its frames come here, and its parts meet here.
 *
 * <pre>
 *   DATA ──► RequestGathering ──► RequestJudge ──► StreamConnections ──► server
 *                                      │                                   │
 *   CREDIT, REFUSED, CLOSE ◄───────────┘ RequestWindow                     ▼
 *   DATA, RETURN_END, REFUSED ◄── ReturnPath ◄────────────────── StreamConnection
 *   DEADLINE ──► RequestDeadline ──► REFUSED, or DEADLINE and CLOSE
 * </pre>
 *
 * <p>Threads: frames come one at a time from the edge; bytes from the server on the relay loop.
 * {@link #lock} guards all parts; connections are called under it, and call back outside theirs.
 * What goes to the agent is queued under it and flushed outside.
 */
public final class TunnelStream implements SessionStream, OpenStream {
  private final StreamSession session;
  private final int id;
  private final String target;
  private final ReentrantLock lock = new ReentrantLock();

  private final RequestWindow window;
  private final RequestGathering gathering;
  private final RequestJudge judge;
  private final StreamConnections connections;
  private final ReturnPath returns;
  private final RequestDeadline deadline;
  private final AuditedCall audit;
  private final StreamParts parts;

  /** Null unless the stream takes part in a sequence. Written under {@link #lock}. */
  private volatile SequenceTurn turn;

  private boolean closed;

  public TunnelStream(StreamSession session, Open open, int agentCredit, int gatewayCredit) {
    this.session = session;
    this.id = open.stream();
    this.target = LogText.of(open.host()) + ":" + open.port();
    this.audit = new AuditedCall(session, target, id);
    this.window = new RequestWindow(session, id, gatewayCredit);
    this.gathering =
        new RequestGathering(
            session.settings().maxHeldCallBytes(), session.share().room().heldBytes());
    this.returns = new ReturnPath(session, open, agentCredit, this::onRoom, audit);
    this.connections =
        new StreamConnections(session, this, open, audit, window, gathering, returns);
    this.parts = new StreamParts(this, audit, window, gathering, returns, connections);
    this.deadline = new RequestDeadline(session, parts);
    this.judge = new RequestJudge(session, open, parts, deadline);
  }

  @Override
  public int id() {
    return id;
  }

  @Override
  public String target() {
    return target;
  }

  @Override
  public ReentrantLock lock() {
    return lock;
  }

  private void onRoom() {
    connections.onRoom();
  }

  // Frames, from the edge.

  @Override
  public void onData(byte[] bytes, boolean last) throws ProtocolViolationException {
    lock.lock();
    try {
      window.arrived(bytes.length);
      if (!closed) { // otherwise it was on its way when we closed
        SequenceTurn takes = turn;
        gathering.onData(bytes, last, takes == null ? judge : takes);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void onDeadline(Deadline told) throws ProtocolViolationException {
    lock.lock();
    try {
      if (!closed) {
        deadline.set(told);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void onSequence(Sequence told) throws ProtocolViolationException {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      if (turn != null || gathering.request() > 0) {
        throw new ProtocolViolationException(
            "expected SEQUENCE once, before the first request of stream " + id);
      }
      turn = new SequenceTurn(session, parts, told, judge);
      returns.watchFor(turn);
      deadline.watchFor(turn);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void afterReturn() {
    SequenceTurn its = turn;
    if (its != null) {
      its.passOn();
    }
  }

  @Override
  public void onCredit(int moreBytes) throws ProtocolViolationException {
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

  @Override
  public void onClose() {
    lock.lock();
    try {
      closeFromHere(CloseCause.DONE);
      forgetSequence();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void end() {
    lock.lock();
    try {
      closed = true;
      closeParts();
      forgetSequence();
    } finally {
      lock.unlock();
    }
  }

  private void forgetSequence() {
    if (turn != null) {
      turn.forget();
    }
  }

  /**
   * {@link RequestJudge} lets no Call pass any more. A request that has begun and not ended would
   * else keep the session for as long as the agent likes.
   */
  @Override
  public void onLoginExpired() {
    lock.lock();
    try {
      if (gathering.withinRequest()) {
        closeFromHere(
            CloseCause.NOT_PERMITTED,
            "rmigate: "
                + RefusalTexts.LOGIN_EXPIRED
                + (gathering.isPassing() && judge.mayBeExecuted()
                    ? "; part of the call was sent, so that it may have been executed"
                    : "; the call was not executed"));
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void closeFromHere(CloseCause cause, String text) {
    assert lock.isHeldByCurrentThread();
    if (!closed) {
      closed = true;
      session.agent().close(id, cause, text);
      session.agent().flush();
    }
    closeParts();
  }

  @Override
  public void tick(long now) {
    if (lock.tryLock()) { // else something is going on
      try {
        audit.tick(now);
      } finally {
        lock.unlock();
      }
    }
  }

  private void closeParts() {
    audit.over(AuditOutcome.ABANDONED);
    deadline.close();
    window.close();
    gathering.close();
    judge.close();
    returns.close();
    connections.close();
    if (turn != null) {
      turn.close();
    }
  }

  // For the session.

  @Override
  public boolean callInFlight() {
    lock.lock();
    try {
      return !closed
          && (gathering.withinRequest() || returns.busy() || (turn != null && turn.waits()));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Optional<GatewayView.CallView> callView(long now) {
    lock.lock();
    try {
      if (closed || !returns.awaiting()) {
        return Optional.empty();
      }
      CallInFlight call = connections.latestCall();
      CallHeader header = call.header();
      return Optional.of(
          new GatewayView.CallView(
              call.age(now).toMillis(),
              false,
              connections.isConnecting()
                  ? GatewayView.CallState.CONNECTING
                  : GatewayView.CallState.WAITING,
              target,
              "",
              header.object().toString(),
              session.knowledge().interfacesOf(header.object()),
              header.operation(),
              HexFormat.of().toHexDigits(header.hash()),
              session.standing().principal().name(),
              session.standing().id(),
              id));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public GatewayView.StreamView view() {
    lock.lock();
    try {
      return new GatewayView.StreamView(
          id,
          target,
          false,
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
