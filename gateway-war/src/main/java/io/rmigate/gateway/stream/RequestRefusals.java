package io.rmigate.gateway.stream;

import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.JudgedMessage;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.route.Route;
import io.rmigate.protocol.LogText;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.Refused;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a refusal of one stream's requests is answered: the agent is told why not, in words that tell
 * it nothing of the policy; the log how it could be allowed; metrics, audit and lockout that it has
 * been. Nothing of a refused request goes to a server, and what is still to come of it is dropped.
 *
 * <pre>
 *   refuse    the request is not executed; the stream goes on with the next one
 *   reject    it is no request at all, or out of turn: the stream ends
 * </pre>
 *
 * <p>Guarded by {@link OpenStream#lock()}.
 */
final class RequestRefusals {
  /** The logger of all messages about requests. */
  private static final Logger LOG = LoggerFactory.getLogger(RequestJudge.class);

  static final String NO_CALL = "rmigate: this call is not permitted by the gateway's policy";

  /** Tells an agent only what it knows already. */
  private static final String NOT_GIVEN =
      "rmigate: no server has given this session the object that is called, as far as the gateway"
          + " knows; look it up anew (received-objects in the gateway's configuration)";

  private static final String BAD_CALL =
      "rmigate: the request was not exactly one JRMP message; it was not executed";

  private final StreamSession session;
  private final StreamParts parts;
  private final OpenStream stream;
  private final Runnable dropBeginning;

  /**
   * @param dropBeginning forgets the beginning of a long request, of which nothing has gone on
   */
  RequestRefusals(StreamSession session, StreamParts parts, Runnable dropBeginning) {
    this.session = session;
    this.parts = parts;
    this.stream = parts.stream();
    this.dropBeginning = dropBeginning;
  }

  /** Refuses a request because all callers together, or its caller alone, hold too many bytes. */
  void refuseForRoom(byte[] beginning) {
    refuseForRoom(JudgedMessage.TOO_MUCH, beginning);
  }

  /** There is no room for the call, or it claims more than its principal may. */
  void refuseForRoom(List<Objection> objections, byte[] beginning) {
    Refusal refusal = log(Refusal.of(JudgedMessage.ofRoom(objections)), beginning);
    refuse(
        "no-room",
        refusal,
        beginning,
        RefusalReason.CONNECT_FAILED,
        "rmigate: " + RefusalTexts.NO_ROOM);
  }

  /** Tells the log so. */
  Refusal warnOfRoom(byte[] request) {
    return log(Refusal.of(JudgedMessage.MORE_ROOM), request);
  }

  /** Writes the line of a refusal. */
  Refusal log(Refusal refusal, byte[] request) {
    session.refusals().warnRefused(LOG, refusal, stream.target(), parts.audit().call(request));
    return refusal;
  }

  /** Whether a Call passes, as it does where rules only learn; if not it has been refused. */
  boolean permits(CallRules rules, List<Objection> objections, byte[] request) {
    return permits(rules, objections, request, objection -> "");
  }

  /**
   * Whether a Call passes, as it does where rules only learn; if not it has been refused.
   *
   * @param place asked where in the request stands what is objected to
   */
  boolean permits(
      CallRules rules,
      List<Objection> objections,
      byte[] request,
      Function<Objection, String> place) {
    if (objections.isEmpty()) {
      return true;
    }
    if (!rules.enforces()) {
      learn(rules, objections);
      return true;
    }
    Objection first = objections.get(0);
    Refusal refusal = note(rules, first, place.apply(first), request);
    parts.gathering().discardRest();
    refuse(
        request.length,
        RefusalReason.OPERATION_NOT_PERMITTED,
        session
            .refusals()
            .told(refusal, first.rule() == Objection.Rule.OBJECT ? NOT_GIVEN : NO_CALL));
    return false;
  }

  /** Refuses nothing: notes the objections for the author of the rules. */
  void learn(CallRules rules, List<Objection> objections) {
    String principal = session.standing().principal().name();
    objections.forEach(objection -> rules.learned().add(principal, stream.target(), objection));
  }

  /**
   * Tells everybody but the agent why a Call does not pass.
   *
   * @param place in the request; empty: not known
   */
  Refusal note(CallRules rules, Objection first, String place, byte[] request) {
    Refusal refusal = log(Refusal.of(first.reason(), rules.advice(first)).at(place), request);
    count(first);
    parts.audit().refused(first, refusal, request);
    return refusal;
  }

  /**
   * Tells everybody but the agent why a later part of the latest Call does not pass, of which the
   * beginning has passed.
   */
  Refusal noteLater(CallRules rules, Objection first, String place) {
    Refusal refusal = Refusal.of(first.reason(), rules.advice(first)).at(place);
    logLater(refusal);
    count(first);
    parts.audit().refusedLater(first, refusal);
    return refusal;
  }

  /** Writes the line of a refusal of a later part of the latest Call. */
  void logLater(Refusal refusal) {
    session.refusals().warnRefused(LOG, refusal, stream.target(), parts.audit().latestCall());
  }

  private void count(Objection first) {
    session.refusals().lockout().onRefused(first, stream.target());
    session.meters().refused(first.rule().toString());
  }

  /** Policy knows no way to what the stream is for. */
  void refuseTarget(byte[] request) {
    Refusal refusal =
        log(
            Refusal.of(
                "target " + stream.target(),
                "to allow it add \"allow: ['" + stream.target() + "']\" to a targets entry"),
            request);
    session.refusals().lockout().onRefusedTarget(stream.target());
    refuseNoted(
        "target",
        refusal,
        request,
        RefusalReason.TARGET_NOT_PERMITTED,
        "rmigate: " + stream.target() + " is not permitted by the gateway's policy");
  }

  /** There are several ways, and which one is meant is not known. */
  void refuseAmbiguous(byte[] request, Route.Ambiguous ambiguous) {
    Refusal refusal =
        log(
            Refusal.of(
                "servers on "
                    + ambiguous.places()
                    + " use this name in their stubs, and the gateway cannot tell which of them has"
                    + " this object",
                "set java.rmi.server.hostname there"),
            request);
    refuseNoted(
        "ambiguous-endpoint",
        refusal,
        request,
        RefusalReason.CONNECT_FAILED,
        "rmigate: several servers call themselves "
            + stream.target()
            + ", and which one is meant is not known");
  }

  /**
   * Nothing of it goes to a server, and its rest is dropped.
   *
   * @param word for metrics and audit
   */
  void refuse(String word, Refusal refusal, byte[] request, RefusalReason reason, String text) {
    parts.gathering().discardRest();
    refuseNoted(word, refusal, request, reason, text);
  }

  /**
   * Refuses a request before any of it goes to a server; the caller that asked for its route
   * discards the rest. No line is written, for there may be any number of these.
   *
   * @param word for metrics and audit
   */
  void refuseEarly(String word, byte[] request, RefusalReason reason, String text) {
    refuseNoted(word, Refusal.of(text), request, reason, text);
  }

  private void refuseNoted(
      String word, Refusal refusal, byte[] request, RefusalReason reason, String text) {
    session.meters().refused(word);
    parts.audit().refused(word, refusal, request);
    refuse(request.length, reason, session.refusals().told(refusal, text));
  }

  /**
   * Tells the agent.
   *
   * @param bytes of the request, that have come
   */
  private void refuse(int bytes, RefusalReason reason, String text) {
    dropBeginning.run();
    session.refusals().count();
    parts.window().consumed(bytes);
    session.agent().add(new Refused(stream.id(), parts.gathering().request(), reason, text));
    session.agent().flush();
  }

  /** Refuses a malformed request: counts it for the lockouts, and ends the stream. */
  void reject(String reason, byte[] request) {
    session.refusals().lockout().onMalformed(reason, request);
    end(reason, request);
  }

  /** Ends the stream because of a bad request, perhaps without a fault of the client. */
  void end(String reason, byte[] request) {
    Refusal refusal = Refusal.of("bad request: " + LogText.brief(reason));
    log(refusal, request);
    session.meters().refused("bad-request");
    session.refusals().count();
    parts.audit().refused("bad-request", refusal, request);
    stream.closeFromHere(
        CloseCause.BAD_REQUEST,
        request.length == 0 || parts.returns().awaiting()
            ? ""
            : session.refusals().told(refusal, BAD_CALL));
  }
}
