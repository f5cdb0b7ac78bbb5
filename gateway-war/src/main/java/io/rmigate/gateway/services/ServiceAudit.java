package io.rmigate.gateway.services;

import io.rmigate.gateway.audit.AuditEntry;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditField;
import io.rmigate.gateway.audit.AuditOutcome;
import io.rmigate.gateway.audit.AuditTrail;
import io.rmigate.gateway.bridge.CallRefusal;
import io.rmigate.gateway.bridge.marshal.MethodHash;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.policy.RefusalLine;
import io.rmigate.protocol.LogText;
import io.rmigate.soap.json.Problem;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Writes the audit entry of one web-service request after its answer. The entry names object and
 * operation, but not the handle, which is a secret of its owner.
 */
final class ServiceAudit {
  private static final int FIRST_FAILURE = 400;

  private final AuditTrail trail;
  private final HttpServletRequest request;
  private final Principal principal;

  ServiceAudit(AuditTrail trail, HttpServletRequest request, Principal principal) {
    this.trail = trail;
    this.request = request;
    this.principal = principal;
  }

  /**
   * The request is over.
   *
   * @param refused takes the line of the log, if it is refused
   * @param answer what has been sent
   * @param refusedBy the rule by which it is refused; empty: it is not
   * @param run empty when it was no call
   */
  void over(
      Consumer<RefusalLine> refused,
      String path,
      Answer answer,
      String refusedBy,
      Optional<CallsInProgress.Call> begun,
      Optional<ObjectRequest> run) {
    Optional<CallEnd> called = begun.flatMap(CallsInProgress.Call::end);
    Optional<Refusal> refusal = refusal(answer, refusedBy, called);
    String target =
        run.map(call -> call.object().place().object().name().registry().toString()).orElse("");
    refusal.ifPresent(
        its ->
            refused.accept(
                new RefusalLine(
                    target.isEmpty() ? request.getServletPath() : target,
                    what(path, run),
                    LogText.of(principal.name()),
                    its,
                    "",
                    peer())));
    if (!trail.records(AuditEvent.SERVICE)) {
      return;
    }
    AuditEntry entry =
        AuditEntry.of(AuditEvent.SERVICE)
            .with(AuditField.VERDICT, AuditEntry.ALLOWED)
            .with(AuditField.PRINCIPAL, principal.name())
            .with(AuditField.SCHEME, principal.scheme().word())
            .with(AuditField.PEER, peer())
            .with(AuditField.DOOR, request.getServletPath())
            .with(AuditField.PATH, request.getServletPath() + "/" + path)
            .with(AuditField.STATUS, answer.status())
            .with(AuditField.ANSWER_BYTES, answer.bytes());
    run.ifPresent(
        call ->
            entry
                .with(AuditField.TARGET, target)
                .with(AuditField.NAME, call.object().place().object().name().name())
                .with(AuditField.INTERFACE, call.object().contract().type().getName())
                .with(AuditField.METHOD, call.call().operation()));
    begun.ifPresent(
        call -> {
          entry
              .with(AuditField.REQUEST_BYTES, call.bytesRead())
              .with(AuditField.MICROS, call.nanos() / 1000);
          call.method().ifPresent(m -> entry.with(AuditField.METHOD_HASH, MethodHash.of(m)));
        });
    if (!refusedBy.isEmpty()) {
      entry.refused(refusedBy, refusal.orElseThrow());
    } else if (called.isPresent()) {
      called.get().tell(entry, target, answer.status() != 0, refusal.orElse(null));
    } else {
      endUncalled(entry, answer, refusal);
    }
    trail.add(entry);
  }

  private String peer() {
    return request.getRemoteAddr() + ":" + request.getRemotePort();
  }

  private String what(String path, Optional<ObjectRequest> run) {
    return run.map(
            call ->
                "service "
                    + LogText.brief(path)
                    + " "
                    + call.object().contract().type().getName()
                    + " "
                    + LogText.brief(call.call().operation()))
        .orElseGet(() -> "service " + LogText.brief(path));
  }

  /**
   * The refusal of an entry that the audit records as refused; the status of the answer can differ.
   */
  private static Optional<Refusal> refusal(
      Answer answer, String refusedBy, Optional<CallEnd> called) {
    Optional<CallRefusal> ofCall = called.flatMap(CallEnd::refusal);
    boolean ofRequest =
        !refusedBy.isEmpty() || (called.isEmpty() && answer.status() >= FIRST_FAILURE);
    if (ofCall.isPresent()) {
      return Optional.of(answer.refused(ofCall.get().numbered()));
    }
    return ofRequest
        ? Optional.of(answer.refused(Refusal.of("the answer has the status " + answer.status())))
        : Optional.empty();
  }

  private static void endUncalled(AuditEntry entry, Answer answer, Optional<Refusal> refusal) {
    if (refusal.isPresent()) {
      // Nothing was called that could have failed.
      entry.refused(rule(answer.status(), answer.isRefusal()), refusal.get());
    } else {
      entry.outcome(answer.status() == 0 ? AuditOutcome.ABANDONED : AuditOutcome.ANSWERED);
    }
  }

  /**
   * The rule by which a front refuses a request.
   *
   * @param problem whether the answer is a problem document; a SOAP fault has the status 500 for
   *     errors of the client, too
   */
  static String rule(int status, boolean problem) {
    if (status == Problem.Kind.TOO_LARGE.status()) {
      return ServiceRefusedException.rule(Problem.Kind.TOO_LARGE);
    } else if (status == Problem.Kind.MEDIA_TYPE.status()) {
      return ServiceRefusedException.rule(Problem.Kind.MEDIA_TYPE);
    } else if (status == Problem.Kind.NOT_FOUND.status()) {
      return ServiceRefusedException.rule(Problem.Kind.NOT_FOUND);
    } else if (status >= Problem.Kind.INTERNAL.status() && problem) {
      return ServiceRefusedException.rule(Problem.Kind.INTERNAL);
    }
    return "bad-request";
  }
}
