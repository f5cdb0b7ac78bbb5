package io.rmigate.client.callback;

import io.rmigate.client.jvm.Privileged;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.channels.ServerSocketChannel;
import java.util.Set;

/**
 * What the RMI runtime listens on for objects that inner JVMs reach at the gateway (JRMP.md 2.2).
 * Has no file descriptor: every method of {@link ServerSocket} is answered here.
 *
 * <p>{@link #accept} blocks for ever, also while there is no link: if it threw, the RMI runtime
 * would pause for seconds. {@link #close} comes from any thread, twice too, and wakes it.
 */
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // monitors would pin virtual threads
final class CallbackServerSocket extends ServerSocket {
  private final Listener listener;
  private final AcceptQueue queue;
  private volatile int soTimeoutMillis;

  CallbackServerSocket(Listener listener, AcceptQueue queue) throws IOException {
    this.listener = listener;
    this.queue = queue;
  }

  @Override
  public Socket accept() throws IOException {
    return Privileged.call(() -> queue.take(soTimeoutMillis));
  }

  @Override
  public void close() throws IOException {
    Privileged.call(
        () -> {
          listener.close();
          return null;
        });
  }

  @Override
  public boolean isClosed() {
    return queue.isClosed();
  }

  @Override
  public boolean isBound() {
    return true;
  }

  /** The port that the gateway listens on, which stubs name. */
  @Override
  public int getLocalPort() {
    return listener.port();
  }

  /** The wildcard address: the gateway's interface is not one of this machine. */
  @Override
  public InetAddress getInetAddress() {
    return new InetSocketAddress(0).getAddress();
  }

  @Override
  public SocketAddress getLocalSocketAddress() {
    return new InetSocketAddress(listener.port());
  }

  @Override
  public void bind(SocketAddress endpoint) throws IOException {
    throw new SocketException("Already bound");
  }

  @Override
  public void bind(SocketAddress endpoint, int backlog) throws IOException {
    throw new SocketException("Already bound");
  }

  @Override
  public ServerSocketChannel getChannel() {
    return null;
  }

  @Override
  public void setSoTimeout(int millis) {
    if (millis < 0) {
      throw new IllegalArgumentException("timeout < 0");
    }
    soTimeoutMillis = millis;
  }

  @Override
  public int getSoTimeout() {
    return soTimeoutMillis;
  }

  @Override
  public void setReuseAddress(boolean on) {}

  @Override
  public boolean getReuseAddress() {
    return false;
  }

  @Override
  public void setReceiveBufferSize(int size) {}

  @Override
  public int getReceiveBufferSize() {
    return 16 * 1024;
  }

  @Override
  public void setPerformancePreferences(int connectionTime, int latency, int bandwidth) {}

  @Override
  public <T> ServerSocket setOption(SocketOption<T> name, T value) {
    throw new UnsupportedOperationException("'" + name + "' not supported");
  }

  @Override
  public <T> T getOption(SocketOption<T> name) {
    throw new UnsupportedOperationException("'" + name + "' not supported");
  }

  @Override
  public Set<SocketOption<?>> supportedOptions() {
    return Set.of();
  }

  @Override
  public String toString() {
    return "CallbackServerSocket[port " + listener.port() + " of the rmigate gateway]";
  }
}
