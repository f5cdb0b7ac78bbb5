package io.rmigate.protocol.jrmp;

import static io.rmigate.protocol.jrmp.StreamTokens.STREAM_HEADER;
import static io.rmigate.protocol.jrmp.StreamTokens.STREAM_HEADER_BYTES;
import static io.rmigate.protocol.jrmp.StreamTokens.TC_BLOCKDATA;
import static io.rmigate.protocol.jrmp.StreamTokens.TC_BLOCKDATALONG;
import static io.rmigate.protocol.jrmp.StreamTokens.TC_RESET;

import io.rmigate.protocol.jrmp.MessageEnd.Complete;
import io.rmigate.protocol.jrmp.MessageEnd.Malformed;
import io.rmigate.protocol.jrmp.MessageEnd.Truncated;
import java.util.Objects;

/**
 * Finds the end of one JRMP message. JRMP gives its messages no length, and a server executes all
 * Calls that arrive, so a mediator that judges the first Call of what a client declared to be one
 * message must know that there is no second one behind it.
 *
 * <p><b>Where a Call ends.</b> A Call is a serialization stream, and neither says how many
 * arguments follow: only the server's method does. The grammar therefore takes everything that
 * could still belong to the stream: contents (objects, blocks) up to a byte that opens none, or up
 * to the end of the range. Contents open with a type code, {@code 70} to {@code 7E}; messages open
 * with {@code 50} to {@code 54}. The two sets are disjoint, so a second message is never taken for
 * an argument. The caller refuses a request whose end is not the end of its range.
 *
 * <p><b>A server that expects fewer arguments</b> stops at the beginning of a content and takes the
 * next byte for a message code. It finds a type code there, which is none, and closes the
 * connection.
 *
 * <p><b>What this does not prove.</b> A server may also stop in the <em>middle</em> of a content:
 * an argument it refuses makes it answer with an exception and go on reading messages right there,
 * and of a block of primitives it leaves what its method does not ask for. Bytes of the sender's
 * choice follow then. They can only become a Call if they spell one, so a mediator that keeps
 * connections to a server open after a failed call also asks {@link #spellsAnotherCall}.
 *
 * <p><b>Where a Return ends.</b> Its reader takes what its method returns and keeps the connection:
 * of a longer block it leaves the rest, and would read that as the answer to its next Call. A
 * Return's primitives are therefore one block, no longer than the longest result. What follows the
 * result of an object does no harm: it is no answer to the Ping that comes before the next Call.
 *
 * <p><b>A DgcAck has no answer</b>, so that the JDK may send the next message right behind it,
 * without reading in between. What a client wrote before it read can be DgcAcks and then one other
 * request; a caller takes them off one by one.
 *
 * <p>The parser loads no classes, allocates in proportion to what it has really read, takes time
 * linear in the length of the range and never throws for any input. Limits below end in {@link
 * MessageEnd.Unparseable}. Stateless; any thread.
 */
public final class MessageGrammar {
  /**
   * Frames of the parser's stack, unless the observer says fewer; an object in a field of an object
   * takes one to four.
   */
  static final int MAX_FRAMES = 400_000;

  /** Handles of one stream, or of what of it is not forgotten: at most four bytes for each. */
  static final int MAX_HANDLES = 1 << 22;

  /** Class descriptors of one stream. */
  static final int MAX_CLASS_DESCRIPTORS = 1 << 12;

  /** Class descriptors that a message may have at any length. */
  static final int FREE_CLASS_DESCRIPTORS = 64;

  /** Free class descriptors of each stream within a stream: there may be many streams. */
  static final int FREE_IN_NESTED = 4;

  /**
   * The bytes that a message needs for each further class descriptor: that of a class has 16, a
   * name, and the data that it is for.
   */
  private static final int CLASS_DESCRIPTOR_BYTES = 32;

  /** Interfaces of a proxy class; the Java virtual machine knows no class with more. */
  static final int MAX_PROXY_INTERFACES = 0xFFFF;

  /** The header, and a long or a double. */
  private static final int MAX_RETURN_BLOCK_BYTES = Jrmp.RETURN_HEADER_BYTES + Long.BYTES;

  /** Position of the first block: behind the message code and the stream header. */
  private static final int BLOCK_AT = 1 + STREAM_HEADER_BYTES;

  /**
   * Finds the end of the request (Call, Ping or DgcAck) that begins at {@code off}.
   *
   * @return the end as an index into {@code buf}, or why there is none
   */
  public static MessageEnd endOfRequest(byte[] buf, int off, int len) {
    return endOfRequest(buf, off, len, null);
  }

  /**
   * As {@link #endOfRequest(byte[], int, int)}, telling what stands in a Call's stream.
   *
   * @param observer is told of the Call's header block first; null for none
   */
  public static MessageEnd endOfRequest(byte[] buf, int off, int len, StreamObserver observer) {
    return endOfRequest(buf, off, len, observer, null);
  }

  /**
   * The end of a request, with a parser for the contents of a Call.
   *
   * @param kept is begun anew for the contents of a Call; null for one of its own
   */
  static MessageEnd endOfRequest(
      byte[] buf, int off, int len, StreamObserver observer, StreamParser kept) {
    Objects.checkFromIndexSize(off, len, buf.length);
    if (len == 0) {
      return Truncated.INSTANCE;
    }
    return switch (buf[off]) {
      case Jrmp.CALL -> endOfMessage(buf, off, len, Jrmp.CALL_HEADER_BYTES, observer, kept);
      case Jrmp.PING -> new Complete(off + 1);
      case Jrmp.DGC_ACK ->
          len <= Jrmp.UID_BYTES ? Truncated.INSTANCE : new Complete(off + 1 + Jrmp.UID_BYTES);
      default -> unexpected("Call 0x50, Ping 0x52 or DgcAck 0x54", buf[off], off);
    };
  }

  /**
   * Finds the end of the reply (Return or PingAck) that begins at {@code off}. A Return holds one
   * result at most, but whether one is still to come only the method tells: at the end of the range
   * a Return without a result is {@link Complete} too.
   */
  public static MessageEnd endOfReply(byte[] buf, int off, int len) {
    return endOfReply(buf, off, len, null);
  }

  /**
   * As {@link #endOfReply(byte[], int, int)}, telling what stands in a Return's stream.
   *
   * @param observer is told of the Return's header block first; null for none
   */
  public static MessageEnd endOfReply(byte[] buf, int off, int len, StreamObserver observer) {
    Objects.checkFromIndexSize(off, len, buf.length);
    if (len == 0) {
      return Truncated.INSTANCE;
    }
    return switch (buf[off]) {
      case Jrmp.RETURN -> endOfMessage(buf, off, len, Jrmp.RETURN_HEADER_BYTES, observer, null);
      case Jrmp.PING_ACK -> new Complete(off + 1);
      default -> unexpected("Return 0x51 or PingAck 0x53", buf[off], off);
    };
  }

  /**
   * Finds the end of a bare serialization stream, header included, such as a {@code
   * MarshalledObject} keeps in its bytes.
   *
   * @param observer is told what stands in it; null for none
   */
  public static MessageEnd endOfStream(byte[] buf, int off, int len, StreamObserver observer) {
    return new StreamGrammar().end(buf, off, len, observer);
  }

  /**
   * Whether a Call's opening, {@code 50 AC ED 00 05}, stands anywhere in the range behind its first
   * byte. Without it no server can take any part of the range for another Call, wherever it stops
   * reading. An honest request that holds it (a recording of RMI traffic in a byte array, or one in
   * a million million bytes by chance) goes where nothing is read behind it: SingleOpProtocol.
   */
  public static boolean spellsAnotherCall(byte[] buf, int off, int len) {
    Objects.checkFromIndexSize(off, len, buf.length);
    int last = off + len - BLOCK_AT;
    for (int i = off + 1; i <= last; i++) {
      if (buf[i] == Jrmp.CALL && BigEndian.int32(buf, i + 1) == STREAM_HEADER) {
        return true;
      }
    }
    return false;
  }

  /**
   * How many class descriptors may begin behind {@code bytes} bytes. Each becomes an object several
   * times as long as the shortest descriptors, which no JDK writes: with names, fields and objects
   * honest ones are longer on average than what is asked for here.
   */
  static long mostClassDescriptors(int free, long bytes) {
    return free + bytes / CLASS_DESCRIPTOR_BYTES;
  }

  private static MessageEnd endOfMessage(
      byte[] buf, int off, int len, int least, StreamObserver observer, StreamParser kept) {
    int limit = off + len;
    MessageEnd header = endOfHeader(buf, off, len, least, observer);
    if (!(header instanceof Complete block)
        || block.end() == limit
        || !StreamTokens.isTypeCode(buf[block.end()])) {
      return header;
    }
    if (holdsMorePrimitives(buf, off, block.end())) {
      return unexpected("an object, or the end", buf[block.end()], block.end());
    }
    return kept == null
        ? StreamParser.parseOnce(buf, block.end(), limit, observer)
        : kept.parse(buf, block.end(), limit, observer);
  }

  /**
   * Whether a Return's header block, which ends there, is not all of its primitives: a reader of
   * primitives goes on to the next block, over a reset too, and no further in that than it needs.
   */
  static boolean holdsMorePrimitives(byte[] buf, int message, int end) {
    int next = buf[end];
    return buf[message] == Jrmp.RETURN
        && (next == TC_BLOCKDATA || next == TC_BLOCKDATALONG || next == TC_RESET);
  }

  /**
   * The end of the first content of a stream, which must be a block of {@code least} bytes or more.
   */
  public static MessageEnd endOfHeader(
      byte[] buf, int off, int len, int least, StreamObserver observer) {
    int limit = off + len;
    for (int i = 0; i < Math.min(STREAM_HEADER_BYTES, len - 1); i++) {
      if (buf[off + 1 + i] != (byte) (STREAM_HEADER >>> (24 - 8 * i))) {
        return unexpected("the stream header AC ED 00 05", buf[off + 1 + i], off + 1 + i);
      }
    }
    if (len <= BLOCK_AT) {
      return Truncated.INSTANCE;
    }
    int block = off + BLOCK_AT;
    boolean small = buf[block] == TC_BLOCKDATA;
    if (!small && buf[block] != TC_BLOCKDATALONG) {
      return unexpected("a block with the header", buf[block], block);
    }
    int tagBytes = small ? 2 : 5;
    if (limit - block < tagBytes) {
      return Truncated.INSTANCE;
    }
    int length = small ? buf[block + 1] & 0xFF : BigEndian.int32(buf, block + 1);
    if (length < least) {
      return new Malformed(
          "expected a block of " + least + " bytes or more, got 0x" + Integer.toHexString(length),
          block);
    }
    if (buf[off] == Jrmp.RETURN && length > MAX_RETURN_BLOCK_BYTES) {
      return new Malformed(
          "expected a block of " + MAX_RETURN_BLOCK_BYTES + " bytes at most, got " + length, block);
    }
    int data = block + tagBytes;
    if (limit - data < length) {
      return Truncated.INSTANCE;
    }
    if (observer != null) {
      observer.onBlockData(data, length);
    }
    return new Complete(data + length);
  }

  static MessageEnd unexpected(String expected, byte got, int at) {
    return new Malformed("expected " + expected + ", got 0x" + Integer.toHexString(got & 0xFF), at);
  }

  private MessageGrammar() {}
}
