package io.rmigate.protocol.jrmp;

import java.io.File;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.rmi.MarshalledObject;
import java.rmi.RemoteException;
import java.rmi.server.ObjID;
import java.rmi.server.UID;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.chrono.HijrahChronology;
import java.time.chrono.HijrahDate;
import java.time.chrono.IsoChronology;
import java.time.chrono.JapaneseChronology;
import java.time.chrono.JapaneseDate;
import java.time.chrono.JapaneseEra;
import java.time.chrono.MinguoChronology;
import java.time.chrono.MinguoDate;
import java.time.chrono.ThaiBuddhistDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Calendar;
import java.util.Collections;
import java.util.Currency;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.SimpleTimeZone;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.Vector;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import javax.security.auth.x500.X500Principal;

/**
 * Object graphs as applications send them; each entry is one argument. Old and odd classes are
 * wanted here.
 */
@SuppressWarnings({
  "IdentityHashMapUsage",
  "JavaUtilDate",
  "JdkObsolete",
  "UnnecessaryStringBuilder",
  "UnusedVariable"
})
public final class GraphCorpus {

  enum Colour {
    RED,
    GREEN {
      @Override
      String hue() {
        return "grass";
      }
    };

    String hue() {
      return "fire";
    }
  }

  record Point(int x, double y, String label, List<Object> more) implements Serializable {}

  interface Greeting {
    String greet();
  }

  static final class Handler implements InvocationHandler, Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      return method.getName();
    }
  }

  static class Plain implements Serializable {
    private static final long serialVersionUID = 1L;
    byte b = 1;
    boolean z = true;
    char c = 'c';
    short s = 2;
    int i = 3;
    float f = 4;
    long j = 5;
    double d = 6;
    String text = "text";
    int[] ints = {1, 2, 3};
    Serializable self;
  }

  static class WithDefaultWrite extends Plain {
    private static final long serialVersionUID = 1L;
    private final String own = "own";

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      out.writeInt(7);
      out.writeObject(own);
      out.writeUTF("utf");
      out.write(new byte[3000]);
      out.writeObject(this);
    }
  }

  static class WithoutDefaultWrite extends WithDefaultWrite {
    private static final long serialVersionUID = 1L;
    private final transient String hidden = "hidden";

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.writeObject(hidden);
      out.writeLong(1);
    }
  }

  static final class WritesNothing implements Serializable {
    private static final long serialVersionUID = 1L;

    private void writeObject(ObjectOutputStream out) {}
  }

  static final class WithPutFields implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final ObjectStreamField[] serialPersistentFields = {
      new ObjectStreamField("name", String.class),
      new ObjectStreamField("time", long.class),
      new ObjectStreamField("copies", String[].class)
    };

    private void writeObject(ObjectOutputStream out) throws IOException {
      ObjectOutputStream.PutField fields = out.putFields();
      fields.put("name", "put");
      fields.put("time", 8L);
      fields.put("copies", new String[] {"a", "b", null});
      out.writeFields();
      out.writeUnshared(new int[] {1});
    }
  }

  /** Declares a field and yet writes none: what only a known shape can tell. */
  static final class WritesOwnForm implements Serializable {
    private static final long serialVersionUID = 1L;
    private final long declared = 0x7071727374757677L;

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.writeObject("instead of " + declared);
    }
  }

  static final class Resolved implements Serializable {
    private static final long serialVersionUID = 1L;

    private Object writeReplace() {
      return new Plain();
    }
  }

  static final class HoldsUnserializable extends Plain {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial")
    private final Object bad = new Object();
  }

  static final class HoldsUnserializableInCustomData extends Plain {
    private static final long serialVersionUID = 1L;

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      out.writeInt(1);
      out.writeObject(List.of("a", new Thread("never started")));
    }
  }

  /** By a name that says what it is. */
  public static Map<String, Object> graphs() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("null", null);
    addValues(all);
    addTimes(all);
    addArrays(all);
    addCollections(all);
    addOwnClasses(all);
    return all;
  }

  private static void addValues(Map<String, Object> all) {
    all.put("string", "s");
    all.put("empty string", "");
    all.put("text", "grün \u0000 \uD83D\uDE00");
    all.put("65535 bytes", "x".repeat(65535));
    all.put("long string", "x".repeat(65536));
    all.put("very long string", "ü".repeat(100_000));
    for (Object o :
        new Object[] {
          (byte) 1,
          (short) 1,
          1,
          1L,
          1f,
          1d,
          'c',
          true,
          BigInteger.TEN.pow(50),
          BigInteger.ZERO,
          new BigDecimal("3.14159265358979323846264338327950288"),
          MathContext.DECIMAL128,
          new UUID(1, 2),
          Currency.getInstance("EUR"),
          Locale.GERMANY,
          new Date(1),
          new java.sql.Timestamp(1),
          new GregorianCalendar(TimeZone.getTimeZone("Europe/Berlin")),
          Calendar.getInstance(TimeZone.getTimeZone("UTC"), Locale.JAPAN),
          new SimpleTimeZone(1, "x"),
          URI.create("http://a/b"),
          new File("a/b"),
          new Random(1),
          new BitSet(100),
          new AtomicInteger(1),
          new AtomicReference<>("x"),
          new LongAdder(),
          new UID((short) 1),
          new ObjID(7),
          new StringBuilder("b"),
          new StringBuffer("b"),
          new X500Principal("CN=a"),
          TimeUnit.DAYS,
          Thread.State.NEW,
          new int[0].getClass(),
          String.class,
          Object.class,
          int.class,
          void.class,
          Thread.class,
          Colour.class,
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
          InetSocketAddress.createUnresolved("h", 1),
          Locale.forLanguageTag("zh-Hant-TW")
        }) {
      all.put("value " + all.size() + " " + (o == null ? "" : o.getClass().getName()), o);
    }
    all.put("exception", new IllegalStateException("x", new IOException("cause")));
    Exception suppressed = new RemoteException("r", new RuntimeException("deep"));
    suppressed.addSuppressed(new UncheckedIOException(new IOException("s")));
    all.put("remote exception", suppressed);
    all.put("error", new AssertionError("e", new StackOverflowError()));
  }

  private static void addTimes(Map<String, Object> all) {
    LocalDate day = LocalDate.of(2020, 2, 29);
    LocalTime time = LocalTime.of(1, 2, 3, 4);
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    ZoneOffset odd = ZoneOffset.ofHoursMinutesSeconds(1, 2, 3);
    for (Object o :
        new Object[] {
          Duration.ofNanos(5),
          Instant.MAX,
          day,
          LocalDate.MIN,
          LocalTime.MIDNIGHT,
          LocalTime.of(1, 0),
          LocalTime.of(1, 2),
          LocalTime.of(1, 2, 3),
          time,
          LocalTime.MAX,
          day.atTime(time),
          day.atTime(0, 0),
          day.atTime(time).atZone(berlin),
          day.atTime(time).atZone(odd),
          day.atStartOfDay(ZoneOffset.UTC),
          berlin,
          odd,
          ZoneOffset.MIN,
          ZoneId.of("UTC+1"),
          OffsetTime.of(time, odd),
          OffsetTime.MAX,
          OffsetDateTime.of(day, time, odd),
          OffsetDateTime.MIN,
          Year.of(1),
          YearMonth.of(1, 2),
          MonthDay.of(1, 2),
          Period.of(1, 2, 3),
          DayOfWeek.MONDAY,
          berlin.getRules(),
          ZoneId.of("America/New_York").getRules(),
          odd.getRules(),
          berlin.getRules().getTransition(LocalDateTime.of(2020, 3, 29, 2, 30)),
          berlin.getRules().getTransitionRules().get(0),
          IsoChronology.INSTANCE,
          JapaneseChronology.INSTANCE,
          HijrahChronology.INSTANCE,
          JapaneseDate.of(2020, 1, 2),
          MinguoDate.of(109, 1, 2),
          ThaiBuddhistDate.of(2563, 1, 2),
          HijrahDate.of(1441, 1, 2),
          JapaneseEra.HEISEI,
          JapaneseDate.of(2020, 1, 2).atTime(time),
          MinguoDate.of(109, 1, 2).atTime(time).atZone(berlin),
          HijrahDate.of(1441, 1, 2).atTime(time).atZone(odd),
          MinguoChronology.INSTANCE.period(1, 2, 3),
          java.time.temporal.WeekFields.ISO,
          java.time.temporal.ValueRange.of(1, 2),
          java.time.Clock.systemUTC(),
          java.time.Clock.fixed(Instant.EPOCH, berlin)
        }) {
      all.put("time " + all.size() + " " + o, o);
    }
    all.put("times in a list", new ArrayList<>(List.of(day, time, day, berlin, odd, berlin)));
  }

  private static void addArrays(Map<String, Object> all) {
    for (Object o :
        new Object[] {
          new byte[10],
          new boolean[3],
          new char[3],
          new short[3],
          new int[3],
          new float[3],
          new long[3],
          new double[3],
          new int[0],
          new Object[0],
          new String[] {"a", null, "a"},
          new int[][] {{1}, null, {2, 3}},
          new Object[][][] {{{"x"}}},
          new byte[100_000],
          new Colour[] {Colour.RED, Colour.GREEN, Colour.RED},
          new Class<?>[] {int.class},
          new Object[] {1, "a", new int[] {1}, null, Colour.RED}
        }) {
      all.put("array " + all.size() + " " + o.getClass().getName(), o);
    }
    byte[] allCodes = new byte[256];
    for (int i = 0; i < 256; i++) {
      allCodes[i] = (byte) i;
    }
    all.put("every byte value", allCodes);
  }

  private static void addCollections(Map<String, Object> all) {
    List<Object> some = Arrays.asList("a", 1, "a", null, 2.5, List.of("n", Map.of("k", "v")));
    List<String> words = List.of("one", "two", "three");
    Map<String, Object> nested = new HashMap<>();
    nested.put("list", new ArrayList<>(some));
    nested.put("map", new TreeMap<>(Map.of("x", new Point(1, 2, "p", List.of("q")))));
    nested.put("set", new HashSet<>(words));
    EnumMap<Colour, String> enumMap = new EnumMap<>(Colour.class);
    enumMap.put(Colour.GREEN, "g");
    Map<String, Object> cyclic = new HashMap<>();
    cyclic.put("self", cyclic);
    List<Object> cyclicList = new ArrayList<>();
    cyclicList.add(new Object[] {cyclicList, cyclic});
    for (Object o :
        new Object[] {
          some,
          new ArrayList<>(some),
          new LinkedList<>(some),
          new Vector<>(some),
          new ArrayDeque<>(words),
          new PriorityQueue<>(words),
          new TreeSet<>(words),
          new LinkedHashSet<>(words),
          new TreeMap<>(String.CASE_INSENSITIVE_ORDER),
          nested,
          new Hashtable<>(Map.of(1, 2)),
          new ConcurrentHashMap<>(nested),
          new ConcurrentSkipListMap<>(Map.of("a", 1)),
          new ConcurrentLinkedQueue<>(words),
          new CopyOnWriteArrayList<>(words),
          new ArrayBlockingQueue<>(3, true, words),
          new LinkedBlockingDeque<>(words),
          new LinkedTransferQueue<>(words),
          enumMap,
          EnumSet.of(Colour.RED, Colour.GREEN),
          EnumSet.allOf(Thread.State.class),
          Collections.unmodifiableMap(nested),
          Collections.synchronizedList(new ArrayList<>(some)),
          Collections.emptyList(),
          Collections.singletonMap("a", null),
          Collections.nCopies(5, "x"),
          Collections.checkedList(new ArrayList<>(), String.class),
          Collections.reverseOrder(),
          List.of(),
          List.of(1),
          Set.of(1, 2, 3),
          Map.of(),
          Map.of(1, 2, 3, 4),
          new IdentityHashMap<>(nested),
          properties()
        }) {
      all.put("collection " + all.size() + " " + o.getClass().getName(), o);
    }
    all.put("cyclic map", cyclic);
    all.put("cyclic list", cyclicList);
    List<Object> wide = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      wide.add(i % 3 == 0 ? "s" + i : i % 3 == 1 ? new Point(i, i, null, null) : Colour.RED);
    }
    all.put("wide list", wide);
    Object deep = "core";
    for (int i = 0; i < 200; i++) {
      deep = new ArrayList<>(Collections.singletonList(deep));
    }
    all.put("deep list", deep);
  }

  private static Properties properties() {
    Properties p = new Properties(new Properties());
    p.setProperty("a", "b");
    return p;
  }

  private static void addOwnClasses(Map<String, Object> all) {
    Plain plain = new Plain();
    plain.self = plain;
    all.put("plain", plain);
    all.put("default write", new WithDefaultWrite());
    all.put("without default write", new WithoutDefaultWrite());
    all.put("writes nothing", new WritesNothing());
    all.put("put fields", new WithPutFields());
    all.put("write replace", new Resolved());
    all.put("record", new Point(1, 2, "l", List.of("x", Optional.class)));
    all.put("enum with body", Colour.GREEN);
    Object proxy =
        Proxy.newProxyInstance(
            GraphCorpus.class.getClassLoader(),
            new Class<?>[] {Greeting.class, Comparable.class},
            new Handler());
    all.put("proxy", proxy);
    all.put("two proxies", new Object[] {proxy, proxy, new Handler()});
    all.put(
        "lambda",
        (java.util.function.Supplier<String> & Serializable) () -> "captured" + all.size());
    try {
      all.put("marshalled object", new MarshalledObject<>(new Object[] {plain, "x"}));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<Object> mixed = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      mixed.add(new WithoutDefaultWrite());
      mixed.add(new WithPutFields());
      mixed.add(new Point(round, round, "p", null));
      mixed.add(LocalTime.NOON);
      mixed.add(Colour.RED);
    }
    all.put("many of each", mixed);
  }

  private GraphCorpus() {}
}
