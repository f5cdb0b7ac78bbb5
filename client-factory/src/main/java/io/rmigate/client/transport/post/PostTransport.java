package io.rmigate.client.transport.post;

import io.rmigate.client.config.GatewayLogin;
import io.rmigate.client.config.Way;
import io.rmigate.client.jvm.Daemons;
import io.rmigate.client.jvm.NoThreadException;
import io.rmigate.client.transport.GatewayAccess;
import io.rmigate.client.transport.GatewayRefusal;
import io.rmigate.client.transport.Transport;
import io.rmigate.client.transport.TransportRefusedException;
import io.rmigate.client.transport.http.HttpConnection;
import io.rmigate.client.transport.http.HttpHead;
import io.rmigate.client.transport.http.UserAgent;
import io.rmigate.client.transport.net.Deadline;
import io.rmigate.client.transport.net.SocketGuard;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.post.ConnectionId;
import io.rmigate.protocol.post.Post;
import io.rmigate.protocol.post.PostAnswer;
import io.rmigate.protocol.post.PostRequest;
import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The frame stream in numbered HTTP POSTs over a few connections (PROTOCOL.md, section 4). What is
 * written leaves in a request; what the gateway has to say comes in the answers, which are read in
 * the order of the requests. A lone caller so writes its request and reads its answer on the same
 * connection, in one round trip; only a reader that finds no request without an answer sends an
 * empty one, which waits at the gateway for what may come.
 *
 * <p><b>Nothing is done twice.</b> A request whose answer does not come is sent again, by its
 * number, over another connection; the gateway takes each number once, and answers it as before.
 *
 * <p>Threads: one writes, one reads. A writer that finds all requests without an answer, and no
 * thread reading, reads one answer and keeps its bytes for the reader. Lock: {@code lock} guards
 * the state; nothing is sent or read under it, and that of the {@link PostPool} is taken under it.
 */
public final class PostTransport implements Transport {
  private static final System.Logger LOG = System.getLogger(PostTransport.class.getName());

  /** Requests sent ahead when there is much to fetch; one is left for the writer. */
  private static final int MAX_AHEAD = Post.MAX_UNANSWERED - 1;

  /** How often a request is sent, at the most. */
  private static final int MAX_ATTEMPTS = 4;

  /** Bytes that a writer may keep for the reader. */
  private static final int MAX_KEPT_BYTES = 1024 * 1024;

  /** Before a request that was refused for now is sent again; four times as long each time. */
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

  /** Time for the session's last bytes when it closes, and then for giving the connection up. */
  private static final Duration LAST_WORDS = Duration.ofMillis(250);

  private static final byte[] NOTHING = new byte[0];

  private final PostDialer dialer;
  private final PostPool pool;
  private final HoldTime hold;
  private final ConnectionId id;
  private final String head;
  private final BodySize size = new BodySize();

  private final ReentrantLock lock = new ReentrantLock();

  /** Signalled when a field below may have changed. */
  private final Condition changed = lock.newCondition();

  /** Requests without an answer, by number; the answer to the first is read next. */
  private final Deque<PostExchange> unanswered = new ArrayDeque<>();

  /** Bytes of answers that the reader has not taken. */
  private final Deque<byte[]> arrived = new ArrayDeque<>();

  private int arrivedOffset;
  private int arrivedBytes;

  /** The number of the latest request. */
  private long number;

  /** The answers up to this number have come. */
  private long received;

  /** A thread sends a request. */
  private boolean sending;

  /** A thread reads an answer. */
  private boolean receiving;

  /** The last answer has said that there is more. */
  private boolean more;

  /** The gateway has closed the connection. */
  private boolean ended;

  private boolean closed;

  /** Null while it works. */
  private IOException failure;

  private PostTransport(PostDialer dialer, HoldTime hold) throws IOException {
    GatewayAccess access = dialer.access();
    this.dialer = dialer;
    this.pool = new PostPool(dialer);
    this.hold = hold;
    this.id = ConnectionId.random(access.random());
    Optional<GatewayLogin> login = access.config().login();
    this.head =
        "POST "
            + access.gateway().getRawPath()
            + GatewayAccess.PATH
            + " HTTP/1.1\r\nHost: "
            + access.gateway().getRawAuthority()
            + "\r\nUser-Agent: "
            + UserAgent.TEXT
            + "\r\n"
            + "Accept-Encoding: identity\r\n"
            + "Cache-Control: no-store, no-transform\r\n"
            + "Content-Type: "
            + Post.CONTENT_TYPE
            + (login.isPresent() ? "\r\nAuthorization: " + login.get().authorization() : "")
            + "\r\nContent-Length: ";
  }

  /** Connects, and asks the gateway whether it will have us: one round trip. */
  static PostTransport open(PostDialer dialer, HoldTime hold, Deadline deadline)
      throws IOException {
    PostTransport transport = new PostTransport(dialer, hold);
    boolean done = false;
    HttpConnection first = dialer.dial(deadline);
    SocketGuard guard = SocketGuard.start(first.socket(), deadline.remaining());
    try {
      dialer.access().warnOfPlainLogin();
      deadline.watch().leaveOpen(first.socket());
      transport.begin(first);
      done = guard.disarm();
      if (!done) {
        throw new SocketException("closed while the last byte of the answer came");
      }
      return transport;
    } catch (ProtocolViolationException e) {
      throw new IOException(e.getMessage(), e);
    } catch (IOException e) {
      throw guard.explain(
          dialer.access().explainedFirst(e), "the first POST to " + dialer.access().gateway());
    } finally {
      if (!done) {
        guard.disarm();
        first.close();
      }
    }
  }

  private void begin(HttpConnection first) throws IOException {
    PostExchange exchange = nextExchange(NOTHING, 0, 0);
    first.send(encoded(exchange));
    exchange.sentOn(first);
    PostAnswer answer = answerTo(exchange, 1);
    received = answer.number();
    ended = answer.end();
    pool.add(first);
    pool.giveBack(first);
  }

  /** Creates the next request, with the lock held or before another thread has this transport. */
  private PostExchange nextExchange(byte[] bytes, int offset, int length) {
    number++;
    return new PostExchange(number, received, Arrays.copyOfRange(bytes, offset, offset + length));
  }

  /** Head and body; a request that is sent again may ask to wait for less. */
  private byte[] encoded(PostExchange exchange) {
    return request(
        PostRequest.encode(
            id,
            exchange.number(),
            exchange.received(),
            hold.millis(),
            exchange.bytes(),
            0,
            exchange.bytes().length));
  }

  private byte[] request(byte[] body) {
    byte[] text = (head + body.length + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1);
    byte[] request = Arrays.copyOf(text, text.length + body.length);
    System.arraycopy(body, 0, request, text.length, body.length);
    return request;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    lock.lock();
    try {
      while (arrived.isEmpty()) {
        throwIfOver();
        if (ended) {
          return -1;
        }
        if (receiving || (sending && unanswered.isEmpty())) {
          changed.awaitUninterruptibly();
        } else if (unanswered.isEmpty() || (more && unanswered.size() < MAX_AHEAD && !sending)) {
          send(NOTHING, 0, 0);
        } else {
          receive();
        }
      }
      return take(buffer, offset, length);
    } finally {
      lock.unlock();
    }
  }

  private int take(byte[] buffer, int offset, int length) {
    byte[] first = arrived.peekFirst();
    int count = Math.min(length, first.length - arrivedOffset);
    System.arraycopy(first, arrivedOffset, buffer, offset, count);
    arrivedOffset += count;
    boolean wasFull = arrivedBytes >= MAX_KEPT_BYTES;
    arrivedBytes -= count;
    if (wasFull && arrivedBytes < MAX_KEPT_BYTES) {
      wakeOthers();
    }
    if (arrivedOffset == first.length) {
      arrived.removeFirst();
      arrivedOffset = 0;
    }
    return count;
  }

  @Override
  public void write(byte[] buffer, int offset, int length) throws IOException {
    lock.lock();
    try {
      int at = offset;
      int end = offset + length;
      while (at < end) {
        awaitTurnToSend();
        int count = Math.min(size.bytes(), end - at);
        send(buffer, at, count);
        at += count;
      }
    } finally {
      lock.unlock();
    }
  }

  private void awaitTurnToSend() throws IOException {
    while (true) {
      throwIfOver();
      if (ended) {
        throw new SocketException("the gateway has closed the connection: " + dialer.description());
      }
      boolean full = unanswered.size() >= Post.MAX_UNANSWERED;
      if (!sending && !full) {
        return;
      }
      if (!sending && !receiving && arrivedBytes < MAX_KEPT_BYTES) {
        receive(); // no other thread does
      } else {
        changed.awaitUninterruptibly();
      }
    }
  }

  /** Sends one request. With the lock held; leaves it meanwhile. */
  private void send(byte[] bytes, int offset, int length) throws IOException {
    PostExchange exchange = nextExchange(bytes, offset, length);
    sending = true;
    IOException failed = null;
    lock.unlock();
    try {
      sendOnAny(exchange);
    } catch (IOException e) {
      failed = e;
    } finally {
      lock.lock();
      sending = false;
      wakeOthers();
    }
    if (failed != null) {
      throw fail(failed);
    }
    unanswered.addLast(exchange);
  }

  private void sendOnAny(PostExchange exchange) throws IOException {
    HttpConnection rested = pool.take();
    if (rested != null) {
      try {
        rested.send(encoded(exchange));
        exchange.sentOn(rested);
        return;
      } catch (IOException ended) {
        pool.drop(rested); // even if it has arrived: the gateway takes each number once
      }
    }
    sendOnAnother(exchange);
  }

  private void sendOnAnother(PostExchange exchange) throws IOException {
    HttpConnection fresh = pool.dial();
    if (isOver()) {
      pool.drop(fresh);
      throw closedByUs();
    }
    exchange.sentOn(fresh); // first: who closes us closes that
    fresh.send(encoded(exchange));
  }

  /** Reads the next answer. With the lock held; leaves it meanwhile. */
  private void receive() throws IOException {
    PostExchange exchange = unanswered.peekFirst();
    receiving = true;
    PostAnswer answer = null;
    IOException failed = null;
    lock.unlock();
    try {
      answer = answerTo(exchange, MAX_ATTEMPTS);
      hold.keptFor(exchange.ageNanos());
      size.answered(exchange.bytes().length, exchange.ageNanos());
      giveBack(exchange.connection());
    } catch (ProtocolViolationException e) { // nothing that the link's protocol speaks of
      failed = new IOException(e.getMessage(), e);
    } catch (IOException e) {
      failed = e;
    } finally {
      lock.lock();
      receiving = false;
      wakeOthers();
    }
    if (failed != null) {
      throw fail(failed);
    }
    unanswered.removeFirst();
    received = answer.number();
    more = answer.more();
    ended |= answer.end();
    if (answer.bytes().length > 0) {
      arrived.addLast(answer.bytes());
      arrivedBytes += answer.bytes().length;
    }
  }

  /** The answer, for which the request may have to be sent again. */
  private PostAnswer answerTo(PostExchange exchange, int attempts) throws IOException {
    while (true) {
      IOException lost;
      boolean cut = true;
      boolean again = exchange.attempts() < attempts;
      try {
        HttpConnection.Answer answer =
            exchange
                .connection()
                .read(peer(), PostExchange.mostAnswerBytes(), () -> lookAfterOthers(exchange));
        if (answer.head() == null) {
          return decode(exchange, answer.body());
        }
        int status = answer.head().status();
        lost = refusal(answer.head());
        again &= isPassing(status);
        cut = status == 408 || status == 504;
      } catch (IOException broken) {
        lost = broken;
      }
      if (!again || isOver()) {
        pool.drop(exchange.connection());
        throw lost;
      }
      if (cut) {
        hold.cutAfter(exchange.ageNanos());
        pool.distrustResting();
      } else {
        pause(exchange.attempts());
      }
      sendAgain(exchange);
      lookAfterOthers(exchange); // what has cut this connection may have cut all of them
    }
  }

  /** The request was refused for now. */
  private void pause(int attempts) throws IOException {
    long left = FIRST_PAUSE.multipliedBy(1L << (2 * (attempts - 1))).toNanos();
    boolean interrupted = false; // it reads for others too
    lock.lock();
    try {
      while (!closed && failure == null && left > 0) {
        try {
          left = changed.awaitNanos(left);
        } catch (InterruptedException later) {
          interrupted = true;
        }
      }
      throwIfOver();
    } finally {
      lock.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void sendAgain(PostExchange exchange) throws IOException {
    pool.drop(exchange.connection());
    sendOnAnother(exchange);
  }

  /**
   * The answer that is waited for may be long in coming because a later request was lost: the
   * gateway has nothing to say before it has that one.
   */
  private void lookAfterOthers(PostExchange waitedFor) {
    List<PostExchange> others;
    lock.lock();
    try {
      others = new ArrayList<>(unanswered);
    } finally {
      lock.unlock();
    }
    others.remove(waitedFor);
    for (PostExchange other : others) {
      if (other.connection().hasFailed() && other.attempts() < MAX_ATTEMPTS && !isOver()) {
        hold.cutAfter(other.ageNanos());
        try {
          sendAgain(other);
        } catch (IOException notNow) {
          // It is tried again when its turn has come, or at the next look.
          LOG.log(System.Logger.Level.DEBUG, () -> peer() + ": not sent again yet: " + notNow);
        }
      }
    }
  }

  private PostAnswer decode(PostExchange exchange, byte[] body) throws IOException {
    PostAnswer answer;
    try {
      answer = PostAnswer.decode(body, body.length);
    } catch (ProtocolViolationException other) {
      throw new IOException(
          peer()
              + ": "
              + other.getMessage()
              + "; something other than an rmigate gateway answered, or what stands between has"
              + " changed the answer",
          other);
    }
    if (answer.number() != exchange.number()) {
      throw new IOException(
          "%s: expected the answer to request 0x%x, got that to 0x%x"
              .formatted(peer(), exchange.number(), answer.number()));
    }
    return answer;
  }

  /** Whether an HTTP proxy that answers so may pass the request on later. */
  private static boolean isPassing(int status) {
    return switch (status) {
      case 408, 500, 502, 503, 504 -> true;
      default -> false;
    };
  }

  private IOException refusal(HttpHead head) {
    GatewayAccess access = dialer.access();
    Optional<String> own =
        switch (head.status()) {
          case 400, 405, 406, 411, 413, 415, 501, 505 ->
              Optional.of(
                  ": the POST was refused; does the gateway offer it (post.enabled), and does what"
                      + " stands in front of the gateway pass POST on?");
          case 409, 410 ->
              Optional.of(": it does not know this connection, or not any more, in this state");
          default -> Optional.empty();
        };
    IOException refusal =
        new GatewayRefusal(access.gateway(), access.config(), GatewayAccess.PATH)
            .of(head, own, "200");
    return switch (head.status()) {
      case 400, 403, 405, 406, 411, 413, 415, 501, 505 ->
          new TransportRefusedException(refusal.getMessage());
      default -> refusal;
    };
  }

  private String peer() {
    return dialer.access().gateway().toString();
  }

  private void giveBack(HttpConnection connection) {
    if (isOver()) {
      pool.drop(connection);
    } else {
      pool.giveBack(connection);
    }
  }

  private void wakeOthers() {
    if (lock.hasWaiters(changed)) {
      changed.signalAll();
    }
  }

  private boolean isOver() {
    lock.lock();
    try {
      return closed || failure != null;
    } finally {
      lock.unlock();
    }
  }

  private void throwIfOver() throws IOException {
    if (closed) {
      throw closedByUs();
    }
    if (failure != null) {
      throw new SocketException("an earlier request failed: " + failure.getMessage());
    }
  }

  /** Fails the transport for good and returns the exception to throw. With the lock held. */
  private IOException fail(IOException cause) {
    boolean first = failure == null;
    if (first) {
      failure = cause;
      pool.close();
      wakeOthers();
    }
    return closed ? closedByUs() : first ? cause : new SocketException(cause.getMessage());
  }

  @Override
  public Optional<Way> way() {
    return Optional.of(Way.POST);
  }

  @Override
  public long bytesReceived() {
    return dialer.bytesReceived();
  }

  @Override
  public long arrivals() {
    return dialer.arrivals();
  }

  @Override
  public long bytesSent() {
    return dialer.bytesSent();
  }

  @Override
  public void close() {
    boolean tells;
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      tells = failure == null && !ended;
      if (!tells) {
        pool.close();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (tells) {
      try {
        Daemons.start("rmigate-post-close", this::closeBehindLastWords);
      } catch (NoThreadException none) {
        closeUnheard(none);
      }
    }
  }

  @Override
  public void abandon() {
    lock.lock();
    try {
      closed = true;
      pool.close();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The gateway then notices by itself that nothing comes any more. */
  private void closeUnheard(NoThreadException none) {
    LOG.log(System.Logger.Level.DEBUG, () -> peer() + ": closed, unheard: " + none.getMessage());
    lock.lock();
    try {
      pool.close();
    } finally {
      lock.unlock();
    }
  }

  /** Whether something that was sent may be on its way still. With the lock held. */
  private boolean isHeardOut() {
    return failure == null
        && !ended
        && unanswered.stream().anyMatch(exchange -> !exchange.isEmpty());
  }

  /** A proxy may drop a request whose sender has hung up. */
  private void closeBehindLastWords() {
    long left = LAST_WORDS.toNanos();
    HttpConnection free = null;
    lock.lock();
    try {
      while (isHeardOut() && left > 0) {
        left = changed.awaitNanos(left);
      }
      if (failure == null && !ended && !isHeardOut()) { // else it might overtake the last words
        free = pool.leave();
      }
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    } finally {
      pool.close();
      lock.unlock();
    }
    if (free != null) {
      giveUp(free);
    }
  }

  /** Ends this connection at the gateway, which would wait for the next request otherwise. */
  private void giveUp(HttpConnection over) {
    SocketGuard guard;
    try {
      guard = SocketGuard.start(over.socket(), LAST_WORDS);
    } catch (NoThreadException closed) {
      LOG.log(System.Logger.Level.DEBUG, () -> peer() + ": closed: " + closed.getMessage());
      return;
    }
    try {
      over.send(request(PostRequest.givingUp(id)));
      over.read(peer(), PostExchange.mostAnswerBytes(), () -> {}); // or proxies may drop it
    } catch (IOException unheard) {
      LOG.log(System.Logger.Level.DEBUG, () -> peer() + ": gave up, unheard: " + unheard);
    } finally {
      guard.disarm();
      over.close();
    }
  }

  private IOException closedByUs() {
    return new SocketException("transport closed: " + dialer.description());
  }

  @Override
  public String toString() {
    return dialer.description();
  }
}
