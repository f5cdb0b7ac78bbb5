package io.rmigate.gateway.session;

import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.JudgedMessage;
import io.rmigate.gateway.policy.Objection;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.protocol.tunnel.CloseCause;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A Call that is too long to be gathered, and is looked into as it passes: only what has been
 * judged goes on. What may not pass ends the stream once part of the Call has reached the server,
 * which has begun to read; the connection ends with it, so that nothing is ever behind that part.
 *
 * <p>Begins when its beginning has been let through; ends by {@link #close}, or by {@link #drop}
 * when it has been refused before any of it went on. Guarded by {@link TunnelStream#lock()}.
 */
final class StreamedCall {
  private static final String PART_SENT =
      RequestRefusals.NO_CALL + "; part of it was sent, so that it may have been executed";

  private static final String NO_ROOM =
      "rmigate: "
          + TunnelSession.NO_ROOM
          + "; part of it was sent, so that it may have been executed";

  private final TunnelSession session;
  private final TunnelStream stream;
  private final RequestRefusals refusals;
  private final JudgedMessage judged;

  /**
   * @param judged has been given the beginning, and does not object
   */
  StreamedCall(
      TunnelSession session, TunnelStream stream, RequestRefusals refusals, JudgedMessage judged) {
    this.session = session;
    this.stream = stream;
    this.refusals = refusals;
    this.judged = judged;
  }

  /** What of it may go on now. */
  byte[] takeReady() {
    return judged.takeReady();
  }

  /** More of it has come: sends what may go on, or ends the stream. */
  void more(byte[] bytes) {
    CallRules rules = judged.rules();
    List<Objection> objections = judged.more(ByteBuffer.wrap(bytes));
    if (rules.enforces() && objections.isEmpty()) {
      int kept = bytes.length - judged.ready();
      objections = kept <= 0 || stream.window().lend(kept) ? objections : JudgedMessage.TOO_MUCH;
    }
    if (rules.enforces() && JudgedMessage.isForRoom(objections)) {
      Refusal refusal = Refusal.of(JudgedMessage.MORE_ROOM);
      refusals.logLater(refusal);
      session.meters().refused("no-room");
      stream.audit().refusedLater("no-room", "too much is held", refusal);
      stream.closeFromHere(CloseCause.NO_ROOM, session.told(refusal, NO_ROOM));
      return;
    }
    if (rules.enforces() && !objections.isEmpty()) {
      Objection first = objections.get(0);
      Refusal refusal = refusals.noteLater(rules, first, judged.place(first));
      stream.closeFromHere(CloseCause.NOT_PERMITTED, session.told(refusal, PART_SENT));
      return;
    }
    refusals.learn(rules, objections);
    byte[] ready = judged.takeReady();
    if (ready.length > 0) {
      stream.connections().sendIsolated(ready);
    }
  }

  /** Whether it must not end here: only its beginning has come, and that matters. */
  boolean isCutShort() {
    return !judged.mayEnd() && judged.rules().enforces();
  }

  /** No more of it goes on. */
  void close() {
    stream.window().consumed(judged.held());
    judged.close();
  }

  /** Nothing of it has gone on; what has come of it is counted by whoever refuses it. */
  void drop() {
    judged.close();
  }
}
