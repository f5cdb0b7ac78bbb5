package io.rmigate.perf.dictionary;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.rmi.NoSuchObjectException;
import java.rmi.NotBoundException;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import javax.management.Attribute;
import javax.management.MBeanServerConnection;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXServiceURL;
import javax.management.remote.rmi.RMIConnector;
import javax.management.remote.rmi.RMIConnectorServer;
import javax.management.remote.rmi.RMIJRMPServerImpl;
import javax.management.remote.rmi.RMIServer;

/**
 * What RMI programs do, done once in this JVM with its own RMI: registries, calls with the usual
 * types, failures, remote references with their leases, management. No argument or result reveals
 * this machine or its user.
 */
@SuppressWarnings({"JavaUtilDate", "JdkObsolete"}) // what old programs send belongs here
final class Exchanges {
  private static final String HOST = "host.example";

  private Exchanges() {}

  /** Goes through all of it; the global socket factory must not be set yet. */
  static Recording record() throws Exception {
    System.setProperty("java.rmi.server.hostname", HOST);
    RecordingSockets sockets = new RecordingSockets();
    java.rmi.server.RMISocketFactory.setSocketFactory(sockets);
    Registry server = LocateRegistry.createRegistry(0);
    int port = portOf(server);
    SubjectServant servant = new SubjectServant(0);
    Subject stub = (Subject) UnicastRemoteObject.exportObject(servant, 0);
    Registry registry = LocateRegistry.getRegistry(HOST, port);
    registry.rebind("Subject", stub);
    registry(registry);
    Subject subject = (Subject) registry.lookup("Subject");
    calls(subject);
    failures(registry, subject);
    references(subject);
    management(registry);
    collectGarbage();
    return sockets.recording();
  }

  private static int portOf(Registry registry) {
    // "RegistryImpl[UnicastServerRef [liveRef: [endpoint:[host.example:41273](local),objID: …"
    String text = registry.toString();
    int from = text.indexOf("endpoint:[" + HOST + ":") + ("endpoint:[" + HOST + ":").length();
    return Integer.parseInt(text.substring(from, text.indexOf(']', from)));
  }

  private static void registry(Registry registry) throws Exception {
    registry.list();
    registry.bind("Other", registry.lookup("Subject"));
    registry.lookup("Other");
    registry.unbind("Other");
    try {
      registry.lookup("Missing");
    } catch (NotBoundException asIntended) {
      // An answer like any other.
    }
  }

  private static void calls(Subject subject) throws Exception {
    for (int i = 0; i < 3; i++) {
      subject.run();
      subject.greet("World");
      subject.add(i, 2);
      subject.put(i, "name", new byte[] {1, 2, 3});
      subject.price("A-1", new Date(1_767_225_600_000L));
      subject.items();
      subject.values(new HashSet<>(List.of("a", "bb")));
    }
    for (Object value : values()) {
      subject.echo(value);
    }
  }

  private static List<Object> values() {
    Properties properties = new Properties();
    properties.setProperty("key", "value");
    ZoneId zone = ZoneId.of("Europe/Berlin");
    return Stream.of(
            List.<Object>of(1, 2L, 3.5, 4.5f, true, 'c', (byte) 6, (short) 7, "text"),
            List.<Object>of(
                new byte[] {1},
                new int[] {1, 2},
                new long[] {1},
                new double[] {1},
                new float[] {1},
                new boolean[] {true},
                new char[] {'a'},
                new String[] {"a", "b"},
                new Object[] {"a", 1},
                new Integer[] {1},
                new Long[] {1L},
                new String[][] {{"a"}}),
            List.of(
                new BigDecimal("1.25"),
                new BigInteger("12345678901234567890"),
                UUID.fromString("00000000-0000-002a-0000-00000000002a"),
                URI.create("http://host.example/"),
                Locale.GERMANY,
                Item.Kind.NEW,
                new Item(1, "a", 1.5, LocalDate.of(2026, 1, 2), Item.Kind.NEW)),
            List.of(
                new Date(1_767_225_600_000L),
                new Timestamp(1_767_225_600_000L),
                new java.sql.Date(1_767_225_600_000L),
                new GregorianCalendar(TimeZone.getTimeZone("UTC"), Locale.ROOT),
                Instant.EPOCH,
                LocalDate.EPOCH,
                LocalTime.NOON,
                LocalDateTime.of(2026, 1, 2, 3, 4),
                ZonedDateTime.of(2026, 1, 2, 3, 4, 5, 0, zone),
                OffsetDateTime.parse("2026-01-02T03:04:05Z"),
                Duration.ofSeconds(1)),
            List.<Object>of(
                new ArrayList<>(List.of("a", 1)),
                new LinkedList<>(List.of("a", 1)),
                new Vector<>(List.of("a", 1)),
                Arrays.asList("a", "b"),
                List.of("a", "b", "c"),
                Set.of("a"),
                Map.of("a", 1),
                Collections.emptyList(),
                Collections.emptyMap(),
                Collections.singletonList("a"),
                Collections.unmodifiableList(new ArrayList<>(List.of("a"))),
                Collections.unmodifiableMap(new HashMap<>(Map.of("a", 1))),
                Collections.synchronizedList(new ArrayList<>(List.of("a"))),
                new HashMap<>(Map.of("a", 1)),
                new LinkedHashMap<>(Map.of("a", 1L)),
                new TreeMap<>(Map.of("a", 1.5)),
                new Hashtable<>(Map.of("a", "b")),
                new ConcurrentHashMap<>(Map.of("a", "b")),
                new HashSet<>(List.of("a")),
                new LinkedHashSet<>(List.of(1)),
                new TreeSet<>(List.of("a")),
                properties))
        .<Object>flatMap(List::stream)
        .toList();
  }

  private static void failures(Registry registry, Subject subject) throws Exception {
    for (int way = 0; way < Failures.COUNT; way++) {
      try {
        subject.fail(way);
      } catch (IOException | Refusal | RuntimeException | Error asIntended) {
        // An answer like any other.
      }
    }
    try {
      subject.echo(new Object() {});
    } catch (RemoteException notSerializable) {
      // Half a call; nothing of it is answered.
    }
    SubjectServant gone = new SubjectServant(0);
    Subject stub = (Subject) UnicastRemoteObject.exportObject(gone, 0);
    registry.rebind("Gone", stub);
    Subject held = (Subject) registry.lookup("Gone");
    UnicastRemoteObject.unexportObject(gone, true);
    try {
      held.run();
    } catch (NoSuchObjectException asIntended) {
      // An answer like any other.
    }
    registry.unbind("Gone");
  }

  private static void references(Subject subject) throws Exception {
    for (int i = 0; i < 5; i++) {
      Subject child = subject.child();
      child.run();
      child.use(subject);
    }
  }

  private static void management(Registry registry) throws Exception {
    RMIJRMPServerImpl remote = new RMIJRMPServerImpl(0, null, null, Map.of());
    JMXServiceURL address = new JMXServiceURL("service:jmx:rmi://");
    RMIConnectorServer server =
        new RMIConnectorServer(
            address, Map.of(), remote, ManagementFactory.getPlatformMBeanServer());
    server.start();
    registry.rebind("jmxrmi", remote.toStub());
    RMIServer stub = (RMIServer) registry.lookup("jmxrmi");
    try (JMXConnector connector = new RMIConnector(stub, Map.of())) {
      connector.connect();
      MBeanServerConnection connection = connector.getMBeanServerConnection();
      connection.getMBeanCount();
      connection.getDefaultDomain();
      connection.getDomains();
      connection.queryNames(new ObjectName("java.lang:*"), null);
      ObjectName memory = new ObjectName("java.lang:type=Memory");
      NotificationListener listener = (notification, handback) -> {};
      connection.addNotificationListener(memory, listener, null, null);
      connection.getMBeanInfo(memory);
      connection.isRegistered(memory);
      connection.isInstanceOf(memory, "java.lang.management.MemoryMXBean");
      for (int i = 0; i < 3; i++) {
        connection.getAttribute(memory, "HeapMemoryUsage");
        connection.getAttributes(
            new ObjectName("java.lang:type=Threading"),
            new String[] {"ThreadCount", "PeakThreadCount", "TotalStartedThreadCount"});
      }
      connection.setAttribute(memory, new Attribute("Verbose", false));
      connection.invoke(memory, "gc", new Object[0], new String[0]);
      try {
        connection.getAttribute(memory, "None");
      } catch (javax.management.AttributeNotFoundException asIntended) {
        // An answer like any other.
      }
      connection.removeNotificationListener(memory, listener);
    } finally {
      server.stop();
    }
  }

  /** The references dropped above are cleaned; the clean calls belong to the recording. */
  private static void collectGarbage() throws InterruptedException {
    for (int i = 0; i < 5; i++) {
      System.gc();
      Thread.sleep(100);
    }
  }
}
