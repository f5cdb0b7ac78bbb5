package io.rmigate.protocol.post;

/**
 * The numbers of the POST transport (PROTOCOL.md, section 4).
 *
 * <pre>
 * request  +---------+------------+--------+----------+------+--------+-------+
 *          | version | connection | number | received | hold | length | bytes |
 *          | u8      | 16 bytes   | varint | varint   |varint| varint |       |
 *          +---------+------------+--------+----------+------+--------+-------+
 * answer   +---------+--------+-------+--------+-------+
 *          | version | number | flags | length | bytes |
 *          | u8      | varint | u8    | varint |       |
 *          +---------+--------+-------+--------+-------+
 * </pre>
 */
public final class Post {
  /** First byte of each body. */
  public static final int VERSION = 0x01;

  /** Length of what names a connection. */
  public static final int ID_BYTES = 16;

  /** Bytes of the stream that a request may carry. */
  public static final int MAX_REQUEST_BYTES = 65_536;

  /** Bytes of the stream that an answer may carry. */
  public static final int MAX_ANSWER_BYTES = 131_072;

  /** Number of the request by which an agent gives its connection up. */
  public static final long GIVEN_UP = 0;

  /** Requests of a connection that may be without an answer at a time. */
  public static final int MAX_UNANSWERED = 4;

  /** Requests of a connection that wait for something to answer them with. */
  public static final int MAX_HELD = 2;

  /** Media type of both bodies. */
  public static final String CONTENT_TYPE = "application/octet-stream";

  /** A varint of a {@code long} may be so long. */
  private static final int VARINT_BYTES = 10;

  /** Most bytes before the stream's bytes in a request or an answer. */
  public static final int MAX_HEAD_BYTES = 1 + ID_BYTES + 4 * VARINT_BYTES;

  private Post() {}
}
