package io.rmigate.client.config;

import io.rmigate.client.deadline.CallTimeouts;
import io.rmigate.protocol.DestinationPatterns;
import io.rmigate.protocol.NamePatterns;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.tunnel.RegistryName;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One value as written, with the place it was written in, and its readings by type. */
record ConfigValue(ConfigKey key, String text, ConfigSource source) {

  private static final String DURATION = "([0-9]{1,9})(ms|s|m|h)";
  private static final String HOST = "[A-Za-z0-9_.-]{1,253}|[0-9A-Fa-f:.]{2,45}(%[A-Za-z0-9]+)?";
  private static final String INTERFACE = "[\\p{L}\\p{N}_$.*]+";
  private static final int LONGEST_PRELOAD_BYTES = 1000;
  private static final Duration LONGEST = Duration.ofDays(1);

  ClientConfigException problem(String problem) {
    return ClientConfigException.of(key, source, problem);
  }

  /** The place of the value, for texts about two keys: {@code system property rmigate.user}. */
  String place() {
    return source.describe(key.key());
  }

  /** The elements of a list in which {@code +} separates too; see {@link ConfigKey}. */
  List<String> list() {
    return split("|+");
  }

  /** The elements of a list in which {@code +} separates only before one of {@code starts}. */
  List<String> listOf(String... starts) {
    return split("|+", starts);
  }

  /**
   * The elements between separators.
   *
   * @param separators the characters, of which {@code +} is one only before one of {@code starts},
   *     if there are starts
   */
  private List<String> split(String separators, String... starts) {
    List<String> elements = new ArrayList<>();
    int begin = 0;
    for (int i = 0; i <= text.length(); i++) {
      if (i == text.length() || isSeparator(i, separators, starts)) {
        String element = text.substring(begin, i);
        if (element.isBlank()) {
          throw problem("'" + text + "' has an empty element; allowed: " + key.unit());
        }
        elements.add(element.strip());
        begin = i + 1;
      }
    }
    return elements;
  }

  private boolean isSeparator(int index, String separators, String... starts) {
    char c = text.charAt(index);
    if (separators.indexOf(c) < 0 || c != '+' || starts.length == 0) {
      return separators.indexOf(c) >= 0;
    }
    for (String start : starts) {
      if (text.startsWith(start, index + 1)) {
        return true;
      }
    }
    return false;
  }

  /** Names in registries, which fit a property of the hello together. */
  List<String> registryNames() {
    List<String> names = list();
    for (String name : names) {
      if (RegistryName.parse(name).isEmpty()) {
        throw problem("'" + name + "' is not host:port/name");
      }
    }
    if (String.join("|", names).getBytes(StandardCharsets.UTF_8).length > LONGEST_PRELOAD_BYTES) {
      throw problem("is longer than " + LONGEST_PRELOAD_BYTES + " bytes");
    }
    return names;
  }

  /** The bounds of calls. */
  CallTimeouts callTimeouts() {
    Duration all = null;
    List<CallTimeouts.TargetRule> targets = new ArrayList<>();
    List<CallTimeouts.InterfaceRule> interfaces = new ArrayList<>();
    for (String element : list()) {
      int equals = element.lastIndexOf('=');
      Duration limit = with(element.substring(equals + 1).strip()).grace();
      String pattern = element.substring(0, Math.max(0, equals)).strip();
      if (equals < 0) {
        if (all != null) {
          throw problem("'" + text + "' has two durations without a pattern");
        }
        all = limit;
      } else if (pattern.indexOf(':') >= 0) {
        targets.add(new CallTimeouts.TargetRule(destinations(List.of(pattern)), limit));
      } else if (pattern.matches(INTERFACE)) {
        interfaces.add(new CallTimeouts.InterfaceRule(NamePatterns.of(List.of(pattern)), limit));
      } else {
        throw problem("'" + pattern + "' is neither host:port nor the name of an interface");
      }
    }
    return new CallTimeouts(all == null ? Duration.ZERO : all, targets, interfaces);
  }

  private ConfigValue with(String part) {
    return new ConfigValue(key, part, source);
  }

  /** Destinations by these patterns. */
  DestinationPatterns destinations(List<String> patterns) {
    try {
      return DestinationPatterns.of(patterns);
    } catch (IllegalArgumentException e) {
      throw problem(e.getMessage());
    }
  }

  /** A duration above zero, and short enough to be added to a clock in nanoseconds. */
  Duration duration() {
    Matcher matcher = Pattern.compile(DURATION).matcher(text.toLowerCase(Locale.ROOT));
    if (matcher.matches()) {
      long amount = Long.parseLong(matcher.group(1));
      Duration duration =
          switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            default -> Duration.ofHours(amount);
          };
      if (!duration.isZero() && duration.compareTo(LONGEST) <= 0) {
        return duration;
      }
    }
    throw problem(
        "'" + text + "' is not a duration above zero and up to a day; write 500ms, 15s or 2m");
  }

  /** A duration, or zero for never. */
  Duration grace() {
    return text.matches("0+(ms|s|m|h)?") ? Duration.ZERO : duration();
  }

  /** A host as it is going to stand in stubs. */
  String host() {
    if (!text.matches(HOST)) {
      throw problem("'" + text + "' is not a host name or address, without a port");
    }
    return text;
  }

  /** A switch. */
  boolean onOff() {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "on", "true", "yes" -> true;
      case "off", "false", "no" -> false;
      default -> throw problem("'" + text + "' is neither on nor off");
    };
  }

  /** Whether {@code direct}. */
  boolean directOrGateway() {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "direct" -> true;
      case "gateway" -> false;
      default -> throw problem("'" + text + "' is neither direct nor gateway");
    };
  }

  /** Where the gateway's host gets into references. */
  CallbacksHostname callbacksHostname() {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "references" -> CallbacksHostname.REFERENCES;
      case "jvm" -> CallbacksHostname.JVM;
      default -> throw problem("'" + text + "' is neither references nor jvm");
    };
  }

  /** The ways, in their order. */
  Ways ways() {
    if (text.equalsIgnoreCase("auto")) {
      return Ways.AUTO;
    }
    List<Way> ways = new ArrayList<>();
    for (String element : split("|+,")) {
      Way way =
          Way.of(element)
              .orElseThrow(
                  () -> problem("'" + element + "' is none of direct, connect, websocket, post"));
      if (ways.contains(way)) {
        throw problem("names " + way.text() + " twice");
      }
      ways.add(way);
    }
    return new Ways(ways);
  }

  /** The mode of the leases. */
  LeaseMode leaseMode() {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "on" -> LeaseMode.ON;
      case "off" -> LeaseMode.OFF;
      case "strict" -> LeaseMode.STRICT;
      default -> throw problem("'" + text + "' is none of on, off, strict");
    };
  }

  /** One of the modes of compression. */
  Compression compression() {
    return Compression.of(text.toLowerCase(Locale.ROOT))
        .orElseThrow(() -> problem("'" + text + "' is none of " + Compression.allTexts()));
  }

  /** A file that can be read now. */
  Path file() {
    try {
      Path path = Path.of(text);
      if (Files.isRegularFile(path) && Files.isReadable(path)) {
        return path;
      }
      throw problem(
          path.toAbsolutePath()
              + (Files.exists(path) ? " is not a readable file" : " does not exist"));
    } catch (InvalidPathException e) {
      throw problem("'" + text + "' is not a file name: " + e.getReason());
    }
  }

  /** The secret in a file, which must be readable now. */
  Secret secret() {
    return Secret.ofFile(key, file());
  }

  /** The HTTP proxy. */
  HttpProxy httpProxy() {
    try {
      return HttpProxy.parse(text, key.key(), true);
    } catch (IllegalArgumentException e) {
      throw problem(
          e.getMessage().startsWith("allowed: ") ? "allowed: " + key.unit() : e.getMessage());
    }
  }

  /** The location of a PAC file: a readable file, or an http or https URL without user info. */
  URI pacLocation() {
    if (!text.matches("(?i)https?://.*")) {
      return text.matches("(?i)file:/.*") ? with(fileOf(text)).file().toUri() : file().toUri();
    }
    if (text.indexOf('@') >= 0) {
      // Not repeated in the message: what stands before the @ may be a password.
      throw problem("the URL of a PAC file has no user info before an @");
    }
    try {
      URI uri = new URI(text);
      Optional<Authority> authority = Authority.of(uri);
      if (authority.isEmpty() || authority.get().port() == 0 || authority.get().port() > 0xFFFF) {
        throw problem("'" + text + "' names no host; write https://host/proxy.pac");
      }
      return uri;
    } catch (URISyntaxException e) {
      throw problem("'" + text + "' is not a URL: " + e.getReason());
    }
  }

  private String fileOf(String url) {
    try {
      return Path.of(new URI(url)).toString();
    } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException e) {
      throw problem("'" + url + "' is not the URL of a file here");
    }
  }

  /** Text that goes into an HTTP header and, before a colon, into HTTP Basic (RFC 7617 §2). */
  String userName() {
    if (text.indexOf(':') >= 0 || text.chars().anyMatch(Character::isISOControl)) {
      throw problem("a user name has no colon and no control character");
    }
    return text;
  }

  /** The gateways; scheme {@code https} or {@code http}, path without a slash at its end. */
  List<URI> gateways() {
    List<URI> gateways = new ArrayList<>();
    for (String url : listOf("https://", "http://", "wss://", "ws://")) {
      gateways.add(gateway(url));
    }
    return List.copyOf(gateways);
  }

  private URI gateway(String url) {
    if (url.indexOf('@') >= 0) {
      // Not repeated in the message: what stands before the @ may be a password.
      throw problem(
          "a gateway URL has no user info before an @; use user= and password-file=, or token-file=");
    }
    try {
      URI uri = new URI(url.contains("://") ? url : "https://" + url);
      String scheme =
          switch (String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT)) {
            case "https", "wss" -> "https";
            case "http", "ws" -> "http";
            default -> throw problem("'" + url + "' is neither an https nor an http URL");
          };
      Optional<Authority> authority = Authority.of(uri);
      if (authority.isEmpty()) {
        throw problem("'" + url + "' names no host; write https://gateway.example/rmigate");
      }
      if (uri.getRawQuery() != null || uri.getRawFragment() != null) {
        throw problem("'" + url + "' has a query or a fragment; a gateway URL ends with its path");
      }
      int given = authority.get().port();
      if (given == 0 || given > 0xFFFF) {
        throw problem("'" + url + "' has a port outside 1-65535");
      }
      String path = uri.getRawPath();
      while (path.endsWith("/")) {
        path = path.substring(0, path.length() - 1);
      }
      String port = given < 0 ? "" : ":" + given;
      String host = authority.get().host().toLowerCase(Locale.ROOT);
      return new URI(scheme + "://" + host + port + path);
    } catch (URISyntaxException e) {
      throw problem("'" + url + "' is not a URL: " + e.getReason());
    }
  }
}
