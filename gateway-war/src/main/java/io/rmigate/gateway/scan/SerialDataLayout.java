package io.rmigate.gateway.scan;

import java.util.HashMap;
import java.util.Map;

/**
 * The layout of the serial data of certain JDK classes, beyond their {@link
 * io.rmigate.gateway.scan.shape.Shape}: where a collection says how large it is, for its {@code
 * readObject} takes memory for all elements before it reads the first; which of its objects it
 * hashes or compares while it reads; and which others it goes through, or copies, though they may
 * be shared. Read in the sources of JDK 17 and 25; the layouts are part of the documented
 * serialized form and older than both.
 */
enum SerialDataLayout {
  NONE("", Size.NOWHERE, 0, Hashed.NOTHING),

  ARRAY_LIST("java.util.ArrayList", Size.FIELD, 0, Hashed.NOTHING),

  /** Compares. */
  PRIORITY_QUEUE("java.util.PriorityQueue", Size.FIELD, 0, Hashed.ALL),

  ARRAY_DEQUE("java.util.ArrayDeque", Size.BLOCK, 0, Hashed.NOTHING),
  COPY_ON_WRITE_ARRAY_LIST(
      "java.util.concurrent.CopyOnWriteArrayList", Size.BLOCK, 0, Hashed.NOTHING),
  IDENTITY_HASH_MAP("java.util.IdentityHashMap", Size.BLOCK, 0, Hashed.NOTHING),

  /** Immutable lists, sets and maps of all sizes. */
  COLL_SER("java.util.CollSer", Size.BLOCK, 0, Hashed.ALL, true),

  /** Capacity, load factor, size. */
  HASH_SET("java.util.HashSet", Size.BLOCK, 8, Hashed.ALL),

  /** Capacity, size. */
  HASH_MAP("java.util.HashMap", Size.BLOCK, 4, Hashed.KEYS),

  /** Capacity, size. */
  HASHTABLE("java.util.Hashtable", Size.BLOCK, 4, Hashed.KEYS, true),

  /** Its keys and values end with two nulls; three fields of its older form come before. */
  CONCURRENT_HASH_MAP("java.util.concurrent.ConcurrentHashMap", Size.NOWHERE, 0, Hashed.KEYS),

  /** Compares each key with the one before. */
  CONCURRENT_SKIP_LIST_MAP(
      "java.util.concurrent.ConcurrentSkipListMap", Size.NOWHERE, 0, Hashed.KEYS),

  /** Compares each element with all, from JDK 25 on; they stand in a list of its own. */
  COPY_ON_WRITE_ARRAY_SET("java.util.concurrent.CopyOnWriteArraySet", 0, 1),

  // What these share with others is gone through for each of them, or copied.
  ARRAY_BLOCKING_QUEUE("java.util.concurrent.ArrayBlockingQueue", 4, 1),
  ATOMIC_REFERENCE_ARRAY("java.util.concurrent.atomic.AtomicReferenceArray", 1, 1),
  ENUM_SET("java.util.EnumSet$SerializationProxy", 1, 1),
  PRIORITY_BLOCKING_QUEUE("java.util.concurrent.PriorityBlockingQueue", 1, 1),
  SECURE_SET("javax.security.auth.Subject$SecureSet", 2, 1),
  SUBJECT("javax.security.auth.Subject", 1, 1),
  THROWABLE("java.lang.Throwable", 2, 1),
  VECTOR("java.util.Vector", 1, 1),
  BATCH_UPDATE_EXCEPTION("java.sql.BatchUpdateException", 2, SerialDataLayout.PRIMITIVES),
  BIG_INTEGER("java.math.BigInteger", 1, SerialDataLayout.PRIMITIVES),
  BIT_SET("java.util.BitSet", 1, SerialDataLayout.PRIMITIVES),
  LOCALE("java.util.Locale", 5, SerialDataLayout.PRIMITIVES),
  STRING_BUFFER("java.lang.StringBuffer", 1, SerialDataLayout.PRIMITIVES),
  URI("java.net.URI", 1, SerialDataLayout.PRIMITIVES),
  CERT_PATH("java.security.cert.CertPath$CertPathRep", 2, SerialDataLayout.PARSING),
  CERTIFICATE("java.security.cert.Certificate$CertificateRep", 2, SerialDataLayout.PARSING),
  CHOICE_FORMAT("java.text.ChoiceFormat", 2, SerialDataLayout.PRIMITIVES),
  FONT("java.awt.Font", 2, 1),
  KEY("java.security.KeyRep", 4, SerialDataLayout.PARSING),
  MESSAGE_FORMAT("java.text.MessageFormat", 5, SerialDataLayout.PRIMITIVES),
  SERIAL_BLOB("javax.sql.rowset.serial.SerialBlob", 2, SerialDataLayout.PRIMITIVES),
  SERIAL_CLOB("javax.sql.rowset.serial.SerialClob", 2, SerialDataLayout.PRIMITIVES),

  /** Compiles its pattern. */
  SIMPLE_DATE_FORMAT("java.text.SimpleDateFormat", 1, SerialDataLayout.PRIMITIVES),

  /** Its text is composed and parsed again; its hash code and {@code equals} resolve its host. */
  URL("java.net.URL", 5, SerialDataLayout.PARSING),

  // Texts and bytes in their own data, which are parsed.
  LDAP_NAME("javax.naming.ldap.LdapName", Hashed.ALL, 0, SerialDataLayout.PRIMITIVES),
  OBJECT_NAME("javax.management.ObjectName", Hashed.ALL, 0, SerialDataLayout.PRIMITIVES),
  RDN("javax.naming.ldap.Rdn", Hashed.ALL, 0, SerialDataLayout.PRIMITIVES),
  X500_PRINCIPAL(
      "javax.security.auth.x500.X500Principal", Hashed.ALL, 0, SerialDataLayout.PRIMITIVES),

  /** The reader enumerates the network interfaces when it has the name of one. */
  INET6_ADDRESS("java.net.Inet6Address", 2, 1),

  /** The reader loads, and initializes, classes by the names in its own data. */
  EVENT_LISTENER_LIST("javax.swing.event.EventListenerList", Size.NOWHERE, 0, Hashed.NOTHING),

  /** The reader makes an image as large as the two numbers in its own data say. */
  IMAGE_ICON("javax.swing.ImageIcon", Size.NOWHERE, 0, Hashed.NOTHING),

  /** A reader that localizes its name loads the resource bundle that its last field names. */
  LEVEL("java.util.logging.Level", Size.NOWHERE, 0, Hashed.NOTHING),

  /** Two bytes and the number of parameters; loads the resource bundle that a field names. */
  LOG_RECORD("java.util.logging.LogRecord", Size.BLOCK, 2, Hashed.NOTHING),

  // A query of JMX is evaluated for each MBean, and goes through what it shares each time.
  AND_QUERY("javax.management.AndQueryExp", 2, SerialDataLayout.EVALUATION),
  BETWEEN_QUERY("javax.management.BetweenQueryExp", 3, SerialDataLayout.EVALUATION),
  BINARY_OPERATION("javax.management.BinaryOpValueExp", 2, SerialDataLayout.EVALUATION),
  BINARY_RELATION("javax.management.BinaryRelQueryExp", 2, SerialDataLayout.EVALUATION),
  IN_QUERY("javax.management.InQueryExp", 2, SerialDataLayout.EVALUATION),
  MATCH_QUERY("javax.management.MatchQueryExp", 2, SerialDataLayout.EVALUATION),
  NOT_QUERY("javax.management.NotQueryExp", 1, SerialDataLayout.EVALUATION),
  OR_QUERY("javax.management.OrQueryExp", 2, SerialDataLayout.EVALUATION),

  /** Copies the characters in its own data. */
  STRING_BUILDER("java.lang.StringBuilder", Hashed.ALL, 0, SerialDataLayout.PRIMITIVES),

  // Texts are made of their values, to be told in an exception.
  OPEN_ATTRIBUTE("javax.management.openmbean.OpenMBeanAttributeInfoSupport", 5, 1),
  OPEN_PARAMETER("javax.management.openmbean.OpenMBeanParameterInfoSupport", 5, 1),

  /** To compare a long one with another takes a power of ten that is as long: more than a look. */
  BIG_DECIMAL("java.math.BigDecimal", 0, 1),

  /** A reference; see {@link ReferenceData}. */
  REMOTE_OBJECT("java.rmi.server.RemoteObject", Size.NOWHERE, 0, Hashed.NOTHING),

  /** Two streams in byte arrays. */
  MARSHALLED_OBJECT("java.rmi.MarshalledObject", Size.NOWHERE, 0, Hashed.NOTHING),

  /**
   * A time zone, and nothing that might fail: the reader goes on after an OptionalDataException,
   * wherever that has left the stream. An annotation with nothing in it fails so, too.
   */
  CALENDAR("java.util.Calendar", Size.NOWHERE, 0, Hashed.NOTHING),

  /** Bytes and nothing else. */
  TIME("java.time.Ser", Size.NOWHERE, 0, Hashed.NOTHING),

  /**
   * Bytes and objects of java.time, and no others: where the class of one is missing, the reader
   * stops in the middle, and there is no mark to go on from.
   */
  CHRONO("java.time.chrono.Ser", Size.NOWHERE, 0, Hashed.NOTHING),

  /** Never written as objects of their own by the JDK's own classes. */
  BARE_REFERENCE("sun.rmi.server.UnicastRef", Size.NOWHERE, 0, Hashed.NOTHING),
  BARE_REFERENCE2("sun.rmi.server.UnicastRef2", Size.NOWHERE, 0, Hashed.NOTHING),

  /** Have codes of their own in the grammar. */
  STRING("java.lang.String", Size.NOWHERE, 0, Hashed.NOTHING),
  CLASS("java.lang.Class", Size.NOWHERE, 0, Hashed.NOTHING),
  DESCRIPTOR("java.io.ObjectStreamClass", Size.NOWHERE, 0, Hashed.NOTHING);

  /** Where a collection says how large it is. */
  enum Size {
    NOWHERE,

    /** In its first primitive field. */
    FIELD,

    /** In the block with which its own data begin. */
    BLOCK
  }

  /** Which of the objects in its own data a class hashes, compares or copies. */
  enum Hashed {
    NOTHING,

    /** Every other one, from the first. */
    KEYS,
    ALL
  }

  /** Arrays of primitives count by 32 bytes where they are hashed, and by four where copied. */
  private static final int PRIMITIVES = 8;

  /**
   * Certificates, keys and URLs are parsed: about as many steps for each 32 bytes, and for an
   * object.
   */
  private static final int PARSING = 64;

  /** Steps of a query count as much: a chain of a hundred conditions passes. */
  private static final int EVALUATION = 8;

  private static final Map<String, SerialDataLayout> BY_NAME = new HashMap<>();

  static {
    for (SerialDataLayout data : values()) {
      BY_NAME.put(data.className, data);
    }
  }

  private final String className;
  final Size size;

  /** Bytes before the size. */
  final int sizeAt;

  final Hashed hashed;

  /** The number of its declared fields, from the last one, whose contents it goes through. */
  final int lastFields;

  /** Weight of each step through the objects that the class goes through. */
  final int weight;

  /** Its first field says how keys are found in it: see {@link KeyChains}. */
  final boolean hasField;

  SerialDataLayout(String className, Size size, int sizeAt, Hashed hashed) {
    this(className, size, sizeAt, hashed, false);
  }

  SerialDataLayout(String className, Size size, int sizeAt, Hashed hashed, boolean hasField) {
    this.hasField = hasField;
    this.className = className;
    this.size = size;
    this.sizeAt = sizeAt;
    this.hashed = hashed;
    this.lastFields = 0;
    this.weight = 1;
  }

  SerialDataLayout(String className, int lastFields, int weight) {
    this(className, Hashed.NOTHING, lastFields, weight);
  }

  SerialDataLayout(String className, Hashed hashed, int lastFields, int weight) {
    this.hasField = false;
    this.className = className;
    this.size = Size.NOWHERE;
    this.sizeAt = 0;
    this.hashed = hashed;
    this.lastFields = lastFields;
    this.weight = weight;
  }

  /** The layout for a class name; {@link #NONE} if there is none. */
  static SerialDataLayout of(String className) {
    return BY_NAME.getOrDefault(className, NONE);
  }

  /** Objects for each element that its size counts: of maps a key and a value. */
  int objectsOfEach() {
    return hashed == Hashed.KEYS || this == IDENTITY_HASH_MAP ? 2 : 1;
  }

  /** Whether it finds its keys by their hash codes. */
  boolean tellsKeysApart() {
    return hasField || this == HASH_SET || this == HASH_MAP || this == CONCURRENT_HASH_MAP;
  }

  /** Whether TC_OBJECT never stands before such a descriptor. */
  boolean hasOwnToken() {
    return this == STRING || this == CLASS || this == DESCRIPTOR;
  }

  boolean isBareReference() {
    return this == BARE_REFERENCE || this == BARE_REFERENCE2;
  }

  /** Whether it matters which objects stand in it, or which texts. */
  boolean isWatched() {
    return this == CALENDAR
        || this == CHRONO
        || this == MARSHALLED_OBJECT
        || this == COPY_ON_WRITE_ARRAY_SET
        || this == MATCH_QUERY
        || isParticular();
  }

  /** Whether some of its objects must be of one kind: see {@link ConditionalObjects}. */
  boolean isParticular() {
    return this == EVENT_LISTENER_LIST
        || this == IMAGE_ICON
        || this == INET6_ADDRESS
        || this == LEVEL
        || this == LOG_RECORD;
  }

  boolean isTime() {
    return this == TIME || this == CHRONO;
  }
}
