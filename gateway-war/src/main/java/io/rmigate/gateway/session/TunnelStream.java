package io.rmigate.gateway.session;

import io.rmigate.gateway.mediator.RequestGate;
import io.rmigate.gateway.mediator.Verdict;
import io.rmigate.gateway.relay.AddressRule;
import io.rmigate.gateway.relay.ConnectionListener;
import io.rmigate.gateway.relay.ServerConnection;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.LiveReference;
import io.rmigate.protocol.jrmp.LiveReferenceScan;
import io.rmigate.protocol.jrmp.RegistryOperation;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Credit;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.Refused;
import io.rmigate.protocol.tunnel.ReturnEnd;
import io.rmigate.protocol.tunnel.Tunnel;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gateway's side of one stream: gathers each request until the gate has judged it, hands it to
 * the stream's own connection to the server, and sends back what the server answers.
 *
 * <pre>
 *   BETWEEN ── first bytes ──► HOLDING ── whole, allowed ──► BETWEEN   (sent on the connection)
 *                                 ├── too long, allowed ──► STREAMING  (over a SingleOp connection)
 *                                 └── refused ────────────► DISCARDING ── its end ──► BETWEEN
 * </pre>
 *
 * <p>Threads: frames come one at a time from the edge; bytes from the server on the relay loop.
 * {@code lock} guards all fields; connections are called under it, and call back outside theirs.
 * What goes to the agent is queued under it and flushed outside.
 */
final class TunnelStream {
  private static final Logger LOG = LoggerFactory.getLogger(TunnelStream.class);
  private static final int MAX_READ_BYTES = 32 * 1024;

  /** Replies to lookups are scanned for endpoints up to this length. */
  private static final int MAX_SCANNED_BYTES = 64 * 1024;

  /** Only JRMP knows where a Return ends: for a drain it has ended when so long nothing came. */
  private static final long QUIET_NANOS = 500_000_000;

  private enum Mode {
    BETWEEN,
    HOLDING,
    STREAMING,
    DISCARDING
  }

  private final TunnelSession session;
  private final Open open;
  private final String target;
  private final ReentrantLock lock = new ReentrantLock();
  private final Runnable resume = this::resumeReading;

  private Mode mode = Mode.BETWEEN;
  private long request;
  private ByteArrayOutputStream held;

  /** The stream's own connection; null until the first request. */
  private Side own;

  private boolean handshakeSeen;

  /** The SingleOp connection of the latest Call that needed one, and what waits for a handshake. */
  private Side isolated;

  private final Deque<byte[]> isolatedBacklog = new ArrayDeque<>();

  /** Where the latest Call went, and its number: only from there comes its Return. */
  private Side answering;

  private long answeringRequest;

  /** The latest Call has gone out and not a byte of its Return has come. */
  private boolean awaitingReturn;

  private long lastReturnNanos = System.nanoTime() - QUIET_NANOS;

  private ByteArrayOutputStream lookupReply;
  private AddressRule lookupRule = AddressRule.ROUTABLE;

  private int creditToSend;
  private long creditGranted;
  private int consumedUnreported;
  private boolean pausedForCredit;
  private boolean closeSent;

  private TargetStats.Row stats;
  private TargetPolicy permittedBy;
  private TargetPolicy.Permission permitted;

  private final LongAdder calls = new LongAdder();
  private final LongAdder toServer = new LongAdder();
  private final LongAdder toClient = new LongAdder();

  TunnelStream(TunnelSession session, Open open, int agentCredit, int gatewayCredit) {
    this.session = session;
    this.open = open;
    this.target = open.host().replaceAll("\\p{Cntrl}", "?") + ":" + open.port();
    this.creditToSend = agentCredit;
    this.creditGranted = gatewayCredit;
  }

  int id() {
    return open.stream();
  }

  // Frames, from the edge.

  void onData(byte[] bytes, boolean last) throws ProtocolViolationException {
    lock.lock();
    try {
      creditGranted -= bytes.length;
      if (creditGranted < 0) {
        throw new ProtocolViolationException(
            "expected no more than the credit on stream " + id() + ", got " + -creditGranted);
      }
      if (closeSent) {
        return; // on its way when we closed
      }
      if (mode == Mode.BETWEEN) {
        mode = Mode.HOLDING;
        request++;
      }
      switch (mode) {
        case HOLDING -> hold(bytes, last);
        case STREAMING -> {
          toIsolated(bytes);
          mode = last ? Mode.BETWEEN : mode;
        }
        case DISCARDING -> {
          consumed(bytes.length);
          mode = last ? Mode.BETWEEN : mode;
        }
        default -> throw new AssertionError(mode);
      }
    } finally {
      lock.unlock();
    }
  }

  private void hold(byte[] bytes, boolean last) {
    if (last && held == null) {
      mode = Mode.BETWEEN;
      judge(bytes);
      return;
    }
    if (held == null) {
      held = new ByteArrayOutputStream(Math.max(1024, bytes.length * 2));
    }
    held.write(bytes, 0, bytes.length);
    if (last) {
      byte[] whole = held.toByteArray();
      held = null;
      mode = Mode.BETWEEN;
      judge(whole);
    } else if (held.size() > session.maxHeldCallBytes()) {
      byte[] beginning = held.toByteArray();
      held = null;
      mode = Mode.STREAMING; // unless refused
      beginStreaming(beginning);
    }
  }

  private void judge(byte[] whole) {
    if (session.loginExpired()) {
      refuseExpired(whole.length);
      return;
    }
    Optional<TargetPolicy.Permission> permission = permission();
    if (permission.isEmpty()) {
      refuseTarget(whole.length);
      return;
    }
    if (whole.length == 0) {
      reject("expected a message, got an empty request");
      return;
    }
    apply(RequestGate.judge(whole, permission.get().registry()), whole, permission.get());
  }

  private void beginStreaming(byte[] beginning) {
    if (session.loginExpired()) {
      mode = Mode.DISCARDING;
      refuseExpired(beginning.length);
      return;
    }
    Optional<TargetPolicy.Permission> permission = permission();
    if (permission.isEmpty()) {
      mode = Mode.DISCARDING;
      refuseTarget(beginning.length);
      return;
    }
    Set<RegistryOperation> granted = permission.get().registry();
    apply(
        RequestGate.judgeBeginning(beginning, beginning.length, granted),
        beginning,
        permission.get());
  }

  private void apply(Verdict verdict, byte[] bytes, TargetPolicy.Permission permission) {
    if (verdict instanceof Verdict.Forward forward) {
      if (mayCall()) {
        forward(bytes, forward.registry(), permission);
      }
    } else if (verdict instanceof Verdict.Acknowledge) {
      sendOwn(bytes, permission);
    } else if (verdict instanceof Verdict.Isolate isolate) {
      if (mayCall()) {
        isolate(bytes, isolate.registry(), permission, isolate.reason());
      }
    } else if (verdict instanceof Verdict.Deny deny) {
      LOG.warn(
          "{}: {} of principal {} refused; to allow it add \"registry: [{}]\" to a targets entry",
          target,
          deny.operation(),
          session.principal(),
          deny.operation().name().toLowerCase(java.util.Locale.ROOT));
      session.meters().refused("registry-operation");
      discardRest();
      consumed(bytes.length);
      refuse(
          RefusalReason.OPERATION_NOT_PERMITTED,
          "rmigate: this registry operation is not permitted by the gateway's policy");
    } else if (verdict instanceof Verdict.Reject reject) {
      reject(reject.reason());
    } else {
      throw new AssertionError(verdict);
    }
  }

  private boolean mayCall() {
    if (awaitingReturn) {
      reject("expected no Call while another one has not been answered");
    }
    return !awaitingReturn;
  }

  private void forward(
      byte[] bytes, Optional<RegistryOperation> registry, TargetPolicy.Permission permission) {
    boolean lookup = registry.equals(Optional.of(RegistryOperation.LOOKUP));
    if (lookup && own != null && own.carriedOthers) {
      // What comes first on a connection that others use may be the tail of their Return, and
      // endpoints are learnt only from what a registry says.
      isolate(bytes, registry, permission, "a lookup behind other calls");
      return;
    }
    beginCall(sendOwn(bytes, permission), registry, permission);
    own.carriedOthers |= registry.isEmpty();
  }

  private void isolate(
      byte[] bytes,
      Optional<RegistryOperation> registry,
      TargetPolicy.Permission permission,
      String reason) {
    LOG.debug("{}: call sent SingleOp: {}", this, reason);
    session.meters().isolatedCall();
    closeIsolated();
    isolated = new Side(ServerConnection.Protocol.SINGLE_OP, permission);
    beginCall(isolated, registry, permission);
    toIsolated(bytes);
  }

  /** On the stream's own connection; on another one when it has ended: it has taken no byte. */
  private Side sendOwn(byte[] bytes, TargetPolicy.Permission permission) {
    if (!own(permission).send(bytes, true)) {
      dropOwn();
      own(permission).send(bytes, true);
    }
    return own;
  }

  private void beginCall(
      Side side, Optional<RegistryOperation> operation, TargetPolicy.Permission permission) {
    answering = side;
    answeringRequest = request;
    awaitingReturn = true;
    lookupReply =
        operation.isPresent() && operation.get() == RegistryOperation.LOOKUP
            ? new ByteArrayOutputStream(512)
            : null;
    lookupRule = permission.addresses();
    calls.increment();
    stats().calls.increment();
    session.countCall();
  }

  /** Over the SingleOp connection, which is only opened once the server has proven to be JRMP. */
  private void toIsolated(byte[] bytes) {
    if (isolated == null) {
      consumed(bytes.length); // the server has ended it: what is left of the Call has no reader
    } else if (handshakeSeen) {
      if (!isolated.send(bytes, false)) {
        consumed(bytes.length); // it has just ended; its ending is on the way to us
      }
    } else {
      isolatedBacklog.add(bytes);
      if (!own(permitted).connect()) {
        dropOwn();
        own(permitted).connect();
      }
    }
  }

  private Side own(TargetPolicy.Permission permission) {
    if (own == null) {
      own = new Side(ServerConnection.Protocol.STREAM, permission);
      stats().connections.incrementAndGet();
    }
    return own;
  }

  private void dropOwn() {
    if (own != null) {
      own.close();
      own = null;
      stats().connections.decrementAndGet();
    }
  }

  /** What policy says now; kept until policy changes. */
  private Optional<TargetPolicy.Permission> permission() {
    TargetPolicy policy = session.policy();
    if (permittedBy != policy) {
      permittedBy = null;
      Optional<TargetPolicy.Permission> permission =
          session.permission(policy, open.host(), open.port());
      if (permission.isEmpty()) {
        return permission;
      }
      permittedBy = policy;
      permitted = permission.get();
    }
    return Optional.of(permitted);
  }

  private void refuseTarget(int bytes) {
    LOG.warn(
        "target {} refused to principal {}; to allow it add \"allow: ['{}']\" to a targets entry",
        target,
        session.principal(),
        target);
    session.meters().refused("target");
    consumed(bytes);
    refuse(
        RefusalReason.TARGET_NOT_PERMITTED,
        "rmigate: " + target + " is not permitted by the gateway's policy");
  }

  private void refuseExpired(int bytes) {
    session.meters().refused("login-expired");
    consumed(bytes);
    refuse(RefusalReason.TARGET_NOT_PERMITTED, "rmigate: " + TunnelSession.LOGIN_EXPIRED);
  }

  private void refuse(RefusalReason reason, String text) {
    session.outbound().add(new Refused(id(), request, reason, text));
    session.flush();
  }

  private void discardRest() {
    if (mode == Mode.STREAMING) {
      mode = Mode.DISCARDING;
    }
  }

  /** Nothing of it goes to a server; the agent's side is told why the stream ends. */
  private void reject(String reason) {
    LOG.warn("{} of principal {}: bad request: {}", target, session.principal(), reason);
    session.meters().refused("bad-request");
    closeFromHere(CloseCause.BAD_REQUEST);
  }

  private void closeFromHere(CloseCause cause) {
    if (!closeSent) {
      closeSent = true;
      session.outbound().add(new Close(id(), cause));
      session.flush();
    }
    closeConnections();
  }

  void onCredit(int moreBytes) throws ProtocolViolationException {
    boolean resumes;
    lock.lock();
    try {
      if ((long) creditToSend + moreBytes > Tunnel.MAX_CREDIT_BYTES) {
        throw new ProtocolViolationException("expected less than 2^30 of credit, got more");
      }
      creditToSend += moreBytes;
      resumes = pausedForCredit;
      pausedForCredit = false;
    } finally {
      lock.unlock();
    }
    if (resumes) {
      resumeReading();
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
      closeSent = true;
      closeConnections();
    } finally {
      lock.unlock();
    }
  }

  private void closeConnections() {
    held = null;
    lookupReply = null;
    answering = null;
    closeIsolated();
    dropOwn();
  }

  private void closeIsolated() {
    for (byte[] unsent : isolatedBacklog) {
      consumed(unsent.length);
    }
    isolatedBacklog.clear();
    if (isolated != null) {
      isolated.close();
      isolated = null;
    }
  }

  /** Room in the stream's window is given back in halves of it. */
  private void consumed(int bytes) {
    consumedUnreported += bytes;
    if (consumedUnreported >= session.streamCredit() / 2 && !closeSent) {
      session.outbound().add(new Credit(id(), consumedUnreported));
      creditGranted += consumedUnreported;
      consumedUnreported = 0;
      session.flush();
    }
  }

  private void resumeReading() {
    Side first;
    Side second;
    lock.lock();
    try {
      first = own; // the one that does not answer may have paused before the other call began
      second = isolated;
    } finally {
      lock.unlock();
    }
    if (first != null) {
      first.resume();
    }
    if (second != null) {
      second.resume();
    }
  }

  private TargetStats.Row stats() {
    if (stats == null) {
      stats = session.targetStats(target);
    }
    return stats;
  }

  boolean callInFlight() {
    lock.lock();
    try {
      return awaitingReturn
          || mode != Mode.BETWEEN
          || pausedForCredit
          || System.nanoTime() - lastReturnNanos < QUIET_NANOS;
    } finally {
      lock.unlock();
    }
  }

  GatewayView.StreamView view() {
    lock.lock();
    try {
      String state = own == null ? "IDLE" : own.connection.state().name();
      return new GatewayView.StreamView(
          id(), target, state, calls.sum(), toServer.sum(), toClient.sum());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return "stream " + id() + " to " + target;
  }

  /**
   * One of the stream's two connections and its voice. Bytes and endings count for the latest Call
   * only when they come from where it went; what else comes belongs to a Call that is over.
   */
  private final class Side implements ConnectionListener {
    private final ServerConnection connection;
    private int unwritten;

    /** A Call that is no registry operation has gone this way. */
    private boolean carriedOthers;

    Side(ServerConnection.Protocol protocol, TargetPolicy.Permission permission) {
      connection = session.connect(session.target(open, permission.addresses()), protocol, this);
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

    boolean connect() {
      return connection.connect();
    }

    void resume() {
      connection.resume();
    }

    void close() {
      connection.close();
      forgetUnwritten();
    }

    @Override
    public void onConnected() {
      lock.lock();
      try {
        handshakeSeen = true;
        session.meters().connected(connection.connectNanos());
        while (!isolatedBacklog.isEmpty() && !closeSent) {
          toIsolated(isolatedBacklog.remove());
        }
      } finally {
        lock.unlock();
      }
    }

    @Override
    public int wanted() {
      lock.lock();
      try {
        if (this != answering) {
          return MAX_READ_BYTES; // to be dropped
        }
        if (creditToSend == 0) {
          pausedForCredit = true;
          return 0;
        }
        return session.outbound().hasRoom(resume) ? Math.min(creditToSend, MAX_READ_BYTES) : 0;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void onBytes(ByteBuffer bytes) {
      int count = bytes.remaining();
      lock.lock();
      try {
        if (closeSent || this != answering) {
          return;
        }
        if (count > creditToSend) {
          // wanted() was asked while another side answered: nobody may answer twice.
          closeFromHere(CloseCause.INTERNAL_ERROR);
          return;
        }
        awaitingReturn = false;
        lastReturnNanos = System.nanoTime();
        creditToSend -= count;
        if (lookupReply != null) {
          learnFrom(bytes.duplicate());
        }
        session.outbound().addData(id(), bytes);
      } finally {
        lock.unlock();
      }
      toClient.add(count);
      session.meters().bytesFromServer(count);
      session.flush();
    }

    @Override
    public void onWritten(int count) {
      toServer.add(count);
      session.meters().bytesToServer(count);
      lock.lock();
      try {
        int counted = Math.min(count, unwritten); // what was given up has been counted already
        unwritten -= counted;
        consumed(counted);
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void onRefused(RefusalReason reason, String text) {
      lock.lock();
      try {
        stats().failures.increment();
        stats().lastFailure = reason + " " + text;
        if (reason == RefusalReason.TARGET_NOT_PERMITTED) {
          session.meters().refused("address");
        } else {
          session.meters().connectFailed(reason.name());
        }
        LOG.info("{}: {} {}", target, reason, text);
        boolean awaited = this == own && !isolatedBacklog.isEmpty();
        boolean carriesCall = this == answering || awaited;
        over();
        if (this == isolated || awaited) {
          closeIsolated();
        }
        if (this == own) {
          dropOwn();
        }
        if (carriesCall && awaitingReturn && !closeSent) {
          awaitingReturn = false;
          answering = null;
          session.outbound().add(new Refused(id(), answeringRequest, reason, text));
        }
      } finally {
        lock.unlock();
      }
      session.flush();
    }

    @Override
    public void onServerClosed() {
      lock.lock();
      try {
        over();
        if (this == isolated) {
          isolated = null;
        }
        if (this == own) {
          dropOwn();
        }
        if (this == answering && !closeSent) {
          awaitingReturn = false;
          answering = null;
          session.outbound().add(new ReturnEnd(id(), answeringRequest));
        }
      } finally {
        lock.unlock();
      }
      session.flush();
    }

    /** What has not been written will not be; what is still to come of that request is dropped. */
    private void over() {
      forgetUnwritten();
      if (this == answering && mode == Mode.STREAMING) {
        mode = Mode.DISCARDING;
      }
    }

    private void forgetUnwritten() {
      int lost = unwritten;
      unwritten = 0;
      consumed(lost);
    }

    /** Endpoints in the replies of permitted registries may be reached in this session. */
    private void learnFrom(ByteBuffer bytes) {
      int count = Math.min(bytes.remaining(), MAX_SCANNED_BYTES - lookupReply.size());
      byte[] copy = new byte[count];
      bytes.get(copy);
      lookupReply.write(copy, 0, count);
      byte[] reply = lookupReply.toByteArray();
      LiveReferenceScan.scan(reply, 0, reply.length, this::learn);
    }

    private void learn(LiveReference reference) {
      boolean sameHost = reference.host().equalsIgnoreCase(open.host());
      session.learn(
          reference.host(), reference.port(), sameHost ? lookupRule : AddressRule.ROUTABLE);
    }
  }
}
