package io.rmigate.gateway.standalone;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.util.thread.Invocable;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.eclipse.jetty.util.thread.Scheduler;
import org.eclipse.jetty.websocket.core.WebSocketConnection;

/**
 * A connection's socket. It carries requests, which its threads stand by for when the client has
 * come back promptly before; or, after an upgrade, a tunnel, which the selector's thread handles
 * itself, but not for long: others wait for it. A tunnel that has more to say than fits into a turn
 * is one that another thread is woken for, until it has come to rest.
 *
 * <p>{@link #fill} and {@link #flush} come from the thread that has the connection at the moment;
 * with TLS under the lock of {@link SslConnection}, which only a thread that closes the connection
 * also takes; that thread waits for a moment. That nothing comes within it is no timeout: the
 * connection goes back to its selector, and all of Jetty's bounds count from its last byte, as
 * ever.
 */
final class StandbyEndPoint extends RequestEndPoint {
  /** The time that the selector's thread reads a tunnel in one turn. */
  private static final long SHORT_TURN_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  /** For so long another thread reads a tunnel; there are more of these, not one a tunnel. */
  private static final long LONG_TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final StandbyThreads standbys;

  /** When the tunnel's turn began, which lasts for so long, and whether it has read anything. */
  private volatile long turnNanos;

  private volatile long turnLasts = SHORT_TURN_NANOS;
  private volatile boolean turnUsed;

  /**
   * For how long nothing is to be read, once there is nothing to be done with what was; mostly 0.
   */
  private final AtomicLong restNanos = new AtomicLong();

  /** When something was sent that nothing has been read after; 0: there is no such thing. */
  private volatile long sentNanos;

  /** Whether what was read last came within a moment after what was sent before. */
  private volatile boolean prompt;

  StandbyEndPoint(
      SocketChannel channel,
      ManagedSelector selector,
      SelectionKey key,
      Scheduler scheduler,
      StandbyThreads standbys) {
    super(channel, selector, key, scheduler);
    this.standbys = standbys;
  }

  @Override
  public Runnable onSelected() {
    Runnable task = super.onSelected();
    if (task == null || !(carried() instanceof WebSocketConnection)) {
      return task;
    }
    turnNanos = System.nanoTime();
    turnUsed = false;
    return turnLasts == SHORT_TURN_NANOS ? Invocable.from(InvocationType.NON_BLOCKING, task) : task;
  }

  /**
   * Whether others have waited for long enough. Who reads is told that there is nothing, and asks
   * the selector, which comes back to it when it has been to the others.
   */
  private boolean isTurnOver() {
    return turnUsed && System.nanoTime() - turnNanos > turnLasts;
  }

  private int fillTunnel(ByteBuffer buffer) throws IOException {
    if (restNanos.get() > 0) {
      return 0; // the reader registers with the selector later
    }
    if (isTurnOver()) {
      turnLasts = LONG_TURN_NANOS;
      return 0;
    }
    int filled = super.fill(buffer);
    if (filled > 0) {
      turnUsed = true;
    } else {
      turnLasts = SHORT_TURN_NANOS;
    }
    return filled;
  }

  /**
   * Stops reading a tunnel for a time, without asking the selector; TCP holds back the sender.
   * Called by the reading thread.
   */
  void rest(long nanos) {
    restNanos.set(nanos);
  }

  @Override
  protected void needsFillInterest() {
    long rest = restNanos.getAndSet(0);
    if (rest > 0) {
      getScheduler().schedule(super::needsFillInterest, rest, TimeUnit.NANOSECONDS);
    } else {
      super.needsFillInterest();
    }
  }

  @Override
  public int fill(ByteBuffer buffer) throws IOException {
    if (carried() instanceof WebSocketConnection) {
      return fillTunnel(buffer);
    }
    long sent = sentNanos;
    // What is in the buffer still may be all that is going to come: with TLS Jetty reads on first.
    if (prompt && sent != 0 && !buffer.hasRemaining() && carried() instanceof ConnectionMetaData) {
      prompt = false; // until it has come: Jetty asks twice
      standbys.await(getChannel());
    }
    int filled = super.fill(buffer);
    if (filled > 0 && sent != 0) {
      prompt = System.nanoTime() - sent < standbys.moment().toNanos();
      sentNanos = 0;
    }
    return filled;
  }

  @Override
  public boolean flush(ByteBuffer... buffers) throws IOException {
    boolean flushed = super.flush(buffers);
    long now = System.nanoTime();
    sentNanos = now == 0 ? 1 : now;
    return flushed;
  }
}
