package io.rmigate.gateway.edge.post;

import io.rmigate.gateway.edge.door.ComingBody;
import io.rmigate.gateway.session.HeldPieces;
import io.rmigate.protocol.post.Post;
import jakarta.servlet.ServletInputStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The body of a request that is not all there, and what it takes of its principal's share while it
 * comes.
 */
final class PostBody implements ComingBody.Listener {
  static final int MAX_BYTES = Post.MAX_HEAD_BYTES + Post.MAX_REQUEST_BYTES;

  /** For the largest body at 9.6 kbit/s, and as long as proxies wait; not a second more. */
  private static final ComingBody.Bounds BOUNDS =
      new ComingBody.Bounds(MAX_BYTES, Duration.ofSeconds(60), Integer.MAX_VALUE);

  /** Takes it, once, when it is all there. */
  @FunctionalInterface
  interface Sink {
    void take(byte[] body);
  }

  private final PostReply reply;
  private final Sink sink;
  private final Runnable whenOver;
  private final ComingBody body;

  /** Of the share; given back once. */
  private final AtomicLong charged = new AtomicLong();

  private volatile PostShare share;
  private LongSupplier clock;
  private long begunNanos;

  /**
   * @param whenOver called once, whatever has become of it
   */
  PostBody(ServletInputStream in, PostReply reply, Sink sink, Runnable whenOver) {
    this.reply = reply;
    this.sink = sink;
    this.whenOver = whenOver;
    this.body = new ComingBody(in, BOUNDS, this::charge, this);
  }

  /** Once, before it is read. */
  void begin(PostShare ofPrincipal, LongSupplier nanoClock) {
    clock = nanoClock;
    begunNanos = nanoClock.getAsLong();
    share = ofPrincipal;
  }

  /** It is read from here on. */
  void read() {
    body.begin();
  }

  /** Whose room it takes. */
  PostShare share() {
    return share;
  }

  private boolean charge(int bytes) {
    if (!share.charge(bytes)) {
      return false;
    }
    charged.addAndGet(bytes);
    if (body.isOver()) {
      release(); // the timer has ended it meanwhile
    }
    return true;
  }

  @Override
  public void onBody(HeldPieces whole) {
    end();
    sink.take(whole.toByteArray());
  }

  @Override
  public void onFailure(ComingBody.Failure failure) {
    end();
    reply.refuse(
        switch (failure) {
          case MALFORMED -> PostRefusal.MALFORMED;
          case TOO_SLOW -> PostRefusal.TOO_SLOW;
          case TOO_LARGE -> PostRefusal.TOO_LARGE;
          case FULL -> PostRefusal.FULL;
        });
  }

  /** Looks at the clock. From the timer. */
  void tick() {
    body.tick(clock.getAsLong() - begunNanos);
  }

  /** The gateway stops. */
  void stop() {
    body.end(ComingBody.Failure.FULL);
  }

  private void end() {
    release();
    whenOver.run();
  }

  private void release() {
    share.release(charged.getAndSet(0));
  }
}
