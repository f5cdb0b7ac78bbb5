package io.rmigate.protocol.jrmp;

import static io.rmigate.protocol.jrmp.StreamHandles.OTHER_OBJECT;
import static io.rmigate.protocol.jrmp.StreamTokens.BASE_WIRE_HANDLE;
import static io.rmigate.protocol.jrmp.StreamTokens.SC_BLOCK_DATA;
import static io.rmigate.protocol.jrmp.StreamTokens.SC_EXTERNALIZABLE;
import static io.rmigate.protocol.jrmp.StreamTokens.SC_SERIALIZABLE;
import static io.rmigate.protocol.jrmp.StreamTokens.TC_ARRAY;
import static io.rmigate.protocol.jrmp.StreamTokens.TC_BLOCKDATA;
import static io.rmigate.protocol.jrmp.StreamTokens.TC_BLOCKDATALONG;
import static io.rmigate.protocol.jrmp.StreamTokens.TC_CLASS;
import static io.rmigate.protocol.jrmp.StreamTokens.TC_CLASSDESC;
import static io.rmigate.protocol.jrmp.StreamTokens.TC_ENDBLOCKDATA;
import static io.rmigate.protocol.jrmp.StreamTokens.TC_ENUM;
import static io.rmigate.protocol.jrmp.StreamTokens.TC_EXCEPTION;
import static io.rmigate.protocol.jrmp.StreamTokens.TC_LONGSTRING;
import static io.rmigate.protocol.jrmp.StreamTokens.TC_NULL;
import static io.rmigate.protocol.jrmp.StreamTokens.TC_OBJECT;
import static io.rmigate.protocol.jrmp.StreamTokens.TC_PROXYCLASSDESC;
import static io.rmigate.protocol.jrmp.StreamTokens.TC_REFERENCE;
import static io.rmigate.protocol.jrmp.StreamTokens.TC_RESET;
import static io.rmigate.protocol.jrmp.StreamTokens.TC_STRING;

import io.rmigate.protocol.jrmp.MessageEnd.Aborted;
import io.rmigate.protocol.jrmp.MessageEnd.Complete;
import io.rmigate.protocol.jrmp.MessageEnd.Malformed;
import io.rmigate.protocol.jrmp.MessageEnd.Truncated;
import io.rmigate.protocol.jrmp.MessageEnd.Unparseable;
import java.util.Arrays;
import java.util.Optional;

/**
 * Steps over the contents of one serialization stream (Java Object Serialization specification,
 * section 6.4, protocol versions 1 and 2), without classes and without recursion. Where the
 * specification's grammar and {@link java.io.ObjectInputStream} of JDK 17 to 25 differ, the JDK
 * wins, and what it would refuse is malformed: a reader more lenient than the receiver is a hole.
 *
 * <p>The stack holds what is still to come, the next on top. Every step pushes a bounded number of
 * frames and consumes at least one byte, or pops, or leads to one that does, so that the time is
 * linear in the length of the range. A step that runs out of bytes is undone and done again when
 * there are more: each takes one token, so that a stream may come in any pieces without being
 * parsed again from its beginning. A step tells its observer only once it has all its bytes, so
 * that nothing is told twice. For one stream and one thread.
 */
final class StreamParser {

  /** Contents until a byte that is no type code, or the end of the range. Always at the bottom. */
  private static final byte TOP = 0;

  /** {@code count} objects. */
  private static final byte OBJECTS = 1;

  /** {@code count} elements of an array, then {@link #END}: as one, since arrays nest cheaply. */
  private static final byte TOLD_ELEMENTS = 2;

  /** Blocks and objects until TC_ENDBLOCKDATA. */
  private static final byte CUSTOM = 3;

  /** Blocks and objects until TC_ENDBLOCKDATA, then the descriptor of the superclass. */
  private static final byte ANNOTATION = 4;

  /** Frames up to this one hold contents. */
  private static final byte LAST_OF_CONTENTS = ANNOTATION;

  /** Everything was said by TC_EXCEPTION. In place of {@link #TOP} from then on. */
  private static final byte ABORTED = 5;

  /** {@code count} unframed bytes. */
  private static final byte RAW = 6;

  /** The data of one class of an object. */
  private static final byte CLASS_DATA = 7;

  /** The superclass was read: finish the descriptor. */
  private static final byte SUPERCLASS = 8;

  /** The descriptor of a TC_OBJECT was read: its data follow. */
  private static final byte OBJECT_TYPE = 9;

  private static final byte ARRAY_TYPE = 10;
  private static final byte ENUM_TYPE = 11;
  private static final byte CLASS_TYPE = 12;

  /** Tells the observer that something is over; absent without one. */
  private static final byte END = 13;

  /** {@code count} fields of a class descriptor. */
  private static final byte FIELDS = 14;

  /** {@code count} interfaces of a proxy class descriptor. */
  private static final byte INTERFACES = 15;

  /** The name of an enum constant. */
  private static final byte ENUM_NAME = 16;

  /** The data of an Externalizable without framing. */
  private static final byte EXTERNAL = 17;

  /** A class descriptor, be it that of a superclass or an object of its own. */
  private static final byte DESCRIPTOR = 18;

  /** {@code count} bytes of an array of primitives, in what pieces they come. */
  private static final byte ELEMENTS = 19;

  /** {@code count} bytes of a long text, in what pieces they come. */
  private static final byte TEXT = 20;

  private static final int COUNT_BITS = 16;
  private static final int COUNT = (1 << COUNT_BITS) - 1;

  /** The longest text that a TC_STRING holds; a shorter one has no need of pieces. */
  private static final int MAX_SHORT_TEXT_BYTES = 0xFFFF;

  /**
   * A receiver takes memory for all of an array when it begins: for so many bytes of it, or for an
   * eighth as many elements that are objects, one byte must have come.
   */
  private static final int BELIEVED_BYTES = 64;

  private static final int BELIEVED_ELEMENTS = 8;

  private static final int FEW_FRAMES = 4;
  private static final int FEW_CLASSES = 4;
  private static final StreamClass[] NO_CLASSES = {};
  private static final int REFERENCE_BYTES = 5;

  private byte[] buf;
  private int limit;

  /** More may come behind {@link #limit}, so that a step may have to be undone. */
  private final boolean growing;

  /** How many class descriptors may stand in however few bytes. */
  private final int freeDescriptors;

  private StreamObserver observer;
  private int pos;

  /** Where the first content stood; moves with what is forgotten. */
  private long begin;

  /** Where the content begins that the observer was told of last; −1 before. */
  private int told = -1;

  private byte[] frames = new byte[FEW_FRAMES];

  /** What remains of a frame, and in the upper half the index of its class, if it is of one. */
  private int[] counts = new int[FEW_FRAMES];

  private int depth;

  private final StreamHandles handles = new StreamHandles();
  private StreamClass[] classes = NO_CLASSES;
  private int classCount;

  /** Descriptors that have begun and not ended, each within the one before. */
  private int openClasses;

  /** Where the outermost of them begins, if there is one. */
  private int outermost;

  /** The class descriptor read last; null for TC_NULL. */
  private StreamClass type;

  /** Null if not {@link #growing}. */
  private final Step step;

  /** The end of the last descriptor: what stands before it may be referred to. */
  private int kept;

  private StreamParser(boolean growing, int freeDescriptors) {
    this.growing = growing;
    this.step = growing ? new Step() : null;
    this.freeDescriptors = freeDescriptors;
  }

  /** A parser of several streams that are there as a whole: {@link #restart} comes first. */
  static StreamParser reusable() {
    return new StreamParser(false, MessageGrammar.FREE_IN_NESTED);
  }

  /** At the first content of a stream; {@code observer} may be null. */
  void restart(int at, StreamObserver its) {
    pos = at;
    begin = at;
    kept = at;
    told = -1;
    observer = its;
    type = null;
    handles.clear();
    classCount = 0;
    openClasses = 0;
    frames[0] = TOP;
    depth = 1;
  }

  /**
   * A parser of a stream that comes in pieces, whose first content stands at {@code pos}; {@code
   * observer} may be null.
   */
  static StreamParser at(int pos, StreamObserver observer) {
    StreamParser parser = new StreamParser(true, MessageGrammar.FREE_CLASS_DESCRIPTORS);
    parser.restart(pos, observer);
    return parser;
  }

  /**
   * What stands before this index has been told to the observer. A descriptor is told as a whole,
   * when its superclass is known: until then that is where the outermost one begins.
   */
  int position() {
    return openClasses > 0 ? outermost : pos;
  }

  /** How many bytes right before {@link #position} nothing refers to that may still come. */
  int forgettable() {
    return openClasses == 0 ? pos - kept : 0;
  }

  /**
   * So many of those have been cut out: strings among them can be referred to as objects only.
   *
   * @param moved holds the other bytes
   */
  void forget(int count, byte[] moved) {
    handles.forgetTextsFrom(kept);
    moveTo(moved);
    told = told == pos ? pos - count : -1;
    pos -= count;
    begin -= count;
  }

  private void moveTo(byte[] moved) {
    buf = moved;
    for (int i = 0; i < classCount; i++) {
      classes[i].moveTo(moved);
    }
  }

  /** About as many bytes as it takes to know what was told. */
  long rememberedBytes() {
    return handles.bytes() + (long) classCount * StreamClass.BYTES;
  }

  /** Parses the contents from {@code pos} on; {@code observer} may be null. */
  static MessageEnd parse(byte[] buf, int pos, int limit, StreamObserver observer) {
    StreamParser parser = new StreamParser(false, MessageGrammar.FREE_CLASS_DESCRIPTORS);
    parser.restart(pos, observer);
    return parser.parse(buf, limit);
  }

  /**
   * Parses on.
   *
   * @param buf holds what it held before, and perhaps more; not necessarily the same array
   */
  MessageEnd parse(byte[] buf, int limit) {
    if (this.buf != buf) {
      moveTo(buf); // or the old one stays for as long as the classes that were found in it
    }
    this.limit = limit;
    try {
      return run();
    } catch (Stop stop) {
      if (growing) {
        undoStep();
      }
      return stop.end;
    }
  }

  private void beginStep(int top) {
    step.pos = pos;
    step.depth = depth;
    step.frame = frames[top];
    step.count = counts[top];
    step.type = type;
    step.handles = handles.count();
    step.classes = classCount;
  }

  private void undoStep() {
    pos = step.pos;
    depth = step.depth;
    frames[depth - 1] = step.frame;
    counts[depth - 1] = step.count;
    type = step.type;
    handles.takeBack(step.handles);
    openClasses -= classCount - step.classes;
    classCount = step.classes;
  }

  /**
   * Step after step. What holds contents is told apart first, and contents are stepped over in one
   * place: so what most of a message is made of becomes one piece of machine code.
   */
  private MessageEnd run() throws Stop {
    while (true) {
      int top = depth - 1;
      if (growing) {
        beginStep(top);
      }
      byte frame = frames[top];
      if (frame > LAST_OF_CONTENTS) {
        if (frame == ABORTED) {
          return new Aborted(pos);
        }
        step(frame, top);
      } else if (frame == TOP && (pos == limit || !StreamTokens.isTypeCode(buf[pos]))) {
        return new Complete(pos);
      } else if (frame == CUSTOM || goesOn(frame, top)) {
        content(frame);
      }
    }
  }

  /** Whether another content follows; if not, what held them is over. */
  private boolean goesOn(byte frame, int top) throws Stop {
    switch (frame) {
      case OBJECTS -> {
        if (--counts[top] == 0) {
          depth--;
        }
        return true;
      }
      case TOLD_ELEMENTS -> {
        if (counts[top] > 0) {
          counts[top]--;
          return true;
        }
        depth--;
        observer.onEnd();
        return false;
      }
      case TOP -> {
        if (observer != null && told != pos) {
          told = pos;
          observer.onContent(pos);
        }
        return true;
      }
      default -> {
        return true; // it ends with a token of its own
      }
    }
  }

  /** What is neither a content nor the end of some. */
  private void step(byte frame, int top) throws Stop {
    switch (frame) {
      case END -> {
        depth--;
        observer.onEnd();
      }
      case CLASS_DATA -> {
        depth--;
        classData(classOf(top));
      }
      case RAW -> {
        depth--;
        external(counts[top]);
      }
      case DESCRIPTOR -> {
        depth--;
        classDescriptor();
      }
      case SUPERCLASS -> {
        depth--;
        finish(classOf(top));
      }
      case OBJECT_TYPE -> {
        depth--;
        objectData(type);
      }
      case ARRAY_TYPE -> {
        depth--;
        array(type);
      }
      case ENUM_TYPE -> {
        depth--;
        enumConstant(type);
      }
      case ENUM_NAME -> {
        depth--;
        enumName();
      }
      case EXTERNAL -> {
        depth--;
        externalData(classOf(top));
      }
      case ELEMENTS -> {
        int count = Math.min(counts[top], limit - pos);
        if (count == 0) {
          throw truncated();
        }
        passed(count, top);
      }
      case TEXT -> {
        int count = Math.min(counts[top], limit - pos);
        int whole = ModifiedUtf8.validLength(buf, pos, count);
        if (count - whole >= ModifiedUtf8.MAX_CHAR_BYTES
            || (whole < count && count == counts[top])) {
          throw malformed("not modified UTF-8", pos + whole);
        }
        if (whole == 0) {
          throw truncated();
        }
        passed(whole, top);
      }
      case CLASS_TYPE -> {
        depth--;
        classObject(type);
      }
      case FIELDS -> {
        field(classOf(top));
        if ((--counts[top] & COUNT) == 0) {
          depth--;
          annotation(classOf(top));
        }
      }
      case INTERFACES -> {
        proxyInterface();
        if ((--counts[top] & COUNT) == 0) {
          depth--;
          annotation(classOf(top));
        }
      }
      default -> throw new AssertionError("frame " + frame);
    }
  }

  /** So many bytes of what comes in any pieces. */
  private void passed(int count, int top) {
    pos += count;
    counts[top] -= count;
    if (counts[top] == 0) {
      depth--;
    }
  }

  /** With the data of its last class an object is over. */
  private void endIfOver() {
    if (frames[depth - 1] == END) {
      depth--;
      observer.onEnd();
    }
  }

  /** An object, or where they may stand a block, TC_RESET or the end. */
  private void content(byte frame) throws Stop {
    int token = peek();
    switch (token) {
      case TC_REFERENCE -> {
        int handle = reference(pos);
        pos += REFERENCE_BYTES;
        if (observer != null) {
          observer.onReference(BASE_WIRE_HANDLE + handle);
        }
      }
      case TC_OBJECT, TC_ARRAY, TC_ENUM, TC_CLASS -> typed(token);
      case TC_STRING -> string();
      case TC_NULL -> {
        pos++;
        if (observer != null) {
          observer.onNull();
        }
      }
      case TC_BLOCKDATA, TC_BLOCKDATALONG -> {
        if (frame == OBJECTS || frame == TOLD_ELEMENTS) {
          throw noObject(token);
        }
        block(token);
      }
      case TC_ENDBLOCKDATA -> endOfContents(frame);
      default -> rareContent(frame, token);
    }
  }

  private void rareContent(byte frame, int token) throws Stop {
    switch (token) {
      case TC_CLASSDESC, TC_PROXYCLASSDESC -> {
        push(DESCRIPTOR, 0);
        if (observer != null) {
          observer.onDescriptorObject();
        }
      }
      case TC_LONGSTRING -> longString();
      case TC_EXCEPTION -> exception();
      case TC_RESET -> {
        if (frame != TOP) {
          throw malformed("TC_RESET inside an object");
        }
        pos++;
        forgetHandles();
      }
      default -> throw noObject(token);
    }
  }

  /** TC_ENDBLOCKDATA: of what it ends, only. */
  private void endOfContents(byte frame) throws Stop {
    if (frame != CUSTOM && frame != ANNOTATION) {
      throw noObject(TC_ENDBLOCKDATA);
    }
    pos++;
    depth--;
    if (frame == CUSTOM) {
      endIfOver();
      return;
    }
    push(DESCRIPTOR, 0);
    if (observer != null) {
      observer.onEnd();
    }
  }

  private Stop noObject(int token) {
    return malformed("expected an object, got 0x" + Integer.toHexString(token));
  }

  private void block(int token) throws Stop {
    int at = pos + (token == TC_BLOCKDATA ? 2 : 5);
    if (at > limit) {
      throw truncated();
    }
    int length = token == TC_BLOCKDATA ? buf[at - 1] & 0xFF : BigEndian.int32(buf, at - 4);
    if (length < 0) {
      throw malformed("block of negative length 0x" + Integer.toHexString(length));
    }
    if (limit - at < length) {
      throw truncated();
    }
    if (observer != null) {
      observer.onBlockData(at, length);
    }
    pos = at + length;
  }

  /** Of a class that is known already it goes on at once: that takes no more bytes to begin. */
  private void typed(int token) throws Stop {
    int at = pos + 1;
    if (at == limit || buf[at] != TC_REFERENCE) {
      beginTyped(token);
      return;
    }
    StreamClass its = knownClass(at);
    pos = at + REFERENCE_BYTES;
    if (token == TC_OBJECT) {
      objectData(its);
    } else if (token == TC_ARRAY) {
      array(its);
    } else if (token == TC_ENUM) {
      enumConstant(its);
    } else {
      classObject(its);
    }
  }

  private void beginTyped(int token) throws Stop {
    pos++;
    push(
        switch (token) {
          case TC_OBJECT -> OBJECT_TYPE;
          case TC_ARRAY -> ARRAY_TYPE;
          case TC_ENUM -> ENUM_TYPE;
          default -> CLASS_TYPE;
        },
        0);
    push(DESCRIPTOR, 0);
  }

  /** Reads what may stand where a class descriptor is expected; leaves it in {@link #type}. */
  private void classDescriptor() throws Stop {
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

  /** The class to whose descriptor the reference there refers. */
  private StreamClass knownClass(int at) throws Stop {
    int entry = handles.entry(reference(at));
    if (entry >= 0 || entry == OTHER_OBJECT || !classes[~entry].finished) {
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

  private void field(StreamClass descriptor) throws Stop {
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
      if (entry < 0) {
        throw malformed("the handle is not that of a string", at);
      }
      at = entry;
    } else if (token == TC_STRING || token == TC_LONGSTRING) {
      skipString();
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

  private void proxyInterface() throws Stop {
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
    assign(~classCount);
    classCount++;
    if (openClasses++ == 0) {
      outermost = descriptor.begin();
    }
  }

  private void annotation(StreamClass descriptor) throws Stop {
    push(SUPERCLASS, 0, descriptor);
    push(ANNOTATION, 0, descriptor);
    if (observer != null) {
      observer.beginAnnotation(descriptor);
    }
  }

  private void finish(StreamClass descriptor) throws Stop {
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

  private void classObject(StreamClass its) throws Stop {
    if (its == null) {
      throw malformed("a class object without a class descriptor");
    }
    int handle = assign(OTHER_OBJECT);
    if (observer != null) {
      observer.onClass(handle, its);
    }
  }

  private void objectData(StreamClass its) throws Stop {
    if (its == null) {
      throw malformed("an object without a class descriptor");
    }
    int plainBytes = its.plainBytes;
    if (plainBytes >= 0 && limit - pos >= plainBytes) {
      int handle = assign(OTHER_OBJECT);
      if (observer != null) {
        observer.onPlainObject(handle, its, pos);
      }
      pos += plainBytes;
    } else {
      objectInParts(its);
    }
  }

  private void objectInParts(StreamClass its) throws Stop {
    if (its.isEnum()) {
      throw malformed("an enum constant as TC_OBJECT");
    }
    int handle = assign(OTHER_OBJECT);
    if (observer != null) {
      observer.beginObject(handle, its);
      push(END, 0);
    }
    if (its.isExternalizable()) {
      if ((its.flags & SC_BLOCK_DATA) != 0) {
        push(CUSTOM, 0);
      } else if (growing) {
        push(EXTERNAL, 0, its);
      } else {
        externalData(its);
      }
      return;
    }
    if (!its.serializableChain) {
      throw malformed("an object of a class that is not serializable: " + its.label());
    }
    StreamClass next = its.firstWithData;
    while (next != null) {
      StreamClass above = next.nextWithData();
      if (above == null && !growing) {
        classData(next); // at once, for no step is undone
      } else {
        push(CLASS_DATA, 0, next);
      }
      next = above;
    }
  }

  private void classData(StreamClass its) throws Stop {
    boolean defaultFields =
        observer == null || !its.hasWriteMethod() || observer.writesDefaultFields(its);
    if (defaultFields) {
      need(its.primitiveBytes);
    }
    if (observer != null) {
      observer.onClassData(its, defaultFields ? pos : -1);
    }
    if (its.hasWriteMethod()) {
      push(CUSTOM, 0);
    }
    if (defaultFields) {
      pos += its.primitiveBytes;
      pushObjects(its.objectFields);
    }
  }

  private void array(StreamClass its) throws Stop {
    byte elementType = elementType(its);
    need(4);
    int length = BigEndian.int32(buf, pos);
    if (length < 0) {
      throw malformed("an array of negative length 0x" + Integer.toHexString(length));
    }
    pos += 4;
    int handle = assign(OTHER_OBJECT);
    if (elementType == 'L' || elementType == '[') {
      elements(handle, its, length);
    } else {
      primitives(handle, its, length, (long) sizeOf(elementType) * length);
    }
  }

  /** The first letter of the type of an array's elements. */
  private byte elementType(StreamClass array) throws Stop {
    if (array == null
        || array.proxy
        || array.isExternalizable()
        || array.nameLength < 2
        || buf[array.nameAt] != '[') {
      throw malformed("an array whose class is none");
    }
    byte type = buf[array.nameAt + 1];
    boolean primitive = array.nameLength == 2 && sizeOf(type) > 0;
    if (!primitive && type != 'L' && type != '[') {
      throw malformed("unknown array class " + array.label());
    }
    return type;
  }

  private void elements(int handle, StreamClass array, int length) throws Stop {
    // An element takes a byte at least, so a larger number cannot be in the range.
    need(takesPieces() ? length / BELIEVED_ELEMENTS : length);
    if (observer != null) {
      observer.beginArray(handle, array, length, -1);
      push(TOLD_ELEMENTS, length);
    } else {
      pushObjects(length);
    }
  }

  private void primitives(int handle, StreamClass array, int length, long bytes) throws Stop {
    boolean inPieces = bytes <= Integer.MAX_VALUE && takesPieces();
    need(inPieces ? bytes / BELIEVED_BYTES : bytes);
    if (observer != null) {
      observer.onPlainArray(handle, array, length, pos);
    }
    if (bytes > limit - pos) {
      push(ELEMENTS, (int) bytes);
    } else {
      pos += (int) bytes;
    }
  }

  private boolean takesPieces() {
    return growing && observer != null && observer.takesPieces();
  }

  private void enumConstant(StreamClass its) throws Stop {
    if (its == null || !its.isEnum()) {
      throw malformed("an enum constant whose class is no enum");
    }
    int handle = assign(OTHER_OBJECT);
    push(ENUM_NAME, 0);
    if (observer != null) {
      observer.beginEnum(handle, its);
    }
  }

  private void enumName() throws Stop {
    int token = peek();
    if (token != TC_STRING && token != TC_LONGSTRING) {
      throw malformed("expected the name of an enum constant, got 0x" + Integer.toHexString(token));
    }
    string();
    if (observer != null) {
      observer.onEnd();
    }
  }

  private void string() throws Stop {
    int at = pos;
    int header = buf[at] == TC_STRING ? 3 : 9;
    int handle = skipString();
    if (observer != null) {
      observer.onString(handle, at + header, pos - at - header);
    }
  }

  /** One that comes in pieces is not kept: no field's type may refer to it. */
  private void longString() throws Stop {
    need(9);
    long length = BigEndian.int64(buf, pos + 1);
    if (length <= MAX_SHORT_TEXT_BYTES || length > Integer.MAX_VALUE || !takesPieces()) {
      string();
      return;
    }
    observer.onString(assign(OTHER_OBJECT), pos + 9, (int) length);
    pos += 9;
    push(TEXT, (int) length);
  }

  private int skipString() throws Stop {
    int at = pos;
    if (buf[at] == TC_STRING) {
      need(3);
      int length = BigEndian.unsignedShort(buf, at + 1);
      need(3L + length);
      text(at + 3, length);
      pos += 3 + length;
    } else {
      need(9);
      long length = BigEndian.int64(buf, at + 1);
      if (length < 0) {
        throw malformed("a string of negative length 0x" + Long.toHexString(length));
      }
      if (length > limit - at - 9) {
        throw truncated();
      }
      text(at + 9, (int) length);
      pos += 9 + (int) length;
    }
    return assign(at);
  }

  /** The JDK stops in the middle of a text that is none. */
  private void text(int at, int length) throws Stop {
    if (!ModifiedUtf8.isValid(buf, at, length)) {
      throw malformed("not modified UTF-8", at);
    }
  }

  /** What was begun is abandoned; the exception is the last there is. */
  private void exception() throws Stop {
    need(2);
    if (buf[pos + 1] != TC_OBJECT) {
      throw malformed("TC_EXCEPTION is not followed by an object", pos + 1);
    }
    pos++;
    depth = 0;
    openClasses = 0;
    push(ABORTED, 0);
    pushObjects(1); // in a step of its own: this one cannot be undone from here on
    forgetHandles();
  }

  private void forgetHandles() {
    handles.clear();
    if (observer != null) {
      observer.onReset();
    }
  }

  /** The data of an Externalizable without framing: only by knowing its class. */
  private void externalData(StreamClass its) throws Stop {
    ExternalLayout layout = its.externalLayout();
    if (layout == null) {
      throw new Stop(
          new Unparseable(
              "unframed data of the Externalizable " + its.label(), Optional.of(its.name())));
    }
    int first = layout.leadingBytes(buf, pos, limit);
    switch (first) {
      case ExternalLayout.TRUNCATED -> throw truncated();
      case ExternalLayout.MALFORMED -> throw malformed("not the data of a " + its.label());
      default -> {
        int objects = layout.objects(buf, pos);
        if (objects > 0) {
          int trailing = layout.trailingBytes(buf, pos);
          if (trailing > 0) {
            push(RAW, trailing);
          }
          pushObjects(objects);
        }
        external(first);
      }
    }
  }

  private void external(int length) throws Stop {
    need(length);
    if (observer != null) {
      observer.onExternalData(pos, length);
    }
    pos += length;
    endIfOver();
  }

  /** The number of the handle to which the reference there refers. */
  private int reference(int at) throws Stop {
    if (limit - at < REFERENCE_BYTES) {
      throw truncated();
    }
    int handle = BigEndian.int32(buf, at + 1) - BASE_WIRE_HANDLE;
    if (handle < 0 || handle >= handles.count()) {
      throw malformed("no such handle 0x" + Integer.toHexString(BASE_WIRE_HANDLE + handle), at);
    }
    return handle;
  }

  private int assign(int entry) throws Stop {
    if (handles.isFull()) {
      throw limit("more than " + MessageGrammar.MAX_HANDLES + " handles");
    }
    return BASE_WIRE_HANDLE + handles.add(entry);
  }

  private void pushObjects(int count) throws Stop {
    if (count > 0) {
      push(OBJECTS, count);
    }
  }

  /** For as many as a descriptor may have of something. */
  private void push(byte frame, int count, StreamClass its) throws Stop {
    push(frame, its.index() << COUNT_BITS | count);
  }

  private void push(byte frame, int count) throws Stop {
    if (depth == frames.length) {
      if (depth >= MessageGrammar.MAX_DEPTH) {
        throw limit("nested deeper than " + MessageGrammar.MAX_DEPTH);
      }
      frames = Arrays.copyOf(frames, 2 * depth);
      counts = Arrays.copyOf(counts, 2 * depth);
    }
    frames[depth] = frame;
    counts[depth] = count;
    depth++;
  }

  private StreamClass classOf(int frame) {
    return classes[counts[frame] >>> COUNT_BITS];
  }

  private int peek() throws Stop {
    if (pos == limit) {
      throw truncated();
    }
    return buf[pos];
  }

  private void need(long bytes) throws Stop {
    if (limit - pos < bytes) {
      throw truncated();
    }
  }

  private static int sizeOf(byte typeCode) {
    return switch (typeCode) {
      case 'B', 'Z' -> 1;
      case 'C', 'S' -> 2;
      case 'F', 'I' -> 4;
      case 'D', 'J' -> 8;
      default -> 0;
    };
  }

  private Stop malformed(String reason) {
    return malformed(reason, pos);
  }

  private static Stop malformed(String reason, int at) {
    return new Stop(new Malformed(reason, at));
  }

  private static Stop truncated() {
    return new Stop(Truncated.INSTANCE);
  }

  private static Stop limit(String reason) {
    return new Stop(new Unparseable(reason, Optional.empty()));
  }

  /**
   * What a step may change and must leave as it was when it runs out of bytes. What it has pushed
   * or assigned beyond these is overwritten later.
   */
  private static final class Step {
    int pos;
    int depth;
    byte frame;
    int count;
    StreamClass type;
    int handles;
    int classes;
  }

  /** Ends the parse early; without a stack trace, as hostile input throws it at will. */
  private static final class Stop extends Exception {
    private static final long serialVersionUID = 1L;

    final transient MessageEnd end;

    Stop(MessageEnd end) {
      super(null, null, false, false);
      this.end = end;
    }
  }
}
