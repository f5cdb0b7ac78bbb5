package io.rmigate.gateway.edge;

import io.rmigate.gateway.audit.AuditEntry;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditField;
import io.rmigate.gateway.audit.AuditOutcome;
import io.rmigate.gateway.audit.AuditTrail;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/** Tells the audit who reads and ends what only admins may. */
final class AdminAudit {
  private final AuditTrail trail;

  AdminAudit(AuditTrail trail) {
    this.trail = trail;
  }

  void accepted(HttpServletRequest request, Principal principal) {
    if (trail.records(AuditEvent.ADMIN)) {
      trail.add(
          entry(request, principal)
              .outcome(AuditOutcome.ACCEPTED)
              .with(AuditField.VERDICT, AuditEntry.ALLOWED));
    }
  }

  /**
   * An administrator has ended something.
   *
   * @param what for people
   * @param session the session that this was of; empty when it was of none
   */
  void ended(
      HttpServletRequest request, Principal principal, String what, Optional<String> session) {
    if (trail.records(AuditEvent.ADMIN)) {
      AuditEntry entry =
          entry(request, principal).outcome(AuditOutcome.ENDED).with(AuditField.REASON, what);
      trail.add(session.map(id -> entry.with(AuditField.SESSION, id)).orElse(entry));
    }
  }

  void refused(HttpServletRequest request, Principal principal, Refusal refusal) {
    if (trail.records(AuditEvent.ADMIN)) {
      trail.add(entry(request, principal).refused("admin.principals", refusal));
    }
  }

  private static AuditEntry entry(HttpServletRequest request, Principal principal) {
    String below = request.getPathInfo() == null ? "" : request.getPathInfo();
    return AuditEntry.of(AuditEvent.ADMIN)
        .with(AuditField.PRINCIPAL, principal.name())
        .with(AuditField.SCHEME, principal.scheme().word())
        .with(AuditField.PEER, request.getRemoteAddr() + ":" + request.getRemotePort())
        .with(AuditField.DOOR, request.getServletPath())
        .with(AuditField.METHOD, request.getMethod())
        .with(AuditField.PATH, request.getServletPath() + below);
  }
}
