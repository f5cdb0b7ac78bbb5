package io.rmigate.protocol.jrmp.message;

import io.rmigate.protocol.jrmp.BigEndian;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.StreamTokens;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * What is opened of every Call: whom it is for and what it asks. See the picture in {@link Jrmp}.
 *
 * @param object the object called
 * @param operation −1 when {@code hash} names the method; else an operation number of the JDK 1.1
 *     stub protocol, which the stubs of the registry and of DGC still speak
 * @param hash the method's hash, or with an operation number the interface's
 */
public record CallHeader(ObjIdentifier object, int operation, long hash) {

  /**
   * Reads the header of the Call that begins (with {@code 50}) at {@code off}. A Call whose header
   * is not in one block is none: all JDKs write it so.
   *
   * @return empty when the range does not begin with a Call, or ends before its header does
   */
  public static Optional<CallHeader> decode(byte[] b, int off, int len) {
    int block = 1 + StreamTokens.STREAM_HEADER_BYTES;
    if (len < block + 2 + Jrmp.CALL_HEADER_BYTES
        || b[off] != Jrmp.CALL
        || BigEndian.int32(b, off + 1) != StreamTokens.STREAM_HEADER) {
      return Optional.empty();
    }
    int at = off + block;
    int length;
    if (b[at] == StreamTokens.TC_BLOCKDATA) {
      length = b[at + 1] & 0xFF;
      at += 2;
    } else if (b[at] == StreamTokens.TC_BLOCKDATALONG) {
      length = BigEndian.int32(b, at + 1);
      at += 5;
    } else {
      return Optional.empty();
    }
    if (length < Jrmp.CALL_HEADER_BYTES || off + len - at < Jrmp.CALL_HEADER_BYTES) {
      return Optional.empty();
    }
    return Optional.of(
        new CallHeader(
            ObjIdentifier.decode(b, at),
            BigEndian.int32(b, at + Jrmp.OBJ_ID_BYTES),
            BigEndian.int64(b, at + Jrmp.OBJ_ID_BYTES + 4)));
  }

  /** A whole Call without arguments. */
  public byte[] encodeCall() {
    return ByteBuffer.allocate(1 + StreamTokens.STREAM_HEADER_BYTES + 2 + Jrmp.CALL_HEADER_BYTES)
        .put((byte) Jrmp.CALL)
        .putInt(StreamTokens.STREAM_HEADER)
        .put((byte) StreamTokens.TC_BLOCKDATA)
        .put((byte) Jrmp.CALL_HEADER_BYTES)
        .put(object.encode())
        .putInt(operation)
        .putLong(hash)
        .array();
  }

  /** One line for logs. */
  @Override
  public String toString() {
    return "[" + object + "] op " + operation + " hash " + Long.toHexString(hash);
  }
}
