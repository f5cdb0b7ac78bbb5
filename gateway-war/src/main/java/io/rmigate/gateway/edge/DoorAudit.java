package io.rmigate.gateway.edge;

import io.rmigate.gateway.audit.AuditEntry;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditField;
import io.rmigate.gateway.audit.AuditTrail;
import io.rmigate.gateway.login.LoginAudit;
import io.rmigate.gateway.login.Principal;
import io.rmigate.protocol.LogText;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/**
 * Tells the audit of requests that the tunnel's door, or that of old clients, has refused before
 * they were part of a session. Of logins {@link LoginAudit} tells. Thread-safe.
 */
public final class DoorAudit {
  /** For gateways without an audit. */
  public static final DoorAudit OFF = new DoorAudit(AuditTrail.OFF);

  private final AuditTrail trail;

  /** Tells that trail. */
  public DoorAudit(AuditTrail trail) {
    this.trail = trail;
  }

  /**
   * What is known of a request, also when the container has taken it back.
   *
   * @param peer address and port
   * @param via the trusted proxy whose word that is; null where there is none
   * @param door the path of the servlet
   * @param principal empty: nobody has been asked who he is
   */
  public record Visitor(String peer, Object via, String door, Optional<Principal> principal) {
    /** Of a request, by the thread that has it. */
    public static Visitor of(HttpServletRequest request, Optional<Principal> principal) {
      return new Visitor(
          request.getRemoteAddr() + ":" + request.getRemotePort(),
          request.getAttribute(LoginAudit.PROXY),
          LogText.brief(request.getServletPath()),
          principal);
    }
  }

  /**
   * It goes no further.
   *
   * @param status of HTTP, with which it is answered
   */
  public void refused(Visitor visitor, String rule, int status) {
    if (!trail.records(AuditEvent.DOOR)) {
      return;
    }
    AuditEntry entry =
        AuditEntry.of(AuditEvent.DOOR)
            .refusedBy(rule)
            .with(AuditField.PEER, visitor.peer())
            .with(AuditField.VIA, visitor.via())
            .with(AuditField.DOOR, visitor.door())
            .with(AuditField.STATUS, status);
    visitor
        .principal()
        .ifPresent(
            principal ->
                entry
                    .with(AuditField.PRINCIPAL, principal.name())
                    .with(AuditField.SCHEME, principal.scheme().word()));
    trail.add(entry);
  }
}
