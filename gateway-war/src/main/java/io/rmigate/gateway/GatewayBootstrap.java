package io.rmigate.gateway;

import io.rmigate.gateway.audit.AuditTrail;
import io.rmigate.gateway.config.ConfigLocation;
import io.rmigate.gateway.config.ConfigWatcher;
import io.rmigate.gateway.config.GatewayConfig;
import io.rmigate.gateway.config.LearnedSections;
import io.rmigate.gateway.config.Live;
import io.rmigate.gateway.edge.AdminDoor;
import io.rmigate.gateway.edge.AdminServlet;
import io.rmigate.gateway.edge.DrainServlet;
import io.rmigate.gateway.edge.FailureFilter;
import io.rmigate.gateway.edge.FramingFilter;
import io.rmigate.gateway.edge.GatewayOverview;
import io.rmigate.gateway.edge.GatewayVersion;
import io.rmigate.gateway.edge.GzipFilter;
import io.rmigate.gateway.edge.HealthServlet;
import io.rmigate.gateway.edge.HostContainer;
import io.rmigate.gateway.edge.HostFilter;
import io.rmigate.gateway.edge.LearnedView;
import io.rmigate.gateway.edge.LinkCloser;
import io.rmigate.gateway.edge.MetricsServlet;
import io.rmigate.gateway.edge.NotFoundServlet;
import io.rmigate.gateway.edge.Readiness;
import io.rmigate.gateway.edge.TrustedProxyFilter;
import io.rmigate.gateway.edge.TunnelServlet;
import io.rmigate.gateway.edge.door.DoorAudit;
import io.rmigate.gateway.edge.legacy.LegacyServlet;
import io.rmigate.gateway.edge.post.PostConnections;
import io.rmigate.gateway.edge.post.PostDoor;
import io.rmigate.gateway.legacy.LegacyClients;
import io.rmigate.gateway.legacy.LegacySettings;
import io.rmigate.gateway.log.RareLines;
import io.rmigate.gateway.login.Login;
import io.rmigate.gateway.login.LoginAudit;
import io.rmigate.gateway.login.LoginResult;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.metrics.GatewayMetrics;
import io.rmigate.gateway.policy.rule.LearnedNotes;
import io.rmigate.gateway.problem.ConfigException;
import io.rmigate.gateway.relay.address.OwnAddresses;
import io.rmigate.gateway.services.Services;
import io.rmigate.gateway.services.ServicesServlet;
import io.rmigate.gateway.services.SoapService;
import io.rmigate.gateway.session.LoginChecks;
import io.rmigate.gateway.session.SessionRegistry;
import io.rmigate.gateway.view.GatewayView;
import io.rmigate.gateway.view.HungCalls;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The composition root: builds the parts when the web application starts and ends them when it
 * stops. In a container web.xml names it and it finds the configuration itself; the stand-alone
 * gateway gives it one.
 */
public final class GatewayBootstrap implements ServletContextListener {
  private static final Logger log = LoggerFactory.getLogger(GatewayBootstrap.class);

  /** Links of a session: a lost one, and the one that takes its place. */
  private static final int LINKS_A_SESSION = 2;

  private static final String HEALTH = "/health";
  private static final String TUNNEL = "/tunnel";

  private final Optional<GatewayConfig> given;
  private final Readiness readiness = new Readiness();

  private final GatewayMetrics metrics = new GatewayMetrics();
  private final LinkCloser closer = new LinkCloser();
  private final RareLines lines = RareLines.ofCallers();

  // Set once by contextInitialized, before any servlet exists.
  private ConfigWatcher watcher;
  private LiveConfiguration live;
  private LearnedNotes learned;
  private GatewayCore core;
  private LoginChecks loginChecks;
  private PostConnections posts;
  private Services services;
  private HungCalls hungCalls;
  private AuditTrail audit = AuditTrail.OFF;

  /** The audit; null before the configuration is read. */
  private ConfiguredAudit configuredAudit;

  /** Null unless it is switched on. */
  private LegacyClients legacy;

  /** The gateway in a container. */
  public GatewayBootstrap() {
    this.given = Optional.empty();
  }

  /** The stand-alone gateway. */
  public GatewayBootstrap(GatewayConfig config) {
    this.given = Optional.of(config);
  }

  @Override
  public void contextInitialized(ServletContextEvent event) {
    ServletContext context = event.getServletContext();
    try {
      // The first filter, because the filters after it may read bodies.
      addFilter(context, "framing", new FramingFilter());
      GatewayConfig config = given.isPresent() ? given.get() : find(context);
      watcher = new ConfigWatcher(config, System.getenv());
      metrics.watchConfiguration(() -> watcher.isChangeRefused());
      catchFailures(context);
      configuredAudit = new ConfiguredAudit(watcher);
      configuredAudit.open(config, metrics);
      audit = configuredAudit.trail();
      learned = new LearnedNotes(config.operation().state());
      LoginAudit logins = new LoginAudit(audit, lines);
      live = new LiveConfiguration(watcher, given.isPresent(), logins, learned);
      core = new GatewayCore(config, live, metrics, audit, lines);
      openTunnel(context, config);
      loginChecks = new LoginChecks(core.sessions(), principal -> live.login().holds(principal));
      watcher.onChange(changed -> loginChecks.soon());
      openServices(context, config);
      openLegacy(context, config);
      hungCalls =
          new HungCalls(this::waitingCalls, () -> watcher.current().operation().callsHungAfter());
      metrics.watchHungCalls(hungCalls::count);
      openFrame(context);
      if (given.isEmpty() || config.server().adminListen().isEmpty()) {
        openAdmin(context);
      }
      watcher.start();
      HostContainer.of(context).weakness().ifPresent(log::warn);
      readiness.toReady();
      log.info(
          "rmigate {} started, configuration {}",
          GatewayVersion.CURRENT,
          config.source().map(Object::toString).orElse("from the command line"));
    } catch (ConfigException e) {
      closeAudit();
      log.error("rmigate does not start:\n{}", e.getMessage());
      // A gateway without a policy must not answer: the container is to refuse the deployment.
      throw new IllegalStateException("rmigate does not start: " + e.getMessage(), e);
    }
  }

  /** Adds the filters and servlets that every context has, except the context for old JDKs. */
  private void openFrame(ServletContext context) {
    addFilter(
        context,
        "trusted-proxy",
        new TrustedProxyFilter(() -> watcher.current().webServices().services().trustedProxies()));
    checkHosts(context);
    add(
        context,
        "health",
        new HealthServlet(
            readiness,
            () -> live.policy().get().classMode(),
            live::hostNames,
            () -> watcher.isChangeRefused()),
        HEALTH + "/*");
    add(context, "nothing-here", new NotFoundServlet(), "/", "*.jsp", "*.jspx");
  }

  private void openAdmin(ServletContext context) {
    AdminDoor door =
        new AdminDoor(
            () -> watcher.current().access().adminPrincipals(),
            () -> watcher.current().access().metricsOpen(),
            live::login,
            audit,
            lines);
    add(context, "metrics", new MetricsServlet(metrics, door), "/metrics");
    add(
        context,
        "admin",
        new AdminServlet(
            core.sessions(),
            core.sessions(),
            hungCalls,
            services,
            new GatewayOverview(
                metrics, hungCalls, readiness, () -> live.policy().get().classMode()),
            this::learnedView,
            door),
        "/admin/*");
    openDrain(context, door);
  }

  private LearnedView learnedView() {
    List<LearnedNotes.Note> notes = learned.notes();
    LearnedSections sections =
        LearnedSections.of(
            live.policy().get().learnt(notes),
            Optional.of(watcher.current()),
            OwnAddresses::towards);
    return new LearnedView(notes, sections.yaml());
  }

  /** Serves administration and health in that context; after the start. */
  public void addAdmin(ServletContext context) {
    catchFailures(context);
    openFrame(context);
    openAdmin(context);
  }

  /** Before all other filters, so that it catches what they throw. */
  private void catchFailures(ServletContext context) {
    FilterRegistration.Dynamic filter = context.addFilter("failure", new FailureFilter(lines));
    if (filter != null) { // else this context has one
      filter.setAsyncSupported(true);
      filter.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
    }
  }

  private static void addFilter(ServletContext context, String name, Filter added) {
    FilterRegistration.Dynamic filter = context.addFilter(name, added);
    filter.setAsyncSupported(true); // POSTs of links wait
    filter.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
  }

  /**
   * Health checks and agents may use any host name. Clients of old JDKs send the host of the RMI
   * server, which policy judges.
   */
  private void checkHosts(ServletContext context) {
    Set<String> ofPrograms = new HashSet<>(Set.of(TUNNEL));
    if (legacy != null) {
      ofPrograms.addAll(List.of(LegacyServlet.mappings()));
    }
    DoorAudit doors = new DoorAudit(audit, lines);
    addFilter(
        context,
        "host",
        new HostFilter(
            live::hostNames,
            () -> watcher.current().webServices().services().trustedProxies(),
            Set.of(HEALTH),
            ofPrograms,
            (visitor, rule, refusal, status) -> {
              metrics.refused(rule);
              doors.refused(visitor, rule, refusal, status);
            }));
  }

  private void openTunnel(ServletContext context, GatewayConfig config) {
    SessionRegistry sessions = core.sessions();
    posts =
        new PostConnections(
            sessions,
            new PostConnections.Limits(
                config.tunnel().post().hold(),
                LINKS_A_SESSION * config.tunnel().session().limits().maxSessions(),
                LINKS_A_SESSION * config.tunnel().session().limits().maxSessionsPerPrincipal()));
    Optional<PostDoor> door =
        config.tunnel().post().enabled()
            ? Optional.of(new PostDoor(posts, new DoorAudit(audit, lines)))
            : Optional.empty();
    add(
            context,
            "tunnel",
            new TunnelServlet(
                sessions,
                closer,
                this::login,
                door,
                () -> watcher.current().access().origins(),
                new DoorAudit(audit, lines)),
            TUNNEL)
        .setAsyncSupported(true);
  }

  private void openServices(ServletContext context, GatewayConfig config) {
    services = new Services();
    services.load(config.webServices().published(), config.webServices().services());
    watcher.onChange(
        changed ->
            services.load(changed.webServices().published(), changed.webServices().services()));
    metrics.services().watchHandles(services::handleCount);
    add(
        context,
        "services",
        new ServicesServlet(
            services,
            core.bridge(),
            live::login,
            List.of(new SoapService()),
            metrics.services(),
            audit),
        "/services/*");
    context
        .addFilter("gzip", new GzipFilter())
        .addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/services/*");
  }

  /** At its end the servlet drains only in a container: the stand-alone gateway has done so. */
  private void openDrain(ServletContext context, AdminDoor door) {
    Runnable drain = () -> drain(watcher.current().operation().drain());
    ServletRegistration.Dynamic registration =
        add(context, "drain", new DrainServlet(drain, door, given.isEmpty()), "/admin/drain");
    registration.setLoadOnStartup(1); // one that was never asked for would not be destroyed
  }

  /** Old JDKs post to the root of a host and nowhere else. */
  private void openLegacy(ServletContext context, GatewayConfig config) throws ConfigException {
    if (!config.tunnel().legacy().enabled()) {
      return;
    }
    Live<LegacySettings> settings = watcher.live(current -> current.tunnel().legacy().settings());
    legacy = new LegacyClients(core.sessions(), settings, metrics);
    addLegacy(context);
    if (given.isEmpty() && !context.getContextPath().isEmpty()) {
      log.warn(
          "legacy: old JDKs post to / and /cgi-bin/java-rmi.cgi of a host, and this application is"
              + " at {}: deploy it as ROOT, or have a proxy in front add {} to these paths and keep"
              + " the Host header",
          context.getContextPath(),
          context.getContextPath());
    }
    if (!config.inside().leases().enabled()) {
      log.warn(
          "legacy: with leases.enabled: false the gateway holds no leases for old JDKs, and servers"
              + " may collect objects that such clients still use");
    }
    log.info(
        "legacy: the HTTP tunnelling of old JDKs is served; who does not log in is {}",
        config.tunnel().legacy().settings().principal().orElse("refused"));
  }

  /** Serves old JDKs in that context, too, if it is switched on; after the start. */
  public void addLegacy(ServletContext context) {
    if (legacy != null) {
      catchFailures(context);
      add(
              context,
              "legacy",
              new LegacyServlet(legacy, live::login, new DoorAudit(audit, lines)),
              LegacyServlet.mappings())
          .setAsyncSupported(true);
    }
  }

  /** Waiting calls of all clients. */
  private Stream<GatewayView.CallView> waitingCalls() {
    return Stream.concat(
        core.sessions().calls(),
        services
            .waitingCalls()
            .map(
                call ->
                    GatewayView.CallView.ofService(
                        call.ageMillis(), call.principal(), call.path(), call.operation())));
  }

  /** The door of the tunnel; see {@link TunnelServlet.Login}. */
  private Optional<Principal> login(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Login door = live.login();
    if (audit.refusesWork()) {
      metrics.refused(Login.AUDIT_FULL);
      door.shut(request, HttpServletResponse.SC_SERVICE_UNAVAILABLE);
      response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
      return Optional.empty();
    }
    LoginResult result = door.authenticate(request);
    if (result instanceof LoginResult.Accepted accepted) {
      return Optional.of(accepted.principal());
    }
    metrics.refused("login");
    door.refuse(response, result);
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

  private static ServletRegistration.Dynamic add(
      ServletContext context, String name, Servlet servlet, String... mappings) {
    ServletRegistration.Dynamic registration = context.addServlet(name, servlet);
    registration.addMapping(mappings);
    return registration;
  }

  /** The metrics of this gateway. */
  public GatewayMetrics metrics() {
    return metrics;
  }

  /** The watcher of the configuration in force; after the start. */
  public ConfigWatcher watcher() {
    return watcher;
  }

  /**
   * Says no to new work, then waits for the work there is, and a moment for clients to read the
   * last answers. Returns early when there is none.
   *
   * @param limit of the waiting for work
   */
  public void drain(Duration limit) {
    if (readiness.phase() != Readiness.Phase.DRAINING) {
      log.info("draining for at most {} s", limit.toSeconds());
    }
    readiness.toDraining();
    long end = System.nanoTime() + limit.toNanos();
    services.stop();
    try {
      core.sessions().drain(limit);
      services.awaitIdle(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
      closer.awaitLastWords();
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeAudit() {
    if (configuredAudit != null) {
      configuredAudit.close();
    }
  }

  @Override
  public void contextDestroyed(ServletContextEvent event) {
    readiness.toDraining();
    if (watcher != null) {
      watcher.close();
    }
    if (services != null) {
      services.close();
    }
    if (loginChecks != null) {
      loginChecks.close();
    }
    if (core != null) {
      core.endSessions();
    }
    if (posts != null) {
      posts.close();
    }
    if (legacy != null) {
      legacy.close();
    }
    closer.close();
    if (core != null) {
      core.close();
    }
    if (learned != null) {
      learned.close();
    }
    closeAudit(); // behind all that has something to say
    metrics.close();
  }
}
