package io.rmigate.gateway.config;

import io.rmigate.gateway.config.ConfigNode.Entry;
import io.rmigate.gateway.config.ConfigNode.Mapping;
import io.rmigate.gateway.config.ConfigNode.Nothing;
import io.rmigate.gateway.config.ConfigNode.Scalar;
import io.rmigate.gateway.config.ConfigNode.Sequence;
import io.rmigate.gateway.config.GatewayConfig.Listen;
import io.rmigate.gateway.problem.ConfigProblem;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The values in a tree of {@link ConfigNode}s. Every problem is collected and a stand-in value
 * answered, so that one reading shows them all. One use, one thread.
 */
final class ConfigValues {
  private static final Logger log = LoggerFactory.getLogger(ConfigValues.class);

  /** Why most lists must not be empty. */
  static final String EMPTY = "is empty; leave it out, or add entries";

  /** A name or an address. */
  static final Pattern HOST = Pattern.compile("[0-9A-Fa-f:.]+|[\\p{Alnum}._-]+");

  private static final Pattern HOST_PORT =
      Pattern.compile("(?:\\[([0-9A-Fa-f:.%a-z]+)\\]|([A-Za-z0-9._-]+)):(\\d{1,5})");

  private final Mapping root;
  private final Path directory;
  private final List<ConfigProblem> problems;
  private final boolean checking;

  /**
   * Reads nothing yet.
   *
   * @param directory that relative paths begin at
   * @param problems to be added to
   * @param checking whether nothing is to be started with it
   */
  ConfigValues(Mapping root, Path directory, List<ConfigProblem> problems, boolean checking) {
    this.checking = checking;
    this.root = root;
    this.directory = directory;
    this.problems = problems;
  }

  Mapping root() {
    return root;
  }

  /** Where relative paths begin. */
  Path directory() {
    return directory;
  }

  /** The section at {@code path}, if it is there; a value in its place is reported. */
  Optional<Entry> section(String path) {
    Optional<Entry> entry = entry(root, path);
    if (entry.isPresent()
        && !(entry.get().value() instanceof Mapping)
        && !(entry.get().value() instanceof Nothing)) {
      ConfigNode value = entry.get().value();
      problem(value.origin(), path, "expected keys with values, found " + value.kind());
    }
    return entry;
  }

  private static Optional<Entry> entry(Mapping root, String path) {
    String[] parts = path.split("\\.", -1);
    Mapping at = root;
    for (int i = 0; i < parts.length - 1; i++) {
      Entry entry = at.entries().get(parts[i]);
      if (entry == null || !(entry.value() instanceof Mapping below)) {
        return Optional.empty();
      }
      at = below;
    }
    return Optional.ofNullable(at.entries().get(parts[parts.length - 1]));
  }

  boolean isGiven(ConfigKey key) {
    return entry(root, key.path()).isPresent();
  }

  /** The value as text; where none is given or it is not a single value, the default. */
  Scalar scalar(ConfigKey key) {
    return given(key).orElseGet(() -> new Scalar("default", key.defaultText()));
  }

  Optional<Scalar> given(ConfigKey key) {
    Optional<Entry> entry = entry(root, key.path());
    if (entry.isEmpty()) {
      return Optional.empty();
    }
    ConfigNode value = entry.get().value();
    if (value instanceof Scalar scalar && !scalar.text().isBlank()) {
      return Optional.of(new Scalar(scalar.origin(), scalar.text().strip()));
    }
    problem(
        value.origin(),
        key.path(),
        value instanceof Scalar || value instanceof Nothing
            ? "has no value; allowed: " + key.allowed().text()
            : "expected one value, found " + value.kind() + "; allowed: " + key.allowed().text());
    return Optional.empty();
  }

  Optional<Scalar> required(ConfigKey key, String sectionOrigin) {
    if (!isGiven(key)) {
      problem(sectionOrigin, key.path(), "required; allowed: " + key.allowed().text());
      return Optional.empty();
    }
    return given(key);
  }

  String text(ConfigKey key) {
    return scalar(key).text();
  }

  boolean flag(ConfigKey key) {
    Scalar value = scalar(key);
    if (!value.text().equals("true") && !value.text().equals("false")) {
      notAllowed(key, value, "is not a valid value");
    }
    return value.text().equals("true");
  }

  String choice(ConfigKey key) {
    Scalar value = scalar(key);
    if (key.allowed().names().contains(value.text())) {
      return value.text();
    }
    notAllowed(key, value, "is not a valid value");
    return key.defaultText();
  }

  Duration duration(ConfigKey key) {
    Scalar value = scalar(key);
    Optional<Duration> duration = Units.duration(value.text());
    if (duration.isEmpty()) {
      notAllowed(key, value, "is not a duration");
      return Units.duration(key.defaultText()).orElseThrow();
    }
    inRange(key, value, duration.get().toMillis());
    return duration.get();
  }

  int size(ConfigKey key) {
    Scalar value = scalar(key);
    OptionalLong bytes = Units.bytes(value.text());
    if (bytes.isEmpty()) {
      notAllowed(key, value, "is not a size");
      return 0;
    }
    return inRange(key, value, bytes.getAsLong()) ? (int) bytes.getAsLong() : 0;
  }

  int count(ConfigKey key) {
    Scalar value = scalar(key);
    if (!value.text().matches("\\d{1,9}")) {
      notAllowed(key, value, "is not a number");
      return 0;
    }
    int count = Integer.parseInt(value.text());
    inRange(key, value, count);
    return count;
  }

  private boolean inRange(ConfigKey key, Scalar value, long amount) {
    Allowed allowed = key.allowed();
    if (amount < allowed.min() || amount > allowed.max()) {
      notAllowed(key, value, amount < allowed.min() ? "is too small" : "is too large");
      return false;
    }
    return true;
  }

  Optional<Path> requiredFile(ConfigKey key, String sectionOrigin) {
    return required(key, sectionOrigin).flatMap(value -> readable(key, value));
  }

  Optional<Path> file(ConfigKey key) {
    return given(key).flatMap(value -> readable(key, value));
  }

  /** Whether there is anything or not. */
  Optional<Path> path(ConfigKey key, Scalar value) {
    try {
      return Optional.of(directory.resolve(value.text()).normalize());
    } catch (InvalidPathException e) {
      notAllowed(key, value, "is not a file name");
      return Optional.empty();
    }
  }

  Optional<Path> readable(ConfigKey key, Scalar value) {
    return path(key, value).filter(file -> isReadable(file, key, value));
  }

  private boolean isReadable(Path file, ConfigKey key, Scalar value) {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      problem(
          value.origin(),
          key.path(),
          (Files.exists(file) ? "cannot read " : "no such file: ") + file);
      return false;
    }
    return true;
  }

  /**
   * A list of words or patterns under the last name of {@code key} in {@code mapping} (or at its
   * full path in the root). An empty one is refused where it is given: it would silently permit
   * nothing.
   */
  List<String> list(Mapping mapping, ConfigKey key, String path, boolean optional) {
    Optional<Entry> entry = entry(mapping, path.equals(key.path()) ? path : key.lastName());
    if (entry.isEmpty()) {
      if (!optional && key.defaultText().isEmpty()) {
        problem(mapping.origin(), path, "required; allowed: " + key.allowed().text());
      }
      return key.defaultText().isEmpty() ? List.of() : List.of(key.defaultText().split(", ", -1));
    }
    ConfigNode value = entry.get().value();
    List<Scalar> items = new ArrayList<>();
    if (value instanceof Sequence sequence) {
      for (int i = 0; i < sequence.items().size(); i++) {
        ConfigNode item = sequence.items().get(i);
        if (item instanceof Scalar scalar && !scalar.text().isBlank()) {
          items.add(new Scalar(scalar.origin(), scalar.text().strip()));
        } else {
          problem(item.origin(), path + "[" + i + "]", "expected one value, found " + item.kind());
        }
      }
      if (sequence.items().isEmpty() && key.allowed().shape() != Allowed.Shape.WORDS_OR_NONE) {
        problem(value.origin(), path, "is empty; allowed: " + key.allowed().text());
      }
    } else if (value instanceof Scalar scalar && scalar.origin().startsWith("environment")) {
      for (String item : scalar.text().split(",", -1)) {
        items.add(new Scalar(scalar.origin(), item.strip()));
      }
    } else {
      problem(
          value.origin(),
          path,
          "expected a list, found " + value.kind() + "; allowed: " + key.allowed().text());
    }
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      Scalar item = items.get(i);
      Optional<String> fault = ListItems.fault(key.allowed(), item.text());
      if (fault.isPresent()) {
        problem(item.origin(), path + "[" + i + "]", fault.get());
      } else {
        texts.add(item.text());
      }
    }
    return texts;
  }

  /** A choice in an item of a list; the default where it is left out or is none. */
  String choice(Mapping item, ConfigKey key, String path) {
    Optional<Entry> entry = entry(item, key.lastName());
    if (entry.isEmpty()) {
      return key.defaultText();
    }
    ConfigNode value = entry.get().value();
    if (value instanceof Scalar scalar && key.allowed().names().contains(scalar.text().strip())) {
      return scalar.text().strip();
    }
    problem(
        value.origin(),
        path + "." + key.lastName(),
        (value instanceof Scalar scalar
                ? "\"" + scalar.text() + "\" is not a valid value"
                : "expected one value, found " + value.kind())
            + "; allowed: "
            + key.allowed().text());
    return key.defaultText();
  }

  /**
   * The entries of a list at {@code path} of {@code parent}, each given to {@code to} with the path
   * by which people find it. What is no such list is reported, and so is what is no such entry.
   *
   * @param at the path of {@code parent}, with a dot behind it; empty for the root
   * @param expected what an entry consists of
   * @param whenEmpty why an empty list will not do; empty where it will
   */
  void items(
      Mapping parent,
      String at,
      String path,
      String expected,
      String whenEmpty,
      BiConsumer<Mapping, String> to) {
    Optional<Entry> entry = entry(parent, path);
    if (entry.isEmpty()) {
      return;
    }
    String shown = at + path;
    ConfigNode value = entry.get().value();
    if (!(value instanceof Sequence list)) {
      problem(value.origin(), shown, "expected a list, found " + value.kind());
      return;
    }
    if (list.items().isEmpty() && !whenEmpty.isEmpty()) {
      problem(list.origin(), shown, whenEmpty);
    }
    for (int i = 0; i < list.items().size(); i++) {
      ConfigNode item = list.items().get(i);
      String place = shown + "[" + i + "]";
      if (item instanceof Mapping mapping) {
        to.accept(mapping, place);
      } else {
        problem(item.origin(), place, "expected " + expected + ", found " + item.kind());
      }
    }
  }

  Listen listen(ConfigKey key, Scalar value) {
    Matcher matcher = HOST_PORT.matcher(value.text());
    if (matcher.matches() && Integer.parseInt(matcher.group(3)) <= 65535) {
      String host = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
      return new Listen(host, Integer.parseInt(matcher.group(3)));
    }
    notAllowed(key, value, "is not a listening address");
    return new Listen("127.0.0.1", 0);
  }

  void notAllowed(ConfigKey key, Scalar value, String what) {
    problem(
        value.origin(),
        key.path(),
        "\"" + value.text() + "\" " + what + "; allowed: " + key.allowed().text());
  }

  /**
   * Something that is wrong here and now, and may be right on another machine, or later: an error
   * where the configuration is only checked, else a warning.
   */
  void doubt(String origin, String path, String message) {
    if (checking) {
      problem(origin, path, message);
    } else {
      log.warn("{}", new ConfigProblem(origin, path, message));
    }
  }

  void problem(String origin, String path, String message) {
    problems.add(new ConfigProblem(origin, path, message));
  }
}
