package io.rmigate.gateway.edge.legacy;

import io.rmigate.gateway.legacy.LegacyClients;
import io.rmigate.gateway.legacy.LegacyRefusal;
import io.rmigate.gateway.legacy.LegacySettings;
import io.rmigate.gateway.login.Login;
import io.rmigate.gateway.login.LoginResult;
import io.rmigate.gateway.login.Principal;
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
 * {@code POST /} and {@code POST /cgi-bin/java-rmi.cgi?forward=PORT}: lets in who may, before
 * anything of the body is read. Web pages may not, whatever their reader may: what they could send
 * without asking is not of this type, and browsers say where the rest comes from.
 */
public final class LegacyServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private final transient LegacyClients clients;
  private final transient Supplier<Login> login;

  /**
   * @param login in force now
   */
  public LegacyServlet(LegacyClients clients, Supplier<Login> login) {
    this.clients = clients;
    this.login = login;
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
    if (request.getHeader("Origin") != null || request.getHeader("Sec-Fetch-Site") != null) {
      refuse(response, LegacyRefusal.FOREIGN, "legacy-web-page");
      return;
    }
    if (!StreamedAnswer.CONTENT_TYPE.equals(type(request))) {
      refuse(response, LegacyRefusal.OTHER_TYPE, "legacy-type");
      return;
    }
    LegacySettings settings = clients.settings();
    Optional<InetAddress> host = AddressLiteral.parse(String.valueOf(request.getRemoteAddr()));
    if (host.isEmpty()
        || settings.from().filter(from -> !from.hasAddress(host.get())).isPresent()) {
      refuse(response, LegacyRefusal.NOT_FROM_HERE, "legacy-address");
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
    Optional<EndpointId> target = LegacyTarget.of(request);
    if (target.isEmpty()) {
      refuse(response, LegacyRefusal.NO_TARGET, "legacy-target");
      return;
    }
    LegacyClients.Visit visit = clients.enter(host.get());
    if (visit == null) {
      refuse(response, LegacyRefusal.FULL, "legacy-full");
      return;
    }
    begin(visit, request, host.get(), accepted.principal(), target.get());
  }

  private void begin(
      LegacyClients.Visit visit,
      HttpServletRequest request,
      InetAddress host,
      Principal principal,
      EndpointId target)
      throws IOException {
    boolean begun = false;
    try {
      new LegacyExchange(clients, visit, request, host, principal, target).begin();
      begun = true;
    } finally {
      if (!begun) {
        visit.end();
      }
    }
  }

  /** Of the body; empty when it has none. */
  private static String type(HttpServletRequest request) {
    // Not getContentType, which fails in Jetty when it knows no such charset.
    String type = request.getHeader("Content-Type");
    return type == null ? "" : type.strip().toLowerCase(Locale.ROOT);
  }

  private void refuse(HttpServletResponse response, LegacyRefusal refusal, String reason)
      throws IOException {
    clients.refused(reason);
    byte[] body = (refusal.text() + "\n").getBytes(StandardCharsets.UTF_8);
    response.setStatus(refusal.status());
    response.setContentType("text/plain;charset=utf-8");
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }
}
