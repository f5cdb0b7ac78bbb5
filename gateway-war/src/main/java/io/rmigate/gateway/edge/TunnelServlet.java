package io.rmigate.gateway.edge;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.rmigate.gateway.edge.door.DoorAudit;
import io.rmigate.gateway.edge.post.PostDoor;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.Refusal;
import io.rmigate.gateway.session.SessionRegistry;
import io.rmigate.protocol.tunnel.Tunnel;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Extension;
import jakarta.websocket.HandshakeResponse;
import jakarta.websocket.server.HandshakeRequest;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * {@code GET /tunnel}: who asks is found out first, then the container is told to upgrade to
 * WebSocket. {@code POST /tunnel}: who asks is found out first, too, each time; the rest is {@link
 * PostDoor}'s. A servlet, since a filter does not reliably run before an annotated endpoint.
 */
public final class TunnelServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;
  private static final String PATH = "/tunnel";
  private static final String WEBSOCKET_VERSION = "13";

  /** The answer does not state shorter times, because they barely change a round trip. */
  private static final int FEW_MILLIS = 2;

  private static final int KEY_BYTES = 16;
  private static final int KEY_CHARS = 24;

  /**
   * An attribute of a request to upgrade: a {@link LongConsumer} that leaves the connection unread
   * for a time in nanoseconds, without blocking. Without it a thread of the container waits.
   */
  public static final String REST = "io.rmigate.rest";

  /** The login, as this servlet needs it. */
  @FunctionalInterface
  public interface Login {

    /**
     * Finds out who asks; when empty, the response has been answered already.
     *
     * @throws IOException the answer could not be sent
     */
    Optional<Principal> login(HttpServletRequest request, HttpServletResponse response)
        throws IOException;
  }

  private final transient SessionRegistry registry;
  private final transient LinkCloser closer;
  private final transient Login login;
  private final transient Optional<PostDoor> posts;
  private final transient Supplier<Set<String>> origins;
  private final transient DoorAudit audit;
  private final transient PausedThreads resting = new PausedThreads();

  /**
   * The container makes one call per request, concurrently.
   *
   * @param posts empty: POST is not offered
   * @param origins of web pages that may open WebSockets; asked at each request
   * @param audit is told of web pages that may not
   */
  public TunnelServlet(
      SessionRegistry registry,
      LinkCloser closer,
      Login login,
      Optional<PostDoor> posts,
      Supplier<Set<String>> origins,
      DoorAudit audit) {
    this.registry = registry;
    this.closer = closer;
    this.login = login;
    this.posts = posts;
    this.origins = origins;
    this.audit = audit;
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (posts.isEmpty()) {
      response.setHeader("Allow", "GET");
      refuse(response, 405, "This gateway takes no POST at its tunnel.");
      return;
    }
    if (PostDoor.isForeign(request)) {
      refuseForeign(request, response);
      return;
    }
    Optional<Principal> principal = login.login(request, response);
    if (principal.isPresent()) {
      posts.get().take(request, principal.get());
    }
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    long start = System.nanoTime();
    if (!asksForWebSocket(request)) {
      requireUpgrade(response, "This is the tunnel of an rmigate gateway; it speaks WebSocket.");
      return;
    }
    if (!List.of(WEBSOCKET_VERSION).equals(values(request, "Sec-WebSocket-Version"))) {
      requireUpgrade(response, "The version of WebSocket must be " + WEBSOCKET_VERSION + ".");
      return;
    }
    if (!hasKey(request)) {
      refuse(response, 400, "Sec-WebSocket-Key must be 16 bytes in Base64.");
      return;
    }
    if (!asksFor(request, Tunnel.SUBPROTOCOL)) {
      refuse(response, 400, "The WebSocket subprotocol must be " + Tunnel.SUBPROTOCOL + ".");
      return;
    }
    if (isForeign(request)) {
      refuseForeign(request, response);
      return;
    }
    Optional<Principal> principal = login.login(request, response);
    if (principal.isPresent()) {
      upgrade(request, response, principal.get(), start);
    }
  }

  /** RFC 6455, section 4.2.1: what a container would answer with a failure, if at all. */
  private static boolean asksForWebSocket(HttpServletRequest request) {
    return request.getProtocol().equals("HTTP/1.1")
        && "websocket".equalsIgnoreCase(request.getHeader("Upgrade"))
        && values(request, "Connection").stream()
            .flatMap(value -> Stream.of(value.split(",", -1)))
            .anyMatch(token -> token.strip().equalsIgnoreCase("upgrade"));
  }

  private static boolean hasKey(HttpServletRequest request) {
    List<String> keys = values(request, "Sec-WebSocket-Key");
    try {
      return keys.size() == 1
          && keys.get(0).length() == KEY_CHARS
          && Base64.getDecoder().decode(keys.get(0)).length == KEY_BYTES;
    } catch (IllegalArgumentException notBase64) {
      return false;
    }
  }

  /** The values of all headers of that name. */
  private static List<String> values(HttpServletRequest request, String header) {
    return Collections.list(request.getHeaders(header));
  }

  /** RFC 6455, section 4.4. */
  private static void requireUpgrade(HttpServletResponse response, String text) throws IOException {
    response.setHeader("Upgrade", "websocket");
    response.setHeader("Sec-WebSocket-Version", WEBSOCKET_VERSION);
    refuse(response, 426, text);
  }

  /**
   * @param startNanos when the request came, on the clock of {@link System#nanoTime}
   */
  private void upgrade(
      HttpServletRequest request,
      HttpServletResponse response,
      Principal principal,
      long startNanos)
      throws IOException, ServletException {
    Optional<ByteBuffer> hello =
        asksFor(request, Tunnel.HELLO_SUBPROTOCOL) ? EarlyHello.of(request) : Optional.empty();
    String peer = request.getRemoteAddr() + ":" + request.getRemotePort();
    TunnelEndpoint.Pause rest = rest(request, principal);
    HostContainer container = HostContainer.of(getServletContext());
    ServerEndpointConfig config =
        ServerEndpointConfig.Builder.create(TunnelEndpoint.class, PATH)
            .subprotocols(
                List.of(hello.isPresent() ? Tunnel.HELLO_SUBPROTOCOL : Tunnel.SUBPROTOCOL))
            .configurator(
                new ServerEndpointConfig.Configurator() {
                  @Override
                  public <T> T getEndpointInstance(Class<T> endpointClass) {
                    return endpointClass.cast(
                        new TunnelEndpoint(
                            registry, closer, container, principal, peer, rest, hello));
                  }

                  /** States the time of the login: the agent subtracts it from the round trip. */
                  @Override
                  public void modifyHandshake(
                      ServerEndpointConfig endpoint,
                      HandshakeRequest asked,
                      HandshakeResponse answer) {
                    long millis = NANOSECONDS.toMillis(System.nanoTime() - startNanos);
                    if (hello.isPresent() && millis >= FEW_MILLIS) {
                      String text = Long.toString(millis);
                      answer.getHeaders().put(Tunnel.HELLO_HEADER, List.of(text));
                    }
                  }

                  /** None, because bytes that a container inflates have no bound. */
                  @Override
                  public List<Extension> getNegotiatedExtensions(
                      List<Extension> installed, List<Extension> requested) {
                    return List.of();
                  }
                })
            .build();
    ServerContainer webSockets =
        (ServerContainer) getServletContext().getAttribute(ServerContainer.class.getName());
    try {
      webSockets.upgradeHttpToWebSocket(request, response, config, Map.of());
    } catch (DeploymentException badEndpoint) {
      throw new ServletException(badEndpoint);
    }
  }

  private TunnelEndpoint.Pause rest(HttpServletRequest request, Principal principal) {
    if (request.getAttribute(REST) instanceof LongConsumer unread) {
      return nanos -> {
        unread.accept(nanos);
        return true;
      };
    }
    return nanos -> resting.rest(principal.name(), nanos);
  }

  /** No agent has an origin; a browser does, with credentials its user may know nothing of. */
  private boolean isForeign(HttpServletRequest request) {
    List<String> said = values(request, "Origin");
    return !said.isEmpty() && !(said.size() == 1 && origins.get().contains(said.get(0)));
  }

  private void refuseForeign(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Refusal refusal =
        Refusal.of(
            "it may come of a web page",
            "to allow a page's WebSockets add the origin of the page to origins in the configuration");
    audit.refused(
        DoorAudit.Visitor.of(request, Optional.empty()),
        "web-page",
        refusal,
        HttpServletResponse.SC_FORBIDDEN);
    refuse(
        response,
        HttpServletResponse.SC_FORBIDDEN,
        refusal.told("Web pages cannot open this tunnel.", false));
  }

  private static boolean asksFor(HttpServletRequest request, String subprotocol) {
    Enumeration<String> headers = request.getHeaders("Sec-WebSocket-Protocol");
    while (headers.hasMoreElements()) {
      for (String offered : headers.nextElement().split(",", -1)) {
        if (offered.strip().equals(subprotocol)) {
          return true;
        }
      }
    }
    return false;
  }

  private static void refuse(HttpServletResponse response, int status, String text)
      throws IOException {
    response.setStatus(status);
    response.setContentType("text/plain;charset=utf-8");
    response.getWriter().println(text);
  }
}
