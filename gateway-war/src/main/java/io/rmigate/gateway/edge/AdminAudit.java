package io.rmigate.gateway.edge;

import io.rmigate.gateway.audit.AuditEntry;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditField;
import io.rmigate.gateway.audit.AuditOutcome;
import io.rmigate.gateway.audit.AuditTrail;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.Refusal;
import jakarta.servlet.http.HttpServletRequest;

/** Tells the audit who reads what only admins may. */
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
