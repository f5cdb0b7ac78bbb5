package io.rmigate.gateway.bridge.marshal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.Proxy;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The classes of the JDK that are nothing but values: numbers, texts, dates, collections, enums,
 * exceptions. Reading one neither reaches for anything outside nor runs what others have written,
 * but for {@code equals}, {@code hashCode} and {@code compareTo} of elements.
 *
 * <p>Names, because many are private to the JDK: {@code List.of} writes a {@code
 * java.util.CollSer}, which reads as an {@code ImmutableCollections.ListN}; both are asked for.
 * Those of JDKs before and after this one are here too. {@code java.net.URL} and {@code
 * InetAddress} are not: their hash codes ask the name service; nor is what {@code
 * Collections.nCopies} makes: two thousand million elements in a hundred bytes.
 */
final class JdkValueTypes {
  /** Modules of the JDK whose exceptions are values. */
  private static final Set<String> MODULES = Set.of("java.base", "java.rmi", "java.sql");

  private static final Set<String> NAMES =
      Set.of(
          "java.lang.Boolean",
          "java.lang.Byte",
          "java.lang.Character",
          "java.lang.Double",
          "java.lang.Enum",
          "java.lang.Float",
          "java.lang.Integer",
          "java.lang.Long",
          "java.lang.Number",
          "java.lang.Object",
          "java.lang.Record",
          "java.lang.Short",
          "java.lang.StackTraceElement",
          "java.lang.String",
          "java.lang.String$CaseInsensitiveComparator",
          "java.math.BigDecimal",
          "java.math.BigInteger",
          "java.math.MathContext",
          "java.net.URI",
          "java.sql.Date",
          "java.sql.Time",
          "java.sql.Timestamp",
          "java.util.AbstractMap$SimpleEntry",
          "java.util.AbstractMap$SimpleImmutableEntry",
          "java.util.ArrayDeque",
          "java.util.ArrayList",
          "java.util.Arrays$ArrayList",
          "java.util.BitSet",
          "java.util.Calendar",
          "java.util.CollSer",
          "java.util.Collections$CheckedCollection",
          "java.util.Collections$CheckedList",
          "java.util.Collections$CheckedMap",
          "java.util.Collections$CheckedRandomAccessList",
          "java.util.Collections$CheckedSet",
          "java.util.Collections$CheckedSortedMap",
          "java.util.Collections$CheckedSortedSet",
          "java.util.Collections$EmptyList",
          "java.util.Collections$EmptyMap",
          "java.util.Collections$EmptySet",
          "java.util.Collections$ReverseComparator",
          "java.util.Collections$ReverseComparator2",
          "java.util.Collections$SetFromMap",
          "java.util.Collections$SingletonList",
          "java.util.Collections$SingletonMap",
          "java.util.Collections$SingletonSet",
          "java.util.Collections$SynchronizedCollection",
          "java.util.Collections$SynchronizedList",
          "java.util.Collections$SynchronizedMap",
          "java.util.Collections$SynchronizedNavigableMap",
          "java.util.Collections$SynchronizedNavigableSet",
          "java.util.Collections$SynchronizedRandomAccessList",
          "java.util.Collections$SynchronizedSet",
          "java.util.Collections$SynchronizedSortedMap",
          "java.util.Collections$SynchronizedSortedSet",
          "java.util.Collections$UnmodifiableCollection",
          "java.util.Collections$UnmodifiableList",
          "java.util.Collections$UnmodifiableMap",
          "java.util.Collections$UnmodifiableMap$UnmodifiableEntrySet",
          "java.util.Collections$UnmodifiableNavigableMap",
          "java.util.Collections$UnmodifiableNavigableMap$EmptyNavigableMap",
          "java.util.Collections$UnmodifiableNavigableSet",
          "java.util.Collections$UnmodifiableNavigableSet$EmptyNavigableSet",
          "java.util.Collections$UnmodifiableRandomAccessList",
          "java.util.Collections$UnmodifiableSequencedCollection",
          "java.util.Collections$UnmodifiableSequencedMap",
          "java.util.Collections$UnmodifiableSequencedSet",
          "java.util.Collections$UnmodifiableSet",
          "java.util.Collections$UnmodifiableSortedMap",
          "java.util.Collections$UnmodifiableSortedSet",
          "java.util.Currency",
          "java.util.Date",
          "java.util.EnumMap",
          "java.util.EnumSet$SerializationProxy",
          "java.util.GregorianCalendar",
          "java.util.HashMap",
          "java.util.HashSet",
          "java.util.Hashtable",
          "java.util.IdentityHashMap",
          "java.util.ImmutableCollections$List12",
          "java.util.ImmutableCollections$ListN",
          "java.util.ImmutableCollections$Map1",
          "java.util.ImmutableCollections$MapN",
          "java.util.ImmutableCollections$Set12",
          "java.util.ImmutableCollections$SetN",
          "java.util.JumboEnumSet",
          "java.util.LinkedHashMap",
          "java.util.LinkedHashSet",
          "java.util.LinkedList",
          "java.util.Locale",
          "java.util.PriorityQueue",
          "java.util.Properties",
          "java.util.RegularEnumSet",
          "java.util.SimpleTimeZone",
          "java.util.Stack",
          "java.util.TimeZone",
          "java.util.TreeMap",
          "java.util.TreeSet",
          "java.util.UUID",
          "java.util.Vector",
          "java.util.concurrent.ArrayBlockingQueue",
          "java.util.concurrent.ConcurrentHashMap",
          "java.util.concurrent.ConcurrentHashMap$Segment",
          "java.util.concurrent.ConcurrentLinkedDeque",
          "java.util.concurrent.ConcurrentLinkedQueue",
          "java.util.concurrent.ConcurrentSkipListMap",
          "java.util.concurrent.ConcurrentSkipListSet",
          "java.util.concurrent.CopyOnWriteArrayList",
          "java.util.concurrent.CopyOnWriteArraySet",
          "java.util.concurrent.LinkedBlockingDeque",
          "java.util.concurrent.LinkedBlockingQueue",
          "java.util.concurrent.atomic.AtomicBoolean",
          "java.util.concurrent.atomic.AtomicInteger",
          "java.util.concurrent.atomic.AtomicLong",
          "java.util.concurrent.atomic.AtomicReference",
          "java.util.concurrent.locks.AbstractOwnableSynchronizer",
          "java.util.concurrent.locks.AbstractQueuedSynchronizer",
          "java.util.concurrent.locks.ReentrantLock",
          "java.util.concurrent.locks.ReentrantLock$FairSync",
          "java.util.concurrent.locks.ReentrantLock$NonfairSync",
          "java.util.concurrent.locks.ReentrantLock$Sync",
          "sun.util.calendar.ZoneInfo");

  /** In which all classes are values. */
  private static final Set<String> PACKAGES =
      Set.of("java.time", "java.time.chrono", "java.time.zone");

  /** The names of all classes in the modules; nothing is loaded for this. */
  private static final class Existing {
    static final Set<String> NAMES = names();

    private static Set<String> names() {
      Set<String> all = new HashSet<>();
      for (String module : MODULES) {
        ModuleFinder.ofSystem().find(module).ifPresent(found -> addTo(all, found));
      }
      return Set.copyOf(all);
    }

    private static void addTo(Set<String> all, ModuleReference module) {
      try (ModuleReader reader = module.open();
          Stream<String> files = reader.list()) {
        files
            .filter(file -> file.endsWith(SUFFIX))
            .map(file -> file.substring(0, file.length() - SUFFIX.length()).replace('/', '.'))
            .forEach(all::add);
      } catch (IOException e) {
        throw new UncheckedIOException(e); // of the running JDK itself
      }
    }
  }

  private static final String SUFFIX = ".class";

  private JdkValueTypes() {}

  /** Whether there is a class of that name that might be one of these. */
  static boolean mayContain(String name) {
    return Existing.NAMES.contains(name);
  }

  /**
   * Whether it is one of these; not for arrays. An interface is, because nothing can be made of it
   * but arrays.
   */
  static boolean contains(Class<?> type) {
    String module = String.valueOf(type.getModule().getName());
    return MODULES.contains(module)
        && (NAMES.contains(type.getName())
            || PACKAGES.contains(type.getPackageName())
            || type == Proxy.class
            || type.isInterface()
            || Throwable.class.isAssignableFrom(type)
            || Enum.class.isAssignableFrom(type));
  }
}
