package io.rmigate.gateway.stream;

import io.rmigate.gateway.audit.AuditEntry;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditField;
import io.rmigate.gateway.audit.AuditOutcome;
import io.rmigate.gateway.gate.RawBeginning;
import io.rmigate.gateway.policy.JudgedMessage;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.quota.WaitingRoom;
import io.rmigate.gateway.relay.ConnectionListener;
import io.rmigate.gateway.relay.ServerConnection;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.gateway.view.GatewayView;
import io.rmigate.protocol.LogText;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Deadline;
import io.rmigate.protocol.tunnel.OpenRaw;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.Refused;
import io.rmigate.protocol.tunnel.Sequence;
import io.rmigate.protocol.tunnel.Tunnel;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gateway's side of a stream whose bytes it does not look into: policy says which targets,
 * {@link RawBeginning} which first bytes are permitted. One connection, made at once; what either
 * side ends, ends, after all that has been sent before.
 *
 * <p>Threads: frames come one at a time from the edge; bytes from the target on the relay loop.
 * {@code lock} guards everything; the connection is called under it, and calls back outside its
 * own.
 */
public final class RawStream implements SessionStream, ConnectionListener {
  private static final Logger LOG = LoggerFactory.getLogger(RawStream.class);
  private static final int MAX_READ_BYTES = 32 * 1024;
  private static final byte[] NOTHING = {};

  private final StreamSession session;
  private final OpenRaw open;
  private final String target;
  private final ReentrantLock lock = new ReentrantLock();
  private final RequestWindow window;

  /** The connection to the server; null until the stream is permitted. */
  private ServerConnection connection;

  private boolean tlsOnly;
  private TargetStats.Row stats;

  /** The agent's first bytes, until they are enough for a verdict; null after that. */
  private byte[] beginning = NOTHING;

  /** Bytes that the connection has taken and the operating system has not. */
  private int unwritten;

  /** For these, until they have left, perhaps after the stream. */
  private final WaitingRoom waiting;

  private int credit;
  private boolean pausedForCredit;

  /** The target has been sent something later than it has answered. */
  private boolean awaiting;

  private long bytesToServer;

  /** The entry of this stream for the audit; null before the first use. */
  private AuditEntry audited;

  private long bytesToClient;
  private boolean closed;

  /** The batch that the latest bytes left with. */
  private long batch = AgentLink.NO_BATCH;

  public RawStream(StreamSession session, OpenRaw open, int agentCredit, int gatewayCredit) {
    this.session = session;
    this.open = open;
    this.target = LogText.of(open.host()) + ":" + open.port();
    this.window = new RequestWindow(session, open.stream(), gatewayCredit);
    this.waiting = new WaitingRoom(session.share().room().heldBytes());
    this.credit = agentCredit;
  }

  /** Asks for permission, and connects. */
  public void begin() {
    Optional<TargetPolicy.RawPermission> permitted =
        session
            .standing()
            .policy()
            .rawPermission(session.standing().principal(), open.host(), open.port());
    lock.lock();
    try {
      if (closed) {
        return;
      }
      if (session.standing().loginExpired()) {
        refuse(
            "login-expired",
            RefusalReason.TARGET_NOT_PERMITTED,
            "rmigate: " + RefusalTexts.LOGIN_EXPIRED);
      } else if (session.audit().refusesWork()) {
        refuse("audit-full", RefusalReason.CONNECT_FAILED, "rmigate: " + RefusalTexts.NO_AUDIT);
      } else if (session.refusals().lockout().isOn()) {
        refuse(
            "locked-out", RefusalReason.TARGET_NOT_PERMITTED, session.refusals().lockout().text());
      } else if (permitted.isEmpty()) {
        Refusal refusal =
            Refusal.of(
                "target " + target, "to allow it add \"allow: ['" + target + "']\" to a raw entry");
        session.refusals().warnRefused(LOG, refusal, target, "raw stream");
        session.refusals().lockout().onRefusedRawTarget(target);
        refuse("raw-target", refusal, RefusalReason.TARGET_NOT_PERMITTED, notPermitted());
      } else {
        tlsOnly = permitted.get().tlsOnly();
        stats = session.targets().stats(target);
        connection =
            session.targets().connect(place(permitted.get()), ServerConnection.Protocol.RAW, this);
        connection.connect();
        stats.connections.incrementAndGet();
      }
    } finally {
      lock.unlock();
    }
  }

  private Target place(TargetPolicy.RawPermission permission) {
    return session
        .targets()
        .rawTarget(open.host(), open.port(), permission.addresses(), open.connectTimeout());
  }

  private String notPermitted() {
    return "rmigate: " + target + " is not permitted by the gateway's policy";
  }

  private void refuse(String word, RefusalReason reason, String text) {
    refuse(word, Refusal.of(text), reason, text);
  }

  private void refuse(String word, Refusal refusal, RefusalReason reason, String text) {
    session.meters().refused(word);
    audited().refused(word, refusal);
    refuse(reason, session.refusals().told(refusal, text));
  }

  private void refuse(RefusalReason reason, String text) {
    session.refusals().count();
    session.agent().add(new Refused(open.stream(), OpenRaw.NO_REQUEST, reason, text));
    closeFromHere(CloseCause.DONE);
  }

  // Frames, from the edge.

  @Override
  public void onData(byte[] bytes, boolean last) throws ProtocolViolationException {
    if (last) {
      throw new ProtocolViolationException("expected no DATA_LAST on a raw stream");
    }
    lock.lock();
    try {
      window.arrived(bytes.length);
      if (closed) {
        return; // it was on its way when we closed
      }
      if (beginning == null) {
        send(bytes);
      } else {
        begins(bytes);
      }
    } finally {
      lock.unlock();
    }
  }

  private void begins(byte[] bytes) {
    byte[] all = Arrays.copyOf(beginning, beginning.length + bytes.length);
    System.arraycopy(bytes, 0, all, beginning.length, bytes.length);
    switch (RawBeginning.judge(all, all.length, tlsOnly)) {
      case ALLOWED -> {
        beginning = null;
        send(all);
      }
      case UNDECIDED -> beginning = all; // fewer than RawBeginning.BYTES
      case REFUSED -> {
        Refusal refusal =
            tlsOnly
                ? Refusal.of(
                    "the client does not begin a TLS handshake",
                    "other protocols need \"first-bytes: any\" in the raw entry")
                : Refusal.of("plain JRMP goes through the gateway's checks or not at all");
        session.refusals().warnRefused(LOG, refusal, target, "raw stream");
        session.meters().refused("raw-beginning");
        audited().refused("raw-beginning", refusal);
        closeFromHere(CloseCause.NOT_PERMITTED, session.refusals().told(refusal, notPermitted()));
      }
    }
  }

  private void send(byte[] bytes) {
    unwritten += bytes.length;
    awaiting = true;
    if (!connection.send(bytes, false)) {
      unwritten -= bytes.length;
      window.consumed(bytes.length); // it has just ended, as we are about to hear
    }
    if (!waiting.holds(unwritten, 0)) {
      Refusal refusal = Refusal.of("its target does not read, and " + JudgedMessage.MORE_ROOM);
      session.refusals().warnRefused(LOG, refusal, target, "raw stream");
      session.meters().refused("no-room");
      audited().refused("no-room", refusal);
      connection.close();
      closeFromHere(
          CloseCause.NO_ROOM, session.refusals().told(refusal, "rmigate: " + RefusalTexts.NO_ROOM));
    }
  }

  @Override
  public void onDeadline(Deadline told) throws ProtocolViolationException {
    throw new ProtocolViolationException("expected no DEADLINE on a raw stream");
  }

  @Override
  public void onSequence(Sequence told) throws ProtocolViolationException {
    throw new ProtocolViolationException("expected no SEQUENCE on a raw stream");
  }

  @Override
  public void onCredit(int moreBytes) throws ProtocolViolationException {
    ServerConnection paused;
    lock.lock();
    try {
      if ((long) credit + moreBytes > Tunnel.MAX_CREDIT_BYTES) {
        throw new ProtocolViolationException("expected less than 2^30 of credit, got more");
      }
      credit += moreBytes;
      paused = pausedForCredit ? connection : null;
      pausedForCredit = false;
    } finally {
      lock.unlock();
    }
    if (paused != null) {
      paused.resume();
    }
  }

  @Override
  public void onClose() {
    lock.lock();
    try {
      closeFromHere(CloseCause.DONE);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void end() {
    lock.lock();
    try {
      over(CloseCause.LINK_LOST);
    } finally {
      lock.unlock();
    }
  }

  /** Closes the connection: a raw stream must not outlive its login. */
  @Override
  public void onLoginExpired() {
    lock.lock();
    try {
      closeFromHere(CloseCause.NOT_PERMITTED);
    } finally {
      lock.unlock();
    }
  }

  private void closeFromHere(CloseCause cause) {
    closeFromHere(cause, "");
  }

  private void closeFromHere(CloseCause cause, String text) {
    if (!closed) {
      session.agent().close(open.stream(), cause, text);
      session.agent().flush();
      over(cause);
    }
  }

  /** The audit entry of this stream, which becomes one line. */
  private AuditEntry audited() {
    if (audited == null) {
      audited =
          session
              .audit()
              .entry(AuditEvent.RAW)
              .outcome(AuditOutcome.ENDED)
              .with(AuditField.VERDICT, AuditEntry.ALLOWED)
              .with(AuditField.STREAM, open.stream())
              .with(AuditField.TARGET, target);
    }
    return audited;
  }

  private void over(CloseCause cause) {
    if (!closed) {
      closed = true;
      session
          .audit()
          .add(
              audited()
                  .with(AuditField.CAUSE, cause.name())
                  .with(AuditField.REQUEST_BYTES, bytesToServer)
                  .with(AuditField.ANSWER_BYTES, bytesToClient));
      beginning = null;
      window.close();
      if (connection != null) {
        stats.connections.decrementAndGet();
        connection.finish(); // what the client has sent before it closed still arrives
        if (connection.state() == ServerConnection.State.CLOSED) {
          nothingWaits();
        }
      }
    }
  }

  private void nothingWaits() {
    unwritten = 0;
    waiting.holds(0, 0);
  }

  // The connection.

  @Override
  public void onConnected() {
    session.agent().flushAfter(lock, this::connected);
  }

  private void connected() {
    if (!closed) {
      session.meters().rawConnected();
      LOG.info("raw stream of principal {} to {}", session.standing().principal(), target);
      session.agent().add(new Data(open.stream(), false, NOTHING));
    }
  }

  @Override
  public int wanted() {
    lock.lock();
    try {
      if (closed) {
        return MAX_READ_BYTES; // to be dropped
      }
      if (credit == 0) {
        pausedForCredit = true;
        return 0;
      }
      return session.agent().hasRoom(batch, connection::resume)
          ? Math.min(credit, MAX_READ_BYTES)
          : 0;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void onBytes(ByteBuffer bytes) {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      int count = bytes.remaining();
      awaiting = false;
      credit -= count;
      bytesToClient += count;
      session.meters().rawBytesFromServer(count);
      batch = session.agent().addData(open.stream(), bytes);
    } finally {
      lock.unlock();
    }
    session.agent().flush();
  }

  @Override
  public void onWritten(int count) {
    session.meters().rawBytesToServer(count);
    lock.lock();
    try {
      bytesToServer += count;
      int counted = Math.min(count, unwritten);
      unwritten -= counted;
      window.consumed(counted);
      waiting.holds(unwritten, 0);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void onRefused(RefusalReason reason, String text) {
    session.agent().flushAfter(lock, () -> refused(reason, text));
  }

  private void refused(RefusalReason reason, String text) {
    if (!closed) {
      stats.failures.increment();
      stats.lastFailure = reason + " " + text;
      audited().with(AuditField.REASON, reason + " " + text);
      session.refusals().info(LOG, "{}: {} {}", target, reason, text);
      if (reason == RefusalReason.TARGET_NOT_PERMITTED) {
        Refusal refusal = Refusal.of(text);
        session.refusals().warnRefused(LOG, refusal, target, "raw stream");
        session.refusals().lockout().onRefusedAddress(target);
        refuse("address", refusal, reason, text);
      } else {
        audited().outcome(AuditOutcome.NOT_CONNECTED);
        session.meters().connectFailed(reason.name());
        refuse(reason, text);
      }
    }
  }

  @Override
  public void onServerClosed() {
    close(CloseCause.SERVER_CLOSED);
  }

  @Override
  public void onBroken() {
    close(CloseCause.INTERNAL_ERROR);
  }

  private void close(CloseCause cause) {
    session
        .agent()
        .flushAfter(
            lock,
            () -> {
              closeFromHere(cause);
              nothingWaits();
            });
  }

  // For the session.

  @Override
  public boolean callInFlight() {
    lock.lock();
    try {
      return awaiting && !closed;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Optional<GatewayView.CallView> callView(long now) {
    return Optional.empty(); // the gateway does not know whether a side waits
  }

  @Override
  public GatewayView.StreamView view() {
    lock.lock();
    try {
      return new GatewayView.StreamView(
          open.stream(),
          target,
          true,
          connection == null ? "CLOSED" : connection.state().name(),
          0,
          bytesToServer,
          bytesToClient);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return "raw stream " + open.stream() + " to " + target;
  }
}
