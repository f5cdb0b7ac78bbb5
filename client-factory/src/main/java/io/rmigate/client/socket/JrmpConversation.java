package io.rmigate.client.socket;

import io.rmigate.client.callback.OutwardMessage;
import io.rmigate.client.deadline.CallClock;
import io.rmigate.client.deadline.CallTimeoutException;
import io.rmigate.client.deadline.Deadlines;
import io.rmigate.client.link.Link;
import io.rmigate.client.link.LinkLostException;
import io.rmigate.client.link.LinkStream;
import io.rmigate.client.link.StreamSequence;
import io.rmigate.client.mediator.LeaseCall;
import io.rmigate.client.mediator.LookupCall;
import io.rmigate.client.mediator.MediatedCall;
import io.rmigate.client.mediator.MediatorAgent;
import io.rmigate.client.mediator.RefusedCall;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.jrmp.message.ExceptionalReturn;
import io.rmigate.protocol.jrmp.message.ReferenceRewriter;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.Refused;
import io.rmigate.protocol.tunnel.Tunnel;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.rmi.RemoteException;
import java.time.Duration;
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

  private final MediatorAgent agent;
  private final String host;
  private final int port;
  private final CallInspection inspection;
  private final CallTiming timing;
  private final IdlePeriod rest = new IdlePeriod();
  private final RequestBuffer request = new RequestBuffer();

  private Phase phase = Phase.HEADER;

  /** Whether earlier bytes of the pending request are on their way already. */
  private boolean requestBegun;

  /** Whether a Call was sent whose Return may still be read. */
  private boolean awaitingReturn;

  /** Whether a stream has been given bytes of the latest Call. Read by other threads, too. */
  private volatile boolean given;

  /** Whether bytes of the latest Call's Return have come. */
  private boolean returning;

  /** Whether the latest Call was answered here, wholly or in the end. */
  private boolean answeredHere;

  /** The pending Call while the mediator may answer it; null otherwise. */
  private volatile MediatedCall mediated;

  /** Why the pending Call will not be sent though it is not complete; null for none. */
  private CallTimeoutException overdue;

  /** The pending Call, if references in it may have to name the gateway; null otherwise. */
  private OutwardMessage outward;

  /** Why the gateway cannot be named in the pending Call, which is not sent then; null for none. */
  private IOException unnameable;

  /** The Return of the Call, if references in it may have to become local; null otherwise. */
  private volatile ReferenceRewriter inward;

  /** The rewritten bytes of the Return that did not fit into the reader's buffer. */
  private final UnreadBytes rewritten = new UnreadBytes();

  /** Our own answers: handshake, PingAck, exceptional Returns. Read before the stream. */
  private final UnreadBytes answer = new UnreadBytes();

  /** Null unless the Calls take part in one. */
  private StreamSequence sequence;

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
   * Takes bytes of the client. A long request is sent as its bytes come.
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
    request.endUnanswered();
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
      request.append(bytes, position, chunk);
      position += chunk;
      if (phase != Phase.CALL) {
        advance();
      }
    }
  }

  /** Room for more of a Call; sends a frame's worth when the buffer is full. */
  private int takeForCall(int wanted) throws IOException {
    if (request.isFull()) {
      // A collector's Call is answered whole, or by its server alone.
      if (!isForLeases() || !request.raiseLimit()) {
        if (!requestBegun && overdue == null) {
          inspection.onBeginning(request.bytes(), request.length());
        }
        sendBeginning();
      }
    }
    return request.reserveForCall(wanted);
  }

  /**
   * A frame's worth of a long Call. When its time is over and nothing of it was sent, what is still
   * written of it is dropped: the caller is told when it wants to read.
   */
  private void sendBeginning() throws IOException {
    if (overdue == null && nameGateway(false)) {
      if (request.length() == 0) {
        return;
      }
      try {
        int count = request.length();
        while (!trySending(false, count)) {
          count = sendAnew(count);
        }
        request.keepSent(count, request.isComplete() && stream.mayStayUnsent());
        return;
      } catch (CallTimeoutException late) {
        if (late.mayHaveBeenExecuted()) {
          throw late;
        }
        overdue = late;
        requestBegun = false;
      }
    }
    request.clear();
  }

  /**
   * Rewrites references to objects of this JVM in the unsent bytes, so that they name the gateway.
   *
   * @param last whether the Call ends with the unsent bytes
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
      byte[] named = outward.more(request.bytes(), request.length(), last);
      if (named != request.bytes()) {
        request.replace(named);
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
          default -> request.length() < 2 ? 2 : endpointBytes();
        };
    int chunk = Math.min(wanted, known - request.length());
    request.reserve(chunk);
    return chunk;
  }

  private int endpointBytes() {
    return 2 + (((request.bytes()[0] & 0xFF) << 8) | (request.bytes()[1] & 0xFF)) + 4;
  }

  /** Called whenever bytes of a fixed part have been added. */
  private void advance() throws IOException {
    switch (phase) {
      case HEADER -> {
        if (request.length() == HEADER_BYTES) {
          answerHeader();
        }
      }
      case ENDPOINT -> {
        if (request.length() >= 2 && request.length() == endpointBytes()) {
          // What the client believes its own address to be: servers ignore it too.
          request.clear();
          phase = Phase.MESSAGE;
        }
      }
      case DGC_ACK -> {
        if (request.length() == DGC_ACK_BYTES) {
          agent.leases().onAcknowledged(request.bytes(), 1);
          if (agent.lookups().acknowledge(request.bytes(), 1)
              || agent.leases().acknowledge(host, port, request.bytes(), 1)) {
            request.clear();
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
        request.bytes()[0] == 'J'
            && request.bytes()[1] == 'R'
            && request.bytes()[2] == 'M'
            && request.bytes()[3] == 'I'
            && request.bytes()[6] == (byte) Jrmp.STREAM_PROTOCOL;
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
    request.clear();
    answer.append(bytes.toByteArray());
  }

  private void beginMessage(int code) throws IOException {
    switch (code) {
      case Jrmp.PING -> {
        Optional<Link> link = agent.currentLink();
        Optional<Duration> roundTrip = link.isPresent() ? link.get().roundTrip() : Optional.empty();
        agent.account().pingAnswered(rest.isToBePinged(roundTrip, System.nanoTime()));
        answer.append(new byte[] {Jrmp.PING_ACK});
      }
      case Jrmp.CALL -> {
        agent.account().called();
        rest.end();
        timing.begin();
        overdue = null;
        unnameable = null;
        outward = agent.callbacks().references().outwardCall();
        inward = agent.callbacks().references().inwardReturn();
        rewritten.clear();
        given = false;
        returning = false;
        answeredHere = false;
        request.beginCall();
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

  private void sendPending(boolean last) throws IOException {
    LinkStream current = requestBegun ? stream : beginRequest();
    requestBegun = true;
    int count = request.length();
    request.clear();
    int sent = 0;
    do {
      int part = Math.min(count - sent, Tunnel.MAX_BODY_BYTES);
      current.send(last && sent + part == count, request.bytes(), sent, part);
      sent += part;
    } while (sent < count);
    if (last) {
      requestBegun = false;
    }
  }

  private LinkStream beginRequest() throws IOException {
    CallClock clock = timing.clock(request.bytes(), request.length());
    while (true) {
      LinkStream usable = usableStream(clock);
      boolean call = request.bytes()[0] == Jrmp.CALL;
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
        CallClock clock = timing.clock(request.bytes(), request.length());
        mediated = inspection.onCall(request.bytes(), request.length(), clock).orElse(null);
        if (mediated != null && closed) {
          mediated.close();
        }
      }
      if (mediated == null) {
        sendCall();
      }
    } catch (CallTimeoutException late) {
      failInTime(late);
    } catch (IOException failed) {
      throwIfBegun(failed);
      fail(RefusedCall.withoutLink(failed, host));
    }
  }

  /** Throws if part of the Call was sent; each further read gets the failure from the stream. */
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
    CallClock clock = timing.clock(request.bytes(), request.length());
    LeaseCall begun =
        agent.leases().begin(host, port, request.bytes(), request.length(), clock).orElse(null);
    if (begun == null) {
      return false;
    }
    request.drop();
    mediated = begun;
    if (closed) {
      begun.close();
    }
    return true;
  }

  private boolean isForLeases() {
    return !requestBegun
        && agent.leases().areOffered()
        && DgcCall.isForCollector(request.bytes(), 0, request.length());
  }

  /** Sends the Call, or its rest; over the next link if one is lost before anything has left. */
  private void sendCall() throws IOException {
    int length = request.length();
    while (!trySending(true, length)) {
      length = sendAnew(length);
    }
    request.keepLast(length);
    agent.account().roundTrip();
    awaitingReturn = true;
  }

  /** False when the link was lost and nothing has left of a Call that we have so far. */
  private boolean trySending(boolean last, int count) throws IOException {
    request.restore(count);
    try {
      sendPending(last);
      return true;
    } catch (LinkLostException lost) {
      if (request.isComplete() && !closed && (!requestBegun || stream.isUnsent())) {
        return false;
      }
      throw lost;
    }
  }

  /**
   * Begins the Call anew after {@code count} bytes were sent in vain; returns its length so far.
   */
  private int sendAnew(int count) {
    requestBegun = false;
    return request.rejoin(count);
  }

  /** The link was lost with a Call under way; whether it is under way again, or answered. */
  private boolean sendAgain() throws IOException {
    if (request.unanswered() == 0 || closed || !stream.isUnsent()) {
      return false;
    }
    sendAnew(request.unanswered());
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
    request.drop();
    answer.append(ExceptionalReturn.encode(failure));
  }

  /** Waits for the mediator's answer to the JVM's dirty or clean. */
  private void awaitLeaseCall(LeaseCall leaseCall, int timeoutMillis) throws IOException {
    try {
      byte[] message = leaseCall.await(timing.atMost(timeoutMillis));
      mediated = null;
      answer.append(message);
    } catch (SocketTimeoutException notYet) {
      if (!timing.isOver()) {
        throw notYet;
      }
      leaseCall.close();
      mediated = null;
      failInTime(timing.unanswered(agent));
    } catch (IOException failed) {
      mediated = null;
      if (closed) {
        throw failed;
      }
      fail(RefusedCall.withoutLink(failed, host));
    }
  }

  /** Waits for what the mediator does about the pending lookup. */
  private void awaitLookup(LookupCall lookup, int timeoutMillis) throws IOException {
    try {
      LookupCall.Outcome outcome = lookup.await(timing.atMost(timeoutMillis));
      mediated = null;
      if (outcome instanceof LookupCall.Answer answered) {
        request.clear();
        inspection.onAnswered(answered.message());
        answer.append(agent.callbacks().references().inward(answered.message()));
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
      mediated = null;
      failInTime(late);
    } catch (SocketTimeoutException notYet) {
      if (!timing.isOver()) {
        throw notYet;
      }
      lookup.close();
      mediated = null;
      failInTime(timing.unanswered(agent));
    } catch (IOException failed) {
      mediated = null;
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
      if (sequence != null) {
        throw new ConnectException("the stream of the sequence has ended");
      }
    }
    LinkStream opened = agent.openStream(host, port, clock);
    if (sequence != null) {
      join(opened);
    }
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

  private void join(LinkStream opened) throws ConnectException {
    try {
      opened.join(sequence);
    } catch (ConnectException other) {
      opened.close();
      throw other;
    }
  }

  int read(byte[] buffer, int offset, int length, int timeoutMillis) throws IOException {
    try {
      return converse(buffer, offset, length, timeoutMillis);
    } catch (SocketException cut) {
      throw ending(cut);
    }
  }

  /**
   * The exception for a connection that has ended: {@code cut}, unless the latest Call may have
   * reached its server.
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
    if (answer.count() > 0) {
      return readAnswer(buffer, offset, length);
    }
    if (!awaitingReturn) {
      return awaitClose(timeoutMillis);
    }
    return readReturn(buffer, offset, length, timeoutMillis);
  }

  /**
   * The request that was written has ended: it is answered here, then {@link #answered} is not 0,
   * or sent, then {@link #readReturn} brings what comes. For a caller that knows the end before the
   * first read.
   */
  public void endRequest() throws IOException {
    try {
      throwIfClosed();
      endCallIfBegun();
      awaitMediator(0);
    } catch (SocketException cut) {
      throw ending(cut);
    }
    request.dropUnanswered(); // another thread may read its Return
  }

  /**
   * The request that was written has ended. Has {@code task} run once, as soon as a read brings
   * something without a wait for the server: now, by this thread, or later by the one that reads
   * the link. The task must not keep that thread, and nothing is read or written before it runs.
   *
   * @throws IOException as {@link #write}
   */
  void whenAnswered(Runnable task) throws IOException {
    try {
      throwIfClosed();
      endCallIfBegun();
    } catch (SocketException cut) {
      throw ending(cut);
    }
    if (mediated != null || answer.count() > 0 || !awaitingReturn) {
      task.run(); // the mediator has answered, or answers soon
    } else {
      stream.whenReadable(task);
    }
  }

  /** The time that is left for the answer; {@link Long#MAX_VALUE} when there is no bound. */
  long leftNanos() {
    LinkStream current = stream;
    return current == null || !given ? Long.MAX_VALUE : current.leftNanos();
  }

  /**
   * Whether nothing of the latest Call has been given to a connection. Asked by any thread; it
   * stays true once the conversation is closed.
   */
  boolean isUnsent() {
    LinkStream current = stream;
    return !given || current == null || current.isUnsent();
  }

  /**
   * Has all Calls take part in a sequence from here on. They go over one stream, and over no other
   * when that has ended.
   *
   * @return false when the gateway in use knows no sequences
   */
  boolean join(StreamSequence its) {
    Optional<Link> link = agent.currentLink();
    if (link.isEmpty() || !link.get().takes(Feature.SEQUENCES)) {
      return false;
    }
    sequence = its;
    return true;
  }

  /** Whether what was read last is the mediator's own answer. */
  boolean isAnsweredHere() {
    return answeredHere;
  }

  /**
   * Sends what has been written of a Call that has begun to be sent, although it has not ended: its
   * server may answer.
   */
  public void sendSoFar() throws IOException {
    if (phase == Phase.CALL
        && requestBegun
        && request.length() > 0
        && nameGateway(false)
        && request.length() > 0) {
      sendPending(false);
    }
  }

  /**
   * Whether the gateway forwards the Call before its end, because of its length. The Return may
   * then come before {@link #endRequest}.
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
    MediatedCall waiting = mediated;
    if (waiting instanceof LookupCall lookup) {
      awaitLookup(lookup, timeoutMillis);
    } else if (waiting instanceof LeaseCall leaseCall) {
      awaitLeaseCall(leaseCall, timeoutMillis);
    }
  }

  /** How many bytes were answered here and have not been read. */
  public int answered() {
    return answer.count();
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
    if (rewritten.count() > 0) {
      return rewritten.read(buffer, offset, length);
    }
    while (true) {
      int count = readRaw(buffer, offset, length, timeoutMillis);
      ReferenceRewriter rewriter = inward;
      if (count <= 0 || rewriter == null) {
        return count;
      }
      rewritten.set(rewriter.more(buffer, offset, count, false));
      if (rewritten.count() > 0) {
        return rewritten.read(buffer, offset, length);
      }
    }
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
    request.dropUnanswered();
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
    answeredHere = true;
    int count = answer.read(buffer, offset, length);
    agent.account().plainBytes(count);
    rest.begin(System.nanoTime());
    return count;
  }

  /** Waits for {@link #close}: no answer is due. A real connection blocks here, too. */
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
    int own = answer.count() + rewritten.count();
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
    MediatedCall waiting = mediated;
    if (waiting != null) {
      waiting.close();
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
