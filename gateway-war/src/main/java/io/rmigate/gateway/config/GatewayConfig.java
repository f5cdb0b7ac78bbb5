package io.rmigate.gateway.config;

import io.rmigate.gateway.audit.AuditSettings;
import io.rmigate.gateway.callback.CallbackSettings;
import io.rmigate.gateway.grant.GrantSettings;
import io.rmigate.gateway.lease.LeaseSettings;
import io.rmigate.gateway.legacy.LegacySettings;
import io.rmigate.gateway.login.LoginSettings;
import io.rmigate.gateway.lookup.LookupSettings;
import io.rmigate.gateway.policy.rule.ClassSettings;
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
 * The configuration of a gateway. Immutable; a reload makes another one.
 *
 * @param server how a stand-alone gateway listens
 * @param access logins, and the names and origins of requests
 * @param policy what principals may do
 * @param tunnel links with agents, and the HTTP tunnelling of old JDKs
 * @param inside connections with RMI servers
 * @param operation files of the gateway, and how it is run
 */
public record GatewayConfig(
    Server server,
    Access access,
    Policy policy,
    Tunnel tunnel,
    Inner inside,
    WebServices webServices,
    Operation operation) {

  /**
   * The server of a stand-alone gateway; a container has its own.
   *
   * @param path context path without a trailing slash; empty for the root
   * @param insecure whether plain HTTP is permitted; also read in a container
   * @param maxConnections at all ports
   * @param requests how slowly requests may come
   * @param adminListen address for administrators alone; empty: they use {@code listen}
   */
  public record Server(
      Listen listen,
      String path,
      boolean insecure,
      Optional<TlsSettings> tls,
      int maxConnections,
      RequestPace requests,
      Optional<Listen> adminListen) {}

  /**
   * How requests get into the gateway.
   *
   * @param origins of web pages that may open the tunnel by WebSocket, as browsers write them
   * @param hosts patterns of names by which clients reach this gateway
   * @param metricsOpen whether everybody may read /metrics
   */
  public record Access(
      LoginSettings logins,
      Set<String> origins,
      Set<String> hosts,
      Set<String> adminPrincipals,
      boolean metricsOpen) {

    public Access {
      origins = Set.copyOf(origins);
      hosts = Set.copyOf(hosts);
      adminPrincipals = Set.copyOf(adminPrincipals);
    }
  }

  /**
   * What principals may do.
   *
   * @param targets at least one
   * @param classes what calls to all targets may carry
   * @param restraints limits and lockouts of each caller at all targets
   * @param raw targets of raw streams
   * @param mapping where hosts that stubs name really are
   */
  public record Policy(
      List<TargetGrant> targets,
      ClassSettings classes,
      Restraints restraints,
      List<RawGrant> raw,
      EndpointMapping mapping) {

    public Policy {
      targets = List.copyOf(targets);
      raw = List.copyOf(raw);
    }
  }

  /**
   * Links with agents, and the HTTP tunnelling of old JDKs.
   *
   * @param post the transport for networks without WebSockets
   * @param lookups what agents may cache of registries
   */
  public record Tunnel(
      SessionSettings session,
      Post post,
      Legacy legacy,
      CompressionPolicy compression,
      LookupSettings lookups,
      GrantSettings grants) {}

  /**
   * Connections with RMI servers.
   *
   * @param callbacks empty: the gateway listens for no callbacks
   */
  public record Inner(
      RelaySettings relay, LeaseSettings leases, Optional<CallbackSettings> callbacks) {}

  /**
   * Web services.
   *
   * @param published remote objects for web-service clients; often none
   */
  public record WebServices(List<PublishedObject> published, ServiceSettings services) {
    public WebServices {
      published = List.copyOf(published);
    }
  }

  /**
   * Files of the gateway, and how it is run.
   *
   * @param source the configuration file; empty if flags of the command line are the configuration
   * @param state directory of files that outlive a restart; need not exist yet
   * @param audit empty: there is none
   * @param callsHungAfter a call that waits longer counts as hung
   * @param drain how long a stopping gateway waits for calls in progress
   */
  public record Operation(
      Optional<Path> source,
      Path state,
      Optional<AuditSettings> audit,
      Duration callsHungAfter,
      Duration drain) {}

  /** A listening address; port 0 asks for any free one. {@code host} without brackets. */
  public record Listen(String host, int port) {
    /** Whether only this machine can reach the address. Names are not resolved. */
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

  /** The configuration file; empty if flags of the command line are the configuration. */
  public Optional<Path> source() {
    return operation.source();
  }

  /** The file, as problems in other files name it. */
  public String sourceName() {
    return source().map(Path::toString).orElse("configuration");
  }

  /** All entries of lists of principals: names, groups and {@code *}. */
  public Set<String> principals() {
    return Stream.of(
            policy.targets().stream().map(TargetGrant::principals),
            policy.raw().stream().map(RawGrant::principals),
            tunnel.lookups().preload().stream().map(LookupSettings.Preload::principals),
            tunnel.compression().exceptions().stream().map(CompressionPolicy.ForSome::principals),
            inside.callbacks().stream()
                .flatMap(settings -> settings.allow().stream())
                .map(CallbackSettings.Allowance::principals),
            webServices.published().stream().map(PublishedObject::principals),
            Stream.of(access.adminPrincipals()))
        .flatMap(Function.identity())
        .flatMap(Set::stream)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** The names and patterns under which clients may reach this gateway, as they are written. */
  public List<String> hostNames() {
    List<String> names = new ArrayList<>(access.hosts());
    webServices.services().url().map(URI::getHost).ifPresent(names::add);
    inside.callbacks().map(CallbackSettings::host).ifPresent(names::add);
    return names;
  }

  /** The hosts of the addresses on which a stand-alone gateway listens. */
  public List<String> listeningHosts() {
    return Stream.concat(Stream.of(server.listen()), server.adminListen().stream())
        .map(Listen::host)
        .toList();
  }

  /** The files this configuration refers to; their content counts as part of it. */
  Stream<Path> referredFiles() {
    Stream<Path> ofTls =
        server.tls().stream()
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
            access.logins().usersFile().stream(),
            access.logins().bearer().stream()
                .flatMap(bearer -> bearer.jwks().stream())
                .filter(jwks -> "file".equals(jwks.getScheme()))
                .map(Path::of));
    Stream<Path> ofPublished =
        webServices.published().stream()
            .map(object -> object.entry().jars())
            .distinct()
            .flatMap(GatewayConfig::files);
    Stream<Path> ofInterfaces =
        policy.classes().interfaces().stream().flatMap(GatewayConfig::files);
    return Stream.of(ofTls, ofLogins, tunnel.grants().keyFile().stream(), ofPublished, ofInterfaces)
        .flatMap(Function.identity());
  }

  /**
   * Files with passwords, or hashes of them, and keys, by the configuration keys that name them.
   */
  Map<String, Path> secretFiles() {
    Map<String, Path> files = new LinkedHashMap<>();
    server
        .tls()
        .ifPresent(
            t -> {
              files.put(ConfigKey.TLS_KEYSTORE.path(), t.keystore());
              files.put(ConfigKey.TLS_PASSWORD_FILE.path(), t.passwordFile());
              t.truststorePasswordFile()
                  .ifPresent(
                      file -> files.put(ConfigKey.TLS_TRUSTSTORE_PASSWORD_FILE.path(), file));
            });
    access
        .logins()
        .usersFile()
        .ifPresent(file -> files.put(ConfigKey.LOGINS_BASIC_USERS_FILE.path(), file));
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
