package io.rmigate.protocol.jrmp;

import io.rmigate.protocol.jrmp.MessageEnd.Complete;

/**
 * Finds the end of a Return that comes in pieces: says of each beginning what {@link
 * MessageGrammar#endOfReply} says of it, but looks at what has come before no more, so that a
 * server which sends a long one byte by byte costs no more than one that sends it whole. For one
 * Return; not thread-safe.
 */
public final class GrowingReturn {
  /** Null until the header is whole. */
  private StreamParser contents;

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
          MessageGrammar.endOfHeader(buf, 0, length, Jrmp.RETURN_HEADER_BYTES, null);
      if (!(header instanceof Complete block)) {
        return header;
      }
      contents = StreamParser.at(block.end());
    }
    return contents.parse(buf, length);
  }
}
