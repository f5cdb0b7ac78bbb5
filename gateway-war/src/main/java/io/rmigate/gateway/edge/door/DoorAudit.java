package io.rmigate.gateway.edge.door;

import io.rmigate.gateway.audit.AuditEntry;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditField;
import io.rmigate.gateway.audit.AuditTrail;
import io.rmigate.gateway.limit.Caller;
import io.rmigate.gateway.log.RareLines;
import io.rmigate.gateway.login.LoginAudit;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.policy.RefusalLine;
import io.rmigate.protocol.LogText;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the log and the audit of requests that the tunnel's door, or that of old clients, has
 * refused before they were part of a session. Of logins {@link LoginAudit} tells. Thread-safe.
 */
public final class DoorAudit {
  /** For gateways without an audit. */
  public static final DoorAudit OFF = new DoorAudit(AuditTrail.OFF, RareLines.ofCallers());

  private static final Logger LOG = LoggerFactory.getLogger(DoorAudit.class);

  private final AuditTrail trail;
  private final RareLines lines;

  /**
   * Tells that trail.
   *
   * @param lines of the log, that callers can have written at will
   */
  public DoorAudit(AuditTrail trail, RareLines lines) {
    this.trail = trail;
    this.lines = lines;
  }

  /**
   * What is known of a request, also when the container has taken it back.
   *
   * @param peer address and port
   * @param via the trusted proxy that reported the peer; null without a proxy
   * @param door the path of the servlet
   * @param principal empty: no login was asked for
   */
  public record Visitor(String peer, Object via, String door, Optional<Principal> principal) {
    /** The visitor of a request; called by the thread that has the request. */
    public static Visitor of(HttpServletRequest request, Optional<Principal> principal) {
      return new Visitor(
          request.getRemoteAddr() + ":" + request.getRemotePort(),
          request.getAttribute(LoginAudit.PROXY),
          LogText.brief(request.getServletPath()),
          principal);
    }
  }

  /**
   * The request is refused. Writes a line of the log, too.
   *
   * @param status of HTTP, with which it is answered
   */
  public void refused(Visitor visitor, String rule, Refusal refusal, int status) {
    String principal = visitor.principal().map(who -> LogText.of(who.name())).orElse("");
    Object caller =
        visitor
            .principal()
            .map(who -> Caller.of(who, visitor.peer()).toldAs())
            .orElseGet(() -> Caller.of(Principal.ANONYMOUS, visitor.peer()).toldAs());
    lines.warn(
        LOG,
        caller,
        "{}",
        new RefusalLine(
            visitor.door().isEmpty() ? "/" : visitor.door(),
            "request",
            principal,
            refusal,
            "",
            visitor.peer()));
    if (!trail.records(AuditEvent.DOOR)) {
      return;
    }
    AuditEntry entry =
        AuditEntry.of(AuditEvent.DOOR)
            .refused(rule, refusal)
            .with(AuditField.PEER, visitor.peer())
            .with(AuditField.VIA, visitor.via())
            .with(AuditField.DOOR, visitor.door())
            .with(AuditField.STATUS, status);
    visitor
        .principal()
        .ifPresent(
            who ->
                entry
                    .with(AuditField.PRINCIPAL, who.name())
                    .with(AuditField.SCHEME, who.scheme().word()));
    trail.add(entry);
  }
}
