package io.rmigate.gateway.services;

import io.rmigate.gateway.audit.AuditEntry;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditField;
import io.rmigate.gateway.audit.AuditOutcome;
import io.rmigate.gateway.audit.AuditTrail;
import io.rmigate.gateway.bridge.marshal.MethodHash;
import io.rmigate.gateway.login.Principal;
import io.rmigate.soap.json.Problem;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/**
 * Tells the audit of one request of a web-service client, once, when it has been answered. Of the
 * address it names the object and the operation, not the handle, which is nobody else's business.
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
   * It is over.
   *
   * @param answer what has been sent
   * @param refusedBy the rule by which it is refused; empty: it is not
   * @param run empty when it was no call
   */
  void over(
      String path,
      Answer answer,
      String refusedBy,
      Optional<CallsInProgress.Call> begun,
      Optional<FrontRun> run) {
    if (!trail.records(AuditEvent.SERVICE)) {
      return;
    }
    AuditEntry entry =
        AuditEntry.of(AuditEvent.SERVICE)
            .with(AuditField.VERDICT, AuditEntry.ALLOWED)
            .with(AuditField.PRINCIPAL, principal.name())
            .with(AuditField.SCHEME, principal.scheme().word())
            .with(AuditField.PEER, request.getRemoteAddr() + ":" + request.getRemotePort())
            .with(AuditField.DOOR, request.getServletPath())
            .with(AuditField.PATH, request.getServletPath() + "/" + path)
            .with(AuditField.STATUS, answer.status())
            .with(AuditField.ANSWER_BYTES, answer.bytes());
    String target = run.map(call -> call.place().object().name().registry().toString()).orElse("");
    run.ifPresent(
        call ->
            entry
                .with(AuditField.TARGET, target)
                .with(AuditField.NAME, call.place().object().name().name())
                .with(AuditField.INTERFACE, call.contract().type().getName())
                .with(AuditField.METHOD, call.call().operation()));
    begun.ifPresent(
        call -> {
          entry
              .with(AuditField.REQUEST_BYTES, call.bytesRead())
              .with(AuditField.MICROS, call.nanos() / 1000);
          call.method().ifPresent(m -> entry.with(AuditField.METHOD_HASH, MethodHash.of(m)));
        });
    Optional<CallEnd> called = begun.flatMap(CallsInProgress.Call::end);
    if (!refusedBy.isEmpty()) {
      entry.refusedBy(refusedBy);
    } else if (called.isPresent()) {
      called.get().tell(entry, target, answer.status() != 0);
    } else {
      endUncalled(entry, answer);
    }
    trail.add(entry);
  }

  private static void endUncalled(AuditEntry entry, Answer answer) {
    if (answer.status() >= FIRST_FAILURE) {
      // Nothing was called that could have failed.
      entry.refusedBy(rule(answer.status(), answer.isRefusal()));
    } else {
      entry.outcome(answer.status() == 0 ? AuditOutcome.ABANDONED : AuditOutcome.ANSWERED);
    }
  }

  /**
   * By what a front refuses a request.
   *
   * @param problem whether it says so in a problem document: a SOAP fault is of the status 500
   *     whoever is at fault
   */
  static String rule(int status, boolean problem) {
    if (status == Problem.Kind.TOO_LARGE.status()) {
      return Refused.rule(Problem.Kind.TOO_LARGE);
    } else if (status == Problem.Kind.MEDIA_TYPE.status()) {
      return Refused.rule(Problem.Kind.MEDIA_TYPE);
    } else if (status == Problem.Kind.NOT_FOUND.status()) {
      return Refused.rule(Problem.Kind.NOT_FOUND);
    } else if (status >= Problem.Kind.INTERNAL.status() && problem) {
      return Refused.rule(Problem.Kind.INTERNAL);
    }
    return "bad-request";
  }
}
