package io.rmigate.gateway.stream;

import io.rmigate.gateway.policy.Refusal;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Deadline;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.Refused;
import java.time.Duration;
import java.util.concurrent.Future;

/**
 * The bound that the agent has set for one request of a stream (PROTOCOL.md, section 7). There is
 * one alarm at most: of calls that follow each other with the same bound it rings for the first and
 * is set again for the latest, so that a call costs no more than the noting of a number.
 *
 * <p>Guarded by {@link OpenStream#lock()}; the alarm rings on the timer of the sessions.
 */
final class RequestDeadline {
  private static final byte[] NOTHING = {};

  private final StreamSession session;
  private final StreamParts parts;
  private final OpenStream stream;

  /** The latest request with a bound; 0 when there has been none. */
  private long request;

  private long endNanos;

  /** Null unless the stream takes part in a sequence. */
  private SequenceTurn turn;

  /** Null while none is set. */
  private Future<?> alarm;

  private long alarmNanos;

  /** How many have been set; the latest is the one that counts. */
  private long alarms;

  RequestDeadline(StreamSession session, StreamParts parts) {
    this.session = session;
    this.parts = parts;
    this.stream = parts.stream();
  }

  /** From here on Calls may wait for their turns. */
  void watchFor(SequenceTurn its) {
    turn = its;
  }

  /** The next request has a bound. */
  void set(Deadline told) throws ProtocolViolationException {
    long next = parts.gathering().request() + 1;
    if (told.request() != next || parts.gathering().withinRequest()) {
      throw new ProtocolViolationException(
          "expected the deadline of request %d before it, got that of %d"
              .formatted(next, told.request()));
    }
    request = next;
    endNanos = System.nanoTime() + told.time().toNanos();
    if (alarm != null && endNanos - alarmNanos < 0) {
      alarm.cancel(false);
      alarm = null;
    }
    setAlarm();
  }

  private void setAlarm() {
    if (alarm == null) {
      alarmNanos = endNanos;
      long left = Math.max(0, endNanos - System.nanoTime());
      long mine = ++alarms;
      alarm = session.alarm(() -> ring(mine), Duration.ofNanos(left));
    }
  }

  /** Whether the request that has come last may go nowhere any more. */
  boolean isOver() {
    return request == parts.gathering().request()
        && request > 0
        && endNanos - System.nanoTime() <= 0;
  }

  /** Forgets the alarm; the stream is over. */
  void close() {
    if (alarm != null) {
      alarm.cancel(false);
      alarm = null;
    }
  }

  private void ring(long number) {
    stream.lock().lock();
    try {
      if (alarm == null || number != alarms) {
        return; // closed, or set anew, just now
      }
      alarm = null;
      if (endNanos - System.nanoTime() > 0) {
        if (isOpen()) {
          setAlarm();
        }
      } else if (request == parts.gathering().request()) {
        giveUp();
      } // else the request has not begun to come: it is refused when it does
    } finally {
      stream.lock().unlock();
    }
    session.agent().send(); // no round of a loop ends here
  }

  /** Whether the request is still to come, or not answered. */
  private boolean isOpen() {
    return request != parts.gathering().request()
        || parts.gathering().withinRequest()
        || waitsForTurn()
        || parts.returns().awaiting();
  }

  private boolean waitsForTurn() {
    return turn != null && turn.waits();
  }

  private void giveUp() {
    if (waitsForTurn()) {
      turn.giveUp();
      refuse(request, "its turn in the sequence has not come");
      return;
    }
    int held = parts.gathering().discardHeld();
    if (held >= 0) {
      parts.window().consumed(held);
      refuse(request, "not all of it has come");
      if (turn != null) {
        turn.giveUp();
      }
    } else if (parts.returns().awaiting()) {
      Duration connecting = parts.connections().latestCall().connecting();
      if (parts.connections().giveUp()) {
        session.meters().callTimedOut("connect");
        parts.gathering().discardRest();
        parts
            .returns()
            .onRefused(RefusalReason.CALL_TIMEOUT, "no connection to " + stream.target());
      } else {
        session.meters().callTimedOut("answer");
        session.agent().add(new Deadline(stream.id(), request, connecting));
        stream.closeFromHere(CloseCause.CALL_TIMEOUT);
      }
    }
  }

  /** The request has not come in time. */
  void refuse(long late, String why) {
    Refusal refusal = Refusal.of(why);
    parts.audit().refused("deadline", refusal, NOTHING);
    session.meters().callTimedOut("link");
    session
        .agent()
        .add(
            new Refused(
                stream.id(), late, RefusalReason.CALL_LATE, session.refusals().told(refusal, why)));
  }
}
