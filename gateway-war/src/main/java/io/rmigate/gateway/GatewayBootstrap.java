package io.rmigate.gateway;

import io.rmigate.gateway.audit.AuditEntry;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditField;
import io.rmigate.gateway.audit.AuditLog;
import io.rmigate.gateway.audit.AuditOutcome;
import io.rmigate.gateway.audit.AuditTrail;
import io.rmigate.gateway.bridge.BridgeCalls;
import io.rmigate.gateway.bridge.InsideBridge;
import io.rmigate.gateway.callback.CallbackSettings;
import io.rmigate.gateway.callback.Callbacks;
import io.rmigate.gateway.config.ConfigLocation;
import io.rmigate.gateway.config.ConfigWatcher;
import io.rmigate.gateway.config.GatewayConfig;
import io.rmigate.gateway.config.LearnedSections;
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
import io.rmigate.gateway.edge.HostNames;
import io.rmigate.gateway.edge.LearnedView;
import io.rmigate.gateway.edge.LinkCloser;
import io.rmigate.gateway.edge.MetricsServlet;
import io.rmigate.gateway.edge.NothingHereServlet;
import io.rmigate.gateway.edge.Readiness;
import io.rmigate.gateway.edge.TrustedProxyFilter;
import io.rmigate.gateway.edge.TunnelServlet;
import io.rmigate.gateway.edge.door.DoorAudit;
import io.rmigate.gateway.edge.legacy.LegacyServlet;
import io.rmigate.gateway.edge.post.PostConnections;
import io.rmigate.gateway.edge.post.PostDoor;
import io.rmigate.gateway.grant.GrantKeySource;
import io.rmigate.gateway.grant.GrantKeys;
import io.rmigate.gateway.grant.GrantSeal;
import io.rmigate.gateway.grant.GrantSettings;
import io.rmigate.gateway.lease.InsideLeaseServers;
import io.rmigate.gateway.lease.Leases;
import io.rmigate.gateway.lease.TimerLeaseClock;
import io.rmigate.gateway.legacy.LegacyClients;
import io.rmigate.gateway.legacy.LegacySettings;
import io.rmigate.gateway.log.RareLines;
import io.rmigate.gateway.login.KeySets;
import io.rmigate.gateway.login.Login;
import io.rmigate.gateway.login.LoginAudit;
import io.rmigate.gateway.login.LoginResult;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.lookup.LookupSettings;
import io.rmigate.gateway.metrics.GatewayMetrics;
import io.rmigate.gateway.policy.ClassMode;
import io.rmigate.gateway.policy.EntryRules;
import io.rmigate.gateway.policy.Learned;
import io.rmigate.gateway.policy.LearnedNotes;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.problem.ConfigException;
import io.rmigate.gateway.relay.Relay;
import io.rmigate.gateway.relay.address.OwnAddresses;
import io.rmigate.gateway.relay.own.InsideCalls;
import io.rmigate.gateway.relay.own.InsideSettings;
import io.rmigate.gateway.route.LocalTargets;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.gateway.services.Services;
import io.rmigate.gateway.services.ServicesServlet;
import io.rmigate.gateway.services.SoapService;
import io.rmigate.gateway.session.CompressionPolicy;
import io.rmigate.gateway.session.LoginChecks;
import io.rmigate.gateway.session.SessionRegistry;
import io.rmigate.gateway.tls.KeyStores;
import io.rmigate.gateway.tls.TlsSettings;
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
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
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

  /** One that is lost, and the one that takes its place. */
  private static final int LINKS_A_SESSION = 2;

  private static final String HEALTH = "/health";
  private static final String TUNNEL = "/tunnel";

  private final Optional<GatewayConfig> given;
  private final Readiness readiness = new Readiness();

  private final GatewayMetrics metrics = new GatewayMetrics();
  private final TimerLeaseClock leaseClock = new TimerLeaseClock();
  private final LinkCloser closer = new LinkCloser();
  private final RareLines lines = RareLines.ofCallers();

  // Set once by contextInitialized, before any servlet exists.
  private ConfigWatcher watcher;
  private LearnedNotes learned;
  private AtomicReference<TargetPolicy> policy;
  private Relay relay;
  private Leases leases;
  private Callbacks callbacks;
  private SessionRegistry sessions;
  private LoginChecks loginChecks;
  private PostConnections posts;
  private BridgeCalls bridge;
  private Services services;
  private HungCalls hungCalls;
  private AuditTrail audit = AuditTrail.OFF;

  /** Null without an audit. */
  private AuditLog auditLog;

  /** Null unless it is switched on. */
  private LegacyClients legacy;

  private final KeySets keySets = new KeySets();

  /** In force now; replaced whole by a reload. */
  private volatile Login login;

  /** In force now; replaced whole by a reload. Set before any servlet exists. */
  private volatile HostNames names;

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
      refuseAmbiguousFraming(context);
      GatewayConfig config = given.isPresent() ? given.get() : find(context);
      watcher = new ConfigWatcher(config, System.getenv());
      metrics.watchConfiguration(() -> watcher.isChangeRefused());
      catchFailures(context);
      openAudit(config);
      LoginAudit logins = new LoginAudit(audit, lines);
      login = login(config, logins);
      watcher.addListener(
          next -> {
            Login prepared = login(next, logins);
            return () -> {
              login = prepared;
              loginChecks.soon();
            };
          });
      openNames(config);
      openTunnel(context, config);
      loginChecks = new LoginChecks(sessions, principal -> login.holds(principal));
      openServices(context, config);
      openLegacy(context, config);
      hungCalls = new HungCalls(this::waitingCalls, () -> watcher.current().callsHungAfter());
      metrics.watchHungCalls(hungCalls::count);
      openFrame(context);
      if (given.isEmpty() || config.adminListen().isEmpty()) {
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

  /** Whether a container trusts somebody's certificate is not for {@code tls} to say. */
  private Login login(GatewayConfig config, LoginAudit logins) throws ConfigException {
    return login(config, logins, given.isPresent() ? config.tls() : Optional.empty(), keySets);
  }

  /**
   * The ways to log in that a configuration has.
   *
   * @param ownTls by which this gateway's own server lets clients in; empty in a container
   * @param downloaded keys that are known from configurations before
   * @throws ConfigException with every problem in the files that it names
   */
  public static Login login(
      GatewayConfig config, LoginAudit logins, Optional<TlsSettings> ownTls, KeySets downloaded)
      throws ConfigException {
    return Login.of(
        config.logins(),
        config.source().map(Object::toString).orElse("configuration"),
        config.insecure(),
        config.principals(),
        logins,
        ownTls,
        downloaded);
  }

  /** What is in every context but that of old JDKs. */
  private void openFrame(ServletContext context) {
    trustProxies(context);
    checkHosts(context);
    add(
        context,
        "health",
        new HealthServlet(
            readiness,
            () -> policy.get().classMode(),
            () -> names,
            () -> watcher.isChangeRefused()),
        HEALTH + "/*");
    add(context, "nothing-here", new NothingHereServlet(), "/", "*.jsp", "*.jspx");
  }

  private void openAdmin(ServletContext context) {
    AdminDoor door =
        new AdminDoor(
            () -> watcher.current().adminPrincipals(),
            () -> watcher.current().metricsOpen(),
            () -> login,
            audit,
            lines);
    add(context, "metrics", new MetricsServlet(metrics, door), "/metrics");
    add(
        context,
        "admin",
        new AdminServlet(
            sessions,
            sessions,
            hungCalls,
            services,
            new GatewayOverview(metrics, hungCalls, readiness, () -> policy.get().classMode()),
            this::learnedView,
            door),
        "/admin/*");
    openDrain(context, door);
  }

  private LearnedView learnedView() {
    List<LearnedNotes.Note> notes = learned.notes();
    LearnedSections sections =
        LearnedSections.of(
            policy.get().learnt(notes), Optional.of(watcher.current()), OwnAddresses::towards);
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

  /** The first filter, because the ones behind it may read bodies. */
  private static void refuseAmbiguousFraming(ServletContext context) {
    FilterRegistration.Dynamic filter = context.addFilter("framing", new FramingFilter());
    filter.setAsyncSupported(true); // POSTs of links wait
    filter.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
  }

  private void trustProxies(ServletContext context) {
    addFilter(
        context,
        "trusted-proxy",
        new TrustedProxyFilter(() -> watcher.current().services().trustedProxies()));
  }

  private static void addFilter(ServletContext context, String name, Filter added) {
    FilterRegistration.Dynamic filter = context.addFilter(name, added);
    filter.setAsyncSupported(true); // POSTs of links wait
    filter.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
  }

  private void openNames(GatewayConfig config) throws ConfigException {
    names = hostNames(config);
    warnOfNames(false, names);
    watcher.addListener(
        next -> {
          HostNames prepared = hostNames(next);
          return () -> {
            warnOfNames(names.isAny(), prepared);
            names = prepared;
          };
        });
  }

  private HostNames hostNames(GatewayConfig config) throws ConfigException {
    if (given.isEmpty()) {
      return HostNames.ofApplication(config.hostNames());
    }
    return HostNames.ofStandalone(
        config.hostNames(),
        config.listeningHosts(),
        config.tls().isPresent() ? KeyStores.hostNames(config.tls().get()) : Set.of());
  }

  private static void warnOfNames(boolean isWarned, HostNames next) {
    if (next.isAny() && !isWarned) {
      log.warn(
          "hosts: requests for every host name are accepted, because the configuration has no name of"
              + " this gateway or has *; a web page whose name leads here (DNS rebinding) can use the"
              + " gateway as its reader can: list the names that clients use in hosts");
    }
  }

  /**
   * Health checks ask by whatever name they have, and so do agents. Clients of old JDKs send the
   * host of the RMI server, which policy judges.
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
            () -> names,
            () -> watcher.current().services().trustedProxies(),
            Set.of(HEALTH),
            ofPrograms,
            (visitor, rule, refusal, status) -> {
              metrics.refused(rule);
              doors.refused(visitor, rule, refusal, status);
            }));
  }

  private void openAudit(GatewayConfig config) throws ConfigException {
    if (config.audit().isEmpty()) {
      log.info("no audit is kept; see audit in the configuration");
      return;
    }
    try {
      AuditLog opened = AuditLog.open(config.audit().get());
      auditLog = opened;
      audit = opened;
      metrics.watchAudit(() -> opened.head().number(), () -> opened.head().lost());
      watcher.onChange(changed -> changed.audit().ifPresent(opened::settings));
    } catch (IOException e) {
      throw new ConfigException(
          config.source().map(Object::toString).orElse("configuration"),
          "audit.path",
          e.getMessage());
    }
    watcher.onChange(changed -> auditConfiguration(AuditOutcome.RELOADED));
    watcher.onRefusal(() -> auditConfiguration(AuditOutcome.REFUSED));
  }

  private void auditConfiguration(AuditOutcome outcome) {
    audit.add(
        AuditEntry.of(AuditEvent.CONFIGURATION, outcome)
            .with(
                AuditField.PATH,
                watcher.current().source().map(Object::toString).orElse("command line")));
  }

  private void closeAudit() {
    if (auditLog != null) {
      auditLog.close();
    }
  }

  private void openTunnel(ServletContext context, GatewayConfig config) throws ConfigException {
    learned = new LearnedNotes(config.state());
    policy = new AtomicReference<>(policy(config));
    watcher.addListener(
        next -> {
          TargetPolicy prepared = policy(next);
          return () -> {
            prepared.follow(policy.get());
            policy.set(prepared);
            relay.resolvers().execute(new LocalTargets(prepared, relay.localAddresses()));
          };
        });
    relay = new Relay(config.relay());
    relay.resolvers().execute(new LocalTargets(policy.get(), relay.localAddresses()));
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
    bridge = new InsideBridge(relay, leases, policy::get, lookups::get, metrics, lines);
    AtomicReference<Optional<CallbackSettings>> listening =
        new AtomicReference<>(config.callbacks());
    watcher.onChange(changed -> listening.set(changed.callbacks()));
    callbacks = new Callbacks(listening::get, relay, Optional.of(config.state()), metrics);
    sessions =
        new SessionRegistry(
            config.session(),
            relay,
            leases,
            inside,
            lookups::get,
            policy::get,
            compression::get,
            seal(config),
            metrics,
            callbacks,
            audit,
            lines);
    posts =
        new PostConnections(
            sessions,
            new PostConnections.Limits(
                config.post().hold(),
                LINKS_A_SESSION * config.session().maxSessions(),
                LINKS_A_SESSION * config.session().maxSessionsPerPrincipal()));
    Optional<PostDoor> door =
        config.post().enabled()
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
                () -> watcher.current().origins(),
                new DoorAudit(audit, lines)),
            TUNNEL)
        .setAsyncSupported(true);
  }

  private TargetPolicy policy(GatewayConfig config) throws ConfigException {
    Rulebook rulebook = rulebook(config, learned);
    warnOfClassRules(config, rulebook.mode());
    return new TargetPolicy(
        config.targets(), config.raw(), config.mapping(), rulebook, config.restraints());
  }

  /**
   * What is said of calls, with the jars of their interfaces.
   *
   * @throws ConfigException these cannot be read, or have no remote interface
   */
  public static Rulebook rulebook(GatewayConfig config, Learned learned) throws ConfigException {
    try {
      return Rulebook.of(config.classes(), learned, Optional.of(config.state()));
    } catch (IOException e) {
      throw new ConfigException(
          config.source().map(Object::toString).orElse("command line"),
          "classes.interfaces",
          e.getMessage());
    }
  }

  /** Where calls are not held to them, for all or in an entry of {@code targets}. */
  private static void warnOfClassRules(GatewayConfig config, ClassMode mode) {
    switch (mode) {
      case OFF ->
          log.warn(
              "class rules: OFF by classes.mode: whoever may call a server may send it any class, unless"
                  + " its entry of targets has a class-mode");
      case LEARN ->
          log.warn(
              "class rules: LEARN by classes.mode: whoever may call a server may send it any class,"
                  + " which is noted, unless its entry of targets has a class-mode");
      case ENFORCE -> log.info("class rules: {}", mode);
    }
    for (TargetGrant grant : config.targets()) {
      grant
          .calls()
          .get(EntryRules.MODE)
          .filter(own -> own != ClassMode.ENFORCE)
          .ifPresent(
              own ->
                  log.warn(
                      "class rules: {} for {} at {}: they may send any class there{}",
                      own,
                      grant.principals(),
                      grant.allow(),
                      own == ClassMode.LEARN ? ", which is noted" : ""));
    }
  }

  private void openServices(ServletContext context, GatewayConfig config) {
    services = new Services();
    services.load(config.published(), config.services());
    watcher.onChange(changed -> services.load(changed.published(), changed.services()));
    metrics.watchHandles(services::handleCount);
    add(
        context,
        "services",
        new ServicesServlet(
            services, bridge, () -> login, List.of(new SoapService()), metrics, audit),
        "/services/*");
    context
        .addFilter("gzip", new GzipFilter())
        .addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/services/*");
  }

  /** At its end the servlet drains only in a container: the stand-alone gateway has done so. */
  private void openDrain(ServletContext context, AdminDoor door) {
    Runnable drain = () -> drain(watcher.current().drain());
    ServletRegistration.Dynamic registration =
        add(context, "drain", new DrainServlet(drain, door, given.isEmpty()), "/admin/drain");
    registration.setLoadOnStartup(1); // one that was never asked for would not be destroyed
  }

  /** Old JDKs post to the root of a host and nowhere else. */
  private void openLegacy(ServletContext context, GatewayConfig config) {
    if (!config.legacy().enabled()) {
      return;
    }
    AtomicReference<LegacySettings> settings = new AtomicReference<>(config.legacy().settings());
    watcher.onChange(changed -> settings.set(changed.legacy().settings()));
    legacy = new LegacyClients(sessions, settings::get, metrics);
    addLegacy(context);
    if (given.isEmpty() && !context.getContextPath().isEmpty()) {
      log.warn(
          "legacy: old JDKs post to / and /cgi-bin/java-rmi.cgi of a host, and this application is"
              + " at {}: deploy it as ROOT, or have a proxy in front add {} to these paths and keep"
              + " the Host header",
          context.getContextPath(),
          context.getContextPath());
    }
    if (!config.leases().enabled()) {
      log.warn(
          "legacy: with leases.enabled: false nothing is held for old JDKs, and servers let objects"
              + " go that such clients still use");
    }
    log.info(
        "legacy: the HTTP tunnelling of old JDKs is served; who does not log in is {}",
        config.legacy().settings().principal().orElse("refused"));
  }

  /** Serves old JDKs in that context, too, if it is switched on; after the start. */
  public void addLegacy(ServletContext context) {
    if (legacy != null) {
      catchFailures(context);
      add(
              context,
              "legacy",
              new LegacyServlet(legacy, () -> login, new DoorAudit(audit, lines)),
              LegacyServlet.mappings())
          .setAsyncSupported(true);
    }
  }

  /** Of all clients. */
  private Stream<GatewayView.CallView> waitingCalls() {
    return Stream.concat(
        sessions.calls(),
        services
            .waitingCalls()
            .map(
                call ->
                    GatewayView.CallView.ofService(
                        call.ageMillis(), call.principal(), call.path(), call.operation())));
  }

  private GrantSeal seal(GatewayConfig config) throws ConfigException {
    GrantKeySource source = new GrantKeySource(config.state());
    AtomicReference<GrantSettings> settings = new AtomicReference<>(config.grants());
    AtomicReference<GrantKeys> keys = new AtomicReference<>(source.keys(config.grants()));
    watcher.addListener(
        next -> {
          GrantKeys prepared = source.keys(next.grants());
          return () -> {
            keys.set(prepared);
            settings.set(next.grants());
          };
        });
    return new GrantSeal(keys::get, settings::get, Clock.systemUTC());
  }

  /** The door of the tunnel; see {@link TunnelServlet.Login}. */
  private Optional<Principal> login(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Login door = login;
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

  /** What is counted here. */
  public GatewayMetrics metrics() {
    return metrics;
  }

  /** Where the configuration in force and its changes come from; after the start. */
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
      sessions.drain(limit);
      services.awaitIdle(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
      closer.awaitLastWords();
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
    if (services != null) {
      services.close();
    }
    if (loginChecks != null) {
      loginChecks.close();
    }
    if (sessions != null) {
      bridge.close();
      sessions.close();
      posts.close();
      if (legacy != null) {
        legacy.close();
      }
      callbacks.close();
      leases.close();
      closer.close();
      relay.close();
    }
    leaseClock.close();
    if (learned != null) {
      learned.close();
    }
    closeAudit(); // behind all that has something to say
    metrics.close();
  }
}
