package io.rmigate.gateway.callback;

import io.rmigate.gateway.policy.JudgedMessage;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.policy.rule.RequiredPermissions;
import io.rmigate.protocol.LogText;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.message.ExceptionalReturn;
import io.rmigate.protocol.tunnel.CloseCause;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs, audits and counts the refusals on one connection of an inner JVM, and writes the texts that
 * the JVM is told. Guarded by the lock of the {@link CallbackStream}.
 */
final class CallbackRefusals {
  private static final Logger LOG = LoggerFactory.getLogger(CallbackStream.class);

  /** The target in notes of mode learn. */
  private static final String LEARNT_AT = RequiredPermissions.CALLBACKS;

  private static final String REFUSED_RESULT =
      "rmigate: the call was executed; the result was refused by the gateway's policy";

  private static final String NO_ROOM_FOR_RESULT =
      "rmigate: the call was executed; the result was refused: the gateway has no room for it now";

  private static final String REFUSED_CALL =
      "rmigate: this call is not permitted by the gateway's policy; part of it was sent, so that it"
          + " may have been executed";

  private final SessionCallbacks session;
  private final CallbackLink link;
  private final CallbackListener listener;
  private final InnerPeer peer;
  private final AuditedCallback audited;

  CallbackRefusals(
      SessionCallbacks session,
      CallbackListener listener,
      InnerPeer peer,
      AuditedCallback audited) {
    this.session = session;
    this.link = session.link();
    this.listener = listener;
    this.peer = peer;
    this.audited = audited;
  }

  /**
   * A refused message.
   *
   * @param answer an exception for the inner JVM, in place of the Return
   * @param cause with which the stream closes
   */
  @SuppressWarnings("ArrayRecordComponent") // wire bytes: identity, not value
  record Refused(byte[] answer, CloseCause cause) {}

  /** The inner JVM has sent something that is not JRMP. */
  void onViolation(ProtocolViolationException violation) {
    session.all().meters().refused("callback-jrmp");
    Refusal refusal = Refusal.of("no JRMP: " + LogText.brief(violation.getMessage()));
    listener.auditRefusal(peer.address(), "callback-jrmp", refusal);
    if (session.all().mayWrite("jrmp", peer.sharer())) {
      warn(refusal, "connection of " + peer);
    }
  }

  /** The session takes no Calls now. */
  void onCallOfIdleSession() {
    boolean lockedOut = link.isLockedOut();
    Refusal refusal =
        Refusal.of(lockedOut ? "its principal is locked out" : "its session takes no calls");
    warn(refusal, "callback of " + peer);
    audited.refused(lockedOut ? "locked-out" : "session", refusal);
  }

  /** The inner JVM has not completed a message in time. */
  void onLate() {
    if (session.all().mayWrite("late", peer.sharer())) {
      LOG.info("{}: {} has begun a message and does not continue it", listener, peer);
    }
  }

  /** The gateway needs the memory of bytes that wait for the inner JVM. */
  void onWaitingBytes(int bytes) {
    session.all().meters().refused("callback-waiting");
    if (session.all().mayWrite("waiting", peer.sharer())) {
      LOG.warn(
          "{}: {} bytes wait for {}, and all waiting bytes exceed their bound: its connection is"
              + " closed",
          listener,
          bytes,
          peer);
    }
  }

  /** The refusal of a Call; empty when it may pass. */
  Optional<Refused> judgeCall(JudgedMessage message, List<Objection> objections) {
    if (passes(message, objections)) {
      return Optional.empty();
    }
    boolean isForRoom = JudgedMessage.isForRoom(objections);
    Refusal refusal = refusal(message, objections);
    warn(refusal, "callback " + audited.method() + " of " + peer);
    audit("call", objections, refusal);
    return Optional.of(
        refused(isForRoom, ExceptionalReturn.ofLostResult(told(refusal, REFUSED_CALL))));
  }

  /** The refusal of a Return; empty when it may pass. */
  Optional<Refused> judgeReturn(JudgedMessage message, List<Objection> objections) {
    if (passes(message, objections)) {
      return Optional.empty();
    }
    boolean isForRoom = JudgedMessage.isForRoom(objections);
    Refusal refusal = refusal(message, objections);
    warn(refusal, "the reply to a callback " + audited.method() + " of " + peer);
    Optional<String> thrown = Optional.empty();
    if (!isForRoom) {
      link.onRefused(objections.get(0));
      thrown = message.thrown();
    }
    audit("reply", objections, refusal);
    String text = isForRoom ? NO_ROOM_FOR_RESULT : REFUSED_RESULT;
    byte[] answer =
        thrown.isPresent()
            ? ExceptionalReturn.ofRefusedException(
                told(refusal, text + "; the client has thrown " + thrown.get()))
            : ExceptionalReturn.ofLostResult(told(refusal, text));
    return Optional.of(refused(isForRoom, answer));
  }

  /** Whether there is no objection, or the rules only learn. */
  private boolean passes(JudgedMessage message, List<Objection> objections) {
    if (objections.isEmpty()) {
      return true;
    }
    boolean learns = !message.rules().enforces();
    if (learns) {
      String principal = link.principal().name();
      objections.forEach(
          objection -> message.rules().learned().add(principal, LEARNT_AT, objection));
    }
    return learns;
  }

  private static Refusal refusal(JudgedMessage message, List<Objection> objections) {
    Objection first = objections.get(0);
    return JudgedMessage.isForRoom(objections)
        ? Refusal.of(JudgedMessage.MORE_ROOM)
        : Refusal.of(first.reason(), message.rules().advice(first)).at(message.place(first));
  }

  private void audit(String what, List<Objection> objections, Refusal refusal) {
    Objection first = objections.get(0);
    String rule = JudgedMessage.isForRoom(objections) ? "no-room" : first.rule().toString();
    session.all().meters().refused("callback-" + rule);
    audited.refused(rule, what, first, refusal);
  }

  private static String told(Refusal refusal, String text) {
    return refusal.told(text, false);
  }

  private static Refused refused(boolean isForRoom, byte[] answer) {
    return new Refused(answer, isForRoom ? CloseCause.NO_ROOM : CloseCause.NOT_PERMITTED);
  }

  private void warn(Refusal refusal, String what) {
    link.warnRefused(LOG, refusal, "callback port " + listener.port(), what);
  }
}
