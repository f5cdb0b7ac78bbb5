package io.rmigate.gateway.config;

import io.rmigate.gateway.callback.InnerPeers;
import io.rmigate.gateway.config.ConfigNode.Entry;
import io.rmigate.gateway.config.ConfigNode.Mapping;
import io.rmigate.gateway.config.ConfigNode.Scalar;
import io.rmigate.gateway.services.Pace;
import io.rmigate.gateway.services.PublishedObject;
import io.rmigate.gateway.services.ServiceSettings;
import io.rmigate.protocol.tunnel.RegistryName;
import io.rmigate.soap.json.JsonLimits;
import io.rmigate.soap.publish.PublishEntry;
import io.rmigate.soap.publish.PublishEntry.MethodNames;
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
import java.util.regex.Pattern;

/** Reads {@code publish} and {@code services}. One use, one thread. */
final class ServicesReader {
  private static final Pattern PATH =
      Pattern.compile("(?!.*\\.\\.)[A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)*");

  private static final Pattern RMI_URL = Pattern.compile("rmi://(.*)");

  private static final Pattern SIGNATURE =
      Pattern.compile(
          "\\p{javaJavaIdentifierStart}\\p{javaJavaIdentifierPart}*"
              + "\\((?:[\\p{javaJavaIdentifierPart}\\[\\]]+(?:,[\\p{javaJavaIdentifierPart}\\[\\]]+)*)?\\)");

  private static final Pattern OPERATION = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private final ConfigValues values;

  ServicesReader(ConfigValues values) {
    this.values = values;
  }

  // ---- publish

  List<PublishedObject> published() {
    List<PublishedObject> published = new ArrayList<>();
    Map<String, String> paths = new HashMap<>();
    values.items(
        values.root(),
        "",
        "publish",
        "path, object, interface, jars and principals",
        ConfigValues.EMPTY,
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

  /** Reports paths that overlap, because an address below them would be ambiguous. */
  private void mustNotOverlap(String path, String origin, String at, Map<String, String> paths) {
    for (String other : paths.keySet()) {
      if ((path + "/").startsWith(other + "/") || (other + "/").startsWith(path + "/")) {
        values.problem(
            origin,
            at + ".path",
            "\"%s\" overlaps the path of %s, \"%s\"; rename one of them"
                .formatted(path, paths.get(other), other));
        return;
      }
    }
    paths.put(path, at);
  }

  private Optional<PublishedObject> object(Mapping item, String at) {
    Optional<String> path = text(item, ConfigKey.PUBLISH_PATH, at, PATH);
    Optional<RegistryName> name = name(item, at);
    Optional<String> type = text(item, ConfigKey.PUBLISH_INTERFACE, at, ListItems.CLASS_NAME);
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
      return Optional.of(values.directory().resolve(value.get().text()).normalize());
    } catch (InvalidPathException e) {
      bad(item.entries().get(key.lastName()), key, at);
      return Optional.empty();
    }
  }

  private Map<String, List<String>> implementations(Mapping item, String at) {
    Map<String, List<String>> implementations = new HashMap<>();
    values.items(
        item,
        at + ".",
        "implementations",
        "of and classes",
        ConfigValues.EMPTY,
        (entry, place) -> {
          Optional<String> of =
              text(entry, ConfigKey.PUBLISH_IMPLEMENTATIONS_OF, place, ListItems.CLASS_NAME);
          List<String> classes =
              list(entry, ConfigKey.PUBLISH_IMPLEMENTATIONS_CLASSES, place, false);
          of.ifPresent(
              type -> {
                if (implementations.put(type, classes) != null) {
                  values.problem(entry.origin(), place + ".of", "another entry has " + type);
                }
              });
        });
    return implementations;
  }

  private Map<String, MethodNames> names(Mapping item, String at) {
    Map<String, MethodNames> names = new HashMap<>();
    Set<String> operations = new HashSet<>();
    values.items(
        item,
        at + ".",
        "names",
        "method, operation and parameters",
        ConfigValues.EMPTY,
        (entry, place) -> {
          Optional<String> method = text(entry, ConfigKey.PUBLISH_NAMES_METHOD, place, SIGNATURE);
          String operation =
              entry.entries().containsKey(ConfigKey.PUBLISH_NAMES_OPERATION.lastName())
                  ? text(entry, ConfigKey.PUBLISH_NAMES_OPERATION, place, OPERATION).orElse("")
                  : "";
          List<String> parameters = list(entry, ConfigKey.PUBLISH_NAMES_PARAMETERS, place, true);
          if (!operation.isEmpty() && !operations.add(operation)) {
            values.problem(
                entry.origin(), place + ".operation", "another entry has \"" + operation + "\"");
          }
          method.ifPresent(
              signature -> {
                if (names.put(signature, new MethodNames(operation, parameters)) != null) {
                  values.problem(
                      entry.origin(), place + ".method", "another entry has " + signature);
                }
              });
        });
    return names;
  }

  // ---- services

  ServiceSettings settings() {
    values.section("services");
    ConfigKey proxies = ConfigKey.SERVICES_TRUSTED_PROXIES;
    JsonLimits usual = JsonLimits.DEFAULT;
    ServiceSettings settings =
        new ServiceSettings(
            values.given(ConfigKey.SERVICES_URL).flatMap(this::url),
            InnerPeers.of(values.list(values.root(), proxies, proxies.path(), true)),
            new JsonLimits(
                values.size(ConfigKey.SERVICES_MAX_BODY),
                values.count(ConfigKey.SERVICES_MAX_DEPTH),
                values.count(ConfigKey.SERVICES_MAX_TOKENS),
                values.count(ConfigKey.SERVICES_MAX_TEXT),
                usual.resultDepth(),
                usual.heldBytes()),
            values.size(ConfigKey.SERVICES_MAX_BODIES),
            new Pace(
                values.duration(ConfigKey.SERVICES_PATIENCE),
                values.size(ConfigKey.SERVICES_MIN_RATE)),
            new ServiceSettings.Calls(
                values.duration(ConfigKey.SERVICES_CALL_TIMEOUT),
                values.count(ConfigKey.SERVICES_MAX_CALLS_PER_PRINCIPAL),
                values.count(ConfigKey.SERVICES_MAX_CALLS)),
            new ServiceSettings.Handles(
                values.duration(ConfigKey.SERVICES_HANDLE_LIFETIME),
                values.count(ConfigKey.SERVICES_MAX_HANDLES_PER_PRINCIPAL),
                values.count(ConfigKey.SERVICES_MAX_HANDLES)));
    if (settings.bodiesBytes() < settings.limits().bodyBytes()) {
      values.problem(
          values.scalar(ConfigKey.SERVICES_MAX_BODIES).origin(),
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
    values.notAllowed(ConfigKey.SERVICES_URL, value, "is not valid");
    return Optional.empty();
  }

  // ---- values of items

  private List<String> list(Mapping item, ConfigKey key, String at, boolean optional) {
    return values.list(item, key, at + "." + key.lastName(), optional);
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
      values.problem(
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
    values.problem(
        value.origin(),
        at + "." + key.lastName(),
        (value instanceof Scalar scalar
                ? "\"" + scalar.text() + "\" is not valid"
                : "expected one value, found " + value.kind())
            + "; allowed: "
            + key.allowed().text());
  }
}
