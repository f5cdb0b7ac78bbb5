package io.rmigate.client.socket;

import io.rmigate.protocol.jrmp.message.ExceptionalReturn;
import java.rmi.NoSuchObjectException;
import java.util.Optional;

/**
 * The first bytes of a Return, in pieces of any length, as far as they tell whether the object that
 * was called exists. Confined to the thread that converses.
 */
final class ReturnBeginning {
  private static final String NO_SUCH_OBJECT = NoSuchObjectException.class.getName();

  /** The message code, the stream's header, a block of 15 bytes, a class descriptor's name. */
  private static final int BYTES = 1 + 4 + 2 + 15 + 4 + NO_SUCH_OBJECT.length();

  private final byte[] seen = new byte[BYTES];
  private int count;

  /** Another Return is expected. */
  void restart() {
    count = 0;
  }

  /** Whether nothing of it has come. */
  boolean isEmpty() {
    return count == 0;
  }

  /**
   * More of it has come.
   *
   * @return whether these bytes, with those before, say that there is no such object; true once
   */
  boolean saysNoSuchObject(byte[] bytes, int offset, int length) {
    int more = Math.min(length, BYTES - count);
    if (more == 0) {
      return false;
    }
    System.arraycopy(bytes, offset, seen, count, more);
    count += more;
    Optional<String> thrown = ExceptionalReturn.exceptionClass(seen, 0, count);
    return thrown.isPresent() && thrown.get().equals(NO_SUCH_OBJECT);
  }
}
