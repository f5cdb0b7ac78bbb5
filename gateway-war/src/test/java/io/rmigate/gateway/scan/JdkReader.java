package io.rmigate.gateway.scan;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.io.OptionalDataException;
import java.rmi.MarshalledObject;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The receiver: the JDK's own reader with the real classes, as {@code
 * sun.rmi.server.MarshalInputStream} has it, which notes every class that it is asked for.
 */
final class JdkReader extends ObjectInputStream {
  /** Behind the message's code and the stream's header stands the Call's header. */
  private static final int CALL_HEADER_BYTES = 34;

  private static final int RETURN_HEADER_BYTES = 15;

  private static final String SENTINEL = "the end of the Call, said by who read it";

  private Set<String> resolved = new LinkedHashSet<>();

  private JdkReader(InputStream in) throws IOException {
    super(in);
  }

  /**
   * What came of reading.
   *
   * @param resolved the names of the classes; of arrays those of their elements that are classes
   * @param failure empty when all was read
   * @param endedWhereTheCallEnds only if there was no failure
   */
  record Outcome(Set<String> resolved, String failure, boolean endedWhereTheCallEnds) {}

  /** Reads a whole Call, and what is told behind it. */
  static Outcome receive(byte[] call) {
    byte[] stream = new byte[call.length - 1 + 3 + SENTINEL.length()];
    System.arraycopy(call, 1, stream, 0, call.length - 1);
    int at = call.length - 1;
    stream[at] = TC_STRING;
    stream[at + 2] = (byte) SENTINEL.length();
    for (int i = 0; i < SENTINEL.length(); i++) {
      stream[at + 3 + i] = (byte) SENTINEL.charAt(i);
    }
    Object last = null;
    JdkReader reader = null;
    ByteArrayInputStream bytes = new ByteArrayInputStream(stream);
    try (JdkReader in = new JdkReader(bytes)) {
      reader = in;
      in.readFully(new byte[CALL_HEADER_BYTES]);
      while (true) {
        try {
          last = in.readObject();
        } catch (ClassNotFoundException absent) {
          last = absent; // it was stepped over
        } catch (OptionalDataException block) {
          if (block.eof) {
            throw block;
          }
          in.readFully(new byte[block.length]);
        }
      }
    } catch (EOFException end) {
      boolean all = SENTINEL.equals(last) && bytes.available() == 0;
      return new Outcome(reader.resolved, all ? "" : String.valueOf(end), all);
    } catch (OutOfMemoryError tooLarge) {
      throw tooLarge; // what the scanner let pass must not do that
    } catch (Exception | Error e) {
      return new Outcome(reader == null ? Set.of() : reader.resolved, e.toString(), false);
    }
  }

  /**
   * Reads the contents of a Call or a Return as far as they can be read, and uses them as their
   * receivers do: what is marshalled in them is read, too.
   *
   * @param refused names of classes which are only asked for
   */
  static Outcome attacked(byte[] message, Set<String> refused) {
    Set<String> asked = new LinkedHashSet<>();
    try (JdkReader in = new JdkReader(new ByteArrayInputStream(message, 1, message.length - 1))) {
      in.setObjectInputFilter(
          info -> {
            Class<?> type = info.serialClass();
            if (type == null) {
              return ObjectInputFilter.Status.UNDECIDED;
            }
            asked.add(type.getName());
            return refused.contains(type.getName())
                ? ObjectInputFilter.Status.REJECTED
                : ObjectInputFilter.Status.UNDECIDED;
          });
      in.resolved = asked;
      in.readFully(new byte[message[0] == 0x50 ? CALL_HEADER_BYTES : RETURN_HEADER_BYTES]);
      while (true) {
        try {
          if (in.readObject() instanceof MarshalledObject<?> marshalled) {
            marshalled.get();
          }
        } catch (OptionalDataException block) {
          if (block.eof) {
            throw block;
          }
          in.readFully(new byte[block.length]);
        }
      }
    } catch (EOFException end) {
      return new Outcome(asked, "", true);
    } catch (Exception | Error e) {
      return new Outcome(asked, e.toString(), false);
    }
  }

  @Override
  protected Class<?> resolveClass(ObjectStreamClass type)
      throws IOException, ClassNotFoundException {
    readLocation();
    String name = type.getName();
    if (!name.matches("\\[+[BCDFIJSZ]")) {
      resolved.add(element(name));
    }
    return super.resolveClass(type);
  }

  @Override
  protected Class<?> resolveProxyClass(String[] interfaces)
      throws IOException, ClassNotFoundException {
    readLocation();
    resolved.addAll(Set.of(interfaces));
    return super.resolveProxyClass(interfaces);
  }

  /** The annotation is an object, and is read like any other. */
  private void readLocation() throws IOException, ClassNotFoundException {
    readObject();
  }

  private static String element(String name) {
    String element = name.replaceFirst("^\\[+", "");
    return element.length() < name.length() && element.startsWith("L")
        ? element.substring(1, element.length() - 1)
        : element;
  }
}
