package io.rmigate.gateway.callback;

import io.rmigate.protocol.jrmp.GrowingReturn;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.message.ReturnHeader;
import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * The Return of the one Call of a SingleOpProtocol connection: such a connection ends with it, as
 * servers do it, and so tells its peer where that is (JRMP.md 4.5). Found by the grammar as far as
 * that goes: where it cannot tell, or after too many bytes, it is for the peer to end the
 * connection.
 *
 * <p>A Return without a value ends with its header, to which a value might follow; but JDKs write
 * both in one piece. Guarded by the stream's lock.
 */
final class SingleOpReturn {
  private static final int MAX_BYTES = 64 * 1024;

  private final IntPredicate mayKeep;
  private final GrowingReturn grammar = new GrowingReturn();
  private byte[] bytes = new byte[0];
  private int length;
  private boolean forgotten;

  /**
   * @param mayKeep takes the change of bytes kept; false when there is no room
   */
  SingleOpReturn(IntPredicate mayKeep) {
    this.mayKeep = mayKeep;
  }

  /** Whether the Return ends with these bytes of it. */
  boolean endsWith(byte[] more) {
    if (forgotten || length + more.length > MAX_BYTES || !mayKeep.test(more.length)) {
      forget();
      return false;
    }
    if (bytes.length < length + more.length) {
      bytes = Arrays.copyOf(bytes, Math.max(length + more.length, 2 * bytes.length));
    }
    System.arraycopy(more, 0, bytes, length, more.length);
    length += more.length;
    return grammar.end(bytes, length).equals(new MessageEnd.Complete(length))
        && !isHeaderOfAnException();
  }

  private boolean isHeaderOfAnException() {
    return ReturnHeader.decode(bytes, 0, length)
        .filter(header -> header.exceptional() && header.end() == length)
        .isPresent();
  }

  /** Drops the Return: the rest of it is of no interest, and its bytes are released. */
  void forget() {
    forgotten = true;
    boolean unused = mayKeep.test(-length);
    bytes = new byte[0];
    length = 0;
  }
}
