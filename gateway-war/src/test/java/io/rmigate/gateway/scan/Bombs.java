package io.rmigate.gateway.scan;

import io.rmigate.gateway.scan.shape.Shape;
import io.rmigate.gateway.scan.shape.Shapes;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Calls that are short to send and long, or large, to read. */
public final class Bombs {

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

  /** Many small things, each of which a reader makes something of. */
  public static Map<String, byte[]> hungry() {
    Map<String, HandWritten> written = new LinkedHashMap<>();
    HandWritten strings = HandWritten.call();
    HandWritten objects = HandWritten.call();
    HandWritten references = HandWritten.call().string("");
    HandWritten classes = HandWritten.call();
    HandWritten names = HandWritten.call();
    HandWritten proxies = HandWritten.call();
    objects.array().descriptor("[Ljava.lang.Object;", 1, 2, List.of()).nothing().data().int32(0);
    for (int i = 0; i < 300_000; i++) {
      strings.string("");
      objects.array().reference(0).data().int32(1).nothing();
      references.reference(0);
      if (i < 4_000) {
        classes.hex("76").descriptor("", 1, 2, List.of()).nothing().data();
        names.hex("76").descriptor("com.example.Some" + i, 0, 0, List.of()).nothing().data();
        proxies.hex("76").proxy("a" + i, "b" + i).nothing().data();
      }
    }
    written.put("strings", strings);
    written.put("objects", objects);
    written.put("references", references);
    written.put("classes", classes);
    written.put("names", names);
    written.put("proxies", proxies);
    Map<String, byte[]> bombs = new LinkedHashMap<>();
    written.forEach((name, call) -> bombs.put(name, call.toByteArray()));
    bombs.put("sets of shared sets", setsOfSharedSets(500));
    return bombs;
  }

  private Bombs() {}
}
