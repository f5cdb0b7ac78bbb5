package io.rmigate.gateway.session;

import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.Objection;
import io.rmigate.gateway.scan.ScanResult;
import io.rmigate.gateway.scan.SeenReference;
import io.rmigate.gateway.scan.StreamScanner;
import io.rmigate.protocol.jrmp.MessageEnd;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * A Return that is looked into as it comes: what has been understood may go on, the rest is held.
 * All of it is kept until it is over, for what follows may refer to it.
 *
 * <p>Guarded by {@link TunnelStream#lock()}.
 */
final class JudgedReturn {
  private static final List<Objection> TOO_LONG =
      List.of(
          new Objection(
              Objection.Rule.UNREADABLE, "it is longer than call-limit", "call-limit: 64MiB"));

  private static final List<Objection> NOT_ALONE =
      List.of(new Objection(Objection.Rule.STREAM, "bytes behind the end of a Return", ""));

  private final CallRules rules;
  private final Consumer<SeenReference> received;
  private final StreamScanner.GrowingScan scan;

  private byte[] bytes = new byte[1024];
  private int count;

  /** What stands before this index may go on. */
  private int judged;

  /** What stands before this index has gone on. */
  private int gone;

  private int referencesTold;

  /** The rest passes as it comes. */
  private boolean unwatched;

  /**
   * @param received told of each reference in it
   */
  JudgedReturn(CallRules rules, Consumer<SeenReference> received) {
    this.rules = rules;
    this.received = received;
    this.scan = rules.scanner().growingReply();
  }

  CallRules rules() {
    return rules;
  }

  /** More has come; {@code more} is used up. What speaks against the Return so far. */
  List<Objection> more(ByteBuffer more) {
    append(more);
    if (unwatched) {
      judged = count;
      return List.of();
    }
    if (count > rules.callLimit()) {
      passUnwatched();
      return rules.streams() ? List.of() : TOO_LONG;
    }
    ScanResult seen = scan.more(bytes, count, rules.callLimit());
    seen.references().stream().skip(referencesTold).forEach(received);
    referencesTold = seen.references().size();
    List<Objection> objections = rules.reply(seen);
    int end = count;
    if (seen.end() instanceof MessageEnd.Complete complete) {
      end = complete.end();
    } else if (seen.end() instanceof MessageEnd.Aborted aborted) {
      end = aborted.end();
    } else if (!(seen.end() instanceof MessageEnd.Truncated)) {
      passUnwatched(); // it is opaque, or objected to
      return objections;
    }
    judged = seen.end() instanceof MessageEnd.Truncated ? scan.understood() : end;
    return objections.isEmpty() && end < count ? NOT_ALONE : objections;
  }

  private void passUnwatched() {
    unwatched = true;
    judged = count;
  }

  private void append(ByteBuffer more) {
    if (gone == count && unwatched) {
      gone = 0;
      count = 0;
    }
    int length = more.remaining();
    if (bytes.length < count + length) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, count + length));
    }
    more.get(bytes, count, length);
    count += length;
  }

  /** How many bytes may go on and have not. */
  int ready() {
    return judged - gone;
  }

  /** So many of those, which go on now. */
  ByteBuffer take(int length) {
    ByteBuffer next = ByteBuffer.wrap(bytes, gone, length).slice();
    gone += length;
    return next;
  }
}
