package io.rmigate.gateway.standalone;

import io.rmigate.gateway.GatewayBootstrap;
import io.rmigate.gateway.config.GatewayConfig;
import io.rmigate.gateway.config.GatewayConfig.RequestPace;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where administration is when it has an address of its own (THREATS T57): a connector with a
 * context in which there is nothing else but health. What comes there is the same, with the same
 * keys and logins, as it would be at the gateway's.
 */
final class AdminListener {
  private static final Logger LOG = LoggerFactory.getLogger(AdminListener.class);
  private static final String NAME = "admin";

  /** Not of those of clients, who could else keep admins out. */
  private static final int MAX_CONNECTIONS = 256;

  private final GatewayConfig config;
  private final GatewayConfig.Listen listen;
  private final ServerConnector connector;

  private AdminListener(
      GatewayConfig config, GatewayConfig.Listen listen, ServerConnector connector) {
    this.config = config;
    this.listen = listen;
    this.connector = connector;
  }

  /**
   * Adds it to a server that has not been started, if there is to be one.
   *
   * @param contexts that of the gateway is the first, and so starts first
   */
  static Optional<AdminListener> of(
      GatewayConfig config,
      Server server,
      Optional<ReloadingTls> tls,
      ContextHandlerCollection contexts,
      GatewayBootstrap bootstrap) {
    return config
        .server()
        .adminListen()
        .map(
            listen -> {
              ServerConnector connector = connector(config, server, tls, bootstrap);
              connector.setHost(listen.host());
              connector.setPort(listen.port());
              server.addConnector(connector);
              contexts.addHandler(context(config, bootstrap));
              return new AdminListener(config, listen, connector);
            });
  }

  private static ServerConnector connector(
      GatewayConfig config, Server server, Optional<ReloadingTls> tls, GatewayBootstrap bootstrap) {
    OpenConnections connections =
        new OpenConnections(() -> MAX_CONNECTIONS, proxy -> false, bootstrap.metrics());
    Supplier<RequestPace> pace = () -> bootstrap.watcher().current().server().requests();
    HttpConnectionFactory http = EmbeddedServer.http(tls.isPresent());
    ServerConnector connector =
        tls.isPresent()
            ? new BoundedConnector(
                server,
                connections,
                pace,
                1,
                new SslConnectionFactory(tls.get().contextFactory(), "http/1.1"),
                http)
            : new BoundedConnector(server, connections, pace, 1, http);
    connector.setName(NAME);
    connector.setIdleTimeout(EmbeddedServer.idleTimeout(config).toMillis());
    return connector;
  }

  private static ServletContextHandler context(GatewayConfig config, GatewayBootstrap bootstrap) {
    ServletContextHandler context = new ServletContextHandler();
    context.setContextPath(config.server().path().isEmpty() ? "/" : config.server().path());
    context.setVirtualHosts(List.of("@" + NAME));
    context.setErrorHandler(new TerseErrorHandler());
    context.addEventListener(
        new ServletContextListener() {
          @Override
          public void contextInitialized(ServletContextEvent event) {
            bootstrap.addAdmin(event.getServletContext());
          }
        });
    return context;
  }

  /** Once it listens. */
  void sayWhere() {
    LOG.info("admin: {}/admin and /metrics are served only there", uri());
  }

  /** Where it is, with the port it really has. */
  URI uri() {
    return EmbeddedServer.uri(config, listen, connector.getLocalPort());
  }
}
