package io.rmigate.gateway.container.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.sample.Everything;
import io.rmigate.sample.Node;
import io.rmigate.sample.Person;
import io.rmigate.sample.Planet;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.rmi.RemoteException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Arguments and results of every kind. */
final class ValueCases {
  private final Everything everything;

  ValueCases(Inside inside) throws Exception {
    everything = inside.everything();
  }

  @Case
  void primitivesKeepTheirExtremes() throws Exception {
    for (boolean z : new boolean[] {true, false}) {
      assertThat(everything.echoBoolean(z)).isEqualTo(z);
    }
    for (byte b : new byte[] {Byte.MIN_VALUE, -1, 0, Byte.MAX_VALUE}) {
      assertThat(everything.echoByte(b)).isEqualTo(b);
    }
    for (short s : new short[] {Short.MIN_VALUE, -1, 0, Short.MAX_VALUE}) {
      assertThat(everything.echoShort(s)).isEqualTo(s);
    }
    for (char c : new char[] {Character.MIN_VALUE, 'x', '\ud800', Character.MAX_VALUE}) {
      assertThat(everything.echoChar(c)).isEqualTo(c);
    }
    for (int i : new int[] {Integer.MIN_VALUE, -1, 0, Integer.MAX_VALUE}) {
      assertThat(everything.echoInt(i)).isEqualTo(i);
    }
    for (long j : new long[] {Long.MIN_VALUE, -1, 0, Long.MAX_VALUE}) {
      assertThat(everything.echoLong(j)).isEqualTo(j);
    }
    for (float f : new float[] {Float.MIN_VALUE, -0f, Float.NaN, Float.NEGATIVE_INFINITY}) {
      assertThat(Float.floatToRawIntBits(everything.echoFloat(f)))
          .isEqualTo(Float.floatToRawIntBits(f));
    }
    for (double d : new double[] {Double.MIN_VALUE, -0d, Double.NaN, Double.MAX_VALUE}) {
      assertThat(Double.doubleToRawLongBits(everything.echoDouble(d)))
          .isEqualTo(Double.doubleToRawLongBits(d));
    }
  }

  @Case
  void primitivesInOneCallKeepTheirOrder() throws Exception {
    assertThat(everything.describe(true, (byte) -1, (short) 2, 'c', 4, 5L, 6.5f, 7.25, "eight"))
        .isEqualTo("true -1 2 c 4 5 6.5 7.25 eight");
  }

  /** Serialization writes them with a length of 8 bytes instead of 2. */
  @Case
  void stringsOver64KibSurvive() throws Exception {
    for (int length : new int[] {0, 1, 65_535, 65_536, 1_000_000}) {
      String text = "x".repeat(length);
      assertThat(everything.echoString(text).equals(text)).as("%s characters", length).isTrue();
    }
  }

  @Case
  void stringsKeepEveryCharacter() throws Exception {
    String text = "nul \0, umlaut ä, kanji 漢, emoji \ud83d\ude00, lone surrogate \ud83d!";
    assertThat(everything.echoString(text)).isEqualTo(text);
    String manyOfThem = text.repeat(5_000); // three bytes a character, over 64 KiB
    assertThat(everything.echoString(manyOfThem).equals(manyOfThem)).isTrue();
  }

  @Case
  void nullStaysNull() throws Exception {
    assertThat(everything.echo(null)).isNull();
    assertThat(everything.echoString(null)).isNull();
    assertThat(everything.echo(new Object[] {null, "x", null}))
        .isEqualTo(new Object[] {null, "x", null});
  }

  @Case
  void graphsKeepTheirShape() throws Exception {
    Node shared = new Node(7);
    Node copy = (Node) everything.echo(new Node(1).join(shared, shared));
    assertThat(copy.left()).isSameAs(copy.right());

    Node self = new Node(2);
    self.join(self, new Node(3).join(self, null));
    Node cyclic = (Node) everything.echo(self);
    assertThat(cyclic.left()).isSameAs(cyclic);
    assertThat(cyclic.right().left()).isSameAs(cyclic);
    assertThat(cyclic).isNotSameAs(self);
  }

  @Case
  void treesKeepEveryNode() throws Exception {
    Node tree = (Node) everything.echo(Node.tree(10));
    assertThat(values(tree))
        .containsExactlyInAnyOrder(IntStream.range(1, 1024).boxed().toArray(Integer[]::new));
  }

  private static List<Integer> values(Node node) {
    List<Integer> values = new ArrayList<>();
    collect(node, values);
    return values;
  }

  private static void collect(Node node, List<Integer> values) {
    if (node != null) {
      values.add(node.value());
      collect(node.left(), values);
      collect(node.right(), values);
    }
  }

  @Case
  void javaTimeValuesSurvive() throws Exception {
    ZoneId zone = ZoneId.of("Europe/Ljubljana");
    for (Object value :
        new Object[] {
          Instant.ofEpochSecond(1_700_000_000L, 123_456_789),
          LocalDate.of(2028, 2, 29),
          LocalDateTime.of(2026, 11, 21, 0, 56),
          ZonedDateTime.of(2026, 10, 25, 2, 30, 0, 0, zone),
          OffsetDateTime.of(2026, 1, 1, 0, 0, 0, 1, ZoneOffset.ofHours(-11)),
          Duration.ofNanos(1),
          Period.of(1, 2, 3),
          DayOfWeek.FRIDAY,
          zone
        }) {
      assertThat(everything.echo(value)).isEqualTo(value);
    }
  }

  @Case
  void enumsStayThemselves() throws Exception {
    assertThat(everything.echo(Planet.EARTH)).isSameAs(Planet.EARTH);
    assertThat(everything.echo(Planet.SATURN)).isSameAs(Planet.SATURN);
    assertThat(((Planet) everything.echo(Planet.SATURN)).hasRings()).isTrue();
  }

  @Case
  void recordsStayEqual() throws Exception {
    assertThat(everything.echo(Person.numbered(7))).isEqualTo(Person.numbered(7));
  }

  @Case
  void collectionsStayEqual() throws Exception {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("list", List.of(1, 2, 3));
    map.put("set", Set.of("a", "b"));
    map.put("sorted", new TreeMap<>(Map.of("z", 1, "a", 2)));
    map.put("hashed", new HashMap<>(Map.of(1L, 'c')));
    map.put("enum set", EnumSet.of(DayOfWeek.MONDAY, DayOfWeek.SUNDAY));
    map.put("enum map", new EnumMap<>(Map.of(Planet.EARTH, 1)));
    map.put("number", new BigDecimal("3.1415926535897932384626433832795"));
    map.put("big", BigInteger.TWO.pow(1_000));
    map.put("id", UUID.fromString("00000000-0000-002a-0000-00000000002a"));
    map.put("locale", Locale.forLanguageTag("sl-SI"));
    assertThat(everything.echo(map)).isEqualTo(map);
  }

  @Case
  void arraysStayEqual() throws Exception {
    Stream.of(
            new int[] {1, 2, 3},
            new long[0],
            new double[][] {{1}, {}, {2, 3}},
            new boolean[] {true, false},
            new char[] {'a', '\uffff'},
            new String[] {"a", null},
            new Object[] {1, "two", 3.0, new float[] {4}})
        .forEach(
            array -> {
              try {
                assertThat(everything.echo(array)).isEqualTo(array);
              } catch (RemoteException e) {
                throw new AssertionError(e);
              }
            });
  }

  @Case
  void genericCollectionsComeBackAsNewOnes() throws Exception {
    List<Person> people = IntStream.range(0, 100).mapToObj(Person::numbered).toList();
    Collection<Person> answer = everything.processRequest(people);
    assertThat(answer).isInstanceOf(ArrayList.class).containsExactlyElementsOf(people);
    assertThat(everything.<String>processRequest(List.of())).isEmpty();
  }

  @Case
  void varargsMayBeAnyNumber() throws Exception {
    assertThat(everything.join("-")).isEmpty();
    assertThat(everything.join("-", 1)).isEqualTo("1");
    assertThat(everything.join("-", 1, null, "x", 2.5)).isEqualTo("1-null-x-2.5");
  }
}
