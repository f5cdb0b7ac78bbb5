package io.rmigate.protocol.jrmp.message;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.StreamTokens;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The Return of {@link RegistryOperation#LIST}: an array of strings, as the JDK's registry writes
 * it.
 *
 * <pre>
 *   51 aced0005 77 0f 01 UID(14) 75 72 "[Ljava.lang.String;" suid 02 0000 annotation 78 70 n names
 * </pre>
 *
 * @param names in their order; nulls left out
 * @param beginning what stands before the number of names
 * @param rest what has come behind them, where no honest server writes anything
 */
@SuppressWarnings("ArrayRecordComponent") // wire bytes: identity, not value
public record ListReturn(List<String> names, byte[] beginning, byte[] rest) {
  private static final String ARRAY_OF_STRINGS = "[Ljava.lang.String;";

  /** Its own list. */
  public ListReturn {
    names = List.copyOf(names);
  }

  /**
   * Reads a normal Return.
   *
   * @param length how much of the array counts
   * @return empty while more has to come
   * @throws ProtocolViolationException it is something else
   */
  public static Optional<ListReturn> decode(byte[] bytes, int length)
      throws ProtocolViolationException {
    ByteArrayInputStream from = new ByteArrayInputStream(bytes, 0, length);
    try {
      return Optional.of(read(new DataInputStream(from), from, bytes, length));
    } catch (EOFException truncated) {
      return Optional.empty();
    } catch (ProtocolViolationException violation) {
      throw violation;
    } catch (IOException malformed) { // modified UTF-8 that is none
      throw new ProtocolViolationException("expected names, got " + malformed.getMessage());
    }
  }

  private static ListReturn read(
      DataInputStream in, ByteArrayInputStream from, byte[] bytes, int length) throws IOException {
    expect(in.readUnsignedByte(), Jrmp.RETURN);
    expect(in.readInt(), StreamTokens.STREAM_HEADER);
    expect(in.readUnsignedByte(), StreamTokens.TC_BLOCKDATA);
    expect(in.readUnsignedByte(), Jrmp.RETURN_HEADER_BYTES);
    expect(in.readUnsignedByte(), Jrmp.NORMAL_RETURN);
    in.readFully(new byte[Jrmp.UID_BYTES]);
    expect(in.readUnsignedByte(), StreamTokens.TC_ARRAY);
    expect(in.readUnsignedByte(), StreamTokens.TC_CLASSDESC);
    String type = in.readUTF();
    if (!type.equals(ARRAY_OF_STRINGS)) {
      throw new ProtocolViolationException("expected an array of names, got another class");
    }
    in.readLong();
    expect(in.readUnsignedByte(), StreamTokens.SC_SERIALIZABLE);
    expect(in.readUnsignedShort(), 0);
    List<Optional<String>> handles = new ArrayList<>();
    handles.add(Optional.empty()); // the class
    for (int token = in.readUnsignedByte();
        token != StreamTokens.TC_ENDBLOCKDATA;
        token = in.readUnsignedByte()) {
      if (token == StreamTokens.TC_STRING) {
        handles.add(Optional.of(in.readUTF())); // a codebase
      } else {
        expect(token, StreamTokens.TC_NULL);
      }
    }
    expect(in.readUnsignedByte(), StreamTokens.TC_NULL);
    handles.add(Optional.empty()); // the array
    int beginning = length - from.available();
    int count = in.readInt();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int token = in.readUnsignedByte();
      if (token == StreamTokens.TC_STRING) {
        String name = in.readUTF();
        handles.add(Optional.of(name));
        names.add(name);
      } else if (token == StreamTokens.TC_REFERENCE) {
        int handle = in.readInt() - StreamTokens.BASE_WIRE_HANDLE;
        names.add(
            (handle >= 0 && handle < handles.size()
                    ? handles.get(handle)
                    : Optional.<String>empty())
                .orElseThrow(() -> new ProtocolViolationException("expected a name's handle")));
      } else {
        expect(token, StreamTokens.TC_NULL);
      }
    }
    byte[] before = new byte[beginning];
    System.arraycopy(bytes, 0, before, 0, beginning);
    return new ListReturn(names, before, from.readAllBytes());
  }

  private static void expect(int got, int wanted) throws ProtocolViolationException {
    if (got != wanted) {
      throw new ProtocolViolationException(
          String.format("expected 0x%02x in a list of names, got 0x%02x", wanted, got));
    }
  }

  /** This Return with the wanted names only. */
  public byte[] only(Predicate<String> wanted) {
    List<String> left = names.stream().filter(wanted).toList();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.write(beginning);
      out.writeInt(left.size());
      for (String name : left) {
        out.writeByte(StreamTokens.TC_STRING);
        out.writeUTF(name);
      }
      out.write(rest);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }
}
