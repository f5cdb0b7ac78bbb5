package io.rmigate.gateway.legacy;

import io.rmigate.gateway.session.LinkPort;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Credit;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Deadline;
import io.rmigate.protocol.tunnel.DgcAck;
import io.rmigate.protocol.tunnel.Drain;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameReader;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.Leased;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.Refused;
import io.rmigate.protocol.tunnel.ReturnEnd;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Welcome;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The old clients at one address, by one principal, as a session sees them: their agent, at the
 * other end of a link that never leaves this JVM. What one of them has learnt from a registry all
 * of them may call; all that is forgotten when nobody there holds anything and nothing has come for
 * as long as a lease.
 *
 * <p>Threads: requests come on the container's, frames on whatever thread the session sends from,
 * {@link #tick} on the timer of {@link LegacyClients}. {@code lock} guards everything. Frames to
 * the session are gathered under it and handed over outside, by one thread at a time, in their
 * order; answers are given outside it, too.
 */
final class LegacyClient implements LinkPort {
  private static final Logger LOG = LoggerFactory.getLogger(LegacyClient.class);

  /** Of a Return that have come and that the client has not taken, for each stream. */
  static final int STREAM_CREDIT = 64 * 1024;

  private static final byte[] NOTHING = {};

  /** As long as the JDK keeps a connection that it does not use. */
  private static final long STREAM_REST_NANOS = TimeUnit.SECONDS.toNanos(15);

  private final Supplier<LegacySettings> settings;
  private final String peer;
  private final FrameReader reader = new FrameReader(this::onFrame);
  private final ReentrantLock lock = new ReentrantLock();
  private final LegacyLeases leases;
  private final Map<Integer, LegacyStream> streams = new HashMap<>();

  /** Streams that rest, by where they go; the last one used is the first. */
  private final Map<EndpointId, Deque<LegacyStream>> resting = new HashMap<>();

  /** What the session has not been given yet. */
  private List<Frame> gathering = new ArrayList<>();

  /** Somebody hands frames to the session, and looks again before he stops. */
  private boolean speaking;

  /** Null until the session has said it, and for good when it does not. */
  private Welcome welcome;

  private int lastStream = -1;
  private long lastUsedNanos = System.nanoTime();
  private long lastSpokenNanos = System.nanoTime();
  private boolean leaving;
  private boolean over;

  /** Set before the first frame. */
  private Consumer<List<Frame>> session;

  /**
   * @param host of the clients
   * @param peer the same, and a port, for people
   */
  LegacyClient(Supplier<LegacySettings> settings, InetAddress host, String peer) {
    this.settings = settings;
    this.peer = peer;
    this.leases = new LegacyLeases(host);
  }

  /**
   * Opens the session; once, before anybody else knows this.
   *
   * @param taker of what is said to it, one call at a time
   * @return whether there is one
   */
  boolean begin(Consumer<List<Frame>> taker) {
    session = taker;
    lock.lock();
    try {
      gathering.add(
          new Hello(
              Tunnel.VERSION,
              Tunnel.VERSION,
              Set.of(Feature.LEASES, Feature.DEADLINES, Feature.REASONS),
              SessionToken.NONE,
              0,
              STREAM_CREDIT,
              List.of(Welcome.IDENTITY),
              Map.of("client", "HTTP tunnelling of an old JDK")));
    } finally {
      lock.unlock();
    }
    speak();
    lock.lock();
    try {
      return welcome != null && !over;
    } finally {
      lock.unlock();
    }
  }

  /** A request is about to come; false when there is no session for it any more. */
  boolean enter() {
    lock.lock();
    try {
      lastUsedNanos = System.nanoTime();
      return !over && !leaving;
    } finally {
      lock.unlock();
    }
  }

  /** A Call: its bytes go to the session once the client cannot send it again. */
  void call(EndpointId target, byte[] call, LegacyAnswer answer) {
    answer.begin(() -> begun(target, call, answer));
  }

  private void begun(EndpointId target, byte[] call, LegacyAnswer answer) {
    LegacyStream stream;
    lock.lock();
    try {
      stream = over ? null : streamTo(target);
      if (stream != null) {
        stream.begin(answer);
        gathering.add(
            new Deadline(stream.number(), stream.request(), settings.get().callTimeout()));
        gathering.add(new Data(stream.number(), true, call));
      }
    } finally {
      lock.unlock();
    }
    if (stream == null) {
      answerAndEnd(answer, LegacyFailure.notDone("too many calls, or the gateway ends"));
      return;
    }
    LegacyStream carries = stream;
    answer.whenGone(() -> gone(carries, answer));
    speak();
  }

  /** One that rests, else a new one; null when there can be none. Under the lock. */
  private LegacyStream streamTo(EndpointId target) {
    Deque<LegacyStream> idle = resting.get(target);
    if (idle != null) {
      LegacyStream last = idle.removeLast();
      if (idle.isEmpty()) {
        resting.remove(target);
      }
      return last;
    }
    if (streams.size() >= welcome.maxStreams()) {
      closeOneThatRests();
    }
    if (streams.size() >= welcome.maxStreams() || lastStream + 2 > Tunnel.MAX_STREAM) {
      return null;
    }
    lastStream += 2;
    LegacyStream fresh = new LegacyStream(lastStream, target);
    streams.put(lastStream, fresh);
    gathering.add(new Open(lastStream, target.host(), target.port(), Duration.ZERO, Duration.ZERO));
    return fresh;
  }

  private void closeOneThatRests() {
    Iterator<Deque<LegacyStream>> all = resting.values().iterator();
    if (all.hasNext()) {
      Deque<LegacyStream> some = all.next();
      close(some.removeFirst());
      if (some.isEmpty()) {
        all.remove();
      }
    }
  }

  private void close(LegacyStream stream) {
    streams.remove(stream.number());
    gathering.add(new Close(stream.number(), CloseCause.DONE));
  }

  /** A call of the collector: never passed on as it is. */
  void collect(EndpointId endpoint, DgcCall call, LegacyAnswer answer) {
    Runnable answered;
    lock.lock();
    try {
      answered =
          over || !holdsLeases()
              ? () -> answer.whole(LegacyFailure.notDone("this gateway holds no leases"))
              : leases.call(
                  endpoint, call, settings.get().lease(), System.nanoTime(), gathering, answer);
    } finally {
      lock.unlock();
    }
    answered.run();
    speak();
  }

  private boolean holdsLeases() {
    return welcome.features().contains(Feature.LEASES);
  }

  /** What a Return has brought is registered; its server hears that when the leases are there. */
  void acknowledge(EndpointId endpoint, byte[] uid) {
    lock.lock();
    try {
      if (!over && holdsLeases()) {
        gathering.add(new DgcAck(endpoint, uid));
      }
    } finally {
      lock.unlock();
    }
    speak();
  }

  /** Hands over what has been gathered, unless somebody else does. With no lock held. */
  private void speak() {
    while (true) {
      List<Frame> said;
      lock.lock();
      try {
        if (speaking || over || gathering.isEmpty()) {
          return;
        }
        speaking = true;
        said = gathering;
        gathering = new ArrayList<>();
        lastSpokenNanos = System.nanoTime();
      } finally {
        lock.unlock();
      }
      try {
        session.accept(said);
      } finally {
        lock.lock();
        try {
          speaking = false;
        } finally {
          lock.unlock();
        }
      }
    }
  }

  @Override
  public void send(ByteBuffer bytes, SendEnd end) {
    Throwable failure = null;
    try {
      reader.feed(bytes);
    } catch (IOException | RuntimeException | Error unexpected) {
      LOG.error("old clients at {}: unexpected failure", peer, unexpected);
      failure = unexpected;
    }
    end.sendEnded(failure);
    speak();
  }

  /** From the session, one at a time. */
  private void onFrame(Frame frame) {
    List<Runnable> answers = new ArrayList<>();
    lock.lock();
    try {
      if (frame instanceof Data data) {
        onData(data, answers);
      } else if (frame instanceof ReturnEnd end) {
        onReturnEnd(end, answers);
      } else if (frame instanceof Refused refused) {
        onRefused(refused, answers);
      } else if (frame instanceof Close close) {
        onClose(close, answers);
      } else if (frame instanceof Leased leased) {
        answers.add(leases.onLeased(leased, gathering));
      } else if (frame instanceof Welcome said) {
        welcome = said;
      } else if (frame instanceof Drain) {
        leaving = true; // what follows is refused, and what is under way comes to its end
        gathering.add(new Drain(Duration.ZERO));
      } else if (frame instanceof Goodbye) {
        end(answers);
      }
    } finally {
      lock.unlock();
    }
    answers.forEach(Runnable::run);
  }

  private void onData(Data data, List<Runnable> answers) {
    LegacyStream stream = streams.get(data.stream());
    LegacyAnswer answer = stream == null ? null : stream.answer();
    if (answer != null) {
      stream.answers();
      byte[] bytes = data.bytes();
      answers.add(() -> answer.write(bytes, () -> taken(stream, bytes.length)));
    }
  }

  private void taken(LegacyStream stream, int bytes) {
    lock.lock();
    try {
      if (!over && streams.containsKey(stream.number())) {
        gathering.add(new Credit(stream.number(), bytes));
      }
    } finally {
      lock.unlock();
    }
    speak();
  }

  private void onReturnEnd(ReturnEnd end, List<Runnable> answers) {
    LegacyStream stream = streams.get(end.stream());
    byte[] lastly =
        stream == null || stream.isAnswering()
            ? NOTHING
            : LegacyFailure.lost(
                LegacyFailure.mayHaveBeenExecuted(
                    "the server has closed the connection without an answer"));
    onAnswered(end.stream(), end.request(), lastly, answers);
  }

  private void onRefused(Refused refused, List<Runnable> answers) {
    LegacyStream stream = streams.get(refused.stream());
    if (stream != null) {
      onAnswered(
          refused.stream(),
          refused.request(),
          LegacyFailure.of(refused.reason(), refused.text(), stream.target().host()),
          answers);
    }
  }

  /** A request is over. */
  private void onAnswered(int number, long request, byte[] lastly, List<Runnable> answers) {
    LegacyStream stream = streams.get(number);
    if (stream == null || stream.answer() == null || stream.request() != request) {
      return; // of a request that was given up
    }
    LegacyAnswer answer = stream.answer();
    answers.add(() -> answerAndEnd(answer, lastly));
    lastUsedNanos = System.nanoTime();
    stream.rest(lastUsedNanos);
    resting.computeIfAbsent(stream.target(), any -> new ArrayDeque<>()).add(stream);
  }

  /** An answer that does not come, or not to its end. Under the lock. */
  private static Runnable endUnanswered(LegacyStream stream, String text) {
    LegacyAnswer answer = stream.answer();
    byte[] lastly = stream.isAnswering() ? NOTHING : LegacyFailure.lost(text);
    return () -> answerAndEnd(answer, lastly);
  }

  private static void answerAndEnd(LegacyAnswer answer, byte[] lastly) {
    if (lastly.length > 0) {
      answer.write(lastly, () -> {});
    }
    answer.end();
  }

  private void onClose(Close close, List<Runnable> answers) {
    LegacyStream stream = streams.get(close.stream());
    if (stream == null) {
      return;
    }
    LegacyAnswer answer = stream.answer();
    if (answer == null) {
      Deque<LegacyStream> idle = resting.get(stream.target());
      idle.remove(stream);
      if (idle.isEmpty()) {
        resting.remove(stream.target());
      }
    } else {
      LOG.info("a call of {} to {} ended: {}", peer, stream.target(), close.cause().sentence());
      answers.add(
          endUnanswered(
              stream,
              close.text().isEmpty()
                  ? LegacyFailure.mayHaveBeenExecuted(close.cause().sentence())
                  : close.text()));
    }
    close(stream);
  }

  /** The client has gone: the server's connection, too, has no reader. */
  private void gone(LegacyStream stream, LegacyAnswer answer) {
    lock.lock();
    try {
      if (over || stream.answer() != answer) {
        return;
      }
      close(stream);
    } finally {
      lock.unlock();
    }
    speak();
  }

  @Override
  public void close(CloseCause cause) {
    List<Runnable> answers = new ArrayList<>();
    lock.lock();
    try {
      end(answers);
    } finally {
      lock.unlock();
    }
    answers.forEach(Runnable::run);
  }

  /** The session is over, and what is under way with it. */
  private void end(List<Runnable> answers) {
    if (over) {
      return;
    }
    over = true;
    for (LegacyStream stream : streams.values()) {
      if (stream.answer() != null) {
        answers.add(
            endUnanswered(
                stream, LegacyFailure.mayHaveBeenExecuted("the gateway has ended the session")));
      }
    }
    answers.addAll(leases.giveUp());
    streams.clear();
    resting.clear();
  }

  @Override
  public String peer() {
    return peer;
  }

  /** Looks at the clock. */
  void tick(long now) {
    lock.lock();
    try {
      if (over) {
        return;
      }
      leases.tick(now, gathering);
      for (Iterator<Deque<LegacyStream>> all = resting.values().iterator(); all.hasNext(); ) {
        Deque<LegacyStream> some = all.next();
        while (!some.isEmpty() && now - some.getFirst().restsSinceNanos() > STREAM_REST_NANOS) {
          close(some.removeFirst());
        }
        if (some.isEmpty()) {
          all.remove();
        }
      }
      if (isUnused(now)) {
        gathering.add(new Goodbye(CloseCause.DONE, ""));
        leaving = true;
      } else if (now - lastSpokenNanos > welcome.heartbeat().toNanos() / 2) {
        gathering.add(new Heartbeat(1));
      }
    } finally {
      lock.unlock();
    }
    speak();
  }

  private boolean isUnused(long now) {
    return leases.isEmpty()
        && now - lastUsedNanos > settings.get().lease().toNanos()
        && streams.values().stream().allMatch(stream -> stream.answer() == null);
  }

  /** Whether its session has ended. */
  boolean isOver() {
    lock.lock();
    try {
      return over;
    } finally {
      lock.unlock();
    }
  }
}
