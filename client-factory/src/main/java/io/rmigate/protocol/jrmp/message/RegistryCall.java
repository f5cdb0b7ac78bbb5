package io.rmigate.protocol.jrmp.message;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.BigEndian;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.MessageGrammar;
import io.rmigate.protocol.jrmp.ModifiedUtf8;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.StreamObserver;
import io.rmigate.protocol.jrmp.StreamTokens;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Optional;

/**
 * A Call of the registry, as far as a filter must know it.
 *
 * @param operation what is asked
 * @param name the name to look up, bind or unbind; empty for {@link RegistryOperation#LIST}, and
 *     for a null, which every registry answers with an exception
 */
public record RegistryCall(RegistryOperation operation, Optional<String> name) {
  /** With a name of 65535 bytes: code, stream header, block and header of the Call, string. */
  private static final int LONGEST_QUESTION =
      1 + StreamTokens.STREAM_HEADER_BYTES + 5 + Jrmp.CALL_HEADER_BYTES + 3 + 0xFFFF;

  /**
   * A whole lookup, as the JDK's stub writes it.
   *
   * @param name of at most 65535 bytes in modified UTF-8
   */
  public static byte[] lookup(String name) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(64 + name.length());
    bytes.writeBytes(withoutArguments(RegistryOperation.LOOKUP));
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(StreamTokens.TC_STRING);
      out.writeUTF(name);
    } catch (IOException tooLong) {
      throw new IllegalArgumentException("a name of " + name.length() + " characters", tooLong);
    }
    return bytes.toByteArray();
  }

  /** A whole list, as the JDK's stub writes it. */
  public static byte[] list() {
    return withoutArguments(RegistryOperation.LIST);
  }

  private static byte[] withoutArguments(RegistryOperation operation) {
    return new CallHeader(
            ObjIdentifier.REGISTRY, operation.number(), RegistryOperation.INTERFACE_HASH)
        .encodeCall();
  }

  /**
   * Whether the Call at the beginning of the range is for a registry; cheap, for every Call.
   *
   * @return false also when the range ends before the ObjID does
   */
  public static boolean isForRegistry(byte[] b, int off, int len) {
    int block = off + 1 + StreamTokens.STREAM_HEADER_BYTES;
    int id = len > block - off && b[block] == StreamTokens.TC_BLOCKDATA ? block + 2 : block + 5;
    return off + len - id >= Jrmp.OBJ_ID_BYTES
        && b[off] == Jrmp.CALL
        && BigEndian.int64(b, id) == 0
        && ObjIdentifier.decode(b, id).equals(ObjIdentifier.REGISTRY);
  }

  /**
   * Reads the Call that fills the range from its first byte to its last.
   *
   * @return empty when this is no Call of the registry, or of an operation it does not have
   * @throws ProtocolViolationException when it is one, but the range is not exactly that Call with
   *     exactly the arguments of the operation, the name being one string token
   */
  public static Optional<RegistryCall> decode(byte[] b, int off, int len)
      throws ProtocolViolationException {
    CallHeader header = CallHeader.decode(b, off, len).orElse(null);
    if (header == null || !header.object().equals(ObjIdentifier.REGISTRY)) {
      return Optional.empty();
    }
    RegistryOperation operation =
        RegistryOperation.of(header.operation(), header.hash()).orElse(null);
    if (operation == null) {
      return Optional.empty();
    }
    boolean bringsAnObject =
        operation == RegistryOperation.BIND || operation == RegistryOperation.REBIND;
    if (!bringsAnObject && len > LONGEST_QUESTION) { // not worth being read once more
      throw new ProtocolViolationException(
          "expected registry call "
              + operation
              + " of "
              + LONGEST_QUESTION
              + " bytes at most, got "
              + len);
    }
    if (!bringsAnObject && !isBrief(operation, b, off, len)) {
      throw new ProtocolViolationException(
          "expected registry call %s with %s, got something else"
              .formatted(operation, operation == RegistryOperation.LIST ? "nothing" : "a name"));
    }
    Arguments arguments = new Arguments(b);
    MessageEnd end = MessageGrammar.endOfRequest(b, off, len, arguments);
    if (!end.isCompleteAt(off + len)) {
      throw new ProtocolViolationException(
          "expected one registry call " + operation + " of " + len + " bytes, got " + end);
    }
    int expected =
        switch (operation) {
          case LIST -> 0;
          case LOOKUP, UNBIND -> 1;
          case BIND, REBIND -> 2;
        };
    if (arguments.odd || arguments.count != expected) {
      throw new ProtocolViolationException(
          "expected "
              + expected
              + " arguments of registry call "
              + operation
              + ", the first a string, got "
              + arguments.count
              + (arguments.odd ? " or others" : ""));
    }
    return Optional.of(new RegistryCall(operation, Optional.ofNullable(arguments.name)));
  }

  /** Whether there is nothing behind the header, or one text, as the operation has it. */
  private static boolean isBrief(RegistryOperation operation, byte[] b, int off, int len) {
    int block = off + 1 + StreamTokens.STREAM_HEADER_BYTES;
    int at = block + (b[block] == StreamTokens.TC_BLOCKDATA ? 2 : 5) + Jrmp.CALL_HEADER_BYTES;
    int rest = off + len - at;
    if (operation == RegistryOperation.LIST || rest == 0) {
      return rest == 0; // that it lacks an argument is found below
    }
    return switch (b[at]) {
      case StreamTokens.TC_NULL -> rest == 1;
      case StreamTokens.TC_STRING -> rest < 3 || rest == 3 + BigEndian.unsignedShort(b, at + 1);
      case StreamTokens.TC_LONGSTRING -> rest < 9 || rest == 9 + BigEndian.int64(b, at + 1);
      default -> false;
    };
  }

  /** Counts the arguments and keeps the first if it is a string. */
  private static final class Arguments implements StreamObserver {
    private final byte[] bytes;
    private int count;
    private String name;
    private boolean headerSeen;

    /** Something stands there that no stub writes. */
    private boolean odd;

    Arguments(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public void onContent(int at) {
      count++;
      switch (bytes[at]) {
        case StreamTokens.TC_STRING, StreamTokens.TC_LONGSTRING -> {}
        case StreamTokens.TC_NULL, StreamTokens.TC_REFERENCE, StreamTokens.TC_OBJECT -> {
          odd |= count == 1 && bytes[at] != StreamTokens.TC_NULL;
        }
        default -> odd = true;
      }
    }

    @Override
    public void onString(int handle, int at, int length) {
      if (count == 1 && name == null && !odd) {
        name = ModifiedUtf8.decode(bytes, at, length);
      }
    }

    @Override
    public void onBlockData(int at, int length) {
      if (!headerSeen) {
        odd |= length != Jrmp.CALL_HEADER_BYTES;
        headerSeen = true;
      }
    }
  }
}
