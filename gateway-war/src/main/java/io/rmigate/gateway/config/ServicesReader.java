package io.rmigate.gateway.config;

import io.rmigate.gateway.callback.InnerPeers;
import io.rmigate.gateway.config.ConfigNode.Entry;
import io.rmigate.gateway.config.ConfigNode.Mapping;
import io.rmigate.gateway.config.ConfigNode.Scalar;
import io.rmigate.gateway.config.ConfigNode.Sequence;
import io.rmigate.gateway.relay.AddressLiteral;
import io.rmigate.gateway.services.Pace;
import io.rmigate.gateway.services.PublishedObject;
import io.rmigate.gateway.services.ServiceSettings;
import io.rmigate.protocol.tunnel.RegistryName;
import io.rmigate.soap.json.JsonLimits;
import io.rmigate.soap.publish.PublishEntry;
import io.rmigate.soap.publish.PublishEntry.MethodNames;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;

/**
 * Reads {@code publish} and {@code services} for a {@link ConfigReader}, which collects the
 * problems.
 */
final class ServicesReader {
  /** Two that have nothing in common, of each family: who matches both matches everybody. */
  private static final List<List<InetAddress>> ANYBODY =
      List.of(
          List.of(address("11.22.33.44"), address("203.0.113.9")),
          List.of(address("2001:db8::1"), address("fd12:3456::1")));

  private static final Pattern PATH =
      Pattern.compile("(?!.*\\.\\.)[A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)*");

  private static final Pattern RMI_URL = Pattern.compile("rmi://(.*)");
  private static final Pattern CLASS_NAME =
      Pattern.compile("\\p{javaJavaIdentifierStart}[\\p{javaJavaIdentifierPart}.]*");

  private static final Pattern SIGNATURE =
      Pattern.compile(
          "\\p{javaJavaIdentifierStart}\\p{javaJavaIdentifierPart}*"
              + "\\((?:[\\p{javaJavaIdentifierPart}\\[\\]]+(?:,[\\p{javaJavaIdentifierPart}\\[\\]]+)*)?\\)");

  private static final Pattern OPERATION = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private final ConfigReader reader;
  private final Path directory;

  ServicesReader(ConfigReader reader, Path directory) {
    this.reader = reader;
    this.directory = directory;
  }

  // ---- publish

  List<PublishedObject> published(Mapping root) {
    List<PublishedObject> published = new ArrayList<>();
    Map<String, String> paths = new HashMap<>();
    items(
        root,
        "publish",
        "",
        "path, object, interface, jars and principals",
        (item, at) -> {
          Optional<PublishedObject> read = object(item, at);
          read.ifPresent(
              object -> {
                mustNotOverlap(object.path(), item.origin(), at, paths);
                published.add(object);
              });
        });
    return published;
  }

  /** Else it would not be certain what an address below one of them means. */
  private void mustNotOverlap(String path, String origin, String at, Map<String, String> paths) {
    for (String other : paths.keySet()) {
      if ((path + "/").startsWith(other + "/") || (other + "/").startsWith(path + "/")) {
        reader.problem(
            origin,
            at + ".path",
            "\"%s\" and that of %s, \"%s\", begin alike; rename one of them"
                .formatted(path, paths.get(other), other));
        return;
      }
    }
    paths.put(path, at);
  }

  private Optional<PublishedObject> object(Mapping item, String at) {
    Optional<String> path = text(item, ConfigKey.PUBLISH_PATH, at, PATH);
    Optional<RegistryName> name = name(item, at);
    Optional<String> type = text(item, ConfigKey.PUBLISH_INTERFACE, at, CLASS_NAME);
    Optional<Path> jars = jars(item, at);
    List<String> principals = list(item, ConfigKey.PUBLISH_PRINCIPALS, at, false);
    List<String> methods = list(item, ConfigKey.PUBLISH_METHODS, at, true);
    Map<String, List<String>> implementations = implementations(item, at);
    Map<String, MethodNames> names = names(item, at);
    if (path.isEmpty() || name.isEmpty() || type.isEmpty() || jars.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new PublishedObject(
            new PublishEntry(
                path.get(),
                type.get(),
                jars.get(),
                new LinkedHashSet<>(methods),
                implementations,
                names),
            name.get(),
            new LinkedHashSet<>(principals)));
  }

  private Optional<RegistryName> name(Mapping item, String at) {
    Optional<String> url = text(item, ConfigKey.PUBLISH_OBJECT, at, RMI_URL);
    Optional<RegistryName> name =
        url.flatMap(text -> RegistryName.parse(text.substring("rmi://".length())));
    if (url.isPresent() && name.isEmpty()) {
      bad(item.entries().get(ConfigKey.PUBLISH_OBJECT.lastName()), ConfigKey.PUBLISH_OBJECT, at);
    }
    return name;
  }

  private Optional<Path> jars(Mapping item, String at) {
    ConfigKey key = ConfigKey.PUBLISH_JARS;
    Optional<Scalar> value = required(item, key, at);
    if (value.isEmpty()) {
      return Optional.empty();
    }
    try {
      // Whether it is there is seen when it is read: it concerns this entry, and no other.
      return Optional.of(directory.resolve(value.get().text()).normalize());
    } catch (InvalidPathException e) {
      bad(item.entries().get(key.lastName()), key, at);
      return Optional.empty();
    }
  }

  private Map<String, List<String>> implementations(Mapping item, String at) {
    Map<String, List<String>> implementations = new HashMap<>();
    items(
        item,
        "implementations",
        at + ".",
        "of and classes",
        (entry, place) -> {
          Optional<String> of =
              text(entry, ConfigKey.PUBLISH_IMPLEMENTATIONS_OF, place, CLASS_NAME);
          List<String> classes =
              list(entry, ConfigKey.PUBLISH_IMPLEMENTATIONS_CLASSES, place, false);
          of.ifPresent(
              type -> {
                if (implementations.put(type, classes) != null) {
                  reader.problem(entry.origin(), place + ".of", "another entry has " + type);
                }
              });
        });
    return implementations;
  }

  private Map<String, MethodNames> names(Mapping item, String at) {
    Map<String, MethodNames> names = new HashMap<>();
    Set<String> operations = new HashSet<>();
    items(
        item,
        "names",
        at + ".",
        "method, operation and parameters",
        (entry, place) -> {
          Optional<String> method = text(entry, ConfigKey.PUBLISH_NAMES_METHOD, place, SIGNATURE);
          String operation =
              entry.entries().containsKey(ConfigKey.PUBLISH_NAMES_OPERATION.lastName())
                  ? text(entry, ConfigKey.PUBLISH_NAMES_OPERATION, place, OPERATION).orElse("")
                  : "";
          List<String> parameters = list(entry, ConfigKey.PUBLISH_NAMES_PARAMETERS, place, true);
          if (!operation.isEmpty() && !operations.add(operation)) {
            reader.problem(
                entry.origin(), place + ".operation", "another entry has \"" + operation + "\"");
          }
          method.ifPresent(
              signature -> {
                if (names.put(signature, new MethodNames(operation, parameters)) != null) {
                  reader.problem(
                      entry.origin(), place + ".method", "another entry has " + signature);
                }
              });
        });
    return names;
  }

  // ---- services

  ServiceSettings settings(Mapping root) {
    reader.section("services");
    ConfigKey proxies = ConfigKey.SERVICES_TRUSTED_PROXIES;
    JsonLimits usual = JsonLimits.DEFAULT;
    ServiceSettings settings =
        new ServiceSettings(
            reader.given(ConfigKey.SERVICES_URL).flatMap(this::url),
            InnerPeers.of(reader.list(root, proxies, proxies.path(), true)),
            new JsonLimits(
                reader.size(ConfigKey.SERVICES_MAX_BODY),
                reader.count(ConfigKey.SERVICES_MAX_DEPTH),
                reader.count(ConfigKey.SERVICES_MAX_TOKENS),
                reader.count(ConfigKey.SERVICES_MAX_TEXT),
                usual.resultDepth(),
                usual.heldBytes()),
            reader.size(ConfigKey.SERVICES_MAX_BODIES),
            new Pace(
                reader.duration(ConfigKey.SERVICES_PATIENCE),
                reader.size(ConfigKey.SERVICES_MIN_RATE)),
            reader.duration(ConfigKey.SERVICES_CALL_TIMEOUT),
            reader.count(ConfigKey.SERVICES_MAX_CALLS_PER_PRINCIPAL),
            reader.count(ConfigKey.SERVICES_MAX_CALLS),
            reader.duration(ConfigKey.SERVICES_HANDLE_LIFETIME),
            reader.count(ConfigKey.SERVICES_MAX_HANDLES_PER_PRINCIPAL),
            reader.count(ConfigKey.SERVICES_MAX_HANDLES));
    if (settings.bodiesBytes() < settings.limits().bodyBytes()) {
      reader.problem(
          reader.scalar(ConfigKey.SERVICES_MAX_BODIES).origin(),
          ConfigKey.SERVICES_MAX_BODIES.path(),
          "is smaller than services.max-body");
    }
    return settings;
  }

  private Optional<URI> url(Scalar value) {
    try {
      URI url = URI.create(value.text().replaceAll("/+$", ""));
      boolean web = "https".equals(url.getScheme()) || "http".equals(url.getScheme());
      if (web
          && url.getHost() != null
          && url.getUserInfo() == null
          && url.getQuery() == null
          && url.getFragment() == null) {
        return Optional.of(url);
      }
    } catch (IllegalArgumentException e) {
      // reported below
    }
    reader.notAllowed(ConfigKey.SERVICES_URL, value, "is none");
    return Optional.empty();
  }

  /** Whether an item of a list is one; if not, it has been reported. */
  boolean isItem(ConfigKey key, Scalar item, String path) {
    boolean good =
        switch (key.allowed().shape()) {
          case CLASS_NAMES -> CLASS_NAME.matcher(item.text()).matches();
          case PROXIES -> isProxy(item.text());
          default -> true;
        };
    if (!good) {
      reader.problem(
          item.origin(),
          path,
          "\"%s\" is none; allowed: %s".formatted(item.text(), key.allowed().text()));
    }
    return good;
  }

  /**
   * A name would have to be looked up to know whom to believe; and what stands for everybody, whose
   * word then counts, is a mistake (THREATS T42).
   */
  private static boolean isProxy(String text) {
    try {
      InnerPeers peers = InnerPeers.of(List.of(text));
      return !peers.hasNames()
          && ANYBODY.stream().noneMatch(pair -> pair.stream().allMatch(peers::hasAddress));
    } catch (IllegalArgumentException none) {
      return false;
    }
  }

  private static InetAddress address(String literal) {
    return AddressLiteral.of(literal).orElseThrow();
  }

  // ---- values of items

  private void items(
      Mapping parent, String name, String prefix, String expected, BiConsumer<Mapping, String> to) {
    Entry entry = parent.entries().get(name);
    if (entry == null) {
      return;
    }
    String path = prefix + name;
    if (!(entry.value() instanceof Sequence list)) {
      reader.problem(
          entry.value().origin(), path, "expected a list, found " + entry.value().kind());
      return;
    }
    if (list.items().isEmpty()) {
      reader.problem(list.origin(), path, "is empty; leave it out, or add entries");
    }
    for (int i = 0; i < list.items().size(); i++) {
      String at = path + "[" + i + "]";
      ConfigNode item = list.items().get(i);
      if (item instanceof Mapping mapping) {
        to.accept(mapping, at);
      } else {
        reader.problem(item.origin(), at, "expected " + expected + ", found " + item.kind());
      }
    }
  }

  private List<String> list(Mapping item, ConfigKey key, String at, boolean optional) {
    return reader.list(item, key, at + "." + key.lastName(), optional);
  }

  private Optional<String> text(Mapping item, ConfigKey key, String at, Pattern allowed) {
    Optional<String> text = required(item, key, at).map(value -> value.text().strip());
    if (text.isPresent() && !allowed.matcher(text.get()).matches()) {
      bad(item.entries().get(key.lastName()), key, at);
      return Optional.empty();
    }
    return text;
  }

  private Optional<Scalar> required(Mapping item, ConfigKey key, String at) {
    Entry entry = item.entries().get(key.lastName());
    if (entry == null) {
      reader.problem(
          item.origin(), at + "." + key.lastName(), "required; allowed: " + key.allowed().text());
      return Optional.empty();
    }
    if (entry.value() instanceof Scalar value && !value.text().isBlank()) {
      return Optional.of(value);
    }
    bad(entry, key, at);
    return Optional.empty();
  }

  private void bad(Entry entry, ConfigKey key, String at) {
    ConfigNode value = entry.value();
    reader.problem(
        value.origin(),
        at + "." + key.lastName(),
        (value instanceof Scalar scalar
                ? "\"" + scalar.text() + "\" is none"
                : "expected one value, found " + value.kind())
            + "; allowed: "
            + key.allowed().text());
  }
}
