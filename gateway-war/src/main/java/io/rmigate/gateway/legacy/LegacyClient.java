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
import io.rmigate.protocol.tunnel.Refused;
import io.rmigate.protocol.tunnel.ReturnEnd;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Welcome;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent of the old clients of one principal at one address, at the other end of a link within
 * this JVM. These clients share what each of them learns from registries. The session ends when no
 * client holds a lease and no request has come for the duration of a lease.
 *
 * <p>Threads: requests come on the container's, frames on any thread that the session sends from,
 * {@link #tick} on the timer of {@link LegacyClients}. {@code lock} guards everything. Frames to
 * the session are gathered under it and delivered outside it, by one thread at a time, in their
 * order. Answers are given outside it, too.
 */
final class LegacyClient implements LinkPort {
  private static final Logger LOG = LoggerFactory.getLogger(LegacyClient.class);

  /** Bytes of a Return, for each stream, that the client has not taken. */
  static final int STREAM_CREDIT = 64 * 1024;

  private static final byte[] NOTHING = {};

  private final Supplier<LegacySettings> settings;
  private final String peer;
  private final FrameReader reader = new FrameReader(this::onFrame);
  private final ReentrantLock lock = new ReentrantLock();
  private final LegacyLeases leases;
  private final LegacyStreams streams = new LegacyStreams();

  /** Frames that the session has not been given yet. */
  private List<Frame> gathering = new ArrayList<>();

  /** A thread delivers frames to the session, and looks again before it stops. */
  private boolean speaking;

  private State state = new Opening(false);
  private long lastUsedNanos = System.nanoTime();
  private long lastSpokenNanos = System.nanoTime();

  /** Set before the first frame. */
  private Consumer<List<Frame>> session;

  /** A state of the session; it has one of these after the other. */
  private sealed interface State permits Opening, Live, Leaving, Over {}

  /**
   * The session has not answered {@code HELLO}.
   *
   * @param drained whether the gateway stops already: a {@code DRAIN} can come before the answer
   */
  private record Opening(boolean drained) implements State {}

  /** The session takes new requests. */
  private record Live(Welcome welcome) implements State {}

  /** Requests in progress end; new ones need another session. */
  private record Leaving(Welcome welcome) implements State {}

  /** The session has ended. */
  private record Over() implements State {}

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
   * Opens the session; once, before this object is shared.
   *
   * @param taker takes frames for the session, one call at a time
   * @return whether the session is open
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
      return state instanceof Live;
    } finally {
      lock.unlock();
    }
  }

  /** A request is about to come; false when there is no session for it any more. */
  boolean enter() {
    lock.lock();
    try {
      lastUsedNanos = System.nanoTime();
      return state instanceof Live;
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
      Welcome welcome = welcome();
      stream = welcome == null ? null : streams.take(target, welcome.maxStreams(), gathering);
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

  /** A call of the garbage collector; never passed on as it is. */
  void collect(EndpointId endpoint, DgcCall call, LegacyAnswer answer) {
    Runnable answered;
    lock.lock();
    try {
      answered =
          !holdsLeases()
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
    Welcome welcome = welcome();
    return welcome != null && welcome.features().contains(Feature.LEASES);
  }

  /** The WELCOME of the session; null before it opens and when it is over. */
  private Welcome welcome() {
    if (state instanceof Live live) {
      return live.welcome();
    }
    return state instanceof Leaving leaving ? leaving.welcome() : null;
  }

  private void toLeaving() {
    Welcome welcome = welcome();
    if (welcome != null) {
      state = new Leaving(welcome);
    } else if (state instanceof Opening) {
      state = new Opening(true);
    }
  }

  /** Takes the answer to {@code HELLO}, unless the session has ended meanwhile. */
  private void welcomed(Welcome welcome) {
    if (state instanceof Opening opening) {
      state = opening.drained() ? new Leaving(welcome) : new Live(welcome);
    }
  }

  private boolean hasEnded() {
    return state instanceof Over;
  }

  /**
   * The client has registered the references of a Return; its server is told once the leases are
   * held.
   */
  void acknowledge(EndpointId endpoint, byte[] uid) {
    lock.lock();
    try {
      if (holdsLeases()) {
        gathering.add(new DgcAck(endpoint, uid));
      }
    } finally {
      lock.unlock();
    }
    speak();
  }

  /** Delivers the gathered frames, unless another thread does. With no lock held. */
  private void speak() {
    while (true) {
      List<Frame> said;
      lock.lock();
      try {
        if (speaking || hasEnded() || gathering.isEmpty()) {
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
        welcomed(said);
      } else if (frame instanceof Drain) {
        toLeaving();
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
      if (streams.get(stream.number()) != null) {
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
    streams.onAnswered(stream, lastUsedNanos);
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
      streams.closeIdle(stream, gathering);
    } else {
      LOG.info("a call of {} to {} ended: {}", peer, stream.target(), close.cause().sentence());
      answers.add(
          endUnanswered(
              stream,
              close.text().isEmpty()
                  ? LegacyFailure.mayHaveBeenExecuted(close.cause().sentence())
                  : close.text()));
      streams.close(stream, gathering);
    }
  }

  /** The client has gone: the server's connection, too, has no reader. */
  private void gone(LegacyStream stream, LegacyAnswer answer) {
    lock.lock();
    try {
      if (hasEnded() || stream.answer() != answer) {
        return;
      }
      streams.close(stream, gathering);
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
    if (hasEnded()) {
      return;
    }
    state = new Over();
    for (LegacyStream stream : streams.all()) {
      if (stream.answer() != null) {
        answers.add(
            endUnanswered(
                stream, LegacyFailure.mayHaveBeenExecuted("the gateway has ended the session")));
      }
    }
    answers.addAll(leases.giveUp());
    streams.clear();
  }

  @Override
  public String peer() {
    return peer;
  }

  /** Looks at the clock. */
  void tick(long now) {
    lock.lock();
    try {
      Welcome welcome = welcome();
      if (welcome == null) {
        return;
      }
      leases.tick(now, gathering);
      streams.tick(now, gathering);
      if (isUnused(now)) {
        gathering.add(new Goodbye(CloseCause.DONE, ""));
        toLeaving();
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
        && streams.areIdle();
  }

  /** Whether its session has ended. */
  boolean isOver() {
    lock.lock();
    try {
      return hasEnded();
    } finally {
      lock.unlock();
    }
  }
}
