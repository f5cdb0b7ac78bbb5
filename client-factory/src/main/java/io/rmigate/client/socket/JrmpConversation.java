package io.rmigate.client.socket;

import io.rmigate.client.callback.OutwardMessage;
import io.rmigate.client.deadline.CallClock;
import io.rmigate.client.deadline.CallTimeoutException;
import io.rmigate.client.deadline.Deadlines;
import io.rmigate.client.link.Link;
import io.rmigate.client.link.LinkLostException;
import io.rmigate.client.link.LinkStream;
import io.rmigate.client.mediator.LeaseCall;
import io.rmigate.client.mediator.LookupCall;
import io.rmigate.client.mediator.MediatorAgent;
import io.rmigate.client.mediator.RefusedCall;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.jrmp.message.ExceptionalReturn;
import io.rmigate.protocol.jrmp.message.ReferenceRewriter;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.Refused;
import io.rmigate.protocol.tunnel.Tunnel;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The client's end of one JRMP connection, seen from below the RMI runtime.
 *
 * <pre>
 *   HEADER ── "JRMI" 2 0x4B ──► answered here: ProtocolAck, suggested host
 *   ENDPOINT ── host, port ──► swallowed
 *   MESSAGE ── Ping ──► answered here: PingAck
 *           ── DgcAck ──► a request of 15 bytes, sent when it is complete; no answer
 *           ── Call ──► a request; ends with the first read after it
 *                   ── a lookup, perhaps ──► answered by the mediator
 * </pre>
 *
 * JRMP has no lengths, but it is strictly half duplex: the first {@code read} after a {@code write}
 * ends the request. {@code flush} does not, since object streams flush in the middle of a Call;
 * what a Call has put here by then leaves with that read, or earlier when it fills a frame.
 *
 * <p>A stream is taken when a request begins, not when the socket is made: a connection that idles
 * in the RMI runtime's pool survives a lost link, and a Call of which nothing has left goes over
 * the next one. Once bytes of it were given to a connection it is never sent again.
 *
 * <p>Confined to the one thread that converses at a time, except {@link #close}; {@code lock}
 * guards what the two share.
 */
public final class JrmpConversation {
  private enum Phase {
    HEADER,
    ENDPOINT,
    MESSAGE,
    CALL,
    DGC_ACK
  }

  private static final int HEADER_BYTES = 7;
  private static final int DGC_ACK_BYTES = 15;
  private static final int FIRST_BUFFER_BYTES = 512;

  /**
   * A clean names all references that the JVM has dropped at once, 34 bytes each. This holds more
   * of them than any gateway holds for one session, unless it is told to.
   */
  private static final int MAX_COLLECTOR_CALL_BYTES = 16 * 1024 * 1024;

  /** A link that has no connection takes less than this (PROTOCOL.md, section 6) and then waits. */
  private static final int MAX_UNSENT_BYTES = 2 * Tunnel.MAX_UNCONFIRMED_BYTES;

  private static final byte[] NOTHING = {};

  /** Never written to. */
  private static final ByteArrayOutputStream NOTHING_SENT = new ByteArrayOutputStream(0);

  private final MediatorAgent agent;
  private final String host;
  private final int port;
  private final CallInspection inspection;
  private final CallTiming timing;
  private final Rest rest = new Rest();

  private Phase phase = Phase.HEADER;

  /** What has been written and not yet been sent or understood. */
  private byte[] pending = new byte[FIRST_BUFFER_BYTES];

  private int pendingBytes;

  /**
   * What of the Call was sent in parts before what is pending, in case nothing of it ever leaves;
   * null when it was too much for that.
   */
  private ByteArrayOutputStream sentParts = NOTHING_SENT;

  /** So much of a Call is kept before it is sent in part. */
  private int callLimit = Tunnel.MAX_BODY_BYTES;

  /** Whether earlier bytes of the pending request are on their way already. */
  private boolean requestBegun;

  /** Whether a Call was sent whose Return may still be read. */
  private boolean awaitingReturn;

  /** Whether a stream has been given bytes of the latest Call. */
  private boolean given;

  /** Whether bytes of the latest Call's Return have come. */
  private boolean returning;

  /**
   * The length of the Call's last part, which was sent and is still in {@code pending}, with all
   * parts before it in {@code sentParts}; else 0.
   */
  private int unanswered;

  /** The pending Call, as long as the mediator may answer it; null otherwise. */
  private volatile LookupCall lookup;

  /** The JVM's dirty or clean, as long as the mediator answers it; null otherwise. */
  private volatile LeaseCall leaseCall;

  /** Why the pending Call will not be sent though it is not complete; null for none. */
  private CallTimeoutException overdue;

  /** The pending Call, if references in it may have to name the gateway; null otherwise. */
  private OutwardMessage outward;

  /** Why the gateway cannot be named in the pending Call, which is not sent then; null for none. */
  private IOException unnameable;

  /** The Return of the Call, if references in it may have to become local; null otherwise. */
  private volatile ReferenceRewriter inward;

  /** Of the Return: what has become of bytes that have come and do not fit what was asked for. */
  private byte[] rewritten = NOTHING;

  private int rewrittenRead;

  /** Our own answers: handshake, PingAck, exceptional Returns. Read before the stream. */
  private byte[] answer = new byte[0];

  private int answerOffset;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition closing = lock.newCondition();

  /** Guarded by {@code lock} for writing. */
  private volatile boolean closed;

  private volatile LinkStream stream;

  /**
   * A connection to {@code host:port} to be; nothing is opened yet.
   *
   * @param host as the stub names it
   * @param startNanos when the connection was asked for, on the clock of {@link System#nanoTime}
   */
  public JrmpConversation(
      MediatorAgent agent, Deadlines deadlines, String host, int port, long startNanos) {
    this.agent = agent;
    this.host = host;
    this.port = port;
    this.inspection = new CallInspection(agent, deadlines, host, port);
    this.timing = new CallTiming(deadlines, host, port, startNanos);
  }

  /**
   * Takes bytes of the client. Those of a long request are sent as they come.
   *
   * @throws LostCallException the Call cannot be sent to its end, and part of it has left
   */
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      take(bytes, offset, length);
    } catch (SocketException cut) {
      throw ending(cut);
    }
  }

  private void take(byte[] bytes, int offset, int length) throws IOException {
    throwIfClosed();
    agent.account().plainBytes(length);
    unanswered = 0;
    int position = offset;
    int end = offset + length;
    while (position < end) {
      if (phase == Phase.MESSAGE) {
        beginMessage(bytes[position] & 0xFF);
        if (phase == Phase.MESSAGE) {
          position++; // a ping: nothing of it stays
          continue;
        }
      }
      int chunk = phase == Phase.CALL ? takeForCall(end - position) : takeExactly(end - position);
      System.arraycopy(bytes, position, pending, pendingBytes, chunk);
      pendingBytes += chunk;
      position += chunk;
      if (phase != Phase.CALL) {
        advance();
      }
    }
  }

  /** Room for more of a Call; sends a frame's worth when the buffer is full. */
  private int takeForCall(int wanted) throws IOException {
    if (pendingBytes == callLimit) {
      if (isForLeases() && callLimit < MAX_COLLECTOR_CALL_BYTES) {
        callLimit = MAX_COLLECTOR_CALL_BYTES; // answered whole, or by its server alone
      } else {
        if (!requestBegun && overdue == null) {
          inspection.onBeginning(pending, pendingBytes);
        }
        sendBeginning();
      }
    }
    reserve(Math.min(wanted, callLimit - pendingBytes));
    return Math.min(wanted, Math.min(pending.length, callLimit) - pendingBytes);
  }

  /**
   * A frame's worth of a long Call. When its time is over and nothing of it was sent, what is still
   * written of it is dropped: the caller is told when it wants to read.
   */
  private void sendBeginning() throws IOException {
    if (overdue == null && nameGateway(false)) {
      if (pendingBytes == 0) {
        return;
      }
      try {
        int count = pendingBytes;
        while (!trySending(false, count)) {
          count = takeTogether(count);
        }
        keepSent(count);
        return;
      } catch (CallTimeoutException late) {
        if (late.mayHaveBeenExecuted()) {
          throw late;
        }
        overdue = late;
        requestBegun = false;
      }
    }
    pendingBytes = 0;
  }

  /**
   * References to objects of this JVM in what is pending name the gateway from here on.
   *
   * @param last whether the Call ends with what is pending
   * @return false when it cannot be named: no more of the Call is sent, and what was sent of it is
   *     taken back by the end of its stream, so that no server has all of it
   */
  private boolean nameGateway(boolean last) {
    if (unnameable != null) {
      return false;
    }
    if (outward == null) {
      return true;
    }
    try {
      byte[] named = outward.more(pending, pendingBytes, last);
      if (named != pending) {
        pending = named;
        pendingBytes = named.length;
      }
      if (inward == null && !returning) {
        inward = agent.callbacks().references().inwardReturn();
      }
      return true;
    } catch (IOException noPort) {
      unnameable = noPort;
      if (requestBegun) {
        stream.close();
        requestBegun = false;
        given = false;
      }
      return false;
    }
  }

  /** The small fixed parts are taken byte for byte as far as they are known to reach. */
  private int takeExactly(int wanted) {
    int known =
        switch (phase) {
          case HEADER -> HEADER_BYTES;
          case DGC_ACK -> DGC_ACK_BYTES;
          default -> pendingBytes < 2 ? 2 : endpointBytes();
        };
    int chunk = Math.min(wanted, known - pendingBytes);
    reserve(chunk);
    return chunk;
  }

  private int endpointBytes() {
    return 2 + (((pending[0] & 0xFF) << 8) | (pending[1] & 0xFF)) + 4;
  }

  private void reserve(int more) {
    if (pending.length - pendingBytes < more) {
      int doubled = Math.max(pendingBytes + more, pending.length * 2);
      // Odd host lengths aside, what is buffered is at most a frame's body, or a collector's Call.
      pending = Arrays.copyOf(pending, Math.max(pendingBytes + more, Math.min(doubled, callLimit)));
    }
  }

  /** Called whenever bytes of a fixed part have been added. */
  private void advance() throws IOException {
    switch (phase) {
      case HEADER -> {
        if (pendingBytes == HEADER_BYTES) {
          answerHeader();
        }
      }
      case ENDPOINT -> {
        if (pendingBytes >= 2 && pendingBytes == endpointBytes()) {
          // What the client believes its own address to be: servers ignore it too.
          pendingBytes = 0;
          phase = Phase.MESSAGE;
        }
      }
      case DGC_ACK -> {
        if (pendingBytes == DGC_ACK_BYTES) {
          agent.leases().onAcknowledged(pending, 1);
          if (agent.lookups().acknowledge(pending, 1)
              || agent.leases().acknowledge(host, port, pending, 1)) {
            pendingBytes = 0;
          } else {
            sendPending(true);
          }
          phase = Phase.MESSAGE;
        }
      }
      default -> throw new AssertionError(phase);
    }
  }

  private void answerHeader() throws IOException {
    boolean stream =
        pending[0] == 'J'
            && pending[1] == 'R'
            && pending[2] == 'M'
            && pending[3] == 'I'
            && pending[6] == (byte) Jrmp.STREAM_PROTOCOL;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    if (stream) {
      agent.account().connectionOpened();
      out.writeByte(Jrmp.PROTOCOL_ACK);
      // Adopted by a JVM that does not know its own host (JRMP.md 2.6): what is local stays local,
      // unless inner JVMs are to reach the whole JVM at the gateway.
      Optional<String> suggested = agent.callbacks().references().suggestedHost();
      out.writeUTF(suggested.isPresent() ? suggested.get() : agent.innerHost().orElse(host));
      out.writeInt(0);
      phase = Phase.ENDPOINT;
    } else {
      // SingleOp and Multiplex are not sent by any JVM that can load us.
      out.writeByte(Jrmp.PROTOCOL_NOT_SUPPORTED);
    }
    pendingBytes = 0;
    addAnswer(bytes.toByteArray());
  }

  private void beginMessage(int code) throws IOException {
    switch (code) {
      case Jrmp.PING -> {
        Optional<Link> link = agent.currentLink();
        Optional<Duration> roundTrip = link.isPresent() ? link.get().roundTrip() : Optional.empty();
        agent.account().pingAnswered(rest.isToBePinged(roundTrip, System.nanoTime()));
        addAnswer(new byte[] {Jrmp.PING_ACK});
      }
      case Jrmp.CALL -> {
        agent.account().called();
        rest.end();
        timing.begin();
        overdue = null;
        unnameable = null;
        outward = agent.callbacks().references().outwardCall();
        inward = agent.callbacks().references().inwardReturn();
        rewritten = NOTHING;
        rewrittenRead = 0;
        given = false;
        returning = false;
        sentParts = NOTHING_SENT;
        callLimit = Tunnel.MAX_BODY_BYTES;
        phase = Phase.CALL;
      }
      case Jrmp.DGC_ACK -> {
        timing.begin();
        phase = Phase.DGC_ACK;
      }
      default ->
          throw new ProtocolViolationException(
              "expected a JRMP message, got 0x" + Integer.toHexString(code));
    }
  }

  private void addAnswer(byte[] bytes) {
    int left = answer.length - answerOffset;
    byte[] both = Arrays.copyOfRange(answer, answerOffset, answerOffset + left + bytes.length);
    System.arraycopy(bytes, 0, both, left, bytes.length);
    answer = both;
    answerOffset = 0;
  }

  private void sendPending(boolean last) throws IOException {
    LinkStream current = requestBegun ? stream : beginRequest();
    requestBegun = true;
    int count = pendingBytes;
    pendingBytes = 0;
    int sent = 0;
    do {
      int part = Math.min(count - sent, Tunnel.MAX_BODY_BYTES);
      current.send(last && sent + part == count, pending, sent, part);
      sent += part;
    } while (sent < count);
    if (last) {
      requestBegun = false;
    }
  }

  private LinkStream beginRequest() throws IOException {
    CallClock clock = timing.clock(pending, pendingBytes);
    while (true) {
      LinkStream usable = usableStream(clock);
      boolean call = pending[0] == Jrmp.CALL;
      if (usable.beginRequest(clock, call)) {
        given |= call;
        return usable;
      }
    }
  }

  /**
   * The Call has ended: it is sent, unless the mediator may answer it. When there is no way to send
   * it the caller is told as if the connect had failed.
   */
  private void endCall() throws IOException {
    try {
      if (overdue != null) {
        throw overdue;
      }
      if (beginLeaseCall()) {
        return;
      }
      if (!nameGateway(true)) {
        fail(RefusedCall.withoutLink(unnameable, host));
        return;
      }
      if (!requestBegun) {
        CallClock clock = timing.clock(pending, pendingBytes);
        lookup = inspection.onCall(pending, pendingBytes, clock).orElse(null);
        if (lookup != null && closed) {
          lookup.close();
        }
      }
      if (lookup == null) {
        sendCall();
      }
    } catch (CallTimeoutException late) {
      failInTime(late);
    } catch (IOException failed) {
      throwIfBegun(failed);
      fail(RefusedCall.withoutLink(failed, host));
    }
  }

  /** Who reads again hears of it again, from the stream. */
  private void throwIfBegun(IOException failed) throws IOException {
    if (requestBegun || closed) {
      awaitingReturn = true;
      throw failed;
    }
  }

  /** The time of the Call is over; unless it may have been executed the caller is told so. */
  private void failInTime(CallTimeoutException late) throws CallTimeoutException {
    if (late.mayHaveBeenExecuted() || closed) {
      awaitingReturn = true; // of which the stream says at each reading that it will not come
      throw late;
    }
    awaitingReturn = false;
    requestBegun = false;
    fail(RefusedCall.inTime(late, host));
  }

  /** Whether the Call is a dirty or clean that the mediator answers. */
  private boolean beginLeaseCall() throws IOException {
    if (!isForLeases()) {
      return false;
    }
    CallClock clock = timing.clock(pending, pendingBytes);
    LeaseCall begun = agent.leases().begin(host, port, pending, pendingBytes, clock).orElse(null);
    if (begun == null) {
      return false;
    }
    dropPending();
    leaseCall = begun;
    if (closed) {
      begun.close();
    }
    return true;
  }

  private void dropPending() {
    pendingBytes = 0;
    sentParts = NOTHING_SENT;
    if (pending.length > Tunnel.MAX_BODY_BYTES / 2) {
      pending = new byte[FIRST_BUFFER_BYTES]; // pooled connections are many, large Calls few
    }
  }

  private boolean isForLeases() {
    return !requestBegun
        && agent.leases().areOffered()
        && DgcCall.isForCollector(pending, 0, pendingBytes);
  }

  /** Sends the Call, or its rest; over the next link if one is lost before anything has left. */
  private void sendCall() throws IOException {
    int length = pendingBytes;
    while (!trySending(true, length)) {
      length = takeTogether(length);
    }
    unanswered = sentParts == null ? 0 : length;
    agent.account().roundTrip();
    awaitingReturn = true;
  }

  /** False when the link was lost and nothing has left of a Call that we have so far. */
  private boolean trySending(boolean last, int count) throws IOException {
    pendingBytes = count;
    try {
      sendPending(last);
      return true;
    } catch (LinkLostException lost) {
      if (sentParts != null && !closed && (!requestBegun || stream.isUnsent())) {
        return false;
      }
      throw lost;
    }
  }

  /**
   * Begins the Call anew: all of it so far is pending again.
   *
   * @param count of its bytes that are in {@code pending}, which were sent in vain
   * @return how many there are now
   */
  private int takeTogether(int count) {
    int before = sentParts.size();
    if (before > 0) {
      byte[] all = Arrays.copyOf(sentParts.toByteArray(), before + count);
      System.arraycopy(pending, 0, all, before, count);
      pending = all;
      sentParts = NOTHING_SENT;
    }
    requestBegun = false;
    pendingBytes = before + count;
    return pendingBytes;
  }

  /** A part of the Call was sent, and more comes. */
  private void keepSent(int count) {
    if (sentParts == null) {
      return;
    }
    if (!stream.mayStayUnsent() || sentParts.size() + count > MAX_UNSENT_BYTES) {
      sentParts = null;
    } else {
      sentParts = sentParts == NOTHING_SENT ? new ByteArrayOutputStream(2 * count) : sentParts;
      sentParts.write(pending, 0, count);
    }
  }

  /** The link was lost with a Call under way; whether it is under way again, or answered. */
  private boolean sendAgain() throws IOException {
    if (unanswered == 0 || closed || !stream.isUnsent()) {
      return false;
    }
    pendingBytes = takeTogether(unanswered);
    awaitingReturn = false;
    try {
      sendCall();
    } catch (CallTimeoutException late) {
      failInTime(late);
    } catch (IOException failed) {
      throwIfBegun(failed);
      fail(RefusedCall.withoutLink(failed, host));
    }
    return true;
  }

  /** Nothing of the Call was sent. */
  private void fail(RemoteException failure) {
    dropPending();
    addAnswer(ExceptionalReturn.encode(failure));
  }

  /** Waits for the mediator's answer to the JVM's dirty or clean. */
  private void awaitLeaseCall(int timeoutMillis) throws IOException {
    try {
      byte[] message = leaseCall.await(timing.atMost(timeoutMillis));
      leaseCall = null;
      addAnswer(message);
    } catch (SocketTimeoutException notYet) {
      if (!timing.isOver()) {
        throw notYet;
      }
      leaseCall.close();
      leaseCall = null;
      failInTime(timing.unanswered(agent));
    } catch (IOException failed) {
      leaseCall = null;
      if (closed) {
        throw failed;
      }
      fail(RefusedCall.withoutLink(failed, host));
    }
  }

  /** Waits for what the mediator does about the pending lookup. */
  private void awaitLookup(int timeoutMillis) throws IOException {
    try {
      LookupCall.Outcome outcome = lookup.await(timing.atMost(timeoutMillis));
      lookup = null;
      if (outcome instanceof LookupCall.Answer answered) {
        pendingBytes = 0;
        inspection.onAnswered(answered.message());
        addAnswer(agent.callbacks().references().inward(answered.message()));
      } else if (outcome instanceof LookupCall.Refusal refusal) {
        fail(RefusedCall.asException(refusal.reason(), refusal.text(), host));
      } else if (outcome instanceof LookupCall.NoLink lost) {
        fail(RefusedCall.withoutLink(lost.failure(), host));
      } else if (outcome instanceof LookupCall.ToRegistry) {
        inspection.onLeftToRegistry();
        sendCall();
      } else {
        throw new AssertionError(outcome);
      }
    } catch (CallTimeoutException late) {
      lookup = null;
      failInTime(late);
    } catch (SocketTimeoutException notYet) {
      if (!timing.isOver()) {
        throw notYet;
      }
      lookup.close();
      lookup = null;
      failInTime(timing.unanswered(agent));
    } catch (IOException failed) {
      lookup = null;
      throwIfBegun(failed);
      fail(RefusedCall.withoutLink(failed, host));
    }
  }

  /** The stream of the last request, or another one when that has ended: nothing was sent yet. */
  private LinkStream usableStream(CallClock clock) throws IOException {
    LinkStream current = stream;
    if (current != null && current.isUsable()) {
      return current;
    }
    if (current != null) {
      current.close();
    }
    LinkStream opened = agent.openStream(host, port, clock);
    lock.lock();
    try {
      stream = opened;
    } finally {
      lock.unlock();
    }
    if (closed) {
      opened.close();
      throw new SocketException("Socket closed");
    }
    return opened;
  }

  int read(byte[] buffer, int offset, int length, int timeoutMillis) throws IOException {
    try {
      return converse(buffer, offset, length, timeoutMillis);
    } catch (SocketException cut) {
      throw ending(cut);
    }
  }

  /**
   * What the caller is told of a connection that has ended: the same, unless the latest Call may
   * have reached its server.
   */
  private IOException ending(SocketException cut) {
    LinkStream current = stream;
    if (!given || current.isUnsent()) {
      return cut;
    }
    return current
        .closeReason()
        .map(text -> LostCallException.told(text, returning))
        .orElseGet(() -> new LostCallException(cut.getMessage(), returning));
  }

  private int converse(byte[] buffer, int offset, int length, int timeoutMillis)
      throws IOException {
    throwIfClosed();
    endCallIfBegun();
    if (length == 0) {
      return 0;
    }
    awaitMediator(timeoutMillis);
    if (answerOffset < answer.length) {
      return readAnswer(buffer, offset, length);
    }
    if (!awaitingReturn) {
      return awaitClose(timeoutMillis);
    }
    return readReturn(buffer, offset, length, timeoutMillis);
  }

  /**
   * The request that was written has ended: it is answered here, then {@link #answered} is not 0,
   * or sent, then {@link #readReturn} brings what comes. For who knows the end otherwise than by
   * the first read.
   */
  public void endRequest() throws IOException {
    try {
      throwIfClosed();
      endCallIfBegun();
      awaitMediator(0);
    } catch (SocketException cut) {
      throw ending(cut);
    }
    if (unanswered > 0) { // not to be sent again: another thread may read its Return
      unanswered = 0;
      dropPending();
    }
  }

  /**
   * Sends what has been written of a Call that has begun to be sent, although it has not ended: its
   * server may answer.
   */
  public void sendSoFar() throws IOException {
    if (phase == Phase.CALL
        && requestBegun
        && pendingBytes > 0
        && nameGateway(false)
        && pendingBytes > 0) {
      sendPending(false);
    }
  }

  /**
   * Whether so much of the Call has been sent that the gateway does not wait for its end: what
   * comes goes to the server, and the Return may come before {@link #endRequest}.
   */
  public boolean isPassedOn() {
    return phase == Phase.CALL && requestBegun && stream.isPassedOn();
  }

  private void endCallIfBegun() throws IOException {
    if (phase == Phase.CALL) {
      phase = Phase.MESSAGE;
      awaitingReturn = false;
      endCall();
    }
  }

  private void awaitMediator(int timeoutMillis) throws IOException {
    if (lookup != null) {
      awaitLookup(timeoutMillis);
    }
    if (leaseCall != null) {
      awaitLeaseCall(timeoutMillis);
    }
  }

  /** How many bytes were answered here and have not been read. */
  public int answered() {
    return answer.length - answerOffset;
  }

  /** Whether a Call was sent whose Return may still be read. */
  public boolean awaitsReturn() {
    return awaitingReturn;
  }

  /**
   * Reads of the Return of the Call that was sent, blocking until there is something. By another
   * thread than the one that writes, if need be: nothing that is answered here is touched, unless
   * the Call has been refused. So a Call is not sent again when its link is lost.
   *
   * @param buffer with room for a whole exceptional Return
   * @param writing held by the other thread while it writes, if it still does
   * @return −1 when no more will come
   */
  public int readReturn(byte[] buffer, Lock writing) throws IOException {
    int count;
    CallTimeoutException late = null;
    try {
      count = readStream(buffer, 0, buffer.length, 0);
    } catch (CallTimeoutException over) {
      late = over;
      count = -1;
    } catch (LinkLostException lost) {
      inspection.onCut();
      throw ending(lost);
    } catch (SocketException cut) {
      throw ending(cut);
    }
    if (count < 0) {
      writing.lock();
      try {
        return late == null ? endOfReturn(buffer, 0, buffer.length) : answerOf(late, buffer);
      } finally {
        writing.unlock();
      }
    }
    return count;
  }

  private int answerOf(CallTimeoutException late, byte[] buffer) throws IOException {
    failInTime(late);
    return readAnswer(buffer, 0, buffer.length);
  }

  private int readReturn(byte[] buffer, int offset, int length, int timeoutMillis)
      throws IOException {
    int count;
    try {
      count = readStream(buffer, offset, length, timeoutMillis);
    } catch (CallTimeoutException late) {
      failInTime(late);
      return readAnswer(buffer, offset, length);
    } catch (LinkLostException lost) {
      if (!sendAgain()) {
        inspection.onCut();
        throw lost;
      }
      return converse(buffer, offset, length, timeoutMillis);
    }
    if (count >= 0) {
      return count;
    }
    int answered = endOfReturn(buffer, offset, length);
    if (answered < 0 && !returning) {
      throw new EOFException(
          host
              + ":"
              + port
              + " ended the connection without an answer; the call may have been executed");
    }
    return answered;
  }

  /** No more comes of the Return: its server has gone, or it was refused. */
  private int endOfReturn(byte[] buffer, int offset, int length) {
    Optional<Refused> refusal = stream.refusal();
    if (refusal.isEmpty()) {
      inspection.onServerGone();
      return -1;
    }
    awaitingReturn = false;
    inspection.onRefused(refusal.get().reason());
    fail(asException(refusal.get()));
    return readAnswer(buffer, offset, length);
  }

  private RemoteException asException(Refused refusal) {
    RefusalReason reason = refusal.reason();
    if (timing.isBounded() && reason == RefusalReason.CALL_TIMEOUT) {
      return RefusedCall.inTime(stream.notConnected(), host);
    }
    if (timing.isBounded() && reason == RefusalReason.CALL_LATE) {
      return RefusedCall.inTime(stream.notArrived(), host);
    }
    return RefusedCall.asException(reason, refusal.text(), host);
  }

  private int readStream(byte[] buffer, int offset, int length, int timeoutMillis)
      throws IOException {
    if (rewrittenRead < rewritten.length) {
      return readRewritten(buffer, offset, length);
    }
    while (true) {
      int count = readRaw(buffer, offset, length, timeoutMillis);
      ReferenceRewriter rewriter = inward;
      if (count <= 0 || rewriter == null) {
        return count;
      }
      rewritten = rewriter.more(buffer, offset, count, false);
      rewrittenRead = 0;
      if (rewritten.length > 0) {
        return readRewritten(buffer, offset, length);
      }
    }
  }

  private int readRewritten(byte[] buffer, int offset, int length) {
    int count = Math.min(length, rewritten.length - rewrittenRead);
    System.arraycopy(rewritten, rewrittenRead, buffer, offset, count);
    rewrittenRead += count;
    return count;
  }

  private int readRaw(byte[] buffer, int offset, int length, int timeoutMillis) throws IOException {
    int count;
    try {
      count = stream.read(buffer, offset, length, timeoutMillis);
    } catch (CallTimeoutException late) {
      inspection.onCut();
      throw late;
    } catch (SocketTimeoutException | LinkLostException notTheEnd) {
      throw notTheEnd;
    } catch (IOException ended) {
      inspection.onCut();
      throw ended;
    }
    if (unanswered > 0) {
      unanswered = 0;
      dropPending();
    }
    if (count > 0) {
      returning = true;
      agent.account().plainBytes(count);
      rest.begin(System.nanoTime());
      inspection.onReturn(buffer, offset, count);
    }
    return count;
  }

  /** Reads what was answered here. */
  public int readAnswer(byte[] buffer, int offset, int length) {
    int count = Math.min(length, answer.length - answerOffset);
    System.arraycopy(answer, answerOffset, buffer, offset, count);
    answerOffset += count;
    agent.account().plainBytes(count);
    rest.begin(System.nanoTime());
    return count;
  }

  /** Nothing can come: nobody has asked for anything. As on a real connection, that is a wait. */
  private int awaitClose(int timeoutMillis) throws IOException {
    long left = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    boolean interrupted = false;
    lock.lock();
    try {
      while (!closed) {
        if (timeoutMillis == 0) {
          closing.awaitUninterruptibly();
        } else if (left <= 0) {
          throw new SocketTimeoutException("Read timed out");
        } else {
          try {
            left = closing.awaitNanos(left);
          } catch (InterruptedException ignoredUntilReturn) {
            interrupted = true; // socket reads of platform threads are not interruptible
          }
        }
      }
    } finally {
      lock.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    throw new SocketException("Socket closed");
  }

  int available() throws IOException {
    throwIfClosed();
    int own = answer.length - answerOffset + rewritten.length - rewrittenRead;
    LinkStream current = stream;
    return current == null || !awaitingReturn ? own : own + current.available();
  }

  /**
   * Ends the conversation, from any thread. A Call of which nothing was sent is dropped; one that
   * was sent in part ends the gateway's connection, so that the server sees it cut.
   */
  public void close() {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      closing.signalAll();
    } finally {
      lock.unlock();
    }
    LookupCall waiting = lookup;
    if (waiting != null) {
      waiting.close();
    }
    LeaseCall collecting = leaseCall;
    if (collecting != null) {
      collecting.close();
    }
    LinkStream current = stream;
    if (current != null) {
      current.close();
    }
  }

  /** Whether {@link #close} was called. */
  public boolean isClosed() {
    return closed;
  }

  private void throwIfClosed() throws SocketException {
    if (closed) {
      throw new SocketException("Socket closed");
    }
  }
}
