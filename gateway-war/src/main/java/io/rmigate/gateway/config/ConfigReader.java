package io.rmigate.gateway.config;

import io.rmigate.gateway.config.ConfigNode.Mapping;
import io.rmigate.gateway.config.ConfigNode.Scalar;
import io.rmigate.gateway.config.GatewayConfig.Listen;
import io.rmigate.gateway.config.GatewayConfig.RequestPace;
import io.rmigate.gateway.grant.GrantSettings;
import io.rmigate.gateway.lease.LeaseSettings;
import io.rmigate.gateway.lookup.LookupSettings;
import io.rmigate.gateway.problem.ConfigException;
import io.rmigate.gateway.problem.ConfigProblem;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.session.CompressionPolicy;
import io.rmigate.gateway.session.SessionSettings;
import io.rmigate.protocol.NamePatterns;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.tunnel.RegistryName;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Binds a tree of {@link ConfigNode}s to {@link GatewayConfig}: what stands alone is read here,
 * each large section by a reader of its own. One use, one thread.
 */
final class ConfigReader {
  private static final Logger log = LoggerFactory.getLogger(ConfigReader.class);
  private static final Pattern CONTEXT_PATH = Pattern.compile("/|(?:/[A-Za-z0-9._~-]+)+");

  /** Environment variables that Kubernetes sets for a service called rmigate-gateway. */
  private static final Pattern KUBERNETES_SERVICE =
      Pattern.compile(ConfigKey.ENVIRONMENT_PREFIX + "(?:SERVICE_(?:HOST|PORT.*)|PORT(?:_.*)?)");

  private final ConfigValues values;
  private final List<ConfigProblem> problems;

  private ConfigReader(
      Mapping root, Path directory, List<ConfigProblem> problems, boolean checking) {
    this.problems = problems;
    values = new ConfigValues(root, directory, problems, checking);
  }

  /** See {@link GatewayConfig#load} and {@link GatewayConfig#check}. */
  static GatewayConfig load(Path file, Map<String, String> environment, boolean checking)
      throws ConfigException {
    List<ConfigProblem> problems = new ArrayList<>();
    Mapping root;
    try (Reader yaml = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      root = YamlTree.read(file.toString(), yaml, problems);
    } catch (NoSuchFileException e) {
      throw new ConfigException(file.toString(), "", "no such file");
    } catch (AccessDeniedException e) {
      throw new ConfigException(file.toString(), "", "cannot be read: permission denied");
    } catch (MalformedInputException e) {
      throw new ConfigException(file.toString(), "", "not text in UTF-8");
    } catch (IOException e) {
      throw new ConfigException(file.toString(), "", "cannot be read: " + e.getMessage());
    }
    if (!problems.isEmpty()) {
      // What follows a syntax error is not what was meant: more complaints would only mislead.
      throw new ConfigException(problems);
    }
    Path directory = file.toAbsolutePath().getParent();
    ConfigReader reader = new ConfigReader(root, directory, problems, checking);
    UnknownKeys.report(reader.values);
    override(root, environment);
    return reader.read(Optional.of(file.toAbsolutePath()));
  }

  /** See {@link GatewayConfig#text}. */
  static GatewayConfig text(String name, String yaml, Path directory) throws ConfigException {
    List<ConfigProblem> problems = new ArrayList<>();
    Mapping root;
    try (Reader text = new StringReader(yaml)) {
      root = YamlTree.read(name, text, problems);
    } catch (IOException e) {
      throw new ConfigException(name, "", "cannot be read: " + e.getMessage());
    }
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    ConfigReader reader = new ConfigReader(root, directory, problems, false);
    UnknownKeys.report(reader.values);
    return reader.read(Optional.empty());
  }

  /** See {@link GatewayConfig#quick}. */
  static GatewayConfig quick(QuickFlags flags) throws ConfigException {
    return quick(flags, Path.of("").toAbsolutePath());
  }

  /**
   * The configuration of these flags, of a gateway that is started in another directory.
   *
   * @param directory from which paths count
   */
  static GatewayConfig quick(QuickFlags flags, Path directory) throws ConfigException {
    List<ConfigProblem> gaps = flags.gaps();
    if (!gaps.isEmpty()) {
      throw new ConfigException(gaps);
    }
    return new ConfigReader(flags.tree(), directory, new ArrayList<>(), false)
        .read(Optional.empty());
  }

  private static void override(Mapping root, Map<String, String> environment) {
    Map<String, ConfigKey> byVariable = new LinkedHashMap<>();
    for (ConfigKey key : ConfigKey.values()) {
      if (key.hasEnvironmentVariable()) {
        byVariable.put(key.environmentVariable(), key);
      }
    }
    new TreeMap<>(environment)
        .forEach(
            (name, value) -> {
              ConfigKey key = byVariable.get(name);
              if (key != null) {
                root.put(key, "environment variable " + name, value);
              } else if (name.startsWith(ConfigKey.ENVIRONMENT_PREFIX)
                  && !KUBERNETES_SERVICE.matcher(name).matches()) {
                // Not an error: environments are shared, and the next version may know it.
                log.warn(
                    "environment variable {} names no key of the configuration{}",
                    name,
                    NearestName.of(name, byVariable.keySet())
                        .map(near -> "; did you mean " + near + "?")
                        .orElse(""));
              }
            });
  }

  private GatewayConfig read(Optional<Path> source) throws ConfigException {
    LoginsReader logins = new LoginsReader(values);
    PolicyReader policy = new PolicyReader(values);
    RestraintsReader restraints = new RestraintsReader(values);
    TargetsReader targets = new TargetsReader(values, policy, restraints);
    ServicesReader services = new ServicesReader(values);
    ConfigKey administrators = ConfigKey.ADMIN_PRINCIPALS;
    GatewayConfig config =
        new GatewayConfig(
            new GatewayConfig.Server(
                listen(),
                contextPath(),
                values.flag(ConfigKey.INSECURE),
                logins.tls(),
                maxConnections(),
                new RequestPace(
                    values.duration(ConfigKey.HTTP_PATIENCE), values.size(ConfigKey.HTTP_MIN_RATE)),
                adminListen()),
            new GatewayConfig.Access(
                logins.logins(),
                origins(),
                hosts(),
                Set.copyOf(values.list(values.root(), administrators, administrators.path(), true)),
                values.choice(ConfigKey.METRICS).equals("open")),
            new GatewayConfig.Policy(
                targets.targets(),
                policy.classes(),
                restraints.restraints(),
                targets.raw(),
                targets.mapping()),
            new GatewayConfig.Tunnel(
                session(),
                post(),
                new LegacyReader(values).legacy(),
                compression(),
                lookups(),
                grants()),
            new GatewayConfig.Inner(relay(), leases(), new CallbacksReader(values).callbacks()),
            new GatewayConfig.WebServices(services.published(), services.settings()),
            new GatewayConfig.Operation(
                source,
                values.directory().resolve(values.text(ConfigKey.STATE)).normalize(),
                new AuditReader(values).settings(),
                values.duration(ConfigKey.CALLS_HUNG_AFTER),
                values.duration(ConfigKey.DRAIN)));
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    return config;
  }

  private Set<String> origins() {
    ConfigKey key = ConfigKey.ORIGINS;
    Set<String> origins = new LinkedHashSet<>();
    for (String text : values.list(values.root(), key, key.path(), true)) {
      WebOrigin.of(text).ifPresent(origins::add);
    }
    return origins;
  }

  private Set<String> hosts() {
    ConfigKey key = ConfigKey.HOSTS;
    return new LinkedHashSet<>(values.list(values.root(), key, key.path(), true));
  }

  private Listen listen() {
    return values.listen(ConfigKey.LISTEN, values.scalar(ConfigKey.LISTEN));
  }

  private int maxConnections() {
    values.section("http");
    return values.count(ConfigKey.HTTP_MAX_CONNECTIONS);
  }

  /** Passwords of admins are not for other machines to hear. */
  private Optional<Listen> adminListen() {
    ConfigKey key = ConfigKey.ADMIN_LISTEN;
    Optional<Scalar> given = values.given(key);
    Optional<Listen> listen = given.map(value -> values.listen(key, value));
    if (listen.isPresent() && !listen.get().isLoopback() && values.section("tls").isEmpty()) {
      values.problem(
          given.get().origin(),
          key.path(),
          "\""
              + given.get().text()
              + "\" needs tls; without tls, only 127.0.0.1, [::1] and localhost are allowed");
    }
    return listen;
  }

  private String contextPath() {
    Scalar value = values.scalar(ConfigKey.PATH);
    if (!CONTEXT_PATH.matcher(value.text()).matches()) {
      values.notAllowed(ConfigKey.PATH, value, "is not a context path");
    }
    return value.text().equals("/") ? "" : value.text();
  }

  private LookupSettings lookups() {
    values.section("lookups");
    ConfigKey uncached = ConfigKey.LOOKUPS_UNCACHED;
    return new LookupSettings(
        values.flag(ConfigKey.LOOKUPS_CACHE),
        NamePatterns.of(values.list(values.root(), uncached, uncached.path(), true)),
        values.duration(ConfigKey.LOOKUPS_POLL),
        preload());
  }

  private List<LookupSettings.Preload> preload() {
    List<LookupSettings.Preload> preloads = new ArrayList<>();
    values.items(
        values.root(),
        "",
        "preload",
        "principals and names",
        ConfigValues.EMPTY,
        (item, path) -> {
          List<String> principals =
              values.list(item, ConfigKey.PRELOAD_PRINCIPALS, path + ".principals", false);
          List<String> names = values.list(item, ConfigKey.PRELOAD_NAMES, path + ".names", false);
          preloads.add(
              new LookupSettings.Preload(
                  new LinkedHashSet<>(principals),
                  names.stream().flatMap(name -> RegistryName.parse(name).stream()).toList()));
        });
    return preloads;
  }

  private CompressionPolicy compression() {
    values.section("compression");
    Compression mode = Compression.of(values.choice(ConfigKey.COMPRESSION_MODE)).orElseThrow();
    List<CompressionPolicy.ForSome> exceptions = new ArrayList<>();
    values.items(
        values.root(),
        "",
        "compression.for",
        "principals and mode",
        "",
        (item, path) -> exceptions.add(compressionFor(item, path)));
    return new CompressionPolicy(mode, exceptions);
  }

  private CompressionPolicy.ForSome compressionFor(Mapping item, String path) {
    ConfigKey who = ConfigKey.COMPRESSION_FOR_PRINCIPALS;
    List<String> principals = values.list(item, who, path + ".principals", false);
    ConfigKey key = ConfigKey.COMPRESSION_FOR_MODE;
    if (!item.entries().containsKey(key.lastName())) {
      values.problem(
          item.origin(), path + "." + key.lastName(), "required; allowed: " + key.allowed().text());
    }
    Optional<Compression> mode = Compression.of(values.choice(item, key, path));
    return new CompressionPolicy.ForSome(
        new LinkedHashSet<>(principals), mode.orElse(Compression.AUTO));
  }

  private SessionSettings session() {
    values.section("session");
    SessionSettings settings =
        new SessionSettings(
            values.duration(ConfigKey.SESSION_HEARTBEAT),
            values.duration(ConfigKey.SESSION_HELLO_TIMEOUT),
            new SessionSettings.Limits(
                values.size(ConfigKey.SESSION_STREAM_CREDIT),
                values.count(ConfigKey.SESSION_MAX_STREAMS),
                values.count(ConfigKey.SESSION_MAX_SESSIONS_PER_PRINCIPAL),
                values.count(ConfigKey.SESSION_MAX_SESSIONS)),
            values.duration(ConfigKey.SESSION_SEND_TIMEOUT),
            values.duration(ConfigKey.SESSION_GRACE),
            values.count(ConfigKey.SESSION_CHORES_PER_SECOND));
    if (!settings.outlivesSilence()) {
      log.warn(
          "session.grace is {}, shorter than three heartbeats of {}: a client may notice that its"
              + " link is dead only when its session is over",
          Units.text(settings.grace()),
          Units.text(settings.heartbeat()));
    }
    return settings;
  }

  private GatewayConfig.Post post() {
    values.section("post");
    return new GatewayConfig.Post(
        values.flag(ConfigKey.POST_ENABLED), values.duration(ConfigKey.POST_HOLD));
  }

  private RelaySettings relay() {
    values.section("relay");
    values.section("admin");
    return new RelaySettings(
        values.duration(ConfigKey.RELAY_CONNECT_TIMEOUT),
        values.duration(ConfigKey.RELAY_HANDSHAKE_TIMEOUT),
        values.duration(ConfigKey.RELAY_PING_AFTER_IDLE),
        values.size(ConfigKey.RELAY_MAX_HELD_CALL),
        values.count(ConfigKey.RELAY_THREADS));
  }

  private LeaseSettings leases() {
    values.section("leases");
    return new LeaseSettings(
        values.flag(ConfigKey.LEASES_ENABLED),
        values.duration(ConfigKey.SESSION_GRACE),
        values.count(ConfigKey.LEASES_MAX_OBJECTS),
        values.count(ConfigKey.LEASES_MAX_ENDPOINTS),
        values.count(ConfigKey.LEASES_MAX_OBJECTS_PER_PRINCIPAL),
        values.duration(ConfigKey.LEASES_CALL_TIMEOUT));
  }

  private GrantSettings grants() {
    values.section("grants");
    return new GrantSettings(
        values.file(ConfigKey.GRANTS_KEY_FILE), values.duration(ConfigKey.GRANTS_LIFETIME));
  }
}
