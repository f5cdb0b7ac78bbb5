package io.rmigate.perf.ways;

import io.rmigate.client.virtual.VirtualSocket;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.SocketException;

/**
 * A connection that RMI takes for one, and of which every message is posted. Newer JDKs always
 * speak RMI's StreamProtocol: handshake and pings are answered here, where older ones left them
 * out.
 *
 * <p>A message ends where RMI begins to read or, behind a DgcAck, asks what is {@code available}.
 * Used by one thread at a time, as RMI does; a call that is under way cannot be broken off by
 * {@link #close}, and timeouts are not kept.
 */
final class ServletSocket extends VirtualSocket {
  private static final int MAGIC_BYTES = 7;
  private static final byte PROTOCOL_ACK = 0x4e;
  private static final byte CALL = 0x50;
  private static final byte PING = 0x52;
  private static final byte PING_ACK = 0x53;
  private static final byte DGC_ACK = 0x54;

  private final ServletPosts posts;
  private final String host;
  private final int port;
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private InputStream answer = InputStream.nullInputStream();
  private boolean greeted;
  private boolean introduced;
  private volatile boolean closed;

  ServletSocket(ServletPosts posts, String host, int port) throws SocketException {
    this.posts = posts;
    this.host = host;
    this.port = port;
  }

  /** Sends what has been written, if anything has. */
  private void exchange() throws IOException {
    if (closed) {
      throw new SocketException("Socket closed");
    }
    if (written.size() == 0) {
      return;
    }
    byte[] message = written.toByteArray();
    written.reset();
    if (!greeted) {
      greeted = true;
      answer = new ByteArrayInputStream(greeting(message));
      return;
    }
    if (!introduced) {
      introduced = true;
      message = behindEndpoint(message);
    }
    answer = new ByteArrayInputStream(answer(message));
  }

  private byte[] answer(byte[] message) throws IOException {
    if (message.length == 0) {
      return message;
    }
    return switch (message[0]) {
      case CALL, DGC_ACK -> posts.send(message);
      case PING -> new byte[] {PING_ACK};
      default -> throw new IOException("RMI has sent a message of type " + message[0]);
    };
  }

  private byte[] greeting(byte[] magic) throws IOException {
    if (magic.length != MAGIC_BYTES) {
      throw new IOException("expected the start of RMI's protocol, got " + magic.length + " bytes");
    }
    ByteArrayOutputStream ack = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(ack);
    out.writeByte(PROTOCOL_ACK);
    out.writeUTF(host);
    out.writeInt(port);
    return ack.toByteArray();
  }

  /** The bytes that follow the endpoint by which the client introduces itself. */
  private static byte[] behindEndpoint(byte[] message) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(message));
    in.readUTF();
    in.readInt();
    return in.readAllBytes();
  }

  @Override
  protected int read(byte[] buffer, int offset, int length, int timeoutMillis) throws IOException {
    exchange();
    int read = answer.read(buffer, offset, length);
    if (read < 0) {
      throw new EOFException("nothing was sent that could be answered");
    }
    return read;
  }

  @Override
  protected void write(byte[] bytes, int offset, int length) {
    written.write(bytes, offset, length);
  }

  @Override
  protected int available() throws IOException {
    exchange();
    return answer.available();
  }

  @Override
  protected void end() {
    closed = true;
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
