package io.rmigate.protocol.jrmp.message;

import io.rmigate.protocol.jrmp.BigEndian;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ModifiedUtf8;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.util.Optional;

/**
 * The block with which the data of a {@code java.rmi.server.RemoteObject} begin: the name of a kind
 * of reference, then what that kind writes itself. n is the length of the host.
 *
 * <pre>
 *  UTF "UnicastRef"      UTF host  port  ObjID  bool          22+10+2+n+4+1 bytes and nothing else
 *  UTF "UnicastRef2" 00  UTF host  port  ObjID  bool          one more, for the format
 *  UTF "UnicastRef2" 01  UTF host  port                       then an object, then a block of 23:
 *                                        ObjID  bool
 * </pre>
 *
 * What {@link LiveReferenceScan} takes for a hint wherever it stands is read here where it must
 * stand, and to its last byte.
 */
public sealed interface ReferenceBlock {

  /** A reference that is whole. */
  record Whole(LiveReference reference) implements ReferenceBlock {}

  /** A reference with a factory of its own, which follows as an object; then comes the rest. */
  record WithFactory(String host, int port) implements ReferenceBlock {

    /** The reference, when the block behind the factory is its rest; else empty. */
    public Optional<LiveReference> completed(byte[] buf, int at, int length) {
      return length == TAIL_BYTES && (buf[at + Jrmp.OBJ_ID_BYTES] & 0xFE) == 0
          ? Optional.of(tail(buf, at, host, port, LiveReference.UNICAST_REF2, true))
          : Optional.empty();
    }
  }

  /**
   * None of these: another kind, or not the layout of its kind.
   *
   * @param kind the name of the kind, at most so long as one line of a log takes; empty when a
   *     reference follows as an object, or when the block is none of a reference at all
   */
  record Other(String kind) implements ReferenceBlock {}

  /** ObjID and boolean. */
  int TAIL_BYTES = Jrmp.OBJ_ID_BYTES + 1;

  /** Reads a block's data. */
  static ReferenceBlock read(byte[] buf, int at, int length) {
    int end = at + length;
    int nameEnd = utfEnd(buf, at, end);
    if (nameEnd < 0) {
      return new Other("");
    }
    String kind = kind(buf, at + 2, nameEnd - at - 2);
    boolean newFormat = kind.equals(LiveReference.UNICAST_REF2);
    if (!newFormat && !kind.equals(LiveReference.UNICAST_REF)) {
      return new Other(kind);
    }
    boolean factory = newFormat && nameEnd < end && buf[nameEnd] == 1;
    if (newFormat && (nameEnd == end || (buf[nameEnd] & 0xFE) != 0)) {
      return new Other(kind);
    }
    int host = nameEnd + (newFormat ? 1 : 0);
    int hostEnd = utfEnd(buf, host, end);
    int tail = factory ? 0 : TAIL_BYTES;
    if (hostEnd < 0
        || hostEnd - host - Short.BYTES > LiveReferenceScan.MAX_HOST_BYTES
        || end - hostEnd != Integer.BYTES + tail) {
      return new Other(kind);
    }
    String name = ModifiedUtf8.decode(buf, host + 2, hostEnd - host - 2);
    int port = BigEndian.int32(buf, hostEnd);
    if (port <= 0 || port > 0xFFFF || (!factory && (buf[end - 1] & 0xFE) != 0)) {
      return new Other(kind);
    }
    return factory
        ? new WithFactory(name, port)
        : new Whole(tail(buf, hostEnd + Integer.BYTES, name, port, kind, false));
  }

  /** A message may have many of the known ones: those are not decoded. */
  private static String kind(byte[] buf, int at, int length) {
    if (ModifiedUtf8.spells(buf, at, length, LiveReference.UNICAST_REF)) {
      return LiveReference.UNICAST_REF;
    }
    if (ModifiedUtf8.spells(buf, at, length, LiveReference.UNICAST_REF2)) {
      return LiveReference.UNICAST_REF2;
    }
    return ModifiedUtf8.decode(buf, at, Math.min(length, 60));
  }

  private static LiveReference tail(
      byte[] buf, int at, String host, int port, String kind, boolean factory) {
    return new LiveReference(
        host, port, ObjIdentifier.decode(buf, at), kind, factory, buf[at + Jrmp.OBJ_ID_BYTES] != 0);
  }

  /** Where a UTF ends; −1 if it does not. */
  private static int utfEnd(byte[] buf, int at, int limit) {
    if (limit - at < 2) {
      return -1;
    }
    int end = at + 2 + BigEndian.unsignedShort(buf, at);
    return end <= limit && ModifiedUtf8.isValid(buf, at + 2, end - at - 2) ? end : -1;
  }
}
