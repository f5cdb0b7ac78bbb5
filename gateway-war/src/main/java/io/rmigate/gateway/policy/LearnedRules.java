package io.rmigate.gateway.policy;

import io.rmigate.gateway.policy.LearnedNotes.Note;
import io.rmigate.protocol.LogText;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rules that {@link LearnedNotes} ask for, as lines of {@code rmigate.yaml}: exact names, never
 * patterns. Clients have written the names: what is none becomes a comment.
 */
public final class LearnedRules {
  private static final Pattern CLASS_NAME =
      Pattern.compile("[\\p{Alpha}_$][\\w$]*(?:\\.[\\p{Alpha}_$][\\w$]*)*");

  private static final Pattern ENDPOINT = Pattern.compile("[\\p{Alnum}._:\\-]+:\\d{1,5}");

  /** Remedies that are lines of the section. */
  private static final Set<String> SETTINGS = Set.of(CallRules.CODEBASES, CallRules.LONG_CALLS);

  /** Remedies that are lines of an entry of {@code targets}. */
  private static final Set<String> OF_ENTRIES =
      Stream.concat(Stream.of(MethodRules.JMX), Stream.of(JmxGrant.values()).map(JmxGrant::remedy))
          .collect(Collectors.toUnmodifiableSet());

  private LearnedRules() {}

  /** Whether a reference's subject is a host that can be written, with a port. */
  static boolean isEndpoint(String subject) {
    return ENDPOINT.matcher(subject).matches();
  }

  /** The section to paste, with who needs each line. */
  public static String yaml(List<Note> notes) {
    Map<String, Set<String>> allow = new TreeMap<>();
    Map<String, Set<String>> opaque = new TreeMap<>();
    Map<String, Set<String>> entries = new TreeMap<>();
    Map<String, Set<String>> others = new TreeMap<>();
    Map<String, Set<String>> settings = new TreeMap<>();
    for (Note note : notes) {
      String who = note.principal() + " at " + note.target();
      if (SETTINGS.contains(note.remedy())) {
        settings.computeIfAbsent(note.remedy(), line -> new TreeSet<>()).add(who);
        continue;
      }
      if (OF_ENTRIES.contains(note.remedy())) {
        entries.computeIfAbsent(note.remedy(), line -> new TreeSet<>()).add(who);
        continue;
      }
      Map<String, Set<String>> section =
          switch (note.rule()) {
            case CLASS -> allow;
            case SHAPE -> opaque;
            case UNREADABLE -> note.remedy().startsWith("opaque") ? opaque : others;
            case REFERENCE -> entries;
            default -> others;
          };
      Pattern form = section == entries ? ENDPOINT : CLASS_NAME;
      if (!form.matcher(note.subject()).matches()) {
        section = others;
      }
      String line = line(note, section == entries, section == others);
      section.computeIfAbsent(line, name -> new TreeSet<>()).add(who);
    }
    StringBuilder yaml = new StringBuilder("classes:\n  mode: enforce\n");
    settings.forEach((line, who) -> yaml.append("  %s # %s%n".formatted(line, text(who))));
    list(yaml, "  allow:\n", allow);
    if (!opaque.isEmpty()) {
      yaml.append("  # Better: their jars in a directory named by interfaces.\n");
    }
    list(yaml, "  opaque:\n", opaque);
    if (!entries.isEmpty()) {
      yaml.append("# In the targets entries of those who need them:\n");
      entries.forEach((line, who) -> yaml.append("#   %s # %s%n".formatted(line, text(who))));
    }
    others.forEach(
        (what, who) ->
            yaml.append(
                "# Not allowed by a line: %s # %s%n".formatted(text(Set.of(what)), text(who))));
    return yaml.toString();
  }

  private static String line(Note note, boolean ofEntry, boolean other) {
    if (ofEntry) {
      return "references: ['" + note.subject() + "']";
    }
    return other ? note.rule() + " " + note.subject() : note.subject();
  }

  private static void list(StringBuilder yaml, String heading, Map<String, Set<String>> names) {
    if (!names.isEmpty()) {
      yaml.append(heading);
      names.forEach((name, who) -> yaml.append("    - '%s' # %s%n".formatted(name, text(who))));
    }
  }

  /** What clients have named, in a comment. */
  private static String text(Set<String> who) {
    return LogText.of(String.join(", ", who));
  }
}
