package io.rmigate.gateway.policy;

import io.rmigate.gateway.scan.ScanResult;
import io.rmigate.gateway.scan.StreamScanner;
import io.rmigate.protocol.jrmp.MessageEnd;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * A Return or a Call that is looked into as it comes: what has been understood may go on, the rest
 * is held. All of it is kept until it is over, for what follows may refer to it; but of a Call that
 * is {@linkplain Kind#LONG_CALL too long for that} only the descriptors of classes, and what may
 * not go on yet. Where objections are only noted nothing is held, and what there is no room for
 * passes without being looked into.
 *
 * <p>Not thread-safe.
 */
public final class JudgedMessage {

  /** Which message, and how much of it is kept. */
  enum Kind {
    /** It is over when all of its result has gone on. */
    RETURN,
    /** Not longer than {@code call-limit}. */
    CALL,
    /** As long as it likes. */
    LONG_CALL
  }

  /** There is no room for what would have to be held of it. */
  public static final List<Objection> TOO_MUCH =
      List.of(
          new Objection(
              Objection.Rule.UNREADABLE, "too much is held for all sessions together", ""));

  private static final List<Objection> NOT_ALONE =
      List.of(new Objection(Objection.Rule.STREAM, "bytes behind the end of a message", ""));

  /** Shorter ones are not counted, and so much need not be cut out. */
  private static final int SMALL_BYTES = 64 * 1024;

  private static final byte[] NOTHING = {};

  private final CallRules rules;
  private final Function<ScanResult, List<Objection>> judge;
  private final Kind kind;
  private final HeldBytes room;

  /** Null when it is over. */
  private StreamScanner.GrowingScan scan;

  /** Bytes that room was taken for. */
  private int counted;

  private byte[] bytes = NOTHING;
  private int count;

  /** What stands before this index may go on. */
  private int judged;

  /** What stands before this index has gone on. */
  private int gone;

  /** The rest passes as it comes. */
  private boolean unwatched;

  /** It is a Return, and all of it is there. */
  private boolean whole;

  /**
   * @param judge asked again and again, with more and more of it
   */
  JudgedMessage(
      CallRules rules, HeldBytes room, Kind kind, Function<ScanResult, List<Objection>> judge) {
    this.rules = rules;
    this.room = room;
    this.kind = kind;
    this.judge = judge;
    StreamScanner scanner = rules.scanner();
    this.scan =
        switch (kind) {
          case RETURN -> scanner.growingReply();
          case CALL -> scanner.growingCall();
          case LONG_CALL -> scanner.longCall();
        };
  }

  /** By which it is judged. */
  public CallRules rules() {
    return rules;
  }

  /** More has come; {@code more} is used up. What speaks against the message so far. */
  public List<Objection> more(ByteBuffer more) {
    if (!append(more)) {
      return TOO_MUCH;
    }
    if (unwatched) {
      judged = count;
      return List.of();
    }
    if (whole && counted == 0) { // it had gone on, and is not there any more
      passUnwatched();
      return NOT_ALONE;
    }
    boolean isLong = kind == Kind.LONG_CALL;
    if (count > rules.callLimit() && !isLong) {
      passUnwatched();
      return rules.streams() ? List.of() : rules.tooLong();
    }
    ScanResult seen = scan.more(bytes, count, isLong ? Integer.MAX_VALUE : rules.callLimit());
    List<Objection> objections = judge.apply(seen);
    int end = count;
    if (seen.end() instanceof MessageEnd.Complete complete) {
      end = complete.end();
      whole = kind == Kind.RETURN && end == count && counted > 0; // so long is no header alone
    } else if (seen.end() instanceof MessageEnd.Aborted aborted) {
      end = aborted.end();
    } else if (!(seen.end() instanceof MessageEnd.Truncated)) {
      passUnwatched(); // it is opaque, or objected to
      return objections;
    }
    if (rules.enforces()) {
      judged = seen.end() instanceof MessageEnd.Truncated ? scan.understood() : end;
    } else {
      judged = count;
    }
    return objections.isEmpty() && end < count ? NOT_ALONE : objections;
  }

  private void passUnwatched() {
    unwatched = true;
    judged = count;
  }

  private boolean append(ByteBuffer more) {
    int length = more.remaining();
    if (bytes.length < count + length) {
      int most = kind == Kind.LONG_CALL ? Integer.MAX_VALUE - 8 : rules.callLimit();
      long size = Math.max(Math.min(Math.max(1024, 2L * bytes.length), most), count + length);
      if (!mayHold((int) size)) {
        return false;
      }
      bytes = Arrays.copyOf(bytes, (int) size);
    }
    more.get(bytes, count, length);
    count += length;
    return true;
  }

  /** Whether there is room for so many bytes; where what there is none for may pass, there is. */
  private boolean mayHold(int size) {
    if (size <= SMALL_BYTES || unwatched) {
      return true;
    }
    if (room.take(size - counted)) {
      counted = size;
      return true;
    }
    unwatched = !rules.enforces() || (rules.streams() && kind != Kind.LONG_CALL);
    return unwatched;
  }

  /** Nothing more comes, and nothing more is taken. Idempotent. */
  public void close() {
    room.giveBack(counted);
    counted = 0;
    scan = null; // which has the bytes, too
    bytes = NOTHING;
    count = 0;
    judged = 0;
    gone = 0;
  }

  /** How many bytes may go on and have not. */
  public int ready() {
    return judged - gone;
  }

  /** How many bytes have come and have not gone on. */
  public int held() {
    return count - gone;
  }

  /** So many of those that are ready, which go on now. */
  public ByteBuffer take(int length) {
    boolean moves = kind == Kind.LONG_CALL && !unwatched;
    ByteBuffer next =
        moves
            ? ByteBuffer.wrap(Arrays.copyOfRange(bytes, gone, gone + length))
            : ByteBuffer.wrap(bytes, gone, length).slice();
    gone += length;
    if (gone == count && (unwatched || whole)) {
      close(); // its room is somebody else's from now on, whenever the next message comes
    } else if (moves) {
      forget();
    }
    return next;
  }

  /** All of those that are ready, which go on now. */
  public byte[] takeReady() {
    byte[] ready = new byte[ready()];
    take(ready.length).get(ready);
    return ready;
  }

  /** Lets go of what has gone on and is needed no more. */
  private void forget() {
    int end = scan.understood();
    int cut = scan.forgettable();
    if (end > gone || cut < SMALL_BYTES) {
      return;
    }
    int left = count - cut;
    byte[] kept = bytes.length / 4 > left + SMALL_BYTES ? new byte[left + SMALL_BYTES] : bytes;
    System.arraycopy(bytes, 0, kept, 0, end - cut);
    System.arraycopy(bytes, end, kept, end - cut, count - end);
    scan.forget(cut, kept);
    room.giveBack(counted);
    counted = 0;
    bytes = kept;
    if (bytes.length > SMALL_BYTES && room.take(bytes.length)) {
      counted = bytes.length;
    }
    count = left;
    judged -= cut;
    gone -= cut;
  }
}
