package io.rmigate.gateway.policy;

import io.rmigate.gateway.policy.LearnedNotes.Note;
import io.rmigate.gateway.policy.Objection.Rule;
import io.rmigate.protocol.DestinationPatterns;
import io.rmigate.protocol.LogText;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The rules that {@link LearnedNotes} ask for, as the sections {@code classes} and {@code targets}
 * of {@code rmigate.yaml}: an entry for each principal at each target, with exact names, never
 * patterns. Clients have written the names: what is none becomes a comment.
 *
 * <p>What was sent to an endpoint that a registry has named is under the entry for that registry,
 * as it is when rules are enforced: such endpoints change with each start of a server. What was
 * sent to objects of a principal's own, or by them, is under the entries for the targets that were
 * given one.
 */
final class LearnedRules {
  private static final Pattern ENDPOINT = Pattern.compile("([\\p{Alnum}._:\\-]+):(\\d{1,5})");

  /** Stands for everybody, should somebody be called so. */
  private static final String ANYONE = "*";

  private final ClassSettings settings;
  private final InterfaceJars jars;

  /** What no line allows, and who has sent it. */
  private final Map<String, Set<String>> others = new TreeMap<>();

  private LearnedRules(ClassSettings settings, InterfaceJars jars) {
    this.settings = settings;
    this.jars = jars;
  }

  /** Whether notes leave out what jars allowed then, and there are none now. */
  static boolean lacksJars(Collection<Note> notes, InterfaceJars jars) {
    return jars.isEmpty() && notes.stream().anyMatch(MethodRules::isOfJar);
  }

  /** Whether a reference's subject is a host that can be written, with a port. */
  static boolean isEndpoint(String subject) {
    return endpoint(subject).isPresent();
  }

  /** As lists of targets have it; empty when it cannot be written. */
  static Optional<String> endpoint(String subject) {
    Matcher parts = ENDPOINT.matcher(subject);
    if (!parts.matches()) {
      return Optional.empty();
    }
    int port = Integer.parseInt(parts.group(2));
    boolean exists = port >= 1 && port <= 65535;
    String host = parts.group(1);
    String written = (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    return exists && isPattern(written) ? Optional.of(written) : Optional.empty();
  }

  private static boolean isPattern(String target) {
    try {
      DestinationPatterns.of(List.of(target));
      return true;
    } catch (IllegalArgumentException none) {
      return false;
    }
  }

  /**
   * The sections to paste.
   *
   * @param settings of which the other lines stay
   */
  static String yaml(List<Note> notes, ClassSettings settings, InterfaceJars jars) {
    return new LearnedRules(settings, jars).yaml(notes);
  }

  private String yaml(List<Note> notes) {
    Map<String, List<Note>> byPrincipal =
        notes.stream()
            .filter(note -> !isForAll(note))
            .collect(Collectors.groupingBy(Note::principal, TreeMap::new, Collectors.toList()));
    StringBuilder entries = new StringBuilder();
    byPrincipal.forEach((principal, its) -> entries.append(entries(principal, its)));
    StringBuilder yaml = new StringBuilder(classes(notes));
    if (lacksJars(notes, jars)) {
      yaml.append(
          "# Incomplete: they were noted with jars of interfaces, of whose classes there are no"
              + " notes: name them by classes.interfaces, or --interfaces DIR.\n");
    }
    if (notes.size() >= LearnedNotes.MAX_NOTES) {
      yaml.append("# Incomplete: there were as many notes as are kept.\n");
    }
    byPrincipal.forEach(
        (principal, its) -> {
          if (its.size() >= LearnedNotes.MAX_NOTES_OF_ONE) {
            yaml.append(
                "# Incomplete: as many notes as are kept of one: %s%n"
                    .formatted(text(Set.of(principal))));
          }
        });
    if (entries.length() > 0) {
      yaml.append("targets: # in place of the entries that were learning\n").append(entries);
    }
    others.forEach(
        (what, who) ->
            yaml.append(
                "# Not allowed by a line: %s # %s%n".formatted(text(Set.of(what)), text(who))));
    return yaml.toString();
  }

  private String classes(List<Note> notes) {
    StringBuilder yaml = new StringBuilder("classes:\n  mode: enforce\n");
    settings
        .interfaces()
        .map(Path::toString)
        .ifPresent(jars -> yaml.append("  interfaces: %s%n".formatted(Quoted.of(jars))));
    codebases(notes, yaml);
    depth(notes, yaml);
    if (settings.callLimit() != ClassSettings.CALL_LIMIT) {
      yaml.append("  call-limit: %dB%n".formatted(settings.callLimit()));
    }
    if (settings.keyLimit() != ClassSettings.KEY_LIMIT) {
      yaml.append("  %s%n".formatted(KeyLimit.line(settings.keyLimit())));
    }
    list(yaml, "  allow:\n", settings.allow().stream().map(ClassPattern::toString).toList());
    list(yaml, "  opaque:\n", settings.opaque());
    return yaml.toString();
  }

  /** Whether a key of {@code classes} allows it, and none of an entry. */
  private static boolean isForAll(Note note) {
    return Codebases.isRemedy(note.remedy()) || DepthLimit.isRemedy(note.remedy());
  }

  /** The strictest that lets pass what was noted, and is no stricter than what is set. */
  private void codebases(List<Note> notes, StringBuilder yaml) {
    Codebases enough = settings.codebases();
    Set<String> who = new TreeSet<>();
    for (Codebases laxer : List.of(Codebases.DROP, Codebases.KEEP)) {
      for (Note note : notes) {
        if (note.remedy().equals(laxer.line()) && !settings.codebases().allow(note.remedy())) {
          enough = laxer;
          who.add(note.principal() + " at " + note.target());
        }
      }
    }
    if (enough != Codebases.DROP || !who.isEmpty()) {
      String why = who.isEmpty() ? "" : " # " + text(who);
      yaml.append("  %s%s%n".formatted(enough.line(), why));
    }
  }

  private void depth(List<Note> notes, StringBuilder yaml) {
    int depth = settings.maxDepth();
    Set<String> deepest = new TreeSet<>();
    for (Note note : notes) {
      if (DepthLimit.isRemedy(note.remedy()) && DepthLimit.of(note.remedy()) >= depth) {
        if (DepthLimit.of(note.remedy()) > depth) {
          deepest.clear();
        }
        depth = DepthLimit.of(note.remedy());
        deepest.add(note.principal() + " at " + note.target());
      }
    }
    if (depth != ClassSettings.MAX_DEPTH) {
      String who = deepest.isEmpty() ? "" : " # " + text(deepest);
      yaml.append("  %s%s%n".formatted(DepthLimit.line(depth), who));
    }
  }

  private static void list(StringBuilder yaml, String heading, List<String> names) {
    if (!names.isEmpty()) {
      yaml.append(heading);
      names.forEach(name -> yaml.append("    - %s%n".formatted(Quoted.of(name))));
    }
  }

  private String entries(String principal, List<Note> notes) {
    Map<String, List<Note>> byTarget =
        notes.stream()
            .collect(
                Collectors.groupingBy(
                    note -> lower(note.target()), TreeMap::new, Collectors.toList()));
    List<Note> ofCallbacks =
        Optional.ofNullable(byTarget.remove(Needs.CALLBACKS)).orElse(List.of());
    Map<String, LearnedEntry> entries = new TreeMap<>();
    Set<LearnedEntry> calledBack = new LinkedHashSet<>();
    Function<String, LearnedEntry> entry =
        target ->
            entries.computeIfAbsent(
                target, named -> new LearnedEntry(principal, endpoint(named).orElse(named), jars));
    byTarget.forEach(
        (target, its) -> {
          for (String at : entryTargets(target, its, byTarget)) {
            its.forEach(entry.apply(at)::add);
            if (its.stream().anyMatch(note -> note.subject().equals(Needs.CALLBACKS))) {
              calledBack.add(entry.apply(at));
            }
          }
        });
    (calledBack.isEmpty() ? entries.values() : calledBack)
        .forEach(one -> ofCallbacks.forEach(one::add));
    StringBuilder yaml = new StringBuilder();
    if (entries.isEmpty()) {
      ofCallbacks.forEach(
          note -> other(note.rule() + " " + note.subject(), principal, note.target()));
    }
    entries.forEach(
        (target, one) -> {
          boolean other =
              byTarget.getOrDefault(target, List.of()).stream()
                  .anyMatch(note -> note.remedy().equals(Needs.OTHER_TARGET));
          if (other
              || principal.equals(ANYONE)
              || !Quoted.isText(principal)
              || endpoint(target).isEmpty()) {
            other(Rule.TARGET + " " + target, principal, target);
          } else {
            yaml.append(one.yaml());
          }
          one.others().forEach(what -> other(what, principal, target));
        });
    return yaml.toString();
  }

  /** Those for registries that have named it, unless it was reached without them. */
  private static Set<String> entryTargets(
      String target, List<Note> notes, Map<String, List<Note>> byTarget) {
    Set<String> registries = new TreeSet<>();
    for (Note note : notes) {
      String named = note.rule() == Rule.TARGET ? lower(note.subject()) : "";
      if (note.rule() == Rule.OPERATION || named.equals(target)) {
        return Set.of(target);
      }
      if (isAsked(byTarget.get(named))) {
        registries.add(named);
      }
    }
    return registries.isEmpty() ? Set.of(target) : registries;
  }

  /** Hosts are the same in either case. */
  private static String lower(String target) {
    return target.toLowerCase(Locale.ROOT);
  }

  private static boolean isAsked(List<Note> notes) {
    return notes != null && notes.stream().anyMatch(note -> note.rule() == Rule.OPERATION);
  }

  private void other(String what, String principal, String target) {
    others.computeIfAbsent(what, first -> new TreeSet<>()).add(principal + " at " + target);
  }

  /** What clients have named, in a comment. */
  private static String text(Set<String> who) {
    return LogText.of(String.join(", ", who));
  }
}
