package io.rmigate.gateway.policy;

import io.rmigate.gateway.policy.LearnedNotes.Note;
import io.rmigate.gateway.policy.type.JavaNames;
import io.rmigate.gateway.policy.type.RemoteMethod;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An entry of {@code targets} for one principal at one target: what the notes ask for there, and
 * nothing else. What cannot be written as it is becomes no line, and is told to somebody. Not
 * thread-safe.
 */
final class LearnedEntry {
  private static final String LIST = "list";

  private static final String NOTHING_ALLOWS_IT = "nothing in the configuration allows it";

  private final String principal;
  private final String target;
  private final InterfaceJars jars;

  private final Set<String> registry = new TreeSet<>();
  private final Set<String> names = new TreeSet<>();
  private final Set<String> classes = new TreeSet<>();
  private final Set<String> opaque = new TreeSet<>();
  private final Set<String> references = new TreeSet<>();
  private final Set<Long> methods = new HashSet<>();
  private final Set<String> grants = new TreeSet<>();
  private JmxAccess jmx = JmxAccess.NONE;
  private boolean newPorts;
  private boolean anyObjects;
  private boolean longCalls;
  private boolean stream;
  private int keyLimit;

  /** What cannot be written, and why. */
  private final Map<String, String> others = new LinkedHashMap<>();

  /**
   * @param target as configurations have it
   * @param jars of the interfaces that are there when the entry is to hold
   */
  LearnedEntry(String principal, String target, InterfaceJars jars) {
    this.principal = principal;
    this.target = target;
    this.jars = jars;
  }

  /** One more is needed. */
  void add(Note note) {
    String subject = note.subject();
    String remedy = note.remedy();
    switch (note.rule()) {
      case OPERATION -> registry.add(subject);
      case NAME -> {
        if (subject.contains("*")) {
          other(note, "as a line it would stand for other names, too");
        } else if (remedy.isEmpty() || !Quoted.isText(subject)) {
          other(note, "the name is too long, or has characters that are not seen");
        } else {
          names.add(subject);
        }
      }
      case CLASS -> {
        if (!jars.mentions(subject)) {
          addName(note, classes);
        }
      }
      case SHAPE -> {
        // A class that is not as its jar says needs more than the jar.
        if (!jars.explains(subject) || remedy.startsWith("opaque")) {
          addName(note, opaque);
        }
      }
      case UNREADABLE -> addUnreadable(note);
      case REFERENCE -> {
        Optional<String> endpoint = LearnedRules.endpoint(subject);
        if (endpoint.isPresent()) {
          references.add(endpoint.get());
        } else if (!subject.equals(Needs.CALLBACKS) && !subject.startsWith(Needs.PORT)) {
          other(note, "that is no host with a port");
        }
      }
      case METHOD -> addMethod(note);
      case OBJECT -> anyObjects = true;
      case STREAM -> {
        if (KeyLimit.isRemedy(remedy)) {
          keyLimit = Math.max(keyLimit, KeyLimit.of(remedy));
        } else {
          other(note, NOTHING_ALLOWS_IT);
        }
      }
      case TARGET -> newPorts |= isNewPort(note); // else it is the entry itself
    }
  }

  private boolean isNewPort(Note note) {
    return note.remedy().equals(Needs.NEW_PORTS)
        && LearnedRules.endpoint(note.subject()).filter(target::equalsIgnoreCase).isPresent();
  }

  /** Those that can be said, or the others: where no name is said all are meant. */
  private Set<String> operations(boolean said) {
    return registry.stream()
        .filter(operation -> said == (operation.equals(LIST) || !names.isEmpty()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private void other(Note note, String why) {
    others.put(note.rule() + " " + note.subject(), why);
  }

  private void addName(Note note, Set<String> to) {
    if (JavaNames.isOfClass(note.subject())) {
      to.add(note.subject());
    } else {
      other(note, "that is no name of a class");
    }
  }

  private void addUnreadable(Note note) {
    if (note.remedy().equals(CallRules.LONG_CALLS)) {
      longCalls = true;
    } else if (note.remedy().equals(CallRules.STREAM)) {
      stream = true;
    } else if (note.remedy().startsWith("opaque")) {
      addName(note, opaque);
    } else if (note.remedy().startsWith(Objection.ITS_JAR_OR)) {
      if (!jars.endsUnframed(note.subject())) {
        addName(note, opaque);
      }
    } else {
      other(note, NOTHING_ALLOWS_IT);
    }
  }

  private void addMethod(Note note) {
    Optional<JmxGrant> grant =
        Stream.of(JmxGrant.values()).filter(g -> g.remedy().equals(note.remedy())).findFirst();
    Optional<Long> hash = MethodRules.hash(note.subject());
    if (grant.isPresent()) {
      jmx = JmxAccess.FULL;
      grants.add(grant.get().word());
      return;
    }
    for (JmxAccess access : JmxAccess.values()) {
      if (note.remedy().equals(access.line()) && access.compareTo(jmx) > 0) {
        jmx = access;
      }
    }
    if (hash.isPresent()) {
      methods.add(hash.get());
    } else {
      other(note, "no interface can name it: its stub is of before JDK 1.2, or made by hand");
    }
  }

  /** What became no line, and why; complete when all notes have been added. */
  Map<String, String> others() {
    Map<String, String> all = new LinkedHashMap<>(others);
    operations(false)
        .forEach(
            operation ->
                all.put(
                    Objection.Rule.OPERATION + " " + operation,
                    "no name that it was done with is a line, and without names all would be"
                        + " permitted"));
    if (!jars.isEmpty()) {
      methods.stream()
          .filter(hash -> jars.allMethods().named(hash).isEmpty())
          .forEach(
              hash ->
                  all.put(
                      Objection.Rule.METHOD + " " + MethodRules.number(hash),
                      "no interface in the jars has it: put the jar with its interface into"
                          + " classes.interfaces"));
    }
    return all;
  }

  /** As an item of the list. */
  String yaml() {
    StringBuilder yaml = new StringBuilder();
    yaml.append("  - principals: [%s]%n".formatted(Quoted.of(principal)));
    yaml.append("    allow: [%s]%n".formatted(Quoted.of(target)));
    yaml.append("    registry: [%s]%n".formatted(String.join(", ", operations(true))));
    list(yaml, "names", names);
    if (registry.contains(LIST) && !names.isEmpty()) {
      yaml.append("    list-all: true%n".formatted());
    }
    if (newPorts) {
      yaml.append("    %s%n".formatted(Needs.NEW_PORTS));
    }
    list(yaml, "methods", methodNames());
    if (jmx.isSpoken()) {
      yaml.append("    %s%n".formatted(jmx.line()));
      classes.removeIf(JmxProfile::allows);
    }
    if (!grants.isEmpty()) {
      yaml.append("    jmx-grants: [%s]%n".formatted(String.join(", ", grants)));
    }
    list(yaml, "classes", classes);
    if (!opaque.stream().allMatch(jars::explains)) {
      yaml.append("    # Better: their jars in a directory named by classes.interfaces.\n");
    }
    listOpaque(yaml);
    list(yaml, "references", references);
    if (anyObjects) {
      yaml.append(
          "    %s # objects were called that no server had given this way%n"
              .formatted(CallRules.ANY_OBJECTS));
    }
    if (longCalls) {
      yaml.append("    %s%n".formatted(CallRules.LONG_CALLS));
    }
    if (stream) {
      yaml.append("    %s%n".formatted(CallRules.STREAM));
    }
    if (keyLimit > 0) {
      yaml.append("    %s%n".formatted(KeyLimit.line(keyLimit)));
    }
    return yaml.toString();
  }

  private void listOpaque(StringBuilder yaml) {
    if (opaque.isEmpty()) {
      return;
    }
    yaml.append("    # A call that carries one goes alone on a connection: out of order, and to\n");
    yaml.append("    # another thread of the server.\n");
    yaml.append("    opaque:\n");
    for (String name : opaque) {
      String why =
          jars.explains(name)
              ? " # its jar is there, but not enough: docs/explanation/classes.md"
              : "";
      yaml.append("      - %s%s%n".formatted(Quoted.of(name), why));
    }
  }

  private static void list(StringBuilder yaml, String key, Collection<String> items) {
    if (!items.isEmpty()) {
      yaml.append("    %s:%n".formatted(key));
      items.forEach(item -> yaml.append("      - %s%n".formatted(Quoted.of(item))));
    }
  }

  /**
   * What may be called; without jars nobody can say so. A list must not be empty, which would be
   * everything: who has called nothing is denied each interface.
   */
  private Set<String> methodNames() {
    Set<String> lines = new TreeSet<>();
    if (jars.isEmpty()) {
      return lines;
    }
    Set<String> certain = new HashSet<>();
    for (long hash : methods) {
      List<RemoteMethod> candidates = jars.allMethods().named(hash);
      if (candidates.size() == 1) {
        certain.add(candidates.get(0).type());
      }
    }
    for (long hash : methods) {
      jars.allMethods().named(hash).stream()
          .min(
              Comparator.<RemoteMethod, Boolean>comparing(m -> !certain.contains(m.type()))
                  .thenComparing(RemoteMethod::toString))
          .ifPresent(method -> lines.add(method.toString()));
    }
    if (lines.isEmpty()) {
      jars.remoteMethods().forEach(method -> lines.add("!" + method.type() + ".*"));
    }
    return lines;
  }
}
