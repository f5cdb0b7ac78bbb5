package io.rmigate.protocol.tunnel;

/**
 * The numbers of the link protocol (PROTOCOL.md).
 *
 * <pre>
 *   +------+-----------+-----------+------------------+
 *   | type | stream    | length    | body             |
 *   | u8   | varint    | varint    | length bytes     |
 *   +------+-----------+-----------+------------------+
 * </pre>
 *
 * A varint is little-endian base 128: seven bits a byte, the top bit says that more follow, no
 * superfluous zero byte at its end.
 */
public final class Tunnel {

  /** The only version there is. Negotiated as a range in {@link Hello}. */
  public static final int VERSION = 1;

  /** First bytes of every {@link Hello}: {@code "RMIG"}. */
  public static final int MAGIC = 0x52_4D_49_47;

  /** Largest body of any frame, in bytes (PROTOCOL.md, "Limits"). */
  public static final int MAX_BODY_BYTES = 16 * 1024;

  /** Type, five bytes of stream, three of length. */
  public static final int MAX_HEADER_BYTES = 1 + 5 + 3;

  /**
   * Largest message of an agent on a WebSocket, in bytes of payload (PROTOCOL.md, "Transports").
   * Containers that gather a frame before they pass it on need no more than this for a link.
   */
  public static final int MAX_MESSAGE_BYTES = 128 * 1024;

  /** Largest stream number. */
  public static final int MAX_STREAM = (1 << 28) - 1;

  /** Most streams that the gateway has opened and that are not closed by both sides. */
  public static final int MAX_ACCEPTED_STREAMS = 16 * 1024;

  /** The stream number of frames that belong to the session as a whole. */
  public static final int SESSION = 0;

  /** Largest credit that may be outstanding for one stream and direction, in bytes. */
  public static final int MAX_CREDIT_BYTES = 1 << 30;

  /**
   * Limit of unconfirmed bytes, at which no payload is sent, where sessions outlive their links.
   */
  public static final int MAX_UNCONFIRMED_BYTES = 1024 * 1024;

  /** Most bytes that one {@link Coded} frame may yield. */
  public static final int MAX_UNCODED_BYTES = 64 * 1024;

  /**
   * Bytes that coded frames may yield in one direction, however few bytes have been sent; see
   * {@link #MAX_EXPANSION}.
   */
  public static final int FREE_UNCODED_BYTES = 1024 * 1024;

  /** Bytes that coded frames may yield beyond that, as a multiple of all bytes sent that way. */
  public static final int MAX_EXPANSION = 100;

  /** Longest text in a frame, in bytes of UTF-8. */
  public static final int MAX_TEXT_BYTES = 1024;

  /** Most properties a hello or welcome may carry. */
  public static final int MAX_PROPERTIES = 32;

  /** Name of the WebSocket subprotocol that the transport asks for (RFC 6455, section 1.9). */
  public static final String SUBPROTOCOL = "rmigate.1";

  /**
   * Header of the request to upgrade to WebSocket: the agent's HELLO in Base64 (RFC 4648, section
   * 5, without padding). Header of the answer, if the gateway has taken the HELLO: for how many
   * milliseconds it had the request before it answered (PROTOCOL.md, section 4).
   */
  public static final String HELLO_HEADER = "Rmigate-Hello";

  /**
   * Name of the WebSocket subprotocol that an agent offers besides {@link #SUBPROTOCOL} if the
   * request carries its HELLO. The gateway picks it if it has taken the HELLO.
   */
  public static final String HELLO_SUBPROTOCOL = "rmigate.1h";

  /** Longest HELLO frame in that header, in bytes before Base64. */
  public static final int MAX_EARLY_HELLO_BYTES = 1024;

  private Tunnel() {}
}
