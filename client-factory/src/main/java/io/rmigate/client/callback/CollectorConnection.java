package io.rmigate.client.callback;

import io.rmigate.client.virtual.VirtualSocket;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketException;
import java.util.Optional;

/**
 * A connection on which this JVM is asked to hold its own objects, as by any client. No thread
 * waits at its other end: the thread of the RMI runtime that accepts it finds the next call when it
 * reads, and what it has written by then is the answer to the one before. So a dirty takes no
 * thread of ours, and no read of it ever blocks.
 *
 * <p>Confined to the thread that has accepted it, except {@link #close}.
 */
final class CollectorConnection extends VirtualSocket {
  private final Calls calls;
  private final int port;
  private final Acknowledgement acknowledgement = new Acknowledgement();
  private final ByteArrayOutputStream answer = new ByteArrayOutputStream();

  /** Bytes that this JVM reads next: the preamble, then one call after the other. */
  private byte[] request = Preamble.bytes(Preamble.ANY.getHostAddress(), 0);

  private int requestRead;
  private boolean called;
  private volatile boolean closed;

  /** The source of the calls, which also takes their answers. */
  interface Calls {

    /** The next call, whole; empty when there is none, which ends the connection. */
    Optional<byte[]> next(CollectorConnection on);

    /** The JVM has answered the previous call with these bytes. */
    void onAnswer(CollectorConnection from, byte[] message);

    /** The connection is closed; a call without an answer never gets one. Called once or more. */
    void onClosed(CollectorConnection gone);
  }

  CollectorConnection(Calls calls, int port) throws SocketException {
    this.calls = calls;
    this.port = port;
  }

  @Override
  protected int read(byte[] buffer, int offset, int length, int timeoutMillis) throws IOException {
    if (closed) {
      throw new SocketException("Socket closed");
    }
    if (requestRead == request.length) {
      if (called) {
        calls.onAnswer(this, answer.toByteArray());
      }
      answer.reset();
      called = true;
      requestRead = 0;
      request = calls.next(this).orElse(null);
      if (request == null) {
        request = new byte[0];
        called = false;
        return -1;
      }
    }
    int count = Math.min(length, request.length - requestRead);
    System.arraycopy(request, requestRead, buffer, offset, count);
    requestRead += count;
    return count;
  }

  @Override
  protected void write(byte[] bytes, int offset, int length) throws IOException {
    int swallowed = acknowledgement.take(bytes, offset, length);
    answer.write(bytes, offset + swallowed, length - swallowed);
  }

  @Override
  protected int available() {
    return closed ? 0 : request.length - requestRead;
  }

  @Override
  protected void end() {
    if (!closed) {
      closed = true;
      calls.onClosed(this);
    }
  }

  @Override
  public boolean isClosed() {
    return closed;
  }

  /** The loopback address, because this JVM calls itself. */
  @Override
  public InetAddress getInetAddress() {
    return InetAddress.getLoopbackAddress();
  }

  @Override
  public int getPort() {
    return 0;
  }

  @Override
  public InetAddress getLocalAddress() {
    return InetAddress.getLoopbackAddress();
  }

  @Override
  public int getLocalPort() {
    return port;
  }
}
