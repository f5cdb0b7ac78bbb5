package io.rmigate.protocol.jrmp.message;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.MessageGrammar;
import io.rmigate.protocol.jrmp.VmIdentifier;
import java.util.Optional;

/**
 * The Return of a dirty: the {@link java.rmi.dgc.Lease} that was granted.
 *
 * @param client who holds the lease; empty when the server names no client
 * @param durationMillis from when the server got the dirty
 */
public record LeaseReturn(Optional<VmIdentifier> client, long durationMillis) {

  /**
   * Reads a whole normal Return.
   *
   * @throws ProtocolViolationException when it is none that carries a Lease and nothing else
   */
  public static LeaseReturn decode(byte[] b, int off, int len) throws ProtocolViolationException {
    DgcArguments contents = new DgcArguments(b, DgcCall.MAX_OBJECTS);
    MessageEnd end = MessageGrammar.endOfReply(b, off, len, contents);
    if (!end.isCompleteAt(off + len)
        || ReturnHeader.decode(b, off, len).map(ReturnHeader::exceptional).orElse(true)) {
      throw new ProtocolViolationException("expected the Return of a dirty, got " + end);
    }
    return contents.lease();
  }

  /**
   * Checks the Return of a clean.
   *
   * @throws ProtocolViolationException when it is not a normal Return of nothing
   */
  public static void expectNothing(byte[] b, int off, int len) throws ProtocolViolationException {
    ReturnHeader header = ReturnHeader.decode(b, off, len).orElse(null);
    if (header == null || header.exceptional() || header.end() != off + len) {
      throw new ProtocolViolationException("expected the Return of a clean, got " + header);
    }
  }

  /**
   * The whole message as the JDK's own server writes it, but with a UID of zeros, since no client
   * acknowledges it.
   */
  public static byte[] encode(VmIdentifier client, long durationMillis) {
    return header().lease(client, durationMillis).toByteArray();
  }

  /** The Return of a clean: nothing. */
  public static byte[] encodeNothing() {
    return header().toByteArray();
  }

  private static DgcStream header() {
    byte[] header = new byte[Jrmp.RETURN_HEADER_BYTES];
    header[0] = Jrmp.NORMAL_RETURN;
    return new DgcStream(Jrmp.RETURN).block(header);
  }
}
