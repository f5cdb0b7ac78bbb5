package io.rmigate.gateway.scan.shape;

import java.util.Set;

/** Methods of the JDK that only look at values, for {@link ReadOnlyCode}. */
final class ReadOnlyCalls {
  private static final Set<String> TYPES =
      Set.of(
          "java/lang/Boolean",
          "java/lang/Byte",
          "java/lang/CharSequence",
          "java/lang/Character",
          "java/lang/Double",
          "java/lang/Enum",
          "java/lang/Float",
          "java/lang/Integer",
          "java/lang/Long",
          "java/lang/Math",
          "java/lang/Number",
          "java/lang/Record",
          "java/lang/Short",
          "java/lang/StrictMath",
          "java/lang/String",
          "java/lang/StringBuffer",
          "java/lang/StringBuilder",
          "java/util/BitSet",
          "java/util/Currency",
          "java/util/Date",
          "java/util/Locale",
          "java/util/Objects",
          "java/util/Optional",
          "java/util/UUID");

  private static final Set<String> METHODS =
      Set.of(
          "java/lang/Class.cast",
          "java/lang/Class.desiredAssertionStatus",
          "java/lang/Class.getName",
          "java/lang/Class.getSimpleName",
          "java/lang/Class.isAssignableFrom",
          "java/lang/Class.isInstance",
          "java/lang/Object.<init>",
          "java/lang/Object.clone",
          "java/lang/System.arraycopy",
          "java/lang/System.currentTimeMillis",
          "java/lang/System.identityHashCode",
          "java/lang/System.lineSeparator",
          "java/lang/System.nanoTime",
          "java/util/Arrays.asList",
          "java/util/Arrays.copyOf",
          "java/util/Arrays.copyOfRange",
          "java/util/Arrays.deepEquals",
          "java/util/Arrays.deepHashCode",
          "java/util/Arrays.deepToString",
          "java/util/Arrays.equals",
          "java/util/Arrays.fill",
          "java/util/Arrays.hashCode",
          "java/util/Arrays.toString",
          "java/util/Collection.isEmpty",
          "java/util/Collection.size",
          "java/util/Collections.emptyList",
          "java/util/Collections.emptyMap",
          "java/util/Collections.emptySet",
          "java/util/Collections.unmodifiableCollection",
          "java/util/Collections.unmodifiableList",
          "java/util/Collections.unmodifiableMap",
          "java/util/Collections.unmodifiableSet",
          "java/util/List.copyOf",
          "java/util/List.isEmpty",
          "java/util/List.of",
          "java/util/List.size",
          "java/util/Map.isEmpty",
          "java/util/Map.size",
          "java/util/Set.isEmpty",
          "java/util/Set.size");

  /** Methods of {@code java.math} whose time is proportional to the length of the number. */
  private static final Set<String> OF_NUMBERS =
      Set.of(
          "abs",
          "bitLength",
          "compareTo",
          "equals",
          "hashCode",
          "negate",
          "precision",
          "scale",
          "signum",
          "valueOf");

  /** Types of {@code java.util} that find classes or resources, or start threads. */
  private static final Set<String> NOT_AT_START =
      Set.of(
          "java/util/Formatter",
          "java/util/ResourceBundle",
          "java/util/Scanner",
          "java/util/ServiceLoader",
          "java/util/Timer",
          "java/util/TimerTask");

  private static final Set<String> PACKAGES_AT_START =
      Set.of(
          "java/nio/charset",
          "java/text",
          "java/util",
          "java/util/concurrent/atomic",
          "java/util/concurrent/locks",
          "java/util/function",
          "java/util/regex",
          "java/util/stream");

  private static final Set<String> MAKE_LOGGERS =
      Set.of(
          "java/util/logging/Logger.getLogger",
          "java/lang/System.getLogger",
          "org/apache/commons/logging/LogFactory.getLog",
          "org/apache/log4j/LogManager.getLogger",
          "org/apache/log4j/Logger.getLogger",
          "org/apache/logging/log4j/LogManager.getLogger",
          "org/slf4j/LoggerFactory.getLogger");

  private ReadOnlyCalls() {}

  /** Whether the method is judged by itself in each class. */
  static boolean isOfAnything(String name, String signature) {
    return switch (name) {
      case "hashCode" -> signature.equals("()I");
      case "equals" -> signature.equals("(Ljava/lang/Object;)Z");
      case "toString" -> signature.equals("()Ljava/lang/String;");
      case "compareTo" -> signature.equals("(Ljava/lang/Object;)I");
      case "getClass" -> signature.equals("()Ljava/lang/Class;");
      default -> false;
    };
  }

  /** Whether a method is given code to call, such as a comparator. */
  static boolean takesCode(String signature) {
    return signature.contains("Ljava/util/function/")
        || signature.contains("Ljava/util/Comparator;")
        || signature.contains("Ljava/util/Iterator;");
  }

  static boolean has(String owner, String name) {
    return TYPES.contains(owner)
        || (owner.startsWith("java/math/") && OF_NUMBERS.contains(name))
        || owner.startsWith("java/time/")
        || METHODS.contains(owner + "." + name);
  }

  /** Whether a method does no harm where nothing of a sender is there. */
  static boolean hasAtStart(String owner, String name) {
    String itsPackage = owner.substring(0, Math.max(0, owner.lastIndexOf('/')));
    return (PACKAGES_AT_START.contains(itsPackage) && !NOT_AT_START.contains(owner))
        || owner.startsWith("java/util/concurrent/Concurrent")
        || owner.startsWith("java/util/concurrent/CopyOnWrite")
        || owner.equals("java/util/concurrent/TimeUnit")
        || (owner.equals("java/lang/Class") && name.equals("getEnumConstants"))
        || makesLogger(owner, name);
  }

  static boolean makesLogger(String owner, String name) {
    return MAKE_LOGGERS.contains(owner + "." + name);
  }

  /** Whether classes of the jars may call what they have inherited from that class. */
  static boolean isInheritable(String owner) {
    return owner.startsWith("java/util/") && owner.indexOf('/', "java/util/".length()) < 0;
  }
}
