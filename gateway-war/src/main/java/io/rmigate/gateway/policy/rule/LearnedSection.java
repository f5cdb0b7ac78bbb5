package io.rmigate.gateway.policy.rule;

import io.rmigate.gateway.policy.rule.LearnedNotes.Note;
import io.rmigate.protocol.LogText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** The section {@code classes} that notes ask for. Not thread-safe. */
final class LearnedSection {
  private final ClassSettings settings;
  private final List<Note> notes;
  private final StringBuilder yaml = new StringBuilder("classes:\n  mode: enforce\n");
  private final List<LearnedPolicy.Gap> gaps = new ArrayList<>();

  /**
   * @param settings of which the other lines stay
   * @param notes all that there are
   */
  LearnedSection(ClassSettings settings, List<Note> notes) {
    this.settings = settings;
    this.notes = notes;
    settings.interfaces().ifPresent(jars -> line("interfaces: " + YamlText.of(jars.toString())));
    RuleTypes.FOR_ALL.forEach(type -> type.write(this));
  }

  ClassSettings settings() {
    return settings;
  }

  List<Note> notes() {
    return notes;
  }

  /** Adds a line. */
  void line(String line) {
    yaml.append("  %s%n".formatted(line));
  }

  /** Adds a line, with those who need it. */
  void line(String line, Set<String> who) {
    line(who.isEmpty() ? line : line + " # " + LogText.of(String.join(", ", who)));
  }

  /** Adds a list, unless it is empty. */
  void list(RuleKey<?> key, Collection<String> items) {
    if (!items.isEmpty()) {
      line(key.inClasses() + ":");
      items.forEach(item -> line("  - " + YamlText.of(item)));
    }
  }

  /** The lines do not permit this, though it was done. */
  void onGap(String what, String why) {
    gaps.add(new LearnedPolicy.Gap(what, Set.of(), why));
  }

  List<LearnedPolicy.Gap> gaps() {
    return gaps;
  }

  /** All lines. */
  String yaml() {
    return yaml.toString();
  }
}
