package io.rmigate.gateway.gate;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.message.ListReturn;
import io.rmigate.protocol.jrmp.message.ReturnHeader;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The Return of a registry's list on its way to a client that may not know all names: it is held
 * until it is whole, and goes on with the names that are left. Exceptions pass. Not thread-safe.
 */
public final class ListedNames {
  /** Most bytes of a Return that is held. */
  private static final int MAX_BYTES = 1 << 20;

  /** With the message's code, its stream's header and the mark of the block. */
  private static final int HEADER_BYTES = 1 + 4 + 2 + Jrmp.RETURN_HEADER_BYTES;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final Predicate<String> permitted;
  private byte[] held = {};

  /** Whether the list has been passed on: later bytes pass. */
  private boolean over;

  /** A reader of a list of which no bytes have come yet. */
  public ListedNames(Predicate<String> permitted) {
    this.permitted = permitted;
  }

  /**
   * More has come; {@code bytes} is used up.
   *
   * @return what may go on now
   * @throws ProtocolViolationException it is neither a list of names nor an exception, or longer
   *     than is held
   */
  public ByteBuffer more(ByteBuffer bytes) throws ProtocolViolationException {
    if (over) {
      return bytes;
    }
    int before = held.length;
    if (bytes.remaining() > MAX_BYTES - before) {
      throw new ProtocolViolationException(
          "expected a list of at most " + MAX_BYTES + " bytes, got more");
    }
    held = Arrays.copyOf(held, before + bytes.remaining());
    bytes.get(held, before, held.length - before);
    if (held.length < HEADER_BYTES) {
      return NOTHING;
    }
    Optional<ReturnHeader> header = ReturnHeader.decode(held, 0, held.length);
    if (header.filter(ReturnHeader::exceptional).isPresent()) {
      return goOn(held);
    }
    Optional<ListReturn> list = ListReturn.decode(held, held.length);
    return list.isPresent() ? goOn(list.get().only(permitted)) : NOTHING;
  }

  private ByteBuffer goOn(byte[] bytes) {
    over = true;
    held = new byte[0];
    return ByteBuffer.wrap(bytes);
  }
}
