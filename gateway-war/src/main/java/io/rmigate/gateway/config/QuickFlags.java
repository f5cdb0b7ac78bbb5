package io.rmigate.gateway.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The command line instead of a file, for trying things out; see {@link GatewayConfig#quick}.
 *
 * @param listen {@code host:port}
 * @param allow target patterns, for everybody who is let in
 * @param tls keystore; needs {@code tlsPasswordFile}
 * @param grace a duration, as in the file
 * @param learn calls pass, and what they carry is noted
 * @param interfaces a directory of jars with remote interfaces
 */
public record QuickFlags(
    Optional<String> listen,
    List<String> allow,
    Optional<Path> tls,
    Optional<Path> tlsPasswordFile,
    boolean insecure,
    boolean anonymous,
    Optional<Path> state,
    Optional<String> grace,
    boolean learn,
    Optional<Path> interfaces) {

  private static final Pattern LOCAL =
      Pattern.compile("(?:localhost|127(?:\\.\\d{1,3}){3}|\\[::1]):\\d+");

  public QuickFlags {
    allow = List.copyOf(allow);
  }

  /** Whether only this machine can reach the gateway: then it listens for callbacks there too. */
  boolean isLocal() {
    return listen.filter(address -> LOCAL.matcher(address).matches()).isPresent();
  }

  /** Whether any flag was given. */
  public boolean isGiven() {
    return listen.isPresent()
        || !allow.isEmpty()
        || tls.isPresent()
        || tlsPasswordFile.isPresent()
        || insecure
        || anonymous
        || state.isPresent()
        || grace.isPresent()
        || learn
        || interfaces.isPresent();
  }
}
