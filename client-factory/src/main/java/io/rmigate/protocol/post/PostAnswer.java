package io.rmigate.protocol.post;

import io.rmigate.protocol.ProtocolViolationException;

/**
 * The body of an answer.
 *
 * @param number of the request that it answers
 * @param more whether more may follow at once
 * @param end whether nothing follows: the gateway has closed the connection
 * @param bytes of the stream; not to be changed
 */
@SuppressWarnings("ArrayRecordComponent") // wire bytes: identity, not value
public record PostAnswer(long number, boolean more, boolean end, byte[] bytes) {
  /** Bit of the flags. */
  public static final int MORE = 0b01;

  /** Bit of the flags. */
  public static final int END = 0b10;

  /** The body. */
  public byte[] encode() {
    BodyOutput out = new BodyOutput(bytes.length);
    out.varint(number);
    out.u8((more ? MORE : 0) | (end ? END : 0));
    out.bytes(bytes, 0, bytes.length);
    return out.toByteArray();
  }

  /**
   * Reads the first {@code length} bytes of {@code body}.
   *
   * @throws ProtocolViolationException they are no such body
   */
  public static PostAnswer decode(byte[] body, int length) throws ProtocolViolationException {
    BodyInput in = new BodyInput(body, length);
    in.version();
    long number = in.varint();
    int flags = in.u8();
    if ((flags & ~(MORE | END)) != 0) {
      throw new ProtocolViolationException(
          "expected flags of 0x%02x, got 0x%02x".formatted(MORE | END, flags));
    }
    return new PostAnswer(
        number, (flags & MORE) != 0, (flags & END) != 0, in.rest(Post.MAX_ANSWER_BYTES));
  }
}
