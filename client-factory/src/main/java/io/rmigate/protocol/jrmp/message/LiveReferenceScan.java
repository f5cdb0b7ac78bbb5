package io.rmigate.protocol.jrmp.message;

import io.rmigate.protocol.jrmp.BigEndian;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ModifiedUtf8;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.StreamTokens;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Looks for live references by their pattern, in any surroundings: also in what the grammar cannot
 * parse (Externalizables, whose nested stubs still open blocks of their own) and in the bytes of a
 * {@code MarshalledObject}. n is the length of the host, at most 255.
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
 * Allocates nothing while nothing is found, and else in proportion to the range. Stateless; any
 * thread.
 */
public final class LiveReferenceScan {
  /** "UnicastR", the first eight bytes of both names. */
  private static final long NAME = 0x556E696361737452L;

  private static final int NAME_BYTES = 10; // "UnicastRef"

  /** A longer host is none: no name in the DNS is longer. */
  static final int MAX_HOST_BYTES = 255;

  /**
   * How far behind the endpoint the ObjID is looked for when a factory object stands in between,
   * which may refer to handles from before and so cannot be parsed alone.
   */
  private static final int MAX_FACTORY_BYTES = 1024;

  /** The references in a range, in their order. */
  public static List<LiveReference> scan(byte[] buf, int off, int len) {
    List<LiveReference> found = new ArrayList<>(0);
    scan(
        buf,
        off,
        len,
        new Consumer<>() {
          @Override
          public void accept(LiveReference reference) {
            found.add(reference);
          }
        });
    return found.isEmpty() ? List.of() : List.copyOf(found);
  }

  /** Passes each reference in a range to {@code sink}, in their order. */
  public static void scan(byte[] buf, int off, int len, Consumer<LiveReference> sink) {
    scan(buf, off, len, off, sink);
  }

  /**
   * Passes those references to {@code sink} whose last byte stands at index {@code from} or behind.
   */
  static void scan(byte[] buf, int off, int len, int from, Consumer<LiveReference> sink) {
    int limit = off + len;
    for (int i = nextName(buf, off, limit); i >= 0; i = nextName(buf, i, limit)) {
      int end = endpointEnd(buf, off, i, limit);
      int id = end < 0 ? -1 : objectId(buf, i, end, limit);
      if (id < 0) {
        i++;
        continue;
      }
      if (id + Jrmp.OBJ_ID_BYTES + 2 > from) {
        sink.accept(reference(buf, i, end, id));
      }
      // Names inside of a host are none: as many hosts as names would be found in a few bytes.
      i = end;
    }
  }

  /** Whether a reference begins in a range, however long a factory in it may be. */
  public static boolean findsAny(byte[] buf, int off, int len) {
    return nextBlock(buf, off, off, off + len) >= 0;
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

  /** A block with an endpoint and nothing else has this number of bytes, without its host. */
  static final int MIN_BLOCK_BYTES = Short.BYTES + NAME_BYTES + Short.BYTES + Integer.BYTES;

  /** Whether the data of a block at least {@link #MIN_BLOCK_BYTES} long begin like a reference. */
  static boolean isName(byte[] buf, int at) {
    return BigEndian.int64(buf, at + Short.BYTES) == NAME;
  }

  /**
   * Where the data of the next block stand that holds a reference, in a range that begins at {@code
   * off}.
   *
   * @param from where to begin; nothing before it is part of that block
   * @return −1 when there is none
   */
  static int nextBlock(byte[] buf, int off, int from, int limit) {
    for (int i = nextName(buf, from, limit); i >= 0; i = nextName(buf, i + 1, limit)) {
      int end = endpointEnd(buf, off, i, limit);
      if (end >= 0 && (hasFactory(buf, i) || objectId(buf, i, end, limit) >= 0)) {
        return i - Short.BYTES;
      }
    }
    return -1;
  }

  /** Where the port ends of the reference whose type name stands there; −1 without one. */
  private static int endpointEnd(byte[] buf, int off, int name, int limit) {
    int blockLength = blockLength(buf, off, name);
    int nameLength = name - off < 2 ? 0 : BigEndian.unsignedShort(buf, name - 2);
    boolean newFormat = nameLength == NAME_BYTES + 1;
    if (blockLength < 0 || (!newFormat && nameLength != NAME_BYTES)) {
      return -1;
    }
    int host = host(name, newFormat);
    if (limit < host || (newFormat && (buf[host - 4] != '2' || (buf[host - 3] & 0xFE) != 0))) {
      return -1;
    }
    int hostLength = BigEndian.unsignedShort(buf, host - 2);
    int end = host + hostLength + 4;
    int id = newFormat && buf[host - 3] == 1 ? 0 : Jrmp.OBJ_ID_BYTES + 1;
    if (hostLength > MAX_HOST_BYTES || limit < end || end - (name - 2) + id != blockLength) {
      return -1;
    }
    int port = BigEndian.int32(buf, end - 4);
    return port > 0 && port <= 0xFFFF ? end : -1;
  }

  /** Where the host stands, without its length. */
  private static int host(int name, boolean newFormat) {
    return name + NAME_BYTES + (newFormat ? 2 : 0) + 2;
  }

  /** Where the ObjID stands; −1 when it does not. */
  private static int objectId(byte[] buf, int name, int endpointEnd, int limit) {
    if (hasFactory(buf, name)) {
      return idBehindFactory(buf, endpointEnd, limit);
    }
    boolean whole = limit - endpointEnd >= Jrmp.OBJ_ID_BYTES + 2;
    return whole && endsReference(buf, endpointEnd) ? endpointEnd : -1;
  }

  private static boolean isNewFormat(byte[] buf, int name) {
    return buf[name - 1] == NAME_BYTES + 1;
  }

  private static boolean hasFactory(byte[] buf, int name) {
    return isNewFormat(buf, name) && buf[name + NAME_BYTES + 1] == 1;
  }

  private static LiveReference reference(byte[] buf, int name, int endpointEnd, int id) {
    boolean newFormat = isNewFormat(buf, name);
    int host = host(name, newFormat);
    int port = endpointEnd - 4;
    return new LiveReference(
        ModifiedUtf8.decode(buf, host, port - host),
        BigEndian.int32(buf, port),
        ObjIdentifier.decode(buf, id),
        newFormat ? LiveReference.UNICAST_REF2 : LiveReference.UNICAST_REF,
        hasFactory(buf, name),
        buf[id + Jrmp.OBJ_ID_BYTES] != 0);
  }

  /** The length of the block whose data begin with the UTF at {@code name}; −1 without one. */
  static int blockLength(byte[] buf, int off, int name) {
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
