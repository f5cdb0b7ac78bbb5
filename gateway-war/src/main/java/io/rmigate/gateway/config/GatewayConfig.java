package io.rmigate.gateway.config;

import io.rmigate.gateway.lease.LeaseSettings;
import io.rmigate.gateway.lookup.LookupSettings;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.session.CompressionPolicy;
import io.rmigate.gateway.session.EndpointMapping;
import io.rmigate.gateway.session.SessionSettings;
import io.rmigate.gateway.session.TargetGrant;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What the gateway was told to do. Immutable; a reload makes another one.
 *
 * @param source the file it was read from; empty when it came from the command line
 * @param listen stand-alone only
 * @param path context path without a trailing slash, stand-alone only; empty for the root
 * @param insecure plain HTTP is accepted in so many words
 * @param tls stand-alone only
 * @param targets at least one
 * @param lookups what agents may hold of registries
 * @param mapping which hosts in stubs are not where they say
 * @param metricsOpen whether /metrics is readable without being an admin
 * @param drain how long a stopping gateway waits for calls in flight
 * @param state directory of what must outlive a restart; need not exist yet
 */
public record GatewayConfig(
    Optional<Path> source,
    Listen listen,
    String path,
    boolean insecure,
    Optional<Tls> tls,
    Logins logins,
    List<TargetGrant> targets,
    EndpointMapping mapping,
    LookupSettings lookups,
    CompressionPolicy compression,
    SessionSettings session,
    RelaySettings relay,
    LeaseSettings leases,
    Set<String> adminPrincipals,
    boolean metricsOpen,
    Duration drain,
    Path state) {

  public GatewayConfig {
    targets = List.copyOf(targets);
    adminPrincipals = Set.copyOf(adminPrincipals);
  }

  /** A listening address; port 0 asks for any free one. {@code host} without brackets. */
  public record Listen(String host, int port) {
    @Override
    public String toString() {
      return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
  }

  /** The key, the authorities and what is asked of clients. Passwords stay in their files. */
  public record Tls(
      Path keystore,
      Path passwordFile,
      ClientAuth clientAuth,
      Optional<Path> truststore,
      Optional<Path> truststorePasswordFile) {}

  /** Whether a client certificate is asked for. */
  public enum ClientAuth {
    NONE,
    WANT,
    NEED
  }

  /** The ways to log in; at least one is on. */
  public record Logins(
      boolean anonymous,
      Optional<Path> usersFile,
      Optional<Bearer> bearer,
      boolean clientCertificate,
      boolean container) {}

  /**
   * What a JSON Web Token must satisfy.
   *
   * @param jwks {@code file:} or {@code https:}
   * @param algorithms JWS names, never symmetric ones
   */
  public record Bearer(
      URI jwks, String issuer, String audience, String principalClaim, Set<String> algorithms) {
    public Bearer {
      algorithms = Set.copyOf(algorithms);
    }
  }

  /**
   * Reads and checks a file.
   *
   * @param environment overrides scalar keys: {@code RMIGATE_GATEWAY_SESSION_HEARTBEAT=5s}
   * @throws ConfigException with every problem found
   */
  public static GatewayConfig load(Path file, Map<String, String> environment)
      throws ConfigException {
    return ConfigReader.load(file, environment);
  }

  /**
   * The configuration of a few command-line flags.
   *
   * @throws ConfigException with every problem found
   */
  public static GatewayConfig quick(QuickFlags flags) throws ConfigException {
    return ConfigReader.quick(flags);
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
                            t.truststorePasswordFile())
                        .flatMap(Optional::stream));
    Stream<Path> ofLogins =
        Stream.concat(
            logins.usersFile().stream(),
            logins.bearer().stream()
                .map(Bearer::jwks)
                .filter(jwks -> "file".equals(jwks.getScheme()))
                .map(Path::of));
    return Stream.concat(ofTls, ofLogins);
  }
}
