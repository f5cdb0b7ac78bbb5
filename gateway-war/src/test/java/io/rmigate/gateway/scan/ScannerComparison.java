package io.rmigate.gateway.scan;

import com.sun.management.ThreadMXBean;
import io.rmigate.gateway.scan.Finding.Kind;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.MessageGrammar;
import io.rmigate.protocol.jrmp.ReadSequence;
import io.rmigate.protocol.jrmp.StreamClass;
import io.rmigate.protocol.jrmp.StreamObserver;
import java.io.ObjectStreamConstants;
import java.lang.management.ManagementFactory;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * T05: the scanner beside the JDK's own reader with the real classes, stream after stream, and what
 * a scan has cost at most. Of what the scanner calls clean, the JDK asks for no class that the
 * scanner has not told of, what is marshalled in it included; each object that it reads begins for
 * both at the same byte; it never takes what stands behind for a part of it, nor does it ask for
 * another class where it lacks that of some Externalizables; and what it reads without an error
 * ends for both at the same byte. A message that is not clean is refused, so that no receiver reads
 * it. Confined to one thread.
 */
final class ScannerComparison {
  private static final int CALL_CONTENTS_AT = 41;
  private static final byte[] RETURN_HEADER =
      HexFormat.of().parseHex("51aced0005770f01" + "00".repeat(14));
  private static final Set<Byte> NO_OBJECTS =
      Set.of(
          ObjectStreamConstants.TC_BLOCKDATA,
          ObjectStreamConstants.TC_BLOCKDATALONG,
          ObjectStreamConstants.TC_RESET);
  private static final long WORTH_ANOTHER_LOOK_NANOS = 500_000;
  private static final int FREE_BYTES = 1 << 20;

  /** Until then classes are loaded, which costs once. */
  private static final int WARM_UP = 1000;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final StreamScanner scanner;

  /** By the class. */
  private final Map<String, ReadSequence> sequences;

  /** One after the other, as a gateway scans them: nothing may be told of the wrong one. */
  private final StreamScanner.RequestScans scans;

  /** Where replies are cut. */
  private final Random random;

  /** As in {@code JudgedMessage}. */
  private static final int SHORT_BYTES = 1024;

  private final StreamScanner.ReplyScans replies;

  private long streams;
  private long measured;
  private long clean;
  private long lacking;
  private long accepted;
  private long acceptedWithReferences;
  private long unmarshalled;
  private long completeThoughForgotten;
  private long slowestNanos;
  private long mostBytes;
  private double largestShare = Double.NEGATIVE_INFINITY;

  ScannerComparison(StreamScanner scanner, Map<String, ReadSequence> sequences, Random random) {
    this.scanner = scanner;
    this.sequences = sequences;
    this.scans = scanner.requests();
    this.replies = scanner.longReplies();
    this.random = random;
    byte[] first = CallsOnly.EMPTY;
    scans.scan(first, 0, first.length); // what is made once
  }

  private static final class CallsOnly {
    static final byte[] EMPTY = HandWritten.call().toByteArray();
  }

  /** Streams so far. */
  long streams() {
    return streams;
  }

  /** Those of which the JDK's reader was asked. */
  long clean() {
    return clean;
  }

  /** Those of them that were also read without some of their Externalizables' classes. */
  long lacking() {
    return lacking;
  }

  /** Those that it has read to their end. */
  long accepted() {
    return accepted;
  }

  /** Those of them with references. */
  long acceptedWithReferences() {
    return acceptedWithReferences;
  }

  /** What was marshalled in clean streams and has been read, too. */
  long unmarshalled() {
    return unmarshalled;
  }

  /** Replies of which something was cut out while they came, and which were read to their end. */
  long completeThoughForgotten() {
    return completeThoughForgotten;
  }

  /** Long ones. */
  long measured() {
    return measured;
  }

  /**
   * The longest CPU time a scan has taken, for each MiB that its stream has begun; of a long time
   * the shortest of three.
   */
  long slowestNanos() {
    return slowestNanos;
  }

  /** What one scan has allocated at most. */
  long mostBytes() {
    return mostBytes;
  }

  /**
   * What one scan has allocated beyond the first MiB, in relation to the stream's length; negative
   * below it.
   */
  double largestShare() {
    return largestShare;
  }

  /**
   * Compares once more.
   *
   * @throws AssertionError there is a difference, or the scanner has failed; its message holds the
   *     stream
   */
  void compare(byte[] call) {
    streams++;
    try {
      ScanResult result = scan(call);
      if (streams % 16 == 0 && call.length > CALL_CONTENTS_AT) {
        compareReplies(call);
      }
      if (result.isClean(call.length) && call[0] == 0x50 && !listensWhenRead(result)) {
        clean++;
        compareWithTheJdk(call, result);
      }
    } catch (RuntimeException | Error e) {
      throw new AssertionError(
          e.getMessage() + " with stream " + streams + ": " + HexFormat.of().formatHex(call), e);
    }
  }

  /** Only scans once more, one that would take the JDK's reader too much. */
  ScanResult measure(byte[] call) {
    streams++;
    measured++;
    return scan(call);
  }

  private ScanResult scan(byte[] call) {
    long allocatedBefore = THREADS.getCurrentThreadAllocatedBytes();
    long begun = THREADS.getCurrentThreadCpuTime();
    ScanResult result = scans.scan(call, 0, call.length);
    long nanos = THREADS.getCurrentThreadCpuTime() - begun;
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - allocatedBefore;
    largestShare = Math.max(largestShare, (double) (allocated - FREE_BYTES) / call.length);
    if (streams > WARM_UP) {
      mostBytes = Math.max(mostBytes, allocated);
      noteTime(call, nanos);
    }
    return result;
  }

  /** It may have run before it was compiled. */
  private void noteTime(byte[] call, long first) {
    long nanos = first;
    for (int again = 0; again < 2 && nanos > WORTH_ANOTHER_LOOK_NANOS; again++) {
      long begun = THREADS.getCurrentThreadCpuTime();
      scans.scan(call, 0, call.length);
      nanos = Math.min(nanos, THREADS.getCurrentThreadCpuTime() - begun);
    }
    slowestNanos = Math.max(slowestNanos, nanos / (1 + call.length / FREE_BYTES));
  }

  private void compareWithTheJdk(byte[] call, ScanResult result) {
    boolean references = !result.references().isEmpty();
    // Within what is marshalled the JDK calls the collectors of references: for no test to do.
    boolean externalizables =
        result.classes().stream().anyMatch(type -> sequences.containsKey(type.name()));
    // In one of these there may be an object of an absent class, and more behind it.
    JdkReader.Outcome read =
        externalizables
            ? JdkReader.receiveUntilAbsent(call, !references)
            : JdkReader.receive(call, !references);
    unmarshalled += read.unmarshalled();
    boolean whole = read.failure().isEmpty();
    accepted += whole ? 1 : 0;
    acceptedWithReferences += whole && references ? 1 : 0;
    if (read.beyond()) {
      throw new IllegalStateException("read beyond the end: " + read.failure());
    }
    List<Integer> begun = objectsAt(call);
    boolean same =
        whole
            ? read.objectsAt().equals(begun)
            : read.objectsAt().size() <= begun.size()
                && read.objectsAt().equals(begun.subList(0, read.objectsAt().size()));
    if (!same) {
      throw new IllegalStateException("objects at " + begun + ", for the JDK " + read.objectsAt());
    }
    expectNoneMissed(read, result);
    Set<String> absent = someExternalizables(result);
    if (!absent.isEmpty()) {
      lacking++;
      expectNoneMissed(JdkReader.receiveWithout(absent, call), result);
    }
  }

  private static void expectNoneMissed(JdkReader.Outcome read, ScanResult result) {
    Set<String> missed = new TreeSet<>(read.resolved());
    missed.removeAll(result.classes().stream().map(SeenClass::name).collect(Collectors.toSet()));
    if (!missed.isEmpty()) {
      throw new IllegalStateException("missed " + missed);
    }
  }

  /** Classes that a receiver may lack, of those in a stream whose reads are derived. */
  private Set<String> someExternalizables(ScanResult result) {
    return result.classes().stream()
        .map(SeenClass::name)
        .filter(name -> sequences.containsKey(name) && random.nextInt(3) > 0)
        .collect(Collectors.toSet());
  }

  /** A port is opened for such an object, which no client has a reason to send. */
  private static boolean listensWhenRead(ScanResult result) {
    return result.classes().stream()
        .anyMatch(type -> type.name().equals(UnicastRemoteObject.class.getName()));
  }

  /** Where each object of a Call itself begins for the grammar. */
  private List<Integer> objectsAt(byte[] call) {
    List<Integer> begun = new ArrayList<>();
    MessageGrammar.endOfRequest(
        call,
        0,
        call.length,
        new StreamObserver() {
          @Override
          public void onContent(int at) {
            if (!NO_OBJECTS.contains(call[at])) {
              begun.add(at);
            }
          }

          @Override
          public ReadSequence readSequence(StreamClass type) {
            return sequences.get(type.name());
          }
        });
    return begun;
  }

  /** Compares these contents as a reply that comes in pieces, be it kept as a whole or not. */
  private void compareReplies(byte[] call) {
    byte[] reply = new byte[RETURN_HEADER.length + call.length - CALL_CONTENTS_AT];
    System.arraycopy(RETURN_HEADER, 0, reply, 0, RETURN_HEADER.length);
    System.arraycopy(
        call, CALL_CONTENTS_AT, reply, RETURN_HEADER.length, call.length - CALL_CONTENTS_AT);
    ScanResult whole = scanner.reply(reply, 0, reply.length);
    compareInPieces(reply, whole);
    compareForgetting(reply, whole);
    compareInTheSameMemory(reply);
  }

  /** Nothing of the replies before is told. */
  private void compareInTheSameMemory(byte[] reply) {
    ScanResult fresh = scanner.longReply().more(reply, reply.length, reply.length);
    StreamScanner.GrowingScan scan = replies.next();
    ScanResult told = scan.more(reply, reply.length, reply.length);
    if (!told.equals(fresh)) {
      throw new IllegalStateException("behind other replies " + told + ", alone " + fresh);
    }
    if (reply.length <= SHORT_BYTES
        && told.end() instanceof MessageEnd.Complete complete
        && complete.end() == reply.length) {
      replies.onOver(scan);
    }
  }

  /** What comes in pieces is told as if it had come at once. */
  private void compareInPieces(byte[] reply, ScanResult whole) {
    StreamScanner.GrowingScan growing = scanner.growingReply();
    ScanResult told = null;
    for (int length = 0; length < reply.length && mayGoOn(told); ) {
      length = endOfPiece(reply, length);
      told = growing.more(reply, length, reply.length);
    }
    boolean same =
        mayGoOn(whole)
            ? told.equals(whole) || withoutHashing(told).equals(withoutHashing(whole))
            : !mayGoOn(told);
    if (!same) {
      throw new IllegalStateException("in pieces " + told + ", at once " + whole);
    }
  }

  private int endOfPiece(byte[] reply, int begin) {
    int piece = 1 + random.nextInt(random.nextInt(4) == 0 ? reply.length : 20);
    return Math.min(reply.length, begin + piece);
  }

  /**
   * Compares a reply with parts cut out wherever that is permitted. An array may be told of which a
   * whole message would have to hold more; a type may be that of a string which is not there any
   * more.
   */
  private void compareForgetting(byte[] reply, ScanResult whole) {
    StreamScanner.GrowingScan scan = scanner.longReply();
    byte[] kept = {};
    int forgotten = 0;
    int end = -1;
    ScanResult told = null;
    for (int length = 0; length < reply.length && mayGoOn(told); ) {
      int next = endOfPiece(reply, length);
      int count = kept.length;
      kept = Arrays.copyOf(kept, count + next - length);
      System.arraycopy(reply, length, kept, count, next - length);
      length = next;
      told = scan.more(kept, kept.length, reply.length);
      end = told.end() instanceof MessageEnd.Complete complete ? complete.end() + forgotten : -1;
      int cut = random.nextBoolean() ? scan.forgettable() : 0;
      if (cut > 0) {
        byte[] moved = Arrays.copyOf(kept, kept.length - cut);
        int from = scan.understood();
        System.arraycopy(kept, from, moved, from - cut, kept.length - from);
        scan.forget(cut, moved);
        kept = moved;
        forgotten += cut;
      }
    }
    boolean same;
    if (whole.end() instanceof MessageEnd.Complete complete) {
      same =
          end == complete.end()
              ? told.classes().equals(whole.classes())
                  && told.references().equals(whole.references())
                  && named(told).equals(named(whole))
              : forgotten > 0 && refersToWhatIsForgotten(told, whole);
      completeThoughForgotten += forgotten > 0 && end == complete.end() ? 1 : 0;
    } else if (whole.end() instanceof MessageEnd.Truncated) {
      same = end < 0 && beginsWith(told.classes(), whole.classes());
    } else {
      same = !mayGoOn(told);
    }
    if (!same) {
      throw new IllegalStateException(
          "with " + forgotten + " bytes forgotten " + told + ", at once " + whole);
    }
  }

  private static boolean refersToWhatIsForgotten(ScanResult told, ScanResult whole) {
    return told.end() instanceof MessageEnd.Malformed malformed
        && malformed.reason().equals("the handle is not that of a string")
        && beginsWith(whole.classes(), told.classes());
  }

  private static boolean beginsWith(List<SeenClass> all, List<SeenClass> beginning) {
    return Collections.indexOfSubList(all, beginning) == 0;
  }

  /** What was found, but for what depends on how much has come or is kept. */
  private static Set<String> named(ScanResult result) {
    return result.findings().stream()
        .filter(f -> f.kind() != Kind.TOO_MUCH_HASHING)
        .filter(f -> f.kind() != Kind.CLAIMS_TOO_MUCH && f.kind() != Kind.CLAIMS_MORE_THAN_IS_KEPT)
        .map(f -> f.kind() + " " + f.subject())
        .collect(Collectors.toSet());
  }

  private static boolean mayGoOn(ScanResult told) {
    return told == null
        || told.end() instanceof MessageEnd.Complete
        || told.end() instanceof MessageEnd.Truncated;
  }

  /** That is judged by what has come so far. */
  private static ScanResult withoutHashing(ScanResult result) {
    List<Finding> others =
        result.findings().stream().filter(f -> f.kind() != Kind.TOO_MUCH_HASHING).toList();
    return new ScanResult(
        result.end(),
        result.classes(),
        result.proxyClasses(),
        result.references(),
        others,
        result.figures());
  }
}
