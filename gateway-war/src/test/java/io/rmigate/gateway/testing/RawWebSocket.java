package io.rmigate.gateway.testing;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A WebSocket to a gateway over plain HTTP, whose frames may be wrong. */
public final class RawWebSocket implements AutoCloseable {
  private static final int OPCODE_CLOSE = 8;

  private final Socket socket;
  private final DataInputStream in;

  private RawWebSocket(Socket socket) throws IOException {
    this.socket = socket;
    in = new DataInputStream(socket.getInputStream());
  }

  /**
   * Returns behind the answer to the handshake.
   *
   * @param gateway up to the context path
   * @throws IOException it is not 101
   */
  public static RawWebSocket open(URI gateway) throws IOException {
    RawWebSocket opened = new RawWebSocket(new Socket(gateway.getHost(), gateway.getPort()));
    try {
      opened.shakeHands(gateway);
      return opened;
    } catch (IOException e) {
      opened.close();
      throw e;
    }
  }

  private void shakeHands(URI gateway) throws IOException {
    String request = Handshake.request(gateway, "");
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      head.write(in.readByte());
    }
    if (!head.toString(StandardCharsets.ISO_8859_1).startsWith("HTTP/1.1 101 ")) {
      throw new IOException("no WebSocket: " + head.toString(StandardCharsets.ISO_8859_1));
    }
  }

  /**
   * Sends the beginning of a frame, masked with zeros. Whether the gateway has closed the
   * connection before it has read all is for {@link #awaitEnd} to say.
   *
   * @param claimed the length that it claims, unsigned
   * @param payload what is sent of it
   */
  public void claim(int opcode, long claimed, byte... payload) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(2 + Long.BYTES + Integer.BYTES + payload.length);
    frame.put((byte) (0x80 | opcode)).put((byte) 0xFF).putLong(claimed).putInt(0).put(payload);
    try {
      socket.getOutputStream().write(frame.array());
    } catch (SocketException closed) {
      return;
    }
  }

  /**
   * How the gateway ends it: the code of its close frame, "end" if there is none, or "open" when
   * nothing has come for so long.
   */
  public String awaitEnd(Duration patience) throws IOException {
    socket.setSoTimeout((int) patience.toMillis());
    try {
      while (true) {
        int opcode = in.readUnsignedByte() & 0x0F;
        byte[] payload = in.readNBytes(readLength());
        if (opcode == OPCODE_CLOSE) {
          return Integer.toString(ByteBuffer.wrap(payload).getShort());
        }
      }
    } catch (EOFException | SocketException ended) {
      return "end";
    } catch (SocketTimeoutException silent) {
      return "open";
    }
  }

  private int readLength() throws IOException {
    int length = in.readUnsignedByte() & 0x7F;
    return switch (length) {
      case 126 -> in.readUnsignedShort();
      case 127 -> Math.toIntExact(in.readLong());
      default -> length;
    };
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
