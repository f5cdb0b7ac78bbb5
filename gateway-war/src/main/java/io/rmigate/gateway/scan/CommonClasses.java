package io.rmigate.gateway.scan;

import io.rmigate.gateway.scan.shape.Shape;
import io.rmigate.gateway.scan.shape.Shapes;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Classes that every receiver has: those of the configured jars, which are its own, and of the JDK
 * those that are in {@code java.base} of each release since 8. What is not here is no less
 * harmless; a receiver may just lack it. See {@link Watch}: where objects stand in unframed data
 * with more behind them.
 */
final class CommonClasses {
  private static final Set<String> OF_JDK = new HashSet<>();
  private static final Set<String> ARRAYS = new HashSet<>();

  static {
    add(
        "java.lang.",
        "Boolean Byte Character Double Enum Float Integer Long Number Object Short String"
            + " StackTraceElement StringBuffer StringBuilder Throwable Exception RuntimeException"
            + " IllegalArgumentException IllegalStateException Serializable Comparable Cloneable"
            + " CharSequence");
    add("java.io.", "File Serializable Externalizable");
    add("java.math.", "BigDecimal BigInteger MathContext RoundingMode");
    add("java.net.", "URI");
    add("java.time.", "Ser DayOfWeek Month");
    add(
        "java.util.",
        "ArrayDeque ArrayList Arrays$ArrayList BitSet Collections$CopiesList Collections$EmptyList"
            + " Collections$EmptyMap Collections$EmptySet Collections$SetFromMap"
            + " Collections$SingletonList Collections$SingletonMap Collections$SingletonSet"
            + " Collections$SynchronizedCollection Collections$SynchronizedList"
            + " Collections$SynchronizedMap Collections$SynchronizedRandomAccessList"
            + " Collections$SynchronizedSet Collections$UnmodifiableCollection"
            + " Collections$UnmodifiableList Collections$UnmodifiableMap"
            + " Collections$UnmodifiableRandomAccessList Collections$UnmodifiableSet"
            + " Collections$UnmodifiableSortedMap Collections$UnmodifiableSortedSet Currency Date"
            + " EnumMap EnumSet$SerializationProxy HashMap HashSet Hashtable IdentityHashMap"
            + " LinkedHashMap LinkedHashSet LinkedList Locale PriorityQueue Properties Stack"
            + " TreeMap TreeSet UUID Vector Collection List Map Set SortedMap SortedSet");
    add(
        "java.util.concurrent.",
        "ConcurrentHashMap ConcurrentHashMap$Segment ConcurrentLinkedDeque ConcurrentLinkedQueue"
            + " ConcurrentSkipListMap ConcurrentSkipListSet CopyOnWriteArrayList"
            + " CopyOnWriteArraySet TimeUnit");
    add(
        "java.util.concurrent.atomic.",
        "AtomicBoolean AtomicInteger AtomicIntegerArray AtomicLong AtomicLongArray"
            + " AtomicReference AtomicReferenceArray");
    add(
        "java.util.concurrent.locks.",
        "AbstractOwnableSynchronizer AbstractQueuedSynchronizer ReentrantLock ReentrantLock$Sync"
            + " ReentrantLock$NonfairSync ReentrantLock$FairSync");
    OF_JDK.forEach(name -> ARRAYS.add("[L" + name + ";"));
  }

  /** Names of those of which there is a shape in the JDK's table. */
  private static final class Table {
    static final Set<String> NAMES = new HashSet<>();

    static {
      for (Shape shape : Shapes.ofJdk().all()) {
        NAMES.add(shape.name());
      }
    }
  }

  private CommonClasses() {}

  private static void add(String itsPackage, String names) {
    Arrays.stream(names.split(" ", -1)).map(itsPackage::concat).forEach(OF_JDK::add);
  }

  /** Whether each receiver has the class, of which there is a shape. */
  static boolean has(String name) {
    return OF_JDK.contains(name) || !Table.NAMES.contains(name);
  }

  /** Whether each receiver has the class of that array, {@code [Ljava.lang.Object;} say. */
  static boolean hasArray(String name) {
    boolean ofPrimitives = name.charAt(name.length() - 2) == '[';
    return ofPrimitives || ARRAYS.contains(name);
  }
}
