package io.rmigate.protocol.jrmp;

/**
 * Watches a serialization stream being parsed. Positions are indexes into the array given to {@link
 * MessageGrammar}. What opens with a {@code begin…} event closes with {@link #onEnd}; in between
 * come the events of its parts, in stream order. Called on the parsing thread; an exception thrown
 * here passes through the parser.
 *
 * <p>Events tell what stands in the stream as the sender describes it. Whether a receiver reads it
 * so depends on its own classes (a descriptor can lie), hence {@link #onClassDescriptor}, which
 * tells enough to compare the claim with a known shape.
 */
public interface StreamObserver {

  /**
   * A content of the stream itself begins: an argument of a Call, or a block of primitive ones. Not
   * told for the block with the message's header.
   *
   * @param at where its type code stands
   */
  default void onContent(int at) {}

  /** A new class descriptor, with its superclass: in a chain, the topmost class comes first. */
  default void onClassDescriptor(StreamClass descriptor) {}

  /** A class descriptor stands where an object might; it is told next. */
  default void onDescriptorObject() {}

  /** The annotation of a class opens; its contents follow, then {@link #onEnd}. */
  default void beginAnnotation(StreamClass descriptor) {}

  /** An object that is none of the special kinds below. */
  default void beginObject(int handle, StreamClass type) {}

  /**
   * The part of an object that belongs to one class of its chain, superclasses first: default
   * primitive fields at this position, then the object fields, then what the class wrote itself.
   * Not told for classes without any data.
   */
  default void onClassData(StreamClass type, int primitivesAt) {}

  /**
   * An object with no data but the primitive fields of one class of its chain, which stand at this
   * position, or none at all. By default it is told by the events that make up such an object.
   */
  default void onPlainObject(int handle, StreamClass type, int primitivesAt) {
    beginObject(handle, type);
    if (type.firstWithData != null) {
      onClassData(type.firstWithData, primitivesAt);
    }
    onEnd();
  }

  /**
   * An array.
   *
   * @param elementsAt where the elements of a primitive array stand; −1 for an array of objects,
   *     whose elements follow as events
   */
  default void beginArray(int handle, StreamClass type, int length, int elementsAt) {}

  /** An array of primitives. By default it is told by the events of any array. */
  default void onPlainArray(int handle, StreamClass type, int length, int elementsAt) {
    beginArray(handle, type, length, elementsAt);
    onEnd();
  }

  /**
   * Whether an array or a long text that begins here may be told when only the first piece of it is
   * there. Asked only where a message comes in pieces.
   */
  default boolean takesPieces() {
    return false;
  }

  /**
   * Whether an array of primitives or a text may come in pieces, by its length; asked again each
   * time when more of it has come, until it is told.
   *
   * @param bytes the length that it claims
   */
  default boolean takesPieces(long bytes) {
    return takesPieces();
  }

  /** The next bytes of the text that was told last, which comes in pieces: whole characters. */
  default void onTextPart(int at, int length) {}

  /**
   * How many things the parser may have begun and not ended: a stream that is nested deeper is
   * {@link MessageEnd.Unparseable}. An object in an object takes one to four.
   */
  default int mostFrames() {
    return MessageGrammar.MAX_FRAMES;
  }

  /** An enum constant; its name follows as a string, then {@link #onEnd}. */
  default void beginEnum(int handle, StreamClass type) {}

  /** A {@link Class} object. */
  default void onClass(int handle, StreamClass type) {}

  /** A string of {@code length} bytes of modified UTF-8. Type strings of fields are not told. */
  default void onString(int handle, int at, int length) {}

  /** Block data. */
  default void onBlockData(int at, int length) {}

  /**
   * What the {@code readExternal} of that class takes from the stream, where its descriptor is that
   * of a class of which this is known; else null. Asked of unframed data of classes that are not
   * the JDK's. The data are told by {@link #beginObject}, {@link #beginExternalRun} for each run of
   * bytes, {@link #onExternalData} for its parts that are there as a whole, the events of objects
   * between, and {@link #onEnd}.
   */
  default ReadSequence readSequence(StreamClass type) {
    return null;
  }

  /**
   * Bytes of an Externalizable follow that {@link #readSequence} is known of: its first ones, or
   * the first behind an object in it. A receiver that lacks the class of either goes on here.
   *
   * @param at where the first of them stands
   */
  default void beginExternalRun(int at) {}

  /** Unframed bytes of an Externalizable. */
  default void onExternalData(int at, int length) {}

  /**
   * An Externalizable of the JDK that is unframed bytes and nothing else. By default it is told by
   * the events that make up such an object; of a message in pieces it always is.
   */
  default void onExternalObject(int handle, StreamClass type, int at, int length) {
    beginObject(handle, type);
    onExternalData(at, length);
    onEnd();
  }

  /** A back-reference. */
  default void onReference(int handle) {}

  /**
   * A back-reference, perhaps to a string.
   *
   * @param stringAt where the code of the string stands to which it refers; 0 if that is no string,
   *     or one that the stream's parser has let go of
   */
  default void onReference(int handle, int stringAt) {
    onReference(handle);
  }

  /**
   * A back-reference in the annotation of a class.
   *
   * @param at where its token stands
   */
  default void onReferenceInAnnotation(int handle, int stringAt, int at) {
    onReference(handle, stringAt);
  }

  /**
   * Whether the texts in annotations of classes do not go on as they are: a field's type that
   * refers to one is malformed.
   */
  default boolean dropsAnnotations() {
    return false;
  }

  /**
   * A back-reference to a class descriptor stands where an object might: a receiver gets the
   * descriptor itself.
   */
  default void onDescriptorReference(int handle) {
    onReference(handle, 0);
  }

  /** A null. */
  default void onNull() {}

  /** The innermost thing that was begun is over. */
  default void onEnd() {}

  /** The stream's handles are forgotten (TC_RESET), or the stream aborted (TC_EXCEPTION). */
  default void onReset() {}

  /**
   * Whether a class with SC_WRITE_METHOD writes its declared fields before its own data. Nearly all
   * do, by {@link java.io.ObjectOutputStream#defaultWriteObject} or {@code writeFields}; one that
   * does not leaves no trace of it in the stream, so that only a list of known shapes can tell.
   */
  default boolean writesDefaultFields(StreamClass type) {
    return true;
  }
}
