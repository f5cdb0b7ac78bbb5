package io.rmigate.gateway.legacy;

import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.Tunnel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The streams of one client's session. A stream whose Call is answered stays open for a while, and
 * the next Call to the same endpoint uses it again.
 *
 * <p>Frames that open and close streams are added to the list that a method is given. Guarded by
 * the lock of the {@link LegacyClient}.
 */
final class LegacyStreams {
  /** How long the JDK keeps an unused connection. */
  private static final long MAX_IDLE_NANOS = TimeUnit.SECONDS.toNanos(15);

  private final Map<Integer, LegacyStream> streams = new HashMap<>();

  /** Idle streams by endpoint; the one used last is the last. */
  private final Map<EndpointId, Deque<LegacyStream>> idle = new HashMap<>();

  private int lastNumber = -1;

  /** The stream of that number; null when it is closed. */
  LegacyStream get(int number) {
    return streams.get(number);
  }

  Collection<LegacyStream> all() {
    return streams.values();
  }

  /**
   * An idle stream to an endpoint, else a new one.
   *
   * @param max streams that the session may have open
   * @return null when no other stream may be opened
   */
  LegacyStream take(EndpointId target, int max, List<Frame> frames) {
    Deque<LegacyStream> some = idle.get(target);
    if (some != null) {
      LegacyStream last = some.removeLast();
      if (some.isEmpty()) {
        idle.remove(target);
      }
      return last;
    }
    if (streams.size() >= max) {
      closeAnyIdle(frames);
    }
    if (streams.size() >= max || lastNumber + 2 > Tunnel.MAX_STREAM) {
      return null;
    }
    lastNumber += 2;
    LegacyStream opened = new LegacyStream(lastNumber, target);
    streams.put(lastNumber, opened);
    frames.add(new Open(lastNumber, target.host(), target.port(), Duration.ZERO, Duration.ZERO));
    return opened;
  }

  private void closeAnyIdle(List<Frame> frames) {
    Iterator<Deque<LegacyStream>> all = idle.values().iterator();
    if (all.hasNext()) {
      Deque<LegacyStream> some = all.next();
      close(some.removeFirst(), frames);
      if (some.isEmpty()) {
        all.remove();
      }
    }
  }

  /** The Call of a stream is answered; the stream may be taken again. */
  void onAnswered(LegacyStream stream, long now) {
    stream.rest(now);
    idle.computeIfAbsent(stream.target(), any -> new ArrayDeque<>()).add(stream);
  }

  /** Closes a stream that has a Call. */
  void close(LegacyStream stream, List<Frame> frames) {
    streams.remove(stream.number());
    frames.add(new Close(stream.number(), CloseCause.DONE));
  }

  /** Closes an idle stream. */
  void closeIdle(LegacyStream stream, List<Frame> frames) {
    Deque<LegacyStream> some = idle.get(stream.target());
    some.remove(stream);
    if (some.isEmpty()) {
      idle.remove(stream.target());
    }
    close(stream, frames);
  }

  /** Closes the streams that have been idle for too long. */
  void tick(long now, List<Frame> frames) {
    for (Iterator<Deque<LegacyStream>> all = idle.values().iterator(); all.hasNext(); ) {
      Deque<LegacyStream> some = all.next();
      while (!some.isEmpty() && now - some.getFirst().restsSinceNanos() > MAX_IDLE_NANOS) {
        close(some.removeFirst(), frames);
      }
      if (some.isEmpty()) {
        all.remove();
      }
    }
  }

  /** Whether no stream has a Call. */
  boolean areIdle() {
    return streams.values().stream().allMatch(stream -> stream.answer() == null);
  }

  /** The session is over. */
  void clear() {
    streams.clear();
    idle.clear();
  }
}
