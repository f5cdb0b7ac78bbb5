package io.rmigate.gateway.policy;

import io.rmigate.gateway.scan.Finding;
import io.rmigate.gateway.scan.ScanLimits;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The bounds of a message, each with a key of {@code classes}. Honest programs can need more: the
 * objection to a message beyond a bound names the line that allows it, if there is one.
 */
public enum MessageBound {
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

  private final String key;

  /** Of a line with its key. */
  private final String start;

  private final int least;
  private final int most;
  private final int usual;
  private final Finding.Kind kind;

  MessageBound(String key, int least, int most, int usual, Finding.Kind kind) {
    this.key = key;
    this.start = key + ": ";
    this.least = least;
    this.most = most;
    this.usual = usual;
    this.kind = kind;
  }

  /** The name of its key. */
  public String key() {
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

  /** As shipped. */
  public int usual() {
    return usual;
  }

  /** The bound that a finding is about. */
  static Optional<MessageBound> of(Finding.Kind kind) {
    for (MessageBound bound : ALL) {
      if (bound.kind == kind) {
        return Optional.of(bound);
      }
    }
    return Optional.empty();
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

  /** How much a remedy of this bound allows. */
  int amount(String remedy) {
    return Integer.parseInt(remedy.substring(start.length()));
  }

  /** Whether what is beyond it is not told, so that it has to be learned in another round. */
  boolean hides() {
    return this == CLASSES || this == REFERENCES || this == PROXIES;
  }

  /** The line that allows so much. */
  String line(int amount) {
    return start + amount;
  }

  /** What speaks against a message that exceeds it. */
  Objection exceeded(Finding finding) {
    return new Objection(
        Objection.Rule.STREAM, finding.kind() + " " + finding.subject(), remedy(finding.subject()));
  }

  /** What speaks against a message that has this count of it. */
  Objection exceeded(long count) {
    return new Objection(Objection.Rule.STREAM, kind.name(), remedyFor(count));
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
}
