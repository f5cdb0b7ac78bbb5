package io.rmigate.gateway.scan.proof;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The methods, types and superclasses of the JDK that harmless code may use. By their documentation
 * these methods reach nothing but their arguments, keep none of them, and take no longer than their
 * arguments are long.
 */
final class HarmlessCalls {
  /** Final types whose objects never change, and which ask nothing of others. */
  private static final Set<String> VALUES =
      Set.of(
          "java/lang/Boolean",
          "java/lang/Byte",
          "java/lang/Character",
          "java/lang/Class",
          "java/lang/Double",
          "java/lang/Float",
          "java/lang/Integer",
          "java/lang/Long",
          "java/lang/Short",
          "java/lang/String",
          "java/time/DayOfWeek",
          "java/time/Duration",
          "java/time/Instant",
          "java/time/LocalDate",
          "java/time/LocalDateTime",
          "java/time/LocalTime",
          "java/time/Month",
          "java/time/MonthDay",
          "java/time/OffsetDateTime",
          "java/time/OffsetTime",
          "java/time/Period",
          "java/time/Year",
          "java/time/YearMonth",
          "java/time/ZoneOffset",
          "java/time/ZonedDateTime",
          "java/util/Locale",
          "java/util/UUID");

  /** Types whose objects hold numbers or texts; code may change some of them. */
  private static final Set<String> LEAVES =
      Set.of(
          "java/math/BigDecimal",
          "java/math/BigInteger",
          "java/sql/Date",
          "java/sql/Time",
          "java/sql/Timestamp",
          "java/util/Currency",
          "java/util/Date");

  /** Types whose objects hold one primitive value. */
  private static final Set<String> BOXES =
      Set.of(
          "java/lang/Boolean",
          "java/lang/Byte",
          "java/lang/Character",
          "java/lang/Double",
          "java/lang/Float",
          "java/lang/Integer",
          "java/lang/Long",
          "java/lang/Short");

  /** Methods of boxes that look at the system. */
  private static final Set<String> OF_THE_SYSTEM = Set.of("getBoolean", "getInteger", "getLong");

  /** Methods, by type, that take a constant time and call no method of their arguments. */
  private static final Map<String, Set<String>> QUICK =
      Map.ofEntries(
          Map.entry("java/lang/Class", Set.of("getName", "getSimpleName", "isInstance", "cast")),
          Map.entry("java/lang/Enum", Set.of("name", "ordinal", "getDeclaringClass")),
          Map.entry("java/lang/Object", Set.of("getClass")),
          Map.entry("java/lang/String", Set.of("charAt", "isEmpty", "length")),
          Map.entry("java/lang/System", Set.of("identityHashCode")),
          Map.entry("java/math/BigDecimal", Set.of("signum")),
          Map.entry("java/math/BigInteger", Set.of("signum")),
          Map.entry("java/util/Objects", Set.of("isNull", "nonNull")));

  /** Methods of a stream that is being read. */
  private static final Set<String> READS =
      Set.of(
          "defaultReadObject",
          "readBoolean",
          "readByte",
          "readChar",
          "readDouble",
          "readFields",
          "readFloat",
          "readInt",
          "readLong",
          "readObject",
          "readShort",
          "readUTF",
          "readUnsignedByte",
          "readUnsignedShort");

  /**
   * Methods that take time in proportion to a text; harmless only where the scanner counts how
   * often such code runs.
   */
  private static final Set<String> OF_TEXTS =
      Set.of("compareToIgnoreCase", "endsWith", "equalsIgnoreCase", "startsWith");

  /** Methods, by type, that hash, compare or print their first argument and its elements. */
  private static final Map<String, Set<String>> OF_ELEMENTS =
      Map.of(
          "java/util/Arrays", Set.of("deepEquals", "deepHashCode", "equals", "hashCode"),
          "java/util/Objects", Set.of("equals", "hash", "hashCode", "toString"));

  /** Objects that code may make without arguments, for fields that are not serialized. */
  private static final Set<String> MADE_EMPTY =
      Set.of(
          "java/lang/Object",
          "java/util/ArrayList",
          "java/util/HashMap",
          "java/util/HashSet",
          "java/util/LinkedHashMap",
          "java/util/LinkedHashSet",
          "java/util/LinkedList",
          "java/util/TreeMap",
          "java/util/TreeSet",
          "java/util/concurrent/ConcurrentHashMap",
          "java/util/concurrent/CopyOnWriteArrayList",
          "java/util/concurrent/atomic/AtomicBoolean",
          "java/util/concurrent/atomic/AtomicInteger",
          "java/util/concurrent/atomic/AtomicLong",
          "java/util/concurrent/atomic/AtomicReference",
          "java/util/concurrent/locks/ReentrantLock",
          "java/util/concurrent/locks/ReentrantReadWriteLock");

  /** Superclasses whose objects are made of fields alone, exceptions aside. */
  private static final Set<String> SUPERCLASSES =
      Set.of(
          "java/lang/Enum",
          "java/lang/Number",
          "java/lang/Object",
          "java/lang/Record",
          "java/util/ArrayList",
          "java/util/EventObject",
          "java/util/HashMap",
          "java/util/HashSet",
          "java/util/LinkedHashMap",
          "java/util/LinkedHashSet",
          "java/util/LinkedList");

  /** Packages whose exceptions read nothing but their fields. */
  private static final Set<String> EXCEPTIONS =
      Set.of(
          "java/io/",
          "java/lang/",
          "java/rmi/",
          "java/text/",
          "java/util/",
          "java/util/concurrent/");

  /** Interfaces of the JDK whose methods its own readers do not call over and over. */
  private static final Set<String> INTERFACES =
      Set.of(
          "java/io/Externalizable",
          "java/io/ObjectInputValidation",
          "java/io/Serializable",
          "java/lang/AutoCloseable",
          "java/lang/Cloneable",
          "java/lang/Comparable",
          "java/lang/Runnable",
          "java/lang/constant/Constable",
          "java/util/Comparator",
          "java/util/EventListener",
          "java/util/Map$Entry",
          "java/util/RandomAccess",
          "java/util/concurrent/Callable");

  /** Dangers of classes, by the beginnings of their names; the first that fits counts. */
  private static final Map<String, String> DANGERS = new LinkedHashMap<>(); // in order

  static {
    for (String reflection : List.of("reflect/", "invoke/", "Class")) {
      DANGERS.put("java/lang/" + reflection, "reflection");
    }
    DANGERS.put("java/lang/ClassLoader", "class loading");
    DANGERS.put("java/lang/Process", "processes");
    DANGERS.put("java/lang/Runtime", "processes");
    DANGERS.put("java/lang/System", "the system");
    DANGERS.put("java/lang/Thread", "threads");
    DANGERS.put("java/util/Timer", "threads");
    DANGERS.put("java/util/concurrent/", "threads");
    DANGERS.put("java/io/Object", "an object stream of its own");
    DANGERS.put("java/io/", "input and output");
    DANGERS.put("java/nio/", "input and output");
    DANGERS.put("java/net/", "network");
    DANGERS.put("javax/net/", "network");
    DANGERS.put("javax/naming/", "naming services");
    DANGERS.put("javax/script/", "code of the sender's choice");
    DANGERS.put("javax/swing/", "user interface");
    DANGERS.put("java/awt/", "user interface");
    DANGERS.put("java/beans/", "reflection");
  }

  private HarmlessCalls() {}

  /** A method for people, with what is feared of it. */
  static String text(String owner, String name) {
    String text = owner.replace('/', '.') + (name.equals("<init>") ? "" : "." + name);
    return DANGERS.entrySet().stream()
        .filter(danger -> owner.startsWith(danger.getKey()))
        .findFirst()
        .map(danger -> text + ": " + danger.getValue())
        .orElse(text);
  }

  /** Whether a value of that descriptor is a number, a truth value, or never changes. */
  static boolean isValue(String descriptor) {
    return descriptor.length() == 1
        || (descriptor.charAt(0) == 'L'
            && VALUES.contains(descriptor.substring(1, descriptor.length() - 1)));
  }

  /** Whether the descriptor is that of an array of numbers or truth values. */
  static boolean isPrimitiveArray(String descriptor) {
    return descriptor.length() == 2 && descriptor.charAt(0) == '[';
  }

  /** Whether a value of that descriptor holds no objects but texts. */
  static boolean isLeaf(String descriptor) {
    return isPrimitiveArray(descriptor)
        || (descriptor.charAt(0) == 'L'
            && LEAVES.contains(descriptor.substring(1, descriptor.length() - 1)));
  }

  /** Whether it is the type of a number or a truth value in an object. */
  static boolean isBox(String type) {
    return BOXES.contains(type);
  }

  /** Whether the method asks its object, or what it is given, to hash, compare or print itself. */
  static boolean asks(String owner, String name, String descriptor) {
    boolean ofObject =
        switch (name) {
          case "hashCode" -> descriptor.equals("()I");
          case "equals" -> descriptor.equals("(Ljava/lang/Object;)Z");
          case "toString" -> descriptor.equals("()Ljava/lang/String;");
          case "compareTo" ->
              descriptor.equals("(Ljava/lang/Object;)I")
                  || (descriptor.endsWith(")I")
                      && (VALUES.contains(owner) || owner.startsWith("java/math/")));
          default -> false;
        };
    return ofObject
        || OF_ELEMENTS.getOrDefault(owner, Set.of()).contains(name)
        || (owner.equals("java/lang/String")
            && name.equals("valueOf")
            && descriptor.startsWith("(Ljava/lang/Object;"));
  }

  /** Whether a call takes a constant time, and calls no method of its arguments. */
  static boolean isQuick(String owner, String name, String descriptor) {
    return (BOXES.contains(owner)
            && !OF_THE_SYSTEM.contains(name)
            && !descriptor.contains("/String;")
            && !descriptor.contains("CharSequence")
            && descriptor.indexOf('[') < 0)
        || owner.equals("java/lang/Math")
        || (owner.equals("java/util/Objects")
            && name.equals("requireNonNull")
            && !descriptor.contains("Supplier"))
        || QUICK.getOrDefault(owner, Set.of()).contains(name);
  }

  /** Whether a call takes as long as the text that it is given. */
  static boolean isOfText(String owner, String name, String descriptor) {
    return (owner.equals("java/lang/String") && (OF_TEXTS.contains(name) || name.equals("valueOf")))
        || (owner.equals("java/lang/StringBuilder")
            && ((name.equals("append") && !descriptor.startsWith("(Ljava/lang/CharSequence;"))
                || name.equals("toString")));
  }

  /** Whether that method looks at two texts, and makes none. */
  static boolean isOfTwoTexts(String name) {
    return OF_TEXTS.contains(name);
  }

  /** Whether a call reads the next value of a stream. */
  static boolean reads(String name) {
    return READS.contains(name);
  }

  /** Whether code may make an object of that class with no arguments. */
  static boolean isMadeEmpty(String type) {
    return MADE_EMPTY.contains(type);
  }

  /** Whether a constructor takes no code and nothing long. */
  static boolean isConstructor(String type, String descriptor) {
    return descriptor.equals("()V")
        ? MADE_EMPTY.contains(type)
            || SUPERCLASSES.contains(type)
            || type.equals("java/lang/StringBuilder")
        : type.equals("java/lang/StringBuilder") && descriptor.equals("(Ljava/lang/String;)V");
  }

  /** Whether a call makes a text by a format. */
  static boolean formats(String owner, String name, String descriptor) {
    return owner.equals("java/lang/String")
        && name.equals("format")
        && descriptor.startsWith("(Ljava/lang/String;[Ljava/lang/Object;)");
  }

  /** Whether a constructor of a JDK's exception does nothing but keep what it is given. */
  static boolean isOfException(String descriptor) {
    return Set.of("()V", "(Ljava/lang/String;)V", "(Ljava/lang/String;Ljava/lang/Throwable;)V")
        .contains(descriptor);
  }

  /** Whether a class of the jars may extend that one, exceptions aside. */
  static boolean isSuperclass(String type) {
    return SUPERCLASSES.contains(type);
  }

  /** Whether a class of the jars may extend that exception, which reads nothing but its fields. */
  static boolean isPlainException(String type) {
    return EXCEPTIONS.contains(type.substring(0, type.lastIndexOf('/') + 1))
        || type.equals("java/sql/SQLException");
  }

  /** Whether a class of the jars may implement that interface. */
  static boolean isInterface(String type) {
    return INTERFACES.contains(type) || type.startsWith("java/util/function/");
  }

  /**
   * Whether its objects have elements, which methods of the jars in its methods' place would see.
   */
  static boolean isCollection(String type) {
    return type.startsWith("java/util/") && !type.equals("java/util/EventObject");
  }
}
