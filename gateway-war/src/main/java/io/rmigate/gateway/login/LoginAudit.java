package io.rmigate.gateway.login;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.rmigate.gateway.audit.AuditEntry;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditField;
import io.rmigate.gateway.audit.AuditOutcome;
import io.rmigate.gateway.audit.AuditTrail;
import io.rmigate.gateway.log.RareLines;
import io.rmigate.gateway.policy.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;

/**
 * Tells the audit of logins: each refusal, and of what is accepted each principal once in a while
 * for each address and door, since some links log in with every request. Thread-safe; outlives
 * reloads.
 */
public final class LoginAudit {
  /** The attribute of a request with the trusted proxy that has passed it on, if one has. */
  public static final String PROXY = "io.rmigate.proxy";

  private static final Duration ONCE_IN = Duration.ofMinutes(10);
  private static final int MAX_REMEMBERED = 10_000;

  private record Seen(String name, Principal.Scheme scheme, String address, String door) {}

  private final AuditTrail trail;
  private final RareLines lines;
  private final Cache<Seen, Boolean> told =
      Caffeine.newBuilder().expireAfterWrite(ONCE_IN).maximumSize(MAX_REMEMBERED).build();

  /**
   * Tells that trail.
   *
   * @param lines of the log, that callers can have written at will
   */
  public LoginAudit(AuditTrail trail, RareLines lines) {
    this.trail = trail;
    this.lines = lines;
  }

  /** For gateways without an audit. */
  public static LoginAudit off() {
    return new LoginAudit(AuditTrail.OFF, RareLines.ofCallers());
  }

  /** Lines of the log, that callers can have written at will. */
  RareLines lines() {
    return lines;
  }

  void accepted(HttpServletRequest request, Principal principal) {
    if (!trail.records(AuditEvent.LOGIN)) {
      return;
    }
    Seen seen =
        new Seen(
            principal.name(),
            principal.scheme(),
            request.getRemoteAddr(),
            request.getServletPath());
    if (told.asMap().putIfAbsent(seen, true) == null) {
      trail.add(
          entry(request)
              .outcome(AuditOutcome.ACCEPTED)
              .with(AuditField.PRINCIPAL, principal.name())
              .with(AuditField.SCHEME, principal.scheme().word()));
    }
  }

  void refused(HttpServletRequest request, LoginResult.Refused refused) {
    if (trail.records(AuditEvent.LOGIN)) {
      trail.add(
          entry(request)
              .refused("login", new Refusal(refused.number(), refused.reason(), ""))
              .outcome(
                  refused.kind() == LoginResult.Kind.LOCKED
                      ? AuditOutcome.LOCKED
                      : AuditOutcome.REFUSED)
              .with(AuditField.PRINCIPAL, refused.claimed()));
    }
  }

  void shut(HttpServletRequest request, String rule, Refusal refusal, int status) {
    if (trail.records(AuditEvent.DOOR)) {
      trail.addLeast(
          entry(request, AuditEvent.DOOR).refused(rule, refusal).with(AuditField.STATUS, status));
    }
  }

  private static AuditEntry entry(HttpServletRequest request) {
    return entry(request, AuditEvent.LOGIN);
  }

  private static AuditEntry entry(HttpServletRequest request, AuditEvent event) {
    return AuditEntry.of(event)
        .with(AuditField.PEER, request.getRemoteAddr() + ":" + request.getRemotePort())
        .with(AuditField.VIA, request.getAttribute(PROXY))
        .with(AuditField.DOOR, request.getServletPath());
  }
}
