package io.rmigate.gateway.scan;

import io.rmigate.gateway.scan.shape.Shape;
import io.rmigate.protocol.jrmp.StreamClass;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectStreamConstants;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.List;

/** A Call whose bytes are written one by one, for streams that the JDK would not write. */
final class HandWritten {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DataOutputStream out = new DataOutputStream(bytes);
  private int handles;

  private interface Writing {
    void run() throws IOException;
  }

  private HandWritten() {}

  /** A Call of a method of some object; its arguments follow. */
  static HandWritten call() {
    return new HandWritten()
        .hex("50" + "aced0005" + "7722" + "00".repeat(22) + "ffffffff" + "01".repeat(8));
  }

  /** A Return; its result follows. */
  static HandWritten reply() {
    return new HandWritten().hex("51" + "aced0005" + "770f01" + "00".repeat(14));
  }

  /** Bytes without anything around them. */
  static HandWritten bytes() {
    return new HandWritten();
  }

  HandWritten hex(String hex) {
    return raw(HexFormat.of().parseHex(hex));
  }

  HandWritten raw(byte... some) {
    bytes.writeBytes(some);
    return this;
  }

  HandWritten int32(int value) {
    return attempt(() -> out.writeInt(value));
  }

  HandWritten int64(long value) {
    return attempt(() -> out.writeLong(value));
  }

  HandWritten utf(String text) {
    return attempt(() -> out.writeUTF(text));
  }

  HandWritten nothing() {
    return token(ObjectStreamConstants.TC_NULL);
  }

  HandWritten end() {
    return token(ObjectStreamConstants.TC_ENDBLOCKDATA);
  }

  HandWritten string(String text) {
    handles++;
    return token(ObjectStreamConstants.TC_STRING).utf(text);
  }

  HandWritten reference(int number) {
    return token(ObjectStreamConstants.TC_REFERENCE).int32(0x7E0000 + number);
  }

  /** At most 255 bytes. */
  HandWritten block(byte... data) {
    return token(ObjectStreamConstants.TC_BLOCKDATA).raw((byte) data.length).raw(data);
  }

  /** A new object begins; its descriptor follows, then {@link #data}. */
  HandWritten object() {
    return token(ObjectStreamConstants.TC_OBJECT);
  }

  /** The descriptors before this are complete: what follows are the object's data. */
  HandWritten data() {
    handles++;
    return this;
  }

  HandWritten array() {
    return token(ObjectStreamConstants.TC_ARRAY);
  }

  /** A descriptor, without annotation; that of the superclass follows. */
  HandWritten descriptor(String name, long suid, int flags, List<StreamClass.Field> fields) {
    unannotated(name, suid, flags, fields);
    return nothing().end();
  }

  /** A descriptor; its annotation follows. */
  HandWritten unannotated(String name, long suid, int flags, List<StreamClass.Field> fields) {
    token(ObjectStreamConstants.TC_CLASSDESC).utf(name).int64(suid).raw((byte) flags);
    handles++;
    attempt(() -> out.writeShort(fields.size()));
    for (StreamClass.Field field : fields) {
      raw((byte) field.signature().charAt(0)).utf(field.name());
      if (field.signature().length() > 1) {
        string(field.signature());
      }
    }
    return this;
  }

  /** The descriptor of a dynamic proxy, without annotation; that of its superclass follows. */
  HandWritten proxy(String... interfaces) {
    return unannotatedProxy(interfaces).nothing().end();
  }

  /** The descriptor of a dynamic proxy; its annotation follows. */
  HandWritten unannotatedProxy(String... interfaces) {
    token(ObjectStreamConstants.TC_PROXYCLASSDESC).int32(interfaces.length);
    handles++;
    for (String name : interfaces) {
      utf(name);
    }
    return this;
  }

  /** An honest descriptor; that of the superclass follows. */
  HandWritten descriptor(Shape shape) {
    return descriptor(shape.name(), shape.serialVersionUid(), flags(shape), shape.fields());
  }

  static int flags(Shape shape) {
    return switch (shape.form()) {
      case FIELDS, RECORD -> 2;
      case FIELDS_AND_OWN_DATA -> 3;
      case EXTERNAL -> 4;
      case ENUM -> 0x12;
    };
  }

  /** TC_RESET was written: handles begin anew. */
  void forgetHandles() {
    handles = 0;
  }

  /** Handles assigned so far. */
  int handles() {
    return handles;
  }

  int length() {
    return bytes.size();
  }

  byte[] toByteArray() {
    return bytes.toByteArray();
  }

  private HandWritten token(byte code) {
    return raw(code);
  }

  private HandWritten attempt(Writing writing) {
    try {
      writing.run();
      return this;
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible); // into memory
    }
  }
}
