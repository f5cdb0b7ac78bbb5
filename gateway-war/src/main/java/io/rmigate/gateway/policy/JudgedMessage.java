package io.rmigate.gateway.policy;

import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.policy.type.ThrownExceptions;
import io.rmigate.gateway.quota.Share;
import io.rmigate.gateway.scan.DroppedCodebases;
import io.rmigate.gateway.scan.ScanResult;
import io.rmigate.gateway.scan.StreamScanner;
import io.rmigate.protocol.jrmp.MessageEnd;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A Return or a Call that is looked into as it comes: what has been understood may go on, the rest
 * is held. Of what has gone on only the descriptors of classes are kept, for what follows may refer
 * to them; so a message of any length takes no more room than they do, and what cannot be judged
 * but as a whole. Where objections are only noted nothing is held or changed, and what there is no
 * room for passes without being looked into.
 *
 * <p>Not thread-safe.
 */
public final class JudgedMessage {

  /** Kinds of messages. */
  enum Kind {
    /** A Return, which has at most one result. */
    RETURN,
    /** A Call, which has any number of arguments. */
    CALL
  }

  /** The objection to a message that would have to be held, but has no room. */
  public static final List<Objection> TOO_MUCH =
      List.of(
          new Objection(
              Objection.Rule.UNREADABLE, "the messages of all sessions take too much memory", ""));

  /** Advice for the log how to make room, because no line of the configuration does. */
  public static final String MORE_ROOM =
      "messages that are being checked take too much memory; they may take a quarter of the heap"
          + " (-Xmx), and one principal no more of it than is left for others";

  private static final List<Objection> NOT_ALONE =
      List.of(new Objection(Objection.Rule.STREAM, "bytes behind the end of a message", ""));

  /** Shorter ones take no more than the stream that they come on, and are not counted. */
  private static final int SMALL_BYTES = 4 * 1024;

  /** Number of bytes that usually come at once. */
  private static final int PIECE_BYTES = 32 * 1024;

  /** The bytes of a refused exception that are waited for, to say which it was. */
  private static final int EXCEPTION_BYTES = 64 * 1024;

  /** The scan of no longer one is of use for others: it keeps the bytes. */
  private static final int SHORT_BYTES = 1024;

  /** Minimum number of bytes that are cut out. */
  private static final int FEW_BYTES = 4 * 1024;

  private static final byte[] NOTHING = {};

  private final CallRules rules;
  private final Function<ScanResult, List<Objection>> judge;
  private final Kind kind;
  private long longest;
  private final Share room;

  /** The claims of the long arrays and strings; null where these have no bound. */
  private LongValueClaims claims;

  /** The scan of the message; null when the message is over. */
  private StreamScanner.GrowingScan scan;

  /** Takes the scan of a short message back; null where nothing does. */
  private StreamScanner.ReplyScans scans;

  /** Whether the message has come in one piece so far. */
  private boolean inOnePiece;

  /** The latest scan result that has been judged; null before the first. */
  private ScanResult last;

  /** Objections for which the message was refused. */
  private List<Objection> refused = List.of();

  /** Objections to an exception whose rest is still to come. */
  private List<Objection> postponed = List.of();

  /** Bytes that room was taken for. */
  private long counted;

  /** Bytes that have come. */
  private long total;

  /** Bytes that may be kept at once. */
  private long mostKept;

  private byte[] bytes = NOTHING;
  private int count;

  /** Bytes before this index may go on. */
  private int judged;

  /** Bytes before this index have gone on. */
  private int gone;

  /** The parts of the bytes that do not go on. */
  private DroppedCodebases dropped = DroppedCodebases.NONE;

  /** The rest passes as it comes. */
  private boolean unwatched;

  /** Whether the message may be complete with the bytes so far. */
  private boolean mayEnd;

  /** Whether the message is a complete Return with a result. */
  private boolean whole;

  /**
   * @param scan of all of it
   * @param longest bytes, long arrays and strings of one that comes in pieces apart, beyond which
   *     it is objected to
   * @param judge asked whenever there is more to be seen of it, about what has not been judged yet
   */
  JudgedMessage(
      CallRules rules,
      Share room,
      Kind kind,
      StreamScanner.GrowingScan scan,
      long longest,
      Function<ScanResult, List<Objection>> judge) {
    this.rules = rules;
    this.room = room;
    this.kind = kind;
    this.scan = scan;
    this.longest = longest;
    this.judge = judge;
  }

  /** This message, with long arrays and strings that take their bytes from a share. */
  JudgedMessage claimingFrom(Share all) {
    claims = new LongValueClaims(rules, all);
    return this;
  }

  /** This message, whose scan was given out by {@code its}, and is of use for others. */
  JudgedMessage scannedBy(StreamScanner.ReplyScans its) {
    scans = its;
    return this;
  }

  /** Whether it is not policy that speaks against a message: that holds for others another time. */
  public static boolean isForRoom(List<Objection> objections) {
    return objections.equals(TOO_MUCH) || objections.equals(LongValueClaims.TOO_MUCH);
  }

  /** Text for the log: which messages have no room, and how to make room. */
  public static String ofRoom(List<Objection> objections) {
    return objections.equals(LongValueClaims.TOO_MUCH) ? objections.get(0).subject() : MORE_ROOM;
  }

  /** The rules by which the message is judged. */
  public CallRules rules() {
    return rules;
  }

  /**
   * More has come; {@code more} is used up. What speaks against it, and has not been said before;
   * of a message that is refused it is said again and again.
   */
  public List<Objection> more(ByteBuffer more) {
    if (!refused.isEmpty()) {
      more.position(more.limit());
      return refused;
    }
    if (!more.hasRemaining()) {
      return List.of();
    }
    forget();
    if (total == 0) {
      mostKept = (long) rules.mostKept() + more.remaining(); // which has been kept already
    }
    inOnePiece = total == 0;
    total += more.remaining();
    if (!append(more)) {
      return TOO_MUCH;
    }
    if (unwatched) {
      judged = count;
      boolean bounded = claims != null && rules.enforces();
      return bounded && total - claims.taken() > longest ? rules.tooLong() : List.of();
    }
    if (whole) {
      passUnwatched();
      return NOT_ALONE;
    }
    ScanResult seen = scan.more(bytes, count, (int) Math.min(longest, rules.mostKept()));
    List<Objection> tooLong = length();
    if (!tooLong.isEmpty() && claims == null) {
      passUnwatched();
    }
    if (!tooLong.isEmpty() && (unwatched || rules.enforces())) {
      return tooLong;
    }
    List<Objection> objections = postponed.isEmpty() ? judge(seen) : postponed;
    if (isWorthWaiting(seen, objections)) {
      postponed = objections;
      refused = List.of();
      judged = 0;
      return List.of();
    }
    if (!postponed.isEmpty()) {
      return end();
    }
    if (!tooLong.isEmpty()) {
      objections = Stream.concat(tooLong.stream(), objections.stream()).toList();
    }
    dropped = seen.dropped();
    if (!rules.enforces() && !dropped.isEmpty()) {
      dropped.clear();
    }
    int end = count;
    if (seen.end() instanceof MessageEnd.Complete complete) {
      end = complete.end();
    } else if (seen.end() instanceof MessageEnd.Aborted aborted) {
      end = aborted.end();
    } else if (!(seen.end() instanceof MessageEnd.Truncated)) {
      passUnwatched(); // it is opaque, or objected to
      return objections;
    } else if (rules.enforces()) {
      end = mayBeRefusedException() ? 0 : scan.understood();
    }
    judged = rules.enforces() ? end : count;
    boolean over = !(seen.end() instanceof MessageEnd.Truncated);
    int results = kind == Kind.RETURN ? scan.topObjects() : 0;
    mayEnd = over && end == count;
    whole = mayEnd && results == 1;
    if (!objections.isEmpty()) {
      return objections;
    }
    return results > 1 || (over && end < count) ? NOT_ALONE : keeping();
  }

  /** Objections to the length of the message. */
  private List<Objection> length() {
    long its = scan.claimed();
    if (total - its > longest) {
      longest = rules.enforces() ? longest : Long.MAX_VALUE; // it is noted once
      return rules.tooLong();
    }
    return claims == null ? List.of() : claims.judge(its);
  }

  /** Whether it is longer than a call may be of which nothing passes before all has come. */
  public boolean isLong() {
    return scan == null || Math.max(total, scan.claimed()) > rules.callLimit();
  }

  /** Whether it is known how many arguments its method has. */
  public boolean knowsArguments() {
    return scan != null && scan.knowsArguments();
  }

  /** Whether all arguments of its method have begun, as far as these are known. */
  public boolean hasAllArguments() {
    return scan != null && scan.hasAllArguments();
  }

  /** Whether the rest of an exception that is refused should come first, since it says which. */
  private boolean isWorthWaiting(ScanResult seen, List<Objection> objections) {
    return !objections.isEmpty()
        && rules.enforces()
        && seen.end() instanceof MessageEnd.Truncated
        && mayBeRefusedException();
  }

  /** Whether nothing of an exception goes on yet, so that another one can go in its place. */
  private boolean mayBeRefusedException() {
    return gone == 0
        && total < EXCEPTION_BYTES
        && kind == Kind.RETURN
        && ThrownExceptions.isIn(bytes, count);
  }

  /** Ends the message, of which no more bytes come, and returns objections not returned before. */
  public List<Objection> end() {
    if (!postponed.isEmpty()) {
      refused = postponed;
      postponed = List.of();
      return refused;
    }
    return List.of();
  }

  /**
   * Which exception a Return carries that is refused, for its caller; empty where it carries none,
   * or parts of it have gone on.
   */
  public Optional<String> thrown() {
    return kind == Kind.RETURN && gone == 0
        ? ThrownExceptions.text(bytes, count)
        : Optional.empty();
  }

  /** Objections to the number of bytes that have to be kept of the message. */
  private List<Objection> keeping() {
    if (count - scan.forgettable() > mostKept) {
      passUnwatched();
      return rules.tooMuchToKeep();
    }
    return mayHold(bytes.length) ? List.of() : TOO_MUCH;
  }

  /**
   * What was judged before is not judged again: a message may come byte by byte. Pieces in which
   * nothing begins are many where arrays are long.
   */
  private List<Objection> judge(ScanResult seen) {
    boolean isNews =
        last == null
            || seen.tells() != last.tells()
            || rules.isWorse(seen.figures(), last.figures());
    if (!isNews && seen.end() instanceof MessageEnd.Truncated) {
      return List.of();
    }
    List<Objection> objections = judge.apply(last == null ? seen : seen.since(last));
    last = seen;
    if (rules.enforces()) {
      refused = objections;
    }
    return objections;
  }

  /**
   * Where in the message stands what was objected to just now, for people, such as {@code result:
   * Order.lines[3]}; empty where that is not known. Takes as long as looking into it did.
   */
  public String place(Objection objection) {
    if (scan == null || !objection.isOfContent()) {
      return "";
    }
    int most = (int) Math.min(longest, rules.mostKept());
    return scan.place(
        bytes,
        count,
        most,
        rules.sought(objection, seen -> judge.apply(seen).contains(objection), List.of()));
  }

  private void passUnwatched() {
    unwatched = true;
    judged = count;
  }

  /** Whether it may be over with what has come, as far as is known. */
  public boolean mayEnd() {
    return mayEnd || unwatched;
  }

  /** Whether it has been read to its end, and nothing has come behind it. */
  public boolean isOver() {
    return mayEnd && !unwatched;
  }

  private boolean append(ByteBuffer more) {
    int length = more.remaining();
    if (bytes.length < count + length) {
      // Most messages come in one piece.
      long size =
          bytes.length == 0 ? length : Math.max(Math.max(1024, 2L * bytes.length), count + length);
      size = Math.min(size, Math.max(mostKept, count + length));
      if (!mayHold((int) size)) {
        return false;
      }
      bytes = Arrays.copyOf(bytes, (int) size);
    }
    more.get(bytes, count, length);
    count += length;
    return true;
  }

  /**
   * Takes room for this number of bytes and for what the scan remembers. Where rules are not
   * enforced, a message without room passes.
   */
  private boolean mayHold(int size) {
    long all = size + (scan == null ? 0 : scan.rememberedBytes());
    if (all <= SMALL_BYTES || all <= counted || unwatched) {
      return true;
    }
    if (room.take(all - counted)) {
      counted = all;
      return true;
    }
    unwatched = !rules.enforces();
    return unwatched;
  }

  /** Ends the message, and releases its room. Idempotent. */
  public void close() {
    letGo();
    if (claims != null) {
      claims.release();
    }
  }

  private void letGo() {
    room.release(counted);
    counted = 0;
    if (scans != null && scan != null && whole && inOnePiece && total <= SHORT_BYTES) {
      scans.onOver(scan);
    }
    scan = null; // which has the bytes, too
    bytes = NOTHING;
    count = 0;
    judged = 0;
    gone = 0;
    dropped = DroppedCodebases.NONE;
  }

  /** Number of bytes that may go on and have not. */
  public int ready() {
    return judged - gone - dropped.saved(judged);
  }

  /** The number of bytes that are ready, with the parts of them that do not go on. */
  public int readyAsCome() {
    return judged - gone;
  }

  /** Number of bytes that have come and have not gone on. */
  public int held() {
    return count - gone;
  }

  /** Takes bytes that are ready; they go on now. The buffer is valid until more bytes come. */
  public ByteBuffer take(int length) {
    ByteBuffer next;
    if (dropped.isEmpty()) {
      next = ByteBuffer.wrap(bytes, gone, length);
      gone += length;
    } else {
      byte[] changed = new byte[length];
      gone = dropped.fill(bytes, gone, changed);
      next = ByteBuffer.wrap(changed);
    }
    if (gone == count && (unwatched || whole)) {
      letGo(); // returns its room at once: the next message may come much later
    }
    return next;
  }

  /** Takes all bytes that are ready; they go on now. */
  public byte[] takeReady() {
    byte[] ready = new byte[ready()];
    take(ready.length).get(ready);
    return ready;
  }

  /** Lets go of what has gone on and is needed no more. */
  private void forget() {
    if (unwatched
        || whole
        || !dropped.isEmpty()
        || scan.understood() > gone
        || scan.forgettable() < FEW_BYTES) {
      return;
    }
    int end = scan.understood();
    int cut = scan.forgettable();
    int left = count - cut;
    byte[] kept = bytes;
    if (bytes.length / 4 > left + PIECE_BYTES) {
      kept = Arrays.copyOf(bytes, left + PIECE_BYTES);
    }
    System.arraycopy(bytes, end, kept, end - cut, count - end);
    scan.forget(cut, kept);
    bytes = kept;
    count = left;
    judged -= cut;
    gone -= cut;
    giveBackRoom();
  }

  /** Never more than is given back, so that nothing is held that is not counted. */
  private void giveBackRoom() {
    long all = bytes.length + scan.rememberedBytes();
    long needed = all <= SMALL_BYTES ? 0 : Math.min(all, counted);
    room.release(counted - needed);
    counted = needed;
  }
}
