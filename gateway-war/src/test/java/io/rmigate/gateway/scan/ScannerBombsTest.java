package io.rmigate.gateway.scan;

import static io.rmigate.gateway.scan.StreamScannerTest.kinds;
import static io.rmigate.gateway.scan.StreamScannerTest.scan;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.rmigate.gateway.scan.Finding.Kind;
import io.rmigate.gateway.scan.shape.Shapes;
import io.rmigate.protocol.jrmp.CallBytes;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.MessageGrammar;
import io.rmigate.protocol.jrmp.StreamObserver;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.sql.BatchUpdateException;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Set;
import java.util.Stack;
import java.util.UUID;
import java.util.Vector;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import javax.management.Query;
import javax.management.QueryExp;
import javax.management.ValueExp;
import javax.management.openmbean.OpenMBeanAttributeInfoSupport;
import javax.management.openmbean.OpenMBeanParameterInfoSupport;
import org.junit.jupiter.api.Test;

/** T06, T07, T08: messages that cost their readers more than their senders. */
@SuppressWarnings("JdkObsolete")
class ScannerBombsTest {

  /** In front of the number stand what precedes it in fields and blocks. */
  private static final Map<String, byte[]> CLAIMS =
      Map.of(
          "java.util.ArrayList", Bombs.size(Integer.MAX_VALUE),
          "java.util.PriorityQueue", Bombs.size(Integer.MAX_VALUE),
          "java.util.HashMap", inBlock(8, 16, Integer.MAX_VALUE),
          "java.util.HashSet", inBlock(0, 16, 0x3F400000, Integer.MAX_VALUE),
          "java.util.Hashtable", inBlock(8, 11, Integer.MAX_VALUE),
          "java.util.ArrayDeque", inBlock(0, Integer.MAX_VALUE),
          "java.util.IdentityHashMap", inBlock(4, Integer.MAX_VALUE),
          "java.util.concurrent.CopyOnWriteArrayList", inBlock(0, Integer.MAX_VALUE),
          "java.util.CollSer", inBlock(4, Integer.MAX_VALUE));

  private static byte[] inBlock(int fieldBytes, int... numbers) {
    return HandWritten.bytes().raw(new byte[fieldBytes]).block(Bombs.size(numbers)).toByteArray();
  }

  @Test
  void collectionsThatClaimMoreThanCanFollowAreTold() {
    CLAIMS.forEach(
        (name, data) ->
            assertThat(kinds(scan(Bombs.claiming(name, data))))
                .as(name)
                .containsExactly(Kind.CLAIMS_TOO_MUCH));
  }

  /** A reader takes memory for each of them before it finds that they lie. */
  @Test
  void collectionsInEachOtherThatTogetherClaimMoreThanCanFollowAreTold() {
    byte[] load = Bombs.size(0x3F400000, 12);
    for (int depth : new int[] {1, 3, 100}) {
      List<Kind> told = depth < 3 ? List.of() : List.of(Kind.CLAIMS_TOO_MUCH);
      assertThat(kinds(scan(Bombs.nestedClaims("java.util.ArrayList", depth, 10_000))))
          .containsExactlyElementsOf(told);
      assertThat(kinds(scan(Bombs.nestedClaims("java.util.HashMap", depth, 10_000, load))))
          .containsExactlyElementsOf(told);
    }
  }

  @Test
  void collectionsInEachOtherThatHoldWhatTheyClaimAreClean() {
    List<Object> lists = new ArrayList<>(Collections.nCopies(1000, null));
    Map<Object, Object> maps = new HashMap<>(Map.of("", ""));
    for (int i = 0; i < 40; i++) {
      lists.add(500, new ArrayList<>(lists.subList(0, 20 * i)));
      lists = new ArrayList<>(List.of(lists, new ArrayDeque<>(List.of(i)), lists));
      maps = new LinkedHashMap<>(Map.of(i, maps));
      maps.put("table", new Hashtable<>(Map.of(i, i, "", "")));
      maps.put("immutable", Map.of(i, List.of(i, i, i)));
      lists.addAll(Collections.nCopies(1000, null));
    }
    for (Object nested : List.of(lists, maps)) {
      byte[] call = CallBytes.callWith(nested);
      assertThat(scan(call).isClean(call.length)).isTrue();
    }
  }

  /** 2 147 483 639 places for one entry, and four for each byte that follows at most. */
  @Test
  void aTableThatWouldBeLongOnJdk8IsTold() {
    assertThat(kinds(scan(Bombs.tableOfATinyLoadFactor(1e-10f))))
        .containsExactly(Kind.CLAIMS_TOO_MUCH);
    assertThat(kinds(scan(Bombs.tableOfATinyLoadFactor(0.1f)))).isEmpty();
  }

  @Test
  void collectionsThatHideWhatTheyClaimAreTold() {
    HandWritten call = HandWritten.call();
    call.object().descriptor(Bombs.shape("java.util.HashSet")).nothing().data();
    call.block(Bombs.size(16)).block(Bombs.size(0x3F400000, Integer.MAX_VALUE)).end();
    assertThat(kinds(scan(call.toByteArray()))).containsExactly(Kind.ODD_OWN_DATA);
  }

  @Test
  void aKeyThatIsLongToHashIsHashedEachTimeItIsToldAgain() {
    assertThat(kinds(scan(Bombs.setOfOneLongKey(65_000, 105_000))))
        .containsExactly(Kind.TOO_MUCH_HASHING);
    assertThat(kinds(scan(Bombs.setOfOneLongKey(65_000, 3)))).isEmpty();
  }

  /** What hashing it costs is not known before the container around it is complete. */
  @Test
  void aKeyThatRefersToAContainerAroundItIsTold() throws IOException {
    List<Object> shared = new ArrayList<>(List.of("x"));
    for (int i = 0; i < 40; i++) {
      shared = new ArrayList<>(List.of(shared, shared));
    }
    Map<Object, Object> around = new LinkedHashMap<>();
    Set<Object> keys = new HashSet<>();
    List<Object> key = new ArrayList<>();
    keys.add(key);
    key.add(around);
    around.put("long", shared);
    around.put("keys", keys);
    assertThat(kinds(scan(CallBytes.callWith(around)))).containsExactly(Kind.TOO_MUCH_HASHING);

    around.put("keys", key); // as a value it is not hashed
    assertThat(kinds(scan(CallBytes.callWith(around)))).isEmpty();
  }

  @Test
  void listsInEachOtherByWhatIsNotHashedAreTold() {
    assertThat(kinds(scan(Bombs.listsThatReferToTheOnesAround(40))))
        .containsExactly(Kind.TOO_MUCH_HASHING);
  }

  @Test
  void aListOfNullsIsLongToHash() {
    assertThat(kinds(scan(Bombs.setOfOneListOfNulls(10_000, 100))))
        .containsExactly(Kind.TOO_MUCH_HASHING);
    assertThat(kinds(scan(Bombs.setOfOneListOfNulls(10_000, 10)))).isEmpty();
    assertThat(kinds(scan(Bombs.setOfOneLinkedListOfNulls(10_000, 100))))
        .containsExactly(Kind.TOO_MUCH_HASHING);
  }

  /** Programs have entities with many fields, of which most are null, in many sets. */
  @Test
  void anObjectOfNullsIsNotLongToHash() {
    assertThat(kinds(scan(Bombs.setOfOneWideObject(100, 10_000))))
        .doesNotContain(Kind.TOO_MUCH_HASHING);
  }

  @Test
  void whoKeepsAnOrderComparesLongTextsEachTimeTheyAreToldAgain() {
    assertThat(kinds(scan(Bombs.queueOfLongTexts(100_000, 1000))))
        .containsExactly(Kind.TOO_MUCH_HASHING);
    assertThat(kinds(scan(Bombs.orderedMapOfLongTexts(100_000, 1000))))
        .containsExactly(Kind.TOO_MUCH_HASHING);
  }

  /** What is compared is as long as both are, in powers of ten. */
  @Test
  void decimalNumbersOfManyDigitsAreLongToCompare() {
    assertThat(kinds(scan(Bombs.queueOfLongDecimals(10_000, 100))))
        .containsExactly(Kind.TOO_MUCH_HASHING);
    assertThat(kinds(scan(Bombs.queueOfLongDecimals(1_000, 100)))).isEmpty();
  }

  /** From JDK 25 on. */
  @Test
  void aSetThatIsAListComparesAllWithAll() {
    List<Integer> many = IntStream.range(0, 12_000).boxed().toList();
    assertThat(kinds(scan(CallBytes.callWith(new CopyOnWriteArraySet<>(many)))))
        .containsExactly(Kind.TOO_MUCH_HASHING);
    assertThat(kinds(scan(CallBytes.callWith(new CopyOnWriteArraySet<>(many.subList(0, 5000))))))
        .isEmpty();
    assertThat(kinds(scan(Bombs.sharing(CopyOnWriteArraySet.class.getName(), false, 10_000, 1))))
        .containsExactly(Kind.TOO_MUCH_HASHING);
  }

  private static final List<Class<?>> COPY_OBJECTS =
      List.of(
          ArrayBlockingQueue.class,
          AtomicReferenceArray.class,
          EnumSet.class,
          OpenMBeanAttributeInfoSupport.class,
          OpenMBeanParameterInfoSupport.class,
          PriorityBlockingQueue.class,
          Throwable.class,
          IllegalStateException.class,
          Vector.class,
          Stack.class);

  private static final List<Class<?>> COPY_PRIMITIVES =
      List.of(
          BatchUpdateException.class,
          BigInteger.class,
          BitSet.class,
          Locale.class,
          StringBuffer.class,
          StringBuilder.class,
          URI.class);

  @Test
  void whatIsSharedIsGoneThroughForEachWhoCopiesIt() {
    for (Class<?> type : COPY_OBJECTS) {
      String name = type == EnumSet.class ? type.getName() + "$SerializationProxy" : type.getName();
      assertThat(kinds(scan(Bombs.sharing(name, false, 20_000, 200))))
          .as(name)
          .containsExactly(Kind.TOO_MUCH_HASHING);
    }
    for (Class<?> type : COPY_PRIMITIVES) {
      assertThat(kinds(scan(Bombs.sharing(type.getName(), true, 200_000, 200))))
          .as("%s", type)
          .containsExactly(Kind.TOO_MUCH_HASHING);
    }
  }

  /** An MBean server evaluates both sides of each, for each MBean. */
  @Test
  void aQueryOfJmxThatSharesItsConditionsIsLongToEvaluate() {
    QueryExp shared = Query.gt(Query.attr("Count"), Query.value(1));
    QueryExp chain = shared;
    for (int i = 0; i < 60; i++) {
      QueryExp next = Query.lt(Query.attr("Attribute" + i), Query.value(i));
      chain = i % 2 == 0 ? Query.and(chain, next) : Query.or(next, Query.not(chain));
    }
    byte[] honest = CallBytes.callWith(chain);
    assertThat(scan(honest).isClean(honest.length)).isTrue();
    for (int i = 0; i < 40; i++) {
      shared = i % 2 == 0 ? Query.and(shared, shared) : Query.or(shared, shared);
    }
    assertThat(kinds(scan(CallBytes.callWith(shared)))).containsExactly(Kind.TOO_MUCH_HASHING);
    ValueExp sum = Query.attr("Count");
    for (int i = 0; i < 40; i++) {
      sum = Query.plus(sum, sum);
    }
    assertThat(kinds(scan(CallBytes.callWith(Query.eq(sum, Query.value(1))))))
        .containsExactly(Kind.TOO_MUCH_HASHING);
  }

  /** Five stars and a class path of 442 characters keep an MBean server busy for minutes. */
  @Test
  void aQueryOfJmxWhosePatternHasSeveralStarsIsLongToEvaluate() {
    for (String honest : List.of("*Eden*", "Eden*", "*Eden", "PS*Space")) {
      byte[] call = CallBytes.callWith(Query.match(Query.attr("Name"), Query.value(honest)));
      assertThat(scan(call).isClean(call.length)).as(honest).isTrue();
    }
    QueryExp bad = Query.match(Query.attr("ClassPath"), Query.value("*a*b"));
    assertThat(kinds(scan(CallBytes.callWith(bad)))).containsExactly(Kind.TOO_MUCH_HASHING);
    String told = "*a*b";
    QueryExp again = Query.match(Query.attr("ClassPath"), Query.value(told));
    assertThat(kinds(scan(CallBytes.callWith(new Object[] {told, again}))))
        .containsExactly(Kind.TOO_MUCH_HASHING);
  }

  /** A reader's memory, for a table of which shows what the scanner counts. */
  @Test
  void aReaderTakesTheMemoryThatIsCounted() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    byte[] call = Bombs.sharing(Vector.class.getName(), false, 2_000, 2_000);
    long before = threads.getCurrentThreadAllocatedBytes();
    JdkReader.receive(call);
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isGreaterThan(100L * call.length);
    assertThat(kinds(scan(call))).containsExactly(Kind.TOO_MUCH_HASHING);
  }

  /** Nothing that is copied is anybody else's, or it is short. */
  @Test
  void whatHonestSendersCopyIsNotTooMuch() {
    List<Object> all = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      IllegalStateException failure = new IllegalStateException("number " + i, new IOException());
      failure.addSuppressed(new IOException("deep", failure.getCause()));
      all.add(failure);
      all.add(new Vector<>(Collections.nCopies(i, null)));
      all.add(Locale.forLanguageTag("zh-Hant-TW"));
      all.add(URI.create("http://inside.example/" + i));
      all.add(BigInteger.TEN.pow(10 * i));
      all.add(new BigDecimal(BigInteger.TEN.pow(10 * i), i));
      StringBuilder text = new StringBuilder();
      text.append("x".repeat(i));
      all.add(text);
      all.add(BitSet.valueOf(new long[] {i}));
      all.add(EnumSet.allOf(Thread.State.class));
      all.add(new PriorityBlockingQueue<>(List.of(i, 2, 3)));
      all.add(new CopyOnWriteArraySet<>(List.of(i, -1)));
      all.add(new AtomicReferenceArray<>(new String[] {"", null, "x" + i}));
    }
    all.add(new PriorityQueue<>(IntStream.range(0, 10_000).mapToObj(i -> "key " + i).toList()));
    byte[] call = CallBytes.callWith(all);
    assertThat(scan(call).isClean(call.length)).isTrue();
  }

  @Test
  void keysThatAreAlikeAreComparedWithEachOther() {
    int many = 20_000;
    Map<String, byte[]> bombs = new LinkedHashMap<>();
    bombs.put("table", Bombs.tableOfAlike(many));
    bombs.put("table of references", Bombs.tableOfReferences(many));
    bombs.put("table of one place", Bombs.tableOfOnePlace(many));
    bombs.put("immutable set", CallBytes.callWith(Set.copyOf(alike(9_000))));
    bombs.forEach(
        (name, call) ->
            assertThat(kinds(scan(call))).as(name).containsExactly(Kind.TOO_MUCH_HASHING));
  }

  private static List<String> alike(int count) {
    return IntStream.range(0, count).mapToObj(Bombs::alike).toList();
  }

  @Test
  void longTablesOfHonestKeysAreNot() {
    int many = 20_000;
    List<String> texts = IntStream.range(0, many).mapToObj(i -> "key number " + i).toList();
    List<Object> tables = new ArrayList<>();
    tables.add(new HashSet<>(alike(many))); // as a tree
    tables.add(new ArrayList<>(alike(many)));
    tables.add(List.copyOf(alike(many)));
    tables.add(new HashSet<>(IntStream.range(0, many).mapToObj(LocalDate::ofEpochDay).toList()));
    List<Long> ids = IntStream.range(0, many).mapToObj(i -> i * 1000L).toList();
    tables.add(List.of(ids, new HashSet<>(ids), all(new HashMap<>(), ids)));
    List<String> longer = texts.stream().map(text -> "_".repeat(70) + text).toList();
    tables.add(List.of(longer, all(new Hashtable<>(), longer), Set.copyOf(longer)));
    tables.add(Set.copyOf(texts));
    tables.add(Map.copyOf(all(new HashMap<>(), texts)));
    Properties properties = new Properties();
    texts.forEach(text -> properties.setProperty(text, text));
    tables.add(properties);
    tables.add(List.of(texts, all(new HashMap<>(), texts), all(new Hashtable<>(), texts)));
    List<List<?>> keys =
        List.of(
            texts,
            IntStream.range(0, many).mapToObj(i -> i * 1000L).toList(),
            IntStream.range(0, many).boxed().toList());
    for (List<?> some : keys) {
      tables.add(all(new Hashtable<>(), some));
      tables.add(all(new ConcurrentHashMap<>(), some));
      tables.add(new HashSet<>(some));
      tables.add(Set.copyOf(some));
    }
    tables.add(
        new HashSet<>(IntStream.range(0, many).mapToObj(i -> new UUID(i, i * 31L)).toList()));
    for (Object table : tables) {
      byte[] call = CallBytes.callWith(table);
      assertThat(scan(call).isClean(call.length)).as("%s", table.getClass()).isTrue();
    }
  }

  /** A long text is told before it has come. */
  @Test
  void keysMayComeInPieces() {
    Properties properties = new Properties();
    IntStream.range(0, 100).forEach(i -> properties.setProperty("key " + i, ""));
    properties.setProperty("_".repeat(70_000), "");
    byte[] reply = CallBytes.normalReturn(out -> out.writeObject(properties));
    StreamScanner.GrowingScan scan =
        new StreamScanner(Shapes.ofJdk(), ScanLimits.DEFAULT).longReply();
    ScanResult result = null;
    for (int end = 997; result == null || end < reply.length + 997; end += 997) {
      int length = Math.min(end, reply.length);
      result = scan.more(Arrays.copyOf(reply, length), length, reply.length);
    }
    assertThat(result.isClean(reply.length)).isTrue();
  }

  private static <K> Map<K, Object> all(Map<K, Object> map, List<? extends K> keys) {
    keys.forEach(key -> map.put(key, key.toString().length()));
    return map;
  }

  @Test
  void nothingIsNestedDeeperThanTheParserGoes() {
    HandWritten arrays = HandWritten.call();
    arrays.array().descriptor("[Ljava.lang.Object;", 1, 2, List.of()).nothing().data().int32(1);
    HandWritten descriptors = HandWritten.call();
    HandWritten annotations = HandWritten.call();
    for (int i = 0; i < 100_000; i++) {
      arrays.array().reference(0).data().int32(1);
      descriptors.descriptor("a", 1, 2, List.of());
      annotations.unannotated("a", 1, 2, List.of());
    }
    for (HandWritten call : List.of(arrays, descriptors, annotations)) {
      assertThat(scan(call.toByteArray()).end()).isInstanceOf(MessageEnd.Unparseable.class);
    }
  }

  @Test
  void memoryIsInProportionToTheMessage() {
    allocated()
        .forEach(
            (name, bytes) ->
                assertThat(bytes.allocated())
                    .as(name)
                    .isLessThan(10L * bytes.ofMessage() + 16 * 1024));
  }

  @Test
  void memoryIsAtMostFourTimesTheMessageAndAMebibyte() {
    allocated()
        .forEach(
            (name, bytes) ->
                assertThat(bytes.allocated())
                    .as(name)
                    .isLessThanOrEqualTo(4L * bytes.ofMessage() + (1 << 20)));
  }

  private record Bytes(long ofMessage, long allocated) {}

  /** What a scan of each allocates, be it held for long or not. */
  private static Map<String, Bytes> allocated() {
    Map<String, byte[]> bombs = Bombs.hungry();
    bombs.values().forEach(StreamScannerTest::scan); // what is made once
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Map<String, Bytes> allocated = new LinkedHashMap<>();
    bombs.forEach(
        (name, call) -> {
          long before = threads.getCurrentThreadAllocatedBytes();
          scan(call);
          long after = threads.getCurrentThreadAllocatedBytes();
          allocated.put(name, new Bytes(call.length, after - before));
        });
    return allocated;
  }

  @Test
  void aClassBehindManyOfTheSameNameIsToldOrThereAreTooMany() {
    String[] same = new String[5000];
    Arrays.fill(same, "a");
    same[same.length - 1] = "b";
    HandWritten call = HandWritten.call();
    call.hex("76").proxy(same).nothing().data();
    assertThat(kinds(scan(call.toByteArray()))).contains(Kind.TOO_MANY_CLASSES);
  }

  /** A receiver makes a class of each order of the same interfaces, and keeps it. */
  @Test
  void aMessageHasNoMoreThanSoManyListsOfInterfaces() {
    assertThat(kinds(scan(proxies(256, 1)))).isEmpty();
    assertThat(kinds(scan(proxies(256, 3)))).isEmpty();
    assertThat(kinds(scan(proxies(257, 1)))).containsExactly(Kind.TOO_MANY_PROXY_CLASSES);
    assertThat(scan(proxies(256, 3)).proxyClasses()).hasSize(256).doesNotHaveDuplicates();
    assertThat(scan(proxies(256, 1)).proxyClasses())
        .isEqualTo(scan(proxies(256, 3)).proxyClasses());
  }

  /** Class objects, with as many bytes as that number of names takes. */
  private static byte[] proxies(int lists, int times) {
    HandWritten call = HandWritten.call();
    int described = -1;
    for (int i = 0; i < lists * times; i++) {
      call.string("_".repeat(100)).hex("76").proxy(Orders.of(i % lists));
      if (i == 0) {
        described = call.handles();
        call.descriptor(Bombs.shape("java.lang.reflect.Proxy")).nothing();
      } else {
        call.reference(described);
      }
      call.data();
    }
    return call.toByteArray();
  }

  /** What a scan does for each of these takes a time that does not depend on the message. */
  @Test
  void aScanIsToldNoMoreThanTwoThingsForEachByte() {
    Bombs.hungry()
        .forEach(
            (name, call) -> {
              AtomicLong told = new AtomicLong();
              MessageGrammar.endOfRequest(call, 0, call.length, counting(told));
              assertThat(told.get()).as(name).isBetween(1L, 2L * call.length);
            });
  }

  private static StreamObserver counting(AtomicLong told) {
    return (StreamObserver)
        Proxy.newProxyInstance(
            StreamObserver.class.getClassLoader(),
            new Class<?>[] {StreamObserver.class},
            (proxy, method, arguments) -> {
              told.incrementAndGet();
              if (method.getReturnType() == int.class) {
                return ScanLimits.DEFAULT.frames();
              }
              return method.getReturnType() == boolean.class
                  ? Boolean.valueOf(method.getName().equals("writesDefaultFields"))
                  : null;
            });
  }
}
