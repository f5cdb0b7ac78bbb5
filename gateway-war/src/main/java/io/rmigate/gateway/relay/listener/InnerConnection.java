package io.rmigate.gateway.relay.listener;

import io.rmigate.gateway.relay.Containment;
import io.rmigate.gateway.relay.DeadlineCheck;
import io.rmigate.gateway.relay.RelayLoop;
import io.rmigate.gateway.relay.SelectorListener;
import io.rmigate.gateway.relay.WriteQueue;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that an inner JVM has made to an {@link InnerListener}: bytes both ways, without
 * blocking.
 *
 * <pre>
 *   OPEN ── {@link #closeGently}, written ──► LINGERING ── end of input, or 2 s ──► CLOSED
 *     └── {@link #close}, end of input, failure ─────────────────────────────────────►
 * </pre>
 *
 * LINGERING: a connection that is closed while input is unread is reset, and the peer may lose what
 * was written last; so that input is read and dropped first.
 *
 * <p>Lock: {@code lock} guards the state, the queue and the channel's writes; the listener is
 * called outside it. Bytes that find nothing waiting are written by the thread that has them.
 */
public final class InnerConnection implements SelectorListener, DeadlineCheck {
  private static final Logger LOG = LoggerFactory.getLogger(InnerConnection.class);
  private static final Duration LINGER = Duration.ofSeconds(2);

  private enum State {
    OPEN,
    /** The waiting bytes are still written; bytes that arrive are ignored. */
    CLOSING,
    LINGERING,
    CLOSED
  }

  private final RelayLoop loop;
  private final SocketChannel channel;
  private final String peer;
  private final ReentrantLock lock = new ReentrantLock();
  private State state = State.OPEN;
  private final WriteQueue queue = new WriteQueue();

  /** The key of this connection; null until it is registered with the loop's selector. */
  private SelectionKey key;

  /** 0: none. */
  private long deadlineNanos;

  /** Set once, by {@link #open}, before the first event. */
  private InnerConnectionListener listener;

  /** Latest window in which the loop's crowd has counted this connection. Confined to the loop. */
  private long lastCrowd;

  /**
   * @param channel accepted, not blocking
   */
  InnerConnection(RelayLoop loop, SocketChannel channel, String peer) {
    this.loop = loop;
    this.channel = channel;
    this.peer = peer;
  }

  /** Begins to read. On the loop, once. */
  public void open(InnerConnectionListener owner) throws IOException {
    listener = owner;
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    lock.lock();
    try {
      key = channel.register(loop.selector(), SelectionKey.OP_READ, this);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Writes, or keeps what cannot leave now; how much that may be is for the owner to bound. Does
   * nothing once the connection is closed. From any thread; {@code bytes} belong to this from here
   * on.
   */
  public void write(byte[] bytes) {
    int written = 0;
    lock.lock();
    try {
      if (state != State.OPEN) {
        return;
      }
      written = queue.write(ByteBuffer.wrap(bytes), channel, key);
    } catch (IOException broken) {
      LOG.debug("{}: write failed: {}", this, broken.toString());
      closeHere();
      later(listener::onEnded);
      return;
    } finally {
      lock.unlock();
    }
    if (written > 0) {
      listener.onWritten(written);
    }
  }

  /** Reads on after {@link InnerConnectionListener#wanted} was 0. From any thread. */
  public void resume() {
    later(
        () -> {
          lock.lock();
          try {
            if (key != null && key.isValid()) {
              key.interestOpsOr(SelectionKey.OP_READ);
            }
          } finally {
            lock.unlock();
          }
        });
  }

  /** Unless this is called again in time {@link InnerConnectionListener#onLate} is called. */
  public void expectWithin(Duration time) {
    lock.lock();
    try {
      deadlineNanos = System.nanoTime() + time.toNanos();
    } finally {
      lock.unlock();
    }
    watch();
  }

  /** Cancels the deadline of an open connection. */
  public void expectNothing() {
    lock.lock();
    try {
      if (state == State.OPEN) {
        deadlineNanos = 0;
      }
    } finally {
      lock.unlock();
    }
  }

  private void watch() {
    if (loop.inLoop()) {
      loop.watch(this);
    } else {
      loop.execute(() -> loop.watch(this));
    }
  }

  /** Ends the connection behind what was written; the listener hears only when that is done. */
  public void closeGently() {
    lock.lock();
    try {
      if (state != State.OPEN) {
        return;
      }
      state = State.CLOSING;
      deadlineNanos = System.nanoTime() + LINGER.toNanos();
      if (queue.isEmpty()) {
        linger();
      }
    } finally {
      lock.unlock();
    }
    watch();
    resume();
  }

  /** Ends the output, because all bytes are written, and lingers. */
  private void linger() {
    assert lock.isHeldByCurrentThread();
    state = State.LINGERING;
    deadlineNanos = System.nanoTime() + LINGER.toNanos();
    try {
      channel.shutdownOutput();
    } catch (IOException broken) {
      closeHere();
      later(listener::onEnded);
    }
  }

  /** Ends the connection; the listener hears nothing more. Idempotent, from any thread. */
  @Override
  public void close() {
    lock.lock();
    try {
      closeHere();
    } finally {
      lock.unlock();
    }
  }

  private void closeHere() {
    assert lock.isHeldByCurrentThread();
    state = State.CLOSED;
    queue.clear();
    try {
      channel.close();
    } catch (IOException harmless) {
      LOG.trace("{}: close", this, harmless);
    }
    loop.selector().wakeup(); // the descriptor is freed when the key is deregistered
  }

  @Override
  public void breakDown() {
    close();
    listener.onBroken();
  }

  /** Runs a step on the loop, soon. */
  private void later(Runnable step) {
    loop.execute(
        () -> {
          try {
            step.run();
          } catch (Throwable unexpected) {
            Containment.contain(this, unexpected, this::breakDown);
          }
        });
  }

  // From here on: on the loop.

  @Override
  public void onReady(SelectionKey ready) {
    if (ready.isWritable()) {
      writeQueued();
    }
    if (ready.isValid() && ready.isReadable()) {
      read();
    }
  }

  private void writeQueued() {
    int written = 0;
    boolean broken = false;
    lock.lock();
    try {
      if (state == State.CLOSED) {
        return;
      }
      written = queue.writeWaiting(channel, key);
      if (state == State.CLOSING && queue.isEmpty()) {
        linger();
      } else if (state == State.CLOSING && written > 0) {
        deadlineNanos = System.nanoTime() + LINGER.toNanos(); // a slow peer still takes something
      }
    } catch (IOException failed) {
      LOG.debug("{}: write failed: {}", this, failed.toString());
      closeHere();
      broken = true;
    } finally {
      lock.unlock();
    }
    if (written > 0) {
      listener.onWritten(written);
    }
    if (broken) {
      listener.onEnded();
    }
  }

  private void read() {
    lastCrowd = loop.crowd().seen(lastCrowd);
    ByteBuffer buffer = loop.readBuffer();
    int wanted = listener.wanted(); // outside the lock: the owner has one of its own
    boolean ended = false;
    boolean dropped = false;
    lock.lock();
    try {
      if (state == State.CLOSED) {
        return;
      }
      dropped = state != State.OPEN;
      if (!dropped) {
        if (wanted == 0) {
          key.interestOpsAnd(~SelectionKey.OP_READ);
          return;
        }
        buffer.limit(Math.min(buffer.capacity(), wanted));
      }
      if (channel.read(buffer) < 0) {
        ended = true;
        closeHere();
      }
    } catch (IOException reset) {
      LOG.debug("{}: read failed: {}", this, reset.toString());
      ended = true;
      closeHere();
    } finally {
      lock.unlock();
    }
    if (ended) {
      listener.onEnded();
    } else if (!dropped) {
      listener.onBytes(buffer.flip());
    }
  }

  @Override
  public boolean checkDeadline(long now) {
    boolean lingered;
    lock.lock();
    try {
      if (state == State.CLOSED || deadlineNanos == 0) {
        return false;
      }
      if (deadlineNanos - now > 0) {
        return true;
      }
      deadlineNanos = 0;
      lingered = state != State.OPEN;
      if (lingered) {
        closeHere();
      }
    } finally {
      lock.unlock();
    }
    if (lingered) {
      listener.onEnded();
    } else {
      listener.onLate();
    }
    return !lingered;
  }

  @Override
  public String toString() {
    return "connection of " + peer;
  }
}
