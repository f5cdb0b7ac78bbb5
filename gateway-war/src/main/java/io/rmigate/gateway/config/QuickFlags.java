package io.rmigate.gateway.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The command line instead of a file, for trying things out; see {@link GatewayConfig#quick}.
 *
 * @param listen {@code host:port}
 * @param allow target patterns, for everybody who is let in
 * @param tls keystore; needs {@code tlsPasswordFile}
 */
public record QuickFlags(
    Optional<String> listen,
    List<String> allow,
    Optional<Path> tls,
    Optional<Path> tlsPasswordFile,
    boolean insecure,
    boolean anonymous,
    Optional<Path> state) {

  public QuickFlags {
    allow = List.copyOf(allow);
  }

  /** Whether any flag was given. */
  public boolean isGiven() {
    return listen.isPresent()
        || !allow.isEmpty()
        || tls.isPresent()
        || tlsPasswordFile.isPresent()
        || insecure
        || anonymous
        || state.isPresent();
  }
}
