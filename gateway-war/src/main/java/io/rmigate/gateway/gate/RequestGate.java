package io.rmigate.gateway.gate;

import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.MessageGrammar;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.CallHeader;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Judges requests before their first byte goes to a server. The agent's word for where a request
 * ends counts for nothing: a request must be exactly one message by the grammar, or goes where a
 * second message is never executed. Stateless.
 */
public final class RequestGate {
  /** Message code, stream header, block header, ObjID, operation and hash. */
  private static final int MAX_HEADER_BYTES = 1 + 4 + 5 + Jrmp.CALL_HEADER_BYTES;

  private static final String SPELLS_ANOTHER = "its bytes spell another Call";

  /** How much of a Call must be there for {@link #judgeBeginning}. */
  public static final int BEGINNING_BYTES = MAX_HEADER_BYTES;

  /**
   * Judges a whole request.
   *
   * @param granted registry operations that the principal may use at this target
   */
  public static Verdict judge(byte[] request, Set<RegistryOperation> granted) {
    return judge(request, granted, () -> MessageGrammar.endOfRequest(request, 0, request.length));
  }

  /**
   * Judges a request whose end is found by another parser.
   *
   * @param endOf asked for everything but acknowledgements
   */
  public static Verdict judge(
      byte[] request, Set<RegistryOperation> granted, Supplier<MessageEnd> endOf) {
    if (request.length > 0 && request[0] == Jrmp.DGC_ACK) {
      return request.length == 1 + Jrmp.UID_BYTES
          ? new Verdict.Acknowledge()
          : new Verdict.Reject("expected a DgcAck of 15 bytes, got " + request.length);
    }
    MessageEnd end = endOf.get();
    if (end instanceof MessageEnd.Complete complete) {
      if (complete.end() != request.length) {
        return new Verdict.Reject(
            "expected one message, got "
                + (request.length - complete.end())
                + " bytes behind its end, the first 0x"
                + Integer.toHexString(request[complete.end()] & 0xFF));
      }
      // A server that refuses an argument half-way goes on reading inside the attacker's bytes:
      // a Call that spells another one goes where nothing behind the first failure is executed.
      return forCall(
          request,
          request.length,
          granted,
          MessageGrammar.spellsAnotherCall(request, 0, request.length)
              ? Optional.of(SPELLS_ANOTHER)
              : Optional.empty());
    }
    if (end instanceof MessageEnd.Unparseable unparseable) {
      return forCall(request, request.length, granted, Optional.of(unparseable.reason()));
    }
    if (end instanceof MessageEnd.Malformed malformed) {
      return new Verdict.Reject(malformed.reason() + " at byte " + malformed.at());
    }
    if (end instanceof MessageEnd.Truncated) {
      return new Verdict.Reject("expected a whole message, got only a beginning");
    }
    if (end instanceof MessageEnd.Aborted) {
      return new Verdict.Reject("expected a whole message, got one whose marshalling failed");
    }
    throw new AssertionError(end);
  }

  /**
   * The verdict about a Call of which something does not go on: what has moved together may spell
   * another one, as it did not when it came.
   *
   * @param goesOn all that does
   */
  public static Verdict ofShortened(Verdict verdict, byte[] goesOn) {
    return verdict instanceof Verdict.Forward forward
            && MessageGrammar.spellsAnotherCall(goesOn, 0, goesOn.length)
        ? new Verdict.Isolate(forward.header(), forward.registry(), SPELLS_ANOTHER)
        : verdict;
  }

  /** Judges a Call by its first {@code length} bytes; it is too long to be kept until its end. */
  public static Verdict judgeBeginning(
      byte[] beginning, int length, Set<RegistryOperation> granted) {
    return forCall(beginning, length, granted, Optional.of("longer than what is held back"));
  }

  private static Verdict forCall(
      byte[] request, int length, Set<RegistryOperation> granted, Optional<String> endUnknown) {
    Optional<CallHeader> decoded =
        request[0] == Jrmp.CALL ? CallHeader.decode(request, 0, length) : Optional.empty();
    if (decoded.isEmpty()) {
      return new Verdict.Reject(
          "expected a Call, got a message 0x" + Integer.toHexString(request[0] & 0xFF));
    }
    CallHeader header = decoded.get();
    Optional<RegistryOperation> operation =
        header.object().equals(ObjIdentifier.REGISTRY)
            ? RegistryOperation.of(header.operation(), header.hash())
            : Optional.empty();
    if (operation.isPresent() && !granted.contains(operation.get())) {
      return new Verdict.Deny(operation.get());
    }
    return endUnknown.isPresent()
        ? new Verdict.Isolate(header, operation, endUnknown.get())
        : new Verdict.Forward(header, operation);
  }

  private RequestGate() {}
}
