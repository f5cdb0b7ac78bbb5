package io.rmigate.gateway.amplification;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * Both ends of a TCP connection over loopback. One thread may play both: at most {@link #ROOM}
 * bytes may be written at one end before they are read at the other.
 */
final class Wire implements Closeable {
  /** Bytes that fit into the buffers of the connection. */
  static final int ROOM = 32 * 1024;

  private final SocketChannel client;
  private final SocketChannel gateway;
  private ByteBuffer taken = ByteBuffer.allocate(ROOM);

  private Wire(SocketChannel client, SocketChannel gateway) {
    this.client = client;
    this.gateway = gateway;
  }

  static Wire open() throws IOException {
    try (ServerSocketChannel listener = ServerSocketChannel.open()) {
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      SocketChannel client = SocketChannel.open(listener.getLocalAddress());
      SocketChannel gateway = listener.accept();
      client.setOption(StandardSocketOptions.TCP_NODELAY, true);
      gateway.setOption(StandardSocketOptions.TCP_NODELAY, true);
      return new Wire(client, gateway);
    }
  }

  /** The client's end. */
  SocketChannel client() {
    return client;
  }

  /** The gateway's end. */
  SocketChannel gateway() {
    return gateway;
  }

  /** The client sends bytes. */
  void send(byte[] bytes, int offset, int length) throws IOException {
    write(client, ByteBuffer.wrap(bytes, offset, length));
  }

  /** Writes all bytes. */
  static void write(SocketChannel to, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      to.write(bytes);
    }
  }

  /** The gateway reads bytes, which are valid until it reads again. */
  ByteBuffer take(int length) throws IOException {
    if (taken.capacity() < length) {
      taken = ByteBuffer.allocate(length);
    }
    taken.clear().limit(length);
    while (taken.hasRemaining()) {
      if (gateway.read(taken) < 0) {
        throw new EOFException();
      }
    }
    return taken.flip();
  }

  @Override
  public void close() throws IOException {
    client.close();
    gateway.close();
  }
}
