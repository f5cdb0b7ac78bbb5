package io.rmigate.gateway.standalone;

import io.rmigate.gateway.GatewayBootstrap;
import io.rmigate.gateway.config.GatewayConfig;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the HTTP tunnelling of old JDKs comes in. They post to the root of a host, over plain HTTP:
 * so it has a context at the root beside that of the gateway and, where the configuration says so,
 * a connector of its own, at which there is nothing else.
 */
final class LegacyDoor {
  private static final Logger LOG = LoggerFactory.getLogger(LegacyDoor.class);

  private static final String NAME = "legacy";

  private final GatewayConfig config;
  private final Optional<ServerConnector> own;

  private LegacyDoor(GatewayConfig config, Optional<ServerConnector> own) {
    this.config = config;
    this.own = own;
  }

  /**
   * Adds it to a server that has not been started, if it is switched on.
   *
   * @param contexts that of the gateway is the first, and so starts first
   */
  static Optional<LegacyDoor> of(
      GatewayConfig config,
      Server server,
      ContextHandlerCollection contexts,
      GatewayBootstrap bootstrap,
      OpenConnections connections) {
    if (!config.tunnel().legacy().enabled()) {
      return Optional.empty();
    }
    Optional<ServerConnector> own =
        config
            .tunnel()
            .legacy()
            .listen()
            .map(listen -> connector(config, server, listen, connections, bootstrap));
    own.ifPresent(server::addConnector);
    if (own.isPresent() || !config.server().path().isEmpty()) {
      ServletContextHandler root = new ServletContextHandler();
      root.setContextPath("/");
      root.setErrorHandler(new TerseErrorHandler());
      root.addEventListener(
          new ServletContextListener() {
            @Override
            public void contextInitialized(ServletContextEvent event) {
              bootstrap.addLegacy(event.getServletContext());
            }
          });
      root.setVirtualHosts(List.of("@" + (own.isPresent() ? NAME : EmbeddedServer.MAIN)));
      contexts.addHandler(root);
    }
    return Optional.of(new LegacyDoor(config, own));
  }

  private static ServerConnector connector(
      GatewayConfig config,
      Server server,
      GatewayConfig.Listen listen,
      OpenConnections connections,
      GatewayBootstrap bootstrap) {
    ServerConnector connector =
        new BoundedConnector(
            server,
            connections,
            () -> bootstrap.watcher().current().server().requests(),
            1,
            EmbeddedServer.http(false));
    connector.setName(NAME);
    connector.setHost(listen.host());
    connector.setPort(listen.port());
    connector.setIdleTimeout(EmbeddedServer.idleTimeout(config).toMillis());
    return connector;
  }

  /** Once it listens. */
  void sayWhere() {
    if (own.isPresent()) {
      LOG.info(
          "legacy: old JDKs are served at {}:{}, over plain HTTP",
          own.get().getHost(),
          own.get().getLocalPort());
    } else if (config.server().tls().isPresent()) {
      LOG.warn(
          "legacy: old JDKs know no https, and this gateway listens for nothing else: give them"
              + " legacy.listen, or have a proxy in front that speaks plain HTTP to them");
    }
  }

  /** The port at which there is nothing else; 0 when there is none. */
  int port() {
    return own.map(ServerConnector::getLocalPort).orElse(0);
  }
}
