package io.rmigate.protocol.jrmp.message;

import io.rmigate.protocol.jrmp.BigEndian;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.StreamClass;
import io.rmigate.protocol.jrmp.StreamTokens;
import io.rmigate.protocol.jrmp.VmIdentifier;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes the serialization stream of a DGC message as the JDK does, byte for byte: protocol version
 * 1, null for each class's codebase, back-references to descriptors and type strings. No object of
 * these classes is made, since a VMID of our choice cannot be. One use, one thread.
 */
final class DgcStream {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
  private final DataOutputStream out = new DataOutputStream(bytes);
  private final Map<String, Integer> handles = new HashMap<>();
  private int nextHandle = StreamTokens.BASE_WIRE_HANDLE;

  /** A message of this code, with the stream's header. */
  DgcStream(int messageCode) {
    attempt(
        () -> {
          out.writeByte(messageCode);
          out.writeInt(StreamTokens.STREAM_HEADER);
        });
  }

  /** A block of at most 255 bytes. */
  DgcStream block(byte[] data) {
    return attempt(
        () -> {
          out.writeByte(StreamTokens.TC_BLOCKDATA);
          out.writeByte(data.length);
          out.write(data);
        });
  }

  /** A long in a block of its own. */
  DgcStream longBlock(long value) {
    byte[] data = new byte[Long.BYTES];
    BigEndian.putInt64(data, 0, value);
    return block(data);
  }

  /** The ObjIDs as an array. */
  DgcStream ids(List<ObjIdentifier> ids) {
    return attempt(
        () -> {
          array(DgcClasses.ID_ARRAY, ids.size());
          for (ObjIdentifier id : ids) {
            object(DgcClasses.OBJ_ID);
            out.writeLong(id.objNum());
            uid(id.unique(), id.time(), id.count());
          }
        });
  }

  DgcStream vmId(VmIdentifier vm) {
    return attempt(
        () -> {
          object(DgcClasses.VMID);
          array(DgcClasses.BYTES, Long.BYTES);
          out.writeLong(vm.address());
          uid(vm.unique(), vm.time(), vm.count());
        });
  }

  DgcStream lease(VmIdentifier vm, long millis) {
    attempt(
        () -> {
          object(DgcClasses.LEASE);
          out.writeLong(millis);
        });
    return vmId(vm);
  }

  byte[] toByteArray() {
    return bytes.toByteArray();
  }

  private void uid(int unique, long time, short count) throws IOException {
    object(DgcClasses.UID);
    out.writeShort(count);
    out.writeLong(time);
    out.writeInt(unique);
  }

  private void object(String type) throws IOException {
    out.writeByte(StreamTokens.TC_OBJECT);
    descriptor(type);
    nextHandle++;
  }

  private void array(String type, int length) throws IOException {
    out.writeByte(StreamTokens.TC_ARRAY);
    descriptor(type);
    nextHandle++;
    out.writeInt(length);
  }

  private void descriptor(String type) throws IOException {
    if (reference(type)) {
      return;
    }
    DgcClasses.Shape shape = DgcClasses.SHAPES.get(type);
    out.writeByte(StreamTokens.TC_CLASSDESC);
    out.writeUTF(type);
    out.writeLong(shape.suid());
    handles.put(type, nextHandle++);
    out.writeByte(StreamTokens.SC_SERIALIZABLE);
    out.writeShort(shape.fields().size());
    for (StreamClass.Field field : shape.fields()) {
      out.writeByte(field.signature().charAt(0));
      out.writeUTF(field.name());
      if (field.signature().length() > 1) {
        typeString(field.signature());
      }
    }
    out.writeByte(StreamTokens.TC_NULL); // no codebase
    out.writeByte(StreamTokens.TC_ENDBLOCKDATA);
    out.writeByte(StreamTokens.TC_NULL); // no superclass
  }

  /** Type strings and class names are different objects; only the latter have dots. */
  private void typeString(String type) throws IOException {
    String key = "type " + type;
    if (!reference(key)) {
      out.writeByte(StreamTokens.TC_STRING);
      out.writeUTF(type);
      handles.put(key, nextHandle++);
    }
  }

  private boolean reference(String key) throws IOException {
    Integer handle = handles.get(key);
    if (handle == null) {
      return false;
    }
    out.writeByte(StreamTokens.TC_REFERENCE);
    out.writeInt(handle);
    return true;
  }

  private interface Writing {
    void run() throws IOException;
  }

  private DgcStream attempt(Writing writing) {
    try {
      writing.run();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible); // into memory
    }
    return this;
  }
}
