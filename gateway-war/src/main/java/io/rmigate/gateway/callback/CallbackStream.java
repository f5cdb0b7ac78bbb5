package io.rmigate.gateway.callback;

import io.rmigate.gateway.audit.AuditOutcome;
import io.rmigate.gateway.relay.listener.InnerConnection;
import io.rmigate.gateway.relay.listener.InnerConnectionListener;
import io.rmigate.protocol.AddressOwner;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.message.ExceptionalReturn;
import io.rmigate.protocol.tunnel.CloseCause;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One connection of an inner JVM, and the stream that it has on the link from its first message for
 * the agent on.
 *
 * <pre>
 *   inner JVM ──► InnerMessageReader ── Calls, acknowledgements ─► AcceptedStream ──► agent
 *       ▲              └── preamble, Pings, collector ──► InnerAnswers ─┐      │
 *       └── InnerOutput ◄───────────────────────────────────────────────┘      │
 *                └◄── Returns ── InnerReturn ◄─────────────────────────────────┘
 * </pre>
 *
 * <p>Threads: bytes of the inner JVM on the relay loop, frames one at a time from the edge, the end
 * of the barrier anywhere. {@code lock} guards all; the connection is written to under it, and
 * calls back outside its own.
 */
final class CallbackStream
    implements InnerConnectionListener, InnerMessageReader.Calls, ConnectionPlaces.Guest {
  private static final int MAX_READ_BYTES = 32 * 1024;

  private static final String CLIENT_GONE =
      "rmigate: the client with this object has ended the connection; the call may have been"
          + " executed";

  /** How long a JVM may rest, as the JDK's servers let it ({@code tcp.readTimeout}). */
  static final Duration LONGEST_REST = Duration.ofHours(2);

  private final SessionCallbacks session;
  private final CallbackLink link;
  private final CallbackListener listener;
  private final InnerConnection connection;
  private final InnerPeer peer;
  private final AddressOwner sharer;

  private final ReentrantLock lock = new ReentrantLock();
  private final InnerMessageReader dialogue;
  private final InnerOutput output;
  private final InnerReturn returning;
  private final AcceptedStream onLink;
  private final AuditedCallback audited;
  private final CallbackRefusals refusals;
  private final JudgedCallback call;
  private final JudgedReturn reply;

  private Phase phase = Phase.OPEN;

  /**
   * Whether bytes of the inner JVM are unread because of the gateway; its time limit does not run
   * meanwhile.
   */
  private boolean clockStands;

  private long restingSinceNanos = System.nanoTime();

  CallbackStream(
      SessionCallbacks session,
      CallbackListener listener,
      InnerConnection connection,
      InnerPeer peer) {
    this.session = session;
    this.link = session.link();
    this.listener = listener;
    this.connection = connection;
    this.peer = peer;
    this.sharer = peer.sharer();
    this.output = new InnerOutput(connection, session.waiting());
    InnerAnswers answers = new InnerAnswers(session, listener, peer, output, this::closeFromHere);
    this.dialogue = new InnerMessageReader(answers, this);
    this.returning = new InnerReturn(session.waiting(), answers::mayKeep);
    this.onLink = new AcceptedStream(link);
    this.audited =
        new AuditedCallback(
            link,
            session.all().innerHost().orElse(""),
            listener.port(),
            peer.address().getAddress().getHostAddress() + ":" + peer.port());
    this.refusals = new CallbackRefusals(session, listener, peer, audited);
    this.call = new JudgedCallback(link, onLink);
    this.reply = new JudgedReturn(link, onLink);
  }

  /** The phases of a connection, in their order. */
  private enum Phase {
    /** Messages of both sides pass. */
    OPEN,
    /** Bytes of the inner JVM are dropped; queued bytes still go to it. */
    ENDING,
    /** The connection is closed. */
    GONE
  }

  /** Whether messages no longer pass. */
  private boolean isOver() {
    return phase != Phase.OPEN;
  }

  void open() throws IOException {
    connection.expectWithin(session.all().handshakeTimeout());
    connection.open(this);
  }

  CallbackListener listener() {
    return listener;
  }

  /** The inner host, as it is told to the agent. */
  String peer() {
    return peer.told().getHostAddress();
  }

  @Override
  public AddressOwner sharer() {
    return sharer;
  }

  // What the inner JVM says, on the loop.

  @Override
  public int wanted() {
    lock.lock();
    try {
      if (isOver()) {
        return MAX_READ_BYTES; // to be dropped
      }
      if (output.holdsReadingUp()) {
        return 0;
      }
      boolean holding = // what is held needs no credit yet
          call.isHeld() && returning.isExpected();
      int most =
          holding
              ? onLink.mayHold(connection::resume, MAX_READ_BYTES)
              : onLink.mayTake(dialogue.heldForAgent() + call.waiting(), connection::resume);
      haveItsClock(most == 0);
      return Math.min(most, MAX_READ_BYTES);
    } finally {
      lock.unlock();
    }
  }

  /** The inner JVM is not to be late for what is not read here. */
  private void haveItsClock(boolean stand) {
    if (stand == clockStands) {
      return;
    }
    clockStands = stand;
    if (stand) {
      connection.expectNothing();
    } else if (dialogue.isWithin()) {
      connection.expectWithin(session.all().handshakeTimeout());
    }
  }

  @Override
  public void onBytes(ByteBuffer bytes) {
    lock.lock();
    try {
      if (isOver()) {
        return;
      }
      boolean wasWithin = dialogue.isWithin();
      dialogue.onBytes(bytes);
      restingSinceNanos = System.nanoTime();
      if (dialogue.isWithin() && !wasWithin) {
        connection.expectWithin(session.all().handshakeTimeout());
      } else if (!dialogue.isWithin()) {
        connection.expectNothing();
      }
      output.sayAnswers();
    } catch (ProtocolViolationException violation) {
      refusals.onViolation(violation);
      closeFromHere(CloseCause.BAD_REQUEST);
    } finally {
      lock.unlock();
    }
    session.waiting().keepWithinBudget();
    link.flush();
  }

  @Override
  public void onCall(byte[] beginning) {
    audited.begin(beginning);
    if (!link.takesCalls()) {
      refusals.onCallOfIdleSession();
      closeFromHere(CloseCause.NOT_PERMITTED);
      return;
    }
    beginMessage();
    if (isOver()) {
      return;
    }
    call.begin(beginning);
    returning.expect();
    reply.expect();
    listener.countCall();
  }

  @Override
  public void onAcknowledgement() {
    audited.over(AuditOutcome.ABANDONED);
    beginMessage();
  }

  private void beginMessage() {
    if (call.waiting() > 0) {
      closeFromHere(CloseCause.BAD_REQUEST); // of a Call that was answered before it had come
    } else {
      onLink.beginMessage();
    }
  }

  @Override
  public void onMessageBytes(ByteBuffer bytes) {
    if (!isOver() && onLink.number() == 0) {
      int number = session.numberFor(this);
      if (number == 0) {
        closeFromHere(CloseCause.TOO_MANY_STREAMS);
      } else {
        onLink.open(number, listener.number(), peer.told(), peer.port());
      }
    }
    if (isOver()) {
      bytes.position(bytes.limit());
      return;
    }
    audited.more(bytes.remaining());
    if (!call.isJudged() || !returning.isExpected()) {
      onLink.send(bytes); // a Call without rules, or an acknowledgement
    } else if (mayPass(refusals.judgeCall(call.message(), call.message().more(bytes)))) {
      call.pass();
    }
  }

  @Override
  public void onLate() {
    lock.lock();
    try {
      refusals.onLate();
      closeFromHere(CloseCause.BAD_REQUEST);
    } finally {
      lock.unlock();
    }
    link.flush();
  }

  @Override
  public void onEnded() {
    endAtOnce(CloseCause.DONE);
  }

  @Override
  public void onBroken() {
    endAtOnce(CloseCause.INTERNAL_ERROR);
  }

  @Override
  public void onWritten(int count) {
    boolean resumes;
    lock.lock();
    try {
      if (phase == Phase.GONE) {
        return;
      }
      resumes = output.onWritten(count);
      restingSinceNanos = System.nanoTime();
      onLink.consumed(count);
    } finally {
      lock.unlock();
    }
    if (resumes) {
      connection.resume();
    }
    link.flush();
  }

  // What the agent says, from the edge.

  void onData(byte[] bytes) throws ProtocolViolationException {
    boolean begins = false;
    lock.lock();
    try {
      onLink.arrived(bytes.length);
      if (isOver()) {
        return; // it was on its way when we closed
      }
      switch (returning.take(bytes)) {
        case NOBODYS -> onLink.consumed(bytes.length);
        case WAIT_FIRST -> begins = true;
        case WAIT -> {}
        case PASS -> pass(bytes);
        default -> throw new AssertionError(returning);
      }
    } finally {
      lock.unlock();
    }
    if (begins) {
      link.behindDirties(this::passReturn);
    }
    session.waiting().keepWithinBudget();
  }

  private void passReturn() {
    lock.lock();
    try {
      Optional<byte[]> waited = returning.onLeasesInPlace();
      if (waited.isPresent()) {
        dialogue.onReturnBegins();
        if (call.waiting() == 0) {
          call.forget();
        }
        reply.begin();
        restingSinceNanos = System.nanoTime();
        pass(waited.get());
        if (isOver()) {
          connection.closeGently();
        }
      }
    } finally {
      lock.unlock();
    }
    leave();
    link.send();
  }

  /** Passes the permitted part of a Return to the inner JVM. */
  private void pass(byte[] bytes) {
    if (!reply.isJudged()) {
      write(bytes);
    } else if (mayPass(
        refusals.judgeReturn(reply.message(), reply.message().more(ByteBuffer.wrap(bytes))))) {
      write(reply.take(bytes.length));
    }
  }

  /** Whether a message passes; a refused one ends the connection. */
  private boolean mayPass(Optional<CallbackRefusals.Refused> refused) {
    refused.ifPresent(
        refusal -> {
          answerInstead(refusal.answer());
          closeFromHere(refusal.cause());
        });
    return refused.isEmpty();
  }

  /**
   * The inner JVM gets an exception in the place of a Return of which nothing has gone to it: an
   * end of the connection alone would not tell it whether the call was executed.
   */
  private void answerInstead(byte[] instead) {
    if (!reply.hasBegun()) {
      output.write(instead);
    }
  }

  private void write(byte[] bytes) {
    reply.onPassed(bytes.length);
    audited.answered(bytes);
    boolean ends = dialogue.isSingleOp() && returning.endsWith(bytes);
    output.write(bytes);
    if (ends) {
      closeFromHere(CloseCause.DONE);
    }
  }

  void onCredit(int moreBytes) throws ProtocolViolationException {
    boolean resumes;
    lock.lock();
    try {
      resumes = onLink.onCredit(moreBytes);
      if (!isOver()) {
        call.pass();
      }
    } finally {
      lock.unlock();
    }
    link.flush();
    if (resumes) {
      connection.resume();
    }
  }

  /** The agent has closed its side; the number is free afterwards. */
  void onClose() {
    lock.lock();
    try {
      onLink.onClosed();
      if (!returning.isBehindDirties()) {
        audited.over(AuditOutcome.SERVER_CLOSED);
        answerForClient();
      }
      closeFromHere(CloseCause.DONE);
      session.freeNumber(onLink.free(), this);
    } finally {
      lock.unlock();
    }
  }

  // Endings.

  /**
   * The stream is over: says so to the agent, and ends the connection behind what goes to the inner
   * JVM. Under the lock.
   */
  private void closeFromHere(CloseCause cause) {
    assert lock.isHeldByCurrentThread();
    if (!isOver()) {
      output.sayAnswers();
    }
    onLink.close(cause);
    if (!isOver()) {
      phase = Phase.ENDING;
      if (!returning.isBehindDirties()) {
        audited.over(AuditOutcome.ABANDONED);
      }
      dialogue.close();
      call.forget();
    }
    if (!returning.isBehindDirties() || !onLink.isClosedByAgent()) {
      returning.giveUp();
      connection.closeGently();
    }
  }

  /** Tells an inner JVM that waits for a Return that none will come. */
  private void answerForClient() {
    if (!isOver() && returning.isExpected()) {
      answerInstead(ExceptionalReturn.ofLostResult(CLIENT_GONE));
    }
  }

  /** The session has ended: nothing more can be sent. */
  void end() {
    lock.lock();
    try {
      onLink.abandon();
      audited.over(AuditOutcome.SERVER_CLOSED);
      answerForClient();
      returning.leaveBarrier();
    } finally {
      lock.unlock();
    }
    endAtOnce(CloseCause.DONE);
  }

  private void endAtOnce(CloseCause cause) {
    lock.lock();
    try {
      returning.giveUp();
      closeFromHere(cause);
      if (phase != Phase.GONE) {
        phase = Phase.GONE;
        audited.over(AuditOutcome.ABANDONED);
        reply.forget();
        returning.forget();
        connection.close();
        output.forget();
      }
    } finally {
      lock.unlock();
    }
    leave();
    link.flush();
  }

  /** Gives the place back, when nothing has this stream any more. */
  private void leave() {
    boolean leaves;
    lock.lock();
    try {
      leaves = phase == Phase.GONE && !returning.inBarrier();
    } finally {
      lock.unlock();
    }
    if (leaves) {
      session.onConnectionOver(this);
    }
  }

  /** Looks at the clock for the audit. */
  void tick(long now) {
    lock.lock();
    try {
      audited.tick(now);
    } finally {
      lock.unlock();
    }
  }

  /** Ends a connection that rests for too long. */
  void endRest(long now) {
    lock.lock();
    try {
      if (quietNanos(now) > LONGEST_REST.toNanos()) {
        closeFromHere(CloseCause.DONE);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long restedNanos(long now) {
    lock.lock();
    try {
      return output.unwritten() == 0 ? quietNanos(now) : -1;
    } finally {
      lock.unlock();
    }
  }

  /** For how long there was nothing to wait for but perhaps that the inner JVM reads; or −1. */
  private long quietNanos(long now) {
    boolean quiet = phase != Phase.GONE && dialogue.isResting() && !returning.isBehindDirties();
    return quiet ? Math.max(0, now - restingSinceNanos) : -1;
  }

  @Override
  public boolean giveWay(long now) {
    lock.lock();
    try {
      if (restedNanos(now) < ConnectionPlaces.RESTED.toNanos()) {
        return false;
      }
      endAtOnce(CloseCause.DONE);
    } finally {
      lock.unlock();
    }
    link.send();
    return true;
  }

  /** Number of bytes that wait for the inner JVM, or for leases of the gateway. */
  int waitingBytes() {
    lock.lock();
    try {
      return phase == Phase.GONE ? 0 : output.unwritten() + returning.heldBytes();
    } finally {
      lock.unlock();
    }
  }

  /** Others need the room of what waits here. */
  void endForWant() {
    refusals.onWaitingBytes(waitingBytes());
    endAtOnce(CloseCause.SLOW_LINK);
    link.send();
  }

  /** Whether an inner JVM waits for the agent's. */
  boolean callInFlight() {
    lock.lock();
    try {
      return !isOver() && returning.isExpected();
    } finally {
      lock.unlock();
    }
  }

  /** The Call whose Return has not begun to pass. */
  Optional<CallbackCall> call(long now) {
    lock.lock();
    try {
      if (!callInFlight()) {
        return Optional.empty();
      }
      return Optional.of(
          new CallbackCall(
              call.ageMillis(now),
              returning.isBehindDirties(),
              session.all().innerHost().orElse(""),
              listener.port(),
              peer() + ":" + peer.port(),
              call.header(),
              onLink.number()));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return listener + " from " + peer;
  }
}
