package io.rmigate.client.link;

import io.rmigate.client.jvm.Daemons;
import io.rmigate.client.jvm.NoThreadException;
import io.rmigate.client.transport.Transport;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.FrameOutput;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Welcome;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Makes the next connection of a session that has lost one, and agrees with the gateway where both
 * go on. Tries with growing pauses for as long as the gateway keeps the session, and says that it
 * is over when no connection can be had.
 *
 * <p>Threads: {@link #start} makes one of its own; one at a time resumes. {@link #startAnew} from
 * any, with the lock of the {@link Carrier} held; its own lock is never held while that is called.
 */
final class Resumer {
  /** The session that is resumed. */
  interface Session {
    /**
     * The first frame of the next connection.
     *
     * @param token of the welcome
     * @param received how many bytes have been received
     */
    Hello hello(SessionToken token, long received);

    /** Whether the JVM uses another session now; see {@link OtherGateway#isFound}. */
    boolean isReplaced();

    /** A connection has ended without a word. */
    void onCut();

    /** The session is over, because no connection could be had. */
    void onGivenUp(IOException cause);
  }

  /** How long it may take to send again what the gateway has not received. */
  private static final Duration REPLAY_TIME = Duration.ofMinutes(1);

  private static final Duration FIRST_BACKOFF = Duration.ofMillis(50);
  private static final Duration LONGEST_BACKOFF = Duration.ofSeconds(5);

  private static final System.Logger LOG = System.getLogger(Resumer.class.getName());

  private final Carrier carrier;
  private final Resumption resumption;
  private final SessionToken token;
  private final Duration grace;
  private final Session session;
  private final LinkCoding coding;
  private final ScheduledExecutorService timer;

  private final ReentrantLock lock = new ReentrantLock();

  /** When the connection was lost, or left for a better one, that the attempts are about. */
  private long lostSinceNanos;

  /** Before the next attempt. Goes on growing while connections are lost without any progress. */
  private Duration backoff = Duration.ZERO;

  /** Attempts since then. A few short ones find the way out of a network that has just changed. */
  private int attempts;

  /**
   * @param welcome gives the session's token, and the time that the gateway allows after the loss
   *     of a connection; {@link Resumption#grace} if that is less
   * @param coding knows the round trips
   * @param timer ends attempts that take too long
   */
  Resumer(
      Carrier carrier,
      Resumption resumption,
      Welcome welcome,
      Session session,
      LinkCoding coding,
      ScheduledExecutorService timer) {
    this.carrier = carrier;
    this.resumption = resumption;
    this.token = welcome.session();
    Duration allowed = welcome.grace();
    this.grace = allowed.compareTo(resumption.grace()) < 0 ? allowed : resumption.grace();
    this.session = session;
    this.coding = coding;
    this.timer = timer;
  }

  /** A connection has ended without a word. */
  void onCut() {
    session.onCut();
  }

  /** A connection has ended before anything has shown that frames get to the gateway. */
  void onSilent(Transport silent) {
    resumption.connector().wasSilent(silent);
  }

  /** A connection that has brought something is lost or replaced: time and pauses begin anew. */
  void startAnew() {
    lock.lock();
    try {
      lostSinceNanos = System.nanoTime();
      backoff = Duration.ZERO;
      attempts = 0;
    } finally {
      lock.unlock();
    }
  }

  /** Resumes on a thread of its own. */
  void start(IOException cause) {
    try {
      Daemons.start("rmigate-resume", () -> resume(cause));
    } catch (NoThreadException none) {
      session.onGivenUp(
          new LinkLostException("the session cannot be resumed: " + none.getMessage(), none));
    }
  }

  /** Returns with a new connection or after the end of the session, for which threads wait. */
  void resume(IOException cause) {
    try {
      resumeWithinGrace(cause);
    } catch (RuntimeException | Error unexpected) {
      session.onGivenUp(
          new LinkLostException("the session cannot be resumed: " + unexpected, unexpected));
    }
  }

  private void resumeWithinGrace(IOException cause) {
    IOException latestFailure = cause;
    while (!carrier.isOver()) {
      carrier.awaitOver((long) (nextPause() * ThreadLocalRandom.current().nextDouble(0.5, 1.0)));
      long left = grace.toNanos() - lostForNanos();
      if (left <= 0) {
        session.onGivenUp(
            new LinkLostException(
                "the link to the rmigate gateway was lost and could not be made again within "
                    + grace.toSeconds()
                    + " s: "
                    + latestFailure.getMessage(),
                latestFailure));
        return;
      }
      try {
        resumeOnce(Duration.ofNanos(Math.min(left, resumption.connectTimeout().toNanos())));
        return;
      } catch (NotResumedException | ProtocolViolationException definitive) {
        session.onGivenUp(new LinkLostException(definitive.getMessage(), definitive));
        return;
      } catch (IOException | RejectedExecutionException notNow) {
        latestFailure = notNow instanceof IOException failed ? failed : cause;
        LOG.log(System.Logger.Level.DEBUG, () -> "link not resumed yet: " + notNow);
        if (mayGoElsewhere(notNow) && session.isReplaced()) {
          session.onGivenUp(
              new LinkLostException(
                  "the rmigate gateway cannot be reached any more, another one is used: "
                      + latestFailure.getMessage(),
                  latestFailure));
          return;
        }
      }
    }
  }

  /**
   * Whether the session may be given up for one at another gateway. Where the connection is
   * refused, there is no session any more. A gateway that does not answer, or that its load
   * balancer cannot reach, may still have it: it is given the time of one attempt.
   */
  private boolean mayGoElsewhere(Exception failure) {
    boolean refused =
        failure instanceof ConnectException
            && !(failure.getCause() instanceof InterruptedIOException);
    return refused || lostForNanos() >= resumption.connectTimeout().toNanos();
  }

  private long lostForNanos() {
    lock.lock();
    try {
      return System.nanoTime() - lostSinceNanos;
    } finally {
      lock.unlock();
    }
  }

  /** How many attempts there were before; counts one. */
  private int attempts() {
    lock.lock();
    try {
      return attempts++;
    } finally {
      lock.unlock();
    }
  }

  /** None before the first attempt. */
  private long nextPause() {
    lock.lock();
    try {
      long pause = backoff.toNanos();
      Duration doubled = backoff.isZero() ? FIRST_BACKOFF : backoff.multipliedBy(2);
      Duration longest = grace.dividedBy(4); // several attempts, however short the grace is
      longest = longest.compareTo(LONGEST_BACKOFF) > 0 ? LONGEST_BACKOFF : longest;
      backoff = doubled.compareTo(longest) > 0 ? longest : doubled;
      return Math.min(pause, Math.max(0, grace.toNanos() - lostForNanos()));
    } finally {
      lock.unlock();
    }
  }

  private void resumeOnce(Duration timeout) throws IOException {
    long start = System.nanoTime();
    Transport next =
        connect(SecondConnection.attempt(coding.roundTripNanos().orElse(0), attempts(), timeout));
    long left = timeout.toNanos() - (System.nanoTime() - start);
    greet(next, Duration.ofNanos(Math.max(1, left)), true);
  }

  private Transport connect(Duration timeout) throws IOException {
    try {
      return resumption.connector().connect(timeout);
    } catch (ProtocolViolationException onTheWay) { // nothing that the gateway itself has said
      throw new IOException(onTheWay.getMessage(), onTheWay);
    }
  }

  /**
   * Takes the session up on a connection on which nothing has been said, or closes it. The one
   * before may still work.
   *
   * @param timeout for the answer; null for as long as a connection may take
   * @throws NotResumedException the session does not go on there
   * @throws IOException it cannot be taken up now
   */
  void moveTo(Transport next, Duration timeout) throws IOException {
    boolean isPatient = timeout == null;
    greet(next, isPatient ? resumption.connectTimeout() : timeout, isPatient);
  }

  /**
   * @param isPatient whether an answer that does not come in time is the fault of the transport
   */
  private void greet(Transport next, Duration timeout, boolean isPatient) throws IOException {
    boolean answered = false;
    boolean adopted = false;
    ScheduledFuture<?> tooLate = null;
    try {
      carrier.beginGreeting(next);
      tooLate = timer.schedule(next::close, timeout.toNanos(), TimeUnit.NANOSECONDS);
      FrameOutput first = new FrameOutput(256);
      long told = carrier.received();
      first.append(session.hello(token, told));
      next.write(first.array(), 0, first.size());
      HelloAnswer answer = HelloAnswer.await(next);
      answered = true;
      tooLate.cancel(false);
      tooLate = timer.schedule(next::close, REPLAY_TIME.toNanos(), TimeUnit.NANOSECONDS);
      carrier.adopt(next, answer, told);
      adopted = true;
    } catch (NotResumedException | ProtocolViolationException definitive) {
      answered = true;
      throw definitive;
    } finally {
      if (tooLate != null) {
        tooLate.cancel(false);
      }
      if (!adopted) {
        next.close();
      }
      if (!answered && isPatient && !carrier.isOver()) {
        resumption.connector().wasSilent(next);
      }
    }
  }
}
