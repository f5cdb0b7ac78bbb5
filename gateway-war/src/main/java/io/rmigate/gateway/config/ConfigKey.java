package io.rmigate.gateway.config;

import static io.rmigate.gateway.config.Allowed.count;
import static io.rmigate.gateway.config.Allowed.duration;
import static io.rmigate.gateway.config.Allowed.oneOf;
import static io.rmigate.gateway.config.Allowed.size;
import static io.rmigate.gateway.config.Allowed.wordsOf;

import io.rmigate.gateway.lease.LeaseSettings;
import io.rmigate.gateway.lookup.LookupSettings;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.session.SessionSettings;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Every key of {@code rmigate.yaml}: path, what is allowed, default, meaning. The reader, the
 * environment overrides, the suggestions for unknown keys and the table of README.md come from
 * here.
 */
enum ConfigKey {
  LISTEN(
      "listen",
      Allowed.HOST_PORT,
      "0.0.0.0:8443",
      "Stand-alone only: the address to listen on. A change needs a restart."),
  PATH(
      "path",
      Allowed.CONTEXT_PATH,
      "/rmigate",
      "Stand-alone only: the context path; in a container the deployment decides. A change needs a"
          + " restart."),
  INSECURE(
      "insecure",
      Allowed.FLAG,
      "false",
      "Accept plain HTTP: the stand-alone gateway then serves without tls, and Basic passwords and"
          + " bearer tokens are taken from requests that did not come over TLS. A change needs a"
          + " restart."),
  DRAIN(
      "drain",
      duration("0s", "10m"),
      "20s",
      "How long a stopping gateway waits for calls in flight."),
  STATE(
      "state",
      Allowed.DIRECTORY,
      ".rmigate",
      "Where the gateway keeps what must outlive a restart. A change needs a restart."),

  TLS_KEYSTORE(
      "tls.keystore",
      Allowed.FILE,
      "",
      "Stand-alone only: PKCS12 or JKS file with the server's key and certificate chain. Read anew"
          + " when it changes; adding or removing tls needs a restart."),
  TLS_PASSWORD_FILE(
      "tls.password-file",
      Allowed.FILE,
      "",
      "File whose first line is the password of the keystore; required with it."),
  TLS_CLIENT_AUTH(
      "tls.client-auth",
      oneOf("none", "want", "need"),
      "none",
      "Whether clients are asked for (want) or must show (need) a certificate. Who they are then"
          + " is the matter of logins.client-certificate. A change needs a restart."),
  TLS_TRUSTSTORE(
      "tls.truststore",
      Allowed.FILE,
      "",
      "PKCS12 or JKS file with the authorities that issue client certificates; required for want"
          + " and need. Read anew when it changes."),
  TLS_TRUSTSTORE_PASSWORD_FILE(
      "tls.truststore-password-file",
      Allowed.FILE,
      "",
      "File whose first line is the password of the truststore; left out: that of the keystore."),

  LOGINS_ANONYMOUS(
      "logins.anonymous",
      Allowed.FLAG,
      "false",
      "Let everybody in, without any login, as principal anonymous."),
  LOGINS_BASIC_USERS_FILE(
      "logins.basic.users-file",
      Allowed.FILE,
      "",
      "Lines name:hash for HTTP Basic; `java -jar rmigate.war hash-password` makes them."),
  LOGINS_BEARER_JWKS(
      "logins.bearer.jwks",
      Allowed.FILE_OR_URL,
      "",
      "The JSON Web Key Set with the issuer's public keys; the only keys ever used."),
  LOGINS_BEARER_ISSUER(
      "logins.bearer.issuer", Allowed.TEXT, "", "What the claim iss must be; required."),
  LOGINS_BEARER_AUDIENCE(
      "logins.bearer.audience", Allowed.TEXT, "", "What the claim aud must contain; required."),
  LOGINS_BEARER_PRINCIPAL_CLAIM(
      "logins.bearer.principal-claim",
      Allowed.TEXT,
      "sub",
      "The claim that holds the principal's name."),
  LOGINS_BEARER_ALGORITHMS(
      "logins.bearer.algorithms",
      wordsOf("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"),
      "RS256, ES256",
      "Signature algorithms that are accepted."),
  LOGINS_CLIENT_CERTIFICATE(
      "logins.client-certificate",
      Allowed.FLAG,
      "false",
      "Take the principal from the TLS client certificate: its first subject alternative name"
          + " (URI, DNS or e-mail), else its subject."),
  LOGINS_CONTAINER(
      "logins.container",
      Allowed.FLAG,
      "false",
      "Take the principal the servlet container has authenticated."),

  TARGETS_PRINCIPALS(
      "targets[].principals",
      Allowed.WORDS,
      "",
      "Who this entry is for; \"*\" is everybody who is let in. Required."),
  TARGETS_ALLOW(
      "targets[].allow",
      Allowed.TARGET_PATTERNS,
      "",
      "Which RMI servers they may reach. Required. Stubs from an allowed registry may point"
          + " elsewhere: their endpoints are allowed in that session."),
  TARGETS_REGISTRY(
      "targets[].registry",
      wordsOf("lookup", "list", "bind", "rebind", "unbind"),
      "lookup, list",
      "Registry operations granted there."),

  MAP_LOOPBACK(
      "map-loopback",
      Allowed.FLAG,
      "true",
      "A stub that names loopback, or a host that is unknown here, is reached at the host its"
          + " registry was reached at."),
  MAP_HOST(
      "map[].host",
      Allowed.HOST_PATTERN,
      "",
      "Hosts that stubs name and that are nowhere, such as addresses of containers; the first entry"
          + " that matches counts. Required."),
  MAP_TO(
      "map[].to",
      Allowed.HOST,
      "",
      "Where they are; left out: at the host their registry was reached at."),
  COMPRESSION_MODE(
      "compression.mode",
      oneOf("on", "off", "auto"),
      "auto",
      "Compression of links: auto does as the agent asks, on always sends compressed to agents that"
          + " can undo it, off neither sends nor takes anything compressed. For sessions opened from"
          + " then on."),
  COMPRESSION_FOR_PRINCIPALS(
      "compression.for[].principals",
      Allowed.WORDS,
      "",
      "Who has a mode of their own; the first entry that names them counts. Required."),
  COMPRESSION_FOR_MODE(
      "compression.for[].mode", oneOf("on", "off", "auto"), "", "Their mode. Required."),

  LOOKUPS_CACHE(
      "lookups.cache",
      Allowed.FLAG,
      "true",
      "Agents may answer repeated lookups; the gateway watches what they hold. Sessions that are"
          + " open keep asking or not asking, and are told what is void."),
  LOOKUPS_UNCACHED(
      "lookups.uncached",
      Allowed.WORDS,
      "",
      "Names, with * for any characters, that are looked up in their registry every time."),
  LOOKUPS_POLL(
      "lookups.poll",
      duration("1s", "1h"),
      Units.text(LookupSettings.DEFAULTS.poll()),
      "Each watched name is looked up inside so often; a rebind inside is seen by agents within that"
          + " and one way of the link."),

  PRELOAD_PRINCIPALS(
      "preload[].principals",
      Allowed.WORDS,
      "",
      "Whose agents get what these names are bound to with the welcome; \"*\" is everybody. Required."),
  PRELOAD_NAMES(
      "preload[].names",
      Allowed.REGISTRY_NAMES,
      "",
      "Names that are watched from the start. targets must permit them. Required."),

  SESSION_HEARTBEAT(
      "session.heartbeat",
      duration("1s", "10m"),
      Units.text(SessionSettings.DEFAULTS.heartbeat()),
      "An agent sends a heartbeat after so much silence; after three without a byte the session"
          + " ends."),
  SESSION_HELLO_TIMEOUT(
      "session.hello-timeout",
      duration("100ms", "5m"),
      Units.text(SessionSettings.DEFAULTS.helloTimeout()),
      "How long a fresh connection may take to say hello."),
  SESSION_STREAM_CREDIT(
      "session.stream-credit",
      size("4KiB", "64MiB"),
      Units.text(SessionSettings.DEFAULTS.streamCredit()),
      "Bytes per stream and direction that may be under way unconsumed."),
  SESSION_MAX_STREAMS(
      "session.max-streams",
      count(1, 65536),
      String.valueOf(SessionSettings.DEFAULTS.maxStreams()),
      "Streams a session may have open at a time."),
  SESSION_MAX_SESSIONS_PER_PRINCIPAL(
      "session.max-sessions-per-principal",
      count(1, 1_000_000),
      String.valueOf(SessionSettings.DEFAULTS.maxSessionsPerPrincipal()),
      "Sessions one principal may have at a time."),
  SESSION_MAX_SESSIONS(
      "session.max-sessions",
      count(1, 1_000_000),
      String.valueOf(SessionSettings.DEFAULTS.maxSessions()),
      "Sessions in all."),
  SESSION_SEND_TIMEOUT(
      "session.send-timeout",
      duration("1s", "10m"),
      Units.text(SessionSettings.DEFAULTS.sendTimeout()),
      "How long a link may refuse to take a byte before it counts as lost."),
  SESSION_GRACE(
      "session.grace",
      duration("0s", "1h"),
      Units.text(SessionSettings.DEFAULTS.grace()),
      "How long a session and its leases outlive the loss of its link, for its agent may come back;"
          + " 0s: not at all. A change needs a restart."),

  RELAY_CONNECT_TIMEOUT(
      "relay.connect-timeout",
      duration("100ms", "5m"),
      Units.text(RelaySettings.DEFAULTS.connectTimeout()),
      "For one TCP connection to an RMI server, unless the agent asks for less."),
  RELAY_HANDSHAKE_TIMEOUT(
      "relay.handshake-timeout",
      duration("100ms", "10m"),
      Units.text(RelaySettings.DEFAULTS.handshakeTimeout()),
      "Until the server's ProtocolAck or PingAck has come."),
  RELAY_PING_AFTER_IDLE(
      "relay.ping-after-idle",
      duration("0s", "1h"),
      Units.text(RelaySettings.DEFAULTS.pingAfterIdle()),
      "A connection unused for so long is pinged before the next call."),
  RELAY_MAX_HELD_CALL(
      "relay.max-held-call",
      size("1KiB", "64MiB"),
      Units.text(RelaySettings.DEFAULTS.maxHeldCallBytes()),
      "A call up to this size is parsed to its end before its first byte goes to the server."),
  RELAY_THREADS(
      "relay.threads",
      count(0, 256),
      String.valueOf(RelaySettings.DEFAULTS.threads()),
      "Selector threads; 0 means one for every two processors. A change needs a restart."),

  LEASES_ENABLED(
      "leases.enabled",
      Allowed.FLAG,
      String.valueOf(LeaseSettings.DEFAULTS.enabled()),
      "Hold the leases on objects that agents have references to; otherwise their garbage"
          + " collector's calls cross the link. A change needs a restart."),
  LEASES_MAX_OBJECTS(
      "leases.max-objects",
      count(1, 10_000_000),
      String.valueOf(LeaseSettings.DEFAULTS.maxObjects()),
      "Objects held for one session; those beyond are not held. A change needs a restart."),
  LEASES_MAX_OBJECTS_PER_PRINCIPAL(
      "leases.max-objects-per-principal",
      count(1, 100_000_000),
      String.valueOf(LeaseSettings.DEFAULTS.maxObjectsPerPrincipal()),
      "Objects held for all sessions of one principal together. A change needs a restart."),
  LEASES_MAX_ENDPOINTS(
      "leases.max-endpoints",
      count(1, 65_536),
      String.valueOf(LeaseSettings.DEFAULTS.maxEndpoints()),
      "Endpoints at which objects are held for one session. A change needs a restart."),
  LEASES_CALL_TIMEOUT(
      "leases.call-timeout",
      duration("1s", "5m"),
      Units.text(LeaseSettings.DEFAULTS.callTimeout()),
      "The longest one call to a server for a lease may take. A change needs a restart."),

  ADMIN_PRINCIPALS(
      "admin.principals", Allowed.WORDS, "", "Who may read /admin and /metrics; left out: nobody."),
  METRICS(
      "metrics",
      oneOf("admin", "open"),
      "admin",
      "Who may read /metrics: the principals of admin, or everybody who can reach it (open).");

  /** What the names of the environment overrides begin with. */
  static final String ENVIRONMENT_PREFIX = "RMIGATE_GATEWAY_";

  private final String path;

  @SuppressWarnings("ImmutableEnumChecker") // a record of immutable values, its list a copy
  private final Allowed allowed;

  private final String defaultText;
  private final String meaning;

  ConfigKey(String path, Allowed allowed, String defaultText, String meaning) {
    this.path = path;
    this.allowed = allowed;
    this.defaultText = defaultText;
    this.meaning = meaning;
  }

  /** Dotted; {@code []} stands for each item of a list. */
  String path() {
    return path;
  }

  Allowed allowed() {
    return allowed;
  }

  /** As it would be written; empty when there is none. */
  String defaultText() {
    return defaultText;
  }

  /** The last part of the path. */
  String lastName() {
    return path.substring(path.lastIndexOf('.') + 1);
  }

  /** Keys inside lists have no environment variable. */
  boolean hasEnvironmentVariable() {
    return !path.contains("[]");
  }

  /** {@code session.max-streams} is {@code RMIGATE_GATEWAY_SESSION_MAX_STREAMS}. */
  String environmentVariable() {
    return ENVIRONMENT_PREFIX + path.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }

  /** The reference table in Markdown, as README.md has it. */
  static String table() {
    return Stream.of(values())
        .map(
            key ->
                "| `%s` | %s | %s | %s |"
                    .formatted(
                        key.path,
                        key.allowed.text(),
                        key.defaultText.isEmpty() ? "" : "`" + key.defaultText + "`",
                        key.meaning))
        .collect(
            Collectors.joining(
                "\n", "| key | allowed | default | meaning |\n|---|---|---|---|\n", "\n"));
  }
}
