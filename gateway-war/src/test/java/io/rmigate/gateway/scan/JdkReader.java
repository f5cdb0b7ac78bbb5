package io.rmigate.gateway.scan;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.io.OptionalDataException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.rmi.MarshalledObject;
import java.rmi.server.ObjID;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RemoteObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The receiver: the JDK's own reader with the real classes, as {@code
 * sun.rmi.server.MarshalInputStream} has it, which notes every class that it is asked for.
 */
final class JdkReader extends ObjectInputStream {
  /** Behind the message's code and the stream's header stands the Call's header. */
  private static final int CALL_HEADER_BYTES = 34;

  private static final int RETURN_HEADER_BYTES = 15;

  private static final byte[] SENTINEL = sentinel("the end of the Call, said by who read it");

  private static final StackWalker CALLERS =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  private final List<MarshalledObject<?>> marshalled = new ArrayList<>();

  /** Names of the classes that this receiver lacks. */
  private Set<String> absent = Set.of();

  /** It reads no further than the first argument with a class that is absent. */
  private boolean stops;

  private Set<String> resolved = new LinkedHashSet<>();

  /** Then the filter tells of classes: the object's own reader resolves them. */
  private boolean unmarshalling;

  private JdkReader(InputStream in) throws IOException {
    super(in);
    enableResolveObject(true);
  }

  /**
   * What came of reading.
   *
   * @param resolved the names of the classes; of arrays those of their elements that are classes
   * @param failure empty when all was read up to where the Call ends
   * @param objectsAt where each object of the Call itself was met, as an index into the Call
   * @param beyond whether what stands behind the Call was taken for a part of it
   * @param unmarshalled objects that were marshalled in it and have been read, too
   */
  record Outcome(
      Set<String> resolved,
      String failure,
      List<Integer> objectsAt,
      boolean beyond,
      int unmarshalled) {}

  /** Reads a whole Call, and what is told behind it. */
  static Outcome receive(byte[] call) {
    return receive(call, false);
  }

  /**
   * Reads a whole Call, and what is told behind it.
   *
   * @param unmarshal whether to read what is marshalled in it, too. References in there would call
   *     their servers' collectors.
   */
  static Outcome receive(byte[] call, boolean unmarshal) {
    return receive(call, unmarshal, false, Set.of());
  }

  /**
   * Reads a Call, but not beyond the first argument with a class that is absent, as a server does.
   */
  static Outcome receiveUntilAbsent(byte[] call, boolean unmarshal) {
    return receive(call, unmarshal, true, Set.of());
  }

  /**
   * As a server reads a Call that lacks some classes.
   *
   * @param absent their names
   */
  static Outcome receiveWithout(Set<String> absent, byte[] call) {
    return receive(call, false, true, absent);
  }

  private static Outcome receive(
      byte[] call, boolean unmarshal, boolean stops, Set<String> absent) {
    byte[] stream = Arrays.copyOf(call, call.length + SENTINEL.length);
    System.arraycopy(SENTINEL, 0, stream, call.length, SENTINEL.length);
    ByteArrayInputStream bytes = new ByteArrayInputStream(stream, 1, stream.length - 1);
    List<Integer> objectsAt = new ArrayList<>();
    String failure = "";
    JdkReader reader = null;
    try (JdkReader in = new JdkReader(bytes)) {
      reader = in;
      in.absent = absent;
      in.stops = stops;
      in.setObjectInputFilter(in::noteUnmarshalled);
      in.readFully(new byte[CALL_HEADER_BYTES]);
      in.readContents(stream.length, call.length, bytes, objectsAt);
    } catch (OutOfMemoryError tooLarge) {
      throw tooLarge; // what the scanner let pass must not do that
    } catch (Exception | Error e) {
      failure = e.toString();
    }
    boolean beyond = !failure.isEmpty() && bytes.available() < SENTINEL.length;
    int unmarshalled = reader == null || !unmarshal ? 0 : reader.unmarshal();
    return new Outcome(
        reader == null ? Set.of() : reader.resolved, failure, objectsAt, beyond, unmarshalled);
  }

  /** Up to the sentinel, which the reader must meet where nothing is open any more. */
  private void readContents(
      int length, int callEnd, ByteArrayInputStream bytes, List<Integer> objectsAt)
      throws IOException {
    while (true) {
      int primitives = available();
      if (primitives > 0) {
        readFully(new byte[primitives]);
        continue;
      }
      int at = length - bytes.available() - 1; // of what follows, one byte has been looked at
      if (at == callEnd) {
        return;
      }
      objectsAt.add(at);
      try {
        readObject();
      } catch (ClassNotFoundException missing) {
        if (stops) {
          throw new IOException(missing);
        }
        // It was stepped over.
      }
    }
  }

  /** How many could be. */
  private int unmarshal() {
    int read = 0;
    unmarshalling = true;
    for (MarshalledObject<?> one : marshalled) {
      try {
        one.get();
        read++;
      } catch (OutOfMemoryError tooLarge) {
        throw tooLarge;
      } catch (Exception | Error e) {
        // Refused, as others are.
      }
    }
    return read;
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
      return new Outcome(asked, "", List.of(), false, 0);
    } catch (Exception | Error e) {
      return new Outcome(asked, e.toString(), List.of(), false, 0);
    }
  }

  private ObjectInputFilter.Status noteUnmarshalled(ObjectInputFilter.FilterInfo info) {
    Class<?> type = info.serialClass();
    // With a length it is an array that its elements' reader makes, or one that was told before.
    if (unmarshalling
        && type != null
        && info.arrayLength() < 0
        && !Proxy.isProxyClass(type)
        && !isReplacement()) {
      note(type.getName());
    }
    return ObjectInputFilter.Status.UNDECIDED;
  }

  /** Whether the filter is told what {@code readResolve} has made, of any class. */
  private static boolean isReplacement() {
    return CALLERS.walk(
        frames ->
            frames
                .filter(frame -> frame.getDeclaringClass() == ObjectInputStream.class)
                .skip(1) // filterCheck
                .findFirst()
                .filter(frame -> frame.getMethodName().equals("readOrdinaryObject"))
                .isPresent());
  }

  @Override
  protected Object resolveObject(Object read) {
    if (read instanceof MarshalledObject<?> one) {
      marshalled.add(one);
    }
    return read;
  }

  /**
   * A reference that is read registers itself with the collector of its server, unless the stream
   * is a connection's. So the reader of a remote object is told of a kind that reads nothing, when
   * what the two usual kinds read has been read here, by the same steps ({@code
   * sun.rmi.server.UnicastRef}, {@code UnicastRef2}, {@code sun.rmi.transport.tcp.TCPEndpoint}).
   */
  @Override
  public String readUTF() throws IOException {
    String text = super.readUTF();
    boolean kind = CALLERS.getCallerClass() == RemoteObject.class;
    if (!kind || !(text.equals("UnicastRef") || text.equals("UnicastRef2"))) {
      return text;
    }
    boolean factory = text.equals("UnicastRef2") && hasFactory(readByte());
    super.readUTF(); // the host
    readInt();
    if (factory) {
      readFactory();
    }
    ObjID.read(this);
    readBoolean();
    return "UnicastServerRef";
  }

  private static boolean hasFactory(byte format) throws IOException {
    if (format != 0 && format != 1) {
      throw new IOException("invalid endpoint format");
    }
    return format == 1;
  }

  private void readFactory() throws IOException {
    try {
      Object factory = readObject();
      if (factory != null && !(factory instanceof RMIClientSocketFactory)) {
        throw new ClassCastException(factory.getClass().getName());
      }
    } catch (ClassNotFoundException absent) {
      throw new IOException(absent);
    }
  }

  @Override
  protected Class<?> resolveClass(ObjectStreamClass type)
      throws IOException, ClassNotFoundException {
    readLocation();
    note(type.getName());
    if (absent.contains(type.getName())) {
      throw new ClassNotFoundException(type.getName());
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

  private void note(String name) {
    if (!name.matches("\\[+[BCDFIJSZ]")) {
      resolved.add(element(name));
    }
  }

  private static byte[] sentinel(String text) {
    byte[] utf = text.getBytes(StandardCharsets.US_ASCII);
    byte[] string = new byte[3 + utf.length];
    string[0] = TC_STRING;
    string[2] = (byte) utf.length;
    System.arraycopy(utf, 0, string, 3, utf.length);
    return string;
  }

  private static String element(String name) {
    String element = name.replaceFirst("^\\[+", "");
    return element.length() < name.length() && element.startsWith("L")
        ? element.substring(1, element.length() - 1)
        : element;
  }
}
