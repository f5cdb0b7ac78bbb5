package io.rmigate.gateway.container.ordinary;

import io.rmigate.gateway.container.ordinary.api.Containers;
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Set;
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Collections of every kind, and views of them. */
@SuppressWarnings({"JdkObsolete", "IdentityHashMapUsage"})
final class ContainerKinds {
  private final Containers containers;

  private ContainerKinds(Containers containers) {
    this.containers = containers;
  }

  static void addTo(Kinds kinds) throws Exception {
    ContainerKinds group = new ContainerKinds(kinds.service(Containers.class));
    group.addLists(kinds);
    group.addMaps(kinds);
    group.addQueues(kinds);
  }

  private void addLists(Kinds kinds) {
    List<String> words = List.of("a", "b", "a");
    kinds.add("array list", () -> containers.list(new ArrayList<>(words)));
    kinds.add("linked list", () -> containers.list(new LinkedList<>(words)));
    kinds.add("immutable list", () -> containers.list(words));
    kinds.add("list of a stream", () -> containers.list(Stream.of("x", null).toList()));
    kinds.add("array as a list", () -> containers.list(Arrays.asList("x", null)));
    kinds.add(
        "unmodifiable list",
        () -> containers.list(Collections.unmodifiableList(new ArrayList<>(words))));
    kinds.add(
        "synchronized list",
        () -> containers.list(Collections.synchronizedList(new ArrayList<>(words))));
    kinds.add(
        "checked list",
        () -> containers.list(Collections.checkedList(new ArrayList<>(words), String.class)));
    kinds.add("empty list", () -> containers.list(Collections.emptyList()));
    kinds.add("single element", () -> containers.list(Collections.singletonList("x")));
    kinds.add("copies of an element", () -> containers.list(Collections.nCopies(3, "x")));
    kinds.add("copy-on-write list", () -> containers.list(new CopyOnWriteArrayList<>(words)));
    kinds.add(
        "stack",
        () -> {
          Stack<Integer> stack = new Stack<>();
          stack.push(5);
          return containers.collection(stack);
        });
    kinds.add("vector of strings", () -> containers.iterable(new Vector<>(words)));
    kinds.add("hash set", () -> containers.set(new LinkedHashSet<>(words)));
    kinds.add(
        "sorted set with an order",
        () -> {
          Set<String> set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
          set.addAll(List.of("b", "A", "a"));
          return containers.set(set);
        });
    kinds.add(
        "reversed order",
        () -> {
          Set<String> set = new TreeSet<>(Collections.reverseOrder());
          set.addAll(words);
          return containers.set(set);
        });
    kinds.add(
        "enum set", () -> containers.unitSet(EnumSet.of(TimeUnit.DAYS, TimeUnit.HOURS)).toString());
  }

  private void addMaps(Kinds kinds) {
    kinds.add("hash map", () -> containers.map(new LinkedHashMap<>(Map.of("a", 1))));
    kinds.add("immutable map", () -> containers.map(Map.of("a", 1)));
    kinds.add("concurrent map", () -> containers.map(new ConcurrentHashMap<>(Map.of("a", 1))));
    kinds.add("skip list", () -> containers.map(new ConcurrentSkipListMap<>(Map.of("a", 1))));
    kinds.add(
        "map in order of access",
        () -> {
          Map<String, Integer> map = new LinkedHashMap<>(16, 0.75f, true);
          map.put("a", 1);
          map.put("b", 2);
          map.get("a");
          return containers.map(map);
        });
    kinds.add(
        "map of lists",
        () -> containers.sorted(new TreeMap<>(Map.of("a", List.of(1, 2), "b", List.of()))));
    kinds.add("enum map", () -> containers.units(new EnumMap<>(Map.of(TimeUnit.DAYS, "d"))));
    kinds.add("hash table", () -> containers.table(new Hashtable<>(Map.of("a", 1))));
    kinds.add(
        "identity map", () -> containers.map(new IdentityHashMap<>(Map.of("a", 1))).toString());
    kinds.add(
        "properties",
        () -> {
          Properties properties = new Properties();
          properties.setProperty("user", "ann");
          return containers.properties(properties);
        });
    kinds.add(
        "map of maps of sets",
        () -> containers.nested(new TreeMap<>(Map.of("a", Map.of(1, Set.of("x"))))).toString());
    kinds.add(
        "unmodifiable map",
        () -> containers.map(Collections.unmodifiableMap(new TreeMap<>(Map.of("a", 1)))));
    kinds.add("entry", () -> containers.entry(new AbstractMap.SimpleEntry<>("a", 1)));
    kinds.add(
        "immutable entry", () -> containers.entry(new AbstractMap.SimpleImmutableEntry<>("a", 1)));
    kinds.add(
        "keys of a concurrent map",
        () -> {
          Set<String> keys = ConcurrentHashMap.newKeySet();
          keys.add("a");
          return containers.set(keys);
        });
  }

  private void addQueues(Kinds kinds) {
    List<String> words = List.of("b", "a");
    kinds.add("array deque", () -> containers.deque(new ArrayDeque<>(words)));
    kinds.add("blocking deque", () -> containers.deque(new LinkedBlockingDeque<>(words)));
    kinds.add("blocking queue", () -> containers.queue(new LinkedBlockingQueue<>(words)));
    kinds.add("bounded queue", () -> containers.queue(new ArrayBlockingQueue<>(5, true, words)));
    kinds.add("concurrent queue", () -> containers.queue(new ConcurrentLinkedQueue<>(words)));
    kinds.add("priority queue", () -> containers.queue(new PriorityQueue<>(words)));
  }
}
