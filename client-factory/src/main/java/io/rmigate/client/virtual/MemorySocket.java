package io.rmigate.client.virtual;

import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketException;

/**
 * One end of a connection that never leaves the JVM. The peer of both ends is this machine, and
 * that is what they say.
 *
 * <p>The usual contract of a socket: one thread reads and one writes at a time, any thread closes.
 */
public final class MemorySocket extends VirtualSocket {
  private final Pipe incoming;
  private final Pipe outgoing;
  private final int localPort;
  private final int remotePort;
  private volatile boolean closed;

  /**
   * Two ends, connected to each other.
   *
   * @param connecting of who has connected
   * @param accepted of who listens
   */
  public record Pair(MemorySocket connecting, MemorySocket accepted) {}

  private MemorySocket(Pipe incoming, Pipe outgoing, int localPort, int remotePort)
      throws SocketException {
    this.incoming = incoming;
    this.outgoing = outgoing;
    this.localPort = localPort;
    this.remotePort = remotePort;
  }

  /** A new connection to a listener at {@code port}. */
  public static Pair pair(int port) throws SocketException {
    Pipe there = new Pipe();
    Pipe back = new Pipe();
    return new Pair(new MemorySocket(back, there, 0, port), new MemorySocket(there, back, port, 0));
  }

  @Override
  protected int read(byte[] buffer, int offset, int length, int timeoutMillis) throws IOException {
    return incoming.read(buffer, offset, length, timeoutMillis);
  }

  @Override
  protected void write(byte[] bytes, int offset, int length) throws IOException {
    outgoing.write(bytes, offset, length);
  }

  @Override
  protected int available() throws IOException {
    return incoming.available();
  }

  @Override
  protected void end() {
    closed = true;
    incoming.endReading();
    outgoing.endWriting();
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
    return remotePort;
  }

  @Override
  public InetAddress getLocalAddress() {
    return InetAddress.getLoopbackAddress();
  }

  @Override
  public int getLocalPort() {
    return localPort;
  }
}
