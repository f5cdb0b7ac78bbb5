package io.rmigate.gateway.policy.rule;

import io.rmigate.gateway.policy.rule.LearnedNotes.Note;
import io.rmigate.protocol.NamePatterns;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Which names of registries may be looked up, bound and listed. */
public final class NameRule implements CallRule {
  static final RuleKey<List<String>> KEY = RuleKey.words("names");
  static final RuleKey<Boolean> LIST_ALL = RuleKey.flag("list-all");
  public static final RuleType TYPE =
      new SimpleRuleType(
          List.of(KEY, LIST_ALL),
          NameRule::new,
          note -> note.rule() == Objection.Rule.NAME,
          Lines::new);

  /** Empty: all names. */
  private final Optional<NamePatterns> names;

  private final boolean listAll;

  /**
   * An entry without names permits all names, and so does mode {@code learn}, which notes them
   * again.
   */
  private NameRule(Combination entries) {
    List<String> patterns = new ArrayList<>();
    boolean all = entries.entries().isEmpty() || entries.learns();
    boolean lists = false;
    for (EntryRules entry : entries.entries()) {
      patterns.addAll(entry.get(KEY));
      all |= entry.get(KEY).isEmpty();
      lists |= entry.get(LIST_ALL);
    }
    this.names = all ? Optional.empty() : Optional.of(NamePatterns.of(patterns));
    this.listAll = lists;
  }

  /** Whether there are names that may not be looked up. */
  public boolean limitsNames() {
    return names.isPresent();
  }

  /** Whether a registry's list is shown without the names that may not be looked up. */
  public boolean limitsLists() {
    return limitsNames() && !listAll;
  }

  /**
   * Whether a registry may be asked for that name, or told of it.
   *
   * @param name empty for all that there are
   */
  public boolean permits(Optional<String> name) {
    return names.isEmpty() || name.filter(names.get()::matches).isPresent();
  }

  @Override
  public boolean refuses(Note note) {
    return !permits(Optional.of(note.subject()));
  }

  private static final class Lines implements LearnedLines {
    private final LearnedEntry entry;
    private final Set<String> names = new TreeSet<>();

    Lines(LearnedEntry entry) {
      this.entry = entry;
    }

    @Override
    public void add(Note note) {
      if (note.subject().contains("*")) {
        entry.addGap(note, "as a line it would stand for other names, too");
      } else if (note.remedy().isEmpty() || !YamlText.isText(note.subject())) {
        entry.addGap(note, "the name is too long, or has characters that are not seen");
      } else {
        names.add(note.subject());
        entry.onName();
      }
    }

    @Override
    public void write(StringBuilder yaml) {
      LearnedEntry.list(yaml, KEY.inEntries(), names);
      if (entry.hasListed() && !names.isEmpty()) {
        yaml.append("    %s: true%n".formatted(LIST_ALL.inEntries()));
      }
    }
  }
}
