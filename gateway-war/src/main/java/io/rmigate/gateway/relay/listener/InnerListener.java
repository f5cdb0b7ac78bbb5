package io.rmigate.gateway.relay.listener;

import io.rmigate.gateway.relay.Containment;
import io.rmigate.gateway.relay.DeadlineCheck;
import io.rmigate.gateway.relay.RelayLoop;
import io.rmigate.gateway.relay.SelectorListener;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port on the inner interface. Accepts on a relay loop, a bounded number in each round; when the
 * operating system has no descriptor left it tries again after a moment, as often as it takes.
 */
public final class InnerListener implements SelectorListener, DeadlineCheck, Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(InnerListener.class);
  private static final int BACKLOG = 128;
  private static final int ACCEPTS_PER_ROUND = 64;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** Receives accepted connections. */
  public interface Acceptor {

    /** Whether this peer may connect; others find the connection closed. On the loop. */
    boolean admits(InetSocketAddress peer);

    /** A connection of a peer that may connect; to be opened within the call. On the loop. */
    void onConnection(InnerConnection connection, InetSocketAddress peer) throws IOException;
  }

  private final RelayLoop loop;
  private final ServerSocketChannel channel;
  private final int port;

  /** Set by {@link #start}. */
  private Acceptor acceptor;

  /** Null until it is registered. Confined to the loop. */
  private SelectionKey key;

  /** When to try again. Confined to the loop. */
  private long pausedUntilNanos;

  private InnerListener(RelayLoop loop, ServerSocketChannel channel, int port) {
    this.loop = loop;
    this.channel = channel;
    this.port = port;
  }

  /**
   * Takes a port. Connections wait until {@link #start}.
   *
   * @param port 0: any
   * @throws java.net.BindException it is taken
   */
  public static InnerListener bind(RelayLoop loop, InetAddress address, int port)
      throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open();
    try {
      channel.configureBlocking(false);
      channel.bind(new InetSocketAddress(address, port), BACKLOG);
      return new InnerListener(
          loop, channel, ((InetSocketAddress) channel.getLocalAddress()).getPort());
    } catch (IOException | RuntimeException | Error failed) {
      channel.close();
      throw failed;
    }
  }

  /** Begins to accept. Once. */
  public void start(Acceptor owner) {
    acceptor = owner;
    loop.execute(
        () -> {
          try {
            key = channel.register(loop.selector(), SelectionKey.OP_ACCEPT, this);
          } catch (ClosedChannelException over) {
            LOG.debug("{} was closed at once", this);
          }
        });
  }

  /** The real one. */
  public int port() {
    return port;
  }

  /** Frees the port. Connections live on. Idempotent, from any thread. */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException harmless) {
      LOG.trace("{}: close", this, harmless);
    }
    loop.selector().wakeup(); // the port is free when the key is deregistered
  }

  /** A failure concerns one connection, or is over in a moment. */
  @Override
  public void breakDown() {
    pause();
  }

  // From here on: on the loop.

  @Override
  public void onReady(SelectionKey ready) {
    for (int i = 0; i < ACCEPTS_PER_ROUND; i++) {
      SocketChannel accepted;
      try {
        accepted = channel.accept();
      } catch (ClosedChannelException over) {
        return;
      } catch (IOException exhausted) {
        LOG.warn("{} cannot accept for now: {}", this, exhausted.toString());
        pause();
        return;
      }
      if (accepted == null) {
        return;
      }
      handOver(accepted);
    }
  }

  private void pause() {
    if (interestedIn(0)) {
      pausedUntilNanos = System.nanoTime() + PAUSE_NANOS;
      loop.watch(this);
    }
  }

  /** False when it has not been started, or is closed meanwhile, by any thread. */
  private boolean interestedIn(int operations) {
    if (key == null) {
      return false;
    }
    try {
      key.interestOps(operations);
      return true;
    } catch (CancelledKeyException closedMeanwhile) {
      LOG.trace("{} was closed meanwhile", this);
      return false;
    }
  }

  private void handOver(SocketChannel accepted) {
    boolean taken = false;
    try {
      InetSocketAddress peer = (InetSocketAddress) accepted.getRemoteAddress();
      if (peer != null && acceptor.admits(peer)) {
        accepted.configureBlocking(false);
        acceptor.onConnection(new InnerConnection(loop, accepted, peer.toString()), peer);
        taken = true;
      }
    } catch (IOException gone) {
      LOG.debug("{}: a peer was gone at once: {}", this, gone.toString());
    } catch (Throwable unexpected) {
      Containment.contain(this, unexpected, () -> {});
    } finally {
      if (!taken) {
        close(accepted);
      }
    }
  }

  private static void close(SocketChannel accepted) {
    try {
      accepted.close();
    } catch (IOException harmless) {
      LOG.trace("close", harmless);
    }
  }

  @Override
  public boolean checkDeadline(long now) {
    if (!channel.isOpen()) {
      return false;
    }
    if (now - pausedUntilNanos < 0) {
      return true;
    }
    boolean open = interestedIn(SelectionKey.OP_ACCEPT);
    LOG.debug("{} {}", this, open ? "accepts again" : "is closed");
    return false;
  }

  @Override
  public String toString() {
    return "inner listener " + port;
  }
}
