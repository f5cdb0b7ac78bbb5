package io.rmigate.gateway.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.policy.rule.LearnedNotes;
import io.rmigate.gateway.policy.rule.LearnedNotes.Note;
import io.rmigate.gateway.policy.rule.Objection.Rule;
import io.rmigate.gateway.policy.rule.RequiredPermissions;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How often a policy is asked about what was noted, and by which registries. */
class NotedTargetsTest {
  private static final String TARGET = "inner:4711";

  /** All notes that are kept, which count how often one of them is looked at. */
  private static final class Counted extends AbstractList<Note> {
    private final List<Note> notes = new ArrayList<>();
    private int looks;

    @Override
    public boolean add(Note note) {
      return notes.add(note);
    }

    @Override
    public Note get(int index) {
      looks++;
      return notes.get(index);
    }

    @Override
    public int size() {
      return notes.size();
    }
  }

  private final Counted notes = new Counted();
  private final List<String> asked = new ArrayList<>();
  private int registriesTold;

  private static Note note(String principal, Rule rule, String subject, String remedy) {
    return new Note(principal, TARGET, rule, subject, remedy);
  }

  private NotedTargets targets() {
    return new NotedTargets(
        notes,
        (principal, target, registries) -> {
          asked.add(principal + " at " + target + " by " + registries);
          registriesTold += registries.size();
          return Rulebook.OFF.rules(List.of());
        });
  }

  @Test
  void eachNoteIsLookedAtOnceAndEachTargetJudgedOnce() {
    int half = LearnedNotes.MAX_NOTES / 2;
    for (int i = 0; i < half; i++) {
      notes.add(note("ann", Rule.TARGET, "registry" + i + ":1099", ""));
      notes.add(note("ann", Rule.CLASS, "com.acme.C" + i, ""));
    }
    List<Note> all = List.copyOf(notes.notes);

    NotedTargets targets = targets();
    all.forEach(targets::rules);

    assertThat(notes.looks).isEqualTo(LearnedNotes.MAX_NOTES);
    assertThat(asked).hasSize(1);
    assertThat(registriesTold).isEqualTo(half);
  }

  @Test
  void whoHasNamedATargetIsToldForWhomItWasNamed() {
    notes.add(note("ann", Rule.TARGET, "alpha:1099", ""));
    notes.add(note("ann", Rule.TARGET, "beta:1099", RequiredPermissions.NEW_PORTS));
    notes.add(note("ann", Rule.TARGET, "gamma:1099", RequiredPermissions.OTHER_TARGET));
    notes.add(note("ann", Rule.CLASS, "com.acme.Order", ""));
    notes.add(note("bob", Rule.TARGET, "delta:1099", ""));

    NotedTargets targets = targets();
    targets.rules(note("ann", Rule.CLASS, "com.acme.Order", ""));
    targets.rules(note("bob", Rule.CLASS, "com.acme.Order", ""));
    targets.rules(note("eve", Rule.CLASS, "com.acme.Order", ""));

    assertThat(asked)
        .containsExactly(
            "ann at inner:4711 by [alpha:1099, beta:1099]",
            "bob at inner:4711 by [delta:1099]",
            "eve at inner:4711 by []");
  }
}
