package io.rmigate.gateway.edge.post;

import io.rmigate.gateway.edge.door.IncomingBody;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.quota.Permit;
import io.rmigate.gateway.stream.HeldPieces;
import io.rmigate.protocol.post.Post;
import jakarta.servlet.ServletInputStream;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The body of a request that is not all there, and what it takes of its principal's share while it
 * comes.
 */
final class PostBody implements IncomingBody.Listener {
  static final int MAX_BYTES = Post.MAX_HEAD_BYTES + Post.MAX_REQUEST_BYTES;

  /** For the largest body at 9.6 kbit/s, and as long as proxies wait; not a second more. */
  private static final IncomingBody.Bounds BOUNDS =
      new IncomingBody.Bounds(MAX_BYTES, Duration.ofSeconds(60), Integer.MAX_VALUE);

  /** Takes it, once, when it is all there. */
  @FunctionalInterface
  interface Sink {
    void take(byte[] body);
  }

  private final PostReply reply;
  private final Sink sink;
  private final Runnable whenOver;
  private final IncomingBody body;

  private volatile Permit<Principal> place;
  private volatile Permit<Principal> bytes;
  private LongSupplier clock;
  private long begunNanos;

  /**
   * @param whenOver called once, at any end
   */
  PostBody(ServletInputStream in, PostReply reply, Sink sink, Runnable whenOver) {
    this.reply = reply;
    this.sink = sink;
    this.whenOver = whenOver;
    this.body = new IncomingBody(in, BOUNDS, this::charge, this);
  }

  /**
   * Once, before it is read.
   *
   * @param place among the bodies of its principal
   * @param bytes of the requests of its principal
   */
  void begin(Permit<Principal> place, Permit<Principal> bytes, LongSupplier nanoClock) {
    clock = nanoClock;
    begunNanos = nanoClock.getAsLong();
    this.place = place;
    this.bytes = bytes;
  }

  /** Starts reading the body. */
  void read() {
    body.begin();
  }

  /** Its place among the bodies of its principal. */
  Permit<Principal> place() {
    return place;
  }

  private boolean charge(int count) {
    return bytes.take(count, PostConnections.WAITING_BYTES);
  }

  @Override
  public void onBody(HeldPieces whole) {
    end();
    sink.take(whole.toByteArray());
  }

  @Override
  public void onFailure(IncomingBody.Failure failure) {
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
    body.end(IncomingBody.Failure.FULL);
  }

  private void end() {
    bytes.close();
    whenOver.run();
  }
}
