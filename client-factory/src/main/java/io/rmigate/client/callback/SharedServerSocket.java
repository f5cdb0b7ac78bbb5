package io.rmigate.client.callback;

import io.rmigate.client.jvm.Daemons;
import io.rmigate.client.jvm.NoThreadException;
import io.rmigate.client.jvm.Privileged;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A local listener of the RMI runtime, which accepts connections of inner JVMs as well once it is
 * {@linkplain #share shared}. Until then it is the local listener and nothing else: the runtime's
 * thread accepts from that.
 *
 * <p>A thread that accepts locally cannot be told of anything else, so that {@link #share} wakes it
 * by a connection to itself, which goes no further. From then on a thread of ours accepts local
 * connections, one for each {@link #accept}: failures reach the RMI runtime as they would, and it
 * paces itself.
 *
 * <p>Thread-safe. {@code lock} guards what is shared; nothing is accepted under it.
 */
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // monitors would pin virtual threads
final class SharedServerSocket extends ServerSocket implements IncomingConnections {
  private static final int WAKE_MILLIS = (int) TimeUnit.SECONDS.toMillis(5);

  private final ServerSocket local;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by lock.
  private final Deque<Socket> waiting = new ArrayDeque<>();
  private Closeable onClose = () -> {};
  private boolean used;
  private boolean shared;
  private boolean hasThread;

  /** Whether our thread has been asked for a local connection and has not got one. */
  private boolean accepting;

  /** The connection that the agent's thread has accepted; null for none or a {@code failure}. */
  private Socket accepted;

  private IOException failure;

  /** Source address of the connection that wakes the runtime's thread; null for none. */
  private InetSocketAddress wake;

  /** Written under the lock. */
  private volatile boolean closed;

  SharedServerSocket(ServerSocket local) throws IOException {
    this.local = local;
  }

  /** Sets the resource that is closed with this socket. */
  void closes(Closeable other) {
    lock.lock();
    try {
      onClose = other;
    } finally {
      lock.unlock();
    }
  }

  /**
   * From now on {@link #offer} brings connections, too. Idempotent.
   *
   * @throws IOException the runtime's thread cannot be told
   */
  void share() throws IOException {
    try (Socket waking = new Socket(Proxy.NO_PROXY)) {
      lock.lock();
      try {
        if (shared) {
          return;
        }
        shared = true;
        if (!used) {
          return;
        }
        waking.bind(new InetSocketAddress(here(), 0));
        wake = new InetSocketAddress(waking.getLocalAddress(), waking.getLocalPort());
      } finally {
        lock.unlock();
      }
      waking.connect(new InetSocketAddress(here(), local.getLocalPort()), WAKE_MILLIS);
    } catch (IOException failed) {
      unshare();
      throw new IOException(
          "the thread that accepts connections at local port "
              + local.getLocalPort()
              + " cannot be told that the rmigate gateway brings some, too, for which this JVM"
              + " connects to that port: "
              + failed.getMessage(),
          failed);
    }
  }

  private void unshare() {
    lock.lock();
    try {
      shared = false;
      wake = null;
    } finally {
      lock.unlock();
    }
  }

  /** An address at which this listens. */
  private InetAddress here() {
    InetAddress bound = local.getInetAddress();
    return bound == null || bound.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : bound;
  }

  @Override
  public boolean offer(Socket connection) {
    lock.lock();
    try {
      if (!closed) {
        waiting.add(connection);
        changed.signalAll();
      }
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Socket accept() throws IOException {
    return Privileged.call(this::acceptEither);
  }

  private Socket acceptEither() throws IOException {
    if (isAlone()) {
      Socket connection = local.accept();
      if (!isWake(connection)) {
        return connection;
      }
    }
    lock.lock();
    try {
      while (true) {
        if (closed) {
          throw new SocketException("Socket closed");
        }
        Socket next = waiting.poll();
        if (next == null) {
          next = accepted;
          accepted = null;
        }
        if (next != null && !isWake(next)) {
          return next;
        }
        if (failure != null) {
          IOException failed = failure;
          failure = null;
          throw failed;
        }
        acceptLocally();
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean isAlone() {
    lock.lock();
    try {
      used = true;
      return !shared;
    } finally {
      lock.unlock();
    }
  }

  /** Whether it is the connection that was made to wake the thread; it is closed then. */
  private boolean isWake(Socket connection) throws IOException {
    lock.lock();
    try {
      if (wake == null || !wake.equals(connection.getRemoteSocketAddress())) {
        return false;
      }
      wake = null;
    } finally {
      lock.unlock();
    }
    connection.close();
    return true;
  }

  /** Under the lock: asks our thread for a connection, unless it looks for one. */
  private void acceptLocally() throws IOException {
    if (accepting) {
      return;
    }
    accepting = true;
    if (hasThread) {
      changed.signalAll();
      return;
    }
    try {
      Daemons.start("rmigate-accept-" + local.getLocalPort(), this::acceptWhenAsked);
      hasThread = true;
    } catch (NoThreadException none) {
      accepting = false; // the next accept asks again
      throw none;
    }
  }

  private void acceptWhenAsked() {
    while (isAsked()) {
      Socket connection = null;
      IOException failed = null;
      try {
        connection = local.accept();
      } catch (IOException notNow) {
        failed = notNow;
      } catch (RuntimeException | Error unexpected) {
        failed = new IOException(unexpected.toString(), unexpected);
      }
      answer(connection, failed);
    }
  }

  private void answer(Socket connection, IOException failed) {
    lock.lock();
    try {
      accepting = false;
      failure = failed;
      if (!closed) {
        accepted = connection;
        changed.signalAll();
        return;
      }
    } finally {
      lock.unlock();
    }
    if (connection != null) {
      try {
        connection.close();
      } catch (IOException gone) {
        // the connection was lost already
      }
    }
  }

  /** Waits until a connection is wanted; false when none ever will be. */
  private boolean isAsked() {
    lock.lock();
    try {
      while (!accepting && !closed) {
        changed.awaitUninterruptibly();
      }
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    Deque<Socket> dropped;
    Closeable also;
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      dropped = new ArrayDeque<>(waiting);
      waiting.clear();
      if (accepted != null) {
        dropped.add(accepted);
      }
      also = onClose;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    Privileged.call(
        () -> {
          local.close();
          for (Socket connection : dropped) {
            connection.close();
          }
          also.close();
          return null;
        });
  }

  @Override
  public boolean isClosed() {
    return closed || local.isClosed();
  }

  @Override
  public boolean isBound() {
    return local.isBound();
  }

  @Override
  public int getLocalPort() {
    return local.getLocalPort();
  }

  @Override
  public InetAddress getInetAddress() {
    return local.getInetAddress();
  }

  @Override
  public SocketAddress getLocalSocketAddress() {
    return local.getLocalSocketAddress();
  }

  @Override
  public void bind(SocketAddress endpoint) throws IOException {
    local.bind(endpoint);
  }

  @Override
  public void bind(SocketAddress endpoint, int backlog) throws IOException {
    local.bind(endpoint, backlog);
  }

  /** None: a channel would accept past this. */
  @Override
  public ServerSocketChannel getChannel() {
    return null;
  }

  @Override
  public void setSoTimeout(int millis) throws SocketException {
    local.setSoTimeout(millis);
  }

  @Override
  public int getSoTimeout() throws IOException {
    return local.getSoTimeout();
  }

  @Override
  public void setReuseAddress(boolean on) throws SocketException {
    local.setReuseAddress(on);
  }

  @Override
  public boolean getReuseAddress() throws SocketException {
    return local.getReuseAddress();
  }

  @Override
  public void setReceiveBufferSize(int size) throws SocketException {
    local.setReceiveBufferSize(size);
  }

  @Override
  public int getReceiveBufferSize() throws SocketException {
    return local.getReceiveBufferSize();
  }

  @Override
  public void setPerformancePreferences(int connectionTime, int latency, int bandwidth) {
    local.setPerformancePreferences(connectionTime, latency, bandwidth);
  }

  @Override
  public <T> ServerSocket setOption(SocketOption<T> name, T value) throws IOException {
    local.setOption(name, value);
    return this;
  }

  @Override
  public <T> T getOption(SocketOption<T> name) throws IOException {
    return local.getOption(name);
  }

  @Override
  public Set<SocketOption<?>> supportedOptions() {
    return local.supportedOptions();
  }

  @Override
  public String toString() {
    return local.toString();
  }
}
