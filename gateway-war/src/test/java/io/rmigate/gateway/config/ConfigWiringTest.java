package io.rmigate.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.policy.rule.Codebases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each key of the reference sets the setting that it is about, and no other; without a word each
 * setting is what the reference says.
 */
class ConfigWiringTest {
  /** Settings that are not called by their key's path, see {@link #setting}. */
  private static final Map<ConfigKey, String> OTHERWISE_CALLED =
      Map.ofEntries(
          Map.entry(ConfigKey.HTTP_MAX_CONNECTIONS, "maxConnections"),
          Map.entry(ConfigKey.HTTP_PATIENCE, "requests.patience"),
          Map.entry(ConfigKey.HTTP_MIN_RATE, "requests.minRate"),
          Map.entry(ConfigKey.LOGINS_BASIC_USERS_FILE, "logins.usersFile"),
          Map.entry(ConfigKey.TARGETS_CLASS_MODE, "targets[0].calls.classMode"),
          Map.entry(ConfigKey.TARGETS_CLASSES, "targets[0].calls.classes"),
          Map.entry(ConfigKey.TARGETS_OPAQUE, "targets[0].calls.opaque"),
          Map.entry(ConfigKey.TARGETS_REFERENCES, "targets[0].calls.references"),
          Map.entry(ConfigKey.TARGETS_RECEIVED_OBJECTS, "targets[0].calls.receivedObjects"),
          Map.entry(ConfigKey.TARGETS_NEW_PORTS, "targets[0].calls.newPorts"),
          Map.entry(ConfigKey.TARGETS_JMX, "targets[0].calls.jmx"),
          Map.entry(ConfigKey.TARGETS_JMX_GRANTS, "targets[0].calls.jmxGrants"),
          Map.entry(ConfigKey.TARGETS_METHODS, "targets[0].calls.methods"),
          Map.entry(ConfigKey.TARGETS_NAMES, "targets[0].calls.names"),
          Map.entry(ConfigKey.TARGETS_LIST_ALL, "targets[0].calls.listAll"),
          Map.entry(ConfigKey.TARGETS_CALL_LIMIT, "targets[0].calls.callLimit"),
          Map.entry(ConfigKey.TARGETS_KEY_LIMIT, "targets[0].calls.keyLimit"),
          Map.entry(ConfigKey.TARGETS_STREAM, "targets[0].calls.stream"),
          Map.entry(ConfigKey.LIMITS_CALLS_PER_SECOND, "restraints.limits.callsPerSecond"),
          Map.entry(ConfigKey.LIMITS_BURST, "restraints.limits.burst"),
          Map.entry(ConfigKey.LIMITS_CALLS_IN_PROGRESS, "restraints.limits.callsInProgress"),
          Map.entry(ConfigKey.LIMITS_BYTES_PER_SECOND, "restraints.limits.bytesPerSecond"),
          Map.entry(ConfigKey.LOCKOUT_AFTER, "restraints.lockout.after"),
          Map.entry(ConfigKey.LOCKOUT_WITHIN, "restraints.lockout.within"),
          Map.entry(ConfigKey.LOCKOUT_LASTS, "restraints.lockout.lasts"),
          Map.entry(ConfigKey.RAW_FIRST_BYTES, "raw[0].tlsOnly"),
          Map.entry(ConfigKey.MAP_LOOPBACK, "mapping"),
          Map.entry(ConfigKey.MAP_HOST, "mapping"),
          Map.entry(ConfigKey.MAP_TO, "mapping"),
          Map.entry(ConfigKey.COMPRESSION_FOR_PRINCIPALS, "compression.exceptions[0].principals"),
          Map.entry(ConfigKey.COMPRESSION_FOR_MODE, "compression.exceptions[0].mode"),
          Map.entry(ConfigKey.LOOKUPS_CACHE, "lookups.cached"),
          Map.entry(ConfigKey.PRELOAD_PRINCIPALS, "lookups.preload[0].principals"),
          Map.entry(ConfigKey.PRELOAD_NAMES, "lookups.preload[0].names"),
          Map.entry(ConfigKey.LEGACY_PRINCIPAL, "legacy.settings.principal"),
          Map.entry(ConfigKey.LEGACY_FROM, "legacy.settings.from"),
          Map.entry(ConfigKey.LEGACY_MAX_BODY, "legacy.settings.maxBodyBytes"),
          Map.entry(ConfigKey.LEGACY_MAX_REQUESTS, "legacy.settings.maxRequests"),
          Map.entry(ConfigKey.LEGACY_PATIENCE, "legacy.settings.patience"),
          Map.entry(ConfigKey.LEGACY_CALL_TIMEOUT, "legacy.settings.callTimeout"),
          Map.entry(ConfigKey.LEGACY_LEASE, "legacy.settings.lease"),
          Map.entry(ConfigKey.LONG_CALLS_MAX_BYTES, "classes.longCalls.maxBytes"),
          Map.entry(
              ConfigKey.LONG_CALLS_MAX_BYTES_PER_PRINCIPAL,
              "classes.longCalls.maxBytesPerPrincipal"),
          Map.entry(ConfigKey.LONG_CALLS_PATIENCE, "classes.longCalls.patience"),
          Map.entry(ConfigKey.RELAY_MAX_HELD_CALL, "relay.maxHeldCallBytes"),
          Map.entry(ConfigKey.CALLS_HUNG_AFTER, "callsHungAfter"),
          Map.entry(ConfigKey.PUBLISH_PATH, "published[0].entry.path"),
          Map.entry(ConfigKey.PUBLISH_OBJECT, "published[0].name"),
          Map.entry(ConfigKey.PUBLISH_INTERFACE, "published[0].entry.interfaceName"),
          Map.entry(ConfigKey.PUBLISH_JARS, "published[0].entry.jars"),
          Map.entry(ConfigKey.PUBLISH_PRINCIPALS, "published[0].principals"),
          Map.entry(ConfigKey.PUBLISH_METHODS, "published[0].entry.methods"),
          Map.entry(ConfigKey.PUBLISH_IMPLEMENTATIONS_OF, "published[0].entry.implementations"),
          Map.entry(
              ConfigKey.PUBLISH_IMPLEMENTATIONS_CLASSES, "published[0].entry.implementations"),
          Map.entry(ConfigKey.PUBLISH_NAMES_METHOD, "published[0].entry.names"),
          Map.entry(ConfigKey.PUBLISH_NAMES_OPERATION, "published[0].entry.names"),
          Map.entry(ConfigKey.PUBLISH_NAMES_PARAMETERS, "published[0].entry.names"),
          Map.entry(ConfigKey.SERVICES_MAX_BODY, "services.limits.bodyBytes"),
          Map.entry(ConfigKey.SERVICES_MAX_BODIES, "services.bodiesBytes"),
          Map.entry(ConfigKey.SERVICES_PATIENCE, "services.pace.patience"),
          Map.entry(ConfigKey.SERVICES_MIN_RATE, "services.pace.bytesASecond"),
          Map.entry(ConfigKey.SERVICES_MAX_DEPTH, "services.limits.depth"),
          Map.entry(ConfigKey.SERVICES_MAX_TOKENS, "services.limits.tokens"),
          Map.entry(ConfigKey.SERVICES_MAX_TEXT, "services.limits.textChars"),
          Map.entry(ConfigKey.SERVICES_CALL_TIMEOUT, "services.calls.timeout"),
          Map.entry(ConfigKey.SERVICES_HANDLE_LIFETIME, "services.handles.lifetime"),
          Map.entry(ConfigKey.SESSION_STREAM_CREDIT, "session.limits.streamCredit"),
          Map.entry(ConfigKey.SESSION_MAX_STREAMS, "session.limits.maxStreams"),
          Map.entry(
              ConfigKey.SESSION_MAX_SESSIONS_PER_PRINCIPAL,
              "session.limits.maxSessionsPerPrincipal"),
          Map.entry(ConfigKey.SESSION_MAX_SESSIONS, "session.limits.maxSessions"),
          Map.entry(ConfigKey.SERVICES_MAX_CALLS_PER_PRINCIPAL, "services.calls.perPrincipal"),
          Map.entry(ConfigKey.SERVICES_MAX_CALLS, "services.calls.all"),
          Map.entry(ConfigKey.SERVICES_MAX_HANDLES_PER_PRINCIPAL, "services.handles.perPrincipal"),
          Map.entry(ConfigKey.SERVICES_MAX_HANDLES, "services.handles.all"),
          Map.entry(ConfigKey.AUDIT_ROTATE_SIZE, "audit.rotateBytes"),
          Map.entry(ConfigKey.ADMIN_LISTEN, "adminListen"),
          Map.entry(ConfigKey.ADMIN_PRINCIPALS, "adminPrincipals"),
          Map.entry(ConfigKey.METRICS, "metricsOpen"));

  /** Leases outlive a lost link as long as their session does. */
  private static final Map<ConfigKey, String> SETS_TWO =
      Map.of(ConfigKey.SESSION_GRACE, "leases.grace");

  /** Where the configuration was, and bounds that are not for operators to choose. */
  private static final Set<String> SET_BY_NO_KEY =
      Set.of("source", "services.limits.resultDepth", "services.limits.heldBytes");

  /** What a key means nothing, or is refused, without. */
  private static final Map<ConfigKey, Map<ConfigKey, Object>> ONLY_WITH =
      Map.of(
          ConfigKey.TLS_CLIENT_AUTH, Map.of(ConfigKey.TLS_TRUSTSTORE, "a.file"),
          ConfigKey.TLS_CRL_FILE,
              Map.of(ConfigKey.TLS_TRUSTSTORE, "a.file", ConfigKey.TLS_CLIENT_AUTH, "need"),
          ConfigKey.TARGETS_JMX_GRANTS, Map.of(ConfigKey.TARGETS_JMX, "true"),
          ConfigKey.TARGETS_LIMITS_BURST, Map.of(ConfigKey.TARGETS_LIMITS_CALLS_PER_SECOND, "1"),
          ConfigKey.LIMITS_BURST, Map.of(ConfigKey.LIMITS_CALLS_PER_SECOND, "1"),
          ConfigKey.LEGACY_PRINCIPAL, Map.of(ConfigKey.LEGACY_FROM, List.of("10.0.0.1")),
          ConfigKey.CALLBACKS_ADDRESS, Map.of(ConfigKey.CALLBACKS_HOST, "a.example"),
          ConfigKey.SERVICES_MAX_BODIES, Map.of(ConfigKey.SERVICES_MAX_BODY, "1KiB"));

  /** Counts that are never less than a thousand. */
  private static final Set<ConfigKey> LARGE_COUNTS =
      Set.of(ConfigKey.CLASSES_OBJECT_LIMIT, ConfigKey.CLASSES_HASHING_LIMIT);

  /** What is meant where nothing is said and the reference shows no value. */
  private static final Set<String> NOTHING = Set.of("none", "[]", "false", "");

  private static final String JMX_METHOD =
      "javax.management.remote.rmi.RMIConnection.getMBeanCount";

  /** Every section, every list, and of them only what is required. */
  private static final Map<ConfigKey, Object> LEAST = least();

  private static Map<ConfigKey, Object> least() {
    Map<ConfigKey, Object> least = new EnumMap<>(ConfigKey.class);
    least.put(ConfigKey.TLS_KEYSTORE, "a.file");
    least.put(ConfigKey.TLS_PASSWORD_FILE, "a.file");
    least.put(ConfigKey.LOGINS_BASIC_USERS_FILE, "a.file");
    least.put(ConfigKey.LOGINS_BEARER_JWKS, "a.file");
    least.put(ConfigKey.LOGINS_BEARER_ISSUER, "issuer");
    least.put(ConfigKey.LOGINS_BEARER_AUDIENCE, "audience");
    least.put(ConfigKey.TARGETS_PRINCIPALS, List.of("a"));
    least.put(ConfigKey.TARGETS_ALLOW, List.of("a.example:1"));
    least.put(ConfigKey.RAW_PRINCIPALS, List.of("a"));
    least.put(ConfigKey.RAW_ALLOW, List.of("a.example:1"));
    least.put(ConfigKey.MAP_HOST, "a.example");
    least.put(ConfigKey.COMPRESSION_FOR_PRINCIPALS, List.of("a"));
    least.put(ConfigKey.COMPRESSION_FOR_MODE, "off");
    least.put(ConfigKey.PRELOAD_PRINCIPALS, List.of("a"));
    least.put(ConfigKey.PRELOAD_NAMES, List.of("a.example:1/x"));
    least.put(ConfigKey.CALLBACKS_ADDRESS, "10.0.0.1");
    least.put(ConfigKey.CALLBACKS_FROM, List.of("10.0.0.1"));
    least.put(ConfigKey.CALLBACKS_ALLOW_PRINCIPALS, List.of("a"));
    least.put(ConfigKey.PUBLISH_PATH, "a");
    least.put(ConfigKey.PUBLISH_OBJECT, "rmi://a.example:1/x");
    least.put(ConfigKey.PUBLISH_INTERFACE, "A");
    least.put(ConfigKey.PUBLISH_JARS, "jars");
    least.put(ConfigKey.PUBLISH_PRINCIPALS, List.of("a"));
    least.put(ConfigKey.PUBLISH_IMPLEMENTATIONS_OF, "A");
    least.put(ConfigKey.PUBLISH_IMPLEMENTATIONS_CLASSES, List.of("B"));
    least.put(ConfigKey.PUBLISH_NAMES_METHOD, "find()");
    least.put(ConfigKey.AUDIT_PATH, "audit");
    return least;
  }

  @TempDir Path directory;

  @BeforeEach
  void makeFiles() throws IOException {
    Files.createFile(directory.resolve("a.file"));
    for (ConfigKey key : ConfigKey.values()) {
      switch (key.allowed().shape()) {
        case FILE -> Files.createFile(directory.resolve(word(key)));
        case DIRECTORY -> Files.createDirectory(directory.resolve(word(key)));
        default -> {}
      }
    }
  }

  @Test
  void eachKeySetsWhatItIsAboutAndNothingElse() throws Exception {
    Set<Object> all = new HashSet<>();
    for (ConfigKey key : ConfigKey.values()) {
      Object value = another(key);
      boolean isOneOfFew = key.allowed().shape() == Allowed.Shape.FLAG || hasWords(key);
      assertThat(isOneOfFew || all.add(value)).as("%s: %s of its own", key.path(), value).isTrue();
      Map<String, String> before = settings(around(key));
      Map<ConfigKey, Object> with = around(key);
      with.put(key, value);

      Map<String, String> changed = settings(with);
      changed.entrySet().removeAll(before.entrySet());

      Map<String, String> expected = new TreeMap<>();
      expected.put(setting(key), shown(key, value));
      Optional.ofNullable(SETS_TWO.get(key))
          .ifPresent(second -> expected.put(second, shown(key, value)));
      assertThat(changed).as("what %s: %s changes", key.path(), value).isEqualTo(expected);
    }
  }

  @Test
  void eachVariableSetsWhatItsKeyDoes() throws Exception {
    for (ConfigKey key : ConfigKey.values()) {
      if (key.hasEnvironmentVariable()) {
        Object value = another(key);
        Map<ConfigKey, Object> with = around(key);
        with.put(key, value);
        String text =
            value instanceof List<?> list ? String.valueOf(list.get(0)) : value.toString();

        assertThat(settings(around(key), Map.of(key.environmentVariable(), text)))
            .as(key.environmentVariable())
            .isEqualTo(settings(with));
      }
    }
  }

  @Test
  void withoutAWordEachSettingIsWhatTheReferenceSays() throws Exception {
    Map<String, String> settings = settings(LEAST);
    for (ConfigKey key : ConfigKey.values()) {
      if (!LEAST.containsKey(key)) {
        assertThat(settings).containsKey(setting(key));
        assertThat(Set.of(settings.get(setting(key))))
            .as("%s where nothing is said", key.path())
            .containsAnyElementsOf(unsaid(key));
      }
    }
  }

  @Test
  void whatIsNotThereWithoutItsSectionIsOff() throws Exception {
    Map<String, String> withSections = settings(LEAST);
    Map<ConfigKey, Object> smallest = new EnumMap<>(ConfigKey.class);
    for (ConfigKey key :
        List.of(
            ConfigKey.TARGETS_PRINCIPALS,
            ConfigKey.TARGETS_ALLOW,
            ConfigKey.LOGINS_BASIC_USERS_FILE)) {
      smallest.put(key, LEAST.get(key));
    }

    Map<String, String> other = settings(smallest);
    other.entrySet().removeAll(withSections.entrySet());

    assertThat(other)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "tls", "none",
                "logins.bearer", "none",
                "raw", "[]",
                "mapping", "loopback",
                "compression.exceptions", "[]",
                "lookups.preload", "[]",
                "callbacks", "none",
                "published", "[]",
                "audit", "none"));
  }

  @Test
  void eachSettingHasAKey() throws Exception {
    Set<String> keyed = new TreeSet<>(SET_BY_NO_KEY);
    keyed.addAll(SETS_TWO.values());
    for (ConfigKey key : ConfigKey.values()) {
      keyed.add(setting(key));
    }
    assertThat(settings(LEAST).keySet()).isEqualTo(keyed);
  }

  // ---- keys and what they set

  /** {@code session.max-streams} sets {@code session.maxStreams}, unless another is listed. */
  private static String setting(ConfigKey key) {
    return OTHERWISE_CALLED.getOrDefault(key, SettingLeaves.leaf(key.path().replace("[]", "[0]")));
  }

  private static Map<ConfigKey, Object> around(ConfigKey key) {
    Map<ConfigKey, Object> around = new EnumMap<>(LEAST);
    around.putAll(ONLY_WITH.getOrDefault(key, Map.of()));
    return around;
  }

  private static boolean hasWords(ConfigKey key) {
    return !key.allowed().names().isEmpty();
  }

  /** Within the bounds of all counts, and with a unit of all durations and sizes. */
  private static int number(ConfigKey key) {
    return 100 + List.of(ConfigKey.values()).indexOf(key);
  }

  /** A word that no other key's is. */
  private static String word(ConfigKey key) {
    return "other" + number(key);
  }

  /**
   * A value that is neither the default nor {@link #LEAST}'s, nor, if there are enough, another
   * key's.
   */
  private static Object another(ConfigKey key) {
    int number = number(key);
    String host = "host" + number + ".example";
    return switch (key.allowed().shape()) {
      case FLAG -> String.valueOf(!key.defaultText().equals("true"));
      case DURATION -> number + "s";
      case SIZE -> number + "KiB";
      case COUNT -> String.valueOf(LARGE_COUNTS.contains(key) ? 1000 + number : number);
      case CHOICE -> anotherWord(key);
      case WORDS, PRINCIPALS, WORDS_OR_NONE ->
          List.of(hasWords(key) ? anotherWord(key) : word(key));
      case TEXT, FILE, NEW_FILE, DIRECTORY, SERVICE_PATH, CLASS_NAME -> word(key);
      case CLASS_NAMES, CLASS_PATTERNS -> List.of(word(key));
      case CONTEXT_PATH -> "/" + word(key);
      case FILE_OR_URL, OUTER_URL -> "https://" + host;
      case ORIGINS -> List.of("https://" + host);
      case HOST_NAMES -> List.of(host);
      case HOST_PORT -> "127.0.0.1:" + number;
      case HOST, HOST_PATTERN -> host;
      case TARGET_PATTERNS -> List.of(host + ":1");
      case REGISTRY_NAMES -> List.of(host + ":1/x");
      case RMI_URL -> "rmi://" + host + ":1/x";
      case ADDRESS -> "10.0.0." + number;
      case PEERS, PROXIES -> List.of("10.0.0." + number);
      case PORT_RANGE -> number + "-1000";
      case PORTS -> List.of(String.valueOf(number));
      case METHOD_PATTERNS -> List.of(JMX_METHOD);
      case SIGNATURE -> word(key) + "(int)";
    };
  }

  private static String anotherWord(ConfigKey key) {
    List<String> usual = List.of(key.defaultText().split(", ", -1));
    return key.allowed().names().stream()
        .filter(word -> !usual.contains(word) && !word.equals(LEAST.get(key)))
        .reduce((first, last) -> last)
        .orElseThrow();
  }

  /** How a value appears in the settings. */
  private static String shown(ConfigKey key, Object value) {
    String text = value.toString();
    return switch (key) {
      case METRICS -> String.valueOf(text.equals("open"));
      case CLASSES_CODEBASES -> Codebases.of(text).toString();
      case TARGETS_JMX -> text.equals("true") ? "full" : text;
      case RAW_FIRST_BYTES -> String.valueOf(text.equals("tls"));
      case MAP_LOOPBACK -> (text.equals("true") ? "" : "no ") + "loopback, a.example";
      case MAP_HOST -> "loopback, " + text;
      case MAP_TO -> "loopback, a.example to " + text;
      case CALLBACKS_FROM, LEGACY_FROM, LOOKUPS_UNCACHED, SERVICES_TRUSTED_PROXIES ->
          text.replaceAll("[\\[\\]]", ""); // patterns, as they print themselves
      case PUBLISH_OBJECT -> text.replace("rmi://", "");
      case PUBLISH_IMPLEMENTATIONS_OF -> "{" + text + "=[B]}";
      case PUBLISH_IMPLEMENTATIONS_CLASSES -> "{A=" + text + "}";
      case PUBLISH_NAMES_METHOD -> names(text, "", "[]");
      case PUBLISH_NAMES_OPERATION -> names("find()", text, "[]");
      case PUBLISH_NAMES_PARAMETERS -> names("find()", "", text);
      default ->
          switch (key.allowed().shape()) {
            case DURATION -> Units.duration(text).orElseThrow().toString();
            case SIZE -> String.valueOf(Units.bytes(text).orElseThrow());
            default -> text;
          };
    };
  }

  private static String names(String method, String operation, String parameters) {
    return "{%s=MethodNames[operation=%s, parameters=%s]}".formatted(method, operation, parameters);
  }

  /** What a setting may be where nothing is said. */
  private static Set<String> unsaid(ConfigKey key) {
    if (!key.defaultText().isEmpty()) {
      return switch (key.allowed().shape()) {
        case WORDS, PRINCIPALS, WORDS_OR_NONE ->
            Set.of(new TreeSet<>(List.of(key.defaultText().split(", ", -1))).toString());
        default -> Set.of(shown(key, key.defaultText()));
      };
    }
    return switch (key) {
      case AUDIT_EVENTS -> // everything
          Set.of(
              Stream.of(AuditEvent.values())
                  .map(AuditEvent::word)
                  .collect(Collectors.toCollection(TreeSet::new))
                  .toString());
      case CALLBACKS_HOST -> Set.of(LEAST.get(ConfigKey.CALLBACKS_ADDRESS).toString());
      case MAP_TO -> Set.of("loopback, a.example"); // where the registry is
      case PUBLISH_NAMES_OPERATION, PUBLISH_NAMES_PARAMETERS -> Set.of(names("find()", "", "[]"));
      default -> NOTHING;
    };
  }

  // ---- reading

  private Map<String, String> settings(Map<ConfigKey, Object> values) throws Exception {
    return settings(values, Map.of());
  }

  private Map<String, String> settings(
      Map<ConfigKey, Object> values, Map<String, String> environment) throws Exception {
    Map<String, Object> root = new LinkedHashMap<>();
    values.forEach((key, value) -> put(root, key.path(), value));
    Path file = directory.resolve("rmigate.yaml"); // JSON is YAML, too
    Files.writeString(file, new ObjectMapper().writeValueAsString(root));
    return new SettingLeaves(directory).of(GatewayConfig.load(file, environment));
  }

  @SuppressWarnings("unchecked") // what it has put there itself
  private static void put(Map<String, Object> root, String path, Object value) {
    Map<String, Object> at = root;
    String[] parts = path.split("\\.", -1);
    for (int i = 0; i < parts.length - 1; i++) {
      String name = parts[i].replace("[]", "");
      if (parts[i].equals(name)) {
        at = (Map<String, Object>) at.computeIfAbsent(name, any -> new LinkedHashMap<>());
      } else {
        List<Object> items = (List<Object>) at.computeIfAbsent(name, any -> new ArrayList<>());
        if (items.isEmpty()) {
          items.add(new LinkedHashMap<String, Object>());
        }
        at = (Map<String, Object>) items.get(0);
      }
    }
    at.put(parts[parts.length - 1], value);
  }
}
