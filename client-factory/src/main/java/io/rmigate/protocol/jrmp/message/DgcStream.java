package io.rmigate.protocol.jrmp.message;

import io.rmigate.protocol.jrmp.BigEndian;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.StreamClass;
import io.rmigate.protocol.jrmp.StreamTokens;
import io.rmigate.protocol.jrmp.VmIdentifier;
import java.io.ByteArrayOutputStream;
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
  private final Map<String, Integer> handles = new HashMap<>();
  private int nextHandle = StreamTokens.BASE_WIRE_HANDLE;

  /** A message of this code, with the stream's header. */
  DgcStream(int messageCode) {
    bytes.write(messageCode);
    writeInt(StreamTokens.STREAM_HEADER);
  }

  /** A block of at most 255 bytes. */
  DgcStream block(byte[] data) {
    bytes.write(StreamTokens.TC_BLOCKDATA);
    bytes.write(data.length);
    bytes.write(data, 0, data.length);
    return this;
  }

  /** A long in a block of its own. */
  DgcStream longBlock(long value) {
    byte[] data = new byte[Long.BYTES];
    BigEndian.putInt64(data, 0, value);
    return block(data);
  }

  /** The ObjIDs as an array. */
  DgcStream ids(List<ObjIdentifier> ids) {
    array(DgcClasses.ID_ARRAY, ids.size());
    for (ObjIdentifier id : ids) {
      object(DgcClasses.OBJ_ID);
      writeLong(id.objNum());
      uid(id.unique(), id.time(), id.count());
    }
    return this;
  }

  DgcStream vmId(VmIdentifier vm) {
    object(DgcClasses.VMID);
    array(DgcClasses.BYTES, Long.BYTES);
    writeLong(vm.address());
    uid(vm.unique(), vm.time(), vm.count());
    return this;
  }

  DgcStream lease(VmIdentifier vm, long millis) {
    object(DgcClasses.LEASE);
    writeLong(millis);
    return vmId(vm);
  }

  byte[] toByteArray() {
    return bytes.toByteArray();
  }

  private void uid(int unique, long time, short count) {
    object(DgcClasses.UID);
    writeShort(count);
    writeLong(time);
    writeInt(unique);
  }

  private void object(String type) {
    bytes.write(StreamTokens.TC_OBJECT);
    descriptor(type);
    nextHandle++;
  }

  private void array(String type, int length) {
    bytes.write(StreamTokens.TC_ARRAY);
    descriptor(type);
    nextHandle++;
    writeInt(length);
  }

  private void descriptor(String type) {
    if (reference(type)) {
      return;
    }
    DgcClasses.Shape shape = DgcClasses.SHAPES.get(type);
    bytes.write(StreamTokens.TC_CLASSDESC);
    writeText(type);
    writeLong(shape.suid());
    handles.put(type, nextHandle++);
    bytes.write(StreamTokens.SC_SERIALIZABLE);
    writeShort(shape.fields().size());
    for (StreamClass.Field field : shape.fields()) {
      bytes.write(field.signature().charAt(0));
      writeText(field.name());
      if (field.signature().length() > 1) {
        typeString(field.signature());
      }
    }
    bytes.write(StreamTokens.TC_NULL); // no codebase
    bytes.write(StreamTokens.TC_ENDBLOCKDATA);
    bytes.write(StreamTokens.TC_NULL); // no superclass
  }

  /** Type strings and class names are different objects; only the latter have dots. */
  private void typeString(String type) {
    String key = "type " + type;
    if (!reference(key)) {
      bytes.write(StreamTokens.TC_STRING);
      writeText(type);
      handles.put(key, nextHandle++);
    }
  }

  private boolean reference(String key) {
    Integer handle = handles.get(key);
    if (handle == null) {
      return false;
    }
    bytes.write(StreamTokens.TC_REFERENCE);
    writeInt(handle);
    return true;
  }

  private void writeShort(int value) {
    bytes.write(value >>> 8);
    bytes.write(value);
  }

  private void writeInt(int value) {
    writeShort(value >>> 16);
    writeShort(value);
  }

  private void writeLong(long value) {
    writeInt((int) (value >>> 32));
    writeInt((int) value);
  }

  /** Names of these classes and fields are ASCII. */
  private void writeText(String ascii) {
    writeShort(ascii.length());
    for (int i = 0; i < ascii.length(); i++) {
      bytes.write(ascii.charAt(i));
    }
  }
}
