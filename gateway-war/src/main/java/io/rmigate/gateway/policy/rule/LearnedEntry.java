package io.rmigate.gateway.policy.rule;

import io.rmigate.gateway.policy.remote.InterfaceJars;
import io.rmigate.gateway.policy.rule.LearnedNotes.Note;
import io.rmigate.gateway.policy.type.JavaNames;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * An entry of {@code targets} for one principal at one target: it permits what was noted there, and
 * nothing else. A note that cannot be written exactly becomes a gap instead of a line. Not
 * thread-safe.
 */
final class LearnedEntry {
  static final String NOTHING_ALLOWS_IT = "nothing in the configuration allows it";

  private static final String LIST = "list";

  private final String principal;
  private final String target;
  private final InterfaceJars jars;

  /** Operations of registries. */
  private final Set<String> registry = new TreeSet<>();

  /** In the order in which they stand there. */
  private final Map<RuleType, LearnedLines> lines = new LinkedHashMap<>();

  /** Notes that cannot become a line, with the reasons. */
  private final Map<String, String> gaps = new LinkedHashMap<>();

  private boolean named;
  private boolean jmx;

  /**
   * @param target as configurations have it
   * @param jars of the interfaces that are there when the entry is to hold
   */
  LearnedEntry(String principal, String target, InterfaceJars jars) {
    this.principal = principal;
    this.target = target;
    this.jars = jars;
    RuleTypes.OF_ENTRIES.forEach(type -> lines.put(type, type.lines(this)));
  }

  /** The target, as configurations have it. */
  String target() {
    return target;
  }

  InterfaceJars jars() {
    return jars;
  }

  /** Adds a note of a missing rule. */
  void add(Note note) {
    if (note.rule() == Objection.Rule.OPERATION) {
      registry.add(note.subject());
    } else if (RuleTypes.of(note).isPresent()) {
      lines.getOrDefault(RuleTypes.of(note).get(), LearnedLines.NONE).add(note);
    } else if (note.rule() != Objection.Rule.TARGET) { // which is the entry itself
      addGap(note, NOTHING_ALLOWS_IT);
    }
  }

  /** Records a note that becomes no line, with the reason. */
  void addGap(Note note, String why) {
    gaps.put(note.rule() + " " + note.subject(), why);
  }

  /** Adds the class that was noted, if that can be one. */
  void addClass(Note note, Set<String> to) {
    if (JavaNames.isOfClass(note.subject())) {
      to.add(note.subject());
    } else {
      addGap(note, "that is no name of a class");
    }
  }

  /** A line has a name in a registry. */
  void onName() {
    named = true;
  }

  /** A line permits JMX. */
  void onJmx() {
    jmx = true;
  }

  /** Whether a line permits JMX. */
  boolean speaksJmx() {
    return jmx;
  }

  /** Whether a registry was asked for a list. */
  boolean hasListed() {
    return registry.contains(LIST);
  }

  /** The operations that can be permitted, or the others: without names all names are permitted. */
  private Set<String> operations(boolean said) {
    return registry.stream()
        .filter(operation -> said == (operation.equals(LIST) || named))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Notes that became no line, with the reasons; complete when all notes have been added. */
  Map<String, String> others() {
    Map<String, String> all = new LinkedHashMap<>(gaps);
    operations(false)
        .forEach(
            operation ->
                all.put(
                    Objection.Rule.OPERATION + " " + operation,
                    "no name that it was done with is a line, and without names all would be"
                        + " permitted"));
    lines.values().forEach(its -> its.putGaps(all));
    return all;
  }

  /** The entry as an item of the list in YAML. */
  String yaml() {
    StringBuilder yaml = new StringBuilder();
    yaml.append("  - principals: [%s]%n".formatted(YamlText.of(principal)));
    yaml.append("    allow: [%s]%n".formatted(YamlText.of(target)));
    yaml.append("    registry: [%s]%n".formatted(String.join(", ", operations(true))));
    lines.values().forEach(its -> its.write(yaml));
    return yaml.toString();
  }

  /** Appends a list, unless it is empty. */
  static void list(StringBuilder yaml, String key, Collection<String> items) {
    if (!items.isEmpty()) {
      yaml.append("    %s:%n".formatted(key));
      items.forEach(item -> yaml.append("      - %s%n".formatted(YamlText.of(item))));
    }
  }
}
