package io.rmigate.gateway.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.tunnel.FrameOutput;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Welcome;
import io.rmigate.testing.Patience;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A WebSocket to the tunnel of a gateway over plain HTTP, frame by frame (RFC 6455, 5.2). */
public final class FrameSocket implements AutoCloseable {
  /** Opcodes. */
  public static final int CONTINUATION = 0;

  public static final int TEXT = 1;
  public static final int BINARY = 2;
  public static final int CLOSE = 8;

  private static final int FIN = 0x80;
  private static final int MASKED = 0x80;
  private static final int MASK_BYTES = 4;
  private static final int TWO_BYTES = 126;
  private static final int EIGHT_BYTES = 127;

  /**
   * A frame of the gateway.
   *
   * @param opcode with {@link #CLOSE} the payload begins with the status code
   */
  @SuppressWarnings("ArrayRecordComponent") // wire bytes: identity, not value
  public record Frame(int opcode, byte[] payload) {}

  private final Socket socket;
  private final DataInputStream in;
  private String head;

  private FrameSocket(Socket socket) throws IOException {
    this.socket = socket;
    in = new DataInputStream(socket.getInputStream());
  }

  /**
   * Opens one as an agent does.
   *
   * @param gateway up to the context path
   */
  public static FrameSocket open(URI gateway) throws IOException {
    return open(gateway, new Socket());
  }

  /**
   * Opens one as an agent does.
   *
   * @param gateway up to the context path
   * @param headers lines of the request besides the usual ones
   */
  public static FrameSocket openWith(URI gateway, List<String> headers) throws IOException {
    return open(gateway, new Socket(), headers);
  }

  /** Opens one whose machine takes little before it is read: the rest stays at the gateway. */
  public static FrameSocket openNarrow(URI gateway, int receiveBufferBytes) throws IOException {
    Socket narrow = new Socket();
    narrow.setReceiveBufferSize(receiveBufferBytes);
    return open(gateway, narrow);
  }

  private static FrameSocket open(URI gateway, Socket socket) throws IOException {
    return open(gateway, socket, List.of());
  }

  private static FrameSocket open(URI gateway, Socket socket, List<String> headers)
      throws IOException {
    socket.connect(new InetSocketAddress(gateway.getHost(), gateway.getPort()));
    FrameSocket opened = new FrameSocket(socket);
    opened.socket.setSoTimeout((int) Patience.PATIENCE.toMillis());
    opened.send(
        ("GET "
                + gateway.getPath()
                + "/tunnel HTTP/1.1\r\nHost: gw.example\r\nUpgrade: websocket\r\n"
                + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                + (headers.stream().anyMatch(line -> line.startsWith("Sec-WebSocket-Protocol:"))
                    ? ""
                    : "Sec-WebSocket-Protocol: " + Tunnel.SUBPROTOCOL + "\r\n")
                + headers.stream().map(line -> line + "\r\n").collect(Collectors.joining())
                + "\r\n")
            .getBytes(StandardCharsets.US_ASCII));
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) opened.in.readUnsignedByte());
    }
    assertThat(head.toString()).startsWith("HTTP/1.1 101");
    opened.head = head.toString();
    return opened;
  }

  /** The bytes with which an agent begins a session that cannot be resumed. */
  public static byte[] hello() {
    return hello(1024);
  }

  /**
   * The bytes with which an agent begins a session that takes so much of each stream before it says
   * more.
   */
  public static byte[] hello(int streamCredit) {
    return bytes(
        new Hello(
            Tunnel.VERSION,
            Tunnel.VERSION,
            Set.of(),
            SessionToken.NONE,
            0,
            streamCredit,
            List.of(Welcome.IDENTITY),
            Map.of()));
  }

  /** The bytes of one frame of the link protocol. */
  public static byte[] bytes(io.rmigate.protocol.tunnel.Frame frame) {
    FrameOutput frames = new FrameOutput(1024);
    frames.append(frame);
    byte[] bytes = new byte[frames.size()];
    System.arraycopy(frames.array(), 0, bytes, 0, bytes.length);
    return bytes;
  }

  /** The head of the answer to the handshake. */
  public String head() {
    return head;
  }

  private void send(byte[] bytes) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(bytes);
    out.flush();
  }

  /** Sends a frame; a mask of zeros leaves its payload as it is. */
  public void send(int opcode, boolean last, byte[] payload) throws IOException {
    assertThat(payload).hasSizeLessThan(TWO_BYTES);
    byte[] frame = new byte[2 + MASK_BYTES + payload.length];
    frame[0] = (byte) (opcode | (last ? FIN : 0));
    frame[1] = (byte) (MASKED | payload.length);
    System.arraycopy(payload, 0, frame, 2 + MASK_BYTES, payload.length);
    send(frame);
  }

  /** The next frame of the gateway. */
  public Frame receive() throws IOException {
    int opcode = in.readUnsignedByte() & ~FIN;
    int length = in.readUnsignedByte();
    byte[] payload =
        new byte
            [length == TWO_BYTES
                ? in.readUnsignedShort()
                : length == EIGHT_BYTES ? (int) in.readLong() : length];
    in.readFully(payload);
    return new Frame(opcode, payload);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
