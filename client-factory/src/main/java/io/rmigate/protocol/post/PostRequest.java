package io.rmigate.protocol.post;

import io.rmigate.protocol.ProtocolViolationException;

/**
 * The body of a request.
 *
 * @param number of the request in its connection, from 1; or {@link Post#GIVEN_UP}
 * @param received the answers up to this number have arrived, all of them
 * @param holdMillis how long it may wait for something to answer it with; 0: as the gateway likes
 * @param bytes of the stream; not to be changed
 */
@SuppressWarnings("ArrayRecordComponent") // wire bytes: identity, not value
public record PostRequest(
    ConnectionId connection, long number, long received, long holdMillis, byte[] bytes) {

  /** The body, with a part of {@code from} as the bytes. */
  public static byte[] encode(
      ConnectionId connection,
      long number,
      long received,
      long holdMillis,
      byte[] from,
      int offset,
      int length) {
    BodyOutput out = new BodyOutput(length);
    out.id(connection);
    out.varint(number);
    out.varint(received);
    out.varint(holdMillis);
    out.bytes(from, offset, length);
    return out.toByteArray();
  }

  /** By which an agent gives its connection up. */
  public static byte[] givingUp(ConnectionId connection) {
    return encode(connection, Post.GIVEN_UP, 0, 0, new byte[0], 0, 0);
  }

  /** Whether it says that the agent has given the connection up. */
  public boolean givesUp() {
    return number == Post.GIVEN_UP;
  }

  /**
   * Reads the first {@code length} bytes of {@code body}.
   *
   * @throws ProtocolViolationException they are no such body
   */
  public static PostRequest decode(byte[] body, int length) throws ProtocolViolationException {
    BodyInput in = new BodyInput(body, length);
    in.version();
    ConnectionId connection = in.id();
    long number = in.varint();
    long received = in.varint();
    if (received >= number && received > 0) {
      throw new ProtocolViolationException(
          "expected answers below 0x%x, got 0x%x".formatted(number, received));
    }
    return new PostRequest(
        connection, number, received, in.varint(), in.rest(Post.MAX_REQUEST_BYTES));
  }
}
