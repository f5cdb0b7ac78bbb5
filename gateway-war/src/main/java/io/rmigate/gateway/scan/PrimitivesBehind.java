package io.rmigate.gateway.scan;

import io.rmigate.protocol.jrmp.StreamClass;
import java.util.Arrays;

/**
 * The open objects whose subclasses have primitive fields still to come. A receiver that lacks the
 * class of an Externalizable in the fields of a superclass reads those primitives where the
 * Externalizable's data begin, and then objects from the middle of them. Where a class in between
 * writes data of its own the receiver reads on there, object by object, up to their end. Confined
 * to the scanning thread.
 */
final class PrimitivesBehind {
  private static final int[] NONE = {};

  // Of each: its depth, the index of the class with the primitives, and the depth of the outermost
  // object that is writing data of its own, from that one on (0: none).
  private static final int CLASS = 1;
  private static final int OWN_DATA = 2;
  private static final int SIZE = 3;

  private int[] open = NONE;

  /** Where the next one begins. */
  private int end;

  /** An object begins at that depth. */
  void begin(int depth, StreamClass type) {
    StreamClass its = type.primitivesBehindData();
    if (its == null) {
      return;
    }
    if (end == open.length) {
      open = Arrays.copyOf(open, 2 * end + SIZE);
    }
    open[end] = depth;
    open[end + CLASS] = its.index();
    open[end + OWN_DATA] = 0;
    end += SIZE;
  }

  /** The data of that class of the object at that depth begin. */
  void data(int depth, StreamClass type) {
    if (end == 0) {
      return;
    }
    if (open[end - SIZE] == depth && open[end - SIZE + CLASS] == type.index()) {
      end -= SIZE;
    }
    leave(depth);
    if (isExposed() && type.hasWriteMethod()) {
      open[end - SIZE + OWN_DATA] = depth;
    }
  }

  /** The object at that depth has ended. */
  void end(int depth) {
    if (end == 0) {
      return;
    }
    if (open[end - SIZE] == depth) {
      end -= SIZE;
    }
    leave(depth);
  }

  private void leave(int depth) {
    if (end > 0 && open[end - SIZE + OWN_DATA] == depth) {
      open[end - SIZE + OWN_DATA] = 0;
    }
  }

  /** Whether primitives would be read here by a receiver that lacks the class. */
  boolean isExposed() {
    return end > 0 && open[end - SIZE + OWN_DATA] == 0;
  }
}
