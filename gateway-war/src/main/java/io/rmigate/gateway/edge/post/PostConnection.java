package io.rmigate.gateway.edge.post;

import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.quota.Permit;
import io.rmigate.gateway.session.LinkPort;
import io.rmigate.protocol.post.Post;
import io.rmigate.protocol.post.PostAnswer;
import io.rmigate.protocol.post.PostRequest;
import io.rmigate.protocol.tunnel.CloseCause;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One transport connection made of numbered requests over any TCP connections. The session gets
 * their bodies in the order of their numbers, each once. Frames of the session go into answers in
 * the same order, the oldest request first; at most {@link Post#MAX_HELD} wait. An answer is kept
 * until the agent says that it has arrived, so that a request whose answer was lost, or which a
 * proxy repeats, is answered again and done once.
 *
 * <p>Bounded by {@link Post#MAX_UNANSWERED}: the number of bodies that came before their turn, or
 * of kept answers, never both.
 *
 * <p>Threads: the container's bring requests, the session's send; the sweep of {@link
 * PostConnections} looks at the clock. Lock: {@code lock} guards everything; session and replies
 * are called outside it.
 */
final class PostConnection implements LinkPort {
  private static final Logger LOG = LoggerFactory.getLogger(PostConnection.class);

  /** After an answer of this size more bytes are likely. */
  private static final int MUCH_BYTES = 16 * 1024;

  /** An agent takes a request that is not answered at all for one that was lost. */
  private static final long LONGEST_REST_NANOS = Duration.ofSeconds(5).toNanos();

  private static final byte[] NOTHING = new byte[0];

  private final Principal principal;
  private final PostPeer peer;
  private final Permit<Principal> waitingBytes;
  private final long holdNanos;
  private final LongSupplier clock;

  private final ReentrantLock lock = new ReentrantLock();

  /** Requests whose answers the agent has not confirmed, by number. */
  private final Map<Long, PostSlot> slots = new HashMap<>();

  /** The request whose turn it is to be taken. */
  private long next = 1;

  /** The time until which no request is taken; meaningful only while {@code rests}. */
  private long restsUntil;

  private boolean rests;

  /** Number of the oldest request without an answer. */
  private long unanswered = 1;

  /** The answers up to here have arrived. */
  private long received;

  /** A thread gives requests to the session, and takes requests that come meanwhile. */
  private boolean taking;

  /** A thread makes an answer; it looks again when it has. */
  private boolean answering;

  /** Bytes that the session wants to send; null when none wait. */
  private ByteBuffer outgoing;

  private SendEnd outgoingEnd;

  /** Whether {@link #close} was called. */
  private boolean closed;

  private long closedNanos;

  /** Whether {@link #end} was called. */
  private boolean over;

  /** The session's consumer of request bodies; set before the first request. */
  private Consumer<ByteBuffer> session;

  /** Run when the connection is given up. */
  private Runnable whenGivenUp;

  /** The time at which the latest request of this connection came. */
  private long askedNanos;

  /**
   * @param waitingBytes of requests that have come, until they are taken
   * @param holdNanos the longest a request waits
   */
  PostConnection(
      Principal principal,
      PostPeer peer,
      Permit<Principal> waitingBytes,
      long holdNanos,
      LongSupplier clock) {
    this.principal = principal;
    this.peer = peer;
    this.waitingBytes = waitingBytes;
    this.holdNanos = holdNanos;
    this.clock = clock;
  }

  /**
   * Begins; once, before this object is shared.
   *
   * @param taker takes the bodies of requests, one call at a time
   * @param givenUp run when the agent has given up the connection
   */
  void begin(Consumer<ByteBuffer> taker, Runnable givenUp) {
    session = taker;
    whenGivenUp = givenUp;
  }

  Principal principal() {
    return principal;
  }

  /** The peer that opened this connection. */
  PostPeer from() {
    return peer;
  }

  /** A request of this connection. Does not block. */
  void on(PostRequest request, PostReply reply) {
    byte[] kept = null;
    PostReply refused = null;
    PostRefusal why = PostRefusal.OUT_OF_ORDER;
    boolean takes = false;
    lock.lock();
    try {
      long number = request.number();
      boolean fits = request.received() < unanswered; // of what has never been said
      askedNanos = clock.getAsLong();
      if (fits) {
        confirm(request.received());
      }
      if (over) {
        refused = reply;
        why = PostRefusal.GONE;
      } else if (!fits || number <= received || number > received + Post.MAX_UNANSWERED) {
        refused = reply;
      } else {
        PostSlot slot = slots.get(number);
        if (slot == null && hasRoom(request.bytes().length)) {
          slot = new PostSlot(number, request.holdMillis(), request.bytes());
          slots.put(number, slot);
        }
        if (slot == null) {
          refused = reply;
          why = PostRefusal.FULL;
        } else {
          kept = slot.answer();
          if (kept == null) {
            slot.shorten(clock.getAsLong(), request.holdMillis());
            refused = slot.add(reply);
            takes = !taking && number == next;
            taking |= takes;
          }
        }
      }
    } finally {
      lock.unlock();
    }
    if (kept != null) {
      reply.answer(kept);
    }
    if (refused != null) {
      refused.refuse(why);
    }
    if (takes) {
      takeInOrder();
    }
  }

  /** The agent will not ask any more: those who wait are told. Does not block. */
  void giveUp() {
    whenGivenUp.run();
    close(CloseCause.LINK_LOST);
  }

  private void confirm(long arrived) {
    while (received < arrived) {
      received++;
      slots.remove(received);
    }
  }

  private boolean hasRoom(int bytes) {
    return waitingBytes.take(bytes, PostConnections.WAITING_BYTES);
  }

  /** Hands what has come to the session. By the thread that has set {@code taking}. */
  private void takeInOrder() {
    while (true) {
      byte[] bytes;
      lock.lock();
      try {
        PostSlot slot = slots.get(next);
        if (slot == null || rests) {
          taking = false;
          return;
        }
        bytes = slot.take(clock.getAsLong(), holdNanos);
        waitingBytes.release(bytes.length);
        next++;
        if (closed) {
          bytes = NOTHING;
        }
      } finally {
        lock.unlock();
      }
      if (bytes.length > 0) {
        accept(bytes);
      }
      answerHeld();
    }
  }

  /** Contains failures, which would end the delivery of requests for good. */
  private void accept(byte[] bytes) {
    try {
      session.accept(ByteBuffer.wrap(bytes));
    } catch (RuntimeException | Error unexpected) {
      LOG.error("unexpected failure of a POST connection", unexpected);
      close(CloseCause.INTERNAL_ERROR);
    }
  }

  /** Answers requests that wait, the oldest first, as long as there is a reason to. */
  private void answerHeld() {
    lock.lock();
    try {
      if (answering) {
        return; // the other thread looks again before it stops
      }
      answering = true;
    } finally {
      lock.unlock();
    }
    for (PostSlot slot = nextToAnswer(); slot != null; slot = nextToAnswer()) {
      byte[] bytes = gather();
      boolean end;
      boolean more;
      lock.lock();
      try {
        more = outgoing != null || bytes.length >= MUCH_BYTES;
        end = closed;
      } finally {
        lock.unlock();
      }
      byte[] body = new PostAnswer(slot.number(), more, end, bytes).encode();
      Deque<PostReply> waiting;
      lock.lock();
      try {
        waiting = slot.answerWith(body);
        unanswered++;
      } finally {
        lock.unlock();
      }
      waiting.forEach(reply -> reply.answer(body));
    }
  }

  /** The request to be answered now; null, and the answering is over, when there is none. */
  private PostSlot nextToAnswer() {
    lock.lock();
    try {
      PostSlot oldest = unanswered < next ? slots.get(unanswered) : null;
      boolean now =
          oldest != null
              && (outgoing != null
                  || closed
                  || unanswered == 1 // which only opens the connection
                  || next - unanswered > Post.MAX_HELD
                  || oldest.isDue(clock.getAsLong()));
      answering = now;
      return now ? oldest : null;
    } finally {
      lock.unlock();
    }
  }

  /** The bytes to send, as many as one answer carries. Called by the answering thread. */
  private byte[] gather() {
    byte[] gathered = NOTHING;
    while (true) {
      SendEnd ended = null;
      lock.lock();
      try {
        if (outgoing == null || gathered.length == Post.MAX_ANSWER_BYTES) {
          return gathered;
        }
        int before = gathered.length;
        int length = Math.min(outgoing.remaining(), Post.MAX_ANSWER_BYTES - before);
        gathered = Arrays.copyOf(gathered, before + length);
        outgoing.get(gathered, before, length);
        if (!outgoing.hasRemaining()) {
          ended = outgoingEnd;
          outgoing = null;
          outgoingEnd = null;
        }
      } finally {
        lock.unlock();
      }
      if (ended != null) {
        tell(ended); // there may be more to send at once
      }
    }
  }

  /** Contains failures, which would end the answering for good. */
  private static void tell(SendEnd ended) {
    try {
      ended.sendEnded(null);
    } catch (RuntimeException | Error unexpected) {
      LOG.error("unexpected failure of a POST connection", unexpected);
    }
  }

  @Override
  public void send(ByteBuffer bytes, SendEnd end) {
    boolean late;
    lock.lock();
    try {
      late = closed;
      if (!late) {
        outgoing = bytes;
        outgoingEnd = end;
      }
    } finally {
      lock.unlock();
    }
    if (late) {
      end.sendEnded(new IOException("the connection is closed"));
    } else {
      answerHeld();
    }
  }

  /** Waiting requests, and requests of the near future, are told. */
  @Override
  public void close(CloseCause cause) {
    SendEnd never;
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      closedNanos = clock.getAsLong();
      never = outgoingEnd;
      outgoing = null;
      outgoingEnd = null;
    } finally {
      lock.unlock();
    }
    if (never != null) {
      never.sendEnded(new IOException("the connection was closed: " + cause));
    }
    answerHeld();
  }

  @Override
  public String peer() {
    return peer.toString();
  }

  /** Time since the latest request; 0 while a request waits. */
  @Override
  public long desertedNanos() {
    lock.lock();
    try {
      return unanswered < next ? 0 : clock.getAsLong() - askedNanos;
    } finally {
      lock.unlock();
    }
  }

  /** Looks at the clock: answers what has waited long enough, and takes what may be taken again. */
  void tick() {
    boolean takes = false;
    lock.lock();
    try {
      if (rests && (closed || clock.getAsLong() - restsUntil >= 0)) {
        rests = false;
        takes = !taking;
        taking = true;
      }
    } finally {
      lock.unlock();
    }
    if (takes) {
      takeInOrder();
    }
    answerHeld();
  }

  /** Requests wait meanwhile, of which there can be no more than a few. */
  @Override
  public void rest(long nanos) {
    lock.lock();
    try {
      rests = true;
      restsUntil = clock.getAsLong() + Math.min(nanos, LONGEST_REST_NANOS);
    } finally {
      lock.unlock();
    }
  }

  /** Whether it has been closed long enough to be forgotten. */
  boolean isForgotten(long lingerNanos) {
    lock.lock();
    try {
      return closed && clock.getAsLong() - closedNanos > lingerNanos;
    } finally {
      lock.unlock();
    }
  }

  /** The last of it: gives everything back, and refuses what waits still. */
  void end() {
    Deque<PostReply> left = new ArrayDeque<>();
    lock.lock();
    try {
      over = true;
      for (PostSlot slot : slots.values()) {
        left.addAll(slot.answerWith(NOTHING));
      }
      slots.clear();
      waitingBytes.close();
      next = Long.MAX_VALUE;
    } finally {
      lock.unlock();
    }
    left.forEach(reply -> reply.refuse(PostRefusal.GONE));
  }
}
