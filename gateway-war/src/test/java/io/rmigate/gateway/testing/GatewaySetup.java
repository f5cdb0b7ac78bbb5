package io.rmigate.gateway.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a gateway is started with.
 *
 * @param directory its own, for configuration, state and container base; existing
 * @param certificate present: HTTPS; absent: plain HTTP
 * @param hosts what it can resolve
 * @param allow target patterns, for everybody
 * @param jvmOptions for example the heap
 * @param settings further lines of its configuration; everybody is let in unless they have a
 *     section {@code logins}
 * @param port of the stand-alone one; 0: any
 * @param atRoot whether its context path is the root, and not /rmigate
 * @param packed whether the stand-alone one is started by {@code java -jar rmigate.war} in a JVM of
 *     its own, and not in one that has run a gateway before
 */
public record GatewaySetup(
    Path directory,
    Optional<DevelopmentCertificate> certificate,
    InsideHosts hosts,
    List<String> allow,
    List<String> jvmOptions,
    String settings,
    int port,
    boolean atRoot,
    boolean packed) {

  public GatewaySetup {
    allow = List.copyOf(allow);
    jvmOptions = List.copyOf(jvmOptions);
  }

  /** Without further settings. */
  public GatewaySetup(
      Path directory,
      Optional<DevelopmentCertificate> certificate,
      InsideHosts hosts,
      List<String> allow,
      List<String> jvmOptions) {
    this(directory, certificate, hosts, allow, jvmOptions, "", 0);
  }

  /** At the usual context path. */
  public GatewaySetup(
      Path directory,
      Optional<DevelopmentCertificate> certificate,
      InsideHosts hosts,
      List<String> allow,
      List<String> jvmOptions,
      String settings,
      int port) {
    this(directory, certificate, hosts, allow, jvmOptions, settings, port, false, false);
  }

  /** This setup as the root of its server. */
  public GatewaySetup asRoot() {
    return new GatewaySetup(
        directory, certificate, hosts, allow, jvmOptions, settings, port, true, packed);
  }

  /** This setup on a port of its own. */
  public GatewaySetup at(int ownPort) {
    return new GatewaySetup(
        directory, certificate, hosts, allow, jvmOptions, settings, ownPort, atRoot, packed);
  }

  /** This setup for a stand-alone gateway that is started as it is shipped. */
  public GatewaySetup asPacked() {
    return new GatewaySetup(
        directory, certificate, hosts, allow, jvmOptions, settings, port, atRoot, true);
  }

  String scheme() {
    return certificate.isPresent() ? "https" : "http";
  }

  /** Writes the gateway's own configuration; {@code listening} are lines only one kind has. */
  Path writeConfiguration(String listening) throws IOException {
    Path file = directory.resolve("rmigate.yaml");
    String patterns = allow.stream().map(p -> "'" + p + "'").collect(Collectors.joining(", "));
    Files.writeString(
        file,
        listening
            + (certificate.isPresent() ? "" : "insecure: true\n")
            + "state: '"
            + directory.resolve("state")
            + "'\n"
            + "metrics: open\n"
            + "session:\n  grace: 5s\n"
            + (settings.startsWith("logins:") ? "" : "logins:\n  anonymous: true\n")
            + InterfacesOfTests.section()
            + "targets:\n  - principals: ['*']\n    allow: ["
            + patterns
            + "]\n"
            + settings);
    return file;
  }
}
