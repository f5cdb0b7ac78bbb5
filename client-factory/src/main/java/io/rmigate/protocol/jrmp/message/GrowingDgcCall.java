package io.rmigate.protocol.jrmp.message;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.MessageEnd.Complete;
import io.rmigate.protocol.jrmp.MessageEnd.Truncated;
import io.rmigate.protocol.jrmp.MessageGrammar;
import io.rmigate.protocol.jrmp.StreamParser;
import java.util.Optional;

/**
 * Finds the end of a Call of the distributed garbage collector that comes in pieces. What has come
 * before is not looked at again, so that a client which sends a long one byte by byte costs no more
 * than one that sends it whole. For one Call; not thread-safe.
 */
public final class GrowingDgcCall {
  /** Null until the header is whole. */
  private StreamParser contents;

  private int operation;

  /**
   * The Call, if it is whole.
   *
   * @param buf holds what it held before, and perhaps more; not necessarily the same array
   * @param length of what has come so far, which begins at index 0
   * @throws ProtocolViolationException it cannot become one with any further bytes, or is one and
   *     something follows
   */
  public Optional<DgcCall> whole(byte[] buf, int length) throws ProtocolViolationException {
    MessageEnd end = end(buf, length);
    if (end instanceof Truncated) {
      return Optional.empty();
    }
    if (!(end instanceof Complete complete) || complete.end() != length) {
      throw new ProtocolViolationException("expected a DGC call and nothing else, got " + end);
    }
    // Behind each of its parts it might end; only what it says tells whether it does.
    DgcArguments arguments = new DgcArguments(buf, DgcCall.MAX_OBJECTS);
    MessageGrammar.endOfRequest(buf, 0, length, arguments);
    if (arguments.lackOnly(operation)) {
      return Optional.empty();
    }
    return Optional.of(arguments.call(operation));
  }

  private MessageEnd end(byte[] buf, int length) throws ProtocolViolationException {
    if (contents == null) {
      MessageEnd header = MessageGrammar.endOfHeader(buf, 0, length, Jrmp.CALL_HEADER_BYTES, null);
      if (!(header instanceof Complete block)) {
        return header;
      }
      CallHeader call =
          CallHeader.decode(buf, 0, length)
              .orElseThrow(() -> new ProtocolViolationException("expected a DGC call, got none"));
      DgcCall.expectCollector(call);
      operation = call.operation();
      contents = StreamParser.at(block.end(), null);
    }
    return contents.parse(buf, length);
  }
}
