package io.rmigate.gateway.policy;

import io.rmigate.gateway.policy.rule.LearnedNotes.Note;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.policy.rule.RequiredPermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The rules that a policy has for what was noted: found once for each principal at each target,
 * however many notes there are. Not thread-safe.
 */
public final class NotedTargets {

  /** A policy that has rules for a principal at a target. */
  public interface Policy {

    /**
     * The rules of calls from a principal to a target.
     *
     * @param registries that have named the target to the principal, or a server that has
     */
    CallRules rules(String principal, String target, List<String> registries);
  }

  private record Place(String principal, String target) {
    static Place of(Note note) {
      return new Place(note.principal(), note.target());
    }
  }

  private final Policy policy;
  private final Map<Place, List<String>> registries = new HashMap<>();
  private final Map<Place, CallRules> rules = new HashMap<>();

  /**
   * @param all by which it is known who has named what
   */
  public NotedTargets(Collection<Note> all, Policy policy) {
    this.policy = policy;
    for (Note note : all) {
      if (isNaming(note)) {
        registries.computeIfAbsent(Place.of(note), first -> new ArrayList<>()).add(note.subject());
      }
    }
  }

  private static boolean isNaming(Note note) {
    return note.rule() == Objection.Rule.TARGET
        && (note.remedy().isEmpty() || note.remedy().equals(RequiredPermissions.NEW_PORTS));
  }

  /** The rules at the target of a note. */
  public CallRules rules(Note note) {
    return rules.computeIfAbsent(
        Place.of(note),
        place ->
            policy.rules(
                place.principal(), place.target(), registries.getOrDefault(place, List.of())));
  }
}
