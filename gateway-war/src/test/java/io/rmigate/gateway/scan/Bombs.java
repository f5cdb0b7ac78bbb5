package io.rmigate.gateway.scan;

import io.rmigate.gateway.scan.shape.Shape;
import io.rmigate.gateway.scan.shape.Shapes;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** Calls that are short to send and long, or large, to read. */
final class Bombs {
  /** Of the JDK's classes; the last version of each. */
  static Shape shape(String name) {
    return Shapes.ofJdk().all().stream()
        .filter(shape -> shape.name().equals(name))
        .reduce((first, second) -> second)
        .orElseThrow();
  }

  /** Each set holds the two of the next level, as the one beside it does. */
  static byte[] setsOfSharedSets(int levels) {
    HandWritten call = HandWritten.call();
    Shape set = shape("java.util.HashSet");
    // From the innermost on, so that each level refers to what stands before it.
    int[] below = new int[0];
    Integer descriptor = null;
    call.array().descriptor("[Ljava.lang.Object;", 1, 2, List.of()).nothing().data();
    call.int32(2 * levels);
    for (int level = 0; level < levels; level++) {
      int[] these = new int[2];
      for (int i = 0; i < 2; i++) {
        call.object();
        if (descriptor == null) {
          descriptor = call.handles();
          call.descriptor(set).nothing();
        } else {
          call.reference(descriptor);
        }
        these[i] = call.handles();
        call.data();
        call.block(size(16, 0x3F400000, below.length + i));
        for (int handle : below) {
          call.reference(handle);
        }
        if (i == 1) {
          call.string("foo");
        }
        call.end();
      }
      below = these;
    }
    return call.toByteArray();
  }

  static byte[] size(int... numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * numbers.length);
    Arrays.stream(numbers).forEach(bytes::putInt);
    return bytes.array();
  }

  /** A HashMap whose one key is the argument of a Call. */
  static byte[] mapWithKey(byte[] argument) {
    int header = HandWritten.call().length();
    HandWritten call = HandWritten.call();
    // The argument first, so that its handles are those it was written with.
    call.raw(Arrays.copyOfRange(argument, header, argument.length));
    call.object().descriptor(shape("java.util.HashMap")).nothing().data();
    call.int32(0x3F400000).int32(12).block(size(16, 1));
    call.reference(1).nothing().end(); // the object behind its descriptor
    return call.toByteArray();
  }

  /** A collection of the JDK that claims to hold as many as an int can count. */
  static byte[] claiming(String name, byte... data) {
    HandWritten call = HandWritten.call();
    call.object().descriptor(shape(name)).nothing().data().raw(data);
    return call.toByteArray();
  }

  private Bombs() {}
}
