package io.rmigate.gateway.scan.proof;

import io.rmigate.gateway.scan.proof.Facts.Harm;
import java.util.Optional;
import java.util.Set;

/**
 * What methods of the JDK do to whoever calls them with a sender's values. Those that only look at
 * values, or change objects that they are given, are listed here; all others count as harmful, each
 * by what it is. Read in the sources of JDK 8, 17 and 25.
 */
final class PlatformCalls {
  /** Whose methods are harmless, but for what is said otherwise below. */
  private static final Set<String> TYPES =
      Set.of(
          "java/io/ByteArrayInputStream",
          "java/io/ByteArrayOutputStream",
          "java/io/DataInput",
          "java/io/DataOutput",
          "java/io/Externalizable",
          "java/io/ObjectInput",
          "java/io/ObjectOutput",
          "java/io/ObjectInputStream$GetField",
          "java/io/ObjectOutputStream$PutField",
          "java/io/Serializable",
          "java/io/StringReader",
          "java/io/StringWriter",
          "java/lang/Appendable",
          "java/lang/Boolean",
          "java/lang/Byte",
          "java/lang/CharSequence",
          "java/lang/Character",
          "java/lang/Cloneable",
          "java/lang/Comparable",
          "java/lang/Double",
          "java/lang/Enum",
          "java/lang/Float",
          "java/lang/Integer",
          "java/lang/Iterable",
          "java/lang/Long",
          "java/lang/Math",
          "java/lang/Number",
          "java/lang/Record",
          "java/lang/Short",
          "java/lang/StackTraceElement",
          "java/lang/StrictMath",
          "java/lang/String",
          "java/lang/StringBuffer",
          "java/lang/StringBuilder",
          "java/lang/Void",
          "java/lang/AutoCloseable",
          "java/lang/Runnable",
          "java/lang/ref/PhantomReference",
          "java/lang/reflect/Array",
          "java/lang/ref/Reference",
          "java/lang/ref/ReferenceQueue",
          "java/lang/ref/SoftReference",
          "java/lang/ref/WeakReference",
          "java/nio/Buffer",
          "java/nio/ByteBuffer",
          "java/nio/ByteOrder",
          "java/nio/CharBuffer",
          "java/nio/IntBuffer",
          "java/nio/LongBuffer",
          "java/nio/charset/Charset",
          "java/nio/charset/CharsetDecoder",
          "java/nio/charset/CharsetEncoder",
          "java/nio/charset/CoderResult",
          "java/nio/charset/CodingErrorAction",
          "java/nio/charset/StandardCharsets",
          "java/security/Permission",
          "java/security/PermissionCollection",
          "java/security/Principal",
          "java/sql/Date",
          "java/sql/Time",
          "java/sql/Timestamp",
          "java/text/AttributedCharacterIterator$Attribute",
          "java/text/CharacterIterator",
          "java/text/FieldPosition",
          "java/text/ParsePosition",
          "java/text/StringCharacterIterator",
          "java/util/concurrent/Callable",
          "java/util/concurrent/ThreadLocalRandom",
          "java/util/concurrent/TimeUnit",
          "java/util/concurrent/locks/Lock",
          "java/util/concurrent/locks/ReadWriteLock",
          "java/util/concurrent/locks/ReentrantLock",
          "java/util/concurrent/locks/ReentrantReadWriteLock",
          "java/util/concurrent/locks/ReentrantReadWriteLock$ReadLock",
          "java/util/concurrent/locks/ReentrantReadWriteLock$WriteLock",
          "java/util/regex/MatchResult",
          "java/util/zip/Adler32",
          "java/util/zip/CRC32",
          "java/util/zip/CRC32C",
          "java/util/zip/Checksum",
          "javax/xml/namespace/QName");

  private static final Set<String> METHODS =
      Set.of(
          "java/io/FilterInputStream.<init>",
          "java/io/FilterOutputStream.<init>",
          "java/io/FilterReader.<init>",
          "java/io/FilterWriter.<init>",
          "java/io/InputStream.<init>",
          "java/io/ObjectInputStream.defaultReadObject",
          "java/io/ObjectInputStream.readFields",
          "java/io/ObjectInputStream.registerValidation",
          "java/io/ObjectOutputStream.defaultWriteObject",
          "java/io/ObjectStreamClass.getName",
          "java/io/ObjectStreamClass.getSerialVersionUID",
          "java/io/ObjectStreamField.<init>",
          "java/io/ObjectOutputStream.putFields",
          "java/io/ObjectOutputStream.writeFields",
          "java/io/ObjectOutputStream.writeUnshared",
          "java/io/OutputStream.<init>",
          "java/io/Reader.<init>",
          "java/io/Writer.<init>",
          "java/lang/Class.cast",
          "java/lang/Class.desiredAssertionStatus",
          "java/lang/Class.equals",
          "java/lang/Class.getCanonicalName",
          "java/lang/Class.getComponentType",
          "java/lang/Class.getEnumConstants",
          "java/lang/Class.getInterfaces",
          "java/lang/Class.getModifiers",
          "java/lang/Class.getName",
          "java/lang/Class.getSimpleName",
          "java/lang/Class.getSuperclass",
          "java/lang/Class.getTypeName",
          "java/lang/Class.hashCode",
          "java/lang/Class.getDeclaringClass",
          "java/lang/Class.getEnclosingClass",
          "java/lang/Class.isAnonymousClass",
          "java/lang/Class.isArray",
          "java/lang/Class.isAssignableFrom",
          "java/lang/Class.isEnum",
          "java/lang/Class.isInstance",
          "java/lang/Class.isInterface",
          "java/lang/Class.isLocalClass",
          "java/lang/Class.isMemberClass",
          "java/lang/Class.isPrimitive",
          "java/lang/Class.toString",
          "java/lang/Object.<init>",
          "java/lang/Object.clone",
          "java/lang/Object.equals",
          "java/lang/Object.finalize",
          "java/lang/Object.getClass",
          "java/lang/Object.hashCode",
          "java/lang/Object.notify",
          "java/lang/Object.notifyAll",
          "java/lang/Object.toString",
          "java/lang/System.arraycopy",
          "java/lang/Thread.currentThread",
          "java/lang/Thread.getId",
          "java/lang/Thread.getName",
          "java/lang/System.currentTimeMillis",
          "java/lang/System.getProperty",
          "java/lang/System.getSecurityManager",
          "java/lang/System.identityHashCode",
          "java/lang/System.lineSeparator",
          "java/lang/System.nanoTime",
          "java/net/URI.<init>",
          "java/net/URI.compareTo",
          "java/net/URI.create",
          "java/net/URI.equals",
          "java/net/URI.getAuthority",
          "java/net/URI.getFragment",
          "java/net/URI.getHost",
          "java/net/URI.getPath",
          "java/net/URI.getPort",
          "java/net/URI.getQuery",
          "java/net/URI.getScheme",
          "java/net/URI.hashCode",
          "java/net/URI.toASCIIString",
          "java/net/URI.toString",
          "java/net/URL.getFile",
          "java/net/URL.getHost",
          "java/net/URL.getPath",
          "java/net/URL.getPort",
          "java/net/URL.getProtocol",
          "java/net/URL.toExternalForm",
          "java/net/URL.toString",
          "java/security/BasicPermission.<init>",
          "java/security/MessageDigest.clone",
          "java/security/MessageDigest.digest",
          "java/security/MessageDigest.getAlgorithm",
          "java/security/MessageDigest.getDigestLength",
          "java/security/MessageDigest.reset",
          "java/security/MessageDigest.update",
          "java/text/Format.<init>",
          "java/util/concurrent/CountDownLatch.<init>",
          "java/util/concurrent/CountDownLatch.countDown",
          "java/util/concurrent/CountDownLatch.getCount",
          "java/util/regex/Pattern.flags",
          "java/util/regex/Pattern.pattern",
          "java/util/regex/Pattern.toString");

  private static final Set<String> DESCRIBED =
      Set.of(
          "Constructor",
          "Executable",
          "Field",
          "GenericArrayType",
          "GenericDeclaration",
          "Member",
          "Method",
          "Modifier",
          "Parameter",
          "ParameterizedType",
          "Type",
          "TypeVariable",
          "WildcardType");

  private static final Set<String> VALUES_OF_FIELDS =
      Set.of(
          "get",
          "getBoolean",
          "getByte",
          "getChar",
          "getDouble",
          "getFloat",
          "getInt",
          "getLong",
          "getShort");

  /** Of {@code java.util}: what finds classes or resources, starts threads or changes the JVM. */
  private static final Set<String> NOT_OF_UTIL =
      Set.of(
          "java/util/Formatter",
          "java/util/ListResourceBundle",
          "java/util/Observable",
          "java/util/PropertyResourceBundle",
          "java/util/ResourceBundle",
          "java/util/Scanner",
          "java/util/ServiceLoader",
          "java/util/Timer",
          "java/util/TimerTask");

  /** What changes its object, and is not called so. */
  private static final Set<String> CHANGING =
      Set.of(
          "java/io/ByteArrayOutputStream.reset",
          "java/io/ByteArrayOutputStream.write",
          "java/io/ByteArrayOutputStream.writeBytes",
          "java/io/StringWriter.write",
          "java/util/BitSet.and",
          "java/util/BitSet.andNot",
          "java/util/BitSet.flip",
          "java/util/BitSet.or",
          "java/util/BitSet.xor",
          "java/util/concurrent/CountDownLatch.countDown",
          "java/util/concurrent/atomic/DoubleAccumulator.reset",
          "java/util/concurrent/atomic/DoubleAdder.reset",
          "java/util/concurrent/atomic/LongAccumulator.reset",
          "java/util/concurrent/atomic/LongAdder.reset");

  private static final Set<String> NOT_OF_THESE =
      Set.of(
          "java/lang/Character.getName",
          "java/lang/ref/ReferenceQueue.remove",
          "java/nio/ByteBuffer.allocateDirect",
          "java/util/Locale.setDefault",
          "java/util/TimeZone.setDefault",
          "java/util/Properties.load",
          "java/util/Properties.loadFromXML",
          "java/util/Properties.store",
          "java/util/Properties.storeToXML",
          "java/util/Properties.save",
          "java/util/Properties.list",
          "java/util/concurrent/TimeUnit.sleep",
          "java/util/concurrent/TimeUnit.timedJoin",
          "java/util/concurrent/TimeUnit.timedWait",
          "java/util/concurrent/locks/Lock.newCondition",
          "java/util/concurrent/locks/ReentrantLock.newCondition");

  /** Of {@code java.math}: that take no longer than the number itself is long. */
  private static final Set<String> QUICK_ARITHMETIC =
      Set.of(
          "abs",
          "bitLength",
          "compareTo",
          "doubleValue",
          "equals",
          "hashCode",
          "intValue",
          "longValue",
          "negate",
          "precision",
          "scale",
          "signum",
          "valueOf");

  /** Numbers that are no larger than what there is. */
  private static final Set<String> MEASURES =
      Set.of(
          "bitCount",
          "capacity",
          "cardinality",
          "codePointCount",
          "compare",
          "compareTo",
          "compareToIgnoreCase",
          "indexOf",
          "lastIndexOf",
          "length",
          "nextClearBit",
          "nextSetBit",
          "numberOfLeadingZeros",
          "numberOfTrailingZeros",
          "ordinal",
          "read",
          "signum",
          "size");

  /** What takes as much memory, or goes as many rounds, as a number says. */
  private static final Set<String> SIZED =
      Set.of(
          "allocate",
          "clear",
          "copyOf",
          "copyOfRange",
          "ensureCapacity",
          "indent",
          "newHashMap",
          "newHashSet",
          "newKeySet",
          "flip",
          "limit",
          "nCopies",
          "range",
          "repeat",
          "set",
          "setLength",
          "setSize",
          "toArray");

  private static final Set<String> SIZED_SETTERS =
      Set.of("java/util/BitSet", "java/lang/StringBuilder", "java/lang/StringBuffer");

  /** What compiles or interprets a text: none of a sender's. */
  private static final Set<String> OF_CONSTANT_TEXT =
      Set.of("format", "formatted", "matches", "replaceAll", "replaceFirst", "split");

  /** What goes through all that there is. */
  private static final Set<String> LINEAR =
      Set.of(
          "addAll",
          "contains",
          "containsAll",
          "containsValue",
          "copyOf",
          "equals",
          "hashCode",
          "indexOf",
          "lastIndexOf",
          "putAll",
          "remove",
          "removeAll",
          "retainAll",
          "sort",
          "toArray",
          "toString");

  /** Those whose {@code contains} and {@code remove} do not. */
  private static final Set<String> HASHED =
      Set.of(
          "java/util/HashMap",
          "java/util/HashSet",
          "java/util/Hashtable",
          "java/util/LinkedHashMap",
          "java/util/LinkedHashSet",
          "java/util/Map",
          "java/util/NavigableMap",
          "java/util/NavigableSet",
          "java/util/Set",
          "java/util/SortedMap",
          "java/util/SortedSet",
          "java/util/TreeMap",
          "java/util/TreeSet",
          "java/util/concurrent/ConcurrentHashMap",
          "java/util/concurrent/ConcurrentMap",
          "java/util/Iterator",
          "java/util/ListIterator");

  /** What goes one element on, and throws where there is none. */
  private static final Set<String> STEPS =
      Set.of("next", "nextElement", "nextToken", "previous", "nextInt", "nextLong", "nextDouble");

  private static final Set<String> STEPPING =
      Set.of(
          "java/util/Enumeration",
          "java/util/Iterator",
          "java/util/ListIterator",
          "java/util/PrimitiveIterator$OfInt",
          "java/util/StringTokenizer");

  /** What takes a part out of something. */
  private static final Set<String> PARTS =
      Set.of(
          "charAt",
          "elementAt",
          "first",
          "get",
          "getKey",
          "getValue",
          "last",
          "peek",
          "poll",
          "pop",
          "remove");

  /** What is read of a stream, and takes a byte of it at least. */
  private static final Set<String> READS =
      Set.of(
          "readBoolean",
          "readByte",
          "readChar",
          "readDouble",
          "readFloat",
          "readInt",
          "readLong",
          "readObject",
          "readShort",
          "readUTF",
          "readUnshared",
          "readUnsignedByte",
          "readUnsignedShort");

  private static final Set<String> STREAMS =
      Set.of("java/io/ObjectInputStream", "java/io/ObjectInput", "java/io/DataInput");

  /** Which are written to by whoever is given them. */
  private static final Set<String> WRITERS =
      Set.of(
          "java/io/DataOutputStream",
          "java/io/ObjectOutputStream",
          "java/io/OutputStream",
          "java/io/PrintStream",
          "java/io/PrintWriter",
          "java/io/Writer");

  private static final Set<String> WRITES =
      Set.of("append", "checkError", "flush", "format", "print", "printf", "println", "write");

  private PlatformCalls() {}

  /** Of a method that does harm, what and how; empty for one that does not. */
  static Optional<Facts.Defect> harm(String owner, String name, String descriptor) {
    if (owner.startsWith("[")) {
      return Optional.empty(); // clone
    }
    if (isOfReaders(name, owner, descriptor) || isListed(owner, name, descriptor)) {
      return Optional.empty();
    }
    if (isDescription(owner, name)) {
      return Optional.empty();
    }
    if (owner.startsWith("java/math/")) {
      return QUICK_ARITHMETIC.contains(name)
          ? Optional.empty()
          : expensive(owner, name, "arithmetic of any length");
    }
    if (owner.startsWith("java/util/regex/")) {
      return expensive(owner, name, "regular expressions");
    }
    if (owner.startsWith("java/text/")) {
      return expensive(owner, name, "formats");
    }
    if (owner.startsWith("java/util/stream/")) {
      return expensive(owner, name, "streams of any length");
    }
    return Optional.of(new Facts.Defect(Harm.SINK, dotted(owner, name) + ": " + kind(owner, name)));
  }

  /** What only tells names and types of what reflection has found. */
  private static boolean isDescription(String owner, String name) {
    return (owner.startsWith("java/lang/reflect/")
            && DESCRIBED.contains(owner.substring("java/lang/reflect/".length()))
            && (name.startsWith("get") || name.startsWith("is"))
            && !name.contains("Annotation")
            && !(owner.endsWith("/Field") && VALUES_OF_FIELDS.contains(name)))
        || (owner.equals("java/lang/reflect/Proxy")
            && (name.equals("isProxyClass") || name.equals("getInvocationHandler")))
        || (owner.equals("java/lang/Class") && name.equals("getTypeParameters"));
  }

  private static Optional<Facts.Defect> expensive(String owner, String name, String what) {
    return Optional.of(new Facts.Defect(Harm.EXPENSIVE, dotted(owner, name) + ": " + what));
  }

  private static boolean isListed(String owner, String name, String descriptor) {
    if (NOT_OF_THESE.contains(owner + '.' + name)
        || (name.startsWith("parallel") && !name.equals("parallelStream"))
        || name.equals("wait")
        || (name.equals("setDefault") && owner.startsWith("java/util/"))
        || owner.startsWith("java/time/zone/ZoneRulesProvider")) {
      return false;
    }
    if (METHODS.contains(owner + '.' + name) || TYPES.contains(owner)) {
      return true;
    }
    if (WRITERS.contains(owner)) {
      return WRITES.contains(name)
          || name.startsWith("write")
          || (name.equals("<init>")
              && (descriptor.startsWith("(Ljava/io/Writer;")
                  || descriptor.startsWith("(Ljava/io/OutputStream;"))
              && !owner.equals("java/io/ObjectOutputStream"));
    }
    if (STREAMS.contains(owner)) {
      return !name.equals("<init>") && (name.startsWith("read") || name.startsWith("skip"));
    }
    if (owner.startsWith("java/time/")) {
      return true;
    }
    if (owner.startsWith("java/util/function/")
        || owner.startsWith("java/util/concurrent/atomic/")) {
      return !name.contains("Updater") && !owner.contains("Updater");
    }
    if (owner.startsWith("java/util/concurrent/Concurrent")
        || owner.startsWith("java/util/concurrent/CopyOnWrite")) {
      return true;
    }
    if (owner.startsWith("java/util/") && owner.indexOf('/', "java/util/".length()) < 0) {
      String outer = owner.contains("$") ? owner.substring(0, owner.indexOf('$')) : owner;
      return !NOT_OF_UTIL.contains(outer);
    }
    return isOfThrowable(owner) && !(name.equals("printStackTrace") && descriptor.equals("()V"));
  }

  private static boolean isOfThrowable(String owner) {
    boolean throwable =
        (owner.startsWith("java/lang/")
                || owner.startsWith("java/io/")
                || owner.startsWith("java/util/")
                || owner.startsWith("java/sql/")
                || owner.startsWith("java/net/")
                || owner.startsWith("java/rmi/")
                || owner.startsWith("javax/"))
            && (owner.endsWith("Exception")
                || owner.endsWith("Error")
                || owner.equals("java/lang/Throwable"));
    return throwable && !owner.endsWith("ExceptionInInitializerError");
  }

  private static boolean isOfReaders(String name, String owner, String descriptor) {
    return isOfAnything(name, descriptor) && !owner.equals("java/net/URL");
  }

  /**
   * Whether the JDK itself calls the method on whatever it reads, so that it is judged wherever it
   * stands.
   */
  static boolean isOfAnything(String name, String descriptor) {
    return switch (name) {
      case "hashCode" -> descriptor.equals("()I");
      case "equals" -> descriptor.equals("(Ljava/lang/Object;)Z");
      case "toString" -> descriptor.equals("()Ljava/lang/String;");
      case "compareTo" -> descriptor.equals("(Ljava/lang/Object;)I");
      case "compare" -> descriptor.equals("(Ljava/lang/Object;Ljava/lang/Object;)I");
      case "getClass" -> descriptor.equals("()Ljava/lang/Class;");
      default -> false;
    };
  }

  /** The words for what makes a method harmful. */
  private static String kind(String owner, String name) {
    if (owner.startsWith("java/lang/reflect/")
        || owner.startsWith("java/beans/")
        || owner.equals("java/lang/Class")) {
      return "reflection";
    }
    if (owner.startsWith("java/lang/invoke/")) {
      return "method handles";
    }
    if (owner.contains("ClassLoader")
        || owner.startsWith("java/util/ServiceLoader")
        || owner.startsWith("java/util/ResourceBundle")) {
      return "class loading";
    }
    if (owner.equals("java/io/ObjectInputStream")) {
      return "an object stream of its own";
    }
    if (owner.startsWith("java/net/") || owner.startsWith("java/rmi/")) {
      return "network";
    }
    if (owner.startsWith("java/io/") || owner.startsWith("java/nio/")) {
      return "input and output";
    }
    if (owner.startsWith("javax/naming/")) {
      return "naming services";
    }
    if (owner.startsWith("java/lang/Process") || owner.equals("java/lang/Runtime")) {
      return "processes";
    }
    if (owner.equals("java/lang/System")) {
      return name.startsWith("load") ? "native code" : "state of the JVM";
    }
    if (owner.startsWith("java/lang/Thread")
        || owner.startsWith("java/util/concurrent/")
        || name.equals("wait")
        || name.startsWith("parallel")) {
      return "threads";
    }
    return "not known as harmless";
  }

  static String dotted(String owner, String name) {
    return owner.replace('/', '.') + "." + name;
  }

  /** Whether a number that it returns is no larger than what there is. */
  static boolean isMeasure(String name) {
    return MEASURES.contains(name);
  }

  /** Whether it takes what its numbers say. */
  static boolean isSized(String owner, String name) {
    if (owner.equals("java/lang/reflect/Array")) {
      return name.equals("newInstance");
    }
    if (name.equals("<init>")) {
      return (owner.startsWith("java/util/") && !owner.endsWith("Exception"))
          || owner.startsWith("java/lang/StringBu")
          || owner.startsWith("java/io/");
    }
    boolean setter = name.equals("set") || name.equals("clear");
    return SIZED.contains(name) && (!setter || SIZED_SETTERS.contains(owner));
  }

  /** Whether its text has to stand in the code. */
  static boolean wantsConstantText(String owner, String name, String descriptor) {
    return owner.equals("java/lang/String")
        && OF_CONSTANT_TEXT.contains(name)
        && descriptor.contains("Ljava/lang/String;");
  }

  /** Whether it goes through all that its object has. */
  static boolean isLinear(String owner, String name, String descriptor) {
    boolean ofIndex = name.equals("remove") && descriptor.startsWith("(I");
    return LINEAR.contains(name)
        && !ofIndex
        && (owner.startsWith("java/util/") || owner.equals("java/lang/Iterable"))
        && !(HASHED.contains(owner) && (name.equals("contains") || name.equals("remove")));
  }

  /** Whether it makes a text of what it is given. */
  static boolean makesText(String owner, String name) {
    return owner.startsWith("java/lang/String")
        || owner.startsWith("java/io/")
        || owner.equals("java/util/StringJoiner")
        || name.equals("toString")
        || name.equals("deepToString");
  }

  /** Whether it goes one element on. */
  static boolean isStep(String owner, String name) {
    return STEPS.contains(name) && STEPPING.contains(owner);
  }

  /** Whether it reads something of a stream. */
  static boolean isRead(String owner, String name) {
    return STREAMS.contains(owner) && READS.contains(name);
  }

  /** Whether what it returns is a part of its object. */
  static boolean takesPart(String owner, String name) {
    return isStep(owner, name)
        || isRead(owner, name)
        || (owner.startsWith("java/util/") && PARTS.contains(name));
  }

  /** Whether it changes its object. */
  static boolean changes(String owner, String name) {
    if (owner.startsWith("java/util/concurrent/locks/")
        || owner.startsWith("java/lang/ref/")
        || owner.startsWith("java/util/function/")
        || owner.equals("java/lang/Class")) {
      return false;
    }
    return WRITERS.contains(owner)
        || name.startsWith("add")
        || name.startsWith("accumulate")
        || name.startsWith("append")
        || name.startsWith("clear")
        || name.startsWith("compareAndSet")
        || name.startsWith("compute")
        || name.startsWith("decrement")
        || name.startsWith("delete")
        || name.startsWith("fill")
        || name.startsWith("getAnd")
        || name.startsWith("increment")
        || name.startsWith("insert")
        || name.startsWith("lazySet")
        || name.startsWith("merge")
        || name.startsWith("offer")
        || name.startsWith("poll")
        || name.startsWith("pop")
        || name.startsWith("push")
        || name.startsWith("put")
        || name.startsWith("remove")
        || name.startsWith("replace")
        || name.startsWith("retain")
        || name.startsWith("reverse")
        || name.startsWith("rotate")
        || name.startsWith("set")
        || name.startsWith("shuffle")
        || name.startsWith("sort")
        || name.startsWith("swap")
        || name.startsWith("update")
        || name.startsWith("weakCompareAndSet")
        || CHANGING.contains(owner + '.' + name)
        || name.equals("arraycopy");
  }

  /** Whether objects of a type never change, or nothing is reached by them that does. */
  static boolean isImmutable(String type) {
    return switch (type) {
      case "java/lang/String",
          "java/lang/Boolean",
          "java/lang/Byte",
          "java/lang/Character",
          "java/lang/Class",
          "java/lang/Double",
          "java/lang/Float",
          "java/lang/Integer",
          "java/lang/Long",
          "java/lang/Short",
          "java/lang/StackTraceElement",
          "java/net/URI",
          "java/nio/charset/Charset",
          "java/util/Currency",
          "java/util/Locale",
          "java/util/UUID",
          "java/util/concurrent/TimeUnit",
          "java/util/regex/Pattern" ->
          true;
      default -> type.startsWith("java/math/") || type.startsWith("java/time/");
    };
  }
}
