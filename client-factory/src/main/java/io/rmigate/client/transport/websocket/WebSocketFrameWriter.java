package io.rmigate.client.transport.websocket;

import static io.rmigate.client.transport.websocket.WebSocketProtocol.B0_FLAG_FIN;
import static io.rmigate.client.transport.websocket.WebSocketProtocol.B1_FLAG_MASK;
import static io.rmigate.client.transport.websocket.WebSocketProtocol.MAX_HEADER_BYTES;
import static io.rmigate.client.transport.websocket.WebSocketProtocol.OPCODE_BINARY;
import static io.rmigate.client.transport.websocket.WebSocketProtocol.PAYLOAD_BYTE_MAX;
import static io.rmigate.client.transport.websocket.WebSocketProtocol.PAYLOAD_LONG;
import static io.rmigate.client.transport.websocket.WebSocketProtocol.PAYLOAD_SHORT;
import static io.rmigate.client.transport.websocket.WebSocketProtocol.PAYLOAD_SHORT_MAX;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes masked client frames. A frame of up to {@link #CHUNK_BYTES} is one write to the socket:
 * payload is copied and masked, in one pass, to behind the header. Longer frames are one write per
 * chunk. No allocation after construction.
 *
 * <p>Not thread-safe: guarded by the write lock of {@link WebSocketTransport}.
 */
final class WebSocketFrameWriter {
  /**
   * Eight TLS records; a multiple of eight, so that each chunk starts with the key's first byte.
   */
  static final int CHUNK_BYTES = 128 * 1024;

  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final OutputStream out;
  private final MaskKeys keys;
  private final byte[] buffer = new byte[MAX_HEADER_BYTES + CHUNK_BYTES];
  private final AtomicLong bytesSent = new AtomicLong(); // written by one thread at a time

  WebSocketFrameWriter(OutputStream out, MaskKeys keys) {
    this.out = out;
    this.keys = keys;
  }

  /** One whole binary message. */
  void writeBinary(byte[] payload, int offset, int length) throws IOException {
    writeFrame(OPCODE_BINARY, payload, offset, length);
  }

  /** One control frame; {@code opcode} is that of a ping, pong or close. */
  void writeControl(int opcode, byte[] payload) throws IOException {
    if (payload.length > PAYLOAD_BYTE_MAX) {
      throw new IllegalArgumentException("control frame of " + payload.length + " bytes");
    }
    writeFrame(opcode, payload, 0, payload.length);
  }

  long bytesSent() {
    return bytesSent.getOpaque();
  }

  private void writeFrame(int opcode, byte[] payload, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, payload.length);
    int key = keys.next();
    int header = headerBytes(length);
    int start = MAX_HEADER_BYTES - header; // the header ends where the payload begins
    writeHeader(start, opcode, length, key);

    int chunk = Math.min(length, CHUNK_BYTES);
    copyMasked(payload, offset, buffer, MAX_HEADER_BYTES, chunk, key);
    flush(start, header + chunk);
    for (int done = chunk; done < length; done += chunk) {
      chunk = Math.min(length - done, CHUNK_BYTES);
      copyMasked(payload, offset + done, buffer, MAX_HEADER_BYTES, chunk, key);
      flush(MAX_HEADER_BYTES, chunk);
    }
  }

  private void flush(int start, int length) throws IOException {
    out.write(buffer, start, length);
    bytesSent.setOpaque(bytesSent.getPlain() + length);
  }

  private static int headerBytes(int length) {
    int extended =
        length <= PAYLOAD_BYTE_MAX ? 0 : length <= PAYLOAD_SHORT_MAX ? Short.BYTES : Long.BYTES;
    return 2 + extended + Integer.BYTES;
  }

  private void writeHeader(int start, int opcode, int length, int key) {
    buffer[start] = (byte) (B0_FLAG_FIN | opcode);
    if (length <= PAYLOAD_BYTE_MAX) {
      buffer[start + 1] = (byte) (B1_FLAG_MASK | length);
    } else if (length <= PAYLOAD_SHORT_MAX) {
      buffer[start + 1] = (byte) (B1_FLAG_MASK | PAYLOAD_SHORT);
      SHORT.set(buffer, start + 2, (short) length);
    } else {
      buffer[start + 1] = (byte) (B1_FLAG_MASK | PAYLOAD_LONG);
      LONG.set(buffer, start + 2, (long) length);
    }
    INT.set(buffer, MAX_HEADER_BYTES - Integer.BYTES, key);
  }

  /** RFC 6455 §5.3, eight bytes at a time; {@code key} applies from its high byte on. */
  static void copyMasked(
      byte[] from, int fromOffset, byte[] to, int toOffset, int length, int key) {
    long twice = (long) key << Integer.SIZE | Integer.toUnsignedLong(key);
    int i = 0;
    for (; i <= length - Long.BYTES; i += Long.BYTES) {
      LONG.set(to, toOffset + i, (long) LONG.get(from, fromOffset + i) ^ twice);
    }
    for (; i < length; i++) {
      to[toOffset + i] = (byte) (from[fromOffset + i] ^ (key >>> (24 - 8 * (i & 3))));
    }
  }
}
