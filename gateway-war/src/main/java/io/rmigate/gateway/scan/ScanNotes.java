package io.rmigate.gateway.scan;

import io.rmigate.gateway.scan.ScanResult.Figures;
import io.rmigate.protocol.LogText;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.StreamClass;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The results of a scan so far, for a message and the streams in it. Confined to the scanning
 * thread.
 */
final class ScanNotes {
  private static final int MAX_SUBJECT_CHARACTERS = 200;

  /** Names that are read even of a message with few bytes. */
  private static final int FREE_NAMES = 128;

  /**
   * Bytes of the message for each further name that is read. Names are longer than half of that,
   * and are repeated only in nested streams, with objects.
   */
  private static final int NAME_BYTES = 32;

  /** Codebases that are dropped even of few bytes, because those of a stream stand before it. */
  private static final int FREE_DROPS = 4096;

  /** Things in one piece whose place is noted; the first one refuses the message. */
  private static final int MOST_LATE_PLACES = 16;

  private static final ScanResult NOTHING_TOLD =
      new ScanResult(
          new MessageEnd.Complete(0),
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          new Figures(0, 0, 0, 0, 0, 0));

  private final ScanLimits limits;

  // Two of them, which are looked at for every object.
  private final int mostObjects;
  private final int mostDepth;

  private final SeenClasses classes = new SeenClasses();

  /** Number of names that were read. */
  private int names;

  /** Bytes that were cut out of the message, before the rest. */
  private long forgotten;

  private List<String> latestInterfaces = List.of();

  /** Hash codes of the different lists of interfaces, in stream order. Null until there is one. */
  private Set<Long> proxyClasses;

  /** The references that were reported; null until there is one. */
  private ToldReferences references;

  // Most messages have none of these: then the shared empty collections.
  private List<Finding> findings = List.of();

  /** By kind: the subjects of the findings, as they were told and as they are printed. */
  private Map<Finding.Kind, Set<String>> subjects = Map.of();

  /** The latest result that reported something new. */
  private ScanResult told = NOTHING_TOLD;

  /** The latest result, which tells what {@link #told} does; null before the first. */
  private ScanResult latest;

  /**
   * Whether notes have been added since: messages may come byte by byte, and most bytes add none.
   */
  private boolean newlyNoted;

  private int objects;
  private int depth;
  private int longestArray;
  private int nestedStreams;
  private long hashingSteps;

  /** The keys of hashed containers; null until there is such a container. */
  private KeyChains chains;

  /** Places of the findings that were noted late; null where no caller wants places. */
  private LatePlaces latePlaces;

  /** Places in a message of which a part was cut out. */
  private static final class LatePlaces {
    private final StreamInspector outermost;
    private final List<LatePlace> places = new ArrayList<>();

    /** Whether the places are of notes since the last result. */
    private boolean areLatest;

    LatePlaces(StreamInspector outermost) {
      this.outermost = outermost;
    }

    void add(Object seen) {
      if (!areLatest) {
        places.clear();
        areLatest = true;
      }
      if (places.size() < MOST_LATE_PLACES) {
        places.add(new LatePlace(seen, outermost.topObjects(), outermost.place()));
      }
    }
  }

  /**
   * @param number of the object of the message itself, from 1
   * @param classes around it
   */
  private record LatePlace(Object seen, int number, String classes) {}

  /** Whether codebases are dropped from annotations, and not found. */
  private final boolean dropsCodebases;

  /** The dropped codebases; null until there is one. */
  private DroppedCodebases dropped;

  private int drops;

  ScanNotes(ScanLimits limits, boolean dropsCodebases) {
    this.limits = limits;
    this.dropsCodebases = dropsCodebases;
    this.mostObjects = limits.objects();
    this.mostDepth = limits.depth();
  }

  ScanLimits limits() {
    return limits;
  }

  boolean dropsCodebases() {
    return dropsCodebases;
  }

  /** The codebases that are dropped; to be added to. */
  DroppedCodebases toDrop() {
    dropped = dropped == null ? new DroppedCodebases() : dropped;
    return dropped;
  }

  /** Takes a codebase. */
  void dropString(int from, int to) {
    if (mayDrop(from)) {
      toDrop().string(from, to);
    }
  }

  /** Takes a reference to one. */
  void dropReference(int from) {
    if (mayDrop(from)) {
      toDrop().reference(from);
    }
  }

  /** Honest senders write one codebase for each class, and a class takes some bytes. */
  private boolean mayDrop(int at) {
    if (drops < FREE_DROPS + (forgotten + at) / NAME_BYTES) {
      drops++;
      return true;
    }
    findMoreThan(FREE_DROPS, Finding.Kind.TOO_MANY_CLASSES, at);
    return false;
  }

  /** Codebases of the message so far that are dropped. */
  DroppedCodebases dropped() {
    return dropped == null ? DroppedCodebases.NONE : dropped;
  }

  void add(SeenClass seen, int at) {
    if (!classes.contains(seen)) {
      if (!mayTellMore(classes.size(), limits.classes(), Finding.Kind.TOO_MANY_CLASSES, at)) {
        return;
      }
      classes.add(seen);
      note(seen);
    }
  }

  /** Whether another name may be read and told; it is noted if not. */
  boolean mayRead(int at) {
    if (roomForNames(at) > 0) {
      names++;
      return true;
    }
    findNoRoom(at);
    return false;
  }

  /** No name more is read: there are too many classes, or too many names for so few bytes. */
  private void findNoRoom(int at) {
    if (classes.size() >= limits.classes()) {
      findMoreThan(limits.classes(), Finding.Kind.TOO_MANY_CLASSES, at);
    } else {
      find(Finding.Kind.TOO_MANY_CLASSES, "more than its bytes have room for", at);
    }
  }

  /**
   * Whether one more of something is told; that there are more than may be is a finding.
   *
   * @param before how many were told
   */
  private boolean mayTellMore(int before, int most, Finding.Kind kind, int at) {
    if (before < most) {
      return true;
    }
    findMoreThan(most, kind, at);
    return false;
  }

  private int roomForNames(int at) {
    boolean full = classes.size() >= limits.classes();
    long room = FREE_NAMES + (forgotten + at) / NAME_BYTES - names;
    return full ? 0 : (int) Math.max(0, Math.min(Integer.MAX_VALUE, room));
  }

  /** Bytes of the message were cut out: positions count from behind them. */
  void forget(int count) {
    forgotten += count;
  }

  /**
   * Notes the interfaces of a proxy. A few bytes can name an interface again and again, so the
   * names of all proxies together are limited. Consecutive stubs of the same kind count once, and
   * the descriptor of a proxy in an honest message is longer than the limit needs.
   */
  void addInterfaces(StreamClass proxy, int at) {
    if (proxy.hasInterfaces(latestInterfaces)) {
      return;
    }
    int room = roomForNames(at);
    if (room == 0) {
      findNoRoom(at);
      return;
    }
    List<String> interfaces = proxy.interfaces(room + 1);
    names += interfaces.size();
    if (interfaces.size() > room) {
      findNoRoom(at);
      interfaces = interfaces.subList(0, room);
    }
    for (String name : interfaces) {
      add(new SeenClass(name, SeenClass.Role.PROXY_INTERFACE, true), at);
    }
    latestInterfaces = interfaces;
    addProxyClass(ProxyClassHash.of(interfaces), at);
  }

  /**
   * A receiver makes a class of each list, another one where the same names are in another order.
   */
  private void addProxyClass(long hash, int at) {
    proxyClasses = proxyClasses == null ? new LinkedHashSet<>() : proxyClasses;
    if (!proxyClasses.contains(hash)
        && mayTellMore(
            proxyClasses.size(), limits.proxyClasses(), Finding.Kind.TOO_MANY_PROXY_CLASSES, at)) {
      proxyClasses.add(hash);
      newlyNoted = true;
    }
  }

  void add(SeenReference seen, int at) {
    references = references == null ? new ToldReferences() : references;
    if (mayTellMore(references.size(), limits.references(), Finding.Kind.TOO_MANY_REFERENCES, at)) {
      references.add(seen);
      note(seen);
    }
  }

  /**
   * Keeps a finding; {@code subject} may hold anything. A few bytes are enough to find the same
   * again, of a class with a name as long as a name can be: its hash code is computed once.
   */
  void find(Finding.Kind kind, String subject, int at) {
    Set<String> known = subjects.getOrDefault(kind, Set.of());
    if (findings.size() > limits.findings() || known.contains(subject)) {
      return;
    }
    String printable = printable(subject);
    if (known.contains(printable)) {
      return;
    }
    if (findings.size() == limits.findings()) {
      keep(Finding.Kind.TOO_MANY_FINDINGS, "more than " + limits.findings(), at);
    } else {
      keep(kind, printable, at);
      subjects.get(kind).add(subject);
    }
  }

  private void keep(Finding.Kind kind, String printable, int at) {
    if (findings.isEmpty()) {
      findings = new ArrayList<>();
      subjects = new EnumMap<>(Finding.Kind.class);
    }
    Finding finding = new Finding(kind, printable, at);
    findings.add(finding);
    subjects.computeIfAbsent(kind, first -> new HashSet<>()).add(printable);
    note(finding);
  }

  /**
   * Takes note of something new. In a message of which a part has been cut out, its place cannot be
   * found later; so the enclosing classes are noted with it.
   */
  private void note(Object seen) {
    newlyNoted = true;
    if (forgotten > 0 && latePlaces != null) {
      latePlaces.add(seen);
    }
  }

  /** Whether anything has been noted since the last result. */
  boolean hasNews() {
    return newlyNoted;
  }

  /** See {@link ScanResult.Figures#keys}. */
  long keys() {
    return chains == null ? 0 : chains.keys();
  }

  /** Takes the places of notes from this inspector, once a part of the message has been cut out. */
  void placesBy(StreamInspector inspector) {
    latePlaces = new LatePlaces(inspector);
  }

  /** Whether a part of the message has been cut out. */
  boolean isCut() {
    return forgotten > 0;
  }

  /**
   * Where the first thing of the latest piece stands that is looked for; empty: not known.
   *
   * @param isReply the message has one object at most
   */
  String latePlace(Predicate<ScanResult> sought, boolean isReply) {
    for (LatePlace late : latePlaces.places) {
      Figures figures = new Figures(0, 0, 0, 0, 0, 0);
      ScanResult one =
          new ScanResult(
              new MessageEnd.Truncated(),
              late.seen() instanceof SeenClass type ? List.of(type) : List.of(),
              List.of(),
              late.seen() instanceof SeenReference reference ? List.of(reference) : List.of(),
              late.seen() instanceof Finding finding ? List.of(finding) : List.of(),
              figures);
      if (sought.test(one)) {
        String object = isReply ? "reply" : "object " + late.number();
        return late.classes().isEmpty() ? object : object + ": " + late.classes();
      }
    }
    return "";
  }

  /** Notes once that there is more of something than permitted. */
  void findMoreThan(int most, Finding.Kind kind, int at) {
    if (!subjects.containsKey(kind)) {
      find(kind, "more than " + most, at);
    }
  }

  /** The beginning of a text of the message's, fit for one line of a log. */
  static String printable(String subject) {
    int length = Math.min(subject.length(), MAX_SUBJECT_CHARACTERS);
    String start = LogText.of(subject.substring(0, length));
    return length < subject.length() ? start + "..." : start;
  }

  /** Counts an object, by the number of objects around it. */
  void countObject(int around, int at) {
    if (++objects > mostObjects) {
      countBeyond(at);
    }
    if (around > depth) {
      depth = around;
      if (depth == mostDepth + 1) {
        findMoreThan(limits.depth(), Finding.Kind.TOO_DEEP, at);
      }
    }
  }

  private void countBeyond(int at) {
    int before = objects - 1;
    if (before == mostObjects) {
      findMoreThan(mostObjects, Finding.Kind.TOO_MANY_OBJECTS, at);
    } else if (limits.goesOn()
        && before % mostObjects == 0
        && Integer.bitCount(before / mostObjects) == 1) {
      find(Finding.Kind.TOO_MANY_OBJECTS, "more than " + before, at);
    }
  }

  void countArray(int length) {
    longestArray = Math.max(longestArray, length);
  }

  void countNestedStream() {
    nestedStreams++;
  }

  /** Counts steps of hashing that a receiver takes. */
  void countHashing(long steps) {
    hashingSteps = UnfoldedSizes.sum(hashingSteps, steps);
  }

  /** The steps of hashing so far. */
  long hashingSteps() {
    return hashingSteps;
  }

  /** Costs of keys, in all streams of the message. */
  KeyChains chains() {
    if (chains == null) {
      chains = new KeyChains();
    }
    return chains;
  }

  /** About as many bytes as are taken by the references that were told, and by what is dropped. */
  long rememberedBytes() {
    return (references == null ? 0 : references.bytes()) + dropped().bytes();
  }

  /** The result, once all of the message has been seen that will be. */
  ScanResult result(MessageEnd end, long messageBytes) {
    return result(end, messageBytes, 0);
  }

  /**
   * The result so far.
   *
   * @param stepsAhead the steps of hashing that were counted for bytes which have not come yet
   */
  ScanResult result(MessageEnd end, long messageBytes, long stepsAhead) {
    if (hashingSteps - stepsAhead > limits.hashingSteps() + 8 * messageBytes) {
      findHashing(hashingSteps, "steps");
    }
    if (chains != null && chains.comparisons() > limits.comparisons() + 8 * messageBytes) {
      findHashing(chains.comparisons(), "comparisons");
    }
    if (latePlaces != null) {
      latePlaces.areLatest = false;
    }
    if (isLatest(end)) {
      return latest;
    }
    Figures figures =
        new Figures(objects, depth, longestArray, nestedStreams, hashingSteps, keys());
    if (newlyNoted) {
      List<SeenReference> seen = references == null ? List.of() : references.view();
      List<Long> proxies = proxyClasses == null ? List.of() : List.copyOf(proxyClasses);
      told = new ScanResult(end, classes.all(), proxies, seen, findings, figures, dropped());
      newlyNoted = false;
      latest = told;
      return told;
    }
    latest =
        new ScanResult(
            end,
            told.classes(),
            told.proxyClasses(),
            told.references(),
            told.findings(),
            figures,
            dropped());
    return latest;
  }

  /** Whether the latest result says what is to be said: most calls are as the ones before. */
  private boolean isLatest(MessageEnd end) {
    if (newlyNoted || latest == null || latest.dropped() != dropped()) {
      return false;
    }
    Figures its = latest.figures();
    return its.objects() == objects
        && its.depth() == depth
        && its.longestArray() == longestArray
        && its.nestedStreams() == nestedStreams
        && its.hashingSteps() == hashingSteps
        && its.keys() == keys()
        && latest.end().equals(end);
  }

  /** A message may come in pieces, and be told to take more with each: then by powers of two. */
  private void findHashing(long count, String what) {
    if (count == Long.MAX_VALUE || (limits.goesOn() && count > Integer.MAX_VALUE)) {
      find(Finding.Kind.TOO_MUCH_HASHING, "beyond counting", 0);
    } else if (limits.goesOn()) {
      find(Finding.Kind.TOO_MUCH_HASHING, Long.highestOneBit(count) * 2 + " " + what, 0);
    } else if (!subjects.containsKey(Finding.Kind.TOO_MUCH_HASHING)) {
      find(Finding.Kind.TOO_MUCH_HASHING, count + " " + what, 0);
    }
  }

  /** Whether nothing but figures was noted. */
  boolean isBlank() {
    return told.tells() == 0 && !newlyNoted && chains == null && names == 0 && dropped == null;
  }

  /** Prepares the notes for another message; only while {@link #isBlank}. */
  void restart() {
    objects = 0;
    depth = 0;
    longestArray = 0;
    nestedStreams = 0;
    hashingSteps = 0;
  }
}
