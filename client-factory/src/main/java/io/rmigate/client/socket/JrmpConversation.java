package io.rmigate.client.socket;

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
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.Refused;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Lock;

/**
 * The client's end of one JRMP connection, seen from below the RMI runtime.
 *
 * <pre>
 *   WrittenPreamble ── "JRMI" 2 0x4B ──► answered here: ProtocolAck, suggested host
 *            ── host, port ──► swallowed
 *   NONE ── Ping ──► answered here: PingAck
 *        ── DgcAck ──► a request of 15 bytes, sent when it is complete; no answer
 *        ── Call ──► WrittenCall: a request; ends with the first read after it
 *                ── a lookup, perhaps ──► answered by the mediator
 * </pre>
 *
 * JRMP has no lengths, but it is strictly half duplex: the first {@code read} after a {@code write}
 * ends the request. {@code flush} does not, since object streams flush in the middle of a Call;
 * what a Call has put here by then leaves with that read, or earlier when it fills a frame.
 *
 * <p>Confined to the one thread that converses at a time, except {@link #close}.
 */
public final class JrmpConversation {
  private static final int DGC_ACK_BYTES = 15;

  private final MediatorAgent agent;
  private final String host;
  private final int port;
  private final CallInspection inspection;
  private final CallTiming timing;
  private final IdlePeriod rest = new IdlePeriod();
  private final RequestBuffer request = new RequestBuffer();
  private final RequestStream stream;
  private final IncomingReturn incoming;

  private WrittenMessage written = new WrittenPreamble();

  /** Whether a Call was sent whose Return may still be read. */
  private boolean awaitingReturn;

  /** Whether the latest Call was answered here, wholly or in the end. */
  private boolean answeredHere;

  /** The pending Call while the mediator may answer it; null otherwise. */
  private volatile MediatedCall mediated;

  /** Our own answers: handshake, PingAck, exceptional Returns. Read before the stream. */
  private final UnreadBytes answer = new UnreadBytes();

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
    this.stream = new RequestStream(agent, host, port, timing, request);
    this.incoming = new IncomingReturn(agent, inspection, request, rest);
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
      throw stream.ending(cut, incoming.hasBegun());
    }
  }

  private void take(byte[] bytes, int offset, int length) throws IOException {
    stream.throwIfClosed();
    agent.account().plainBytes(length);
    request.endUnanswered();
    int position = offset;
    int end = offset + length;
    while (position < end) {
      if (written == WrittenMessage.Fixed.NONE) {
        beginMessage(bytes[position] & 0xFF);
        if (written == WrittenMessage.Fixed.NONE) {
          position++; // a ping: nothing of it stays
          continue;
        }
      }
      if (written instanceof WrittenCall call) {
        int chunk = takeForCall(call, end - position);
        request.append(bytes, position, chunk);
        position += chunk;
      } else {
        int chunk = takeExactly(end - position);
        request.append(bytes, position, chunk);
        position += chunk;
        advance();
      }
    }
  }

  /** Room for more of a Call; sends a frame's worth when the buffer is full. */
  private int takeForCall(WrittenCall call, int wanted) throws IOException {
    if (request.isFull()) {
      // A collector's Call is answered whole, or by its server alone.
      if (!isForLeases() || !request.raiseLimit()) {
        if (!stream.isBegun() && !call.isOverdue()) {
          inspection.onBeginning(request.bytes(), request.length());
        }
        sendBeginning(call);
      }
    }
    return request.reserveForCall(wanted);
  }

  /**
   * A frame's worth of a long Call. When its time is over and nothing of it was sent, what is still
   * written of it is dropped: the caller is told when it wants to read.
   */
  private void sendBeginning(WrittenCall call) throws IOException {
    if (!call.isOverdue() && nameGateway(call, false)) {
      if (request.length() == 0) {
        return;
      }
      try {
        stream.sendPart();
        return;
      } catch (CallTimeoutException late) {
        if (late.mayHaveBeenExecuted()) {
          throw late;
        }
        call.onOverdue(late);
        stream.resetBegun();
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
  private boolean nameGateway(WrittenCall call, boolean last) {
    if (!call.nameGateway(request, last)) {
      stream.takeBack();
      return false;
    }
    if (call.hasReferences()) {
      incoming.expectReferences();
    }
    return true;
  }

  /** The small fixed parts are taken byte for byte as far as they are known to reach. */
  private int takeExactly(int wanted) {
    int known =
        written instanceof WrittenPreamble preamble
            ? preamble.expectedBytes(request)
            : DGC_ACK_BYTES;
    int chunk = Math.min(wanted, known - request.length());
    request.reserve(chunk);
    return chunk;
  }

  /** Called whenever bytes of a fixed part have been added. */
  private void advance() throws IOException {
    if (written instanceof WrittenPreamble preamble) {
      if (request.length() == preamble.expectedBytes(request)) {
        advance(preamble);
      }
    } else if (request.length() == DGC_ACK_BYTES) {
      agent.leases().onAcknowledged(request.bytes(), 1);
      if (agent.lookups().acknowledge(request.bytes(), 1)
          || agent.leases().acknowledge(host, port, request.bytes(), 1)) {
        request.clear();
      } else {
        stream.send(true);
      }
      written = WrittenMessage.Fixed.NONE;
    }
  }

  private void advance(WrittenPreamble preamble) throws IOException {
    if (preamble.isAcknowledged()) {
      written = WrittenMessage.Fixed.NONE;
    } else {
      answer.append(preamble.answer(request, agent, host));
    }
    request.clear();
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
        WrittenCall call = new WrittenCall(agent.callbacks().references().outwardCall());
        incoming.restart();
        stream.beginCall();
        answeredHere = false;
        request.beginCall();
        written = call;
      }
      case Jrmp.DGC_ACK -> {
        timing.begin();
        written = WrittenMessage.Fixed.DGC_ACK;
      }
      default ->
          throw new ProtocolViolationException(
              "expected a JRMP message, got 0x" + Integer.toHexString(code));
    }
  }

  /**
   * The Call has ended: it is sent, unless the mediator may answer it. When there is no way to send
   * it the caller is told as if the connect had failed.
   */
  private void endCall(WrittenCall call) throws IOException {
    try {
      call.throwIfOverdue();
      if (beginLeaseCall()) {
        return;
      }
      if (!nameGateway(call, true)) {
        fail(RefusedCall.withoutLink(call.unnameable(), host));
        return;
      }
      if (!stream.isBegun()) {
        CallClock clock = timing.clock(request.bytes(), request.length());
        mediated = inspection.onCall(request.bytes(), request.length(), clock).orElse(null);
        if (mediated != null && stream.isClosed()) {
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
    if (stream.isBegun() || stream.isClosed()) {
      awaitingReturn = true;
      throw failed;
    }
  }

  /** The time of the Call is over; unless it may have been executed the caller is told so. */
  private void failInTime(CallTimeoutException late) throws CallTimeoutException {
    if (late.mayHaveBeenExecuted() || stream.isClosed()) {
      awaitingReturn = true; // of which the stream says at each reading that it will not come
      throw late;
    }
    awaitingReturn = false;
    stream.resetBegun();
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
    if (stream.isClosed()) {
      begun.close();
    }
    return true;
  }

  private boolean isForLeases() {
    return !stream.isBegun()
        && agent.leases().areOffered()
        && DgcCall.isForCollector(request.bytes(), 0, request.length());
  }

  private void sendCall() throws IOException {
    stream.sendCall();
    agent.account().roundTrip();
    awaitingReturn = true;
  }

  /** The link was lost with a Call under way; whether it is under way again, or answered. */
  private boolean sendAgain() throws IOException {
    if (!stream.restoreUnanswered()) {
      return false;
    }
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

  /** Answers the Call, which the server does not execute, with {@code failure}. */
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
      if (stream.isClosed()) {
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

  int read(byte[] buffer, int offset, int length, int timeoutMillis) throws IOException {
    try {
      return converse(buffer, offset, length, timeoutMillis);
    } catch (SocketException cut) {
      throw stream.ending(cut, incoming.hasBegun());
    }
  }

  private int converse(byte[] buffer, int offset, int length, int timeoutMillis)
      throws IOException {
    stream.throwIfClosed();
    endCallIfBegun();
    if (length == 0) {
      return 0;
    }
    awaitMediator(timeoutMillis);
    if (answer.count() > 0) {
      return readAnswer(buffer, offset, length);
    }
    if (!awaitingReturn) {
      throw stream.awaitClose(timeoutMillis);
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
      stream.throwIfClosed();
      endCallIfBegun();
      awaitMediator(0);
    } catch (SocketException cut) {
      throw stream.ending(cut, incoming.hasBegun());
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
      stream.throwIfClosed();
      endCallIfBegun();
    } catch (SocketException cut) {
      throw stream.ending(cut, incoming.hasBegun());
    }
    if (mediated != null || answer.count() > 0 || !awaitingReturn) {
      task.run(); // the mediator has answered, or answers soon
    } else {
      stream.current().whenReadable(task);
    }
  }

  /** The time that is left for the answer; {@link Long#MAX_VALUE} when there is no bound. */
  long leftNanos() {
    return stream.leftNanos();
  }

  /**
   * Whether nothing of the latest Call has been given to a connection. Asked by any thread; it
   * stays true once the conversation is closed.
   */
  boolean isUnsent() {
    return stream.isUnsent();
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
    stream.join(its);
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
    if (written instanceof WrittenCall call
        && stream.isBegun()
        && request.length() > 0
        && nameGateway(call, false)
        && request.length() > 0) {
      stream.send(false);
    }
  }

  /**
   * Whether the gateway forwards the Call before its end, because of its length. The Return may
   * then come before {@link #endRequest}.
   */
  public boolean isPassedOn() {
    return written instanceof WrittenCall && stream.isBegun() && stream.current().isPassedOn();
  }

  private void endCallIfBegun() throws IOException {
    if (written instanceof WrittenCall call) {
      written = WrittenMessage.Fixed.NONE;
      awaitingReturn = false;
      endCall(call);
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
      count = incoming.read(stream.current(), buffer, 0, buffer.length, 0);
    } catch (CallTimeoutException over) {
      late = over;
      count = -1;
    } catch (LinkLostException lost) {
      inspection.onCut();
      throw stream.ending(lost, incoming.hasBegun());
    } catch (SocketException cut) {
      throw stream.ending(cut, incoming.hasBegun());
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
      count = incoming.read(stream.current(), buffer, offset, length, timeoutMillis);
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
    if (answered < 0 && !incoming.hasBegun()) {
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
    Optional<Refused> refusal = stream.current().refusal();
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
      return RefusedCall.inTime(stream.current().notConnected(), host);
    }
    if (timing.isBounded() && reason == RefusalReason.CALL_LATE) {
      return RefusedCall.inTime(stream.current().notArrived(), host);
    }
    return RefusedCall.asException(reason, refusal.text(), host);
  }

  /** Reads what was answered here. */
  public int readAnswer(byte[] buffer, int offset, int length) {
    answeredHere = true;
    int count = answer.read(buffer, offset, length);
    agent.account().plainBytes(count);
    rest.begin(System.nanoTime());
    return count;
  }

  int available() throws IOException {
    stream.throwIfClosed();
    int own = answer.count() + incoming.available();
    LinkStream current = stream.current();
    return current == null || !awaitingReturn ? own : own + current.available();
  }

  /**
   * Ends the conversation, from any thread. A Call of which nothing was sent is dropped; one that
   * was sent in part ends the gateway's connection, so that the server sees it cut.
   */
  public void close() {
    if (!stream.end()) {
      return;
    }
    MediatedCall waiting = mediated;
    if (waiting != null) {
      waiting.close();
    }
    stream.close();
  }

  /** Whether {@link #close} was called. */
  public boolean isClosed() {
    return stream.isClosed();
  }
}
