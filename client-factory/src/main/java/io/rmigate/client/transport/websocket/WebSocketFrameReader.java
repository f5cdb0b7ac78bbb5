package io.rmigate.client.transport.websocket;

import static io.rmigate.client.transport.websocket.WebSocketProtocol.B0_FLAGS_RSV;
import static io.rmigate.client.transport.websocket.WebSocketProtocol.B0_FLAG_FIN;
import static io.rmigate.client.transport.websocket.WebSocketProtocol.B0_MASK_OPCODE;
import static io.rmigate.client.transport.websocket.WebSocketProtocol.B1_FLAG_MASK;
import static io.rmigate.client.transport.websocket.WebSocketProtocol.B1_MASK_LENGTH;
import static io.rmigate.client.transport.websocket.WebSocketProtocol.OPCODE_BINARY;
import static io.rmigate.client.transport.websocket.WebSocketProtocol.OPCODE_CLOSE;
import static io.rmigate.client.transport.websocket.WebSocketProtocol.OPCODE_CONTINUATION;
import static io.rmigate.client.transport.websocket.WebSocketProtocol.OPCODE_FLAG_CONTROL;
import static io.rmigate.client.transport.websocket.WebSocketProtocol.OPCODE_PING;
import static io.rmigate.client.transport.websocket.WebSocketProtocol.OPCODE_PONG;
import static io.rmigate.client.transport.websocket.WebSocketProtocol.OPCODE_TEXT;
import static io.rmigate.client.transport.websocket.WebSocketProtocol.PAYLOAD_BYTE_MAX;
import static io.rmigate.client.transport.websocket.WebSocketProtocol.PAYLOAD_LONG;
import static io.rmigate.client.transport.websocket.WebSocketProtocol.PAYLOAD_SHORT;
import static io.rmigate.client.transport.websocket.WebSocketProtocol.PAYLOAD_SHORT_MAX;

import io.rmigate.client.transport.Transport;
import io.rmigate.protocol.LogText;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.Tunnel;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads the frames of a server and exposes the payload of all binary messages as one stream of
 * bytes. One read of the socket takes what is there, up to the buffer's size; payload is copied
 * once from the buffer, or, when a frame has more to come than the buffer holds, not at all.
 *
 * <p>Confined to the reading thread, except {@link #bytesReceived}.
 */
final class WebSocketFrameReader {
  static final int BUFFER_BYTES = 64 * 1024;

  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** Called on the reading thread, between two pieces of payload. */
  interface ControlFrames {
    /** A ping; {@code payload} is to be sent back. */
    void onPing(byte[] payload) throws IOException;

    /** A pong has come, be it the answer to a ping or not. */
    default void onPong() throws IOException {}

    /** The server closes; nothing is read after this. */
    void onClose(CloseReason reason) throws IOException;
  }

  private final InputStream in;
  private final ControlFrames control;
  private final AtomicLong bytesReceived = new AtomicLong(); // written by the reading thread only

  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int position; // first byte of the buffer not yet consumed
  private int limit; // first byte not yet filled

  private long frameRemaining; // payload of the current data frame not yet handed out
  private boolean messageOpen; // a binary message whose last frame has not begun yet
  private boolean closed; // by the server's close frame
  private boolean answered; // a ping of ours

  /** Payload that has come before the answer to our first ping; null once handed out. */
  private ByteBuffer ahead;

  /**
   * A reader of what follows the HTTP handshake.
   *
   * @param early what came with the end of the handshake already
   */
  WebSocketFrameReader(InputStream in, ByteBuffer early, ControlFrames control) {
    this.in = in;
    this.control = control;
    limit = early.remaining();
    early.get(buffer, 0, limit);
    bytesReceived.setOpaque(limit);
  }

  long bytesReceived() {
    return bytesReceived.getOpaque();
  }

  /** As {@link Transport#read}: blocks for the first byte only. */
  int read(byte[] target, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    if (length == 0) {
      return 0;
    }
    if (ahead != null) {
      return takeAhead(target, offset, length);
    }
    int copied = 0;
    while (copied < length) {
      if (frameRemaining == 0) {
        if (closed) {
          return -1;
        }
        if (copied > 0 && !dataHeaderBuffered()) {
          break; // reading on could block, or answer a ping while the caller waits for these bytes
        }
        readHeader();
      } else if (position < limit) {
        copied += takeBuffered(target, offset + copied, length - copied);
      } else if (copied > 0) {
        break;
      } else if (Math.min(length, frameRemaining) >= BUFFER_BYTES) {
        copied = receive(target, offset, (int) Math.min(length, frameRemaining));
        frameRemaining -= copied;
      } else {
        fill(1);
      }
    }
    return copied;
  }

  /**
   * Waits until something has come that only who speaks WebSocket sends: the answer to a ping, as a
   * rule. Before the first {@link #read}.
   */
  void awaitSign() throws IOException {
    while (!answered && frameRemaining == 0) {
      if (closed) {
        throw new EOFException("the WebSocket was closed right after the upgrade");
      }
      readHeader();
    }
  }

  /**
   * Waits until a ping is answered. Payload that comes before is kept for {@link #read}. Before the
   * first {@link #read}.
   */
  void awaitPong() throws IOException {
    ByteArrayOutputStream kept = new ByteArrayOutputStream();
    while (!answered) {
      if (frameRemaining > 0) {
        fill(1);
        int count = (int) Math.min(limit - position, frameRemaining);
        kept.write(buffer, position, count);
        position += count;
        frameRemaining -= count;
        if (kept.size() > Tunnel.MAX_UNCONFIRMED_BYTES) {
          throw new ProtocolViolationException(
              "WebSocket: expected the answer to a ping, got more than "
                  + Tunnel.MAX_UNCONFIRMED_BYTES
                  + " bytes of messages");
        }
      } else if (closed) {
        throw new EOFException("the WebSocket was closed right after the upgrade");
      } else {
        readHeader();
      }
    }
    if (kept.size() > 0) {
      ahead = ByteBuffer.wrap(kept.toByteArray());
    }
  }

  private int takeAhead(byte[] target, int offset, int length) {
    int count = Math.min(length, ahead.remaining());
    ahead.get(target, offset, count);
    if (!ahead.hasRemaining()) {
      ahead = null;
    }
    return count;
  }

  private int takeBuffered(byte[] target, int offset, int length) {
    int count = (int) Math.min(Math.min(length, limit - position), frameRemaining);
    System.arraycopy(buffer, position, target, offset, count);
    position += count;
    frameRemaining -= count;
    return count;
  }

  /** Whether the next header is here in full and belongs to a data frame. */
  private boolean dataHeaderBuffered() {
    int available = limit - position;
    if (available < 2 || (buffer[position] & OPCODE_FLAG_CONTROL) != 0) {
      return false;
    }
    int length = buffer[position + 1] & B1_MASK_LENGTH;
    return available
        >= (length == PAYLOAD_SHORT
            ? 2 + Short.BYTES
            : length == PAYLOAD_LONG ? 2 + Long.BYTES : 2);
  }

  /**
   * Reads one header; for a control frame the payload as well, and acts on it.
   *
   * <pre>
   * |F|R R R| opcode| |M|   length    |  +2 bytes if length is 126, +8 if it is 127
   * </pre>
   */
  private void readHeader() throws IOException {
    fill(2);
    int b0 = buffer[position] & 0xFF;
    int b1 = buffer[position + 1] & 0xFF;
    if ((b0 & B0_FLAGS_RSV) != 0) {
      throw violation("reserved bits 0, as no extension is agreed", b0, b1);
    }
    if ((b1 & B1_FLAG_MASK) != 0) {
      throw violation("an unmasked frame, as servers send (RFC 6455 §5.1)", b0, b1);
    }
    boolean fin = (b0 & B0_FLAG_FIN) != 0;
    int opcode = b0 & B0_MASK_OPCODE;
    if ((opcode & OPCODE_FLAG_CONTROL) != 0) {
      readControl(b0, b1, opcode, fin);
    } else {
      checkDataOpcode(b0, b1, opcode);
      frameRemaining = readLength(b1);
      messageOpen = !fin;
    }
  }

  private void checkDataOpcode(int b0, int b1, int opcode) throws ProtocolViolationException {
    switch (opcode) {
      case OPCODE_CONTINUATION -> {
        if (!messageOpen) {
          throw violation("a message's first frame, not a continuation of none", b0, b1);
        }
      }
      case OPCODE_BINARY -> {
        if (messageOpen) {
          throw violation("the continuation of the message begun before", b0, b1);
        }
      }
      case OPCODE_TEXT -> throw violation("a binary message, not text", b0, b1);
      default -> throw violation("a known opcode", b0, b1);
    }
  }

  private long readLength(int b1) throws IOException {
    int length = b1 & B1_MASK_LENGTH;
    if (length <= PAYLOAD_BYTE_MAX) {
      position += 2;
      return length;
    }
    if (length == PAYLOAD_SHORT) {
      fill(2 + Short.BYTES);
      int extended = (short) SHORT.get(buffer, position + 2) & 0xFFFF;
      if (extended <= PAYLOAD_BYTE_MAX) {
        throw new ProtocolViolationException(
            "WebSocket: expected the shortest form of a length (RFC 6455 §5.2), got 0x%x in two bytes"
                .formatted(extended));
      }
      position += 2 + Short.BYTES;
      return extended;
    }
    fill(2 + Long.BYTES);
    long extended = (long) LONG.get(buffer, position + 2);
    if (extended < 0) {
      throw new ProtocolViolationException(
          "WebSocket: expected a length below 2^63 (RFC 6455 §5.2), got 0x%x".formatted(extended));
    }
    if (extended <= PAYLOAD_SHORT_MAX) {
      throw new ProtocolViolationException(
          "WebSocket: expected the shortest form of a length (RFC 6455 §5.2), got 0x%x in eight bytes"
              .formatted(extended));
    }
    position += 2 + Long.BYTES;
    return extended;
  }

  private void readControl(int b0, int b1, int opcode, boolean fin) throws IOException {
    if (opcode != OPCODE_PING && opcode != OPCODE_PONG && opcode != OPCODE_CLOSE) {
      throw violation("a known opcode", b0, b1);
    }
    if (!fin) {
      throw violation("a control frame in one piece (RFC 6455 §5.5)", b0, b1);
    }
    int length = b1 & B1_MASK_LENGTH;
    if (length > PAYLOAD_BYTE_MAX) {
      throw violation("a control frame of at most 125 bytes (RFC 6455 §5.5)", b0, b1);
    }
    fill(2 + length);
    byte[] payload = Arrays.copyOfRange(buffer, position + 2, position + 2 + length);
    position += 2 + length;
    if (opcode == OPCODE_PING) {
      control.onPing(payload);
    } else if (opcode == OPCODE_CLOSE) {
      CloseReason reason = closeReason(payload);
      closed = true;
      control.onClose(reason);
    }
    if (opcode == OPCODE_PONG) { // an unsolicited one has no meaning (§5.5.3)
      answered = true;
      control.onPong();
    }
  }

  private static CloseReason closeReason(byte[] payload) throws ProtocolViolationException {
    if (payload.length == 0) {
      return new CloseReason(WebSocketProtocol.CLOSE_NO_STATUS, "");
    }
    if (payload.length == 1) {
      throw new ProtocolViolationException(
          "WebSocket: expected a close code of two bytes, got one: 0x%02x"
              .formatted(payload[0] & 0xFF));
    }
    int code = (short) SHORT.get(payload, 0) & 0xFFFF;
    if (!WebSocketProtocol.isCloseCodeOnWire(code)) {
      throw new ProtocolViolationException(
          "WebSocket: expected a close code of RFC 6455 §7.4, got 0x%04x (%d)"
              .formatted(code, code));
    }
    try {
      String text =
          StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(payload, Short.BYTES, payload.length - Short.BYTES))
              .toString();
      return new CloseReason(code, LogText.of(text));
    } catch (CharacterCodingException e) {
      throw new ProtocolViolationException(
          "WebSocket: expected UTF-8 as the reason of a close frame, got other bytes");
    }
  }

  /** Makes at least {@code needed} bytes available from {@link #position} on. */
  private void fill(int needed) throws IOException {
    if (limit - position >= needed) {
      return;
    }
    if (position == limit) {
      position = limit = 0;
    } else if (buffer.length - position < needed) {
      System.arraycopy(buffer, position, buffer, 0, limit - position);
      limit -= position;
      position = 0;
    }
    while (limit - position < needed) {
      limit += receive(buffer, limit, buffer.length - limit);
    }
  }

  private int receive(byte[] target, int offset, int length) throws IOException {
    int count = in.read(target, offset, length);
    if (count < 0) {
      throw new EOFException(
          "the connection ended without a WebSocket close frame: the gateway, or something on the"
              + " way to it, dropped it");
    }
    bytesReceived.setOpaque(bytesReceived.getPlain() + count);
    return count;
  }

  private static ProtocolViolationException violation(String expected, int b0, int b1) {
    return new ProtocolViolationException(
        "WebSocket: expected %s, got a frame that begins 0x%02x 0x%02x"
            .formatted(expected, b0, b1));
  }
}
