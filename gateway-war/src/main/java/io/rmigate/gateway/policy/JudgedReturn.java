package io.rmigate.gateway.policy;

import io.rmigate.gateway.scan.ScanResult;
import io.rmigate.gateway.scan.StreamScanner;
import io.rmigate.protocol.jrmp.MessageEnd;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * A Return that is looked into as it comes: what has been understood may go on, the rest is held.
 * All of it is kept until it is over, for what follows may refer to it. Where objections are only
 * noted nothing is held, and what there is no room for passes without being looked into.
 *
 * <p>Not thread-safe.
 */
public final class JudgedReturn {
  private static final List<Objection> TOO_LONG =
      List.of(
          new Objection(
              Objection.Rule.UNREADABLE, "it is longer than call-limit", "call-limit: 64MiB"));

  private static final List<Objection> TOO_MUCH =
      List.of(
          new Objection(
              Objection.Rule.UNREADABLE, "too much is held for all sessions together", ""));

  /** Shorter ones are not counted. */
  private static final int SMALL_BYTES = 64 * 1024;

  private static final List<Objection> NOT_ALONE =
      List.of(new Objection(Objection.Rule.STREAM, "bytes behind the end of a Return", ""));

  private final CallRules rules;
  private final Function<ScanResult, List<Objection>> judge;
  private final StreamScanner.GrowingScan scan;
  private final HeldBytes room;

  /** Bytes that room was taken for. */
  private int counted;

  private byte[] bytes = new byte[1024];
  private int count;

  /** What stands before this index may go on. */
  private int judged;

  /** What stands before this index has gone on. */
  private int gone;

  /** The rest passes as it comes. */
  private boolean unwatched;

  /**
   * @param judge asked again and again, with more and more of it
   */
  JudgedReturn(CallRules rules, HeldBytes room, Function<ScanResult, List<Objection>> judge) {
    this.rules = rules;
    this.room = room;
    this.judge = judge;
    this.scan = rules.scanner().growingReply();
  }

  /** By which it is judged. */
  public CallRules rules() {
    return rules;
  }

  /** More has come; {@code more} is used up. What speaks against the Return so far. */
  public List<Objection> more(ByteBuffer more) {
    if (!append(more)) {
      return TOO_MUCH;
    }
    if (unwatched) {
      judged = count;
      return List.of();
    }
    if (count > rules.callLimit()) {
      passUnwatched();
      return rules.streams() ? List.of() : TOO_LONG;
    }
    ScanResult seen = scan.more(bytes, count, rules.callLimit());
    List<Objection> objections = judge.apply(seen);
    int end = count;
    if (seen.end() instanceof MessageEnd.Complete complete) {
      end = complete.end();
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
    if (gone == count && unwatched) {
      gone = 0;
      count = 0;
    }
    int length = more.remaining();
    if (bytes.length < count + length) {
      int most = Math.max(rules.callLimit(), count + length);
      int size = Math.max(Math.min(2 * bytes.length, most), count + length);
      if (size > SMALL_BYTES && !unwatched) {
        if (room.take(size - counted)) {
          counted = size;
        } else if (rules.streams() || !rules.enforces()) {
          unwatched = true;
        } else {
          return false;
        }
      }
      bytes = Arrays.copyOf(bytes, size);
    }
    more.get(bytes, count, length);
    count += length;
    return true;
  }

  /** Nothing more comes, and nothing more is taken. Idempotent. */
  public void close() {
    room.giveBack(counted);
    counted = 0;
    bytes = new byte[0];
    count = 0;
    judged = 0;
    gone = 0;
  }

  /** How many bytes may go on and have not. */
  public int ready() {
    return judged - gone;
  }

  /** So many of those, which go on now. */
  public ByteBuffer take(int length) {
    ByteBuffer next = ByteBuffer.wrap(bytes, gone, length).slice();
    gone += length;
    return next;
  }
}
