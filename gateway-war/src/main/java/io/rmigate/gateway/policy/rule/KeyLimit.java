package io.rmigate.gateway.policy.rule;

import io.rmigate.gateway.policy.rule.LearnedNotes.Note;
import io.rmigate.gateway.scan.ScanResult.Figures;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** How many keys a message may have that its receiver may have to compare each with each. */
public final class KeyLimit implements CallRule {
  /** The least that may be configured. */
  public static final int LEAST = 100;

  /** The most that may be configured: an hour of a receiver. */
  public static final int MOST = 1 << 20;

  static final RuleKey<OptionalInt> KEY =
      RuleKey.number("key-limit").andForAll("key-limit", OptionalInt.of(ClassSettings.KEY_LIMIT));

  static final RuleType TYPE =
      new SimpleRuleType(
          List.of(KEY),
          entries ->
              new KeyLimit(
                  entries.learns()
                      ? entries.settings().get(KeyLimit.KEY).getAsInt()
                      : entries.number(KeyLimit.KEY)),
          note -> note.rule() == Objection.Rule.STREAM && isRemedy(note.remedy()),
          entry -> new Lines(),
          KeyLimit::write);

  private static final String START = "key-limit: ";

  private final int limit;

  private KeyLimit(int limit) {
    this.limit = limit;
  }

  int limit() {
    return limit;
  }

  @Override
  public boolean isOfFigures() {
    return true;
  }

  @Override
  public Optional<Objection> objection(Figures figures) {
    return figures.keys() > limit ? Optional.of(exceeded(figures.keys())) : Optional.empty();
  }

  @Override
  public boolean isWorse(Figures now, Figures earlier) {
    return now.keys() > limit && earlier.keys() <= limit;
  }

  @Override
  public boolean refuses(Note note) {
    return of(note.remedy()) > limit;
  }

  /** The objection to a message with this number of keys. */
  private static Objection exceeded(long keys) {
    return new Objection(
        Objection.Rule.STREAM, "TOO_MANY_KEYS", keys > MOST ? "" : START + enoughFor(keys));
  }

  /** A power of two, so that messages that grow make few notes. */
  private static int enoughFor(long keys) {
    return Math.max(1 << 14, Integer.highestOneBit((int) keys - 1) << 1);
  }

  /** Whether that allows more keys. */
  static boolean isRemedy(String remedy) {
    return remedy.startsWith(START);
  }

  /** How many it allows. */
  private static int of(String remedy) {
    return Integer.parseInt(remedy.substring(START.length()));
  }

  /** The lines of the section {@code classes}. */
  private static void write(LearnedSection section) {
    int keys = section.settings().get(KEY).getAsInt();
    if (keys != ClassSettings.KEY_LIMIT) {
      section.line(START + keys);
    }
  }

  private static final class Lines implements LearnedLines {
    private int keys;

    @Override
    public void add(Note note) {
      keys = Math.max(keys, of(note.remedy()));
    }

    @Override
    public void write(StringBuilder yaml) {
      if (keys > 0) {
        yaml.append("    %s%n".formatted(START + keys));
      }
    }
  }
}
