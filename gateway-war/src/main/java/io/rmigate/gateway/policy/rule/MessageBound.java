package io.rmigate.gateway.policy.rule;

import io.rmigate.gateway.policy.rule.LearnedNotes.Note;
import io.rmigate.gateway.scan.Finding;
import io.rmigate.gateway.scan.ScanLimits;
import io.rmigate.gateway.scan.ScanResult.Figures;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The bounds of a message, each with a key of {@code classes}. Honest programs can need more: the
 * objection to a message beyond a bound names the line that allows it, if there is one.
 */
public enum MessageBound implements RuleType {
  /** Objects within each other. */
  DEPTH("max-depth", 10, 100_000, ScanLimits.DEFAULT.depth(), Finding.Kind.TOO_DEEP),
  /** Objects, strings and descriptors of classes. */
  OBJECTS(
      "object-limit", 1000, 1 << 22, ScanLimits.DEFAULT.objects(), Finding.Kind.TOO_MANY_OBJECTS),
  /** Different classes. */
  CLASSES("class-limit", 100, 1 << 12, ScanLimits.DEFAULT.classes(), Finding.Kind.TOO_MANY_CLASSES),
  /** Live references. */
  REFERENCES(
      "reference-limit",
      100,
      1 << 16,
      ScanLimits.DEFAULT.references(),
      Finding.Kind.TOO_MANY_REFERENCES),
  /** Different lists of interfaces of proxies, in a message and of a principal. */
  PROXIES(
      "proxy-limit",
      10,
      1 << 12,
      ScanLimits.DEFAULT.proxyClasses(),
      Finding.Kind.TOO_MANY_PROXY_CLASSES),
  /** Steps that a receiver takes while it reads. */
  HASHING(
      "hashing-limit",
      1000,
      1 << 30,
      ScanLimits.DEFAULT.hashingSteps(),
      Finding.Kind.TOO_MUCH_HASHING);

  private static final Pattern TOLD =
      Pattern.compile("(more than )?(\\d{1,18})( comparisons| steps)?");

  private static final List<MessageBound> ALL = List.of(values());

  @SuppressWarnings("ImmutableEnumChecker") // which is immutable
  private final RuleKey<OptionalInt> key;

  /** Beginning of a line with the key. */
  private final String start;

  private final int least;
  private final int most;
  private final int usual;
  private final Finding.Kind kind;

  MessageBound(String key, int least, int most, int usual, Finding.Kind kind) {
    this.key = RuleKey.numberForAll(key, usual);
    this.start = key + ": ";
    this.least = least;
    this.most = most;
    this.usual = usual;
    this.kind = kind;
  }

  /** The key of this bound. */
  RuleKey<OptionalInt> key() {
    return key;
  }

  /** The least that may be configured. */
  public int least() {
    return least;
  }

  /** The most that may be configured. */
  public int most() {
    return most;
  }

  /** The value as shipped. */
  public int usual() {
    return usual;
  }

  /** The bound that a remedy raises. */
  static Optional<MessageBound> of(String remedy) {
    for (MessageBound bound : ALL) {
      if (remedy.startsWith(bound.start)) {
        return Optional.of(bound);
      }
    }
    return Optional.empty();
  }

  /** The amount that a remedy of this bound allows. */
  int amount(String remedy) {
    return Integer.parseInt(remedy.substring(start.length()));
  }

  /** Whether what is beyond it is not told, so that it has to be learned in another round. */
  boolean hides() {
    return this == CLASSES || this == REFERENCES || this == PROXIES;
  }

  /** The line that allows this amount. */
  String line(int amount) {
    return start + amount;
  }

  /**
   * What would allow more than this count; empty where nothing would. Where there are more than
   * twice as many, that is said, too.
   */
  String remedyBeyond(long count) {
    return count >= most ? "" : line(enoughFor(2 * count));
  }

  private String remedy(String subject) {
    Matcher told = TOLD.matcher(subject);
    if (!told.matches()) {
      return "";
    }
    long count = Long.parseLong(told.group(2));
    if (" comparisons".equals(told.group(3))) {
      count = (count + ScanLimits.COMPARISONS_OF_A_STEP - 1) / ScanLimits.COMPARISONS_OF_A_STEP;
    }
    if (told.group(1) != null) {
      return remedyBeyond(count);
    }
    return remedyFor(count);
  }

  private String remedyFor(long count) {
    return count > most ? "" : line(enoughFor(count));
  }

  /** A power of two, so that messages that grow make few notes. */
  int enoughFor(long count) {
    long enough = Long.highestOneBit(Math.max(1, count - 1)) << 1;
    return (int) Math.min(most, Math.max(least, enough));
  }

  @Override
  public List<RuleKey<?>> keys() {
    return List.of(key);
  }

  @Override
  public CallRule rule(Combination entries) {
    return new Limit(this, entries.settings().bound(this));
  }

  @Override
  public boolean isAbout(Note note) {
    return note.rule() == Objection.Rule.STREAM && isRemedy(note.remedy());
  }

  private boolean isRemedy(String remedy) {
    return remedy.startsWith(start);
  }

  /** One line for all, with the most that was noted, and who needs that. */
  @Override
  public void write(LearnedSection section) {
    int set = section.settings().bound(this);
    int amount =
        section.notes().stream()
            .filter(note -> isRemedy(note.remedy()))
            .mapToInt(note -> amount(note.remedy()))
            .reduce(set, Math::max);
    if (amount == usual) {
      return;
    }
    Set<String> whose = new TreeSet<>();
    section.notes().stream()
        .filter(note -> note.remedy().equals(line(amount)))
        .forEach(note -> whose.add(note.principal() + " at " + note.target()));
    if (hides() && amount > set) {
      section.onGap(
          "what is beyond " + start.substring(0, start.indexOf(':')) + " " + set,
          "it was not looked into: paste these rules and learn once more");
    }
    section.line(line(amount), whose);
  }

  /** The bound as it is set. */
  private static final class Limit implements CallRule {
    private final MessageBound bound;
    private final int most;

    Limit(MessageBound bound, int most) {
      this.bound = bound;
      this.most = most;
    }

    @Override
    public Set<Finding.Kind> findings() {
      return Set.of(bound.kind);
    }

    /** The objection to a finding; empty if the figures lead to that objection already. */
    @Override
    public Optional<Objection> objection(Finding finding) {
      return isOfFigures()
          ? Optional.empty()
          : Optional.of(
              new Objection(
                  Objection.Rule.STREAM,
                  finding.kind() + " " + finding.subject(),
                  bound.remedy(finding.subject())));
    }

    @Override
    public boolean isOfFigures() {
      return bound == DEPTH;
    }

    @Override
    public Optional<Objection> objection(Figures figures) {
      return figures.depth() > most
          ? Optional.of(
              new Objection(
                  Objection.Rule.STREAM, bound.kind.name(), bound.remedyFor(figures.depth())))
          : Optional.empty();
    }

    @Override
    public boolean isWorse(Figures now, Figures earlier) {
      return missing(now.depth()) > missing(earlier.depth());
    }

    /** The amount that would have to be permitted; 0 if it is permitted. */
    private int missing(int depth) {
      return depth > most ? bound.enoughFor(depth) : 0;
    }

    @Override
    public boolean refuses(Note note) {
      return bound.amount(note.remedy()) > most;
    }
  }
}
