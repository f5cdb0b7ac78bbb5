package io.rmigate.gateway.config;

import io.rmigate.gateway.audit.AuditSettings;
import io.rmigate.gateway.callback.CallbackSettings;
import io.rmigate.gateway.grant.GrantSettings;
import io.rmigate.gateway.lease.LeaseSettings;
import io.rmigate.gateway.legacy.LegacySettings;
import io.rmigate.gateway.login.LoginSettings;
import io.rmigate.gateway.lookup.LookupSettings;
import io.rmigate.gateway.policy.ClassSettings;
import io.rmigate.gateway.problem.ConfigException;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.route.EndpointMapping;
import io.rmigate.gateway.route.RawGrant;
import io.rmigate.gateway.route.Restraints;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.services.PublishedObject;
import io.rmigate.gateway.services.ServiceSettings;
import io.rmigate.gateway.session.CompressionPolicy;
import io.rmigate.gateway.session.SessionSettings;
import io.rmigate.gateway.tls.TlsSettings;
import io.rmigate.protocol.AddressLiteral;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the gateway was told to do. Immutable; a reload makes another one.
 *
 * @param source the file it was read from; empty when it came from the command line
 * @param listen stand-alone only
 * @param path context path without a trailing slash, stand-alone only; empty for the root
 * @param insecure plain HTTP is accepted in so many words
 * @param tls stand-alone only
 * @param maxConnections at the ports of this gateway, stand-alone only
 * @param requests how slowly requests may come, stand-alone only
 * @param origins of web pages that may open the tunnel by WebSocket, as browsers write them
 * @param hosts patterns of names by which clients reach this gateway
 * @param targets at least one
 * @param classes what calls to all targets may carry
 * @param restraints what holds for each caller, whatever its targets
 * @param raw what raw streams may reach
 * @param lookups what agents may hold of registries
 * @param mapping which hosts in stubs are not where they say
 * @param callsHungAfter a call that waits longer counts as hung
 * @param callbacks empty: the gateway listens for nobody
 * @param adminListen stand-alone only: for admins alone; empty: where all is
 * @param metricsOpen whether /metrics is readable without being an admin
 * @param legacy the HTTP tunnelling of old JDKs
 * @param post the transport for networks without WebSockets
 * @param drain how long a stopping gateway waits for calls in flight
 * @param published remote objects for web-service clients; often none
 * @param state directory of what must outlive a restart; need not exist yet
 * @param audit empty: there is none
 */
public record GatewayConfig(
    Optional<Path> source,
    Listen listen,
    String path,
    boolean insecure,
    Optional<TlsSettings> tls,
    int maxConnections,
    RequestPace requests,
    LoginSettings logins,
    Set<String> origins,
    Set<String> hosts,
    List<TargetGrant> targets,
    ClassSettings classes,
    Restraints restraints,
    List<RawGrant> raw,
    EndpointMapping mapping,
    LookupSettings lookups,
    CompressionPolicy compression,
    SessionSettings session,
    Post post,
    Legacy legacy,
    RelaySettings relay,
    LeaseSettings leases,
    GrantSettings grants,
    Duration callsHungAfter,
    Optional<CallbackSettings> callbacks,
    Optional<Listen> adminListen,
    Set<String> adminPrincipals,
    boolean metricsOpen,
    Duration drain,
    List<PublishedObject> published,
    ServiceSettings services,
    Path state,
    Optional<AuditSettings> audit) {

  public GatewayConfig {
    origins = Set.copyOf(origins);
    hosts = Set.copyOf(hosts);
    targets = List.copyOf(targets);
    raw = List.copyOf(raw);
    adminPrincipals = Set.copyOf(adminPrincipals);
    published = List.copyOf(published);
  }

  /** A listening address; port 0 asks for any free one. {@code host} without brackets. */
  public record Listen(String host, int port) {
    /** Whether nobody but this machine gets there. Nothing is looked up. */
    boolean isLoopback() {
      return host.equalsIgnoreCase("localhost")
          || AddressLiteral.parse(host).filter(InetAddress::isLoopbackAddress).isPresent();
    }

    @Override
    public String toString() {
      return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
  }

  /**
   * How slowly requests may come. A client that is slower loses its connection.
   *
   * @param patience for a whole head, and for the next byte of a body
   * @param minRate bytes a second of a body, measured over twice the patience
   */
  public record RequestPace(Duration patience, long minRate) {}

  /**
   * Links made of POSTs.
   *
   * @param hold how long a request may wait for something to answer it with
   */
  public record Post(boolean enabled, Duration hold) {}

  /**
   * The HTTP tunnelling of old JDKs.
   *
   * @param listen stand-alone only: over plain HTTP, for these clients alone; empty: where all is
   */
  public record Legacy(boolean enabled, Optional<Listen> listen, LegacySettings settings) {}

  /**
   * Reads and checks a file.
   *
   * @param environment overrides scalar keys: {@code RMIGATE_GATEWAY_SESSION_HEARTBEAT=5s}
   * @throws ConfigException with every problem found
   */
  public static GatewayConfig load(Path file, Map<String, String> environment)
      throws ConfigException {
    return ConfigReader.load(file, environment, false);
  }

  /**
   * Reads a file as {@link #load} does, with an error for what that warns of because it may be
   * right on another machine.
   *
   * @throws ConfigException with every problem found
   */
  public static GatewayConfig check(Path file, Map<String, String> environment)
      throws ConfigException {
    return ConfigReader.load(file, environment, true);
  }

  /**
   * Reads and checks what a file would say.
   *
   * @param name what problems are found in
   * @param directory from which paths count
   * @throws ConfigException with every problem found
   */
  public static GatewayConfig text(String name, String yaml, Path directory)
      throws ConfigException {
    return ConfigReader.text(name, yaml, directory);
  }

  /**
   * The configuration of a few command-line flags.
   *
   * @throws ConfigException with every problem found
   */
  public static GatewayConfig quick(QuickFlags flags) throws ConfigException {
    return ConfigReader.quick(flags);
  }

  /** The file, as problems in other files name it. */
  public String sourceName() {
    return source.map(Path::toString).orElse("configuration");
  }

  /** All entries of lists of principals: names, groups and {@code *}. */
  public Set<String> principals() {
    return Stream.of(
            targets.stream().map(TargetGrant::principals),
            raw.stream().map(RawGrant::principals),
            lookups.preload().stream().map(LookupSettings.Preload::principals),
            compression.exceptions().stream().map(CompressionPolicy.ForSome::principals),
            callbacks.stream()
                .flatMap(settings -> settings.allow().stream())
                .map(CallbackSettings.Allowance::principals),
            published.stream().map(PublishedObject::principals),
            Stream.of(adminPrincipals))
        .flatMap(Function.identity())
        .flatMap(Set::stream)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The names and patterns under which clients may reach this gateway, as they are written. */
  public List<String> hostNames() {
    List<String> names = new ArrayList<>(hosts);
    services.url().map(URI::getHost).ifPresent(names::add);
    callbacks.map(CallbackSettings::host).ifPresent(names::add);
    return names;
  }

  /** The hosts of the addresses on which a stand-alone gateway listens. */
  public List<String> listeningHosts() {
    return Stream.concat(Stream.of(listen), adminListen.stream()).map(Listen::host).toList();
  }

  /** The files this configuration refers to; their content counts as part of it. */
  Stream<Path> referredFiles() {
    Stream<Path> ofTls =
        tls.stream()
            .flatMap(
                t ->
                    Stream.of(
                            Optional.of(t.keystore()),
                            Optional.of(t.passwordFile()),
                            t.truststore(),
                            t.truststorePasswordFile(),
                            t.crlFile())
                        .flatMap(Optional::stream));
    Stream<Path> ofLogins =
        Stream.concat(
            logins.usersFile().stream(),
            logins.bearer().stream()
                .flatMap(bearer -> bearer.jwks().stream())
                .filter(jwks -> "file".equals(jwks.getScheme()))
                .map(Path::of));
    Stream<Path> ofPublished =
        published.stream()
            .map(object -> object.entry().jars())
            .distinct()
            .flatMap(GatewayConfig::files);
    Stream<Path> ofInterfaces = classes.interfaces().stream().flatMap(GatewayConfig::files);
    return Stream.of(ofTls, ofLogins, grants.keyFile().stream(), ofPublished, ofInterfaces)
        .flatMap(Function.identity());
  }

  /**
   * Files with passwords, or hashes of them, and keys, by the configuration keys that name them.
   */
  Map<String, Path> secretFiles() {
    Map<String, Path> files = new LinkedHashMap<>();
    tls.ifPresent(
        t -> {
          files.put(ConfigKey.TLS_KEYSTORE.path(), t.keystore());
          files.put(ConfigKey.TLS_PASSWORD_FILE.path(), t.passwordFile());
          t.truststorePasswordFile()
              .ifPresent(file -> files.put(ConfigKey.TLS_TRUSTSTORE_PASSWORD_FILE.path(), file));
        });
    logins.usersFile().ifPresent(file -> files.put(ConfigKey.LOGINS_BASIC_USERS_FILE.path(), file));
    return files;
  }

  /** One that is not there, or being replaced, counts as empty. */
  private static Stream<Path> files(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList().stream();
    } catch (IOException | UncheckedIOException e) {
      return Stream.empty();
    }
  }
}
