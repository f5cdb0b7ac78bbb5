package io.rmigate.protocol.jrmp;

import io.rmigate.protocol.ProtocolViolationException;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * What a client sends on a connection before its first message, byte by byte as it comes (RMI
 * specification, section 10.2): magic, version, protocol, and with StreamProtocol its endpoint,
 * which it sends once it has the {@link #acknowledgement}.
 *
 * <pre>
 *   HEADER ── 7th byte ──► ENDPOINT ── its last ──► OVER          StreamProtocol
 *             └───────────────────────────────────► OVER          SingleOpProtocol
 * </pre>
 *
 * For one connection; not thread-safe.
 */
public final class ClientPreamble {
  /** Magic, version and protocol. */
  public static final int HEADER_BYTES = 7;

  /** Host names have no more than 253 characters. */
  private static final int MAX_HOST_BYTES = 1024;

  private final byte[] bytes = new byte[HEADER_BYTES + 2];
  private int count;

  /** Bytes of the endpoint that are still to come; −1 until its length is known. */
  private int rest = -1;

  /**
   * Takes the next byte.
   *
   * @throws ProtocolViolationException it is none that a client of JRMP sends there
   */
  public void take(byte next) throws ProtocolViolationException {
    if (rest > 0) {
      rest--;
      return;
    }
    if (isOver() || asksForOther()) {
      throw new IllegalStateException("nothing of the preamble is to come");
    }
    bytes[count++] = next;
    if (count <= 6) {
      expectHeader(next);
    } else if (count == bytes.length) {
      int host = BigEndian.unsignedShort(bytes, HEADER_BYTES);
      if (host > MAX_HOST_BYTES) {
        throw new ProtocolViolationException(
            "expected a client's host of at most %d bytes, got %d".formatted(MAX_HOST_BYTES, host));
      }
      rest = host + Integer.BYTES;
    }
  }

  private void expectHeader(byte next) throws ProtocolViolationException {
    int at = count - 1;
    int expected = at < 4 ? Jrmp.MAGIC >>> (24 - 8 * at) : Jrmp.VERSION >>> (8 * (5 - at));
    if (next != (byte) expected) {
      throw new ProtocolViolationException(
          "expected the header 4A 52 4D 49 00 02, got 0x%02x at %d".formatted(next & 0xFF, at));
    }
  }

  /** Whether the header is there: StreamProtocol is to be acknowledged now, or refused. */
  public boolean hasHeader() {
    return count >= HEADER_BYTES;
  }

  /** Whether it is another protocol than these two; with the header. Nothing else is taken. */
  public boolean asksForOther() {
    return hasHeader()
        && bytes[HEADER_BYTES - 1] != Jrmp.STREAM_PROTOCOL
        && bytes[HEADER_BYTES - 1] != Jrmp.SINGLE_OP_PROTOCOL;
  }

  /** Whether one message follows and no other, without any acknowledgement; with the header. */
  public boolean isSingleOp() {
    return hasHeader() && bytes[HEADER_BYTES - 1] == Jrmp.SINGLE_OP_PROTOCOL;
  }

  /** Whether the first message follows. */
  public boolean isOver() {
    return isSingleOp() || rest == 0;
  }

  /**
   * What answers the header of StreamProtocol.
   *
   * @param seen the client, as its server sees it
   */
  public static byte[] acknowledgement(EndpointId seen) {
    ByteArrayOutputStream message = new ByteArrayOutputStream(32);
    message.write(Jrmp.PROTOCOL_ACK);
    try {
      seen.writeTo(new DataOutputStream(message));
    } catch (IOException e) {
      throw new UncheckedIOException(e); // only a host of more than 65535 bytes, which is none
    }
    return message.toByteArray();
  }
}
