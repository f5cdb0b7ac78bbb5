package io.rmigate.gateway.login;

import com.sun.management.ThreadMXBean;
import io.rmigate.gateway.LiveConfiguration;
import io.rmigate.gateway.audit.AuditTrail;
import io.rmigate.gateway.config.GatewayConfig;
import io.rmigate.gateway.log.RareLines;
import io.rmigate.gateway.problem.ConfigException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** A real server whose only servlet answers with the principal, or refuses. */
final class LoginServer implements AutoCloseable {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private volatile X509Certificate shown;
  private volatile long cost;
  private volatile Principal accepted;
  private final Server server = new Server();
  private final ServerConnector connector = new ServerConnector(server);
  private final HttpClient client = HttpClient.newHttpClient();

  LoginServer(Login login) throws Exception {
    connector.setHost("127.0.0.1");
    connector
        .getConnectionFactory(HttpConnectionFactory.class)
        .getHttpConfiguration()
        .setRequestHeaderSize(32 * 1024); // so that our own limits are what is met
    server.addConnector(connector);
    ServletContextHandler context = new ServletContextHandler("/");
    context.addServlet(new ServletHolder(new WhoAmI(login)), "/*");
    server.setHandler(context);
    server.start();
  }

  /** {@code logins}: the lines below the key of that name; {@code more}: lines at the top. */
  static LoginServer start(Path directory, String logins, String more) throws Exception {
    return start(directory, logins, more, AuditTrail.OFF);
  }

  static LoginServer start(Path directory, String logins, String more, AuditTrail audit)
      throws Exception {
    return new LoginServer(
        login(
            configuration(directory, logins, more), new LoginAudit(audit, RareLines.ofCallers())));
  }

  /** The login that these lines make, with the files there are now. */
  static Login login(Path directory, String logins, String more) throws Exception {
    return login(configuration(directory, logins, more), LoginAudit.off());
  }

  private static Login login(GatewayConfig config, LoginAudit audit) throws ConfigException {
    return LiveConfiguration.login(config, audit, config.server().tls(), new KeySets());
  }

  private static GatewayConfig configuration(Path directory, String logins, String more)
      throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("rmigate.yaml"),
            "logins:\n"
                + logins.indent(2)
                + "targets:\n  - principals: [\"*\"]\n    allow: [\"a:1\"]\n"
                + more);
    return GatewayConfig.load(file, Map.of());
  }

  /**
   * Answers {@code name SCHEME}, and when the login ends. {@code X-Container-User} plays a
   * container's own login, {@code X-Container-Roles} the roles of that, with commas between, {@code
   * X-Peer} the address of the client.
   */
  private final class WhoAmI extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private final transient Login login;

    WhoAmI(Login login) {
      this.login = login;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      if (shown != null) {
        request.setAttribute(
            "jakarta.servlet.request.X509Certificate", new X509Certificate[] {shown});
      }
      long before = THREADS.getCurrentThreadAllocatedBytes();
      LoginResult result = login.authenticate(new PlayedRequest(request));
      cost = THREADS.getCurrentThreadAllocatedBytes() - before;
      if (result instanceof LoginResult.Accepted good) {
        accepted = good.principal();
        accepted.expires().ifPresent(end -> response.setHeader("X-Login-Ends", end.toString()));
        response.getOutputStream().print(accepted.name() + " " + accepted.scheme());
      } else {
        login.refuse(response, result);
      }
    }
  }

  private static final class PlayedRequest extends HttpServletRequestWrapper {
    PlayedRequest(HttpServletRequest request) {
      super(request);
    }

    @Override
    public java.security.Principal getUserPrincipal() {
      String name = getHeader("X-Container-User");
      return name == null ? null : () -> name;
    }

    @Override
    public boolean isUserInRole(String role) {
      String roles = getHeader("X-Container-Roles");
      return roles != null && List.of(roles.split(",", -1)).contains(role);
    }

    @Override
    public String getRemoteAddr() {
      String peer = getHeader("X-Peer");
      return peer == null ? super.getRemoteAddr() : peer;
    }
  }

  /** The certificate that clients are said to have shown from now on; null: none. */
  void shows(X509Certificate certificate) {
    shown = certificate;
  }

  /** Who was let in last. */
  Principal accepted() {
    return accepted;
  }

  /** Bytes that the latest login has allocated on its thread. */
  long cost() {
    return cost;
  }

  /** Headers come in pairs of name and value. */
  HttpResponse<String> get(String... headers) throws IOException, InterruptedException {
    return at("/", headers);
  }

  /** The answer at a path; headers come in pairs of name and value. */
  HttpResponse<String> at(String path, String... headers) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + connector.getLocalPort() + path));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  static String basic(String name, String password) {
    return "Basic "
        + Base64.getEncoder()
            .encodeToString((name + ":" + password).getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
