package io.rmigate.protocol.jrmp;

import io.rmigate.protocol.jrmp.MessageEnd.Complete;

/**
 * Finds the end of a Return that comes in pieces: says of each beginning what {@link
 * MessageGrammar#endOfReply} says of it, but looks at what has come before no more, so that a
 * server which sends a long one byte by byte costs no more than one that sends it whole. For one
 * Return; not thread-safe.
 */
public final class GrowingReturn {
  private final StreamObserver observer;

  /** Null until the header is whole. */
  private StreamParser contents;

  /** A Return of which only the end is asked. */
  public GrowingReturn() {
    this(null);
  }

  /**
   * A Return of which {@code observer} is told what stands in it, everything once and as soon as it
   * is there. Positions are indexes into the array that was passed last.
   */
  public GrowingReturn(StreamObserver observer) {
    this.observer = observer;
  }

  /**
   * What can be said of the Return so far.
   *
   * @param buf holds what it held before, and perhaps more; not necessarily the same array
   * @param length of what has come so far, which begins at index 0
   */
  public MessageEnd end(byte[] buf, int length) {
    if (contents == null) {
      if (length == 0 || buf[0] != Jrmp.RETURN) {
        return MessageGrammar.endOfReply(buf, 0, length);
      }
      MessageEnd header =
          MessageGrammar.endOfHeader(buf, 0, length, Jrmp.RETURN_HEADER_BYTES, observer);
      if (!(header instanceof Complete block)) {
        return header;
      }
      contents = StreamParser.at(block.end(), observer);
    }
    return contents.parse(buf, length);
  }

  /** What stands before this index has been understood; 0 until the header is. */
  public int understood() {
    return contents == null ? 0 : contents.position();
  }
}
