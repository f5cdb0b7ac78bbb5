package io.rmigate.gateway.edge;

import io.rmigate.gateway.policy.rule.LearnedNotes;
import java.util.List;

/**
 * The answer to {@code GET /admin/learned}: an immutable snapshot.
 *
 * @param rules the section of the configuration that permits what was noted, as YAML
 */
public record LearnedView(List<LearnedNotes.Note> notes, String rules) {
  public LearnedView {
    notes = List.copyOf(notes);
  }
}
