package io.rmigate.gateway.scan;

import io.rmigate.gateway.scan.ScanResult.Figures;
import io.rmigate.protocol.jrmp.MessageEnd;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a scan has told so far of a message and the streams in it. Confined to the scanning thread.
 */
final class ScanNotes {
  private static final int MAX_SUBJECT_CHARACTERS = 200;
  private static final int FEW_CLASSES = 12;

  private final ScanLimits limits;
  private final List<SeenClass> classes = new ArrayList<>(4);

  /** The same, from the number on with which looking through a list takes longer. */
  private Set<SeenClass> manyClasses = Set.of();

  private final List<SeenReference> references = new ArrayList<>(2);
  private final List<Finding> findings = new ArrayList<>(0);

  /** What was told last; the same lists again where nothing has come to them. */
  private ScanResult latest;

  private int objects;
  private int depth;
  private int longestArray;
  private int nestedStreams;
  private long hashingSteps;

  ScanNotes(ScanLimits limits) {
    this.limits = limits;
  }

  ScanLimits limits() {
    return limits;
  }

  void add(SeenClass seen, int at) {
    if (!isKnown(seen)) {
      if (classes.size() == limits.classes()) {
        find(Finding.Kind.TOO_MANY_CLASSES, "more than " + limits.classes(), at);
        return;
      }
      classes.add(seen);
      if (classes.size() == FEW_CLASSES) {
        manyClasses = new HashSet<>(classes);
      } else if (classes.size() > FEW_CLASSES) {
        manyClasses.add(seen);
      }
    }
  }

  private boolean isKnown(SeenClass seen) {
    return classes.size() < FEW_CLASSES ? classes.contains(seen) : manyClasses.contains(seen);
  }

  /** Whether another class may be told; it is noted if not. Names are not worth decoding then. */
  boolean hasRoomForClasses(int at) {
    if (classes.size() < limits.classes()) {
      return true;
    }
    find(Finding.Kind.TOO_MANY_CLASSES, "more than " + limits.classes(), at);
    return false;
  }

  void add(SeenReference seen, int at) {
    if (references.size() < limits.references()) {
      references.add(seen);
    } else {
      find(Finding.Kind.TOO_MANY_REFERENCES, "more than " + limits.references(), at);
    }
  }

  /** Keeps a finding; {@code subject} may hold anything. */
  void find(Finding.Kind kind, String subject, int at) {
    if (findings.size() == limits.findings()) {
      return;
    }
    String printable = printable(subject);
    for (Finding known : findings) {
      if (known.kind() == kind && known.subject().equals(printable)) {
        return;
      }
    }
    findings.add(new Finding(kind, printable, at));
  }

  private static String printable(String subject) {
    int length = Math.min(subject.length(), MAX_SUBJECT_CHARACTERS);
    StringBuilder line = null;
    for (int i = 0; i < length; i++) {
      char c = subject.charAt(i);
      if (c < ' ' || c > '~') {
        line = line == null ? new StringBuilder(subject.substring(0, length)) : line;
        line.setCharAt(i, '?');
      }
    }
    String start = line == null ? subject.substring(0, length) : line.toString();
    return length < subject.length() ? start + "..." : start;
  }

  /** One more object, with so many around it. */
  void countObject(int around, int at) {
    if (++objects == limits.objects() + 1) {
      find(Finding.Kind.TOO_MANY_OBJECTS, "more than " + limits.objects(), at);
    }
    if (around > depth) {
      depth = around;
      if (depth == limits.depth() + 1) {
        find(Finding.Kind.TOO_DEEP, "more than " + limits.depth(), at);
      }
    }
  }

  void countArray(int length) {
    longestArray = Math.max(longestArray, length);
  }

  void countNestedStream() {
    nestedStreams++;
  }

  /** A receiver computes so many hash codes more. */
  void countHashing(long steps) {
    hashingSteps = Unfolding.sum(hashingSteps, steps);
  }

  /** The result, once all of the message has been seen that will be. */
  ScanResult result(MessageEnd end, long messageBytes) {
    if (hashingSteps > limits.hashingSteps() + 8 * messageBytes) {
      find(
          Finding.Kind.TOO_MUCH_HASHING,
          hashingSteps == Long.MAX_VALUE ? "beyond counting" : hashingSteps + " steps",
          0);
    }
    Figures figures = new Figures(objects, depth, longestArray, nestedStreams, hashingSteps);
    latest =
        latest != null && told(latest) == classes.size() + references.size() + findings.size()
            ? new ScanResult(end, latest.classes(), latest.references(), latest.findings(), figures)
            : new ScanResult(end, classes, references, findings, figures);
    return latest;
  }

  private static int told(ScanResult result) {
    return result.classes().size() + result.references().size() + result.findings().size();
  }
}
