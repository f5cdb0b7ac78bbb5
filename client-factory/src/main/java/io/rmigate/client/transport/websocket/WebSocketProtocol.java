package io.rmigate.client.transport.websocket;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The constants of RFC 6455, named by where the bit lives.
 *
 * <pre>
 *  0                   1                   2                   3
 *  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 * +-+-+-+-+-------+-+-------------+-------------------------------+
 * |F|R|R|R| opcode|M| Payload len |    Extended payload length    |
 * |I|S|S|S|  (4)  |A|     (7)     |             (16/64)           |
 * |N|V|V|V|       |S|             |   (if payload len==126/127)   |
 * | |1|2|3|       |K|             |                               |
 * +-+-+-+-+-------+-+-------------+ - - - - - - - - - - - - - - - +
 * |     Extended payload length continued, if payload len == 127  |
 * + - - - - - - - - - - - - - - - +-------------------------------+
 * |                               | Masking-key, if MASK set to 1 |
 * +-------------------------------+-------------------------------+
 * | Masking-key (continued)       |          Payload Data         |
 * +-------------------------------- - - - - - - - - - - - - - - - +
 * </pre>
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6455#section-5.2">RFC 6455 §5.2</a>
 */
final class WebSocketProtocol {
  private WebSocketProtocol() {}

  /** Byte 0: last frame of its message. */
  static final int B0_FLAG_FIN = 0b1000_0000;

  /** Byte 0: for extensions. We negotiate none, so they are never set. */
  static final int B0_FLAGS_RSV = 0b0111_0000;

  static final int B0_MASK_OPCODE = 0b0000_1111;

  /** Byte 1: a masking key follows. Set by clients, never by servers (§5.1). */
  static final int B1_FLAG_MASK = 0b1000_0000;

  static final int B1_MASK_LENGTH = 0b0111_1111;

  /** The opcode bit that all control frames have and no data frame has. */
  static final int OPCODE_FLAG_CONTROL = 0b1000;

  static final int OPCODE_CONTINUATION = 0x0;
  static final int OPCODE_TEXT = 0x1;
  static final int OPCODE_BINARY = 0x2;
  static final int OPCODE_CLOSE = 0x8;
  static final int OPCODE_PING = 0x9;
  static final int OPCODE_PONG = 0xA;

  /** Payload len up to here is the length itself, and all that a control frame may have (§5.5). */
  static final int PAYLOAD_BYTE_MAX = 125;

  /** Payload len for "the length is in the next two bytes". */
  static final int PAYLOAD_SHORT = 126;

  /** Payload len for "the length is in the next eight bytes". */
  static final int PAYLOAD_LONG = 127;

  static final int PAYLOAD_SHORT_MAX = 0xFFFF;

  static final int MASK_KEY_BYTES = 4;

  /** Two bytes, eight of extended length, the masking key. */
  static final int MAX_HEADER_BYTES = 2 + Long.BYTES + MASK_KEY_BYTES;

  // Close codes, §7.4.1
  static final int CLOSE_NORMAL = 1000;
  static final int CLOSE_PROTOCOL_ERROR = 1002;

  /** The {@link CloseReason#code} of a close frame without a code; never on the wire. */
  static final int CLOSE_NO_STATUS = 1005;

  static final String VERSION = "13"; // §4.1

  /** §1.3: joined to the key before hashing, so that no other protocol answers by accident. */
  private static final String ACCEPT_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

  /** The {@code Sec-WebSocket-Accept} that answers {@code key} (§4.2.2). */
  static String acceptOf(String key) {
    try {
      byte[] text = (key + ACCEPT_GUID).getBytes(StandardCharsets.US_ASCII);
      return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-1").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-1", e);
    }
  }

  /** Whether a peer may put {@code code} into a close frame (§7.4.1, §7.4.2 and the registry). */
  static boolean isCloseCodeOnWire(int code) {
    return (code >= 1000 && code <= 1014 && code != 1004 && code != 1005 && code != 1006)
        || (code >= 3000 && code <= 4999);
  }
}
