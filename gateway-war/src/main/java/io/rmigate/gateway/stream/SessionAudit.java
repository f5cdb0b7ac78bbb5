package io.rmigate.gateway.stream;

import io.rmigate.gateway.audit.AuditEntry;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditField;
import io.rmigate.gateway.audit.AuditOutcome;
import io.rmigate.gateway.audit.AuditTrail;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.protocol.tunnel.CloseCause;

/** The audit of one session; it adds principal, session and peer to each entry. Thread-safe. */
public final class SessionAudit {
  private final AuditTrail trail;
  private final Principal principal;
  private final String session;
  private volatile String peer;

  public SessionAudit(AuditTrail trail, Principal principal, String session, String peer) {
    this.trail = trail;
    this.principal = principal;
    this.session = session;
    this.peer = peer;
  }

  public boolean records(AuditEvent event) {
    return trail.records(event);
  }

  /** Whether nothing new may be let through since it could not be audited. */
  public boolean refusesWork() {
    return trail.refusesWork();
  }

  public AuditEntry entry(AuditEvent event) {
    return AuditEntry.of(event)
        .with(AuditField.PRINCIPAL, principal.name())
        .with(AuditField.SCHEME, principal.scheme().word())
        .with(AuditField.PEER, peer)
        .with(AuditField.SESSION, session);
  }

  /** Adds the class and the endpoint that an objection is about. */
  public static void about(AuditEntry entry, Objection objection) {
    entry
        .with(AuditField.CLASS, objection.className())
        .with(AuditField.ENDPOINT, objection.endpoint());
  }

  public void add(AuditEntry entry) {
    trail.add(entry);
  }

  public void opened() {
    add(entry(AuditEvent.SESSION).outcome(AuditOutcome.OPENED));
  }

  /** The session has resumed over a link from that address. */
  public void resumed(String from) {
    peer = from;
    add(entry(AuditEvent.SESSION).outcome(AuditOutcome.RESUMED));
  }

  /** The session has ended. */
  public void ended(CloseCause cause) {
    add(entry(AuditEvent.SESSION).with(AuditField.CAUSE, cause.name()).outcome(AuditOutcome.ENDED));
  }

  /** The session is refused before its WELCOME. */
  public void refused(CloseCause cause, Refusal refusal) {
    add(entry(AuditEvent.SESSION).with(AuditField.CAUSE, cause.name()).refused("session", refusal));
  }

  /** A request or stream of it has been refused; its client knows the number. */
  public void refused(AuditEvent event, String target, String rule, Refusal refusal) {
    if (records(event)) {
      add(entry(event).with(AuditField.TARGET, target).refused(rule, refusal));
    }
  }
}
