package io.rmigate.gateway.stream;

import io.rmigate.gateway.policy.JudgedMessage;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.protocol.jrmp.GrowingReturn;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.Refused;
import io.rmigate.protocol.tunnel.Sequence;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Future;

/**
 * The part that one stream has in a {@link CallSequence}: holds its Call until it is its turn, and
 * finds out when its Return is whole, and whether it is a normal one.
 *
 * <p>Guarded by {@link OpenStream#lock()}, except {@link #passOn}.
 */
final class SequenceTurn implements RequestGathering.Listener {
  static final String OVER =
      "rmigate: the call was not executed: one before it in its sequence has not returned normally";

  private static final String TOO_LONG =
      "rmigate: the call was not executed: it is too long for a sequence";

  /** Code, stream header, a block with the kind and the UID: then the result. */
  private static final int HEADER_BYTES = 1 + 4 + 2 + Jrmp.RETURN_HEADER_BYTES;

  private static final int KIND = HEADER_BYTES - Jrmp.RETURN_HEADER_BYTES;
  private static final int TC_NULL = 0x70;

  /** A longer Return whose rules look at nothing is not looked into here either. */
  private static final int MOST_BYTES = 64 * 1024;

  /** Calls of so few bytes take no more than the stream itself, and are not counted. */
  private static final int UNCOUNTED_BYTES = 4 * 1024;

  private final StreamSession session;
  private final StreamParts parts;
  private final Sequence told;
  private final CallSequence sequence;

  /** Takes a request when it is its turn. */
  private final RequestGathering.Listener judge;

  /** The Call that waits; null when none does. */
  private byte[] held;

  private boolean closed;
  private boolean forgotten;

  // The Return of the Call that runs.

  private boolean running;
  private byte[] beginning = new byte[HEADER_BYTES + 1];
  private long length;
  private GrowingReturn grammar;

  /** Bytes of the buffer that room was taken for. */
  private int counted;

  /** The stream takes part from here on. */
  SequenceTurn(
      StreamSession session, StreamParts parts, Sequence told, RequestGathering.Listener judge) {
    this.session = session;
    this.parts = parts;
    this.told = told;
    this.sequence = session.sequences().join(told.sequence());
    this.judge = judge;
  }

  // Requests, from the gathering.

  @Override
  public void onWhole(byte[] request) {
    if (request.length == 0 || request[0] != Jrmp.CALL) {
      judge.onWhole(request); // a DgcAck belongs to a Return that has come
      return;
    }
    if (held != null) {
      endForUnexpected(request);
      return;
    }
    switch (sequence.enter(this)) {
      case RUNS -> run(request);
      case WAITS -> hold(request);
      case REFUSED -> refuse(request, OVER);
      default -> throw new AssertionError();
    }
  }

  /** The agent sends a Call while another one of its stream waits for its turn. */
  private void endForUnexpected(byte[] call) {
    Refusal refusal =
        Refusal.of("bad request: expected no Call while another one waits for its turn");
    session.meters().refused("bad-request");
    session.refusals().count();
    parts.audit().refused("bad-request", refusal, call);
    parts.stream().closeFromHere(CloseCause.BAD_REQUEST);
  }

  private void hold(byte[] call) {
    if (call.length > UNCOUNTED_BYTES && !parts.window().lend(call.length)) {
      sequence.breakOff(this);
      refuse(call, "rmigate: " + RefusalTexts.NO_ROOM);
      passOnSoon();
    } else {
      held = call;
    }
  }

  @Override
  public int holdUpTo(byte[] beginning) {
    int most = judge.holdUpTo(beginning);
    if (most == 0) { // it has been refused
      sequence.breakOff(this);
      passOnSoon();
    }
    return most;
  }

  @Override
  public void onTooLong(byte[] beginning) {
    refuseLong(beginning);
  }

  @Override
  public void onFull(byte[] beginning) {
    refuseLong(beginning);
  }

  @Override
  public void onNoRoom(byte[] beginning) {
    sequence.breakOff(this);
    judge.onNoRoom(beginning);
    passOnSoon();
  }

  private void refuseLong(byte[] beginning) {
    parts.gathering().discardRest();
    sequence.breakOff(this);
    refuse(beginning, TOO_LONG);
    passOnSoon();
  }

  @Override
  public boolean mayHold(int bytes) {
    return judge.mayHold(bytes);
  }

  @Override
  public void onRest(byte[] bytes) {
    judge.onRest(bytes);
  }

  @Override
  public void onDiscarded(int bytes) {
    judge.onDiscarded(bytes);
  }

  @Override
  public void onOver() {
    judge.onOver();
  }

  private void refuse(byte[] call, String text) {
    parts.window().consumed(call.length);
    session
        .agent()
        .add(
            new Refused(
                parts.stream().id(),
                parts.gathering().request(),
                RefusalReason.SEQUENCE_OVER,
                text));
    session.agent().flush();
  }

  /** Whether a Call waits for its turn. */
  boolean waits() {
    return held != null;
  }

  /** The time of the Call is over that waits, or comes; the caller tells the agent. */
  void giveUp() {
    if (held != null) {
      parts.window().consumed(held.length);
      held = null;
    }
    sequence.breakOff(this);
    passOnSoon();
  }

  private void run(byte[] call) {
    running = true;
    length = 0;
    grammar = null;
    judge.onWhole(call);
    if (!parts.returns().awaiting()) { // it has been refused
      fails();
    }
  }

  /** The Call that runs, if one does, has been refused, or will have no whole Return. */
  void fails() {
    ends(false);
    passOnSoon();
  }

  /** Bytes of the Return have come; called before anything else takes them. */
  void onReturn(ByteBuffer bytes, JudgedMessage judged) {
    if (!running) {
      return;
    }
    int more = bytes.remaining();
    boolean looks = judged == null && length + more <= MOST_BYTES;
    int kept = looks ? more : (int) Math.max(0, Math.min(more, HEADER_BYTES + 1 - length));
    if (kept > 0) {
      if (!hasRoom((int) length + kept)) {
        ends(false);
        return;
      }
      bytes.get(bytes.position(), beginning, (int) length, kept);
    }
    length += more;
    if (looks && grammar == null) {
      grammar = new GrowingReturn();
    }
  }

  /** Makes the buffer large enough; the bytes count as held. Whether there is room. */
  private boolean hasRoom(int bytes) {
    if (bytes <= beginning.length) {
      return true;
    }
    int size = Math.max(bytes, 2 * beginning.length);
    if (size > UNCOUNTED_BYTES) {
      if (!session.share().room().heldBytes().take(size - counted)) {
        return false;
      }
      counted = size;
    }
    beginning = Arrays.copyOf(beginning, size);
    return true;
  }

  private void forgetReturn() {
    session.share().room().heldBytes().release(counted);
    counted = 0;
    beginning = new byte[HEADER_BYTES + 1];
    grammar = null;
  }

  /** Ends the call if its Return is complete, or may be; the bytes that came have been judged. */
  void onJudged(JudgedMessage judged) {
    if (!running || length < HEADER_BYTES) {
      return;
    }
    boolean unknown;
    boolean whole;
    if (judged != null) {
      whole = judged.isOver();
      unknown = !whole && judged.mayEnd();
    } else if (length > MOST_BYTES) {
      whole = false;
      unknown = true;
    } else {
      MessageEnd end = grammar.end(beginning, (int) length);
      whole = end.isCompleteAt((int) length);
      unknown = !whole && !(end instanceof MessageEnd.Truncated);
    }
    if (whole || unknown) {
      boolean isNull = length == HEADER_BYTES + 1 && beginning[HEADER_BYTES] == TC_NULL;
      ends(whole && beginning[KIND] == Jrmp.NORMAL_RETURN && !(told.endsAtNull() && isNull));
    }
  }

  private void ends(boolean normally) {
    if (running) {
      running = false;
      forgetReturn();
      sequence.end(this, normally);
    }
  }

  /** Ends this turn: no call is executed on the stream from here on. Idempotent. */
  void close() {
    if (closed) {
      return;
    }
    closed = true;
    running = false;
    forgetReturn();
    held = null;
    sequence.leave(this);
    passOnSoon();
  }

  /**
   * The agent has closed the stream, too. Until then it may open others that take part in the same
   * sequence, which must find it over. Idempotent.
   */
  void forget() {
    if (!forgotten) {
      forgotten = true;
      session.sequences().leave(told.sequence(), sequence);
    }
  }

  /** Runs {@link #passOn} soon, on a thread that holds no lock. */
  void passOnSoon() {
    if (sequence.hasWaiting()) {
      Future<?> unused =
          session.alarm(
              () -> {
                passOn();
                session.agent().send(); // no round of a loop ends here
              },
              Duration.ZERO);
    }
  }

  /** Takes the turns that are due. With no lock held. */
  void passOn() {
    for (SequenceTurn next = sequence.next(); next != null; next = sequence.next()) {
      next.proceed();
    }
  }

  private void proceed() {
    parts.stream().lock().lock();
    try {
      byte[] call = held;
      held = null;
      if (call == null) {
        sequence.end(this, false); // its stream has just ended
      } else if (sequence.isOver()) {
        refuse(call, OVER);
      } else {
        run(call);
      }
    } finally {
      parts.stream().lock().unlock();
    }
  }
}
