package io.rmigate.gateway.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.policy.type.ValueTypes;
import io.rmigate.gateway.scan.ScanLimits;
import io.rmigate.gateway.scan.ScanResult;
import io.rmigate.gateway.scan.SeenClass;
import io.rmigate.gateway.scan.StreamScanner;
import io.rmigate.gateway.scan.shape.Shapes;
import io.rmigate.testing.MarshalStream;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Font;
import java.awt.Insets;
import java.awt.Point;
import java.awt.Polygon;
import java.awt.Rectangle;
import java.awt.event.ActionEvent;
import java.awt.geom.AffineTransform;
import java.awt.geom.Arc2D;
import java.awt.geom.Ellipse2D;
import java.awt.geom.GeneralPath;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Point2D;
import java.awt.geom.Rectangle2D;
import java.beans.PropertyChangeEvent;
import java.beans.PropertyVetoException;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.InputStream;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.rmi.registry.Registry;
import java.security.AccessControlException;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.text.ChoiceFormat;
import java.text.DecimalFormat;
import java.text.MessageFormat;
import java.text.NumberFormat;
import java.text.SimpleDateFormat;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Date;
import java.util.EventObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.regex.Pattern;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.ObjectName;
import javax.management.Query;
import javax.management.openmbean.ArrayType;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import javax.management.openmbean.TabularDataSupport;
import javax.management.openmbean.TabularType;
import javax.naming.CompositeName;
import javax.naming.CompoundName;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.security.auth.Subject;
import javax.security.auth.login.FailedLoginException;
import javax.security.auth.x500.X500Principal;
import javax.sql.rowset.serial.SerialBlob;
import javax.sql.rowset.serial.SerialClob;
import javax.swing.DefaultComboBoxModel;
import javax.swing.DefaultListModel;
import javax.swing.event.ListDataEvent;
import javax.swing.event.TableModelEvent;
import javax.swing.table.DefaultTableModel;
import javax.swing.tree.DefaultMutableTreeNode;
import javax.swing.tree.DefaultTreeModel;
import javax.swing.tree.TreePath;
import javax.xml.namespace.QName;
import org.junit.jupiter.api.Test;

/** What honest programs send passes as shipped, with all that hangs on it. */
@SuppressWarnings({
  "JavaUtilDate",
  "JdkObsolete",
  "UnnecessaryAsync",
  "UnusedVariable",
  "removal",
  "serial"
})
class JdkValuesTest {
  private static final StreamScanner SCANNER =
      new StreamScanner(Shapes.ofJdk(), ScanLimits.DEFAULT);

  private static final String CALL =
      "50aced00057722" + "00".repeat(22) + "ffffffff" + "01".repeat(8);

  private static ScanResult scan(byte[] call) {
    return SCANNER.request(call, 0, call.length);
  }

  private static byte[] call(Object value) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(HexFormat.of().parseHex(CALL));
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    try (MarshalStream out = new MarshalStream(stream)) {
      out.writeObject(value);
    }
    bytes.write(stream.toByteArray(), 4, stream.size() - 4);
    return bytes.toByteArray();
  }

  private static List<String> objections(Object value) throws Exception {
    byte[] call = call(value);
    ScanResult result = scan(call);
    List<String> objections = new ArrayList<>();
    result.findings().forEach(finding -> objections.add(finding.kind() + " " + finding.subject()));
    result.classes().stream()
        .map(SeenClass::name)
        .filter(name -> !ValueTypes.NAMES.contains(name))
        .forEach(objections::add);
    if (!result.isClean(call.length) && objections.isEmpty()) {
      objections.add(result.end().toString());
    }
    return objections;
  }

  private static Certificate certificate() throws Exception {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    try (InputStream in =
        new FileInputStream(new File(System.getProperty("java.home"), "lib/security/cacerts"))) {
      store.load(in, null);
    }
    return store.getCertificate(store.aliases().nextElement());
  }

  private static Map<String, Object> values() throws Exception {
    Map<String, Object> values = new LinkedHashMap<>();
    TreeMap<String, Integer> sorted = new TreeMap<>(Map.of("a", 1, "b", 2, "c", 3));
    ConcurrentHashMap<String, Integer> concurrent = new ConcurrentHashMap<>(sorted);
    Certificate certificate = certificate();
    LogRecord record = new LogRecord(Level.INFO, "text {0}");
    record.setParameters(new Object[] {1, null});
    record.setThrown(new IllegalStateException("a", new RuntimeException("b")));
    DefaultMutableTreeNode tree = new DefaultMutableTreeNode("root");
    tree.add(new DefaultMutableTreeNode(new Point(1, 2)));
    DefaultListModel<String> list = new DefaultListModel<>();
    list.addElement("a");
    Path2D path = new Path2D.Double(new Rectangle(1, 2, 3, 4));
    CompositeType row =
        new CompositeType(
            "row",
            "a row",
            new String[] {"key", "value"},
            new String[] {"its key", "its value"},
            new OpenType<?>[] {SimpleType.STRING, new ArrayType<>(1, SimpleType.LONG)});
    TabularDataSupport table =
        new TabularDataSupport(new TabularType("t", "a table", row, new String[] {"key"}));
    table.put(new CompositeDataSupport(row, Map.of("key", "k", "value", new Long[] {1L, 2L})));
    NamingException naming = new NameNotFoundException("no such name");
    naming.setRemainingName(new CompositeName("a/b"));
    naming.setRootCause(new IllegalStateException());
    Properties syntax = new Properties();
    syntax.put("jndi.syntax.direction", "left_to_right");
    syntax.put("jndi.syntax.separator", ".");
    values.put("address", InetAddress.getByAddress("host", new byte[] {127, 0, 0, 1}));
    values.put("address 6", InetAddress.getByAddress(new byte[16]));
    values.put("addresses", new InetAddress[] {InetAddress.getLoopbackAddress()});
    values.put("key of a map: address", Map.of(InetAddress.getLoopbackAddress(), 1));
    values.put("socket address", new InetSocketAddress(InetAddress.getLoopbackAddress(), 80));
    values.put("unresolved", InetSocketAddress.createUnresolved("example.invalid", 80));
    values.put("files", new File[] {new File("/tmp/x"), new File("y")});
    values.put("key of a map: file", new HashMap<>(Map.of(new File("a"), 1)));
    values.put("uri", URI.create("http://localhost/x"));
    values.put("url", URI.create("http://localhost/x").toURL());
    values.put("pattern", Pattern.compile("a+(b|c)*"));
    values.put("random", new Random(3));
    values.put("qualified name", new QName("http://a/", "b", "c"));
    values.put("key of a map: qualified name", Map.of(new QName("b"), 1));
    values.put("queue", new LinkedBlockingQueue<>(List.of("a")));
    values.put("array queue", new ArrayBlockingQueue<>(3, true, List.of("a")));
    values.put("blocking deque", new LinkedBlockingDeque<>(List.of("a")));
    values.put("transfer queue", new LinkedTransferQueue<>(List.of("a")));
    values.put("priority queue", new PriorityQueue<>(List.of("a", "b")));
    values.put("blocking priority queue", new PriorityBlockingQueue<>(List.of("a", "b")));
    values.put("synchronous queue", new SynchronousQueue<>(true));
    values.put("locks", List.of(new Semaphore(2), new Semaphore(3, true)));
    values.put("adder", new LongAdder());
    values.put("counter", new AtomicLong(3));
    values.put("keys of a map", concurrent.keySet());
    values.put("keys with a value", ConcurrentHashMap.newKeySet());
    values.put("entries of a map", concurrent.entrySet());
    values.put("values of a map", concurrent.values());
    values.put("head of a map", sorted.headMap("b"));
    values.put("tail, backwards", sorted.descendingMap().tailMap("b", true));
    values.put("concurrent part", new ConcurrentSkipListMap<>(sorted).subMap("a", "c"));
    values.put("head of a set", new TreeSet<>(sorted.keySet()).headSet("b"));
    values.put("checked", Collections.checkedList(new ArrayList<>(List.of("a")), String.class));
    values.put(
        "checked, ordered", Collections.checkedNavigableMap(sorted, String.class, Integer.class));
    values.put("stack", Collections.asLifoQueue(new ArrayDeque<>(List.of("a"))));
    values.put(
        "view", Collections.unmodifiableCollection(sorted.headMap("b").values().stream().toList()));
    values.put("synchronized", Collections.synchronizedMap(sorted));
    values.put("empty", Collections.emptyNavigableMap());
    values.put("single", Collections.singletonMap("a", 1));
    values.put(
        "nulls first", new TreeSet<>(Comparator.nullsFirst(Comparator.<String>naturalOrder())));
    values.put("list", new CopyOnWriteArrayList<>(List.of("a")));
    values.put("point", new Point(1, 2));
    values.put("dimension", new Dimension(1, 2));
    values.put("rectangle", new Rectangle(1, 2, 3, 4));
    values.put("insets", new Insets(1, 2, 3, 4));
    values.put("polygon", new Polygon(new int[] {1, 2}, new int[] {3, 4}, 2));
    values.put("colour", Color.RED);
    values.put("colours", new Color[] {new Color(1, 2, 3, 4)});
    values.put("font", new Font("Dialog", Font.BOLD, 12));
    values.put(
        "font, turned",
        new Font("Dialog", 0, 12).deriveFont(new AffineTransform(1, 2, 3, 4, 5, 6)));
    values.put("key of a map: colour", Map.of(Color.RED, 1));
    values.put(
        "shapes",
        List.of(
            new Point2D.Double(1, 2),
            new Rectangle2D.Float(1, 2, 3, 4),
            new Line2D.Double(1, 2, 3, 4),
            new Ellipse2D.Double(1, 2, 3, 4),
            new Arc2D.Double()));
    values.put("path", path);
    values.put("general path", new GeneralPath(path));
    values.put("table", new DefaultTableModel(new Object[][] {{"a", 1}}, new Object[] {"x", "y"}));
    values.put("list model", list);
    values.put("combo box", new DefaultComboBoxModel<>(new String[] {"a"}));
    values.put("tree", tree);
    values.put("tree model", new DefaultTreeModel(tree));
    values.put("path in a tree", new TreePath(new Object[] {"a", "b"}));
    values.put(
        "events",
        List.of(
            new EventObject("a"),
            new ActionEvent("a", 1001, "b"),
            new ListDataEvent("a", 0, 1, 2),
            new TableModelEvent(new DefaultTableModel())));
    values.put("change", new PropertyChangeEvent("source", "name", 1, "two"));
    values.put("veto", new PropertyVetoException("no", new PropertyChangeEvent("s", "n", 1, 2)));
    values.put("date format", new SimpleDateFormat("yyyy-MM-dd", Locale.GERMANY));
    values.put("decimal format", new DecimalFormat("#.0"));
    values.put("number format", NumberFormat.getCurrencyInstance(Locale.US));
    values.put("message format", new MessageFormat("{0} of {1,number,#}", Locale.US));
    values.put("choice format", new ChoiceFormat("0#none|1#one"));
    values.put("fields", List.of(java.text.DateFormat.Field.YEAR, NumberFormat.Field.SIGN));
    values.put("level", Level.INFO);
    values.put("levels", new Level[] {Level.INFO, Level.WARNING, Level.parse("350")});
    values.put("record", record);
    values.put("certificate", certificate);
    values.put("certificates", new X509Certificate[] {(X509Certificate) certificate});
    values.put(
        "certificate path",
        CertificateFactory.getInstance("X.509").generateCertPath(List.of(certificate)));
    for (String algorithm : List.of("RSA", "EC", "DSA")) {
      values.put("keys " + algorithm, KeyPairGenerator.getInstance(algorithm).generateKeyPair());
    }
    values.put("principal", new X500Principal("CN=a,O=b"));
    values.put("ldap name", new LdapName("CN=a,O=b"));
    values.put("rdn", new Rdn("CN=a+OU=c"));
    values.put("composite name", new CompositeName("a/b"));
    values.put("compound name", new CompoundName("a.b", syntax));
    Subject subject = new Subject();
    subject.getPrincipals().add(new X500Principal("CN=a"));
    values.put("subject", subject);
    values.put("login", new FailedLoginException("no"));
    values.put("access", new AccessControlException("no"));
    values.put("naming", naming);
    values.put("blob", new SerialBlob(new byte[9]));
    values.put("clob", new SerialClob("text".toCharArray()));
    values.put("sql", List.of(new java.sql.Date(1), new java.sql.Timestamp(2)));
    values.put("table of jmx", table);
    values.put("attributes", new AttributeList(List.of(new Attribute("a", 1))));
    values.put("key of a map: object name", Map.of(new ObjectName("a:b=c"), 1));
    values.put(
        "query",
        Query.and(
            Query.eq(Query.attr("a"), Query.value(1)),
            Query.match(Query.attr("b"), Query.value("c*"))));
    values.put("class", new Class<?>[] {String.class, int.class});
    values.put(
        "others",
        List.of(
            ZonedDateTime.now(ZoneOffset.UTC),
            TimeZone.getDefault(),
            UUID.randomUUID(),
            new Date(),
            BigDecimal.TEN,
            TimeUnit.DAYS,
            Locale.US));
    return values;
  }

  @Test
  void whatHonestProgramsSendPasses() throws Exception {
    Map<String, Object> values = values();
    Map<String, List<String>> refused = new LinkedHashMap<>();
    for (Map.Entry<String, Object> value : values.entrySet()) {
      List<String> objections = objections(value.getValue());
      if (!objections.isEmpty()) {
        refused.put(value.getKey(), objections);
      }
    }
    assertThat(refused).isEmpty();
    assertThat(values).hasSizeGreaterThan(90);
    assertThat(ValueTypes.NAMES).contains(Registry.class.getName());
  }

  /** Ordinary lists of values stay far below what bounds their cost. */
  @Test
  void aThousandOfEachPass() throws Exception {
    Certificate certificate = certificate();
    List<Supplier<Object>> made =
        List.of(
            () -> certificate,
            () -> new SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss", Locale.US),
            () -> new LogRecord(Level.INFO, "text"),
            () -> URI.create("http://localhost/" + UUID.randomUUID()),
            () -> new X500Principal("CN=" + UUID.randomUUID()));
    for (Supplier<Object> one : made) {
      List<Object> many = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        many.add(one.get());
      }
      assertThat(objections(many)).isEmpty();
    }
  }

  @Test
  void whatIsDeniedDoesNotPass() throws Exception {
    Set<Object> denied =
        new HashSet<>(
            Arrays.asList(
                new SecureRandom(),
                (Comparator<String> & java.io.Serializable) (a, b) -> 0,
                new java.rmi.MarshalledObject<>("a"),
                Collections.nCopies(1 << 30, "a"),
                new javax.naming.Reference("a", "b", "c"),
                new javax.swing.ImageIcon()));
    for (Object value : denied) {
      assertThat(objections(value)).as(value.getClass().getName()).isNotEmpty();
    }
  }
}
