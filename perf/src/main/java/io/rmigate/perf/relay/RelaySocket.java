package io.rmigate.perf.relay;

import io.rmigate.client.transport.Transport;
import io.rmigate.client.virtual.VirtualSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketException;

/**
 * A WebSocket that looks like a socket: what is written is one message, what is read is what has
 * come. Timeouts are not kept.
 */
final class RelaySocket extends VirtualSocket {
  private final Transport transport;
  private final int port;
  private volatile boolean closed;

  // The transport masks in place and what RMI writes is RMI's. Confined to who writes.
  private byte[] copy = new byte[8 * 1024];

  RelaySocket(Transport transport, int port) throws SocketException {
    this.transport = transport;
    this.port = port;
  }

  @Override
  protected int read(byte[] buffer, int offset, int length, int timeoutMillis) throws IOException {
    return length == 0 ? 0 : transport.read(buffer, offset, length);
  }

  @Override
  protected void write(byte[] bytes, int offset, int length) throws IOException {
    if (copy.length < length) {
      copy = new byte[length];
    }
    System.arraycopy(bytes, offset, copy, 0, length);
    transport.write(copy, 0, length);
  }

  @Override
  protected int available() {
    return 0;
  }

  @Override
  protected void end() {
    closed = true;
    transport.close();
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  @Override
  public InetAddress getInetAddress() {
    return InetAddress.getLoopbackAddress();
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
}
