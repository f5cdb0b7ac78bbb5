package io.rmigate.perf.relay;

import io.rmigate.protocol.tunnel.Tunnel;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** {@code GET /to/PORT/tunnel}: a WebSocket to that port of the one host. */
final class RelayServlet extends HttpServlet {
  /** Where it is mapped. */
  static final String PATTERN = "/to/*";

  private static final long serialVersionUID = 1L;

  private final String host;
  private final boolean async;

  RelayServlet(String host, boolean async) {
    this.host = host;
    this.async = async;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    int port = Integer.parseInt(request.getPathInfo().split("/", 3)[1]);
    ServerEndpointConfig config =
        ServerEndpointConfig.Builder.create(RelayEndpoint.class, "/tunnel")
            .subprotocols(List.of(Tunnel.SUBPROTOCOL))
            .configurator(
                new ServerEndpointConfig.Configurator() {
                  @Override
                  public <T> T getEndpointInstance(Class<T> endpointClass) {
                    return endpointClass.cast(new RelayEndpoint(host, port, async));
                  }
                })
            .build();
    ServerContainer container =
        (ServerContainer) getServletContext().getAttribute(ServerContainer.class.getName());
    try {
      container.upgradeHttpToWebSocket(request, response, config, Map.of());
    } catch (DeploymentException badEndpoint) {
      throw new ServletException(badEndpoint);
    }
  }
}
