package io.rmigate.gateway.standalone;

import io.rmigate.gateway.GatewayBootstrap;
import io.rmigate.gateway.LiveConfiguration;
import io.rmigate.gateway.config.GatewayConfig;
import io.rmigate.gateway.config.GatewayConfig.RequestPace;
import io.rmigate.gateway.edge.FramingFilter;
import io.rmigate.gateway.grant.GrantKeySource;
import io.rmigate.gateway.login.KeySets;
import io.rmigate.gateway.login.LoginAudit;
import io.rmigate.gateway.problem.ConfigException;
import java.io.IOException;
import java.net.BindException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.websocket.jakarta.server.config.JakartaWebSocketServletContainerInitializer;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.ContextHandlerCollection;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * Jetty with one connector and one context, and a {@link LegacyDoor} and an {@link AdminListener}
 * if there are to be any. HTTP/1.1 only: WebSocket and long POSTs are what this server is for, and
 * HTTP/2 would only add surface.
 */
public final class EmbeddedServer implements AutoCloseable {
  /** The connector's name: by names Jetty tells apart what is at which. */
  static final String MAIN = "main";

  private static final int MAX_THREADS = 200;
  private static final int HEADER_BYTES = 16 * 1024;

  private final Server server;
  private final ServerConnector connector;
  private final GatewayBootstrap bootstrap;
  private final GatewayConfig config;
  private final Optional<LegacyDoor> legacy;
  private final Optional<AdminListener> admin;

  private EmbeddedServer(
      Server server,
      ServerConnector connector,
      GatewayBootstrap bootstrap,
      GatewayConfig config,
      Optional<LegacyDoor> legacy,
      Optional<AdminListener> admin) {
    this.legacy = legacy;
    this.admin = admin;
    this.server = server;
    this.connector = connector;
    this.bootstrap = bootstrap;
    this.config = config;
  }

  /**
   * Starts and listens.
   *
   * @throws ConfigException neither TLS nor plain HTTP is configured, or the keys cannot be used
   * @throws IOException the address cannot be listened on
   */
  public static EmbeddedServer start(GatewayConfig config) throws ConfigException, IOException {
    Optional<ReloadingTls> tls = check(config);
    QueuedThreadPool threads = new QueuedThreadPool(MAX_THREADS, 4);
    threads.setName("rmigate-http");
    threads.setDaemon(true);
    Server server = new Server(threads);
    server.setStopAtShutdown(false); // the order of stopping is Standalone's

    HttpConnectionFactory http = http(tls.isPresent());
    int selectors = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    StandbyThreads standbys = StandbyThreads.of(threads);
    GatewayBootstrap bootstrap = new GatewayBootstrap(config);
    // No connection is accepted before the context, and with it the watcher, has started.
    OpenConnections connections =
        new OpenConnections(
            () -> bootstrap.watcher().current().server().maxConnections(),
            peer ->
                bootstrap
                    .watcher()
                    .current()
                    .webServices()
                    .services()
                    .trustedProxies()
                    .hasAddress(peer),
            bootstrap.metrics());
    Supplier<RequestPace> pace = () -> bootstrap.watcher().current().server().requests();
    bootstrap.metrics().watchConnections(connections::open);
    ServerConnector connector =
        tls.isPresent()
            ? new TunnelConnector(
                server,
                connections,
                pace,
                standbys,
                selectors,
                new SslConnectionFactory(tls.get().contextFactory(), "http/1.1"),
                http)
            : new TunnelConnector(server, connections, pace, standbys, selectors, http);
    connector.setHost(config.server().listen().host());
    connector.setPort(config.server().listen().port());
    connector.setAcceptQueueSize(1024);
    connector.setIdleTimeout(idleTimeout(config).toMillis());
    connector.setName(MAIN);
    server.addConnector(connector);

    ServletContextHandler context = new ServletContextHandler();
    context.setContextPath(config.server().path().isEmpty() ? "/" : config.server().path());
    context.setVirtualHosts(List.of("@" + MAIN));
    ContextHandlerCollection contexts = new ContextHandlerCollection(context);
    // Sessions of the tunnel know themselves when a link is dead; see SessionSettings.heartbeat.
    JakartaWebSocketServletContainerInitializer.configure(
        context, (servletContext, container) -> container.setDefaultMaxSessionIdleTimeout(0));
    context.addEventListener(bootstrap);
    Optional<LegacyDoor> legacy = LegacyDoor.of(config, server, contexts, bootstrap, connections);
    Optional<AdminListener> admin = AdminListener.of(config, server, tls, contexts, bootstrap);
    server.setHandler(new FramingHandler(contexts));
    server.setErrorHandler(new TerseErrorHandler());
    context.setErrorHandler(new TerseErrorHandler());

    EmbeddedServer embedded =
        new EmbeddedServer(server, connector, bootstrap, config, legacy, admin);
    try {
      server.start();
    } catch (Exception e) {
      embedded.close();
      throw explained(config, e);
    }
    legacy.ifPresent(LegacyDoor::sayWhere);
    admin.ifPresent(AdminListener::sayWhere);
    tls.ifPresent(reloading -> bootstrap.watcher().addListener(reloading));
    return embedded;
  }

  /**
   * Checks what is beyond the configuration file: keys, users, that HTTP is meant to be plain.
   *
   * @return the keys, if there are any
   */
  static Optional<ReloadingTls> check(GatewayConfig config) throws ConfigException {
    Optional<ReloadingTls> tls =
        config.server().tls().isPresent()
            ? Optional.of(ReloadingTls.load(config.server().tls().get()))
            : Optional.empty();
    // behind the keys: with a wrong password, theirs are what is named first
    LiveConfiguration.login(config, LoginAudit.off(), config.server().tls(), new KeySets());
    GrantKeySource.check(config.tunnel().grants());
    if (tls.isEmpty() && !config.server().insecure()) {
      throw new ConfigException(
          config.source().map(Object::toString).orElse("command line"),
          "",
          "neither TLS nor plain HTTP is configured; give a keystore (tls: keystore:, or --tls"
              + " FILE --tls-password-file FILE), or say that plain HTTP is wanted (insecure: true,"
              + " or --insecure)");
    }
    return tls;
  }

  private static IOException explained(GatewayConfig config, Exception e) throws ConfigException {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof ConfigException wrong) {
        throw wrong;
      }
      if (cause instanceof BindException
          || cause instanceof UnknownHostException
          || cause instanceof java.nio.channels.UnresolvedAddressException) {
        String why = cause.getMessage() == null ? "unknown host" : cause.getMessage();
        return new IOException("cannot listen on " + config.server().listen() + ": " + why, e);
      }
    }
    return e instanceof IOException io ? io : new IOException("cannot start: " + e, e);
  }

  static HttpConnectionFactory http(boolean secure) {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setSendXPoweredBy(false);
    // Nor lines that end with LF alone, which a proxy in front may read in another way.
    http.setHttpCompliance(HttpCompliance.STRICT);
    http.setRequestHeaderSize(HEADER_BYTES);
    http.setResponseHeaderSize(HEADER_BYTES);
    http.addCustomizer(TunnelConnector::offerRest);
    if (secure) {
      http.setSecureScheme("https");
      SecureRequestCustomizer customizer = new SecureRequestCustomizer();
      // Gateways are reached by addresses and by names inside that no certificate carries; what
      // the name must be is for the client to check.
      customizer.setSniHostCheck(false);
      http.addCustomizer(customizer);
    }
    return new HttpConnectionFactory(http);
  }

  /** Does for all paths what {@link FramingFilter} does for those of applications. */
  private static final class FramingHandler extends Handler.Wrapper {
    FramingHandler(Handler behind) {
      super(behind);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      if (!FramingFilter.isAmbiguous(
          request.getConnectionMetaData().getProtocol(),
          request.getHeaders().getValuesList(HttpHeader.TRANSFER_ENCODING))) {
        return super.handle(request, response, callback);
      }
      response.getHeaders().put(HttpFields.CONNECTION_CLOSE);
      Response.writeError(request, response, callback, HttpStatus.BAD_REQUEST_400);
      return true;
    }
  }

  /** Parked requests are answered within a heartbeat; four leave room for a slow network. */
  static Duration idleTimeout(GatewayConfig config) {
    Duration heartbeats = config.tunnel().session().heartbeat().multipliedBy(4);
    Duration least = Duration.ofSeconds(30);
    return heartbeats.compareTo(least) > 0 ? heartbeats : least;
  }

  /** The composition root of the running gateway. */
  public GatewayBootstrap bootstrap() {
    return bootstrap;
  }

  /** Where clients reach it, with the port it really has. A wildcard address shows as localhost. */
  public URI uri() {
    return uri(config, config.server().listen(), connector.getLocalPort());
  }

  static URI uri(GatewayConfig config, GatewayConfig.Listen listen, int port) {
    String host = listen.host();
    if (host.equals("0.0.0.0") || host.equals("::") || host.equals("::0")) {
      host = "localhost";
    } else if (host.indexOf(':') >= 0) {
      host = "[" + host + "]";
    }
    String scheme = config.server().tls().isPresent() ? "https" : "http";
    return URI.create(scheme + "://" + host + ":" + port + config.server().path());
  }

  /** Where old JDKs are served and nothing else; 0 when there is no such port. */
  int legacyPort() {
    return legacy.map(LegacyDoor::port).orElse(0);
  }

  /** Where administration is and nothing else; empty when it is where all is. */
  Optional<URI> adminUri() {
    return admin.map(AdminListener::uri);
  }

  /** Stops listening and ends every connection. Idempotent. */
  @Override
  public void close() throws IOException {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IOException("cannot stop", e);
    }
  }
}
