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
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The agent's side of one stream: requests go out in chunks as credit allows, the bytes of Returns
 * are kept until they are read. Half duplex like JRMP itself: one thread converses; {@link #close}
 * may come from any. On a stream that the gateway has opened it is the other way round: what comes
 * is requests, of which the gateway says where they end, at the latest when the next one begins. A
 * raw stream has neither: one thread sends, another one reads.
 *
 * <p>Lock: {@code lock} guards all mutable fields. Nothing is sent under it; {@link LinkOutbound}
 * takes it under its own to ask whether data may still go.
 */
public final class LinkStream {
  private final Link link;
  private final int id;

  /** How the gateway hears of it; null when the gateway has opened it. */
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

  private boolean openSent;

  /** Of a raw stream: the gateway has connected it. */
  private boolean connected;

  private long request;

  /**
   * Which unit the request begins in ({@link Carrier#wasNeverHandedOver}); 0 while nothing is sent.
   */
  private long requestUnit;

  /** Whether the request has begun and its end has not been sent. */
  private boolean withinRequest;

  /** How much of it was sent. */
  private long requestBytes;

  private int sendCredit;
  private final ReceiveWindow received = new ReceiveWindow();
  private boolean returnEnded;
  private Refused refused;

  /** Whether the rest of the gateway's request is thrown away as it comes. */
  private boolean skipping;

  /** Of the latest request. */
  private CallClock clock = CallClock.UNBOUNDED;

  /** Null when the latest request has no bound. */
  private Handover handover;

  /** Whether the gateway is to be told of the bound before the next data. */
  private boolean deadlineDue;

  /** Whether it has been told of the bound of the latest request. */
  private boolean deadlineTold;

  /** Whether something of the answer to the latest request has come. */
  private boolean answerBegun;

  /** The link's, when the latest request with a bound began. */
  private long roundTripNanos;

  /** How long the gateway needed to connect, if it has said so. */
  private Duration connect = Duration.ZERO;

  private boolean closeSent;

  /** Whether {@link #onCloseQueued} has been called. */
  private boolean closeQueued;

  private boolean closeReceived;
  private CloseCause closeCause;

  /** What the gateway has said with its close; empty: nothing. */
  private String closeText = "";

  private IOException lost;

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
    openSent = true;
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
      return !closeSent && !closeReceived && lost == null && link.isUsable();
    } finally {
      lock.unlock();
    }
  }

  /** As {@link #beginRequest(CallClock, boolean)}, without a bound. */
  public boolean beginRequest() throws IOException {
    return beginRequest(CallClock.UNBOUNDED, true);
  }

  /**
   * Opens a raw stream. Called once, before anybody else knows it.
   *
   * @throws LinkLostException nothing was sent
   */
  void begin() throws IOException {
    lock.lock();
    try {
      openSent = true;
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
        if (refused != null || connected) {
          return Optional.ofNullable(refused);
        }
        throwIfOver();
      } finally {
        lock.unlock();
      }
      link.inbound().await(connecting, 0);
    }
  }

  private boolean connectedOrNot() {
    lock.lock();
    try {
      return connected || refused != null || over();
    } finally {
      lock.unlock();
    }
  }

  /**
   * A new request begins: what concerned the one before is forgotten, its unread bytes too.
   *
   * @param bound for the request and, if it has one, its Return
   * @param answered whether it has one
   * @return false when it has to go elsewhere, since the gateway drains
   * @throws LinkLostException nothing of it was sent
   */
  public boolean beginRequest(CallClock bound, boolean answered) throws IOException {
    if (!link.beginSending()) {
      return false;
    }
    long roundTrip = bound.isBounded() ? link.roundTripNanos() : 0;
    boolean ends = true;
    lock.lock();
    try {
      throwIfOver();
      ends = withinRequest; // the one before, which has been given up
      withinRequest = true;
      requestUnit = 0;
      requestBytes = 0;
      request++;
      returnEnded = false;
      refused = null;
      clock = bound;
      handover = bound.isBounded() ? new Handover() : null;
      deadlineDue = bound.isBounded() && answered && link.takes(Feature.DEADLINES);
      deadlineTold = false;
      answerBegun = false;
      roundTripNanos = roundTrip;
      connect = Duration.ZERO;
      received.clear();
      return true;
    } finally {
      lock.unlock();
      if (ends) {
        link.endSending();
      }
    }
  }

  /** The request has been sent, or never will be. */
  private void endSending() {
    boolean ends;
    lock.lock();
    try {
      ends = withinRequest;
      withinRequest = false;
    } finally {
      lock.unlock();
    }
    if (ends) {
      link.endSending();
    }
  }

  /** Whether certainly nothing of the request has left, nor ever will. */
  public boolean isUnsent() {
    long unit;
    lock.lock();
    try {
      unit = requestUnit;
    } finally {
      lock.unlock();
    }
    return unit == 0 || link.wasNeverHandedOver(unit);
  }

  /** Whether nothing of the request has been handed to a connection so far. */
  public boolean mayStayUnsent() {
    long unit;
    lock.lock();
    try {
      unit = requestUnit;
    } finally {
      lock.unlock();
    }
    return unit == 0 || !link.isHandedOver(unit);
  }

  /**
   * Whether the gateway holds the request back no longer until its end has come (PROTOCOL.md,
   * section 8), or has refused it.
   */
  public boolean isPassedOn() {
    lock.lock();
    try {
      return requestBytes >= link.agentCredit() / 2 || refused != null;
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
        handover == null
            || link.outbound().begunNanos(handover).isPresent() // the rest can go with it
            || (clock.leftNanos() > 0 && link.awaitConnection(clock));
    return inTime && sendData(last, bytes, offset, length);
  }

  /** False when the deadline has passed first. */
  private boolean sendData(boolean last, byte[] bytes, int offset, int length) throws IOException {
    long patience = handover == null ? 0 : link.patienceNanos();
    return link.outbound().sendData(this, last, bytes, offset, length, clock, handover, patience);
  }

  /**
   * How long may still be waited: until the deadline while the request can be taken back, else
   * longer, for the gateway's word; not above 0 when it is over.
   */
  private long leftNanos() {
    boolean begun = link.outbound().begunNanos(handover).isPresent();
    return clock.leftNanos() + (begun ? link.patienceNanos() : 0);
  }

  /**
   * Ends the waiting if it has lasted too long. The stream is closed then, and what has not been
   * handed to the transport will not be.
   */
  private void throwIfOverdue() throws IOException {
    if (leftNanos() > 0) {
      return;
    }
    if (link.outbound().takeBack(this, handover)) {
      afterClose();
      throw clock.notSent();
    }
    if (leftNanos() > 0) {
      return; // it has been handed over just now
    }
    long begun = begunNanos();
    CallTimeoutException late =
        isLinkHeard(begun) ? clock.notAnswered(begun, connect()) : clock.silentLink();
    close();
    throw late;
  }

  /**
   * Whether it is not the link that the call waits for. A gateway that knows of the bound says so
   * when it gives the server up: while its word does not come, whatever else has come may have been
   * on its way before the call.
   */
  private boolean isLinkHeard(long begunNanos) {
    lock.lock();
    try {
      return answerBegun || (!deadlineTold && link.hasHeardSince(begunNanos));
    } finally {
      lock.unlock();
    }
  }

  /** Whether the gateway has closed the stream since the call has lasted too long. */
  private boolean isGivenUp() {
    return closeReceived && closeCause == CloseCause.CALL_TIMEOUT && handover != null;
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
      throw clock.notAnswered(begunNanos(), connect());
    }
  }

  /** When the request was handed to the transport; at the deadline, if it was not. */
  private long begunNanos() {
    return link.outbound().begunNanos(handover).orElse(clock.endNanos());
  }

  private Duration connect() {
    lock.lock();
    try {
      return connect;
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
      if (closeSent) {
        return false;
      }
      closeSent = true;
      openSent &= !withOpen;
      return true;
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
      if (!deadlineDue) {
        return null;
      }
      deadlineDue = false;
      deadlineTold = true;
      // The way there and back is not the gateway's: its word comes when the time is over.
      long left = Math.max(0, clock.leftNanos());
      long there = left - Math.min(roundTripNanos, left / 2);
      return new Deadline(id(), request, Duration.ofNanos(Math.max(1_000_000, there)));
    } finally {
      lock.unlock();
    }
  }

  /**
   * The call for which the gateway has refused to wait any longer; asked after its {@link
   * #refusal}.
   */
  public CallTimeoutException notConnected() {
    return clock.notConnected(begunNanos());
  }

  /**
   * The call for which the gateway has refused to wait any longer, since not all of the call had
   * come by then.
   */
  public CallTimeoutException notArrived() {
    return clock.notSent();
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
      if (closeSent) {
        throw new SocketException("Socket closed");
      }
      requestUnit = requestUnit == 0 ? unit : requestUnit;
      boolean first = !openSent;
      openSent = true;
      return first ? open : null;
    } finally {
      lock.unlock();
    }
  }

  /** Whether our close has not been sent. Called under the outbound lock. */
  boolean isOpenHere() {
    lock.lock();
    try {
      return !closeSent;
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
          throwIfOver();
          if (refused != null) {
            return -1;
          }
          if (sendCredit > 0 || wanted == 0) {
            int taken = Math.min(wanted, sendCredit);
            sendCredit -= taken;
            requestBytes += taken;
            return taken;
          }
        }
      } finally {
        lock.unlock();
      }
      if (handover == null) {
        link.inbound().await(sending, 0);
      } else {
        throwIfOverdue();
        link.inbound().await(sending, Math.max(1, leftNanos()));
      }
    }
  }

  /** The refusal of the current request, if there was one. */
  public Optional<Refused> refusal() {
    lock.lock();
    try {
      return Optional.ofNullable(refused);
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
      return Optional.of(closeText).filter(text -> !text.isEmpty());
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
          if (refused != null) { // be it that we have closed since
            return -1;
          }
          if (closeSent) {
            throw new SocketException("Socket closed");
          }
          if (returnEnded) {
            return -1;
          }
          if (closeReceived) {
            if (closeCause == CloseCause.SERVER_CLOSED || closeCause == CloseCause.DONE) {
              return -1;
            }
            if (!isGivenUp()) {
              throw new SocketException(
                  "the rmigate gateway ended the connection to "
                      + peer
                      + ": "
                      + closeCause.sentence());
            }
          } else if (lost != null) {
            throw LinkLostException.again(lost);
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
      if (credit > 0 && handover == null) {
        link.outbound().sendCredit(this, credit);
      } else if (credit > 0) {
        link.outbound().enqueueCredit(this, credit);
      }
      if (count > 0) {
        return count;
      }
      awaitReadable(timeoutMillis, deadline, behind);
    }
  }

  /** What the gateway may send more, from now on. */
  private int lend() {
    return closeSent || lost != null ? 0 : received.lend();
  }

  /** Waits for what is to be read, by the socket's timeout and by the clock of the request. */
  private void awaitReadable(int timeoutMillis, long deadline, long behind) throws IOException {
    long left = timeoutMillis == 0 ? Long.MAX_VALUE : deadline - System.nanoTime();
    if (left <= 0) {
      throw new SocketTimeoutException("Read timed out");
    }
    if (handover != null) {
      throwIfGivenUp();
      throwIfOverdue();
      left = Math.min(left, Math.max(1, leftNanos()));
    }
    long nanos = left == Long.MAX_VALUE ? 0 : left;
    if (behind > 0) {
      try {
        link.barrier().await(behind, this::isClosedHere, nanos);
      } catch (SocketTimeoutException over) {
        if (handover == null) { // else whose time is over the next look tells
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

  /** Ends our side. Idempotent, does not block, wakes whoever waits here. */
  public void close() {
    lock.lock();
    try {
      if (closeSent) {
        return;
      }
      closeSent = true;
      received.clear();
    } finally {
      lock.unlock();
    }
    endSending();
    afterClose();
  }

  /** Tells the gateway, if it knows the stream, and whoever waits here. */
  private void afterClose() {
    boolean tellGateway;
    lock.lock();
    try {
      tellGateway = openSent && lost == null;
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
    reading.wake();
    sending.wake();
    if (connecting != null) {
      connecting.wake();
    }
  }

  /**
   * Our close stands before all that is sent from now on, or is not needed. Whichever side's close
   * comes second frees the number: nothing that opens another stream under it goes before ours.
   * Called under the outbound lock, if there is a close.
   */
  void onCloseQueued() {
    boolean over;
    lock.lock();
    try {
      closeQueued = true;
      over = !openSent || closeReceived || lost != null;
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
      if (!closeSent && bytes.length > 0) { // else it was on its way when we closed
        received.add(bytes, link.barrier().place());
        answerBegun = true;
      }
      if (!closeSent && endOfRequest) {
        received.addEnd(link.barrier().place());
      }
    } finally {
      lock.unlock();
    }
    reading.wake();
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
      returnEnded |= end.request() == request;
    } finally {
      lock.unlock();
    }
    reading.wake();
  }

  void onRefused(Refused refusal) throws ProtocolViolationException {
    checkOpenedHere();
    lock.lock();
    try {
      checkPeerMaySend();
      if (refusal.request() == request) {
        refused = refusal;
      }
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
      if (told.request() == request) {
        connect = told.time();
      }
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
      closeReceived = true;
      closeCause = close.cause();
      closeText = close.text();
      over = closeQueued;
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
      lost = cause;
    } finally {
      lock.unlock();
    }
    wakeAll();
  }

  private void checkPeerMaySend() throws ProtocolViolationException {
    if (closeReceived) {
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
      return !received.isEmpty() || returnEnded || refused != null || over();
    } finally {
      lock.unlock();
    }
  }

  private boolean sendable() {
    lock.lock();
    try {
      return sendCredit > 0 || refused != null || over();
    } finally {
      lock.unlock();
    }
  }

  private boolean over() {
    return closeSent || closeReceived || lost != null;
  }

  private void throwIfOver() throws IOException {
    if (closeSent) {
      throw new SocketException("Socket closed");
    }
    if (lost != null) {
      throw LinkLostException.again(lost);
    }
    if (closeReceived) {
      throw new SocketException(
          "the rmigate gateway ended the connection to " + peer + ": " + closeCause.sentence());
    }
  }
}
