package io.rmigate.client.socket;

import io.rmigate.client.mediator.Leases;
import io.rmigate.protocol.jrmp.UniqueIdentifier;
import io.rmigate.protocol.jrmp.message.LiveReference;
import io.rmigate.protocol.jrmp.message.LiveReferenceStream;
import io.rmigate.protocol.jrmp.message.ReturnHeader;
import java.util.Optional;

/**
 * The references in one Return, for the strict mode of leases: with the Return's UID, by which it
 * will be acknowledged. One use, confined to the thread that converses.
 */
final class ReturnedReferences {
  /**
   * What stands before the first object: message code, stream header, a block with type and UID.
   */
  private static final int HEADER_BYTES = 1 + 4 + 2 + 1 + 14;

  private final Leases leases;
  private final LiveReferenceStream references = new LiveReferenceStream(this::onReference);
  private final byte[] header = new byte[HEADER_BYTES];
  private int headerBytes;

  ReturnedReferences(Leases leases) {
    this.leases = leases;
  }

  /** More of the Return. */
  void onBytes(byte[] bytes, int offset, int length) {
    int missing = Math.min(length, HEADER_BYTES - headerBytes);
    System.arraycopy(bytes, offset, header, headerBytes, missing);
    headerBytes += missing;
    references.onBytes(bytes, offset, length);
  }

  private void onReference(LiveReference reference) {
    Optional<ReturnHeader> known = ReturnHeader.decode(header, 0, headerBytes);
    known.ifPresent(
        of -> leases.onReturned(UniqueIdentifier.decode(of.acknowledge(), 0), reference));
  }
}
