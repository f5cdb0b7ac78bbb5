package io.rmigate.perf.ways;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a client must know to get to the server.
 *
 * @param host of the registry, as stubs name it
 * @param gateway as far as its context path; needed by all ways but {@link Way#DIRECT}
 * @param proxy an HTTP proxy on the way, {@code http://host:port} or {@code http://user@host:port}
 * @param passwordFile with the password of the proxy's user
 * @param connectTimeout for plain sockets; empty for RMI's own, which wait as long as the kernel
 */
public record Approach(
    Way way,
    String host,
    int registry,
    Optional<URI> gateway,
    Optional<URI> proxy,
    Optional<String> passwordFile,
    Optional<Duration> connectTimeout) {

  /** Without an HTTP proxy and a bound for connecting. */
  public Approach(Way way, String host, int registry, Optional<URI> gateway) {
    this(way, host, registry, gateway, Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** As arguments of a program, for {@link #parse}. */
  public List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    arguments.add("way=" + way.label());
    arguments.add("host=" + host);
    arguments.add("registry=" + registry);
    gateway.ifPresent(uri -> arguments.add("gateway=" + uri));
    proxy.ifPresent(uri -> arguments.add("proxy=" + uri));
    passwordFile.ifPresent(file -> arguments.add("password-file=" + file));
    connectTimeout.ifPresent(time -> arguments.add("connect-timeout=" + time));
    return arguments;
  }

  /**
   * Takes back what {@link #arguments} has made.
   *
   * @throws IllegalArgumentException says what is wrong
   */
  public static Approach parse(List<String> arguments) {
    Optional<Way> way = Optional.empty();
    String host = "";
    int registry = 0;
    Optional<URI> gateway = Optional.empty();
    Optional<URI> proxy = Optional.empty();
    Optional<String> passwordFile = Optional.empty();
    Optional<Duration> connectTimeout = Optional.empty();
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      String value = argument.substring(equals + 1);
      switch (equals < 0 ? argument : argument.substring(0, equals)) {
        case "way" -> way = Optional.of(Way.parse(value));
        case "host" -> host = value;
        case "registry" -> registry = Integer.parseInt(value);
        case "gateway" -> gateway = Optional.of(URI.create(value));
        case "proxy" -> proxy = Optional.of(URI.create(value));
        case "password-file" -> passwordFile = Optional.of(value);
        case "connect-timeout" -> connectTimeout = Optional.of(Duration.parse(value));
        default -> throw new IllegalArgumentException("unknown argument " + argument);
      }
    }
    return new Approach(
        way.orElseThrow(() -> new IllegalArgumentException("expected way=…")),
        host,
        registry,
        gateway,
        proxy,
        passwordFile,
        connectTimeout);
  }
}
