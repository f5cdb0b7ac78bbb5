package io.rmigate.perf.relay;

import io.rmigate.client.transport.Transport;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketImpl;

/**
 * A WebSocket that looks like a socket: what is written is one message, what is read is what has
 * come. Only what RMI's client side asks of a socket is answered; timeouts are not kept.
 */
@SuppressWarnings("UnsynchronizedOverridesSynchronized")
final class RelaySocket extends Socket {
  private final Transport transport;
  private final int port;
  private volatile boolean closed;

  RelaySocket(Transport transport, int port) throws SocketException {
    super((SocketImpl) null);
    this.transport = transport;
    this.port = port;
  }

  @Override
  public InputStream getInputStream() {
    return new In();
  }

  @Override
  public OutputStream getOutputStream() {
    return new Out();
  }

  @Override
  public void close() {
    closed = true;
    transport.close();
  }

  @Override
  public boolean isClosed() {
    return closed;
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
  public InetAddress getInetAddress() {
    return InetAddress.getLoopbackAddress();
  }

  @Override
  public InetAddress getLocalAddress() {
    return InetAddress.getLoopbackAddress();
  }

  @Override
  public int getPort() {
    return port;
  }

  @Override
  public void setTcpNoDelay(boolean on) {
    // The WebSocket's own socket has it on.
  }

  @Override
  public void setKeepAlive(boolean on) {
    // As with setTcpNoDelay, there is no descriptor of this socket's own.
  }

  @Override
  public void setSoTimeout(int millis) {
    // See the class comment.
  }

  @Override
  public int getSoTimeout() {
    return 0;
  }

  private final class In extends InputStream {
    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      return length == 0 ? 0 : transport.read(buffer, offset, length);
    }
  }

  private final class Out extends OutputStream {
    // The transport masks in place and what RMI writes is RMI's.
    private byte[] copy = new byte[8 * 1024];

    @Override
    public void write(int oneByte) throws IOException {
      write(new byte[] {(byte) oneByte}, 0, 1);
    }

    @Override
    public void write(byte[] buffer, int offset, int length) throws IOException {
      if (copy.length < length) {
        copy = new byte[length];
      }
      System.arraycopy(buffer, offset, copy, 0, length);
      transport.write(copy, 0, length);
    }
  }
}
