package io.rmigate.protocol.jrmp;

import static io.rmigate.protocol.jrmp.StreamTokens.SC_ENUM;
import static io.rmigate.protocol.jrmp.StreamTokens.SC_EXTERNALIZABLE;
import static io.rmigate.protocol.jrmp.StreamTokens.SC_SERIALIZABLE;
import static io.rmigate.protocol.jrmp.StreamTokens.SC_WRITE_METHOD;

import io.rmigate.protocol.LogText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A class descriptor as it stands in a stream: a claim of the sender, not a class. Valid only while
 * the parser that made it runs and the bytes below it are unchanged; names are decoded on demand.
 * Confined to the parsing thread.
 *
 * <p>Seven bytes of a stream are enough for one of these, hence the narrow fields: what stands in
 * the stream and is seldom asked for is read there again.
 */
public final class StreamClass {
  /** About as many as one takes, with what its observers note of it. */
  static final int BYTES = 256;

  private static final int MAX_LABEL_BYTES = 100;
  private static final byte LAYOUT_UNKNOWN = -1;

  /** Bytes behind a name: serialVersionUID, flags, number of fields. */
  static final int BYTES_BEHIND_NAME = Long.BYTES + 1 + Short.BYTES;

  /** In 64 bits: spreads what is multiplied by it over the upper ones. */
  private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

  /** Where the message stands that this was read from, since {@link #finished} in whole. */
  private byte[] bytes;

  private final short index;
  final boolean proxy;

  /** Index of the name's first byte; for a proxy, of the count of interfaces. */
  final int nameAt;

  /** Bytes of the name; for a proxy, the number of interfaces. */
  final int nameLength;

  final byte flags;
  private final short fieldCount;
  short objectFields;
  int primitiveBytes;

  /** Positions of the type strings of the object fields, for names that are back-references. */
  int[] typeStringsAt = NONE;

  StreamClass superclass;

  /** The superclass was read: from now on the descriptor may be referred to. */
  boolean finished;

  /** The whole chain consists of plain serializable classes (and at most a proxy at its front). */
  boolean serializableChain;

  /** This class, or the nearest ancestor, that has data of its own in an object; null if none. */
  StreamClass firstWithData;

  private static final int[] NONE = {};

  /** The bytes of an object that is primitive fields of one class and nothing else; else −1. */
  int plainBytes = -1;

  /** Number of its {@link ExternalLayout}, looked up for the first object. */
  private byte layout = LAYOUT_UNKNOWN;

  StreamClass(
      byte[] bytes,
      int index,
      boolean proxy,
      int nameAt,
      int nameLength,
      byte flags,
      short fieldCount) {
    this.bytes = bytes;
    this.index = (short) index;
    this.proxy = proxy;
    this.nameAt = nameAt;
    this.nameLength = nameLength;
    this.flags = flags;
    this.fieldCount = fieldCount;
  }

  /** Index of the token that it begins with. */
  int begin() {
    return proxy ? nameAt - 1 : nameAt - 3;
  }

  /** {@code buf} holds all of it; a message in pieces may have moved since it began. */
  void finish(StreamClass itsSuperclass, byte[] buf) {
    bytes = buf;
    superclass = itsSuperclass;
    boolean plain = proxy || (flags & (SC_SERIALIZABLE | SC_EXTERNALIZABLE)) == SC_SERIALIZABLE;
    serializableChain = plain && (itsSuperclass == null || itsSuperclass.serializableChain);
    boolean hasData = primitiveBytes > 0 || objectFields > 0 || hasWriteMethod();
    StreamClass aboveWithData = nextWithData();
    firstWithData = hasData ? this : aboveWithData;
    if (serializableChain && !isEnum()) {
      if (!hasData) {
        plainBytes = itsSuperclass == null ? 0 : itsSuperclass.plainBytes;
      } else if (aboveWithData == null && objectFields == 0 && !hasWriteMethod()) {
        plainBytes = primitiveBytes;
      }
    }
    finished = true;
  }

  /** The nearest ancestor with data of its own; null if none. */
  StreamClass nextWithData() {
    return superclass == null ? null : superclass.firstWithData;
  }

  /** Moves to a later buffer: {@code buf} holds at least what stands up to its end. */
  void moveTo(byte[] buf) {
    bytes = buf;
  }

  /** How many descriptors have begun in this stream before this one. */
  public int index() {
    return index;
  }

  /** Whether this describes a dynamic proxy class, which has interfaces instead of a name. */
  public boolean isProxy() {
    return proxy;
  }

  /**
   * The class name as in {@link Class#getName}; empty for a proxy. Decoded anew each time: not for
   * every object of a class, since a few bytes make one more of them.
   */
  public String name() {
    return proxy ? "" : text(nameAt, nameLength);
  }

  /** Whether {@link #name} is this name; decodes and allocates nothing. */
  public boolean isNamed(String text) {
    return !proxy && isText(nameAt, nameLength, text);
  }

  /** Whether {@link #name} has these bytes of modified UTF-8; decodes and allocates nothing. */
  public boolean isNamed(byte[] encoded) {
    return !proxy
        && nameLength == encoded.length
        && Arrays.equals(bytes, nameAt, nameAt + nameLength, encoded, 0, nameLength);
  }

  /** A hash code of the name's bytes, by which its shapes are found; 0 for a proxy. */
  public int nameHash() {
    return proxy ? 0 : nameHash(bytes, nameAt, nameLength);
  }

  /** The hash of a name with these bytes of modified UTF-8. */
  public static int nameHash(byte[] encoded) {
    return nameHash(encoded, 0, encoded.length);
  }

  private static int nameHash(byte[] b, int at, int length) {
    long hash = length;
    int i = 0;
    for (; length - i >= Long.BYTES; i += Long.BYTES) {
      hash = (hash ^ BigEndian.int64(b, at + i)) * GOLDEN_RATIO;
      hash ^= hash >>> 32;
    }
    for (; i < length; i++) {
      hash = 31 * hash + b[at + i];
    }
    return (int) (hash ^ hash >>> 32);
  }

  /** The beginning of the name, fit for one line of a log. */
  public String label() {
    if (proxy) {
      return "a proxy";
    }
    String shown = text(nameAt, Math.min(nameLength, MAX_LABEL_BYTES));
    return LogText.of(shown) + (nameLength > MAX_LABEL_BYTES ? "..." : "");
  }

  /** Whether a proxy has no more interfaces than that, with names no longer than that. */
  public boolean isSmall(int maxInterfaces, int maxNameBytes) {
    if (!proxy || nameLength > maxInterfaces) {
      return false;
    }
    int at = nameAt + 4;
    for (int i = 0; i < nameLength; i++) {
      int length = BigEndian.unsignedShort(bytes, at);
      if (length > maxNameBytes) {
        return false;
      }
      at += 2 + length;
    }
    return true;
  }

  /** The interfaces of a proxy, in order; empty for anything else. Decoded anew each time. */
  public List<String> interfaces() {
    return interfaces(Integer.MAX_VALUE);
  }

  /**
   * The first interfaces of a proxy, at most {@code most}: one takes two bytes in a stream, and
   * much more as a name.
   */
  public List<String> interfaces(int most) {
    List<String> names = new ArrayList<>(1);
    if (proxy) {
      int at = nameAt + 4;
      for (int i = 0; i < Math.min(nameLength, most); i++) {
        int length = BigEndian.unsignedShort(bytes, at);
        names.add(text(at + 2, length));
        at += 2 + length;
      }
    }
    return names;
  }

  /** Whether these are the interfaces of a proxy, in order; decodes nothing. */
  public boolean hasInterfaces(List<String> names) {
    if (!proxy || nameLength != names.size()) {
      return false;
    }
    int at = nameAt + 4;
    for (String name : names) {
      int length = BigEndian.unsignedShort(bytes, at);
      if (!isText(at + 2, length, name)) {
        return false;
      }
      at += 2 + length;
    }
    return true;
  }

  /** The serialVersionUID; 0 for enums and proxies. */
  public long serialVersionUid() {
    return proxy ? 0 : BigEndian.int64(bytes, nameAt + nameLength);
  }

  /** The SC_ flags of {@link java.io.ObjectStreamConstants}; SC_SERIALIZABLE for a proxy. */
  public int flags() {
    return flags;
  }

  /** How many of the declared fields hold objects. */
  public int objectFields() {
    return objectFields;
  }

  /**
   * The name of a declared field that holds an object. Decoded anew each time, and only once {@link
   * StreamObserver#onClassDescriptor} has told of the descriptor.
   *
   * @param number among those fields, from 0 to {@link #objectFields} less one
   */
  public String objectField(int number) {
    int at = nameAt + nameLength + BYTES_BEHIND_NAME;
    int left = number;
    while (true) {
      int length = BigEndian.unsignedShort(bytes, at + 1);
      boolean primitive = bytes[at] != 'L' && bytes[at] != '[';
      if (!primitive && left-- == 0) {
        return text(at + 3, length);
      }
      at += 3 + length;
      if (!primitive) {
        at = endOfTypeString(at);
      }
    }
  }

  /**
   * The lowest class of the chain that declares primitive fields, where an ancestor's data stand
   * before them in an object; else null.
   */
  public StreamClass primitivesBehindData() {
    StreamClass its = firstWithData;
    while (its != null && its.primitiveBytes == 0) {
      its = its.nextWithData();
    }
    return its == null || its.nextWithData() == null ? null : its;
  }

  /** The descriptor of the superclass, as far as that is serializable. */
  public Optional<StreamClass> superclass() {
    return Optional.ofNullable(superclass);
  }

  /**
   * Whether the declared fields are exactly these, in stream order: primitives first, then objects.
   * Compares in place: the fields of one descriptor may all refer to one long type string, so that
   * decoding them would take memory by the square of the message.
   */
  public boolean declares(List<Field> expected) {
    if (fieldCount != expected.size()) {
      return false;
    }
    int at = nameAt + nameLength + BYTES_BEHIND_NAME;
    int object = 0;
    for (Field field : expected) {
      int length = BigEndian.unsignedShort(bytes, at + 1);
      boolean primitive = field.signature().length() == 1;
      if (bytes[at] != field.signature().charAt(0) || !isText(at + 3, length, field.name())) {
        return false;
      }
      at += 3 + length;
      if (!primitive) {
        if (!isString(typeStringsAt[object++], field.signature())) {
          return false;
        }
        at = endOfTypeString(at);
      }
    }
    return true;
  }

  /**
   * A declared field.
   *
   * @param signature its type as a JVM descriptor, such as {@code J} or {@code Ljava/lang/String;}
   */
  public record Field(String name, String signature) {}

  /** The layout of its unframed data; null when it is not known. */
  ExternalLayout externalLayout() {
    if (layout == LAYOUT_UNKNOWN) {
      layout = (byte) ExternalLayout.numberOf(this);
    }
    return ExternalLayout.numbered(layout);
  }

  /** Whether the class's {@code writeObject} may have written data that no field declares. */
  public boolean hasWriteMethod() {
    return (flags & SC_WRITE_METHOD) != 0;
  }

  boolean isEnum() {
    return (flags & SC_ENUM) != 0;
  }

  boolean isExternalizable() {
    return (flags & SC_EXTERNALIZABLE) != 0;
  }

  private int endOfTypeString(int at) {
    return switch (bytes[at]) {
      case StreamTokens.TC_REFERENCE -> at + 5;
      case StreamTokens.TC_STRING -> at + 3 + BigEndian.unsignedShort(bytes, at + 1);
      default -> (int) (at + 9 + BigEndian.int64(bytes, at + 1));
    };
  }

  private boolean isString(int tokenAt, String text) {
    return bytes[tokenAt] == StreamTokens.TC_STRING
        ? isText(tokenAt + 3, BigEndian.unsignedShort(bytes, tokenAt + 1), text)
        : isText(tokenAt + 9, BigEndian.int64(bytes, tokenAt + 1), text);
  }

  private boolean isText(int at, long length, String text) {
    return ModifiedUtf8.spells(bytes, at, length, text);
  }

  private String text(int at, int length) {
    return ModifiedUtf8.decode(bytes, at, length);
  }
}
