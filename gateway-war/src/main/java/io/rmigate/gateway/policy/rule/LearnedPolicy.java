package io.rmigate.gateway.policy.rule;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the notes of mode {@code learn} ask for.
 *
 * @param sections the sections {@code classes} and {@code targets}, to be put in place of those
 *     that are there
 * @param notes of what the sections have to permit, but for the gaps
 * @param calledBack principals whose JVMs have objects that servers call
 * @param callbacks those of them that were not permitted that, with the ports that they ask for by
 *     number, none of which is an ephemeral one
 * @param callers hosts of the servers that were given such objects
 * @param gaps what these sections do not permit, though it was done
 */
public record LearnedPolicy(
    String sections,
    List<LearnedNotes.Note> notes,
    Set<String> calledBack,
    Map<String, Set<Integer>> callbacks,
    Set<String> callers,
    List<Gap> gaps) {

  /**
   * Something that was done and stays refused.
   *
   * @param what rule and subject
   * @param who did it, and where; empty where that is said of all
   * @param why no line permits it, and what helps
   */
  public record Gap(String what, Set<String> who, String why) {
    public Gap {
      who = Set.copyOf(who);
    }

    /** One line, without what a client could break it with. */
    public String line() {
      String whose =
          who.isEmpty()
              ? ""
              : " ("
                  + String.join(", ", who.stream().sorted().map(Objection::printable).toList())
                  + ")";
      return Objection.printable(what) + whose + ": " + why;
    }
  }

  public LearnedPolicy {
    notes = List.copyOf(notes);
    calledBack = Set.copyOf(calledBack);
    callbacks = Map.copyOf(callbacks);
    callers = Set.copyOf(callers);
    gaps = List.copyOf(gaps);
  }

  /** Whether what was noted is among the gaps. */
  public boolean lacks(LearnedNotes.Note note) {
    String subject =
        note.rule() == Objection.Rule.METHOD
            ? MethodRules.hash(note.subject()).map(MethodRules::number).orElse(note.subject())
            : note.subject();
    return lacks(note.rule() + " " + subject, note.principal(), note.target());
  }

  /** Whether something about a target as a whole is among the gaps. */
  public boolean lacks(Objection.Rule rule, String principal, String target) {
    return lacks(rule + " " + target, principal, target);
  }

  private boolean lacks(String what, String principal, String target) {
    String who = LearnedRules.who(principal, target);
    return gaps.stream().anyMatch(gap -> gap.what().equals(what) && gap.who().contains(who));
  }

  /**
   * The port of an endpoint {@code host:port} if it is an ephemeral one, which changes with each
   * start of a server; else empty.
   */
  public static Optional<Integer> ephemeralPort(String endpoint) {
    if (!LearnedRules.isEndpoint(endpoint)) {
      return Optional.empty();
    }
    int port = Integer.parseInt(endpoint.substring(endpoint.lastIndexOf(':') + 1));
    return port >= FIRST_EPHEMERAL_PORT ? Optional.of(port) : Optional.empty();
  }

  /** The first port that Linux gives to a program that asks for none. */
  static final int FIRST_EPHEMERAL_PORT = 32_768;
}
