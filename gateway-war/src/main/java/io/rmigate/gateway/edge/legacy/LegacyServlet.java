package io.rmigate.gateway.edge.legacy;

import io.rmigate.gateway.edge.door.DoorAudit;
import io.rmigate.gateway.edge.door.WebPages;
import io.rmigate.gateway.legacy.LegacyClients;
import io.rmigate.gateway.legacy.LegacyRefusal;
import io.rmigate.gateway.legacy.LegacySettings;
import io.rmigate.gateway.login.Login;
import io.rmigate.gateway.login.LoginResult;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.protocol.AddressLiteral;
import io.rmigate.protocol.jrmp.EndpointId;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * {@code POST /} and {@code POST /cgi-bin/java-rmi.cgi?forward=PORT}: checks the login before the
 * body is read. Web pages are refused for every user: without a preflight request they cannot send
 * this content type, and browsers mark their other requests.
 */
public final class LegacyServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private final transient LegacyClients clients;
  private final transient Supplier<Login> login;
  private final transient DoorAudit audit;

  /**
   * @param login in force now
   * @param audit is told of what is refused, but for logins
   */
  public LegacyServlet(LegacyClients clients, Supplier<Login> login, DoorAudit audit) {
    this.clients = clients;
    this.login = login;
    this.audit = audit;
  }

  /** Where it is to be found, below the context path. */
  public static String[] mappings() {
    return new String[] {"", LegacyTarget.CGI};
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (request.getMethod().equals("POST")) {
      doPost(request, response);
    } else {
      response.setStatus(HttpServletResponse.SC_NOT_FOUND); // as everywhere else
    }
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (WebPages.maySend(request)) {
      refuse(visitor(request, Optional.empty()), response, LegacyRefusal.FOREIGN);
      return;
    }
    if (!StreamedAnswer.CONTENT_TYPE.equals(type(request))) {
      refuse(visitor(request, Optional.empty()), response, LegacyRefusal.OTHER_TYPE);
      return;
    }
    LegacySettings settings = clients.settings();
    Optional<InetAddress> host = AddressLiteral.ofPeer(String.valueOf(request.getRemoteAddr()));
    if (host.isEmpty()
        || settings.from().filter(from -> !from.hasAddress(host.get())).isPresent()) {
      refuse(visitor(request, Optional.empty()), response, LegacyRefusal.NOT_FROM_HERE);
      return;
    }
    Login door = login.get();
    Optional<Principal> configured =
        settings.principal().map(name -> new Principal(name, Principal.Scheme.CONFIGURED));
    LoginResult result = door.authenticate(request, configured);
    if (!(result instanceof LoginResult.Accepted accepted)) {
      clients.refused("login");
      door.refuse(response, result);
      return;
    }
    DoorAudit.Visitor visitor = visitor(request, Optional.of(accepted.principal()));
    Optional<EndpointId> target = LegacyTarget.of(request);
    if (target.isEmpty()) {
      refuse(visitor, response, LegacyRefusal.NO_TARGET);
      return;
    }
    LegacyClients.Visit visit = clients.enter(host.get());
    if (visit == null) {
      refuse(visitor, response, LegacyRefusal.FULL);
      return;
    }
    begin(visit, visitor, request, host.get(), accepted.principal(), target.get());
  }

  private static DoorAudit.Visitor visitor(
      HttpServletRequest request, Optional<Principal> principal) {
    return DoorAudit.Visitor.of(request, principal);
  }

  private void begin(
      LegacyClients.Visit visit,
      DoorAudit.Visitor visitor,
      HttpServletRequest request,
      InetAddress host,
      Principal principal,
      EndpointId target)
      throws IOException {
    boolean begun = false;
    try {
      new LegacyExchange(
              clients, visit, refusal -> told(visitor, refusal), request, host, principal, target)
          .begin();
      begun = true;
    } finally {
      if (!begun) {
        visit.end();
      }
    }
  }

  /** Content type of the body; empty when it has none. */
  private static String type(HttpServletRequest request) {
    // Not getContentType, which fails in Jetty when it knows no such charset.
    String type = request.getHeader("Content-Type");
    return type == null ? "" : type.strip().toLowerCase(Locale.ROOT);
  }

  /** Tells log and audit of a refusal, and says what the client is told. */
  private String told(DoorAudit.Visitor visitor, LegacyRefusal refusal) {
    Refusal numbered = Refusal.of(refusal.text());
    audit.refused(visitor, refusal.rule(), numbered, refusal.status());
    return numbered.told(refusal.text(), false);
  }

  private void refuse(
      DoorAudit.Visitor visitor, HttpServletResponse response, LegacyRefusal refusal)
      throws IOException {
    clients.refused(refusal.rule());
    byte[] body = (told(visitor, refusal) + "\n").getBytes(StandardCharsets.UTF_8);
    response.setStatus(refusal.status());
    response.setContentType("text/plain;charset=utf-8");
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }
}
