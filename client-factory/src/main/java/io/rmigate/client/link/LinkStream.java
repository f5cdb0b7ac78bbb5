package io.rmigate.client.link;

import io.rmigate.client.deadline.CallClock;
import io.rmigate.client.deadline.CallTimeoutException;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Deadline;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.OpenRaw;
import io.rmigate.protocol.tunnel.Refused;
import io.rmigate.protocol.tunnel.ReturnEnd;
import io.rmigate.protocol.tunnel.Tunnel;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The agent's side of one stream. Requests go out in chunks as credit allows; the bytes of Returns
 * wait here until they are read. There are three kinds:
 *
 * <ul>
 *   <li>A stream towards a target is half duplex, as JRMP is: one thread converses.
 *   <li>On a stream that the gateway has opened, the gateway sends the requests, and marks where
 *       each ends, at the latest when the next one begins.
 *   <li>On a raw stream one thread sends and another one reads.
 * </ul>
 *
 * <p>{@link #close} may come from any thread. Lock: {@code lock} guards all mutable fields. Nothing
 * is sent under it; {@link LinkOutbound} takes it under its own to ask whether data may still go.
 */
public final class LinkStream {
  private final Link link;
  private final int id;

  /** The frame that opens the stream; null when the gateway has opened it. */
  private final Frame open;

  /** For messages. */
  private final String peer;

  private final ReentrantLock lock = new ReentrantLock();

  private final Waiter reading =
      new Waiter() {
        @Override
        boolean satisfied() {
          return readable();
        }
      };
  private final Waiter sending =
      new Waiter() {
        @Override
        boolean satisfied() {
          return sendable();
        }
      };

  /** Null unless this is a raw stream. */
  private final Waiter connecting;

  /** Whether the gateway has connected this raw stream. */
  private boolean connected;

  /**
   * Run once when there is something to read; null while no task waits. Written under {@code lock}.
   */
  private volatile Runnable whenReadable;

  /** Null unless the stream takes part in a sequence. Guarded by {@code lock}. */
  private StreamSequence sequence;

  private final StreamEnds ends;
  private final StreamRequest request = new StreamRequest();
  private int sendCredit;
  private final ReceiveWindow received = new ReceiveWindow();

  /** Whether the rest of the gateway's request is discarded as it comes. */
  private boolean skipping;

  /** A stream towards a target. */
  LinkStream(Link link, int id, String host, int port, Duration connect, Duration handshake) {
    this(link, id, new Open(id, host, port, connect, handshake), host + ":" + port);
  }

  /**
   * A stream that the gateway has opened.
   *
   * @param peer for messages
   */
  LinkStream(Link link, int id, String peer) {
    this(link, id, null, peer);
  }

  /** A raw stream towards a target. */
  LinkStream(Link link, OpenRaw open) {
    this(link, open.stream(), open, open.host() + ":" + open.port());
  }

  private LinkStream(Link link, int id, Frame open, String peer) {
    this.link = link;
    this.id = id;
    this.open = open;
    this.peer = peer;
    this.connecting =
        open instanceof OpenRaw
            ? new Waiter() {
              @Override
              boolean satisfied() {
                return connectedOrNot();
              }
            }
            : null;
    this.ends = new StreamEnds(open == null);
    this.sendCredit = link.agentCredit();
  }

  int id() {
    return id;
  }

  /**
   * Whether a new request can still be sent here; false once either side or the link has ended, or
   * new ones are to go elsewhere.
   */
  public boolean isUsable() {
    lock.lock();
    try {
      return ends.isOpen() && link.isUsable();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Has the stream take part in a sequence, before its first request.
   *
   * @throws ConnectException it cannot; nothing was sent
   */
  public void join(StreamSequence its) throws ConnectException {
    if (!link.takes(Feature.SEQUENCES) || !its.takes(link)) {
      throw new ConnectException("the session with the gateway is another one by now");
    }
    lock.lock();
    try {
      sequence = its;
    } finally {
      lock.unlock();
    }
  }

  /** The frame that tells of the sequence, behind the opening; null for none. */
  Frame sequence() {
    lock.lock();
    try {
      return sequence == null ? null : sequence.frame(id);
    } finally {
      lock.unlock();
    }
  }

  /** As {@link #beginRequest(CallClock, boolean)}, without a bound. */
  public boolean beginRequest() throws IOException {
    return beginRequest(CallClock.UNBOUNDED, true);
  }

  /**
   * Opens a raw stream. Called once, before another thread knows the stream.
   *
   * @throws LinkLostException nothing was sent
   */
  void begin() throws IOException {
    lock.lock();
    try {
      ends.toOpened();
    } finally {
      lock.unlock();
    }
    link.outbound().send(open);
  }

  /**
   * Waits until a raw stream is connected to its target.
   *
   * @return why it is not; empty when it is
   * @throws IOException the gateway, or the link, has ended it
   */
  public Optional<Refused> awaitConnected() throws IOException {
    while (true) {
      lock.lock();
      try {
        if (request.refusal() != null || connected) {
          return Optional.ofNullable(request.refusal());
        }
        ends.throwIfOver(peer);
      } finally {
        lock.unlock();
      }
      link.inbound().await(connecting, 0);
    }
  }

  private boolean connectedOrNot() {
    lock.lock();
    try {
      return connected || request.refusal() != null || !ends.isOpen();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Begins the next request, and drops what has not been read of the answer to the one before.
   *
   * @param bound for the request and, if it has one, its Return
   * @param answered whether it has one
   * @return false when the request has to use another link, because the gateway drains
   * @throws LinkLostException nothing of it was sent
   */
  public boolean beginRequest(CallClock bound, boolean answered) throws IOException {
    if (!link.beginSending()) {
      return false;
    }
    boolean isBounded = bound.isBounded();
    long roundTripNanos = isBounded ? link.roundTripNanos() : 0;
    QueuedRequest queued = isBounded ? new QueuedRequest(bound, link) : null;
    boolean tellsDeadline = isBounded && answered && link.takes(Feature.DEADLINES);
    boolean releases = true;
    lock.lock();
    try {
      ends.throwIfOver(peer);
      releases = request.endSending(); // of the request before, which has been given up
      request.begin(bound, queued, tellsDeadline, roundTripNanos);
      received.clear();
      return true;
    } finally {
      lock.unlock();
      if (releases) {
        link.endSending();
      }
    }
  }

  /** The request has been sent, or nothing more of it will be. */
  private void endSending() {
    boolean releases;
    lock.lock();
    try {
      releases = request.endSending();
    } finally {
      lock.unlock();
    }
    if (releases) {
      link.endSending();
    }
  }

  /** Whether certainly nothing of the request has left, and nothing will. */
  public boolean isUnsent() {
    long unit = requestUnit();
    return unit == 0 || link.wasNeverHandedOver(unit);
  }

  /** Whether nothing of the request has been handed to a connection so far. */
  public boolean mayStayUnsent() {
    long unit = requestUnit();
    return unit == 0 || !link.isHandedOver(unit);
  }

  private long requestUnit() {
    lock.lock();
    try {
      return request.unit();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether the gateway holds the request back no longer until its end has come (PROTOCOL.md,
   * section 8), or has refused it.
   */
  public boolean isPassedOn() {
    lock.lock();
    try {
      return request.sentBytes() >= link.agentCredit() / 2 || request.refusal() != null;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Sends a part of the request, at most {@link Tunnel#MAX_BODY_BYTES}, waiting for credit as long
   * as it takes. What belongs to a request that has been refused meanwhile is dropped.
   *
   * @param last the request ends here
   * @throws CallTimeoutException it takes longer than the request may; the stream is closed
   */
  public void send(boolean last, byte[] bytes, int offset, int length) throws IOException {
    boolean more = false;
    try {
      sendPart(last, bytes, offset, length);
      more = !last;
    } finally {
      if (!more) {
        endSending();
      }
    }
  }

  private void sendPart(boolean last, byte[] bytes, int offset, int length) throws IOException {
    int sent = 0;
    do {
      int chunk = takeCredit(length - sent);
      if (chunk < 0) { // refused: only the end still matters to the gateway
        if (last && !sendData(true, bytes, offset, 0)) {
          close(); // else the gateway would take the next request for the rest of this one
        }
        return;
      }
      boolean lastChunk = last && sent + chunk == length;
      while (!sendChunk(lastChunk, bytes, offset + sent, chunk)) {
        throwIfOverdue();
      }
      sent += chunk;
    } while (sent < length);
  }

  /** False when the deadline has passed first. */
  private boolean sendChunk(boolean last, byte[] bytes, int offset, int length) throws IOException {
    boolean inTime =
        !request.isBounded()
            || link.outbound().begunNanos(request.queued()).isPresent() // the rest can go with it
            || (request.clock().leftNanos() > 0 && link.awaitConnection(request.clock()));
    return inTime && sendData(last, bytes, offset, length);
  }

  /** False when the deadline has passed first. */
  private boolean sendData(boolean last, byte[] bytes, int offset, int length) throws IOException {
    return link.outbound().sendData(this, last, bytes, offset, length, request.queued());
  }

  /**
   * Ends the waiting if it has lasted too long. The stream is closed then, and what has not been
   * handed to the transport will not be.
   */
  private void throwIfOverdue() throws IOException {
    QueuedRequest queued = request.queued();
    CallClock clock = request.clock();
    if (link.outbound().leftNanos(queued) > 0) {
      return;
    }
    if (link.outbound().takeBack(this, queued)) {
      afterClose();
      throw clock.notSent();
    }
    if (link.outbound().leftNanos(queued) > 0) {
      return; // it has been handed over just now
    }
    long begun = begunNanos();
    CallTimeoutException late =
        isLinkHeard(begun) ? clock.notAnswered(begun, connect()) : clock.silentLink();
    close();
    throw late;
  }

  /**
   * Whether the call waits for the server and not for the link. A gateway that has been told of the
   * deadline closes the stream when it gives the server up. Until then, frames that have come may
   * have been on their way before the call.
   */
  private boolean isLinkHeard(long begunNanos) {
    lock.lock();
    try {
      return request.isAnswerBegun()
          || (!request.isDeadlineTold() && link.hasHeardSince(begunNanos));
    } finally {
      lock.unlock();
    }
  }

  /** Whether the gateway has closed the stream because the call has lasted too long. */
  private boolean isGivenUp() {
    Optional<Close> close = ends.closeReceived();
    return request.isBounded()
        && close.isPresent()
        && close.get().cause() == CloseCause.CALL_TIMEOUT;
  }

  private void throwIfGivenUp() throws CallTimeoutException {
    boolean givenUp;
    lock.lock();
    try {
      givenUp = isGivenUp();
    } finally {
      lock.unlock();
    }
    if (givenUp) {
      throw request.clock().notAnswered(begunNanos(), connect());
    }
  }

  /** When the request was handed to the transport; at the deadline, if it was not. */
  private long begunNanos() {
    return link.outbound().begunNanos(request.queued()).orElse(request.clock().endNanos());
  }

  private Duration connect() {
    lock.lock();
    try {
      return request.connect();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Closes the stream with a request that the gateway will never see. Called under the outbound
   * lock.
   *
   * @param withOpen nor will it see the frame that opens the stream
   * @return false when the stream has been closed already
   */
  boolean takeBack(boolean withOpen) {
    lock.lock();
    try {
      return ends.toClosing(withOpen);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes the frame that tells of the bound, if that is to come next. Called under the outbound
   * lock.
   */
  Frame deadline() {
    lock.lock();
    try {
      return request.takeDeadline(id);
    } finally {
      lock.unlock();
    }
  }

  /**
   * The call for which the gateway has refused to wait any longer; asked after its {@link
   * #refusal}.
   */
  public CallTimeoutException notConnected() {
    return request.clock().notConnected(begunNanos());
  }

  /**
   * The call for which the gateway has refused to wait any longer, since not all of the call had
   * come by then.
   */
  public CallTimeoutException notArrived() {
    return request.clock().notSent();
  }

  /**
   * Lets data of this stream pass, after the frame that opens it, if that is to come first. Called
   * under the outbound lock, in which this stream's own is taken.
   *
   * @param unit with which the data leaves
   */
  Frame admit(long unit) throws SocketException {
    lock.lock();
    try {
      boolean first = ends.toOpened();
      request.onSent(unit);
      return first ? open : null;
    } finally {
      lock.unlock();
    }
  }

  /** Whether our close has not been sent. Called under the outbound lock. */
  boolean isOpenHere() {
    lock.lock();
    try {
      return !ends.isClosedHere();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for credit; −1 when the request has been refused. */
  private int takeCredit(int wanted) throws IOException {
    while (true) {
      throwIfGivenUp();
      lock.lock();
      try {
        if (!isGivenUp()) { // else the next look tells
          ends.throwIfOver(peer);
          if (request.refusal() != null) {
            return -1;
          }
          if (sendCredit > 0 || wanted == 0) {
            int taken = Math.min(wanted, sendCredit);
            sendCredit -= taken;
            request.addSentBytes(taken);
            return taken;
          }
        }
      } finally {
        lock.unlock();
      }
      if (request.isBounded()) {
        throwIfOverdue();
        link.inbound().await(sending, Math.max(1, link.outbound().leftNanos(request.queued())));
      } else {
        link.inbound().await(sending, 0);
      }
    }
  }

  /** The refusal of the current request, if there was one. */
  public Optional<Refused> refusal() {
    lock.lock();
    try {
      return Optional.ofNullable(request.refusal());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Why the gateway has ended the stream, and whether the request was executed, in its words; empty
   * where it has said neither.
   */
  public Optional<String> closeReason() {
    lock.lock();
    try {
      return ends.closeReceived().map(Close::text).filter(text -> !text.isEmpty());
    } finally {
      lock.unlock();
    }
  }

  /** Bytes of the Return that can be read without blocking. */
  public int available() {
    lock.lock();
    try {
      return skipping ? 0 : received.available(link.barrier()::isOpen);
    } finally {
      lock.unlock();
    }
  }

  /**
   * On a stream that the gateway has opened: throws the rest of its request away, also what has not
   * come yet. What is read from here on is the next one. Does not wait.
   */
  public void skipRequest() {
    lock.lock();
    try {
      skipping = true;
    } finally {
      lock.unlock();
    }
  }

  /** On such a stream: whether all of the request has been read, and its end has come. */
  public boolean isRequestOver() {
    lock.lock();
    try {
      return !skipping && received.isAtEnd();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Reads bytes of the current Return, blocking until there are some; on a stream that the gateway
   * has opened, of its current request.
   *
   * @param timeoutMillis 0 for none
   * @return −1 when no more will come for this request: the server has gone, the request was
   *     refused ({@link #refusal}), we were closed, or the gateway's request {@linkplain
   *     #isRequestOver is over}
   * @throws CallTimeoutException the request has taken longer than it may; the stream is closed
   * @throws SocketTimeoutException the time is over; the stream can be read again
   * @throws LinkLostException the link was lost; the request may have been executed, unless it is
   *     {@link #isUnsent}
   */
  public int read(byte[] buffer, int offset, int length, int timeoutMillis) throws IOException {
    long deadline = System.nanoTime() + timeoutMillis * 1_000_000L;
    while (true) {
      int credit = 0;
      int count;
      long behind = 0;
      lock.lock();
      try {
        if (skipping) {
          skipping = !received.skipRequest();
          credit = lend();
        }
        if (received.isEmpty()) {
          if (isAnswerOver()) {
            return -1;
          }
          count = 0;
        } else if (!link.barrier().isOpen(received.place())) {
          behind = received.place();
          count = 0;
        } else if (received.isAtEnd()) {
          return -1;
        } else {
          count = received.read(buffer, offset, length);
          credit += lend();
        }
      } finally {
        lock.unlock();
      }
      if (credit > 0 && request.isBounded()) {
        link.outbound().enqueueCredit(this, credit);
      } else if (credit > 0) {
        link.outbound().sendCredit(this, credit);
      }
      if (count > 0) {
        return count;
      }
      awaitReadable(timeoutMillis, deadline, behind);
    }
  }

  /**
   * Whether no byte comes any more for the request, all of which have been read.
   *
   * @throws IOException the stream has ended without that; not so when the call was given up, which
   *     {@link #throwIfGivenUp} tells
   */
  private boolean isAnswerOver() throws IOException {
    if (request.refusal() != null) { // even if the stream has been closed since
      return true;
    }
    if (ends.isClosedHere()) {
      throw new SocketException("Socket closed");
    }
    if (request.isReturnEnded()) {
      return true;
    }
    Optional<Close> close = ends.closeReceived();
    if (close.isEmpty()) {
      ends.throwIfLost();
      return false;
    }
    CloseCause cause = close.get().cause();
    if (cause == CloseCause.SERVER_CLOSED || cause == CloseCause.DONE) {
      return true;
    }
    if (!isGivenUp()) {
      throw StreamEnds.endedByGateway(peer, cause);
    }
    return false;
  }

  /** How much more the gateway may send from now on. */
  private int lend() {
    return ends.isClosedHere() || ends.isLost() ? 0 : received.lend();
  }

  /**
   * Has {@code task} run once, as soon as {@link #read} has something to return or to throw: now,
   * by this thread, or later by the one that reads the link, which the task must not keep. No
   * thread waits meanwhile. No other thread reads the stream until the task has run. A request with
   * a deadline may be over without a frame: see {@link #leftNanos}.
   */
  public void whenReadable(Runnable task) {
    link.inbound().beginWatch();
    boolean isNow;
    lock.lock();
    try {
      isNow = isReadable();
      whenReadable = isNow ? null : task;
    } finally {
      lock.unlock();
    }
    if (isNow) {
      link.inbound().endWatch();
      task.run();
    }
  }

  /** How long the request may still wait for its answer; {@link Long#MAX_VALUE} without a bound. */
  public long leftNanos() {
    QueuedRequest queued;
    lock.lock();
    try {
      queued = request.queued();
    } finally {
      lock.unlock();
    }
    return queued == null ? Long.MAX_VALUE : link.outbound().leftNanos(queued);
  }

  private void wakeReader() {
    reading.wake();
    if (whenReadable == null) {
      return;
    }
    Runnable task = null;
    lock.lock();
    try {
      if (whenReadable != null && isReadable()) {
        task = whenReadable;
        whenReadable = null;
      }
    } finally {
      lock.unlock();
    }
    if (task != null) {
      link.inbound().endWatch();
      task.run();
    }
  }

  /** Waits for what is to be read, by the socket's timeout and by the clock of the request. */
  private void awaitReadable(int timeoutMillis, long deadline, long behind) throws IOException {
    long left = timeoutMillis == 0 ? Long.MAX_VALUE : deadline - System.nanoTime();
    if (left <= 0) {
      throw new SocketTimeoutException("Read timed out");
    }
    if (request.isBounded()) {
      throwIfGivenUp();
      throwIfOverdue();
      left = Math.min(left, Math.max(1, link.outbound().leftNanos(request.queued())));
    }
    long nanos = left == Long.MAX_VALUE ? 0 : left;
    if (behind > 0) {
      try {
        link.barrier().await(behind, this::isClosedHere, nanos);
      } catch (SocketTimeoutException over) {
        if (!request.isBounded()) { // otherwise the next round tells which time is over
          throw over;
        }
      }
    } else if (!converses()) {
      link.inbound().follow(reading, nanos);
    } else {
      link.inbound().await(reading, nanos);
    }
  }

  /** Whether what is read here answers what was sent, so that the wait for it is not for ever. */
  private boolean converses() {
    return open instanceof Open;
  }

  private boolean isClosedHere() {
    return !isOpenHere();
  }

  /** Closes the stream and wakes the threads that wait on it. Idempotent, does not block. */
  public void close() {
    lock.lock();
    try {
      if (!ends.toClosing(false)) {
        return;
      }
      received.clear();
    } finally {
      lock.unlock();
    }
    endSending();
    afterClose();
  }

  /** Tells the gateway, if it knows the stream, and wakes the threads that wait on it. */
  private void afterClose() {
    boolean tellGateway;
    lock.lock();
    try {
      tellGateway = ends.owesClose();
    } finally {
      lock.unlock();
    }
    if (tellGateway) {
      link.outbound().sendClose(this, new Close(id(), CloseCause.DONE));
    } else {
      onCloseQueued();
    }
    wakeAll();
    link.barrier().wake();
  }

  private void wakeAll() {
    wakeReader();
    sending.wake();
    if (connecting != null) {
      connecting.wake();
    }
  }

  /**
   * The CLOSE of the agent stands before all that is sent from now on, or is not needed. The second
   * CLOSE of the two frees the number: no OPEN with that number goes before the agent's CLOSE.
   * Called under the outbound lock, if there is a close.
   */
  void onCloseQueued() {
    boolean over;
    lock.lock();
    try {
      over = ends.toCloseQueued();
    } finally {
      lock.unlock();
    }
    if (over) {
      link.forget(this);
    }
  }

  // Called by the thread that reads the link.

  void onData(byte[] bytes, boolean endOfRequest) throws ProtocolViolationException {
    if (endOfRequest && open != null) {
      throw new ProtocolViolationException(
          "expected no DATA_LAST on stream " + id + ", which has no requests of the gateway's");
    }
    lock.lock();
    try {
      checkPeerMaySend();
      received.came(id(), bytes.length);
      connected = true;
      boolean isWanted = !ends.isClosedHere(); // otherwise it was on its way
      if (isWanted && bytes.length > 0) {
        received.add(bytes, link.barrier().place());
        request.onAnswerData();
      }
      if (isWanted && endOfRequest) {
        received.addEnd(link.barrier().place());
      }
    } finally {
      lock.unlock();
    }
    wakeReader();
    if (connecting != null) {
      connecting.wake();
    }
  }

  void onReturnEnd(ReturnEnd end) throws ProtocolViolationException {
    if (!converses()) {
      throw new ProtocolViolationException(
          "expected no RETURN_END on stream " + id + ", which has no requests of ours");
    }
    lock.lock();
    try {
      checkPeerMaySend();
      request.onReturnEnd(end);
    } finally {
      lock.unlock();
    }
    wakeReader();
  }

  void onRefused(Refused refusal) throws ProtocolViolationException {
    checkOpenedHere();
    lock.lock();
    try {
      checkPeerMaySend();
      request.onRefused(refusal);
    } finally {
      lock.unlock();
    }
    wakeAll();
  }

  /** The gateway is about to close, and says how long it needed to connect. */
  void onDeadline(Deadline told) throws ProtocolViolationException {
    checkOpenedHere();
    if (!link.takes(Feature.DEADLINES)) {
      throw new ProtocolViolationException("expected no DEADLINE, which was not agreed on");
    }
    lock.lock();
    try {
      checkPeerMaySend();
      request.onDeadline(told);
    } finally {
      lock.unlock();
    }
  }

  void onCredit(int moreBytes) throws ProtocolViolationException {
    lock.lock();
    try {
      checkPeerMaySend();
      if ((long) sendCredit + moreBytes > Tunnel.MAX_CREDIT_BYTES) {
        throw new ProtocolViolationException("expected less than 2^30 of credit, got more");
      }
      sendCredit += moreBytes;
    } finally {
      lock.unlock();
    }
    sending.wake();
  }

  void onClose(Close close) throws ProtocolViolationException {
    boolean over;
    lock.lock();
    try {
      checkPeerMaySend();
      if (!close.text().isEmpty() && !link.takes(Feature.REASONS)) {
        throw new ProtocolViolationException("expected a CLOSE without a text");
      }
      over = ends.toClosedByGateway(close);
    } finally {
      lock.unlock();
    }
    wakeAll();
    if (over) {
      link.forget(this);
    }
  }

  void onLinkLost(IOException cause) {
    lock.lock();
    try {
      ends.toLost(cause);
    } finally {
      lock.unlock();
    }
    wakeAll();
  }

  private void checkPeerMaySend() throws ProtocolViolationException {
    if (ends.closeReceived().isPresent()) {
      throw new ProtocolViolationException(
          "expected nothing more on stream " + id() + " after its close");
    }
  }

  private void checkOpenedHere() throws ProtocolViolationException {
    if (open == null) {
      throw new ProtocolViolationException(
          "expected only DATA on stream " + id + ", which the gateway has opened");
    }
  }

  private boolean readable() {
    lock.lock();
    try {
      return isReadable();
    } finally {
      lock.unlock();
    }
  }

  private boolean isReadable() {
    return !received.isEmpty()
        || request.isReturnEnded()
        || request.refusal() != null
        || !ends.isOpen();
  }

  private boolean sendable() {
    lock.lock();
    try {
      return sendCredit > 0 || request.refusal() != null || !ends.isOpen();
    } finally {
      lock.unlock();
    }
  }
}
