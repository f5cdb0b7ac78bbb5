package io.rmigate.client.config;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Every key of the client configuration, in the order in which {@link #help()} lists them.
 *
 * <p>A key {@code connect-timeout} is written {@code connect-timeout=15s} among the javaagent
 * arguments, {@code -Drmigate.connect-timeout=15s} as a system property and {@code
 * RMIGATE_CONNECT_TIMEOUT=15s} in the environment; the first of these that is present counts.
 *
 * <p>Elements of a list are separated by {@code |} or, because a shell (and the {@code eval} in
 * start scripts such as Tomcat's) takes that for itself, by {@code +}. A comma cannot be part of a
 * javaagent argument; a value with a comma in it goes into a system property.
 */
public enum ConfigKey {
  /** The gateways, in the order in which they are tried. */
  GATEWAY(
      "gateway",
      "URL of the gateway's context path; of several URLs the first that answers is used, and"
          + " another one when that gateway stops or cannot be reached",
      "https URL list; http only if written",
      "none; the javaagent, the library and the sidecar need one"),
  /** Destinations that go through the tunnel. */
  TUNNEL(
      "tunnel",
      "destinations that go through the gateway; the host * does not include loopback",
      "host:port pattern list: *.corp.example:1099, 10.1.*:1000-2000, [fd00::1]:*",
      "*:*"),
  /** Destinations that never go through the tunnel. */
  DIRECT(
      "direct",
      "destinations that are connected to directly, even if tunnel= names them",
      "host:port pattern list",
      "none"),
  /** Destinations of sockets that no RMI socket factory makes. */
  SOCKETS(
      "sockets",
      "destinations that every socket of this JVM reaches through the gateway, for stubs with a"
          + " socket factory of their own. Plain RMI is mediated; for TLS the gateway's raw list"
          + " must name them",
      "host:port pattern list",
      "none"),
  /** User name for HTTP Basic login at the gateway. */
  USER("user", "login at the gateway: user name (HTTP Basic)", "text", "none"),
  /** File with the password of {@link #USER}. */
  PASSWORD_FILE(
      "password-file",
      "file whose first line is the password of user; read before each connect",
      "file",
      "none"),
  /** File with a bearer token. */
  TOKEN_FILE(
      "token-file",
      "file whose first line is a bearer token for the gateway; read before each connect",
      "file",
      "none"),
  /** Client certificate. */
  KEYSTORE(
      "keystore", "client certificate and its key for the gateway", "PKCS12 or JKS file", "none"),
  /** File with the password of {@link #KEYSTORE}. */
  KEYSTORE_PASSWORD_FILE(
      "keystore-password-file", "file whose first line is the keystore's password", "file", "none"),
  /** Certificates that the gateway's certificate may descend from. */
  TRUSTSTORE(
      "truststore",
      "certificate authorities to trust for the gateway",
      "PKCS12, JKS or PEM file",
      "the JVM's (javax.net.ssl.trustStore, else cacerts)"),
  /** File with the password of {@link #TRUSTSTORE}. */
  TRUSTSTORE_PASSWORD_FILE(
      "truststore-password-file",
      "file whose first line is the truststore's password",
      "file",
      "none"),
  /** Public keys one of which the gateway's certificate must have. */
  PIN(
      "pin",
      "public keys, one of which the gateway's certificate must have, besides being trusted",
      "sha256/<base64 of the key's SHA-256> list",
      "none"),
  /** HTTP proxy between this JVM and the gateway. */
  PROXY(
      "proxy",
      "HTTP proxy on the way to the gateway; auto: the one that the system properties"
          + " https.proxyHost and https.proxyPort name, else the environment variable https_proxy,"
          + " except for hosts in http.nonProxyHosts and no_proxy",
      "none, auto, " + HttpProxy.FORMS,
      "auto"),
  /** A script that names the HTTP proxy. */
  PAC(
      "pac",
      "PAC file that names the HTTP proxies on the way to the gateway, tried in its order",
      "file, or http or https URL",
      "none"),
  /** Whether HTTP proxies get the login that a PAC file without TLS names. */
  PLAIN_PAC_LOGIN(
      "plain-pac-login",
      "whether the login is sent to HTTP proxies of a PAC file that was loaded by http, where an"
          + " attacker on the way can name a proxy and read the password",
      "on or off",
      "off"),
  /** User name at the HTTP proxy. */
  PROXY_USER(
      "proxy-user",
      "login at the HTTP proxy, wherever it is configured: user name; for NTLM DOMAIN\\user",
      "text",
      "none"),
  /** File with the password of {@link #PROXY_USER}. */
  PROXY_PASSWORD_FILE(
      "proxy-password-file",
      "file whose first line is the password of proxy-user; read before each connect",
      "file",
      "none"),
  /** Certificates that the certificate of an HTTP proxy may descend from. */
  PROXY_TRUSTSTORE(
      "proxy-truststore",
      "certificate authorities to trust for an HTTP proxy that is spoken to over TLS",
      "PKCS12, JKS or PEM file",
      "that of truststore"),
  /** File with the password of {@link #PROXY_TRUSTSTORE}. */
  PROXY_TRUSTSTORE_PASSWORD_FILE(
      "proxy-truststore-password-file",
      "file whose first line is the password of proxy-truststore",
      "file",
      "none"),
  /** The ways that may be taken. */
  WAY(
      "way",
      "ways to the destinations of tunnel and sockets, the best first: to the server itself,"
          + " directly or by CONNECT through the HTTP proxy, or over the link to the gateway, by"
          + " WebSocket or by HTTP POST; auto: all, in this order",
      "direct, connect, websocket, post list; auto",
      "websocket, post"),
  /** How long a way may go without an answer. */
  WAY_STAGGER(
      "way-stagger",
      "how long to wait for an answer by one way before the next one is tried in parallel",
      "duration: 250ms",
      "250ms"),
  /** When better ways are tried again. */
  WAY_RETRY(
      "way-retry",
      "how long a way is used before better ones are tried again in parallel; twice as long each"
          + " time, up to 16 times; 0s: only when it fails",
      "duration: 1m",
      "1m"),
  /** Bound of one attempt to connect. */
  CONNECT_TIMEOUT(
      "connect-timeout",
      "time limit for connecting: HTTP proxy, TLS and login together; after it, a gateway that"
          + " does not answer is given up for another one",
      "duration: 500ms, 15s, 2m",
      "15s"),
  /** How long to try to go on with a session whose link was lost. */
  GRACE(
      "grace",
      "how long calls wait for a lost link to come back before they fail; 0s: not at all."
          + " The gateway may allow less",
      "duration: 30s, 2m",
      "2m"),
  /** How long calls may take. */
  CALL_TIMEOUT(
      "call-timeout",
      "how long a call may take, all waiting included; for a target or an interface of its stub:"
          + " pattern=duration; 0s: no limit",
      "duration and pattern=duration list: 30s, *.slow.example:*=5m, com.acme.Reports=0s",
      "none"),
  /** Whether lookups are answered from what the gateway says. */
  LOOKUPS(
      "lookups",
      "whether repeated lookups are answered here; the gateway says when a name is bound anew",
      "on or off",
      "on"),
  /** Names that are looked up every time. */
  UNCACHED(
      "uncached",
      "names that are looked up in their registry every time",
      "name pattern list: Volatile, tmp/*",
      "none"),
  /** Names whose bindings come with the gateway's welcome. */
  PRELOAD(
      "preload",
      "names that the program will look up: the gateway looks them up in advance",
      "host:port/name list, 1000 bytes at most",
      "none"),
  /** The mode of the leases of remote references. */
  LEASES(
      "leases",
      "whether the gateway holds the leases of remote references, so that no renewal crosses the"
          + " link; strict: a reference that was not received recently is registered before it is"
          + " used",
      "on, off or strict",
      "on"),
  /** Exported objects for which the gateway listens. */
  EXPORT(
      "export",
      "ports of exported objects that servers behind the gateway call through it; 0: all without a"
          + " port of their own",
      "port list: 0, 1099, 2000-2010; none",
      "0"),
  /** The inner host that references to exported objects name. */
  CALLBACK_HOST(
      "callback-host",
      "host that references to exported objects name behind the gateway",
      "host name or address",
      "the host that the gateway announces"),
  /** Where the gateway's host gets into references to exported objects. */
  CALLBACKS_HOSTNAME(
      "callbacks-hostname",
      "where the gateway's host is put into references to exported objects: into those that cross"
          + " the tunnel, or into java.rmi.server.hostname of the whole JVM, for content in which"
          + " references cannot be found",
      "references or jvm",
      "references"),
  /** How stubs of exported objects are called by their own JVM. */
  OWN_STUBS(
      "own-stubs",
      "how this JVM calls stubs of its own exported objects that have come back to it: within the"
          + " JVM, or through the gateway like other JVMs",
      "direct or gateway",
      "direct"),
  /** Whether the MBean with the figures is registered. */
  STATS(
      "stats",
      "whether the MBean io.rmigate:type=Stats shows what crossed the link and what was saved",
      "on or off",
      "on"),
  /** Whether what crosses the link is compressed. */
  COMPRESSION(
      "compression",
      "compression of the link; auto decides by the round trip and rate that it measures",
      "on, off or auto",
      "auto");

  private static final int HELP_COLUMN = 33;
  private static final int HELP_WIDTH = 100;

  private final String key;
  private final String meaning;
  private final String unit;
  private final String defaultText;

  ConfigKey(String key, String meaning, String unit, String defaultText) {
    this.key = key;
    this.meaning = meaning;
    this.unit = unit;
    this.defaultText = defaultText;
  }

  /** The key as written among the javaagent arguments: {@code connect-timeout}. */
  public String key() {
    return key;
  }

  /** One line of prose: what the value is for. */
  public String meaning() {
    return meaning;
  }

  /** The form of a value, in words. */
  public String unit() {
    return unit;
  }

  /** The default when the key is not set, in words. */
  public String defaultText() {
    return defaultText;
  }

  /** The name as a system property: {@code rmigate.connect-timeout}. */
  public String property() {
    return ConfigSource.PROPERTY.nameOf(key);
  }

  /** The name in the environment: {@code RMIGATE_CONNECT_TIMEOUT}. */
  public String environmentVariable() {
    return ConfigSource.ENVIRONMENT.nameOf(key);
  }

  /**
   * Checks that this key is not set without another one.
   *
   * @throws ClientConfigException it is
   */
  void require(ConfigKey other, Map<ConfigKey, ConfigValue> values) {
    if (values.containsKey(this) && !values.containsKey(other)) {
      throw values.get(this).problem("needs " + other.key + " as well");
    }
  }

  /**
   * Checks that this key and another one are both set, or neither.
   *
   * @throws ClientConfigException one of them is missing
   */
  void requireTogether(ConfigKey other, Map<ConfigKey, ConfigValue> values) {
    require(other, values);
    other.require(this, values);
  }

  /** The key of that name. */
  public static Optional<ConfigKey> byName(String name) {
    for (ConfigKey candidate : values()) {
      if (candidate.key.equals(name)) {
        return Optional.of(candidate);
      }
    }
    return Optional.empty();
  }

  /**
   * The key that {@code name} is a likely misspelling of: at most a third of its letters, and at
   * most two, wrong, missing or too many.
   */
  public static Optional<ConfigKey> nearestTo(String name) {
    String lower = name.toLowerCase(Locale.ROOT).replace('_', '-').replace('.', '-');
    ConfigKey nearest = null;
    int best = Integer.MAX_VALUE;
    for (ConfigKey candidate : values()) {
      int distance = editDistance(lower, candidate.key);
      int shorter = Math.min(candidate.key.length(), lower.length());
      int allowed = Math.min(2, Math.max(1, shorter / 3));
      if (distance <= allowed && distance < best) {
        best = distance;
        nearest = candidate;
      }
    }
    return Optional.ofNullable(nearest);
  }

  /** The table of keys as plain text, in lines of at most 100 characters. */
  public static String help() {
    StringBuilder text = new StringBuilder("keys:\n");
    for (ConfigKey k : values()) {
      wrap(text, "  " + k.key, k.meaning);
      wrap(text, "", k.unit + "; default: " + k.defaultText);
    }
    return text.append(
            "also as system property rmigate.<key> or environment variable RMIGATE_<KEY>")
        .append(" (- becomes _)\nlists are separated by | or +\n")
        .toString();
  }

  /** Appends lines with the name in the first column, and the text beside it. */
  private static void wrap(StringBuilder lines, String name, String text) {
    StringBuilder line = pad(new StringBuilder(name));
    for (String word : text.split(" ", -1)) {
      if (line.length() + word.length() > HELP_WIDTH && line.length() > HELP_COLUMN) {
        lines.append(line.toString().stripTrailing()).append('\n');
        line = pad(new StringBuilder());
      }
      line.append(word).append(' ');
    }
    lines.append(line.toString().stripTrailing()).append('\n');
  }

  private static StringBuilder pad(StringBuilder line) {
    while (line.length() < HELP_COLUMN) {
      line.append(' ');
    }
    return line;
  }

  /** Levenshtein's distance; the names are short, so the full table of one row pair will do. */
  private static int editDistance(String a, String b) {
    int[] above = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      above[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] row = new int[b.length() + 1];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, 1 + Math.min(above[j], row[j - 1]));
      }
      above = row;
    }
    return above[b.length()];
  }
}
