package io.rmigate.gateway.policy.rule;

import io.rmigate.gateway.policy.rule.LearnedNotes.Note;
import io.rmigate.gateway.scan.Finding;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** The rule about the length of calls, and whether longer ones are judged as they pass. */
public final class LengthRule implements CallRule {
  static final RuleKey<OptionalInt> KEY =
      RuleKey.number("call-limit")
          .andForAll("call-limit", OptionalInt.of(ClassSettings.CALL_LIMIT));

  static final RuleKey<Boolean> STREAMS = RuleKey.flag("stream");
  public static final RuleType TYPE =
      new SimpleRuleType(
          List.of(KEY, STREAMS),
          LengthRule::new,
          LengthRule::isAbout,
          entry -> new Lines(),
          LengthRule::write);

  /** The advised line for calls that are longer than a limit below {@link #LONG_CALL_BYTES}. */
  static final String LONG_CALLS = KEY.inEntries() + ": 64MiB";

  static final int LONG_CALL_BYTES = 64 << 20;

  /** The advised line for calls that are longer than {@link #LONG_CALL_BYTES}. */
  static final String STREAM = STREAMS.inEntries() + ": true";

  static final String TOO_LONG = "it is longer than call-limit";

  private final int limit;
  private final boolean stream;
  private final LongCallSettings longCalls;

  private LengthRule(Combination entries) {
    this.limit = entries.number(KEY);
    this.stream = entries.permits(STREAMS);
    this.longCalls = entries.settings().longCalls();
  }

  /** Bytes up to which a call is gathered and looked into. */
  public int limit() {
    return limit;
  }

  /** Whether longer ones pass while they are looked into. */
  public boolean streams() {
    return stream;
  }

  /** Bounds of the arrays and strings in calls that are longer than the limit. */
  public LongCallSettings longCalls() {
    return longCalls;
  }

  /** Bytes of a long message that may have to be kept at once: as much as of a call. */
  public int mostKept() {
    return Math.max(limit, ClassSettings.CALL_LIMIT);
  }

  /** The objection to a message that is longer than {@link #limit}. */
  public Objection tooLong() {
    return new Objection(
        Objection.Rule.UNREADABLE, TOO_LONG, limit < LONG_CALL_BYTES ? LONG_CALLS : STREAM);
  }

  /** The objection to a message of which more than {@link #mostKept} would have to be kept. */
  public Objection tooMuchToKeep() {
    return ofKept("more than call-limit would have to be kept of it to understand the rest");
  }

  private Objection ofKept(String what) {
    return new Objection(
        Objection.Rule.UNREADABLE, what, limit < LONG_CALL_BYTES ? LONG_CALLS : "");
  }

  /** Objections to the bytes that the long arrays and strings of a call claim. */
  public List<Objection> claims(long bytes) {
    return bytes <= longCalls.maxBytes()
        ? List.of()
        : List.of(
            new Objection(
                Objection.Rule.UNREADABLE,
                "its long arrays and strings take more than long-calls.max-bytes",
                STREAM));
  }

  @Override
  public Set<Finding.Kind> findings() {
    return Set.of(Finding.Kind.CLAIMS_MORE_THAN_IS_KEPT);
  }

  @Override
  public Optional<Objection> objection(Finding finding) {
    return Optional.of(
        ofKept(
            finding.subject()
                + " claims to hold more than call-limit has room for until that is believed"));
  }

  @Override
  public boolean refuses(Note note) {
    return !stream && (note.remedy().equals(STREAM) || limit < LONG_CALL_BYTES);
  }

  private static boolean isAbout(Note note) {
    return note.rule() == Objection.Rule.UNREADABLE
        && (note.remedy().equals(LONG_CALLS) || note.remedy().equals(STREAM));
  }

  /** The lines of the section {@code classes}. */
  private static void write(LearnedSection section) {
    int limit = section.settings().get(KEY).getAsInt();
    if (limit != ClassSettings.CALL_LIMIT) {
      section.line("%s: %dB".formatted(KEY.inClasses(), limit));
    }
  }

  private static final class Lines implements LearnedLines {
    private boolean longCalls;
    private boolean stream;

    @Override
    public void add(Note note) {
      longCalls |= note.remedy().equals(LONG_CALLS);
      stream |= note.remedy().equals(STREAM);
    }

    @Override
    public void write(StringBuilder yaml) {
      if (longCalls) {
        yaml.append("    %s%n".formatted(LONG_CALLS));
      }
      if (stream) {
        yaml.append("    %s%n".formatted(STREAM));
      }
    }
  }
}
