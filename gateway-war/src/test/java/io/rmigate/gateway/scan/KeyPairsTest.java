package io.rmigate.gateway.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.scan.shape.JarShapes;
import io.rmigate.gateway.scan.shape.Shapes;
import io.rmigate.gateway.testing.ClassJar;
import io.rmigate.protocol.jrmp.CallBytes;
import java.io.Serializable;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Date;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The figure of keys that a receiver may have to compare each with each. */
@SuppressWarnings({"ArrayAsKeyOfSetOrMap", "JavaUtilDate", "JdkObsolete"})
class KeyPairsTest {
  private static final int MANY = 1000;

  private static long keys(Object argument) {
    return keys(StreamScannerTest.scan(CallBytes.callWith(argument)));
  }

  private static long keys(ScanResult result) {
    assertThat(result.findings()).isEmpty();
    return result.figures().keys();
  }

  private static <K> List<K> many(IntFunction<K> key) {
    return IntStream.range(0, MANY).mapToObj(key).toList();
  }

  private static <K> Map<K, Object> all(Map<K, Object> map, List<? extends K> keys) {
    keys.forEach(key -> map.put(key, ""));
    return map;
  }

  private static Date date(int i) {
    return new Date(i * 86_400_000L);
  }

  private static UUID id(int i) {
    return new UUID(i, 31L * i);
  }

  @Test
  void keysWithoutAnOrderCountTwiceInATree() {
    List<Date> dates = many(KeyPairsTest::date);
    for (Object table :
        List.of(
            all(new HashMap<>(), dates),
            all(new LinkedHashMap<>(), dates),
            all(new ConcurrentHashMap<>(), dates),
            new HashSet<>(dates),
            new LinkedHashSet<>(dates),
            new HashSet<>(many(LocalDate::ofEpochDay)))) {
      assertThat(keys(table)).as("%s", table.getClass()).isBetween(2 * MANY - 2L, 2L * MANY);
    }
  }

  @Test
  void allKeysCountInChainsUnlessTheirHashCodesAreComputed() {
    for (List<?> some : List.of(many(KeyPairsTest::date), many(KeyPairsTest::id))) {
      for (Object table :
          List.of(
              all(new Hashtable<>(), some),
              Set.copyOf(some),
              Map.copyOf(all(new HashMap<>(), some)))) {
        assertThat(keys(table)).as("%s", table.getClass()).isBetween(MANY - 1L, (long) MANY);
      }
    }
    for (List<?> some : List.of(many(i -> "key " + i), many(i -> i), many(i -> 7L * i))) {
      assertThat(keys(all(new Hashtable<>(), some))).isZero();
      assertThat(keys(Set.copyOf(some))).isZero();
    }
  }

  @Test
  void keysThatTheirClassPutsInOrderDoNotCountInATree() {
    for (List<?> some :
        List.of(
            many(KeyPairsTest::id),
            many(i -> "key " + i),
            many(i -> 7L * i),
            many(i -> new java.util.Date(i)),
            many(BigDecimal::valueOf),
            many(i -> URI.create("x:" + i)),
            many(Instant::ofEpochMilli),
            many(Duration::ofMillis))) {
      assertThat(keys(all(new HashMap<>(), some))).as("%s", some.get(0).getClass()).isZero();
      // The same objects again: references to them.
      Object twice = List.of(some, all(new HashMap<>(), some), new HashSet<>(some));
      assertThat(keys(twice)).as("%s twice", some.get(0).getClass()).isZero();
    }
  }

  /** A tree of two orders is searched as if it had none. */
  @Test
  void keysOfTwoOrdersInOneTreeCount() {
    List<Object> both = new ArrayList<>(many(i -> "key " + i));
    both.addAll(many(i -> 7L * i));
    assertThat(keys(all(new HashMap<>(), both))).isGreaterThan(2 * MANY);
    List<Object> times = new ArrayList<>(many(Instant::ofEpochMilli));
    times.addAll(many(Duration::ofMillis));
    assertThat(keys(all(new HashMap<>(), times))).isGreaterThan(2 * MANY);
  }

  @Test
  void whatIsNotFoundByItsHashCodeDoesNotCount() {
    List<Date> dates = many(KeyPairsTest::date);
    IdentityHashMap<Date, Object> identities = new IdentityHashMap<>();
    assertThat(keys(all(identities, dates))).isZero();
    assertThat(keys(all(new TreeMap<>(), dates))).isZero();
    assertThat(keys(new ArrayList<>(dates))).isZero();
    assertThat(keys(List.copyOf(dates))).isZero();
    assertThat(keys(all(new HashMap<>(), many(i -> new int[] {i})))).isZero();
    assertThat(keys(new EnumMap<>(Map.of(DayOfWeek.MONDAY, dates)))).isZero();
  }

  @Test
  void aKeyOfSeveralObjectsCountsWithTheRootOfItsSize() {
    long one = keys(all(new Hashtable<>(), many(KeyPairsTest::date)));
    long ofNine = keys(all(new Hashtable<>(), many(i -> Arrays.asList(i, 1, 2, 3, 4, 5, 6))));
    assertThat(ofNine).isBetween(2 * one, 4 * one);
    assertThat(keys(all(new HashMap<>(), many(i -> new SimpleEntry<>(i, i)))))
        .isGreaterThan(3 * one);
  }

  @Test
  void tablesAreAddedUpByTheirPairs() {
    Object one = all(new Hashtable<>(), many(KeyPairsTest::date));
    Object other = all(new Hashtable<>(), many(i -> date(MANY + i)));
    assertThat(keys(List.of(one, other))).isBetween(MANY * 14 / 10L, MANY * 15 / 10L);
    List<Object> small = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      small.add(all(new Hashtable<>(), many(KeyPairsTest::date).subList(0, 30)));
    }
    assertThat(keys(small)).isZero();
  }

  @Test
  void localesCountWhereverTheyStand() {
    assertThat(keys(many(i -> new Locale("en", "US", "v" + i)))).isEqualTo(8L * MANY);
    Locale one = new Locale("en", "US", "x");
    assertThat(keys(new ArrayList<>(many(i -> one)))).isEqualTo(8);
  }

  @Test
  void keysOfAReplyInPiecesCountAsIfItHadComeAtOnce() {
    List<Object> tables = new ArrayList<>();
    for (List<?> some :
        List.of(many(KeyPairsTest::date), many(KeyPairsTest::id), many(i -> "" + i))) {
      tables.add(List.of(some, all(new HashMap<>(), some), all(new Hashtable<>(), some)));
    }
    byte[] reply = CallBytes.normalReturn(out -> out.writeObject(tables));
    StreamScanner scanner = new StreamScanner(Shapes.ofJdk(), ScanLimits.DEFAULT);
    long atOnce = keys(scanner.reply(reply, 0, reply.length));

    ScanResult last = LyingDescriptorsTest.inCrumbs(scanner.longReply(), reply);

    assertThat(atOnce).isGreaterThan(2 * MANY);
    assertThat(last.figures().keys()).isGreaterThanOrEqualTo(atOnce);
  }

  record Ordered(int number) implements Comparable<Ordered>, Serializable {
    @Override
    public int compareTo(Ordered other) {
      return Integer.compare(number, other.number);
    }
  }

  record Unordered(int number) implements Serializable {}

  @Test
  void classesOfJarsAreAskedForTheirOrder(@TempDir Path directory) throws Exception {
    Path jar = ClassJar.in(directory, Ordered.class, Unordered.class).resolve("classes.jar");
    Shapes shapes = Shapes.ofJdk().with(JarShapes.of(List.of(jar)).shapes());
    StreamScanner scanner = new StreamScanner(shapes, ScanLimits.DEFAULT);
    byte[] ordered = CallBytes.callWith(new HashSet<>(many(Ordered::new)));
    byte[] unordered = CallBytes.callWith(new HashSet<>(many(Unordered::new)));
    assertThat(keys(scanner.request(ordered, 0, ordered.length))).isZero();
    assertThat(keys(scanner.request(unordered, 0, unordered.length))).isGreaterThan(MANY);
  }
}
