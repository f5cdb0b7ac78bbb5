package io.rmigate.protocol.jrmp;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Looks for live references by their pattern, whatever stands around them: also in what the grammar
 * cannot parse (Externalizables, whose nested stubs still open blocks of their own) and in the
 * bytes of a {@code MarshalledObject}. n is the length of the host.
 *
 * <pre>
 *  77 41+n  UTF "UnicastRef"      UTF host  port  ObjID  bool  78
 *  77 43+n  UTF "UnicastRef2" 00  UTF host  port  ObjID  bool  78
 *  77 20+n  UTF "UnicastRef2" 01  UTF host  port  <i>factory object</i>  77 17 ObjID  bool  78
 * </pre>
 *
 * A block of more than 255 bytes opens with {@code 7A} and four bytes of length.
 *
 * <p>What is found is a hint and nothing more: compressed or encoded references are missed, and
 * bytes that look like a reference need not be one. Never to be used to find the end of anything.
 * Allocates nothing while nothing is found. Stateless; any thread.
 */
public final class LiveReferenceScan {
  /** "UnicastR", the first eight bytes of both names. */
  private static final long NAME = 0x556E696361737452L;

  private static final int NAME_BYTES = 10; // "UnicastRef"

  /**
   * How far behind the endpoint the ObjID is looked for when a factory object stands in between,
   * which may refer to handles from before and so cannot be parsed alone.
   */
  private static final int MAX_FACTORY_BYTES = 1024;

  /** The references in a range, in their order. */
  public static List<LiveReference> scan(byte[] buf, int off, int len) {
    List<LiveReference> found = null;
    int limit = off + len;
    for (int i = nextName(buf, off, limit); i >= 0; i = nextName(buf, i + 1, limit)) {
      LiveReference reference = at(buf, off, i, limit);
      if (reference != null) {
        if (found == null) {
          found = new ArrayList<>();
        }
        found.add(reference);
      }
    }
    return found == null ? List.of() : List.copyOf(found);
  }

  /** Passes each reference in a range to {@code sink}, in their order. */
  public static void scan(byte[] buf, int off, int len, Consumer<LiveReference> sink) {
    int limit = off + len;
    for (int i = nextName(buf, off, limit); i >= 0; i = nextName(buf, i + 1, limit)) {
      LiveReference reference = at(buf, off, i, limit);
      if (reference != null) {
        sink.accept(reference);
      }
    }
  }

  private static int nextName(byte[] buf, int from, int limit) {
    for (int i = from; i <= limit - NAME_BYTES; i++) {
      if (buf[i] == 'U'
          && BigEndian.int64(buf, i) == NAME
          && buf[i + 8] == 'e'
          && buf[i + 9] == 'f') {
        return i;
      }
    }
    return -1;
  }

  /** The reference whose type name stands at {@code name}; null when there is none. */
  private static LiveReference at(byte[] buf, int off, int name, int limit) {
    int blockLength = blockLength(buf, off, name);
    int nameLength = name - off < 2 ? 0 : BigEndian.unsignedShort(buf, name - 2);
    boolean newFormat = nameLength == NAME_BYTES + 1;
    if (blockLength < 0 || (!newFormat && nameLength != NAME_BYTES)) {
      return null;
    }
    int at = name + NAME_BYTES;
    boolean factory = false;
    if (newFormat) {
      if (limit - at < 2 || buf[at] != '2' || (buf[at + 1] & 0xFE) != 0) {
        return null;
      }
      factory = buf[at + 1] == 1;
      at += 2;
    }
    if (limit - at < 2) {
      return null;
    }
    int hostLength = BigEndian.unsignedShort(buf, at);
    int host = at + 2;
    int afterPort = host + hostLength + 4;
    int tail = Jrmp.OBJ_ID_BYTES + 1;
    if (limit - afterPort < tail + 1
        || afterPort - (name - 2) + (factory ? 0 : tail) != blockLength) {
      return null;
    }
    int port = BigEndian.int32(buf, afterPort - 4);
    int id = factory ? idBehindFactory(buf, afterPort, limit) : afterPort;
    if (port <= 0 || port > 0xFFFF || id < 0 || !endsReference(buf, id)) {
      return null;
    }
    return new LiveReference(
        ModifiedUtf8.decode(buf, host, hostLength),
        port,
        ObjIdentifier.decode(buf, id),
        newFormat ? LiveReference.UNICAST_REF2 : LiveReference.UNICAST_REF,
        factory);
  }

  /** The length of the block whose data begin with the UTF at {@code name}; −1 without one. */
  private static int blockLength(byte[] buf, int off, int name) {
    int data = name - 2;
    if (data - off >= 2 && buf[data - 2] == StreamTokens.TC_BLOCKDATA) {
      return buf[data - 1] & 0xFF;
    }
    if (data - off >= 5 && buf[data - 5] == StreamTokens.TC_BLOCKDATALONG) {
      return BigEndian.int32(buf, data - 4);
    }
    return -1;
  }

  private static int idBehindFactory(byte[] buf, int from, int limit) {
    int tail = Jrmp.OBJ_ID_BYTES + 1;
    int last = Math.min(limit - tail - 3, from + MAX_FACTORY_BYTES);
    for (int i = from; i <= last; i++) {
      if (buf[i] == StreamTokens.TC_BLOCKDATA && buf[i + 1] == tail && endsReference(buf, i + 2)) {
        return i + 2;
      }
    }
    return -1;
  }

  /** Whether a boolean and TC_ENDBLOCKDATA stand behind the ObjID. */
  private static boolean endsReference(byte[] buf, int id) {
    int end = id + Jrmp.OBJ_ID_BYTES;
    return (buf[end] & 0xFE) == 0 && buf[end + 1] == StreamTokens.TC_ENDBLOCKDATA;
  }

  private LiveReferenceScan() {}
}
