package io.rmigate.gateway.policy.rule;

import io.rmigate.gateway.policy.rule.LearnedNotes.Note;
import java.util.List;

/** Whether objects may be reached where no registry has named them, but a server of its. */
public final class NewPortsRule implements CallRule {
  /** The key of this rule. Only inspected calls show which endpoints the client has named first. */
  public static final RuleKey<Boolean> KEY = RuleKey.flag("new-ports").idleWhereOff(value -> value);

  public static final RuleType TYPE =
      new SimpleRuleType(
          List.of(KEY),
          NewPortsRule::new,
          note ->
              note.rule() == Objection.Rule.TARGET
                  && note.remedy().equals(RequiredPermissions.NEW_PORTS),
          Lines::new);

  private final boolean newPorts;

  private NewPortsRule(Combination entries) {
    this.newPorts = entries.permits(KEY);
  }

  /** Whether they may be reached. */
  public boolean newPorts() {
    return newPorts;
  }

  @Override
  public boolean refuses(Note note) {
    return !newPorts;
  }

  private static final class Lines implements LearnedLines {
    private final LearnedEntry entry;
    private boolean newPorts;

    Lines(LearnedEntry entry) {
      this.entry = entry;
    }

    @Override
    public void add(Note note) {
      newPorts |=
          LearnedRules.endpoint(note.subject())
              .filter(entry.target()::equalsIgnoreCase)
              .isPresent();
    }

    @Override
    public void write(StringBuilder yaml) {
      if (newPorts) {
        yaml.append("    %s%n".formatted(RequiredPermissions.NEW_PORTS));
      }
    }
  }
}
