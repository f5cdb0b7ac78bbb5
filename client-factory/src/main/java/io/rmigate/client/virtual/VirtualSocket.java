package io.rmigate.client.virtual;

import io.rmigate.client.jvm.Privileged;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.Set;

/**
 * A connection without a file descriptor: every method of {@link Socket} is answered here or by the
 * subclass, since one that is not would make a real descriptor behind our back.
 *
 * <p>Keeps the contract of JRMP.md 2.1: {@code SO_TIMEOUT} is honoured from the next read on and
 * leaves the socket usable; options that mean nothing without a network are taken and ignored. For
 * subclasses: blocked platform threads are not interruptible, no monitor is held while blocking.
 */
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // monitors would pin virtual threads
public abstract class VirtualSocket extends Socket {
  private static final int BUFFER_BYTES = 16 * 1024;

  private final InputStream in = new In();
  private final OutputStream out = new Out();
  private volatile int soTimeoutMillis;
  private volatile boolean tcpNoDelay;
  private volatile boolean keepAlive;
  private volatile boolean inputShut;
  private volatile boolean outputShut;

  /** Connected from the beginning. */
  protected VirtualSocket() throws SocketException {
    super((SocketImpl) null);
  }

  /**
   * Reads at least one byte, waiting for it.
   *
   * @param timeoutMillis 0 for none
   * @return −1 when no more will come
   * @throws java.net.SocketTimeoutException the time is over; the socket can be read again
   */
  protected abstract int read(byte[] buffer, int offset, int length, int timeoutMillis)
      throws IOException;

  /** Takes bytes; may wait for room. */
  protected abstract void write(byte[] bytes, int offset, int length) throws IOException;

  /** Bytes that can be read without waiting; 0 is always a fine answer. */
  protected abstract int available() throws IOException;

  /**
   * Whether a server is to read this without a buffer of its own, so that it has not read a byte
   * more than it has asked for.
   */
  protected boolean isReadExactly() {
    return false;
  }

  /** Ends the connection: from any thread, idempotent, wakes the threads that wait here. */
  protected abstract void end();

  @Override
  public final void close() {
    Privileged.run(this::end);
  }

  @Override
  public abstract boolean isClosed();

  @Override
  public abstract InetAddress getInetAddress();

  @Override
  public abstract int getPort();

  @Override
  public abstract InetAddress getLocalAddress();

  @Override
  public abstract int getLocalPort();

  @Override
  public final InputStream getInputStream() throws IOException {
    throwIfClosed();
    return in;
  }

  @Override
  public final OutputStream getOutputStream() throws IOException {
    throwIfClosed();
    return out;
  }

  @Override
  public final boolean isConnected() {
    return true;
  }

  @Override
  public final boolean isBound() {
    return true;
  }

  @Override
  public final boolean isInputShutdown() {
    return inputShut;
  }

  @Override
  public final boolean isOutputShutdown() {
    return outputShut;
  }

  @Override
  public final void shutdownInput() throws IOException {
    throwIfClosed();
    inputShut = true;
  }

  /** JRMP knows no half-closed connection: the peer is told at {@link #close}. */
  @Override
  public final void shutdownOutput() throws IOException {
    throwIfClosed();
    outputShut = true;
  }

  @Override
  public final void setSoTimeout(int millis) throws SocketException {
    if (millis < 0) {
      throw new IllegalArgumentException("timeout can't be negative");
    }
    throwIfClosed();
    soTimeoutMillis = millis;
  }

  @Override
  public final int getSoTimeout() throws SocketException {
    throwIfClosed();
    return soTimeoutMillis;
  }

  @Override
  public SocketAddress getRemoteSocketAddress() {
    return new InetSocketAddress(getInetAddress(), getPort());
  }

  @Override
  public SocketAddress getLocalSocketAddress() {
    return new InetSocketAddress(getLocalAddress(), getLocalPort());
  }

  @Override
  public final void connect(SocketAddress endpoint) throws IOException {
    throw new SocketException("already connected");
  }

  @Override
  public final void connect(SocketAddress endpoint, int timeout) throws IOException {
    throw new SocketException("already connected");
  }

  @Override
  public final void bind(SocketAddress bindpoint) throws IOException {
    throw new SocketException("already bound");
  }

  @Override
  public final SocketChannel getChannel() {
    return null;
  }

  @Override
  public final void setTcpNoDelay(boolean on) {
    tcpNoDelay = on;
  }

  @Override
  public final boolean getTcpNoDelay() {
    return tcpNoDelay;
  }

  @Override
  public final void setKeepAlive(boolean on) {
    keepAlive = on;
  }

  @Override
  public final boolean getKeepAlive() {
    return keepAlive;
  }

  @Override
  public final void setSoLinger(boolean on, int linger) {}

  @Override
  public final int getSoLinger() {
    return -1;
  }

  @Override
  public final void sendUrgentData(int data) throws IOException {
    throw new SocketException("no urgent data through rmigate");
  }

  @Override
  public final void setOOBInline(boolean on) {}

  @Override
  public final boolean getOOBInline() {
    return false;
  }

  @Override
  public final void setSendBufferSize(int size) {}

  @Override
  public final int getSendBufferSize() {
    return BUFFER_BYTES;
  }

  @Override
  public final void setReceiveBufferSize(int size) {}

  @Override
  public final int getReceiveBufferSize() {
    return BUFFER_BYTES;
  }

  @Override
  public final void setTrafficClass(int trafficClass) {}

  @Override
  public final int getTrafficClass() {
    return 0;
  }

  @Override
  public final void setReuseAddress(boolean on) {}

  @Override
  public final boolean getReuseAddress() {
    return false;
  }

  @Override
  public final void setPerformancePreferences(int connectionTime, int latency, int bandwidth) {}

  @Override
  public final <T> Socket setOption(SocketOption<T> name, T value) {
    throw new UnsupportedOperationException("'" + name + "' not supported");
  }

  @Override
  public final <T> T getOption(SocketOption<T> name) {
    throw new UnsupportedOperationException("'" + name + "' not supported");
  }

  @Override
  public final Set<SocketOption<?>> supportedOptions() {
    return Set.of();
  }

  /** For logs: {@code MemorySocket[gw.inner:40001]}. */
  @Override
  public String toString() {
    return getClass().getSimpleName()
        + "["
        + getRemoteSocketAddress()
        + (isClosed() ? ",closed]" : "]");
  }

  private void throwIfClosed() throws SocketException {
    if (isClosed()) {
      throw new SocketException("Socket is closed");
    }
  }

  private final class In extends InputStream {

    /** Servers read what says so without a buffer; none of JDK 9 or later sets a mark. */
    @Override
    public boolean markSupported() {
      return isReadExactly();
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      Objects.checkFromIndexSize(offset, length, buffer.length);
      if (inputShut) {
        return -1;
      }
      return Privileged.isNeeded()
          ? Privileged.call(() -> VirtualSocket.this.read(buffer, offset, length, soTimeoutMillis))
          : VirtualSocket.this.read(buffer, offset, length, soTimeoutMillis);
    }

    @Override
    public int available() throws IOException {
      if (inputShut) {
        return 0;
      }
      return Privileged.isNeeded()
          ? Privileged.call(VirtualSocket.this::available)
          : VirtualSocket.this.available();
    }

    @Override
    public void close() {
      VirtualSocket.this.close();
    }
  }

  private final class Out extends OutputStream {
    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      Objects.checkFromIndexSize(offset, length, bytes.length);
      if (outputShut) {
        throw new SocketException("Socket output is shutdown");
      }
      if (!Privileged.isNeeded()) {
        VirtualSocket.this.write(bytes, offset, length);
        return;
      }
      Privileged.call(
          () -> {
            VirtualSocket.this.write(bytes, offset, length);
            return null;
          });
    }

    @Override
    public void close() {
      VirtualSocket.this.close();
    }
  }
}
