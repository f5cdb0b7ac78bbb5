package io.rmigate.gateway.stream;

import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.JudgedMessage;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.RefusalReason;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * A Call that is too long to be gathered, and is looked into as it passes: only what has been
 * judged goes on. What may not pass ends the connection once part of the Call has reached the
 * server, which has begun to read, so that nothing is ever behind that part.
 *
 * <p>No method runs before its last argument has come. So where it is known how many there are,
 * from when the last one has begun the last byte that has come is kept back, until the agent has
 * said that nothing follows (or, where any call may be long, until it may be whole): a Call that is
 * refused before is certainly not executed, and its stream goes on.
 *
 * <p>One that brings less than {@link #PROGRESS_BYTES} for as long as {@code long-calls.patience},
 * though its server has taken all before, is refused: a thread waits for it there.
 *
 * <p>Begins when its beginning has been let through; ends by {@link #close}, or by {@link #drop}
 * when it has been refused before any of it went on. Guarded by {@link OpenStream#lock()}.
 */
final class StreamedCall {
  /** Bytes that must come within the patience, so that the call is not given up. */
  static final int PROGRESS_BYTES = 64 * 1024;

  /** A call that may be whole is, when nothing has followed for so long: sidecars see no end. */
  private static final Duration SILENCE = Duration.ofMillis(200);

  private static final byte[] NOTHING = {};

  private static final String MAYBE_EXECUTED =
      "; part of it was sent, so that it may have been executed";

  private static final String STALLED = "too little of it arrived within long-calls.patience";

  private final StreamSession session;
  private final StreamParts parts;
  private final OpenStream stream;
  private final RequestRefusals refusals;
  private final JudgedMessage judged;
  private final Consumer<StreamedCall> onRefused;

  /** The last byte that may go on, kept back; or nothing. */
  private byte[] last = NOTHING;

  /** Whether all arguments have gone on, or may have. */
  private boolean maybeWhole;

  /** Bytes since the alarm was set. */
  private long come;

  /** The alarm of the patience; null where none is set. */
  private Future<?> alarm;

  /** Rings when nothing has followed what may be the end; null where none is set. */
  private Future<?> silence;

  private boolean over;

  /** Bytes that were dropped of what has been taken and not gone on. */
  private int dropped;

  /**
   * @param judged has been given the beginning, and does not object
   * @param onRefused told when it is given up without having been asked
   */
  StreamedCall(
      StreamSession session,
      StreamParts parts,
      RequestRefusals refusals,
      JudgedMessage judged,
      Consumer<StreamedCall> onRefused) {
    this.session = session;
    this.parts = parts;
    this.stream = parts.stream();
    this.refusals = refusals;
    this.judged = judged;
    this.onRefused = onRefused;
    if (judged.rules().enforces()) {
      setAlarm();
    }
  }

  /** The bytes of the call that may go on now; dropped bytes are counted until {@link #sent}. */
  byte[] takeReady() {
    dropped += judged.readyAsCome() - judged.ready();
    byte[] ready = judged.takeReady();
    if (!judged.rules().enforces() || !judged.knowsArguments()) {
      maybeWhole |= ready.length > 0;
      return ready;
    }
    if (ready.length == 0 || !judged.hasAllArguments()) {
      return ready; // the last one has not begun
    }
    if (judged.rules().streams() && judged.mayEnd()) {
      maybeWhole = true;
      return together(takeLast(), ready);
    }
    byte[] before = takeLast();
    last = new byte[] {ready[ready.length - 1]};
    if (judged.mayEnd()) {
      cancel(silence);
      silence = session.alarm(this::passLast, SILENCE);
    }
    return together(before, Arrays.copyOf(ready, ready.length - 1));
  }

  private byte[] takeLast() {
    byte[] taken = last;
    last = NOTHING;
    return taken;
  }

  private static byte[] together(byte[] first, byte[] second) {
    if (first.length == 0) {
      return second;
    }
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  /** Counts the dropped bytes as consumed, because the taken bytes have gone on. */
  void sent() {
    parts.window().consumed(dropped);
    dropped = 0;
  }

  /**
   * More of it has come: sends what may go on, or refuses it.
   *
   * @return false when it has been refused
   */
  boolean more(byte[] bytes) {
    CallRules rules = judged.rules();
    come += bytes.length;
    int before = judged.held();
    List<Objection> objections = judged.more(ByteBuffer.wrap(bytes));
    parts.window().consumed(before + bytes.length - judged.held()); // for which there is no room
    if (rules.enforces() && objections.isEmpty()) {
      int kept = bytes.length - judged.readyAsCome();
      objections = kept <= 0 || parts.window().lend(kept) ? objections : JudgedMessage.TOO_MUCH;
    }
    if (rules.enforces() && JudgedMessage.isForRoom(objections)) {
      Refusal refusal = Refusal.of(JudgedMessage.ofRoom(objections));
      giveUp(
          "no-room",
          refusal,
          CloseCause.NO_ROOM,
          RefusalReason.CONNECT_FAILED,
          "rmigate: " + RefusalTexts.NO_ROOM);
      return false;
    }
    if (rules.enforces() && !objections.isEmpty()) {
      Objection first = objections.get(0);
      Refusal refusal = refusals.noteLater(rules, first, judged.place(first));
      end(
          refusal,
          CloseCause.NOT_PERMITTED,
          RefusalReason.OPERATION_NOT_PERMITTED,
          RequestRefusals.NO_CALL);
      return false;
    }
    refusals.learn(rules, objections);
    byte[] ready = takeReady();
    if (ready.length > 0) {
      parts.connections().sendIsolated(ready);
    }
    sent();
    return true;
  }

  /** Passes the byte that was kept back, because nothing follows. */
  void end() {
    byte[] kept = takeLast();
    if (kept.length > 0) {
      maybeWhole = true;
      parts.connections().sendIsolated(kept);
    }
  }

  private void setAlarm() {
    come = 0;
    Duration patience = judged.rules().longCalls().patience();
    alarm = session.alarm(this::ring, patience);
  }

  private void ring() {
    stream.lock().lock();
    try {
      if (over || !parts.gathering().isPassing() || (maybeWhole && judged.mayEnd())) {
        return; // no thread waits for the rest
      }
      if (come >= PROGRESS_BYTES || parts.connections().waitsForServer()) {
        setAlarm();
        return;
      }
      giveUp(
          "stalled",
          Refusal.of(STALLED),
          CloseCause.CALL_TIMEOUT,
          RefusalReason.CALL_LATE,
          "rmigate: not all of the call has come in time");
      onRefused.accept(this);
    } finally {
      stream.lock().unlock();
    }
    session.agent().send(); // no round of a loop ends here
  }

  /** The client may not see where its call ends. */
  private void passLast() {
    stream.lock().lock();
    try {
      if (over || !parts.gathering().isPassing() || !judged.mayEnd()) {
        return;
      }
      end();
    } finally {
      stream.lock().unlock();
    }
    session.agent().send(); // no round of a loop ends here
  }

  private static void cancel(Future<?> alarm) {
    if (alarm != null) {
      alarm.cancel(false);
    }
  }

  private void giveUp(
      String word, Refusal refusal, CloseCause cause, RefusalReason reason, String text) {
    refusals.logLater(refusal);
    session.meters().refused(word);
    parts.audit().refusedLater(word, refusal.reason(), refusal);
    end(refusal, cause, reason, text);
  }

  /** Its caller is told. */
  private void end(Refusal refusal, CloseCause cause, RefusalReason reason, String text) {
    if (maybeWhole || !parts.returns().awaiting()) {
      stream.closeFromHere(cause, session.refusals().told(refusal, text + MAYBE_EXECUTED));
      return;
    }
    parts.gathering().discardRest();
    session.refusals().count();
    parts.connections().breakOff(reason, session.refusals().told(refusal, text));
    session.agent().flush();
  }

  /** Whether it must not end here: only its beginning has come, and that matters. */
  boolean isCutShort() {
    CallRules rules = judged.rules();
    boolean lacksArguments = judged.knowsArguments() && !judged.hasAllArguments();
    return rules.enforces()
        && (!judged.mayEnd() || (lacksArguments && !rules.streams())); // which ends when answered
  }

  /** Whether its method may run, as far as is known here. */
  boolean mayBeExecuted() {
    return maybeWhole;
  }

  /** Ends the call: no more of it goes on. */
  void close() {
    parts.window().consumed(judged.held() + last.length);
    drop();
  }

  /** Ends a call of which nothing has gone on; the refusal counts the bytes that have come. */
  void drop() {
    over = true;
    cancel(alarm);
    cancel(silence);
    last = NOTHING;
    judged.close();
  }
}
