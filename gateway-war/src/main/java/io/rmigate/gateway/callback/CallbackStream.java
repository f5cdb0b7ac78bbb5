package io.rmigate.gateway.callback;

import io.rmigate.gateway.audit.AuditOutcome;
import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.JudgedMessage;
import io.rmigate.gateway.policy.Needs;
import io.rmigate.gateway.policy.Objection;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.relay.listener.InnerConnection;
import io.rmigate.gateway.relay.listener.InnerConnectionListener;
import io.rmigate.protocol.AddressOwner;
import io.rmigate.protocol.LogText;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.message.CallHeader;
import io.rmigate.protocol.jrmp.message.ExceptionalReturn;
import io.rmigate.protocol.tunnel.CloseCause;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of an inner JVM, and the stream that it has on the link from its first message for
 * the agent on.
 *
 * <pre>
 *   inner JVM ──► InnerDialogue ── Calls, acknowledgements ──────► AcceptedStream ──► agent
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
    implements InnerConnectionListener, InnerDialogue.Calls, InnerPlaces.Guest {
  private static final Logger LOG = LoggerFactory.getLogger(CallbackStream.class);

  /** Where notes of mode learn say that something was sent. */
  private static final String LEARNT_AT = Needs.CALLBACKS;

  private static final int MAX_READ_BYTES = 32 * 1024;

  private static final String REFUSED_RESULT =
      "rmigate: the call was executed; the result was refused by the gateway's policy";

  private static final String NO_ROOM_FOR_RESULT =
      "rmigate: the call was executed; the result was refused: the gateway has no room for it now";

  private static final String REFUSED_CALL =
      "rmigate: this call is not permitted by the gateway's policy; part of it was sent, so that it"
          + " may have been executed";

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
  private final InnerDialogue dialogue;
  private final InnerOutput output;
  private final InnerReturn returning;
  private final AcceptedStream onLink;
  private final AuditedCallback audited;

  /** Nothing more of the inner JVM is of interest, and nothing more goes to it than what waits. */
  private boolean over;

  /** The connection is. */
  private boolean gone;

  /** What the inner JVM says lies unread, and not for its own fault: its clock stands. */
  private boolean clockStands;

  /** When its Call began, and with what. */
  private long callNanos;

  private byte[] callHead;

  /** Bytes of the Return have gone to the inner JVM. */
  private boolean returnBegun;

  /** The Return that passes, where it is looked into; else null. */
  private JudgedMessage judged;

  /** The Call that comes, where it is looked into; else null. */
  private JudgedMessage call;

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
    this.dialogue = new InnerDialogue(answers, this);
    this.returning = new InnerReturn(session.waiting(), answers::mayKeep);
    this.onLink = new AcceptedStream(link);
    this.audited =
        new AuditedCallback(
            link,
            session.all().innerHost().orElse(""),
            listener.port(),
            peer.address().getAddress().getHostAddress() + ":" + peer.port());
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
      if (over) {
        return MAX_READ_BYTES; // to be dropped
      }
      if (output.holdsReadingUp()) {
        return 0;
      }
      boolean holding = // what is held needs no credit yet
          call != null && call.ready() == 0 && returning.isExpected();
      int most =
          holding
              ? onLink.mayHold(connection::resume, MAX_READ_BYTES)
              : onLink.mayTake(dialogue.heldForAgent() + waiting(), connection::resume);
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
      if (over) {
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
      session.all().meters().refused("callback-jrmp");
      Refusal refusal = Refusal.of("no JRMP: " + LogText.brief(violation.getMessage()));
      listener.auditRefusal(peer.address(), "callback-jrmp", refusal);
      if (session.all().mayWrite("jrmp", sharer)) {
        link.warnRefused(LOG, refusal, "callback port " + listener.port(), "connection of " + peer);
      }
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
      boolean lockedOut = link.isLockedOut();
      Refusal refusal =
          Refusal.of(lockedOut ? "its principal is locked out" : "its session takes no calls");
      link.warnRefused(LOG, refusal, "callback port " + listener.port(), "callback of " + peer);
      audited.refused(lockedOut ? "locked-out" : "session", refusal);
      closeFromHere(CloseCause.NOT_PERMITTED);
      return;
    }
    beginMessage();
    if (over) {
      return;
    }
    CallRules rules = link.rules();
    forgetCall();
    call = rules.looks() ? rules.callOfServer(link.heldBytes(), link::onReceived) : null;
    returning.expect();
    returnBegun = false;
    callNanos = System.nanoTime();
    callHead = beginning;
    listener.countCall();
  }

  @Override
  public void onAcknowledgement() {
    audited.over(AuditOutcome.ABANDONED);
    beginMessage();
  }

  private void beginMessage() {
    if (waiting() > 0) {
      closeFromHere(CloseCause.BAD_REQUEST); // of a Call that was answered before it had come
    } else {
      onLink.beginMessage();
    }
  }

  @Override
  public void onMessageBytes(ByteBuffer bytes) {
    if (!over && onLink.number() == 0) {
      int number = session.numberFor(this);
      if (number == 0) {
        closeFromHere(CloseCause.TOO_MANY_STREAMS);
      } else {
        onLink.open(number, listener.number(), peer.told(), peer.port());
      }
    }
    if (over) {
      bytes.position(bytes.limit());
      return;
    }
    audited.more(bytes.remaining());
    if (call == null || !returning.isExpected()) {
      onLink.send(bytes); // else it is an acknowledgement
    } else if (mayPass(call, call.more(bytes), "call")) {
      passCall();
    }
  }

  /** What of the Call may go on goes to the agent, as far as that has room. */
  private void passCall() {
    int count = Math.min(onLink.credit(), waiting());
    if (count > 0) {
      onLink.send(call.take(count));
    }
  }

  /** Bytes of the Call that wait for room at the agent. */
  private int waiting() {
    return call == null ? 0 : call.ready();
  }

  private void forgetCall() {
    if (call != null) {
      call.close();
      call = null;
    }
  }

  @Override
  public void onLate() {
    lock.lock();
    try {
      if (session.all().mayWrite("late", sharer)) {
        LOG.info("{}: {} has begun to say something and does not end", listener, peer);
      }
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
      if (gone) {
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
      if (over) {
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
        if (waiting() == 0) {
          forgetCall();
        }
        forgetJudged();
        judged = link.answer().orElse(null);
        restingSinceNanos = System.nanoTime();
        pass(waited.get());
        if (over) {
          connection.closeGently();
        }
      }
    } finally {
      lock.unlock();
    }
    leave();
    link.send();
  }

  /** Part of a Return goes to the inner JVM, as far as it may. */
  private void pass(byte[] bytes) {
    if (judged == null) {
      write(bytes);
    } else if (mayPass(judged, judged.more(ByteBuffer.wrap(bytes)), "reply")) {
      int asCome = judged.readyAsCome();
      byte[] ready = judged.takeReady();
      if (asCome < bytes.length) { // what is held needs room for what follows
        onLink.lend(bytes.length - asCome);
      }
      if (ready.length < asCome) {
        onLink.consumed(asCome - ready.length); // the rest is dropped
      }
      write(ready);
    }
  }

  private void forgetJudged() {
    if (judged != null) {
      onLink.consumed(judged.held());
      judged.close();
      judged = null;
    }
  }

  /**
   * Whether it goes on; if not all is over.
   *
   * @param what it is
   */
  private boolean mayPass(JudgedMessage message, List<Objection> objections, String what) {
    if (objections.isEmpty()) {
      return true;
    }
    String principal = link.principal().name();
    if (!message.rules().enforces()) {
      objections.forEach(
          objection -> message.rules().learned().add(principal, LEARNT_AT, objection));
      return true;
    }
    Objection first = objections.get(0);
    boolean isForRoom = JudgedMessage.isForRoom(objections);
    Refusal refusal =
        isForRoom
            ? Refusal.of(JudgedMessage.MORE_ROOM)
            : Refusal.of(first.reason(), message.rules().advice(first)).at(message.place(first));
    String method = audited.method();
    link.warnRefused(
        LOG,
        refusal,
        "callback port " + listener.port(),
        (message == judged ? "the reply to a callback " : "callback ") + method + " of " + peer);
    if (message == judged && !isForRoom) {
      link.onRefused(first); // a Call is not the agent's
    }
    auditRefusal(isForRoom ? "no-room" : first.rule().toString(), what, first, refusal);
    Optional<String> thrown = message == judged && !isForRoom ? message.thrown() : Optional.empty();
    String text = message == judged ? textOfResult(isForRoom) : REFUSED_CALL;
    String told =
        refusal.told(
            thrown.map(its -> text + "; the client has thrown " + its).orElse(text), false);
    answerInstead(
        thrown.isPresent()
            ? ExceptionalReturn.ofRefusedException(told)
            : ExceptionalReturn.ofLostResult(told));
    closeFromHere(isForRoom ? CloseCause.NO_ROOM : CloseCause.NOT_PERMITTED);
    return false;
  }

  private static String textOfResult(boolean isForRoom) {
    return isForRoom ? NO_ROOM_FOR_RESULT : REFUSED_RESULT;
  }

  private void auditRefusal(String rule, String what, Objection first, Refusal refusal) {
    session.all().meters().refused("callback-" + rule);
    audited.refused(rule, what, first, refusal);
  }

  /**
   * The inner JVM gets an exception in the place of a Return of which nothing has gone to it: an
   * end of the connection alone would not tell it whether the call was executed.
   */
  private void answerInstead(byte[] instead) {
    if (!returnBegun) {
      output.write(instead);
    }
  }

  private void write(byte[] bytes) {
    returnBegun |= bytes.length > 0;
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
      if (!over) {
        passCall();
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
    if (!over) {
      output.sayAnswers();
    }
    onLink.close(cause);
    if (!over) {
      over = true;
      if (!returning.isBehindDirties()) {
        audited.over(AuditOutcome.ABANDONED);
      }
      dialogue.close();
      forgetCall();
    }
    if (!returning.isBehindDirties() || !onLink.isClosedByAgent()) {
      returning.giveUp();
      connection.closeGently();
    }
  }

  /** Tells an inner JVM that waits for a Return that none will come. */
  private void answerForClient() {
    if (!over && returning.isExpected()) {
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
      if (!gone) {
        gone = true;
        audited.over(AuditOutcome.ABANDONED);
        forgetJudged();
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
      leaves = gone && !returning.inBarrier();
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
    boolean quiet = !gone && dialogue.isResting() && !returning.isBehindDirties();
    return quiet ? Math.max(0, now - restingSinceNanos) : -1;
  }

  @Override
  public boolean giveWay(long now) {
    lock.lock();
    try {
      if (restedNanos(now) < InnerPlaces.RESTED.toNanos()) {
        return false;
      }
      endAtOnce(CloseCause.DONE);
    } finally {
      lock.unlock();
    }
    link.send();
    return true;
  }

  /** What waits here for the inner JVM, or for leases of the gateway's. */
  int waitingBytes() {
    lock.lock();
    try {
      return gone ? 0 : output.unwritten() + returning.heldBytes();
    } finally {
      lock.unlock();
    }
  }

  /** Others need the room of what waits here. */
  void endForWant() {
    session.all().meters().refused("callback-waiting");
    if (session.all().mayWrite("waiting", sharer)) {
      LOG.warn(
          "{}: {} bytes wait for {}, and too many for all: its connection ends",
          listener,
          waitingBytes(),
          peer);
    }
    endAtOnce(CloseCause.SLOW_LINK);
    link.send();
  }

  /** Whether an inner JVM waits for the agent's. */
  boolean callInFlight() {
    lock.lock();
    try {
      return !over && returning.isExpected();
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
              TimeUnit.NANOSECONDS.toMillis(Math.max(0, now - callNanos)),
              returning.isBehindDirties(),
              session.all().innerHost().orElse(""),
              listener.port(),
              peer() + ":" + peer.port(),
              CallHeader.decode(callHead, 0, callHead.length),
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
