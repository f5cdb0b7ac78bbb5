package io.rmigate.gateway.config;

import io.rmigate.gateway.callback.CallbackSettings;
import io.rmigate.gateway.callback.InnerPeers;
import io.rmigate.gateway.callback.PortRange;
import io.rmigate.gateway.config.Allowed.Shape;
import io.rmigate.gateway.config.ConfigNode.Entry;
import io.rmigate.gateway.config.ConfigNode.Mapping;
import io.rmigate.gateway.config.ConfigNode.Nothing;
import io.rmigate.gateway.config.ConfigNode.Scalar;
import io.rmigate.gateway.config.ConfigNode.Sequence;
import io.rmigate.gateway.config.GatewayConfig.Bearer;
import io.rmigate.gateway.config.GatewayConfig.ClientAuth;
import io.rmigate.gateway.config.GatewayConfig.Listen;
import io.rmigate.gateway.config.GatewayConfig.Logins;
import io.rmigate.gateway.config.GatewayConfig.Tls;
import io.rmigate.gateway.grant.GrantSettings;
import io.rmigate.gateway.lease.LeaseSettings;
import io.rmigate.gateway.lookup.LookupSettings;
import io.rmigate.gateway.policy.ClassPattern;
import io.rmigate.gateway.relay.AddressLiteral;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.session.CompressionPolicy;
import io.rmigate.gateway.session.EndpointMapping;
import io.rmigate.gateway.session.RawGrant;
import io.rmigate.gateway.session.SessionSettings;
import io.rmigate.gateway.session.TargetGrant;
import io.rmigate.protocol.DestinationPatterns;
import io.rmigate.protocol.NamePatterns;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.jrmp.RegistryOperation;
import io.rmigate.protocol.tunnel.RegistryName;
import java.io.IOException;
import java.io.Reader;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Binds a tree of {@link ConfigNode}s to {@link GatewayConfig}. Every problem is collected and the
 * reading goes on with a stand-in value, so that one run shows them all. One use, one thread.
 */
final class ConfigReader {
  private static final Logger log = LoggerFactory.getLogger(ConfigReader.class);
  private static final Pattern HOST_PORT =
      Pattern.compile("(?:\\[([0-9A-Fa-f:.%a-z]+)\\]|([A-Za-z0-9._-]+)):(\\d{1,5})");
  private static final Pattern CONTEXT_PATH = Pattern.compile("/|(?:/[A-Za-z0-9._~-]+)+");
  private static final Pattern TARGET =
      Pattern.compile(
          "(?:\\[[0-9A-Fa-f:.*]+\\]|[\\p{Alnum}._*-]+):(?:\\*|(\\d{1,5})(?:-(\\d{1,5}))?)");

  private static final Pattern HOST_PATTERN =
      Pattern.compile("\\[[0-9A-Fa-f:.]+\\]|[\\p{Alnum}._*-]+");

  private static final Pattern HOST = Pattern.compile("[0-9A-Fa-f:.]+|[\\p{Alnum}._-]+");

  /** What Kubernetes puts into the environment for a service called rmigate-gateway. */
  private static final Pattern KUBERNETES_SERVICE =
      Pattern.compile(ConfigKey.ENVIRONMENT_PREFIX + "(?:SERVICE_(?:HOST|PORT.*)|PORT(?:_.*)?)");

  private final Mapping root;
  private final Path directory;
  private final List<ConfigProblem> problems;
  private final ServicesReader services;
  private final PolicyReader policy;

  private ConfigReader(Mapping root, Path directory, List<ConfigProblem> problems) {
    this.root = root;
    this.directory = directory;
    this.problems = problems;
    this.services = new ServicesReader(this, directory);
    this.policy = new PolicyReader(this, directory);
  }

  /** See {@link GatewayConfig#load}. */
  static GatewayConfig load(Path file, Map<String, String> environment) throws ConfigException {
    List<ConfigProblem> problems = new ArrayList<>();
    Mapping root;
    try (Reader yaml = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      root = YamlTree.read(file.toString(), yaml, problems);
    } catch (NoSuchFileException e) {
      throw new ConfigException(file.toString(), "", "no such file");
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
    ConfigReader reader = new ConfigReader(root, directory, problems);
    reader.refuseUnknownKeys(root, "", "");
    reader.override(environment);
    return reader.read(Optional.of(file.toAbsolutePath()));
  }

  /** See {@link GatewayConfig#quick}. */
  static GatewayConfig quick(QuickFlags flags) throws ConfigException {
    Mapping root = Mapping.at("command line");
    flags.listen().ifPresent(listen -> put(root, ConfigKey.LISTEN, "--listen", listen));
    flags.tls().ifPresent(tls -> put(root, ConfigKey.TLS_KEYSTORE, "--tls", tls.toString()));
    flags
        .tlsPasswordFile()
        .ifPresent(
            file -> put(root, ConfigKey.TLS_PASSWORD_FILE, "--tls-password-file", file.toString()));
    flags.state().ifPresent(state -> put(root, ConfigKey.STATE, "--state", state.toString()));
    flags.grace().ifPresent(grace -> put(root, ConfigKey.SESSION_GRACE, "--grace", grace));
    if (flags.insecure()) {
      put(root, ConfigKey.INSECURE, "--insecure", "true");
    }
    if (flags.anonymous()) {
      put(root, ConfigKey.LOGINS_ANONYMOUS, "--anonymous", "true");
    }
    flags
        .interfaces()
        .ifPresent(
            jars -> put(root, ConfigKey.CLASSES_INTERFACES, "--interfaces", jars.toString()));
    if (flags.learn()) {
      put(root, ConfigKey.CLASSES_MODE, "--learn", "learn");
    }
    Mapping target = Mapping.at("--allow");
    put(target, "principals", new Sequence("--allow", List.of(new Scalar("--allow", "*"))));
    List<ConfigNode> patterns = new ArrayList<>();
    flags.allow().forEach(pattern -> patterns.add(new Scalar("--allow", pattern)));
    put(target, "allow", new Sequence("--allow", patterns));
    put(root, "targets", new Sequence("--allow", List.of(target)));
    if (flags.isLocal()) {
      putLocalCallbacks(root);
    }
    ConfigReader reader = new ConfigReader(root, Path.of("").toAbsolutePath(), new ArrayList<>());
    if (!flags.anonymous()) {
      reader.problem(
          "command line",
          "",
          "without a configuration file nobody can log in; add --anonymous to let everybody in, or"
              + " use --config with logins");
    }
    if (flags.allow().isEmpty()) {
      reader.problem(
          "command line",
          "",
          "nothing can be reached; add --allow HOST:PORT, for example --allow 'rmi.example:*'");
    }
    if (flags.tls().isEmpty() && !flags.insecure()) {
      reader.problem(
          "command line",
          "",
          "neither TLS nor plain HTTP; add --tls KEYSTORE --tls-password-file FILE, or --insecure"
              + " for plain HTTP");
    }
    if (!reader.problems.isEmpty()) {
      throw new ConfigException(reader.problems);
    }
    return reader.read(Optional.empty());
  }

  /** All on one machine, to try things out: inner JVMs are those of this machine too. */
  private static void putLocalCallbacks(Mapping root) {
    String origin = "--listen";
    put(root, ConfigKey.CALLBACKS_ADDRESS, origin, "127.0.0.1");
    Mapping callbacks = (Mapping) root.entries().get("callbacks").value();
    put(callbacks, "from", new Sequence(origin, List.of(new Scalar(origin, "127.*"))));
    Mapping everybody = Mapping.at(origin);
    put(everybody, "principals", new Sequence(origin, List.of(new Scalar(origin, "*"))));
    put(callbacks, "allow", new Sequence(origin, List.of(everybody)));
  }

  private static void put(Mapping root, ConfigKey key, String origin, String value) {
    String[] parts = key.path().split("\\.", -1);
    Mapping at = root;
    for (int i = 0; i < parts.length - 1; i++) {
      Entry entry = at.entries().get(parts[i]);
      if (entry == null || entry.value() instanceof Nothing) {
        Mapping below = Mapping.at(origin);
        at.entries().put(parts[i], new Entry(origin, below));
        at = below;
      } else if (entry.value() instanceof Mapping below) {
        at = below;
      } else {
        return; // the wrong type is reported when the section is read
      }
    }
    at.entries().put(parts[parts.length - 1], new Entry(origin, new Scalar(origin, value)));
  }

  private static void put(Mapping into, String key, ConfigNode value) {
    into.entries().put(key, new Entry(value.origin(), value));
  }

  // ---- unknown keys, environment

  private void refuseUnknownKeys(Mapping mapping, String keyPath, String shownPath) {
    Set<String> known = new LinkedHashSet<>();
    String prefix = keyPath.isEmpty() ? "" : keyPath + ".";
    for (ConfigKey key : ConfigKey.values()) {
      if (key.path().startsWith(prefix)) {
        String rest = key.path().substring(prefix.length());
        int end = rest.indexOf('.');
        known.add(end < 0 ? rest : rest.substring(0, end));
      }
    }
    mapping
        .entries()
        .forEach(
            (name, entry) -> {
              String shown = shownPath.isEmpty() ? name : shownPath + "." + name;
              if (known.contains(name)) {
                if (entry.value() instanceof Mapping below) {
                  refuseUnknownKeys(below, prefix + name, shown);
                }
              } else if (known.contains(name + "[]")) {
                if (entry.value() instanceof Sequence list) {
                  for (int i = 0; i < list.items().size(); i++) {
                    if (list.items().get(i) instanceof Mapping item) {
                      refuseUnknownKeys(item, prefix + name + "[]", shown + "[" + i + "]");
                    }
                  }
                }
              } else {
                problem(entry.keyOrigin(), shown, "unknown key" + suggestion(name, known));
              }
            });
  }

  private static String suggestion(String name, Set<String> known) {
    List<String> siblings = known.stream().map(k -> k.replace("[]", "")).toList();
    Optional<String> near = NearestName.of(name, siblings);
    if (near.isPresent()) {
      return "; did you mean " + near.get() + "?";
    }
    for (ConfigKey key : ConfigKey.values()) {
      if (key.lastName().equals(name)) {
        return "; did you mean " + key.path() + "?";
      }
    }
    return "; allowed: " + String.join(", ", siblings);
  }

  private void override(Map<String, String> environment) {
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
                put(root, key, "environment variable " + name, value);
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

  // ---- the records

  private GatewayConfig read(Optional<Path> source) throws ConfigException {
    GatewayConfig config =
        new GatewayConfig(
            source,
            listen(),
            contextPath(),
            flag(ConfigKey.INSECURE),
            tls(),
            logins(),
            targets(),
            policy.classes(root),
            raw(),
            mapping(),
            lookups(),
            compression(),
            session(),
            post(),
            new LegacyReader(this).legacy(root),
            relay(),
            leases(),
            grants(),
            duration(ConfigKey.CALLS_HUNG_AFTER),
            callbacks(),
            Set.copyOf(
                list(root, ConfigKey.ADMIN_PRINCIPALS, ConfigKey.ADMIN_PRINCIPALS.path(), true)),
            choice(ConfigKey.METRICS).equals("open"),
            duration(ConfigKey.DRAIN),
            services.published(root),
            services.settings(root),
            directory.resolve(text(ConfigKey.STATE)).normalize(),
            new AuditReader(this, directory).settings(root));
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    return config;
  }

  private Listen listen() {
    return listen(ConfigKey.LISTEN, scalar(ConfigKey.LISTEN));
  }

  Listen listen(ConfigKey key, Scalar value) {
    Matcher matcher = HOST_PORT.matcher(value.text());
    if (matcher.matches() && Integer.parseInt(matcher.group(3)) <= 65535) {
      String host = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
      return new Listen(host, Integer.parseInt(matcher.group(3)));
    }
    notAllowed(key, value, "is not a listening address");
    return new Listen("127.0.0.1", 0);
  }

  private String contextPath() {
    Scalar value = scalar(ConfigKey.PATH);
    if (!CONTEXT_PATH.matcher(value.text()).matches()) {
      notAllowed(ConfigKey.PATH, value, "is not a context path");
    }
    return value.text().equals("/") ? "" : value.text();
  }

  private Optional<Tls> tls() {
    Optional<Entry> section = section("tls");
    if (section.isEmpty()) {
      return Optional.empty();
    }
    String origin = section.get().keyOrigin();
    Optional<Path> keystore = requiredFile(ConfigKey.TLS_KEYSTORE, origin);
    Optional<Path> passwordFile = requiredFile(ConfigKey.TLS_PASSWORD_FILE, origin);
    ClientAuth clientAuth =
        ClientAuth.valueOf(choice(ConfigKey.TLS_CLIENT_AUTH).toUpperCase(Locale.ROOT));
    Optional<Path> truststore = file(ConfigKey.TLS_TRUSTSTORE);
    Optional<Path> truststorePasswordFile = file(ConfigKey.TLS_TRUSTSTORE_PASSWORD_FILE);
    if (clientAuth != ClientAuth.NONE && !isGiven(ConfigKey.TLS_TRUSTSTORE)) {
      problem(
          origin,
          ConfigKey.TLS_TRUSTSTORE.path(),
          "required with tls.client-auth "
              + choice(ConfigKey.TLS_CLIENT_AUTH)
              + ": only the authorities in it may issue client certificates");
    }
    if (keystore.isEmpty() || passwordFile.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Tls(
            keystore.get(), passwordFile.get(), clientAuth, truststore, truststorePasswordFile));
  }

  private Logins logins() {
    Optional<Entry> section = section("logins");
    Optional<Path> usersFile = Optional.empty();
    Optional<Entry> basic = section("logins.basic");
    if (basic.isPresent()) {
      usersFile = requiredFile(ConfigKey.LOGINS_BASIC_USERS_FILE, basic.get().keyOrigin());
    }
    Optional<Bearer> bearer = Optional.empty();
    Optional<Entry> bearerSection = section("logins.bearer");
    if (bearerSection.isPresent()) {
      bearer = bearer(bearerSection.get().keyOrigin());
    }
    Logins logins =
        new Logins(
            flag(ConfigKey.LOGINS_ANONYMOUS),
            usersFile,
            bearer,
            flag(ConfigKey.LOGINS_CLIENT_CERTIFICATE),
            flag(ConfigKey.LOGINS_CONTAINER));
    boolean any =
        logins.anonymous()
            || basic.isPresent()
            || bearerSection.isPresent()
            || logins.clientCertificate()
            || logins.container();
    if (!any) {
      problem(
          section.map(Entry::keyOrigin).orElse(root.origin()),
          "logins",
          "nobody can log in; configure basic, bearer, client-certificate or container, or say"
              + " anonymous: true to let everybody in");
    }
    return logins;
  }

  private Optional<Bearer> bearer(String origin) {
    Optional<URI> jwks = required(ConfigKey.LOGINS_BEARER_JWKS, origin).flatMap(this::jwks);
    Optional<Scalar> issuer = required(ConfigKey.LOGINS_BEARER_ISSUER, origin);
    Optional<Scalar> audience = required(ConfigKey.LOGINS_BEARER_AUDIENCE, origin);
    String claim = text(ConfigKey.LOGINS_BEARER_PRINCIPAL_CLAIM);
    ConfigKey key = ConfigKey.LOGINS_BEARER_ALGORITHMS;
    List<String> algorithms = list(root, key, key.path(), false);
    if (jwks.isEmpty() || issuer.isEmpty() || audience.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Bearer(
            jwks.get(),
            issuer.get().text(),
            audience.get().text(),
            claim,
            new LinkedHashSet<>(algorithms)));
  }

  private Optional<URI> jwks(Scalar value) {
    if (value.text().startsWith("https://")) {
      try {
        URI uri = URI.create(value.text());
        if (uri.getHost() != null && uri.getUserInfo() == null) {
          return Optional.of(uri);
        }
      } catch (IllegalArgumentException e) {
        // reported below, like an address without a host
      }
      notAllowed(ConfigKey.LOGINS_BEARER_JWKS, value, "is not an address");
      return Optional.empty();
    }
    if (value.text().contains("://")) {
      notAllowed(ConfigKey.LOGINS_BEARER_JWKS, value, "would let anybody on the way replace keys");
      return Optional.empty();
    }
    return readable(ConfigKey.LOGINS_BEARER_JWKS, value).map(Path::toUri);
  }

  private List<TargetGrant> targets() {
    Entry entry = root.entries().get("targets");
    if (entry == null || entry.value() instanceof Nothing) {
      problem(
          entry == null ? root.origin() : entry.keyOrigin(),
          "targets",
          "nothing can be reached; add a list of entries with principals and allow");
      return List.of();
    }
    if (!(entry.value() instanceof Sequence list)) {
      problem(entry.value().origin(), "targets", "expected a list, found " + entry.value().kind());
      return List.of();
    }
    if (list.items().isEmpty()) {
      problem(
          list.origin(),
          "targets",
          "nothing can be reached; add a list of entries with principals and allow");
    }
    List<TargetGrant> grants = new ArrayList<>();
    for (int i = 0; i < list.items().size(); i++) {
      String path = "targets[" + i + "]";
      ConfigNode item = list.items().get(i);
      if (item instanceof Mapping mapping) {
        grants.add(grant(mapping, path));
      } else {
        problem(item.origin(), path, "expected principals and allow, found " + item.kind());
      }
    }
    return grants;
  }

  private TargetGrant grant(Mapping item, String path) {
    List<String> principals = list(item, ConfigKey.TARGETS_PRINCIPALS, path + ".principals", false);
    List<String> allow = list(item, ConfigKey.TARGETS_ALLOW, path + ".allow", false);
    Set<RegistryOperation> registry = EnumSet.noneOf(RegistryOperation.class);
    for (String name : list(item, ConfigKey.TARGETS_REGISTRY, path + ".registry", true)) {
      registry.add(RegistryOperation.valueOf(name.toUpperCase(Locale.ROOT)));
    }
    return new TargetGrant(
        new LinkedHashSet<>(principals), allow, registry, policy.entry(item, path));
  }

  private List<RawGrant> raw() {
    Entry entry = root.entries().get("raw");
    if (entry == null) {
      return List.of();
    }
    if (!(entry.value() instanceof Sequence list)) {
      problem(entry.value().origin(), "raw", "expected a list, found " + entry.value().kind());
      return List.of();
    }
    if (list.items().isEmpty()) {
      problem(list.origin(), "raw", "is empty; leave it out, or add entries");
    }
    List<RawGrant> grants = new ArrayList<>();
    for (int i = 0; i < list.items().size(); i++) {
      String path = "raw[" + i + "]";
      ConfigNode item = list.items().get(i);
      if (item instanceof Mapping mapping) {
        grants.add(
            new RawGrant(
                new LinkedHashSet<>(
                    list(mapping, ConfigKey.RAW_PRINCIPALS, path + ".principals", false)),
                list(mapping, ConfigKey.RAW_ALLOW, path + ".allow", false),
                choice(mapping, ConfigKey.RAW_FIRST_BYTES, path).equals("tls")));
      } else {
        problem(item.origin(), path, "expected principals and allow, found " + item.kind());
      }
    }
    return grants;
  }

  /** A choice in an item of a list; the default where it is left out or is none. */
  private String choice(Mapping item, ConfigKey key, String path) {
    Optional<Entry> entry = entry(item, key.lastName());
    if (entry.isEmpty()) {
      return key.defaultText();
    }
    ConfigNode value = entry.get().value();
    if (value instanceof Scalar scalar && key.allowed().names().contains(scalar.text().strip())) {
      return scalar.text().strip();
    }
    problem(
        value.origin(),
        path + "." + key.lastName(),
        (value instanceof Scalar scalar
                ? quoted(scalar) + " is none of them"
                : "expected one value, found " + value.kind())
            + "; allowed: "
            + key.allowed().text());
    return key.defaultText();
  }

  private LookupSettings lookups() {
    section("lookups");
    ConfigKey uncached = ConfigKey.LOOKUPS_UNCACHED;
    return new LookupSettings(
        flag(ConfigKey.LOOKUPS_CACHE),
        NamePatterns.of(list(root, uncached, uncached.path(), true)),
        duration(ConfigKey.LOOKUPS_POLL),
        preload());
  }

  private List<LookupSettings.Preload> preload() {
    Entry entry = root.entries().get("preload");
    if (entry == null) {
      return List.of();
    }
    if (!(entry.value() instanceof Sequence list)) {
      problem(entry.value().origin(), "preload", "expected a list, found " + entry.value().kind());
      return List.of();
    }
    if (list.items().isEmpty()) {
      problem(list.origin(), "preload", "is empty; leave it out, or add entries");
    }
    List<LookupSettings.Preload> preloads = new ArrayList<>();
    for (int i = 0; i < list.items().size(); i++) {
      String path = "preload[" + i + "]";
      ConfigNode item = list.items().get(i);
      if (item instanceof Mapping mapping) {
        List<String> principals =
            list(mapping, ConfigKey.PRELOAD_PRINCIPALS, path + ".principals", false);
        List<String> names = list(mapping, ConfigKey.PRELOAD_NAMES, path + ".names", false);
        preloads.add(
            new LookupSettings.Preload(
                new LinkedHashSet<>(principals),
                names.stream().flatMap(name -> RegistryName.parse(name).stream()).toList()));
      } else {
        problem(item.origin(), path, "expected principals and names, found " + item.kind());
      }
    }
    return preloads;
  }

  private EndpointMapping mapping() {
    List<EndpointMapping.Rule> rules = new ArrayList<>();
    Entry entry = root.entries().get("map");
    if (entry != null && entry.value() instanceof Sequence list) {
      if (list.items().isEmpty()) {
        problem(list.origin(), "map", "is empty; leave it out, or add entries with host");
      }
      for (int i = 0; i < list.items().size(); i++) {
        mappingRule(list.items().get(i), "map[" + i + "]").ifPresent(rules::add);
      }
    } else if (entry != null) {
      problem(entry.value().origin(), "map", "expected a list, found " + entry.value().kind());
    }
    return new EndpointMapping(flag(ConfigKey.MAP_LOOPBACK), rules);
  }

  private Optional<EndpointMapping.Rule> mappingRule(ConfigNode item, String path) {
    if (!(item instanceof Mapping mapping)) {
      problem(item.origin(), path, "expected host, found " + item.kind());
      return Optional.empty();
    }
    if (mapping.entries().get(ConfigKey.MAP_HOST.lastName()) == null) {
      problem(
          item.origin(),
          path + ".host",
          "required; allowed: " + ConfigKey.MAP_HOST.allowed().text());
      return Optional.empty();
    }
    Optional<String> host = host(mapping, ConfigKey.MAP_HOST, path, HOST_PATTERN);
    Optional<String> to =
        mapping.entries().get(ConfigKey.MAP_TO.lastName()) == null
            ? Optional.empty()
            : host(mapping, ConfigKey.MAP_TO, path, HOST);
    return host.map(hosts -> new EndpointMapping.Rule(hosts, to));
  }

  /** A host of an item of a list; one that is none is reported. */
  private Optional<String> host(Mapping item, ConfigKey key, String path, Pattern allowed) {
    ConfigNode value = item.entries().get(key.lastName()).value();
    String where = path + "." + key.lastName();
    if (value instanceof Scalar scalar) {
      String text = scalar.text().strip();
      if (allowed.matcher(text).matches()) {
        return Optional.of(text);
      }
      problem(
          value.origin(), where, quoted(scalar) + " is no host; allowed: " + key.allowed().text());
    } else {
      problem(
          value.origin(),
          where,
          "expected one value, found " + value.kind() + "; allowed: " + key.allowed().text());
    }
    return Optional.empty();
  }

  private CompressionPolicy compression() {
    section("compression");
    Compression mode = Compression.of(choice(ConfigKey.COMPRESSION_MODE)).orElseThrow();
    Optional<Entry> entry = entry(root, "compression.for");
    List<CompressionPolicy.ForSome> exceptions = new ArrayList<>();
    if (entry.isPresent() && entry.get().value() instanceof Sequence list) {
      for (int i = 0; i < list.items().size(); i++) {
        String path = "compression.for[" + i + "]";
        ConfigNode item = list.items().get(i);
        if (item instanceof Mapping mapping) {
          exceptions.add(compressionFor(mapping, path));
        } else {
          problem(item.origin(), path, "expected principals and mode, found " + item.kind());
        }
      }
    } else if (entry.isPresent()) {
      ConfigNode value = entry.get().value();
      problem(value.origin(), "compression.for", "expected a list, found " + value.kind());
    }
    return new CompressionPolicy(mode, exceptions);
  }

  private CompressionPolicy.ForSome compressionFor(Mapping item, String path) {
    ConfigKey who = ConfigKey.COMPRESSION_FOR_PRINCIPALS;
    List<String> principals = list(item, who, path + ".principals", false);
    ConfigKey key = ConfigKey.COMPRESSION_FOR_MODE;
    String shown = path + "." + key.lastName();
    Optional<Entry> entry = entry(item, key.lastName());
    Optional<Compression> mode = Optional.empty();
    if (entry.isEmpty()) {
      problem(item.origin(), shown, "required; allowed: " + key.allowed().text());
    } else if (entry.get().value() instanceof Scalar scalar) {
      mode = Compression.of(scalar.text().strip());
      if (mode.isEmpty()) {
        problem(
            scalar.origin(),
            shown,
            quoted(scalar) + " is none of them; allowed: " + key.allowed().text());
      }
    } else {
      ConfigNode value = entry.get().value();
      problem(
          value.origin(),
          shown,
          "expected one value, found " + value.kind() + "; allowed: " + key.allowed().text());
    }
    return new CompressionPolicy.ForSome(
        new LinkedHashSet<>(principals), mode.orElse(Compression.AUTO));
  }

  private SessionSettings session() {
    section("session");
    SessionSettings settings =
        new SessionSettings(
            duration(ConfigKey.SESSION_HEARTBEAT),
            duration(ConfigKey.SESSION_HELLO_TIMEOUT),
            size(ConfigKey.SESSION_STREAM_CREDIT),
            count(ConfigKey.SESSION_MAX_STREAMS),
            count(ConfigKey.SESSION_MAX_SESSIONS_PER_PRINCIPAL),
            count(ConfigKey.SESSION_MAX_SESSIONS),
            duration(ConfigKey.SESSION_SEND_TIMEOUT),
            duration(ConfigKey.SESSION_GRACE));
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
    section("post");
    return new GatewayConfig.Post(flag(ConfigKey.POST_ENABLED), duration(ConfigKey.POST_HOLD));
  }

  private RelaySettings relay() {
    section("relay");
    section("admin");
    return new RelaySettings(
        duration(ConfigKey.RELAY_CONNECT_TIMEOUT),
        duration(ConfigKey.RELAY_HANDSHAKE_TIMEOUT),
        duration(ConfigKey.RELAY_PING_AFTER_IDLE),
        size(ConfigKey.RELAY_MAX_HELD_CALL),
        count(ConfigKey.RELAY_THREADS));
  }

  private LeaseSettings leases() {
    section("leases");
    return new LeaseSettings(
        flag(ConfigKey.LEASES_ENABLED),
        duration(ConfigKey.SESSION_GRACE),
        count(ConfigKey.LEASES_MAX_OBJECTS),
        count(ConfigKey.LEASES_MAX_ENDPOINTS),
        count(ConfigKey.LEASES_MAX_OBJECTS_PER_PRINCIPAL),
        duration(ConfigKey.LEASES_CALL_TIMEOUT));
  }

  private GrantSettings grants() {
    section("grants");
    return new GrantSettings(file(ConfigKey.GRANTS_KEY_FILE), duration(ConfigKey.GRANTS_LIFETIME));
  }

  private Optional<CallbackSettings> callbacks() {
    Optional<Entry> section = section("callbacks");
    if (section.isEmpty()) {
      return Optional.empty();
    }
    String origin = section.get().keyOrigin();
    Optional<InetAddress> address =
        required(ConfigKey.CALLBACKS_ADDRESS, origin).flatMap(this::innerAddress);
    String host =
        given(ConfigKey.CALLBACKS_HOST)
            .map(this::innerHost)
            .orElseGet(() -> address.map(InetAddress::getHostAddress).orElse(""));
    Mapping values = section.get().value() instanceof Mapping all ? all : Mapping.at(origin);
    ConfigKey from = ConfigKey.CALLBACKS_FROM;
    List<String> peers = list(root, from, from.path(), true);
    if (!isGiven(from)) {
      problem(origin, from.path(), "required; allowed: " + from.allowed().text());
    }
    CallbackSettings settings =
        new CallbackSettings(
            address.orElse(InetAddress.getLoopbackAddress()),
            host,
            innerPorts(),
            InnerPeers.of(peers),
            allowances(values, origin),
            count(ConfigKey.CALLBACKS_MAX_CONNECTIONS),
            count(ConfigKey.CALLBACKS_MAX_CONNECTIONS_IN_ALL),
            duration(ConfigKey.CALLBACKS_QUARANTINE),
            duration(ConfigKey.CALLBACKS_LEASE));
    if (settings.quarantine().compareTo(settings.lease()) <= 0) {
      log.warn(
          "callbacks.quarantine is {}, no longer than callbacks.lease of {}: servers may still have"
              + " stubs of a freed port when it is somebody else's",
          Units.text(settings.quarantine()),
          Units.text(settings.lease()));
    }
    return Optional.of(settings);
  }

  private Optional<InetAddress> innerAddress(Scalar value) {
    String text = value.text().replaceAll("^\\[(.*)]$", "$1");
    Optional<InetAddress> address =
        AddressLiteral.of(text)
            .filter(one -> !one.isAnyLocalAddress() && !one.isMulticastAddress());
    if (address.isEmpty()) {
      notAllowed(ConfigKey.CALLBACKS_ADDRESS, value, "is none");
    }
    return address;
  }

  private String innerHost(Scalar value) {
    if (!HOST.matcher(value.text()).matches()) {
      notAllowed(ConfigKey.CALLBACKS_HOST, value, "is no host");
    }
    return value.text();
  }

  private PortRange innerPorts() {
    Scalar value = scalar(ConfigKey.CALLBACKS_PORTS);
    if (value.text().equals("0")) {
      return PortRange.ANY;
    }
    Optional<PortRange> range = PortRange.parse(value.text());
    if (range.isEmpty()) {
      notAllowed(ConfigKey.CALLBACKS_PORTS, value, "is none of them");
    }
    return range.orElse(PortRange.ANY);
  }

  private List<CallbackSettings.Allowance> allowances(Mapping callbacks, String origin) {
    List<CallbackSettings.Allowance> allowances = new ArrayList<>();
    Entry entry = callbacks.entries().get("allow");
    if (entry != null && entry.value() instanceof Sequence list && !list.items().isEmpty()) {
      for (int i = 0; i < list.items().size(); i++) {
        String path = "callbacks.allow[" + i + "]";
        ConfigNode item = list.items().get(i);
        if (item instanceof Mapping mapping) {
          allowances.add(allowance(mapping, path));
        } else {
          problem(item.origin(), path, "expected principals, found " + item.kind());
        }
      }
    } else {
      problem(
          entry == null ? origin : entry.keyOrigin(),
          "callbacks.allow",
          "nobody may export; add a list of entries with principals");
    }
    return allowances;
  }

  private CallbackSettings.Allowance allowance(Mapping item, String path) {
    ConfigKey who = ConfigKey.CALLBACKS_ALLOW_PRINCIPALS;
    List<String> principals = list(item, who, path + ".principals", false);
    ConfigKey explicit = ConfigKey.CALLBACKS_ALLOW_EXPLICIT;
    List<PortRange> ports =
        item.entries().containsKey(explicit.lastName())
            ? list(item, explicit, path + "." + explicit.lastName(), true).stream()
                .flatMap(text -> PortRange.parse(text).stream())
                .toList()
            : List.of();
    return new CallbackSettings.Allowance(
        new LinkedHashSet<>(principals), maxPorts(item, path), ports);
  }

  private int maxPorts(Mapping item, String path) {
    ConfigKey key = ConfigKey.CALLBACKS_ALLOW_MAX_PORTS;
    Entry entry = item.entries().get(key.lastName());
    if (entry == null) {
      return CallbackSettings.MAX_PORTS;
    }
    if (entry.value() instanceof Scalar value && value.text().matches("\\d{1,9}")) {
      int count = Integer.parseInt(value.text());
      if (count >= key.allowed().min() && count <= key.allowed().max()) {
        return count;
      }
    }
    problem(
        entry.value().origin(),
        path + "." + key.lastName(),
        entry.value().kind() + " will not do; allowed: " + key.allowed().text());
    return CallbackSettings.MAX_PORTS;
  }

  // ---- values

  /** The section at {@code path}, if it is there; a value in its place is reported. */
  Optional<Entry> section(String path) {
    Optional<Entry> entry = entry(root, path);
    if (entry.isPresent()
        && !(entry.get().value() instanceof Mapping)
        && !(entry.get().value() instanceof Nothing)) {
      ConfigNode value = entry.get().value();
      problem(value.origin(), path, "expected keys with values, found " + value.kind());
    }
    return entry;
  }

  private static Optional<Entry> entry(Mapping root, String path) {
    String[] parts = path.split("\\.", -1);
    Mapping at = root;
    for (int i = 0; i < parts.length - 1; i++) {
      Entry entry = at.entries().get(parts[i]);
      if (entry == null || !(entry.value() instanceof Mapping below)) {
        return Optional.empty();
      }
      at = below;
    }
    return Optional.ofNullable(at.entries().get(parts[parts.length - 1]));
  }

  boolean isGiven(ConfigKey key) {
    return entry(root, key.path()).isPresent();
  }

  /** The value as text; where none is given or it is not a single value, the default. */
  Scalar scalar(ConfigKey key) {
    return given(key).orElseGet(() -> new Scalar("default", key.defaultText()));
  }

  Optional<Scalar> given(ConfigKey key) {
    Optional<Entry> entry = entry(root, key.path());
    if (entry.isEmpty()) {
      return Optional.empty();
    }
    ConfigNode value = entry.get().value();
    if (value instanceof Scalar scalar && !scalar.text().isBlank()) {
      return Optional.of(new Scalar(scalar.origin(), scalar.text().strip()));
    }
    problem(
        value.origin(),
        key.path(),
        value instanceof Scalar || value instanceof Nothing
            ? "has no value; allowed: " + key.allowed().text()
            : "expected one value, found " + value.kind() + "; allowed: " + key.allowed().text());
    return Optional.empty();
  }

  Optional<Scalar> required(ConfigKey key, String sectionOrigin) {
    if (!isGiven(key)) {
      problem(sectionOrigin, key.path(), "required; allowed: " + key.allowed().text());
      return Optional.empty();
    }
    return given(key);
  }

  private String text(ConfigKey key) {
    return scalar(key).text();
  }

  boolean flag(ConfigKey key) {
    Scalar value = scalar(key);
    if (!value.text().equals("true") && !value.text().equals("false")) {
      notAllowed(key, value, "is neither");
    }
    return value.text().equals("true");
  }

  String choice(ConfigKey key) {
    Scalar value = scalar(key);
    if (key.allowed().names().contains(value.text())) {
      return value.text();
    }
    notAllowed(key, value, "is none of them");
    return key.defaultText();
  }

  Duration duration(ConfigKey key) {
    Scalar value = scalar(key);
    Optional<Duration> duration = Units.duration(value.text());
    if (duration.isEmpty()) {
      notAllowed(key, value, "is not a duration");
      return Units.duration(key.defaultText()).orElseThrow();
    }
    inRange(key, value, duration.get().toMillis());
    return duration.get();
  }

  int size(ConfigKey key) {
    Scalar value = scalar(key);
    OptionalLong bytes = Units.bytes(value.text());
    if (bytes.isEmpty()) {
      notAllowed(key, value, "is not a size");
      return 0;
    }
    return inRange(key, value, bytes.getAsLong()) ? (int) bytes.getAsLong() : 0;
  }

  int count(ConfigKey key) {
    Scalar value = scalar(key);
    if (!value.text().matches("\\d{1,9}")) {
      notAllowed(key, value, "is not a number that will do");
      return 0;
    }
    int count = Integer.parseInt(value.text());
    inRange(key, value, count);
    return count;
  }

  private boolean inRange(ConfigKey key, Scalar value, long amount) {
    Allowed allowed = key.allowed();
    if (amount < allowed.min() || amount > allowed.max()) {
      notAllowed(key, value, amount < allowed.min() ? "is too small" : "is too large");
      return false;
    }
    return true;
  }

  private Optional<Path> requiredFile(ConfigKey key, String sectionOrigin) {
    return required(key, sectionOrigin).flatMap(value -> readable(key, value));
  }

  private Optional<Path> file(ConfigKey key) {
    return given(key).flatMap(value -> readable(key, value));
  }

  private Optional<Path> readable(ConfigKey key, Scalar value) {
    Path file;
    try {
      file = directory.resolve(value.text()).normalize();
    } catch (java.nio.file.InvalidPathException e) {
      notAllowed(key, value, "is not a file name");
      return Optional.empty();
    }
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      problem(
          value.origin(),
          key.path(),
          (Files.exists(file) ? "cannot read " : "no such file: ") + file);
      return Optional.empty();
    }
    return Optional.of(file);
  }

  /**
   * A list of words or patterns under the last name of {@code key} in {@code mapping} (or at its
   * full path in the root). An empty one is refused where it is given: it would silently mean
   * nobody or nothing.
   */
  List<String> list(Mapping mapping, ConfigKey key, String path, boolean optional) {
    Optional<Entry> entry = entry(mapping, path.equals(key.path()) ? path : key.lastName());
    if (entry.isEmpty()) {
      if (!optional && key.defaultText().isEmpty()) {
        problem(mapping.origin(), path, "required; allowed: " + key.allowed().text());
      }
      return key.defaultText().isEmpty() ? List.of() : List.of(key.defaultText().split(", ", -1));
    }
    ConfigNode value = entry.get().value();
    List<Scalar> items = new ArrayList<>();
    if (value instanceof Sequence sequence) {
      for (int i = 0; i < sequence.items().size(); i++) {
        ConfigNode item = sequence.items().get(i);
        if (item instanceof Scalar scalar && !scalar.text().isBlank()) {
          items.add(new Scalar(scalar.origin(), scalar.text().strip()));
        } else {
          problem(item.origin(), path + "[" + i + "]", "expected one value, found " + item.kind());
        }
      }
      if (sequence.items().isEmpty()) {
        problem(value.origin(), path, "is empty; allowed: " + key.allowed().text());
      }
    } else if (value instanceof Scalar scalar && scalar.origin().startsWith("environment")) {
      for (String item : scalar.text().split(",", -1)) {
        items.add(new Scalar(scalar.origin(), item.strip()));
      }
    } else {
      problem(
          value.origin(),
          path,
          "expected a list, found " + value.kind() + "; allowed: " + key.allowed().text());
    }
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      if (isAllowedItem(key, items.get(i), path + "[" + i + "]")) {
        texts.add(items.get(i).text());
      }
    }
    return texts;
  }

  private boolean isAllowedItem(ConfigKey key, Scalar item, String path) {
    List<String> names = key.allowed().names();
    if (!names.isEmpty() && !names.contains(item.text())) {
      problem(
          item.origin(),
          path,
          quoted(item) + " is none of them; allowed: " + String.join(", ", names));
      return false;
    }
    if (key.allowed().shape() == Shape.TARGET_PATTERNS) {
      return isTargetPattern(item, path);
    }
    if (key.allowed().shape() == Shape.PORTS && PortRange.parse(item.text()).isEmpty()) {
      problem(item.origin(), path, quoted(item) + " is no port; allowed: 1 to 65535, first-last");
      return false;
    }
    if (key.allowed().shape() == Shape.CLASS_PATTERNS
        && ClassPattern.parse(item.text()).isEmpty()) {
      problem(item.origin(), path, quoted(item) + " is none; allowed: " + key.allowed().text());
      return false;
    }
    if (key.allowed().shape() == Shape.PEERS) {
      return isPeer(item, path);
    }
    if (key.allowed().shape() == Shape.REGISTRY_NAMES
        && RegistryName.parse(item.text()).isEmpty()) {
      problem(item.origin(), path, quoted(item) + " is no name; allowed: host:port/name");
      return false;
    }
    return services.isItem(key, item, path);
  }

  private boolean isPeer(Scalar item, String path) {
    try {
      InnerPeers.of(List.of(item.text()));
      return true;
    } catch (IllegalArgumentException notOne) {
      problem(item.origin(), path, notOne.getMessage() + "; allowed: " + Allowed.PEERS.text());
      return false;
    }
  }

  private boolean isTargetPattern(Scalar item, String path) {
    Matcher matcher = TARGET.matcher(item.text());
    if (!matcher.matches()) {
      problem(
          item.origin(),
          path,
          quoted(item)
              + " is not a target pattern; allowed: host:port, where * in the host stands for any"
              + " characters and the port is a number, a range such as 1099-1110 or *");
      return false;
    }
    int first = matcher.group(1) == null ? 1 : Integer.parseInt(matcher.group(1));
    int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
    if (first < 1 || last > 65535 || first > last) {
      problem(
          item.origin(),
          path,
          quoted(item) + " has a port that does not exist; allowed: 1 to 65535, first-last");
      return false;
    }
    try {
      DestinationPatterns.of(List.of(item.text()));
    } catch (IllegalArgumentException notOne) { // brackets that hold no whole IPv6 address
      problem(item.origin(), path, notOne.getMessage());
      return false;
    }
    return true;
  }

  void notAllowed(ConfigKey key, Scalar value, String what) {
    problem(
        value.origin(),
        key.path(),
        quoted(value) + " " + what + "; allowed: " + key.allowed().text());
  }

  private static String quoted(Scalar value) {
    return "\"" + value.text() + "\"";
  }

  void problem(String origin, String path, String message) {
    problems.add(new ConfigProblem(origin, path, message));
  }
}
