package io.rmigate.protocol.jrmp.message;

import io.rmigate.protocol.jrmp.BigEndian;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.StreamTokens;
import java.util.Arrays;
import java.util.Optional;

/**
 * The header of a Return.
 *
 * @param exceptional whether a Throwable follows instead of a result
 * @param acknowledge the UID that a DgcAck for this Return names, 14 raw bytes
 * @param end where the block with the header ends, which also holds a primitive result
 */
@SuppressWarnings("ArrayRecordComponent") // wire bytes: identity, not value
public record ReturnHeader(boolean exceptional, byte[] acknowledge, int end) {

  /**
   * Reads the header of the Return that begins (with {@code 51}) at {@code off}.
   *
   * @return empty when the range does not begin with a Return, or ends before its header does
   */
  public static Optional<ReturnHeader> decode(byte[] b, int off, int len) {
    int block = off + 1 + StreamTokens.STREAM_HEADER_BYTES;
    int limit = off + len;
    if (limit - block < 2
        || b[off] != Jrmp.RETURN
        || BigEndian.int32(b, off + 1) != StreamTokens.STREAM_HEADER) {
      return Optional.empty();
    }
    int data;
    int length;
    if (b[block] == StreamTokens.TC_BLOCKDATA) {
      data = block + 2;
      length = b[block + 1] & 0xFF;
    } else if (b[block] == StreamTokens.TC_BLOCKDATALONG && limit - block >= 5) {
      data = block + 5;
      length = BigEndian.int32(b, block + 1);
    } else {
      return Optional.empty();
    }
    if (length < Jrmp.RETURN_HEADER_BYTES || limit - data < length) {
      return Optional.empty();
    }
    boolean exceptional = b[data] == Jrmp.EXCEPTIONAL_RETURN;
    if (!exceptional && b[data] != Jrmp.NORMAL_RETURN) {
      return Optional.empty();
    }
    byte[] acknowledge = Arrays.copyOfRange(b, data + 1, data + Jrmp.RETURN_HEADER_BYTES);
    return Optional.of(new ReturnHeader(exceptional, acknowledge, data + length));
  }
}
