package io.rmigate.gateway;

import io.rmigate.gateway.config.ConfigException;
import io.rmigate.gateway.config.ConfigLocation;
import io.rmigate.gateway.config.ConfigWatcher;
import io.rmigate.gateway.config.GatewayConfig;
import io.rmigate.gateway.edge.AdminDoor;
import io.rmigate.gateway.edge.AdminServlet;
import io.rmigate.gateway.edge.GatewayVersion;
import io.rmigate.gateway.edge.HealthServlet;
import io.rmigate.gateway.edge.LinkCloser;
import io.rmigate.gateway.edge.MetricsServlet;
import io.rmigate.gateway.edge.NothingHereServlet;
import io.rmigate.gateway.edge.Readiness;
import io.rmigate.gateway.edge.TunnelServlet;
import io.rmigate.gateway.lease.InsideLeaseServers;
import io.rmigate.gateway.lease.Leases;
import io.rmigate.gateway.lease.TimerLeaseClock;
import io.rmigate.gateway.login.Login;
import io.rmigate.gateway.login.LoginResult;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.lookup.LookupSettings;
import io.rmigate.gateway.metrics.GatewayMetrics;
import io.rmigate.gateway.relay.InsideCalls;
import io.rmigate.gateway.relay.InsideSettings;
import io.rmigate.gateway.relay.Relay;
import io.rmigate.gateway.session.CompressionPolicy;
import io.rmigate.gateway.session.SessionRegistry;
import io.rmigate.gateway.session.TargetPolicy;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The composition root: builds the parts when the web application starts and ends them when it
 * stops. In a container web.xml names it and it finds the configuration itself; the stand-alone
 * gateway gives it one.
 */
public final class GatewayBootstrap implements ServletContextListener {
  private static final Logger log = LoggerFactory.getLogger(GatewayBootstrap.class);

  private final Optional<GatewayConfig> given;
  private final Readiness readiness = new Readiness();

  private final GatewayMetrics metrics = new GatewayMetrics();
  private final TimerLeaseClock leaseClock = new TimerLeaseClock();
  private final LinkCloser closer = new LinkCloser();

  // Set once by contextInitialized, before any servlet exists.
  private ConfigWatcher watcher;
  private Relay relay;
  private Leases leases;
  private SessionRegistry sessions;

  /** In force now; replaced whole by a reload. */
  private volatile Login login;

  /** For containers. */
  public GatewayBootstrap() {
    this.given = Optional.empty();
  }

  /** For the stand-alone gateway. */
  public GatewayBootstrap(GatewayConfig config) {
    this.given = Optional.of(config);
  }

  @Override
  public void contextInitialized(ServletContextEvent event) {
    ServletContext context = event.getServletContext();
    try {
      GatewayConfig config = given.isPresent() ? given.get() : find(context);
      watcher = new ConfigWatcher(config, System.getenv());
      login = Login.of(config);
      watcher.addListener(
          next -> {
            Login prepared = Login.of(next);
            return () -> login = prepared;
          });
      openTunnel(context, config);
      AdminDoor door = new AdminDoor(watcher::current, () -> login);
      add(context, "health", new HealthServlet(readiness), "/health/*");
      add(context, "metrics", new MetricsServlet(metrics, door), "/metrics");
      add(context, "admin", new AdminServlet(sessions, metrics, readiness, door), "/admin/*");
      add(context, "nothing-here", new NothingHereServlet(), "/", "*.jsp", "*.jspx");
      watcher.start();
      readiness.toReady();
      log.info(
          "rmigate {} started, configuration {}",
          GatewayVersion.CURRENT,
          config.source().map(Object::toString).orElse("from the command line"));
    } catch (ConfigException e) {
      log.error("rmigate does not start:\n{}", e.getMessage());
      // A gateway without a policy must not answer: the container is to refuse the deployment.
      throw new IllegalStateException("rmigate does not start: " + e.getMessage(), e);
    }
  }

  private void openTunnel(ServletContext context, GatewayConfig config) {
    AtomicReference<TargetPolicy> policy =
        new AtomicReference<>(new TargetPolicy(config.targets(), config.mapping()));
    watcher.onChange(changed -> policy.set(new TargetPolicy(changed.targets(), changed.mapping())));
    relay = new Relay(config.relay());
    AtomicReference<CompressionPolicy> compression = new AtomicReference<>(config.compression());
    watcher.onChange(changed -> compression.set(changed.compression()));
    AtomicReference<LookupSettings> lookups = new AtomicReference<>(config.lookups());
    watcher.onChange(changed -> lookups.set(changed.lookups()));
    InsideCalls inside = new InsideCalls(relay, InsideSettings.DEFAULTS);
    leases =
        new Leases(
            config.leases(),
            new InsideLeaseServers(inside, config.leases().callTimeout()),
            leaseClock,
            metrics);
    sessions =
        new SessionRegistry(
            config.session(),
            relay,
            leases,
            inside,
            lookups::get,
            policy::get,
            compression::get,
            metrics,
            Optional.empty());
    add(context, "tunnel", new TunnelServlet(sessions, closer, this::login), "/tunnel");
  }

  /** The door of the tunnel; see {@link TunnelServlet.Login}. */
  private Optional<Principal> login(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Login door = login;
    if (door.authenticate(request) instanceof LoginResult.Accepted accepted) {
      return Optional.of(accepted.principal());
    }
    metrics.refused("login");
    door.refuse(response);
    return Optional.empty();
  }

  private static GatewayConfig find(ServletContext context) throws ConfigException {
    return GatewayConfig.load(
        ConfigLocation.find(
            Optional.ofNullable(System.getProperty(ConfigLocation.PROPERTY)),
            System.getenv(),
            Optional.ofNullable(context.getInitParameter(ConfigLocation.PROPERTY))),
        System.getenv());
  }

  private static void add(
      ServletContext context, String name, Servlet servlet, String... mappings) {
    ServletRegistration.Dynamic registration = context.addServlet(name, servlet);
    registration.addMapping(mappings);
  }

  /** Where the configuration in force and its changes come from; after the start. */
  public ConfigWatcher watcher() {
    return watcher;
  }

  /**
   * Says no to new work, then waits for the work there is. Returns early when there is none.
   *
   * @param limit of the waiting
   */
  public void drain(Duration limit) {
    readiness.toDraining();
    log.info("draining for at most {} s", limit.toSeconds());
    try {
      sessions.drain(limit);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void contextDestroyed(ServletContextEvent event) {
    readiness.toDraining();
    if (watcher != null) {
      watcher.close();
    }
    if (sessions != null) {
      sessions.close();
      leases.close();
      closer.close();
      relay.close();
    }
    leaseClock.close();
    metrics.close();
  }
}
