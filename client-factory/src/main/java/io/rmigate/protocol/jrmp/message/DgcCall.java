package io.rmigate.protocol.jrmp.message;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.BigEndian;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.MessageGrammar;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.StreamTokens;
import io.rmigate.protocol.jrmp.VmIdentifier;
import java.util.List;
import java.util.Optional;

/**
 * A Call of the distributed garbage collector ({@link java.rmi.dgc.DGC}), ObjID 2. Only operation
 * numbers with the interface hash are known to its skeleton.
 *
 * <pre>
 *  0 clean   ObjID[]  block: sequence:8  VMID             block: strong:1    → nothing
 *  1 dirty   ObjID[]  block: sequence:8  Lease(VMID, ms)                     → Lease(VMID, ms)
 * </pre>
 */
public sealed interface DgcCall {
  /** Accompanies the operation numbers. */
  long INTERFACE_HASH = -669196253586618813L;

  /** Number in the collector's ObjID. */
  long DGC_NUMBER = 2;

  /**
   * The number of references that servers take in one call: the JDK's filter lets no longer array
   * through, and references to one ObjID cost 5 bytes. Its client knows no such bound.
   */
  int MAX_OBJECTS = 10_000;

  /** The objects named; may be empty. */
  List<ObjIdentifier> objects();

  /** Orders the calls of one client; a late one is ignored by the server. */
  long sequence();

  /** The whole Call, from its {@code 50}, as the JDK's own stub writes it. */
  byte[] encode();

  /**
   * Takes or renews a lease.
   *
   * @param client empty when the client asks the server to make up an identity for it
   * @param durationMillis what the client asks for; servers grant their own
   */
  record Dirty(
      List<ObjIdentifier> objects,
      long sequence,
      Optional<VmIdentifier> client,
      long durationMillis)
      implements DgcCall {
    /** Copies the list. */
    public Dirty {
      objects = List.copyOf(objects);
    }

    /**
     * @throws IllegalStateException without a client: we never ask for an identity
     */
    @Override
    public byte[] encode() {
      VmIdentifier vm = client.orElseThrow(() -> new IllegalStateException("no client"));
      return header(1).ids(objects).longBlock(sequence).lease(vm, durationMillis).toByteArray();
    }
  }

  /**
   * Releases objects.
   *
   * @param strong after a dirty of unknown outcome: the server keeps the sequence number
   */
  record Clean(List<ObjIdentifier> objects, long sequence, VmIdentifier client, boolean strong)
      implements DgcCall {
    /** Copies the list. */
    public Clean {
      objects = List.copyOf(objects);
    }

    @Override
    public byte[] encode() {
      return header(0)
          .ids(objects)
          .longBlock(sequence)
          .vmId(client)
          .block(new byte[] {(byte) (strong ? 1 : 0)})
          .toByteArray();
    }
  }

  /**
   * Reads the Call that fills the range from its first byte to its last, honouring class
   * annotations and back-references.
   *
   * @return empty when this is no Call of ObjID 2
   * @throws ProtocolViolationException when it is one, but the range is not exactly a clean or
   *     dirty as the JDK's stub writes them
   */
  static Optional<DgcCall> decode(byte[] b, int off, int len) throws ProtocolViolationException {
    return decode(b, off, len, MAX_OBJECTS);
  }

  /** Decodes as {@link #decode(byte[], int, int)}, for a client that may name more objects. */
  static Optional<DgcCall> decode(byte[] b, int off, int len, int maxObjects)
      throws ProtocolViolationException {
    CallHeader header = CallHeader.decode(b, off, len).orElse(null);
    if (header == null || !header.object().equals(ObjIdentifier.DGC)) {
      return Optional.empty();
    }
    expectCollector(header);
    DgcArguments arguments = new DgcArguments(b, maxObjects);
    MessageEnd end = MessageGrammar.endOfRequest(b, off, len, arguments);
    if (!end.isCompleteAt(off + len)) {
      throw new ProtocolViolationException(
          "expected one DGC call of " + len + " bytes, got " + end);
    }
    return Optional.of(arguments.call(header.operation()));
  }

  /**
   * Checks what a Call to the collector asks.
   *
   * @throws ProtocolViolationException it knows no such operation
   */
  static void expectCollector(CallHeader header) throws ProtocolViolationException {
    if (header.hash() != INTERFACE_HASH || header.operation() < 0 || header.operation() > 1) {
      throw new ProtocolViolationException("expected DGC clean (0) or dirty (1), got " + header);
    }
  }

  /**
   * Whether the Call at the beginning of the range is for the collector; cheap, for every Call.
   *
   * @return false also when the range ends before the ObjID does
   */
  static boolean isForCollector(byte[] b, int off, int len) {
    int block = off + 1 + StreamTokens.STREAM_HEADER_BYTES;
    int id = len > block - off && b[block] == StreamTokens.TC_BLOCKDATA ? block + 2 : block + 5;
    return off + len - id >= Jrmp.OBJ_ID_BYTES
        && b[off] == Jrmp.CALL
        && BigEndian.int64(b, id) == DGC_NUMBER
        && ObjIdentifier.decode(b, id).equals(ObjIdentifier.DGC);
  }

  private static DgcStream header(int operation) {
    byte[] block = new byte[Jrmp.CALL_HEADER_BYTES];
    System.arraycopy(ObjIdentifier.DGC.encode(), 0, block, 0, Jrmp.OBJ_ID_BYTES);
    BigEndian.putInt32(block, Jrmp.OBJ_ID_BYTES, operation);
    BigEndian.putInt64(block, Jrmp.OBJ_ID_BYTES + Integer.BYTES, INTERFACE_HASH);
    return new DgcStream(Jrmp.CALL).block(block);
  }
}
