import java.io.FileOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.net.URI;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Currency;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Records a Call as the JDK that runs this writes it: values of the built-in classes, and an
 * exception with its stack trace. Made of it by JDK 8u462:
 *
 * <pre>
 *  javac --release 8 RecordCall.java
 *  /path/to/jdk8/bin/java RecordCall call.bin
 * </pre>
 */
public class RecordCall {
  private static final class AsRmi extends ObjectOutputStream {
    AsRmi(OutputStream out) throws IOException {
      super(out);
    }

    @Override
    protected void annotateClass(Class<?> type) throws IOException {
      writeObject(null);
    }

    @Override
    protected void annotateProxyClass(Class<?> type) throws IOException {
      writeObject(null);
    }
  }

  /** See above. */
  public static void main(String[] arguments) throws IOException {
    Exception failure = new IllegalStateException("at the server", new IOException("its cause"));
    failure.addSuppressed(new IllegalArgumentException("suppressed"));
    List<Object> values =
        new ArrayList<>(
            Arrays.<Object>asList(
                failure,
                new BigDecimal("1.5"),
                BigInteger.TEN,
                MathContext.DECIMAL64,
                URI.create("http://host/"),
                new Timestamp(5),
                Duration.ofSeconds(3),
                LocalDate.of(2020, 1, 1),
                ZonedDateTime.of(2020, 1, 1, 0, 0, 0, 0, ZoneId.of("UTC")),
                new ArrayDeque<>(Arrays.asList(1)),
                Arrays.asList(1, 2),
                new BitSet(9),
                Collections.emptyList(),
                Collections.singleton(1),
                Collections.synchronizedMap(new TreeMap<>()),
                Collections.unmodifiableList(Arrays.asList(1)),
                Currency.getInstance("EUR"),
                new Date(5),
                new EnumMap<>(Collections.singletonMap(TimeUnit.DAYS, 1)),
                EnumSet.of(TimeUnit.DAYS),
                new GregorianCalendar(TimeZone.getTimeZone("Europe/Berlin"), Locale.FRANCE),
                new HashSet<>(Arrays.asList(1, 2)),
                new Hashtable<>(Collections.singletonMap("a", 1)),
                new LinkedHashMap<>(Collections.singletonMap("a", 1)),
                new LinkedList<>(Arrays.asList(1)),
                Locale.FRANCE,
                new PriorityQueue<>(Arrays.asList(3, 1)),
                new Properties(),
                TimeZone.getTimeZone("Europe/Berlin"),
                new TreeMap<>(Collections.singletonMap("a", 1)),
                new TreeSet<>(Arrays.asList(1, 2)),
                new UUID(1, 2),
                new Vector<>(Arrays.asList(1)),
                new ConcurrentHashMap<>(Collections.singletonMap("a", 1)),
                new ConcurrentSkipListMap<>(Collections.singletonMap("a", 1)),
                new CopyOnWriteArrayList<>(Arrays.asList(1)),
                TimeUnit.DAYS,
                new AtomicLong(4),
                new StringBuilder("text"),
                new StringBuffer("text"),
                new int[] {1, 2},
                new String[][] {{"a"}},
                (byte) 1,
                'c',
                2.5,
                2.5f,
                3L,
                (short) 4,
                true,
                Integer.class));
    try (OutputStream file = new FileOutputStream(arguments[0])) {
      file.write(0x50); // Call
      try (ObjectOutputStream out = new AsRmi(file)) {
        out.writeLong(11); // the object: its number,
        out.writeInt(1); // and what tells JVMs and times apart
        out.writeLong(2);
        out.writeShort(3);
        out.writeInt(-1);
        out.writeLong(42); // the hash of the method
        out.writeObject(values);
      }
    }
  }
}
