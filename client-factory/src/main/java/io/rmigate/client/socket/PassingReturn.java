package io.rmigate.client.socket;

import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.MessageGrammar;
import java.io.ByteArrayOutputStream;

/**
 * What is known of the end of one Return while it passes. Confined to one thread.
 *
 * <p>A Return without a result looks whole before its result comes; a long one, or one with an
 * unknown Externalizable, has no end that can be seen. Nothing depends on it but whether the client
 * may still be waiting when the server has gone.
 */
public final class PassingReturn {
  /** Most bytes of a Return that is inspected. */
  private static final int MOST_BYTES = 64 * 1024;

  /** Code, stream header, a block of fifteen bytes: a Return so far without a result. */
  private static final int HEADER_BYTES = 1 + 4 + 2 + 15;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(64);
  private boolean tooLong;
  private MessageEnd end;

  /** More of it passes. */
  public void add(byte[] piece, int count) {
    tooLong |= bytes.size() + count > MOST_BYTES;
    if (!tooLong) {
      bytes.write(piece, 0, count);
      byte[] all = bytes.toByteArray();
      end = MessageGrammar.endOfReply(all, 0, all.length);
    }
  }

  /** Whether it cannot be known if the client waits for more. */
  public boolean isUnknown() {
    return tooLong || end instanceof MessageEnd.Unparseable;
  }

  /** Whether the client need not wait for more. */
  public boolean mayBeOver() {
    return !tooLong && end instanceof MessageEnd.Complete;
  }

  /** Whether it is certain that nothing more comes. */
  public boolean isOver() {
    return mayBeOver() && bytes.size() > HEADER_BYTES;
  }
}
