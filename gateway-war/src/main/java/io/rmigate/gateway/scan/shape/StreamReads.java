package io.rmigate.gateway.scan.shape;

import io.rmigate.protocol.jrmp.ReadSequence.Op;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.tree.MethodInsnNode;

/** Methods of the JDK that read from an {@link java.io.ObjectInput}, and what they take from it. */
final class StreamReads {
  /**
   * A read of a method.
   *
   * @param op the read; {@link Op#READ_BYTES} of {@code bytes} where its value is no integer
   * @param bytes how many, where that is the same each time; else 0
   */
  record Taken(Op op, int bytes) {
    /** Whether the method returns an integer that is known. */
    boolean isNumber() {
      return op.compareTo(Op.READ_LONG) <= 0;
    }

    /** Whether the method fills an array that it is given. */
    boolean fillsArray() {
      return op == Op.READ_BYTES && bytes == 0;
    }
  }

  private static final Set<String> STREAMS =
      Set.of("java/io/ObjectInput", "java/io/DataInput", "java/io/ObjectInputStream");

  private static final Map<String, Taken> OF_STREAM =
      Map.ofEntries(
          Map.entry("readBoolean()Z", new Taken(Op.READ_BOOLEAN, 1)),
          Map.entry("readByte()B", new Taken(Op.READ_BYTE, 1)),
          Map.entry("readUnsignedByte()I", new Taken(Op.READ_UNSIGNED_BYTE, 1)),
          Map.entry("readShort()S", new Taken(Op.READ_SHORT, 2)),
          Map.entry("readUnsignedShort()I", new Taken(Op.READ_CHAR, 2)),
          Map.entry("readChar()C", new Taken(Op.READ_CHAR, 2)),
          Map.entry("readInt()I", new Taken(Op.READ_INT, 4)),
          Map.entry("readLong()J", new Taken(Op.READ_LONG, 8)),
          Map.entry("readFloat()F", new Taken(Op.READ_BYTES, 4)),
          Map.entry("readDouble()D", new Taken(Op.READ_BYTES, 8)),
          Map.entry("readFully([B)V", new Taken(Op.READ_BYTES, 0)),
          Map.entry("readFully([BII)V", new Taken(Op.READ_BYTES, 0)),
          Map.entry("readUTF()Ljava/lang/String;", new Taken(Op.READ_TEXT, 0)),
          Map.entry("readObject()Ljava/lang/Object;", new Taken(Op.READ_OBJECT, 0)));

  /** Methods that take the stream as an argument; all are among {@link HarmlessCalls}. */
  private static final Map<String, Taken> OF_OTHERS =
      Map.of(
          "java/io/DataInputStream.readUTF", new Taken(Op.READ_TEXT, 0),
          "java/rmi/server/ObjID.read", new Taken(Op.READ_BYTES, 22),
          "java/rmi/server/UID.read", new Taken(Op.READ_BYTES, 14));

  private StreamReads() {}

  /** Whether the stream is of that type, as which nothing more can be called on it. */
  static boolean isInterface(String type) {
    return type.equals("java/io/ObjectInput") || type.equals("java/io/DataInput");
  }

  /**
   * The bytes that a call takes from a stream that is its receiver or an argument; null if unknown.
   */
  static Taken of(MethodInsnNode call, boolean onStream) {
    if (onStream) {
      return STREAMS.contains(call.owner) ? OF_STREAM.get(call.name + call.desc) : null;
    }
    return OF_OTHERS.get(call.owner + '.' + call.name);
  }
}
