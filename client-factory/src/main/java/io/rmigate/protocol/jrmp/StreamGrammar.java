package io.rmigate.protocol.jrmp;

import static io.rmigate.protocol.jrmp.StreamTokens.STREAM_HEADER;
import static io.rmigate.protocol.jrmp.StreamTokens.STREAM_HEADER_BYTES;

import io.rmigate.protocol.jrmp.MessageEnd.Malformed;
import io.rmigate.protocol.jrmp.MessageEnd.Truncated;
import java.util.Objects;

/**
 * Finds the ends of bare serialization streams, header included, such as {@code MarshalledObject}s
 * keep in their bytes. One after the other, in the same memory: a message may have many that are
 * shorter than what one takes. Confined to one thread.
 */
public final class StreamGrammar {
  /** Null before the first stream. */
  private StreamParser parser;

  /**
   * Finds the end of the stream that begins at {@code off}.
   *
   * @param observer is told what stands in it; null for none
   */
  public MessageEnd end(byte[] buf, int off, int len, StreamObserver observer) {
    Objects.checkFromIndexSize(off, len, buf.length);
    if (len < STREAM_HEADER_BYTES) {
      return Truncated.INSTANCE;
    }
    int header = BigEndian.int32(buf, off);
    if (header != STREAM_HEADER) {
      return new Malformed(
          "expected the stream header AC ED 00 05, got 0x" + Integer.toHexString(header), off);
    }
    if (parser == null) {
      parser = StreamParser.reusable(MessageGrammar.FREE_IN_NESTED);
    }
    return parser.parse(buf, off + STREAM_HEADER_BYTES, off + len, observer);
  }
}
