package io.rmigate.client.socket;

import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.message.ExceptionalReturn;
import io.rmigate.protocol.jrmp.message.ReturnHeader;
import java.io.ByteArrayOutputStream;

/**
 * Whether a connection can go on behind a Return, by the Return's beginning. A server that refuses
 * a Call before it has read all of it answers with an exception of RMI's own; what still comes of
 * the Call must not be taken for another message then. Nor does another one follow: clients do not
 * use a connection again on which they got a {@link java.rmi.RemoteException}.
 *
 * <p>An unchecked exception out of an argument's own {@code readObject} cannot be told from one of
 * the method, on which clients do use their connection again: what comes behind it is taken for
 * another message, as servers take it.
 *
 * <p>Confined to one thread.
 */
final class ReturnOutcome {
  /** The class of an exception stands within this number of bytes. */
  private static final int BEGINNING_BYTES = 512;

  private static final String EXCEPTIONS_OF_RMI = "java.rmi.";

  private final ByteArrayOutputStream beginning = new ByteArrayOutputStream(64);

  /** More of the Return has come. */
  void add(byte[] bytes, int count) {
    beginning.write(bytes, 0, Math.max(0, Math.min(count, BEGINNING_BYTES - beginning.size())));
  }

  /** Whether nothing has come yet. */
  boolean isEmpty() {
    return beginning.size() == 0;
  }

  /** Whether there has been enough to know. */
  boolean isKnown() {
    byte[] bytes = beginning.toByteArray();
    return bytes.length == BEGINNING_BYTES
        || (bytes.length > 0 && bytes[0] != Jrmp.RETURN)
        || ReturnHeader.decode(bytes, 0, bytes.length)
            .map(
                header ->
                    !header.exceptional()
                        || ExceptionalReturn.exceptionClass(bytes, 0, bytes.length).isPresent())
            .orElse(false);
  }

  /** Whether nothing follows; asked when it is known, or the Return is over. */
  boolean isLast() {
    byte[] bytes = beginning.toByteArray();
    return ExceptionalReturn.exceptionClass(bytes, 0, bytes.length)
        .map(name -> name.startsWith(EXCEPTIONS_OF_RMI))
        .orElse(false);
  }
}
