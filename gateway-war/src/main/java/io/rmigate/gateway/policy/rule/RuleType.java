package io.rmigate.gateway.policy.rule;

import java.util.List;

/**
 * What a rule of calls is where no call is judged: keys of the configuration, what entries mean
 * together, and which lines are learnt. {@link RuleTypes} lists all types.
 */
public interface RuleType {
  /** The keys, in the order in which they are read. */
  List<RuleKey<?>> keys();

  /** The rule that these entries make. */
  CallRule rule(Combination entries);

  /** Whether a note is about this rule: what it refuses, and what its lines allow. */
  boolean isAbout(LearnedNotes.Note note);

  /** Lines of an entry that is learnt; none where the rule has no key there. */
  default LearnedLines lines(LearnedEntry entry) {
    return LearnedLines.NONE;
  }

  /** Writes lines of the section {@code classes} that is learnt; none where it has no key there. */
  default void write(LearnedSection section) {}
}
