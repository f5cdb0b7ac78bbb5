package io.rmigate.gateway.stream;

import io.rmigate.gateway.policy.JudgedMessage;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.RefusalReason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts, logs, audits and answers what goes wrong with the connections of one stream. Guarded by
 * {@link OpenStream#lock()}.
 */
final class ConnectionFailures {
  private static final Logger LOG = LoggerFactory.getLogger(StreamConnections.class);

  private final StreamSession session;
  private final OpenStream stream;
  private final AuditedCall audit;
  private final ReturnPath returns;

  /** Null until something is counted. */
  private TargetStats.Row stats;

  ConnectionFailures(
      StreamSession session, OpenStream stream, AuditedCall audit, ReturnPath returns) {
    this.session = session;
    this.stream = stream;
    this.audit = audit;
    this.returns = returns;
  }

  /** Part of what waits may have gone out: nothing may stand behind that but the rest. */
  void onTooMuchWaits() {
    Refusal refusal = Refusal.of("its server does not read it, and " + JudgedMessage.MORE_ROOM);
    session.meters().refused("no-room");
    audit.refusedLater("no-room", "its server does not read it, and too many bytes wait", refusal);
    session.refusals().warnRefused(LOG, refusal, stream.target(), "call");
    stream.closeFromHere(
        CloseCause.NO_ROOM,
        session
            .refusals()
            .told(
                refusal, "rmigate: " + RefusalTexts.NO_ROOM + "; the call may have been executed"));
  }

  /** A Call that waits for a handshake at one server goes to no other. */
  void refuseElsewhere() {
    String text = "the route to its server changed before the server answered";
    audit.notConnected(RefusalReason.CONNECTION_REFUSED + " " + text);
    returns.onRefused(RefusalReason.CONNECTION_REFUSED, text);
  }

  /** A Call has lasted too long. */
  void onTimeOut() {
    stats().failures.increment();
    stats().lastFailure = RefusalReason.CALL_TIMEOUT.name();
  }

  /** A server, or its address, was refused. */
  void onRefused(RefusalReason reason, String text) {
    stats().failures.increment();
    stats().lastFailure = reason + " " + text;
    if (reason == RefusalReason.TARGET_NOT_PERMITTED) {
      session.meters().refused("address");
      session.refusals().lockout().onRefusedAddress(stream.target());
    } else {
      session.meters().connectFailed(reason.name());
    }
    session.refusals().info(LOG, "{}: {} {}", stream.target(), reason, text);
  }

  /** The Call for which the connection was made ends with that refusal. */
  void refuseCall(RefusalReason reason, String text) {
    if (reason == RefusalReason.TARGET_NOT_PERMITTED) {
      Refusal refusal = Refusal.of(text);
      audit.refusedAddress(refusal);
      session.refusals().warnRefused(LOG, refusal, stream.target(), "call");
      returns.onRefused(reason, session.refusals().told(refusal, text));
    } else {
      audit.notConnected(reason + " " + text);
      returns.onRefused(reason, text);
    }
  }

  /** The row of the stream's target. */
  TargetStats.Row stats() {
    if (stats == null) {
      stats = session.targets().stats(stream.target());
    }
    return stats;
  }
}
