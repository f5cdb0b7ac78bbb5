package io.rmigate.gateway.policy.rule;

import java.util.Map;

/** Lines of one rule in an entry that is learnt. Not thread-safe. */
interface LearnedLines {
  /** No lines for any note. */
  LearnedLines NONE =
      new LearnedLines() {
        @Override
        public void add(LearnedNotes.Note note) {}

        @Override
        public void write(StringBuilder yaml) {}
      };

  /** The lines have to allow what was noted, too. */
  void add(LearnedNotes.Note note);

  /** Appends the lines; all notes have been added. */
  void write(StringBuilder yaml);

  /** Puts what became no line, with the reason; all notes have been added. */
  default void putGaps(Map<String, String> gaps) {}
}
