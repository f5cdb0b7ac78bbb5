package io.rmigate.soap.type;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyCostsTest {
  private final KeyCosts costs = new KeyCosts(1000, 0);

  /** All have one hash code. */
  private record Key(int number) implements Serializable, Comparable<Key> {
    @Override
    public int hashCode() {
      return 1;
    }

    @Override
    public int compareTo(Key other) {
      return Integer.compare(number, other.number);
    }
  }

  private static Scalar scalar(Class<?> type) {
    return new Scalar(type, Scalar.Kind.TEXT, "", "string", null, text -> text, String::valueOf);
  }

  private static Dictionary map(Class<?> type, Class<?> key) {
    return new Dictionary(type, scalar(key), scalar(String.class), HashMap::new);
  }

  private static Sequence set(Class<?> type, Class<?> element) {
    return new Sequence(type, scalar(element), true, HashSet::new);
  }

  /** Adds {@code count} keys, each made of {@code values} values. */
  private void add(KeyCosts.Keys keys, int count, int values) throws ConstructionException {
    for (int i = 0; i < count; i++) {
      long since = costs.read();
      for (int j = 0; j < values; j++) {
        costs.onRead(0);
      }
      keys.add(new Key(i), since);
    }
  }

  @Test
  void keysOfOneHashCodeAreComparedEachWithAll() throws ConstructionException {
    add(costs.of(map(Map.class, Key.class)), 31, 1); // 31 * 30 / 2 * 2

    KeyCosts.Keys further = costs.of(set(Set.class, Key.class));

    assertThatThrownBy(() -> add(further, 10, 1)).isInstanceOf(ConstructionException.class);
  }

  @Test
  void theMoreIsReadTheMoreMayBeCompared() throws ConstructionException {
    for (int values : new int[] {1_000, 2_000, 4_000}) {
      KeyCosts proportional = new KeyCosts(0, 1);
      for (int i = 0; i < values; i++) {
        proportional.onRead(0);
      }
      KeyCosts.Keys keys = proportional.of(map(Map.class, Key.class));
      int few = (int) Math.sqrt(2.0 * values);
      for (int i = 0; i < few; i++) {
        keys.add(new Key(i), proportional.read());
      }
      assertThatThrownBy(() -> keys.add(new Key(few), proportional.read() - few))
          .isInstanceOf(ConstructionException.class);
    }
  }

  /** The figures of SECURITY.md: one key more would be compared with all before it. */
  @ParameterizedTest
  @CsvSource({"0, 1000", "1000, 1062", "1000000, 6325"})
  void noMoreIsComparedThanTheSecurityPageSays(int values, int keys) throws ConstructionException {
    KeyCosts usual = new KeyCosts();
    for (int i = 0; i < values; i++) {
      usual.onRead(0);
    }
    KeyCosts.Keys alike = usual.of(map(Map.class, Key.class));
    for (int i = 0; i < keys; i++) {
      alike.add(new Key(i), usual.read());
    }

    assertThatThrownBy(() -> alike.add(new Key(keys), usual.read()))
        .isInstanceOf(ConstructionException.class);
  }

  @Test
  void largerKeysCostMore() throws ConstructionException {
    add(costs.of(set(Set.class, Key.class)), 5, 99); // 5 * 4 / 2 * 100

    assertThatThrownBy(() -> add(costs.of(set(Set.class, Key.class)), 2, 99))
        .isInstanceOf(ConstructionException.class);
  }

  @Test
  void keysOfUnlikeHashCodesCostNothing() throws ConstructionException {
    KeyCosts.Keys keys = costs.of(map(Map.class, LocalDate.class));
    for (int day = 0; day < 5000; day++) {
      keys.add(LocalDate.ofEpochDay(day), costs.read());
    }
  }

  @Test
  void whatIsInOrderCostsNothing() {
    for (KeyCosts.Keys keys :
        new KeyCosts.Keys[] {
          costs.of(map(Map.class, String.class)),
          costs.of(map(HashMap.class, Long.class)),
          costs.of(set(Set.class, Thread.State.class)),
          costs.of(map(TreeMap.class, Key.class)),
          costs.of(set(SortedSet.class, Key.class)),
          costs.of(set(TreeSet.class, Key.class)),
          costs.of(new Sequence(Set.class, scalar(Key.class), false, HashSet::new)),
        }) {
      assertThatCode(() -> add(keys, 5000, 1)).doesNotThrowAnyException();
    }
  }

  @Test
  void chainsOfAHashtableHaveNoOrder() {
    KeyCosts.Keys keys = costs.of(map(Hashtable.class, String.class));

    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 5000; i++) {
                keys.add(String.valueOf(i), costs.read());
              }
            })
        .isInstanceOf(ConstructionException.class);
  }

  /** As published classes may have it. */
  @SuppressWarnings("JdkObsolete")
  private static final class Table extends Hashtable<String, String> {
    private static final long serialVersionUID = 1L;
  }

  @Test
  void chainsOfTablesOfOnesOwnAreCountedToo() {
    KeyCosts.Keys keys = costs.of(map(Table.class, String.class));
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 5000; i++) {
                keys.add("same", costs.read());
              }
            })
        .isInstanceOf(ConstructionException.class);
  }

  @Test
  void whatIsCopiedWithEachElementIsCounted() {
    for (Class<?> type : new Class<?>[] {CopyOnWriteArrayList.class, CopyOnWriteArraySet.class}) {
      KeyCosts.Keys keys = new KeyCosts(1000, 0).of(set(type, Integer.class));
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 5000; i++) {
                  keys.add(i, 0);
                }
              })
          .isInstanceOf(ConstructionException.class);
    }
  }
}
