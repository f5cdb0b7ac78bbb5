package io.rmigate.gateway.policy.rule;

import io.rmigate.gateway.policy.remote.InterfaceJars;
import io.rmigate.gateway.policy.rule.LearnedNotes.Note;
import io.rmigate.gateway.policy.rule.Objection.Rule;
import io.rmigate.protocol.DestinationPatterns;
import io.rmigate.protocol.LogText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
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
public final class LearnedRules {
  private static final Pattern ENDPOINT = Pattern.compile("([\\p{Alnum}._:\\-]+):(\\d{1,5})");

  /** A principal of this name has no entry, because the name means all principals. */
  private static final String ANYONE = "*";

  private final ClassSettings settings;
  private final InterfaceJars jars;

  /** Noted subjects that no line allows, with the principals and targets of their calls. */
  private final Map<String, Set<String>> others = new TreeMap<>();

  /** Reasons why no line allows them, by the same subjects. */
  private final Map<String, String> reasons = new HashMap<>();

  /** Gaps that concern the sections as a whole. */
  private final List<LearnedPolicy.Gap> incomplete = new ArrayList<>();

  /** Ports that JVMs ask for by number, by the principals that were not permitted callbacks. */
  private final Map<String, Set<Integer>> callbacks = new TreeMap<>();

  private final Set<String> calledBack = new TreeSet<>();
  private final Set<String> callers = new TreeSet<>();

  private LearnedRules(ClassSettings settings, InterfaceJars jars) {
    this.settings = settings;
    this.jars = jars;
  }

  /** Whether notes leave out what jars allowed then, and there are none now. */
  public static boolean lacksJars(Collection<Note> notes, InterfaceJars jars) {
    return jars.isEmpty() && notes.stream().anyMatch(MethodRules::isOfJar);
  }

  /** Whether a reference's subject is a host that can be written, with a port. */
  static boolean isEndpoint(String subject) {
    return endpoint(subject).isPresent();
  }

  /** The endpoint as lists of targets have it; empty when the endpoint cannot be written. */
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
  public static String yaml(List<Note> notes, ClassSettings settings, InterfaceJars jars) {
    return learnt(notes, settings, jars).sections();
  }

  /** The sections to paste, with what else is needed and what is missing. */
  public static LearnedPolicy learnt(List<Note> notes, ClassSettings settings, InterfaceJars jars) {
    return new LearnedRules(settings, jars).learnt(notes);
  }

  private LearnedPolicy learnt(List<Note> all) {
    List<Note> notes = new ArrayList<>();
    all.forEach(note -> withoutPorts(note, all).ifPresent(notes::add));
    String sections = yaml(notes);
    if (callers.isEmpty()) {
      notes.stream()
          .filter(note -> endpoint(note.target()).isPresent())
          .forEach(note -> callers.add(host(note.target())));
    }
    List<LearnedPolicy.Gap> gaps = new ArrayList<>(incomplete);
    others.forEach((what, who) -> gaps.add(new LearnedPolicy.Gap(what, who, reasons.get(what))));
    return new LearnedPolicy(sections, notes, calledBack, callbacks, callers, gaps);
  }

  /**
   * A note without the port at which a client's JVM listens: that is a matter of the section {@code
   * callbacks}, and no line of an entry. An object at a port that is another one each time is the
   * client's own, unless it is at the host of a server.
   */
  private Optional<Note> withoutPorts(Note note, List<Note> all) {
    String subject = note.subject();
    if (note.rule() != Rule.REFERENCE) {
      return Optional.of(note);
    }
    if (note.remedy().equals(RequiredPermissions.EXPLICIT)) {
      int port = Integer.parseInt(subject.substring(RequiredPermissions.PORT.length()));
      calledBack.add(note.principal());
      callbacks.computeIfAbsent(note.principal(), first -> new TreeSet<>());
      if (port < LearnedPolicy.FIRST_EPHEMERAL_PORT) {
        callbacks.get(note.principal()).add(port);
      } else {
        other(
            note.rule() + " " + subject,
            note.principal(),
            note.target(),
            "the program asks for a port that JVMs are given at random; let it ask for none");
      }
      return Optional.empty();
    }
    boolean own =
        LearnedPolicy.ephemeralPort(subject).isPresent()
            && (isLoopback(host(subject)) || all.stream().noneMatch(n -> isAtHost(n, subject)));
    if (own) {
      callbacks.computeIfAbsent(note.principal(), first -> new TreeSet<>());
    }
    if (own || subject.equals(RequiredPermissions.CALLBACKS)) {
      calledBack.add(note.principal());
      if (endpoint(note.target()).isPresent()) {
        callers.add(host(note.target()));
      }
    }
    return Optional.of(
        own
            ? new Note(
                note.principal(), note.target(), note.rule(), RequiredPermissions.CALLBACKS, "")
            : note);
  }

  private static boolean isAtHost(Note note, String endpoint) {
    return endpoint(note.target()).isPresent()
        && host(note.target()).equalsIgnoreCase(host(endpoint));
  }

  private static String host(String endpoint) {
    return endpoint.substring(0, endpoint.lastIndexOf(':'));
  }

  private static boolean isLoopback(String host) {
    return DestinationPatterns.isLoopback(host);
  }

  private String yaml(List<Note> notes) {
    Map<String, List<Note>> byPrincipal =
        notes.stream()
            .filter(note -> !RuleTypes.isForAllOnly(note.remedy()))
            .collect(Collectors.groupingBy(Note::principal, TreeMap::new, Collectors.toList()));
    StringBuilder entries = new StringBuilder();
    byPrincipal.forEach((principal, its) -> entries.append(entries(principal, its)));
    LearnedSection section = new LearnedSection(settings, notes);
    incomplete.addAll(section.gaps());
    StringBuilder yaml = new StringBuilder(section.yaml());
    if (lacksJars(notes, jars)) {
      yaml.append(
          "# Incomplete: they were noted with jars of interfaces, of whose classes there are no"
              + " notes: name them by classes.interfaces, or --interfaces DIR.\n");
      incomplete(
          "classes of the jars of interfaces",
          "they were noted with jars, and there are none now: name them by classes.interfaces, or"
              + " --interfaces DIR");
    }
    if (notes.size() >= LearnedNotes.MAX_NOTES) {
      incomplete("further notes", "no more are kept than " + LearnedNotes.MAX_NOTES);
      yaml.append("# Incomplete: there were as many notes as are kept.\n");
    }
    byPrincipal.forEach(
        (principal, its) -> {
          if (its.size() >= LearnedNotes.MAX_NOTES_OF_ONE) {
            incomplete(
                "further notes of " + text(Set.of(principal)),
                "no more are kept of one than " + LearnedNotes.MAX_NOTES_OF_ONE);
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

  private String entries(String principal, List<Note> notes) {
    Map<String, List<Note>> byTarget =
        notes.stream()
            .collect(
                Collectors.groupingBy(
                    note -> lower(note.target()), TreeMap::new, Collectors.toList()));
    List<Note> ofCallbacks =
        Optional.ofNullable(byTarget.remove(RequiredPermissions.CALLBACKS)).orElse(List.of());
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
            if (its.stream()
                .anyMatch(note -> note.subject().equals(RequiredPermissions.CALLBACKS))) {
              calledBack.add(entry.apply(at));
            }
          }
        });
    (calledBack.isEmpty() ? entries.values() : calledBack)
        .forEach(one -> ofCallbacks.forEach(one::add));
    StringBuilder yaml = new StringBuilder();
    if (entries.isEmpty()) {
      ofCallbacks.forEach(
          note ->
              other(
                  note.rule() + " " + note.subject(),
                  principal,
                  note.target(),
                  "no target is known that was given an object to call"));
    }
    entries.forEach(
        (target, one) -> {
          boolean other =
              byTarget.getOrDefault(target, List.of()).stream()
                  .anyMatch(note -> note.remedy().equals(RequiredPermissions.OTHER_TARGET));
          if (other
              || principal.equals(ANYONE)
              || !YamlText.isText(principal)
              || endpoint(target).isEmpty()) {
            other(
                Rule.TARGET + " " + target,
                principal,
                target,
                other
                    ? "an entry that names it would permit more than was done: write one by hand"
                    : "its name, or that of the principal, is none that an entry can have");
          } else {
            yaml.append(one.yaml());
          }
          one.others().forEach((what, why) -> other(what, principal, target, why));
        });
    return yaml.toString();
  }

  /**
   * The targets of entries for the registries that have named the target; else the target itself.
   */
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

  private void other(String what, String principal, String target, String why) {
    others.computeIfAbsent(what, first -> new TreeSet<>()).add(who(principal, target));
    reasons.put(what, why);
  }

  /** Principal and target, for a comment. */
  static String who(String principal, String target) {
    return principal + " at " + lower(target);
  }

  private void incomplete(String what, String why) {
    incomplete.add(new LearnedPolicy.Gap(what, Set.of(), why));
  }

  /** Names that clients have sent, made safe for a comment. */
  private static String text(Set<String> who) {
    return LogText.of(String.join(", ", who));
  }
}
