package io.rmigate.client.callback;

import io.rmigate.protocol.jrmp.message.LiveReferenceScan;
import io.rmigate.protocol.jrmp.message.ReferenceRewriter;
import java.io.IOException;

/**
 * A Call or Return that leaves this JVM, in which references to its own objects are to name the
 * gateway. One that comes in one piece and has none, as most, is only searched for their pattern.
 * For one message; not thread-safe.
 */
public final class OutwardMessage {
  private final OwnReferences references;
  private final boolean call;

  /** Null while nothing of it has been rewritten. */
  private ReferenceRewriter rewriter;

  OutwardMessage(OwnReferences references, boolean call) {
    this.references = references;
    this.call = call;
  }

  /**
   * The next piece.
   *
   * @param count how much of the array counts
   * @param last whether nothing follows
   * @return what leaves in its place, to its end; the array itself if nothing has changed
   * @throws IOException the gateway does not listen for an object in it; nothing of this piece
   *     leaves
   */
  public byte[] more(byte[] bytes, int count, boolean last) throws IOException {
    if (rewriter == null && last && !LiveReferenceScan.findsAny(bytes, 0, count)) {
      return bytes;
    }
    if (rewriter == null) {
      rewriter =
          call
              ? ReferenceRewriter.ofCall(references::outward, true)
              : ReferenceRewriter.ofReturn(references::outward, true);
    }
    return rewriter.more(bytes, 0, count, last);
  }
}
