package io.rmigate.client.socket;

import io.rmigate.client.mediator.MediatorAgent;
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
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.Set;

/**
 * A connection to an RMI server beyond the gateway. Has no file descriptor: every method of {@link
 * Socket} is answered here, since one that is not would make a real descriptor behind our back.
 *
 * <p>Keeps the contract of JRMP.md 2.1: {@code SO_TIMEOUT} is honoured from the next read on and
 * leaves the socket usable, {@link #close} comes from any thread and wakes a blocked reader,
 * blocked platform threads are not interruptible, no monitor is held while blocking. The inner host
 * is never resolved on this side.
 */
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // monitors would pin virtual threads
public final class TunnelSocket extends Socket {
  private final String host;
  private final int port;
  private final JrmpConversation conversation;
  private final InputStream in = new In();
  private final OutputStream out = new Out();
  private volatile int soTimeoutMillis;
  private volatile boolean tcpNoDelay;
  private volatile boolean keepAlive;
  private volatile boolean inputShut;
  private volatile boolean outputShut;

  /**
   * A connection to {@code host:port}, with a link to carry it. Where references are held there may
   * be none: that the JVM drops them is taken note of all the same, and what needs a link fails
   * when it turns out to.
   *
   * @throws java.net.ConnectException no link could be had; nothing was sent
   */
  public static TunnelSocket connect(MediatorAgent agent, String host, int port)
      throws IOException {
    if (!agent.leases().areHeldAt(host, port)) {
      agent.ensureLink();
    }
    return new TunnelSocket(new JrmpConversation(agent, host, port), host, port);
  }

  private TunnelSocket(JrmpConversation conversation, String host, int port)
      throws SocketException {
    super((SocketImpl) null);
    this.conversation = conversation;
    this.host = host;
    this.port = port;
  }

  @Override
  public InputStream getInputStream() throws IOException {
    throwIfClosed();
    return in;
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    throwIfClosed();
    return out;
  }

  @Override
  public void close() {
    conversation.close();
  }

  @Override
  public boolean isClosed() {
    return conversation.isClosed();
  }

  @Override
  public boolean isConnected() {
    return true;
  }

  @Override
  public boolean isBound() {
    return true;
  }

  @Override
  public boolean isInputShutdown() {
    return inputShut;
  }

  @Override
  public boolean isOutputShutdown() {
    return outputShut;
  }

  @Override
  public void shutdownInput() throws IOException {
    throwIfClosed();
    inputShut = true;
  }

  /** JRMP knows no half-closed connection: the server is told at {@link #close}. */
  @Override
  public void shutdownOutput() throws IOException {
    throwIfClosed();
    outputShut = true;
  }

  @Override
  public void setSoTimeout(int millis) throws SocketException {
    if (millis < 0) {
      throw new IllegalArgumentException("timeout can't be negative");
    }
    throwIfClosed();
    soTimeoutMillis = millis;
  }

  @Override
  public int getSoTimeout() throws SocketException {
    throwIfClosed();
    return soTimeoutMillis;
  }

  /** The name as the stub has it, with the unspecified address: it was not resolved. */
  @Override
  public InetAddress getInetAddress() {
    try {
      return InetAddress.getByAddress(host, new byte[4]);
    } catch (UnknownHostException impossible) {
      throw new AssertionError("four bytes are an address", impossible);
    }
  }

  @Override
  public int getPort() {
    return port;
  }

  @Override
  public InetAddress getLocalAddress() {
    return InetAddress.getLoopbackAddress();
  }

  @Override
  public int getLocalPort() {
    return 0;
  }

  @Override
  public SocketAddress getRemoteSocketAddress() {
    return InetSocketAddress.createUnresolved(host, port);
  }

  @Override
  public SocketAddress getLocalSocketAddress() {
    return new InetSocketAddress(getLocalAddress(), getLocalPort());
  }

  @Override
  public void connect(SocketAddress endpoint) throws IOException {
    throw new SocketException("already connected");
  }

  @Override
  public void connect(SocketAddress endpoint, int timeout) throws IOException {
    throw new SocketException("already connected");
  }

  @Override
  public void bind(SocketAddress bindpoint) throws IOException {
    throw new SocketException("already bound");
  }

  @Override
  public SocketChannel getChannel() {
    return null;
  }

  @Override
  public void setTcpNoDelay(boolean on) {
    tcpNoDelay = on;
  }

  @Override
  public boolean getTcpNoDelay() {
    return tcpNoDelay;
  }

  @Override
  public void setKeepAlive(boolean on) {
    keepAlive = on;
  }

  @Override
  public boolean getKeepAlive() {
    return keepAlive;
  }

  @Override
  public void setSoLinger(boolean on, int linger) {}

  @Override
  public int getSoLinger() {
    return -1;
  }

  @Override
  public void sendUrgentData(int data) throws IOException {
    throw new SocketException("no urgent data through rmigate");
  }

  @Override
  public void setOOBInline(boolean on) {}

  @Override
  public boolean getOOBInline() {
    return false;
  }

  @Override
  public void setSendBufferSize(int size) {}

  @Override
  public int getSendBufferSize() {
    return 16 * 1024;
  }

  @Override
  public void setReceiveBufferSize(int size) {}

  @Override
  public int getReceiveBufferSize() {
    return 16 * 1024;
  }

  @Override
  public void setTrafficClass(int trafficClass) {}

  @Override
  public int getTrafficClass() {
    return 0;
  }

  @Override
  public void setReuseAddress(boolean on) {}

  @Override
  public boolean getReuseAddress() {
    return false;
  }

  @Override
  public void setPerformancePreferences(int connectionTime, int latency, int bandwidth) {}

  @Override
  public <T> Socket setOption(SocketOption<T> name, T value) {
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
    return "TunnelSocket[" + host + ":" + port + (isClosed() ? ",closed]" : "]");
  }

  private void throwIfClosed() throws SocketException {
    if (conversation.isClosed()) {
      throw new SocketException("Socket is closed");
    }
  }

  private final class In extends InputStream {
    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      Objects.checkFromIndexSize(offset, length, buffer.length);
      return inputShut ? -1 : conversation.read(buffer, offset, length, soTimeoutMillis);
    }

    @Override
    public int available() throws IOException {
      return inputShut ? 0 : conversation.available();
    }

    @Override
    public void close() {
      TunnelSocket.this.close();
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
      conversation.write(bytes, offset, length);
    }

    @Override
    public void close() {
      TunnelSocket.this.close();
    }
  }
}
