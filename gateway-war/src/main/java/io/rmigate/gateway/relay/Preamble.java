package io.rmigate.gateway.relay;

import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.Jrmp;
import java.nio.ByteBuffer;

/**
 * The bytes before the first message of a connection, in both directions (RMI specification, 10.2).
 */
public final class Preamble {
  private static final byte[] STREAM_HEADER = header(Jrmp.STREAM_PROTOCOL);
  private static final byte[] SINGLE_OP_HEADER = header(Jrmp.SINGLE_OP_PROTOCOL);

  /** Our own idea of our address; servers read and ignore it. */
  private static final byte[] ENDPOINT = new EndpointId("0.0.0.0", 0).encode();

  /** ProtocolAck, length of the suggested host, port. */
  private static final int ACK_FIXED_BYTES = 1 + 2 + 4;

  private static final int MAX_ACK_HOST_BYTES = 1024;

  private Preamble() {}

  public static ByteBuffer streamHeader() {
    return ByteBuffer.wrap(STREAM_HEADER);
  }

  public static ByteBuffer singleOpHeader() {
    return ByteBuffer.wrap(SINGLE_OP_HEADER);
  }

  public static ByteBuffer endpoint() {
    return ByteBuffer.wrap(ENDPOINT);
  }

  private static byte[] header(int protocol) {
    ByteBuffer bytes = ByteBuffer.allocate(7);
    bytes.putInt(Jrmp.MAGIC).putShort((short) Jrmp.VERSION).put((byte) protocol);
    return bytes.array();
  }

  /** The server's answer to the header of a StreamProtocol connection, as it comes. */
  public static final class Ack {
    private final byte[] bytes = new byte[ACK_FIXED_BYTES + MAX_ACK_HOST_BYTES];
    private int count;

    /** How an ack can stand. */
    public enum State {
      INCOMPLETE,
      COMPLETE,
      /** The bytes are no acknowledgement, or more than one. */
      WRONG
    }

    /** Takes all of the buffer, if it can be part of an ack. */
    public State add(ByteBuffer more) {
      int taken = Math.min(more.remaining(), bytes.length - count);
      more.get(bytes, count, taken);
      count += taken;
      if (count == 0) {
        return State.INCOMPLETE;
      }
      int whole =
          count < 3
              ? ACK_FIXED_BYTES
              : ACK_FIXED_BYTES + (((bytes[1] & 0xFF) << 8) | (bytes[2] & 0xFF));
      if (bytes[0] != Jrmp.PROTOCOL_ACK
          || whole > bytes.length
          || count > whole
          || more.hasRemaining()) {
        return State.WRONG;
      }
      return count == whole ? State.COMPLETE : State.INCOMPLETE;
    }
  }
}
