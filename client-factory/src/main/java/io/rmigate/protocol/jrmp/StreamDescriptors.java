package io.rmigate.protocol.jrmp;

import static io.rmigate.protocol.jrmp.StreamTokens.BASE_WIRE_HANDLE;
import static io.rmigate.protocol.jrmp.StreamTokens.SC_EXTERNALIZABLE;
import static io.rmigate.protocol.jrmp.StreamTokens.SC_SERIALIZABLE;
import static io.rmigate.protocol.jrmp.StreamTokens.TC_CLASSDESC;
import static io.rmigate.protocol.jrmp.StreamTokens.TC_LONGSTRING;
import static io.rmigate.protocol.jrmp.StreamTokens.TC_NULL;
import static io.rmigate.protocol.jrmp.StreamTokens.TC_PROXYCLASSDESC;
import static io.rmigate.protocol.jrmp.StreamTokens.TC_REFERENCE;
import static io.rmigate.protocol.jrmp.StreamTokens.TC_STRING;

import java.util.Arrays;

/**
 * Reads class descriptors, step by step, and finds them and strings again by their handles: a
 * descriptor refers to such. Names a superclass by a frame, under that of the annotation, which
 * comes first. For one thread.
 */
abstract class StreamDescriptors extends StreamFrames {
  static final int REFERENCE_BYTES = 5;

  private static final int FEW_CLASSES = 4;
  private static final StreamClass[] NO_CLASSES = {};
  private static final long[] NO_FOLLOWERS = {};
  private static final int NO_CLASS = Integer.MAX_VALUE;

  StreamObserver observer;

  /** Where the first content stood; moves with what is forgotten. */
  long begin;

  final StreamHandles handles = new StreamHandles();
  StreamClass[] classes = NO_CLASSES;
  int classCount;

  /** The class descriptor read last; null for TC_NULL. */
  StreamClass type;

  /** Index of the class that was referred to last, since handles were forgotten. */
  private int latest = NO_CLASS;

  /**
   * By class: the number of the handle, plus one, and the index of the class that was referred to
   * behind it, last time; 0 before. Made for the first: most descriptors are never referred to.
   */
  private long[] followers = NO_FOLLOWERS;

  /** Descriptors that have begun and not ended, each within the one before. */
  int openClasses;

  /** Where the outermost of them begins, if there is one. */
  int outermost;

  /** The end of the last descriptor: what stands before it may be referred to. */
  int kept;

  /** How many class descriptors may stand in however few bytes. */
  private final int freeDescriptors;

  StreamDescriptors(int freeDescriptors) {
    this.freeDescriptors = freeDescriptors;
  }

  /** Reads what may stand where a class descriptor is expected; leaves it in {@link #type}. */
  final void classDescriptor() throws Stop {
    int token = peek();
    switch (token) {
      case TC_NULL -> {
        pos++;
        type = null;
      }
      case TC_REFERENCE -> {
        type = knownClass(pos);
        pos += REFERENCE_BYTES;
      }
      case TC_CLASSDESC -> plainDescriptor();
      case TC_PROXYCLASSDESC -> proxyDescriptor();
      default ->
          throw malformed("expected a class descriptor, got 0x" + Integer.toHexString(token));
    }
  }

  /**
   * The class to whose descriptor the reference there refers. Objects come in patterns: it is tried
   * first which class came behind the latest one before, so that where the object ends is known
   * without waiting for a look into the table of handles.
   */
  final StreamClass knownClass(int at) throws Stop {
    int handle = reference(at);
    int before = latest;
    if (before < followers.length) {
      long follower = followers[before];
      if ((int) (follower >>> Integer.SIZE) == handle + 1) {
        latest = (int) follower;
        return classes[latest];
      }
    }
    StreamClass its = classOf(handle, at);
    if (before != NO_CLASS) {
      noteFollower(before, (handle + 1L) << Integer.SIZE | its.index());
    }
    latest = its.index();
    return its;
  }

  private void noteFollower(int before, long follower) {
    if (before >= followers.length) {
      followers = Arrays.copyOf(followers, classes.length);
    }
    followers[before] = follower;
  }

  private StreamClass classOf(int handle, int at) throws Stop {
    int entry = handles.entry(handle);
    if (entry >= 0 || !classes[~entry].finished) {
      throw malformed("the handle is not that of a class descriptor", at);
    }
    return classes[~entry];
  }

  private void plainDescriptor() throws Stop {
    need(3);
    int nameAt = pos + 3;
    int nameLength = BigEndian.unsignedShort(buf, pos + 1);
    need(3L + nameLength + StreamClass.BYTES_BEHIND_NAME);
    text(nameAt, nameLength);
    int at = nameAt + nameLength;
    byte flags = buf[at + 8];
    short fieldCount = BigEndian.int16(buf, at + 9);
    if (fieldCount < 0) {
      throw malformed("negative number of fields " + fieldCount);
    }
    StreamClass descriptor =
        new StreamClass(buf, classCount, false, nameAt, nameLength, flags, fieldCount);
    int both = SC_SERIALIZABLE | SC_EXTERNALIZABLE;
    if ((flags & both) == both) {
      throw malformed("flags 0x" + Integer.toHexString(flags) + " contradict each other");
    }
    if (descriptor.isEnum() && (descriptor.serialVersionUid() != 0 || fieldCount != 0)) {
      throw malformed("an enum with a serialVersionUID or fields");
    }
    declare(descriptor);
    pos = at + StreamClass.BYTES_BEHIND_NAME;
    if (fieldCount > 0) {
      push(FIELDS, fieldCount, descriptor);
    } else {
      annotation(descriptor);
    }
  }

  final void field(StreamClass descriptor) throws Stop {
    need(3);
    byte code = buf[pos];
    int length = BigEndian.unsignedShort(buf, pos + 1);
    need(3L + length);
    text(pos + 3, length);
    if (code == 'L' || code == '[') {
      pos += 3 + length;
      int typeStringAt = typeString(code);
      int[] typeStrings = descriptor.typeStringsAt;
      if (descriptor.objectFields == typeStrings.length) {
        typeStrings = Arrays.copyOf(typeStrings, Math.max(4, 2 * typeStrings.length));
        descriptor.typeStringsAt = typeStrings;
      }
      typeStrings[descriptor.objectFields++] = typeStringAt;
      return;
    }
    int size = sizeOf(code);
    if (size == 0) {
      throw malformed("unknown field type 0x" + Integer.toHexString(code & 0xFF));
    }
    if (descriptor.objectFields > 0) {
      throw malformed("a primitive field after an object field");
    }
    descriptor.primitiveBytes += size;
    pos += 3 + length;
  }

  /**
   * Reads the type string of an object field. The JDK believes the string, not the type code: one
   * that says otherwise would make it read a primitive where an object seems to stand.
   */
  private int typeString(byte code) throws Stop {
    int at = pos;
    int token = peek();
    if (token == TC_REFERENCE) {
      int entry = handles.entry(reference(at));
      pos = at + REFERENCE_BYTES;
      if (entry <= 0) {
        throw malformed("the handle is not that of a string", at);
      }
      at = entry;
    } else if (token == TC_STRING || token == TC_LONGSTRING) {
      pos = endOfString(at);
      assign(at);
    } else {
      throw malformed("expected a type string, got 0x" + Integer.toHexString(token));
    }
    boolean small = buf[at] == TC_STRING;
    long length = small ? BigEndian.unsignedShort(buf, at + 1) : BigEndian.int64(buf, at + 1);
    if (length == 0 || buf[at + (small ? 3 : 9)] != code) {
      throw malformed("the type string contradicts the type code " + (char) code, at);
    }
    return at;
  }

  private void proxyDescriptor() throws Stop {
    need(5);
    int count = BigEndian.int32(buf, pos + 1);
    if (count < 0 || count > MessageGrammar.MAX_PROXY_INTERFACES) {
      throw malformed("a proxy with 0x" + Integer.toHexString(count) + " interfaces");
    }
    declare(
        new StreamClass(buf, classCount, true, pos + 1, count, (byte) SC_SERIALIZABLE, (short) 0));
    StreamClass descriptor = classes[classCount - 1];
    pos += 5;
    if (count > 0) {
      push(INTERFACES, count, descriptor);
    } else {
      annotation(descriptor);
    }
  }

  final void proxyInterface() throws Stop {
    need(2);
    int length = BigEndian.unsignedShort(buf, pos);
    need(2L + length);
    text(pos + 2, length);
    pos += 2 + length;
  }

  private void declare(StreamClass descriptor) throws Stop {
    if (classCount >= MessageGrammar.mostClassDescriptors(freeDescriptors, pos - begin)) {
      throw limit(classCount + " class descriptors in " + (pos - begin) + " bytes");
    }
    if (classCount == MessageGrammar.MAX_CLASS_DESCRIPTORS) {
      throw limit("more than " + MessageGrammar.MAX_CLASS_DESCRIPTORS + " class descriptors");
    }
    if (classCount == classes.length) {
      classes = Arrays.copyOf(classes, Math.max(FEW_CLASSES, 2 * classCount));
    }
    classes[classCount] = descriptor;
    if (classCount < followers.length) {
      followers[classCount] = 0; // of one that has been forgotten
    }
    assign(~classCount);
    classCount++;
    if (openClasses++ == 0) {
      outermost = descriptor.begin();
    }
  }

  final void annotation(StreamClass descriptor) throws Stop {
    push(SUPERCLASS, 0, descriptor);
    push(ANNOTATION, 0, descriptor);
    if (observer != null) {
      observer.beginAnnotation(descriptor);
    }
  }

  final void finish(StreamClass descriptor) throws Stop {
    if (type != null && type.proxy) {
      throw malformed("a proxy class as superclass");
    }
    descriptor.finish(type, buf);
    openClasses--;
    type = descriptor;
    kept = pos;
    if (observer != null) {
      observer.onClassDescriptor(descriptor);
    }
  }

  /** The end of the string whose token stands there. */
  final int endOfString(int at) throws Stop {
    if (buf[at] == TC_STRING) {
      need(3, at);
      int length = BigEndian.unsignedShort(buf, at + 1);
      need(3L + length, at);
      text(at + 3, length);
      return at + 3 + length;
    }
    need(9, at);
    long length = BigEndian.int64(buf, at + 1);
    if (length < 0) {
      throw malformed("a string of negative length 0x" + Long.toHexString(length), at);
    }
    if (length > limit - at - 9) {
      throw truncated();
    }
    text(at + 9, (int) length);
    return at + 9 + (int) length;
  }

  /** The number of the handle to which the reference there refers. */
  final int reference(int at) throws Stop {
    if (limit - at < REFERENCE_BYTES) {
      throw truncated();
    }
    int handle = BigEndian.int32(buf, at + 1) - BASE_WIRE_HANDLE;
    if (handle < 0 || handle >= handles.count()) {
      throw malformed("no such handle 0x" + Integer.toHexString(BASE_WIRE_HANDLE + handle), at);
    }
    return handle;
  }

  /** The handle of an object that begins. */
  final int assign() throws Stop {
    if (handles.isFull()) {
      throw tooManyHandles();
    }
    return BASE_WIRE_HANDLE + handles.addObject();
  }

  /** The handle of a string or a descriptor that stands for this. */
  final int assign(int entry) throws Stop {
    if (handles.isFull()) {
      throw tooManyHandles();
    }
    return BASE_WIRE_HANDLE + handles.add(entry);
  }

  /** There are none any more. */
  final void clearHandles() {
    handles.clear();
    latest = NO_CLASS;
  }

  private static Stop tooManyHandles() {
    return limit("more than " + MessageGrammar.MAX_HANDLES + " handles");
  }
}
