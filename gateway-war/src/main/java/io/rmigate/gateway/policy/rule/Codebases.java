package io.rmigate.gateway.policy.rule;

import io.rmigate.gateway.policy.rule.LearnedNotes.Note;
import io.rmigate.gateway.scan.Finding;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Treatments of codebases in the annotations of classes. */
public enum Codebases implements CallRule {
  /** The gateway passes codebases on. */
  KEEP,

  /** The gateway removes codebases from the messages that it passes. */
  DROP,

  /** The gateway refuses messages that name codebases. */
  REFUSE;

  public static final RuleKey<Codebases> KEY =
      RuleKey.forAll("codebases", DROP, words -> of(words.get(0)));

  static final RuleType TYPE =
      new SimpleRuleType(
          List.of(KEY),
          entries -> entries.settings().get(Codebases.KEY),
          note -> note.rule() == Objection.Rule.STREAM && note.remedy().startsWith(Codebases.START),
          entry -> LearnedLines.NONE,
          Codebases::write);

  private static final String START = "codebases: ";

  /** As in a configuration; two of them can be said in another way, too. */
  public static final List<String> WORDS = List.of("keep", "drop", "refuse", "true", "false");

  /** The treatment that one of {@link #WORDS} names. */
  public static Codebases of(String word) {
    return switch (word) {
      case "true" -> KEEP;
      case "false" -> REFUSE;
      default -> valueOf(word.toUpperCase(Locale.ROOT));
    };
  }

  /** The line of {@code classes} that says so. */
  String line() {
    return START + this;
  }

  /** Whether these let pass what would pass with that line. */
  private boolean allow(String remedy) {
    return this == KEEP || (this == DROP && remedy.equals(DROP.line()));
  }

  @Override
  public Set<Finding.Kind> findings() {
    return Set.of(Finding.Kind.CODEBASE, Finding.Kind.REFERENCE_TO_CODEBASE);
  }

  @Override
  public Optional<Objection> objection(Finding finding) {
    if (finding.kind() == Finding.Kind.REFERENCE_TO_CODEBASE) {
      return Optional.of(objection(finding, KEEP));
    }
    return this == REFUSE ? Optional.of(objection(finding, DROP)) : Optional.empty();
  }

  private static Objection objection(Finding finding, Codebases remedy) {
    return new Objection(Objection.Rule.STREAM, finding.kind().name(), remedy.line());
  }

  @Override
  public boolean refuses(Note note) {
    return !allow(note.remedy());
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The strictest that lets pass what was noted, and is no stricter than what is set. */
  private static void write(LearnedSection section) {
    Codebases set = section.settings().get(KEY);
    Codebases enough = set;
    Set<String> who = new TreeSet<>();
    for (Codebases laxer : List.of(DROP, KEEP)) {
      for (Note note : section.notes()) {
        if (note.remedy().equals(laxer.line()) && !set.allow(note.remedy())) {
          enough = laxer;
          who.add(note.principal() + " at " + note.target());
        }
      }
    }
    if (enough != DROP || !who.isEmpty()) {
      section.line(enough.line(), who);
    }
  }
}
