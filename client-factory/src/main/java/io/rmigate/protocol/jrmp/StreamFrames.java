package io.rmigate.protocol.jrmp;

import java.util.Arrays;

/**
 * What is still to come of a stream, the next on top. A frame is one number: what it is, the index
 * of the class that it is of, if of one, and how many of something remain. For one thread.
 */
abstract class StreamFrames extends StreamBytes {

  /** Contents until a byte that is no type code, or the end of the range. Always at the bottom. */
  static final int TOP = 0;

  /** Blocks and objects until TC_ENDBLOCKDATA, then the descriptor of the superclass. */
  static final int ANNOTATION = 1;

  /**
   * {@code count} objects: the fields of one class of an object, say, or the elements of an array.
   * What follows them is said by bits that may be added, so that an object of one class is one
   * frame.
   */
  static final int OBJECTS = 4;

  /** Added to {@link #OBJECTS}: then blocks and objects until TC_ENDBLOCKDATA. */
  static final int OWN_DATA = 1;

  /** Added to {@link #OBJECTS}: then the observer is told that all is over. */
  static final int TOLD = 2;

  /** Frames up to this one hold contents. */
  static final int LAST_OF_CONTENTS = OBJECTS | OWN_DATA | TOLD;

  /** Everything was said by TC_EXCEPTION. In place of {@link #TOP} from then on. */
  static final int ABORTED = 8;

  /** {@code count} unframed bytes. */
  static final int RAW = 9;

  /**
   * The data of a class of an object, and before them those of some of its ancestors. {@code count}
   * is the number of these ancestors times 2 to the power of {@link #ABOVE_AT}, and {@link #TOLD}
   * if the class is the lowest of its object.
   */
  static final int CLASS_DATA = 10;

  /** Position of the number of ancestors in the count of {@link #CLASS_DATA}, in bits. */
  static final int ABOVE_AT = 2;

  /** The superclass was read: finish the descriptor. */
  static final int SUPERCLASS = 11;

  /** The descriptor of a TC_OBJECT was read: its data follow. */
  static final int OBJECT_TYPE = 12;

  static final int ARRAY_TYPE = 13;
  static final int ENUM_TYPE = 14;
  static final int CLASS_TYPE = 15;

  /** Tells the observer that something is over; absent without one. */
  static final int END = 16;

  /** {@code count} fields of a class descriptor. */
  static final int FIELDS = 17;

  /** {@code count} interfaces of a proxy class descriptor. */
  static final int INTERFACES = 18;

  /** The name of an enum constant. */
  static final int ENUM_NAME = 19;

  /**
   * The data of an Externalizable without framing; then {@link #TOLD}, if {@code count} says so.
   */
  static final int EXTERNAL = 20;

  /** A class descriptor, be it that of a superclass or an object of its own. */
  static final int DESCRIPTOR = 21;

  /** {@code count} bytes of an array of primitives, in what pieces they come. */
  static final int ELEMENTS = 22;

  /** {@code count} bytes of a long text, in what pieces they come. */
  static final int TEXT = 23;

  /**
   * The data of an Externalizable of which the sequence of reads is known; {@code count} is the
   * index of the next step, and whether a run of bytes begins there. Below it lie the integers of
   * the sequence, which are no frames.
   */
  static final int SEQUENCE = 24;

  private static final int KIND_AT = 48;
  private static final int CLASS_AT = 32;
  private static final int FEW = 8;

  /**
   * Seldom more are needed: then there are soon enough for all that may be, copied once or twice.
   */
  private static final int MANY = 256;

  /** The number of frames from which on the stack is doubled. */
  private static final int LARGE = 4096;

  long[] frames = new long[FEW];
  int depth;

  static int kind(long frame) {
    return (int) (frame >>> KIND_AT);
  }

  /** The count of a frame: the number of items that remain. */
  static int count(long frame) {
    return (int) frame;
  }

  /** The index of a frame's class. */
  static int classIndex(long frame) {
    return (int) (frame >>> CLASS_AT) & 0xFFFF;
  }

  final void push(int kind, int count) throws Stop {
    push((long) kind << KIND_AT | count);
  }

  final void push(int kind, int count, StreamClass its) throws Stop {
    push((long) kind << KIND_AT | (long) its.index() << CLASS_AT | count);
  }

  final void pushObjects(int count) throws Stop {
    if (count > 0) {
      push(OBJECTS, count);
    }
  }

  private void push(long frame) throws Stop {
    if (depth == frames.length) {
      grow();
    }
    frames[depth++] = frame;
  }

  private void grow() throws Stop {
    int most = mostFrames();
    if (depth >= most) {
      throw limit("nested deeper than " + most + " frames");
    }
    boolean soon = depth >= MANY && depth < LARGE;
    frames = Arrays.copyOf(frames, Math.min(most, soon ? 4 * depth : 2 * depth));
  }

  /** How many frames there may be. */
  abstract int mostFrames();

  /** Bytes of the stack of frames, where it is larger than usual. */
  final long frameBytes() {
    return frames.length <= MANY ? 0 : (long) frames.length * Long.BYTES;
  }
}
