package io.rmigate.gateway.scan;

import io.rmigate.gateway.scan.ScanResult.Figures;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.StreamClass;
import java.util.ArrayList;
import java.util.List;

/**
 * What a scan has told so far of a message and the streams in it. Confined to the scanning thread.
 */
final class ScanNotes {
  private static final int MAX_SUBJECT_CHARACTERS = 200;

  /** So many names are read in however few bytes. */
  private static final int FREE_NAMES = 128;

  /**
   * With so many more bytes in front of it one name more is read. Names are longer than half of
   * that, and come again in streams of their own only, with objects.
   */
  private static final int NAME_BYTES = 32;

  private final ScanLimits limits;

  // Two of them, which are looked at for every object.
  private final int mostObjects;
  private final int mostDepth;

  private final SeenClasses classes = new SeenClasses();

  /** How many names were read. */
  private int names;

  /** Bytes of the message that stood before those which are there still. */
  private long forgotten;

  private List<String> latestInterfaces = List.of();

  // Most messages have none of these: then lists that are nobody's.
  private List<SeenReference> references = List.of();
  private List<Finding> findings = List.of();

  /** Those of the findings, as they were told. */
  private List<String> subjects = List.of();

  private List<SeenClass> toldClasses = List.of();
  private List<SeenReference> toldReferences = List.of();
  private List<Finding> toldFindings = List.of();
  private int objects;
  private int depth;
  private int longestArray;
  private int nestedStreams;
  private long hashingSteps;

  ScanNotes(ScanLimits limits) {
    this.limits = limits;
    this.mostObjects = limits.objects();
    this.mostDepth = limits.depth();
  }

  ScanLimits limits() {
    return limits;
  }

  void add(SeenClass seen, int at) {
    if (!classes.contains(seen)) {
      if (classes.size() == limits.classes()) {
        findMoreThan(limits.classes(), Finding.Kind.TOO_MANY_CLASSES, at);
        return;
      }
      classes.add(seen);
    }
  }

  /** Whether another name may be read and told; it is noted if not. */
  boolean mayRead(int at) {
    if (roomForNames(at) > 0) {
      names++;
      return true;
    }
    findMoreThan(limits.classes(), Finding.Kind.TOO_MANY_CLASSES, at);
    return false;
  }

  private int roomForNames(int at) {
    boolean full = classes.size() == limits.classes();
    long room = FREE_NAMES + (forgotten + at) / NAME_BYTES - names;
    return full ? 0 : (int) Math.max(0, Math.min(Integer.MAX_VALUE, room));
  }

  /** So many bytes of the message were cut out: positions count from behind them. */
  void forget(int count) {
    forgotten += count;
  }

  /**
   * Those of a proxy. Each is read, the same one again and again, too, of which a few bytes make a
   * name: there is a limit to all together, but stubs of the same kind one after the other are one,
   * and all of a proxy's descriptor and of what is with it in honest messages is longer.
   */
  void addInterfaces(StreamClass proxy, int at) {
    if (proxy.hasInterfaces(latestInterfaces)) {
      return;
    }
    int room = roomForNames(at);
    if (room == 0) {
      findMoreThan(limits.classes(), Finding.Kind.TOO_MANY_CLASSES, at);
      return;
    }
    List<String> interfaces = proxy.interfaces(room + 1);
    names += interfaces.size();
    if (interfaces.size() > room) {
      findMoreThan(limits.classes(), Finding.Kind.TOO_MANY_CLASSES, at);
      interfaces = interfaces.subList(0, room);
    }
    for (String name : interfaces) {
      add(new SeenClass(name, SeenClass.Role.PROXY_INTERFACE, true), at);
    }
    latestInterfaces = interfaces;
  }

  void add(SeenReference seen, int at) {
    if (references.size() < limits.references()) {
      references = references.isEmpty() ? new ArrayList<>() : references;
      references.add(seen);
    } else {
      findMoreThan(limits.references(), Finding.Kind.TOO_MANY_REFERENCES, at);
    }
  }

  /**
   * Keeps a finding; {@code subject} may hold anything. A few bytes are enough to find the same
   * again, of a class with a name as long as a name can be: that is seen by the name's identity.
   */
  void find(Finding.Kind kind, String subject, int at) {
    if (findings.size() == limits.findings() || isFound(kind, subject)) {
      return;
    }
    String printable = printable(subject);
    for (Finding known : findings) {
      if (known.kind() == kind && known.subject().equals(printable)) {
        return;
      }
    }
    if (findings.isEmpty()) {
      findings = new ArrayList<>();
      subjects = new ArrayList<>();
    }
    findings.add(new Finding(kind, printable, at));
    subjects.add(subject);
  }

  @SuppressWarnings("ReferenceEquality") // what is equal but not the same is found by its beginning
  private boolean isFound(Finding.Kind kind, String subject) {
    for (int i = 0; i < subjects.size(); i++) {
      if (subjects.get(i) == subject && findings.get(i).kind() == kind) {
        return true;
      }
    }
    return false;
  }

  /** There is more of something than so many; noted once. */
  void findMoreThan(int most, Finding.Kind kind, int at) {
    for (Finding known : findings) {
      if (known.kind() == kind) {
        return;
      }
    }
    find(kind, "more than " + most, at);
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
    if (++objects == mostObjects + 1) {
      findMoreThan(limits.objects(), Finding.Kind.TOO_MANY_OBJECTS, at);
    }
    if (around > depth) {
      depth = around;
      if (depth == mostDepth + 1) {
        findMoreThan(limits.depth(), Finding.Kind.TOO_DEEP, at);
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
    toldClasses = classes.toldAfter(toldClasses);
    toldReferences = told(toldReferences, references);
    toldFindings = told(toldFindings, findings);
    return new ScanResult(
        end,
        toldClasses,
        toldReferences,
        toldFindings,
        new Figures(objects, depth, longestArray, nestedStreams, hashingSteps));
  }

  /** What was told before, if nothing has been noted since: messages may come byte by byte. */
  private static <T> List<T> told(List<T> before, List<T> now) {
    return before.size() == now.size() ? before : List.copyOf(now);
  }
}
