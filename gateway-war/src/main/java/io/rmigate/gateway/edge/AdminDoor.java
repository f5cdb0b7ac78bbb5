package io.rmigate.gateway.edge;

import io.rmigate.gateway.audit.AuditTrail;
import io.rmigate.gateway.edge.door.WebPages;
import io.rmigate.gateway.limit.Caller;
import io.rmigate.gateway.log.RareLines;
import io.rmigate.gateway.login.Login;
import io.rmigate.gateway.login.LoginResult;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.policy.RefusalLine;
import io.rmigate.protocol.LogText;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Admits the principals of {@code admin.principals}. Asks for its settings at each request. */
public final class AdminDoor {
  private static final Logger log = LoggerFactory.getLogger(AdminDoor.class);

  private final Supplier<Set<String>> principals;
  private final BooleanSupplier metricsOpen;
  private final Supplier<Login> login;
  private final AdminAudit audit;
  private final RareLines lines;

  /**
   * The suppliers give what is in force now.
   *
   * @param principals of {@code admin.principals}
   * @param metricsOpen whether {@code metrics} is {@code open}
   * @param lines of the log, that callers can have written at will
   */
  public AdminDoor(
      Supplier<Set<String>> principals,
      BooleanSupplier metricsOpen,
      Supplier<Login> login,
      AuditTrail trail,
      RareLines lines) {
    this.audit = new AdminAudit(trail);
    this.lines = lines;
    this.principals = principals;
    this.metricsOpen = metricsOpen;
    this.login = login;
  }

  boolean metricsAreOpen() {
    return metricsOpen.getAsBoolean();
  }

  /**
   * Whether to go on; if not, the answer has been given: 401 without a login, 403 for a principal
   * that is no admin.
   */
  boolean letsIn(HttpServletRequest request, HttpServletResponse response) throws IOException {
    return admin(request, response).isPresent();
  }

  /**
   * The admin of a request that changes something; empty: the answer has been given. Web pages are
   * refused, because a browser would add the login of its user.
   */
  Optional<Principal> changing(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (WebPages.maySend(request)) {
      Answers.send(response, 403, Answers.TEXT, "web pages cannot do this\n");
      return Optional.empty();
    }
    return admin(request, response);
  }

  AdminAudit audit() {
    return audit;
  }

  private Optional<Principal> admin(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Login door = login.get();
    LoginResult result = door.authenticate(request);
    if (!(result instanceof LoginResult.Accepted accepted)) {
      Answers.harden(response);
      door.refuse(response, result);
      return Optional.empty();
    }
    Principal principal = accepted.principal();
    if (principal.isNamedBy(principals.get())) {
      audit.accepted(request, principal);
      return Optional.of(principal);
    }
    Refusal refusal =
        Refusal.of(
            "only admin.principals may use " + request.getServletPath(),
            "to allow it add the principal to admin.principals");
    audit.refused(request, principal, refusal);
    if (principal.scheme() == Principal.Scheme.ANONYMOUS) {
      // A client that has not tried to log in may still do so.
      Answers.harden(response);
      door.refuse(response);
    } else {
      lines.warn(
          log,
          Caller.of(principal, "").toldAs(),
          "{}",
          new RefusalLine(
              request.getServletPath(),
              "request",
              LogText.brief(principal.name()),
              refusal,
              "",
              request.getRemoteAddr() + ":" + request.getRemotePort()));
      Answers.send(response, 403, Answers.TEXT, refusal.told("not allowed", false) + "\n");
    }
    return Optional.empty();
  }
}
