package io.rmigate.protocol.jrmp;

import static io.rmigate.protocol.jrmp.StreamTokens.BASE_WIRE_HANDLE;
import static io.rmigate.protocol.jrmp.StreamTokens.SC_BLOCK_DATA;
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
import io.rmigate.protocol.jrmp.MessageEnd.Unparseable;
import java.util.Optional;

/**
 * Steps over the contents of one serialization stream (Java Object Serialization specification,
 * section 6.4, protocol versions 1 and 2), without classes and without recursion. Where the
 * specification's grammar and {@link java.io.ObjectInputStream} of JDK 17 to 25 differ, the JDK
 * wins, and what it would refuse is malformed: a reader more lenient than the receiver is a hole.
 *
 * <p>{@link StreamBytes} reads, {@link StreamFrames} holds what is still to come, {@link
 * StreamDescriptors} reads the descriptors of classes; what remains for this class is the objects,
 * and the order of things. Every step pushes a bounded number of frames and consumes at least one
 * byte, or pops, or leads to one that does, so that the time is linear in the length of the range.
 * A step that runs out of bytes is undone and done again when there are more: each takes one token,
 * so that a stream may come in any pieces without being parsed again from its beginning. A step
 * tells its observer only once it has all its bytes, so that nothing is told twice. For one stream
 * and one thread.
 */
public final class StreamParser extends StreamSequences {

  /** The longest text that a TC_STRING holds; a shorter one has no need of pieces. */
  private static final int MAX_SHORT_TEXT_BYTES = 0xFFFF;

  /**
   * A receiver takes memory for all of an array when it begins: for this number of bytes of it, or
   * for an eighth as many elements that are objects, one byte must have come.
   */
  private static final int BELIEVED_BYTES = 64;

  private static final int BELIEVED_ELEMENTS = 8;

  /**
   * Classes above the lowest one of a frame: finding the topmost of them takes no more steps, and
   * each has a byte of data at least.
   */
  private static final int MOST_ABOVE = 15;

  private static final byte[] NO_BYTES = {};

  /** Index of the content that the observer was told of last; −1 before. */
  private int told = -1;

  /** Null unless more may come behind {@link #limit}, so that a step may have to be undone. */
  private final Step step;

  private StreamParser(boolean growing, int freeDescriptors) {
    super(freeDescriptors);
    this.step = growing ? new Step() : null;
  }

  private boolean isGrowing() {
    return step != null;
  }

  /** A parser of several streams that are there as a whole, one after the other. */
  static StreamParser reusable(int freeDescriptors) {
    return new StreamParser(false, freeDescriptors);
  }

  /** Parses another stream, of which nothing but its bytes stays when there is no class in it. */
  public MessageEnd parse(byte[] its, int at, int end, StreamObserver observer) {
    beginAgain(at, observer);
    return parse(its, end);
  }

  /** Another stream begins there; nothing stays of the one before when there is no class in it. */
  void beginAgain(int at, StreamObserver observer) {
    begin(at, observer);
    clearHandles();
    told = -1;
    type = null;
    classCount = 0;
    openClasses = 0;
  }

  /** The stream is over: its bytes do not stay for as long as this. */
  void forgetBytes() {
    buf = NO_BYTES;
  }

  /** Whether there was a class in one of the streams. */
  boolean knowsClasses() {
    return classes.length > 0;
  }

  private void begin(int at, StreamObserver its) {
    pos = at;
    begin = at;
    kept = at;
    if (observer != its) { // or a collector is told of it each time
      observer = its;
    }
    frames[0] = TOP;
    depth = 1;
    beginSequences();
  }

  /**
   * A parser of a stream that comes in pieces, whose first content stands at {@code pos}; {@code
   * observer} may be null.
   */
  public static StreamParser at(int pos, StreamObserver observer) {
    StreamParser parser = new StreamParser(true, MessageGrammar.FREE_CLASS_DESCRIPTORS);
    parser.begin(pos, observer);
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
   * {@code count} of those bytes have been cut out: strings among them can be referred to as
   * objects only.
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
    return handles.bytes() + (long) classCount * StreamClass.BYTES + frameBytes();
  }

  @Override
  int mostFrames() {
    return observer == null ? MessageGrammar.MAX_FRAMES : observer.mostFrames();
  }

  /** Parses the contents from {@code pos} on; {@code observer} may be null. */
  static MessageEnd parseOnce(byte[] buf, int pos, int limit, StreamObserver observer) {
    StreamParser parser = new StreamParser(false, MessageGrammar.FREE_CLASS_DESCRIPTORS);
    parser.begin(pos, observer);
    return parser.parse(buf, limit);
  }

  /**
   * Parses on.
   *
   * @param buf holds what it held before, and perhaps more; not necessarily the same array
   */
  public MessageEnd parse(byte[] buf, int limit) {
    if (this.buf != buf) {
      moveTo(buf); // or the old one stays for as long as the classes that were found in it
    }
    this.limit = limit;
    try {
      return run();
    } catch (Stop stop) {
      if (isGrowing()) {
        undoStep();
      }
      return stop.end;
    }
  }

  private void beginStep(long frame) {
    step.pos = pos;
    step.depth = depth;
    step.frame = frame;
    step.type = type;
    step.handles = handles.count();
    step.classes = classCount;
  }

  @Override
  void keepStep(long frame) {
    if (isGrowing()) {
      beginStep(frame);
    }
  }

  private void undoStep() {
    pos = step.pos;
    depth = step.depth;
    frames[depth - 1] = step.frame;
    type = step.type;
    handles.takeBack(step.handles);
    openClasses -= classCount - step.classes;
    classCount = step.classes;
  }

  /**
   * Step after step. What holds contents is told apart first, and all contents are stepped over in
   * one place: so what most of a message is made of becomes one piece of machine code.
   */
  private MessageEnd run() throws Stop {
    int at = pos; // and not the field: each token would wait for it to be stored and loaded
    while (true) {
      int top = depth - 1;
      long frame = frames[top];
      pos = at;
      if (isGrowing()) {
        beginStep(frame);
      }
      int kind = kind(frame);
      boolean any = false;
      if (kind > LAST_OF_CONTENTS) {
        if (kind == ABORTED) {
          return new Aborted(at);
        }
        step(kind, top, frame);
        at = pos;
        continue;
      }
      if (kind < OBJECTS) {
        if (kind == TOP) {
          if (at == limit || !StreamTokens.isTypeCode(buf[at])) {
            return new Complete(at);
          }
          tellContent(at);
        }
        any = true;
      } else if (count(frame) > 0) {
        if (kind == OBJECTS && count(frame) == 1) {
          depth--; // before the last: so lists nest cheaply
        } else {
          frames[top] = frame - 1;
        }
      } else if ((kind & OWN_DATA) != 0) {
        any = true;
      } else {
        depth--;
        observer.onEnd();
        continue;
      }
      if (at == limit) {
        throw truncated();
      }
      int token = buf[at];
      switch (token) {
        case TC_REFERENCE -> {
          int handle = reference(at);
          if (observer != null) {
            int entry = handles.entry(handle);
            if (entry >= 0 && kind == ANNOTATION) {
              observer.onReferenceInAnnotation(BASE_WIRE_HANDLE + handle, entry, at);
            } else if (entry >= 0) {
              observer.onReference(BASE_WIRE_HANDLE + handle, entry);
            } else {
              observer.onDescriptorReference(BASE_WIRE_HANDLE + handle);
            }
          }
          at += REFERENCE_BYTES;
        }
        case TC_OBJECT, TC_ARRAY, TC_ENUM, TC_CLASS -> at = typed(token, at);
        case TC_STRING -> at = kind == ANNOTATION ? stringInAnnotation(at) : string(at);
        case TC_NULL -> {
          if (observer != null) {
            observer.onNull();
          }
          at++;
        }
        case TC_BLOCKDATA, TC_BLOCKDATALONG -> {
          if (!any) {
            throw noObject(token);
          }
          at = block(token, at);
        }
        case TC_ENDBLOCKDATA -> {
          if (!any || kind == TOP) {
            throw noObject(token);
          }
          endOfContents(kind);
          at++;
        }
        default -> {
          rareContent(kind, token);
          at = pos;
        }
      }
    }
  }

  private void tellContent(int at) {
    if (observer != null && told != at) {
      told = at;
      observer.onContent(at);
    }
  }

  /** Takes a step that is neither a content nor the end of contents. */
  private void step(int kind, int top, long frame) throws Stop {
    switch (kind) {
      case END -> {
        depth--;
        observer.onEnd();
      }
      case CLASS_DATA -> pos = hierarchyData(top, frame, pos);
      case RAW -> {
        depth--;
        pos = external(count(frame), pos);
      }
      case DESCRIPTOR -> {
        depth--;
        classDescriptor();
      }
      case SUPERCLASS -> {
        depth--;
        finish(classes[classIndex(frame)]);
      }
      case OBJECT_TYPE -> {
        depth--;
        pos = objectData(type, pos);
      }
      case ARRAY_TYPE -> {
        depth--;
        pos = array(type, pos);
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
        pos = externalData(classes[classIndex(frame)], count(frame), pos);
      }
      case SEQUENCE -> sequence(top, frame);
      case ELEMENTS -> {
        int count = Math.min(count(frame), limit - pos);
        if (count == 0) {
          throw truncated();
        }
        passed(count, top);
      }
      case TEXT -> {
        int count = Math.min(count(frame), limit - pos);
        int whole = ModifiedUtf8.validLength(buf, pos, count);
        if (count - whole >= ModifiedUtf8.MAX_CHAR_BYTES
            || (whole < count && count == count(frame))) {
          throw malformed("not modified UTF-8", pos + whole);
        }
        if (whole == 0) {
          throw truncated();
        }
        observer.onTextPart(pos, whole);
        passed(whole, top);
      }
      case CLASS_TYPE -> {
        depth--;
        classObject(type);
      }
      case FIELDS -> {
        field(classes[classIndex(frame)]);
        oneLess(top, classes[classIndex(frame)]);
      }
      case INTERFACES -> {
        proxyInterface();
        oneLess(top, classes[classIndex(frame)]);
      }
      default -> throw new AssertionError("frame " + kind);
    }
  }

  /** Takes {@code count} bytes, which may come in pieces. */
  private void passed(int count, int top) {
    pos += count;
    frames[top] -= count;
    if (count(frames[top]) == 0) {
      depth--;
    }
  }

  /** Counts an item that a descriptor declares; behind the last item its annotation follows. */
  private void oneLess(int top, StreamClass descriptor) throws Stop {
    if (count(--frames[top]) == 0) {
      depth--;
      annotation(descriptor);
    }
  }

  private void rareContent(int kind, int token) throws Stop {
    switch (token) {
      case TC_CLASSDESC, TC_PROXYCLASSDESC -> {
        push(DESCRIPTOR, 0);
        if (observer != null) {
          observer.onDescriptorObject();
        }
      }
      case TC_LONGSTRING -> longString(kind);
      case TC_EXCEPTION -> exception();
      case TC_RESET -> {
        if (kind != TOP) {
          throw malformed("TC_RESET inside an object");
        }
        pos++;
        forgetHandles();
      }
      default -> throw noObject(token);
    }
  }

  /** TC_ENDBLOCKDATA. */
  private void endOfContents(int kind) throws Stop {
    depth--;
    if (kind == ANNOTATION) {
      push(DESCRIPTOR, 0);
    }
    if (observer != null && (kind == ANNOTATION || (kind & TOLD) != 0)) {
      observer.onEnd();
    }
  }

  private Stop noObject(int token) {
    return malformed("expected an object, got 0x" + Integer.toHexString(token));
  }

  private int block(int token, int at) throws Stop {
    int data = at + (token == TC_BLOCKDATA ? 2 : 5);
    if (data > limit) {
      throw truncated();
    }
    int length = token == TC_BLOCKDATA ? buf[data - 1] & 0xFF : BigEndian.int32(buf, data - 4);
    if (length < 0) {
      throw malformed("block of negative length 0x" + Integer.toHexString(length));
    }
    need(length, data);
    if (observer != null) {
      observer.onBlockData(data, length);
    }
    return data + length;
  }

  /** Begins a content with a class; goes on to its data at once if the class is known already. */
  private int typed(int token, int at) throws Stop {
    int classAt = at + 1;
    if (classAt == limit || buf[classAt] != TC_REFERENCE) {
      beginTyped(token);
      return pos;
    }
    StreamClass its = knownClass(classAt);
    int next = classAt + REFERENCE_BYTES;
    if (token == TC_OBJECT) {
      return objectData(its, next);
    }
    if (token == TC_ARRAY) {
      return array(its, next);
    }
    if (token == TC_ENUM) {
      enumConstant(its);
    } else {
      classObject(its);
    }
    return next;
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

  private void classObject(StreamClass its) throws Stop {
    if (its == null) {
      throw malformed("a class object without a class descriptor");
    }
    int handle = assign();
    if (observer != null) {
      observer.onClass(handle, its);
    }
  }

  private int objectData(StreamClass its, int at) throws Stop {
    if (its == null) {
      throw malformed("an object without a class descriptor");
    }
    int plainBytes = its.plainBytes;
    if (plainBytes >= 0 && limit - at >= plainBytes) {
      int handle = assign();
      if (observer != null) {
        observer.onPlainObject(handle, its, at);
      }
      return at + plainBytes;
    }
    return objectInParts(its, at);
  }

  private int objectInParts(StreamClass its, int at) throws Stop {
    if (its.isEnum()) {
      throw malformed("an enum constant as TC_OBJECT");
    }
    int handle = assign();
    if (observer != null && !isGrowing() && its.isExternalizable()) {
      int end = endOfBytesOnly(its, at);
      if (end >= 0) {
        observer.onExternalObject(handle, its, at, end - at);
        return end;
      }
    }
    int then = 0;
    if (observer != null) {
      observer.beginObject(handle, its);
      then = TOLD;
    }
    if (its.isExternalizable()) {
      return externalizable(its, then, at);
    }
    if (!its.serializableChain) {
      throw malformed("an object of a class that is not serializable: " + its.label());
    }
    if (its.firstWithData == null) {
      over(then);
      return at;
    }
    return hierarchyData(its.firstWithData, then, at);
  }

  /**
   * The data of the classes of an object, from the topmost one down; {@code last} is the lowest.
   */
  private int hierarchyData(StreamClass last, int then, int at) throws Stop {
    StreamClass lowest = last;
    int flag = then;
    while (true) {
      StreamClass top = lowest;
      int above = 0;
      while (above < MOST_ABOVE && top.nextWithData() != null) {
        top = top.nextWithData();
        above++;
      }
      StreamClass next = top.nextWithData();
      if (next == null && !isGrowing()) {
        if (above > 0) {
          pushHierarchy(lowest, flag, above - 1);
        }
        return classData(top, above > 0 ? 0 : flag, at); // at once, for no step is undone
      }
      pushHierarchy(lowest, flag, above);
      if (next == null) {
        return at;
      }
      lowest = next;
      flag = 0;
    }
  }

  private void pushHierarchy(StreamClass lowest, int then, int above) throws Stop {
    push(CLASS_DATA, above << ABOVE_AT | then, lowest);
  }

  /** The data of the topmost class of a frame whose data have not begun. */
  private int hierarchyData(int top, long frame, int at) throws Stop {
    StreamClass its = classes[classIndex(frame)];
    int above = count(frame) >>> ABOVE_AT;
    if (above == 0) {
      depth--;
      return classData(its, count(frame), at);
    }
    frames[top] = frame - (1 << ABOVE_AT);
    for (int i = 0; i < above; i++) {
      its = its.nextWithData();
    }
    return classData(its, 0, at);
  }

  private void over(int then) {
    if (then == TOLD) {
      observer.onEnd();
    }
  }

  /** The data of one class; behind those of the last an observer is {@link #TOLD}. */
  private int classData(StreamClass its, int then, int at) throws Stop {
    boolean own = its.hasWriteMethod();
    boolean fields = observer == null || !own || observer.writesDefaultFields(its);
    int next = at;
    int objects = 0;
    if (fields) {
      need(its.primitiveBytes, at);
      next += its.primitiveBytes;
      objects = its.objectFields;
    }
    if (observer != null) {
      observer.onClassData(its, fields ? at : -1);
    }
    if (own) {
      push(OBJECTS | OWN_DATA | then, objects);
    } else if (objects > 0) {
      push(OBJECTS | then, objects);
    } else {
      over(then);
    }
    return next;
  }

  private int array(StreamClass its, int at) throws Stop {
    byte elementType = elementType(its);
    need(4, at);
    int length = BigEndian.int32(buf, at);
    if (length < 0) {
      throw malformed("an array of negative length 0x" + Integer.toHexString(length), at);
    }
    int handle = assign();
    if (elementType == 'L' || elementType == '[') {
      elements(handle, its, length, at + 4);
      return at + 4;
    }
    return primitives(handle, its, length, (long) sizeOf(elementType) * length, at + 4);
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

  private void elements(int handle, StreamClass array, int length, int at) throws Stop {
    // An element takes a byte at least, so a larger number cannot be in the range.
    need(takesPieces() ? length / BELIEVED_ELEMENTS : length, at);
    if (observer != null) {
      observer.beginArray(handle, array, length, -1);
      push(OBJECTS | TOLD, length);
    } else {
      pushObjects(length);
    }
  }

  private int primitives(int handle, StreamClass array, int length, long bytes, int at)
      throws Stop {
    boolean inPieces = bytes <= Integer.MAX_VALUE && takesPieces(bytes);
    need(inPieces ? bytes / BELIEVED_BYTES : bytes, at);
    if (observer != null) {
      observer.onPlainArray(handle, array, length, at);
    }
    if (bytes > limit - at) {
      push(ELEMENTS, (int) bytes);
      return at;
    }
    return at + (int) bytes;
  }

  @Override
  boolean takesPieces() {
    return isGrowing() && observer != null && observer.takesPieces();
  }

  private boolean takesPieces(long bytes) {
    return isGrowing() && observer != null && observer.takesPieces(bytes);
  }

  private void enumConstant(StreamClass its) throws Stop {
    if (its == null || !its.isEnum()) {
      throw malformed("an enum constant whose class is no enum");
    }
    int handle = assign();
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
    pos = string(pos);
    if (observer != null) {
      observer.onEnd();
    }
  }

  private int string(int at) throws Stop {
    return string(at, at);
  }

  /** Which an observer may drop: then it is none to which a field's type may refer. */
  private int stringInAnnotation(int at) throws Stop {
    boolean dropped = observer != null && observer.dropsAnnotations();
    return string(at, dropped ? StreamHandles.OTHER_OBJECT : at);
  }

  /**
   * @param entry what its handle stands for
   */
  private int string(int at, int entry) throws Stop {
    int end = endOfString(at);
    int handle = assign(entry);
    if (observer != null) {
      int text = at + (buf[at] == TC_STRING ? 3 : 9);
      observer.onString(handle, text, end - text);
    }
    return end;
  }

  /** Takes a long string; one that comes in pieces is not kept: no field's type may refer to it. */
  private void longString(int kind) throws Stop {
    need(9);
    long length = BigEndian.int64(buf, pos + 1);
    if (length <= MAX_SHORT_TEXT_BYTES || length > Integer.MAX_VALUE || !takesPieces(length)) {
      pos = kind == ANNOTATION ? stringInAnnotation(pos) : string(pos);
      return;
    }
    observer.onString(assign(), pos + 9, (int) length);
    pos += 9;
    push(TEXT, (int) length);
  }

  /** Takes TC_EXCEPTION: open contents are abandoned; the exception is the last object. */
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
    clearHandles();
    if (observer != null) {
      observer.onReset();
    }
  }

  private int externalizable(StreamClass its, int then, int at) throws Stop {
    if ((its.flags & SC_BLOCK_DATA) != 0) {
      push(OBJECTS | OWN_DATA | then, 0);
    } else if (isGrowing()) {
      push(EXTERNAL, then, its);
    } else {
      return externalData(its, then, at);
    }
    return at;
  }

  /** The end of an Externalizable that is unframed bytes and no objects; else negative. */
  private int endOfBytesOnly(StreamClass its, int at) {
    ExternalLayout layout = (its.flags & SC_BLOCK_DATA) != 0 ? null : its.externalLayout();
    int length = layout == null ? -1 : layout.leadingBytes(buf, at, limit);
    return length < 0 || layout.objects(buf, at) > 0 ? -1 : at + length;
  }

  /** The data of an Externalizable without framing: only by knowing its class. */
  private int externalData(StreamClass its, int then, int at) throws Stop {
    ExternalLayout layout = its.externalLayout();
    ReadSequence sequence = layout == null && observer != null ? observer.readSequence(its) : null;
    if (sequence != null) {
      pushSequence(its, sequence);
      return at;
    }
    if (layout == null) {
      throw new Stop(
          new Unparseable(
              "unframed data of the Externalizable " + its.label(), Optional.of(its.name())));
    }
    int first = layout.leadingBytes(buf, at, limit);
    if (first == ExternalLayout.TRUNCATED) {
      throw truncated();
    }
    if (first == ExternalLayout.MALFORMED) {
      throw malformed("not the data of a " + its.label(), at);
    }
    int objects = layout.objects(buf, at);
    if (objects > 0) {
      objectsBetween(objects, layout.trailingBytes(buf, at), then);
    }
    int end = external(first, at);
    if (objects == 0) {
      over(then);
    }
    return end;
  }

  /** Pushes the objects behind the leading bytes, and the trailing bytes behind the objects. */
  private void objectsBetween(int objects, int trailing, int then) throws Stop {
    if (then == TOLD) {
      push(END, 0);
    }
    if (trailing > 0) {
      push(RAW, trailing);
    }
    push(OBJECTS, objects);
  }

  private int external(int length, int at) throws Stop {
    need(length, at);
    if (observer != null) {
      observer.onExternalData(at, length);
    }
    return at + length;
  }

  /**
   * What a step may change and must leave as it was when it runs out of bytes. What it has pushed
   * or assigned beyond these is overwritten later.
   */
  private static final class Step {
    int pos;
    int depth;
    long frame;
    StreamClass type;
    int handles;
    int classes;
  }
}
