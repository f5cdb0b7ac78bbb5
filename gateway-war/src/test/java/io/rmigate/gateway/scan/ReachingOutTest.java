package io.rmigate.gateway.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.scan.Finding.Kind;
import io.rmigate.gateway.scan.shape.Shapes;
import io.rmigate.testing.MarshalStream;
import java.awt.Font;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.regex.Pattern;
import javax.swing.DefaultListModel;
import javax.swing.event.EventListenerList;
import javax.swing.event.ListDataEvent;
import javax.swing.event.ListDataListener;
import javax.swing.table.DefaultTableModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Values of the JDK that reach out where they stand in the wrong place, or with the wrong data: a
 * URL as a key is resolved, a resource bundle and listeners are loaded by name, an image is as
 * large as two numbers say.
 */
@SuppressWarnings({"JdkObsolete", "URLEqualsHashCode", "serial"})
class ReachingOutTest {
  private static final StreamScanner SCANNER =
      new StreamScanner(Shapes.ofJdk(), ScanLimits.DEFAULT);

  private static ScanResult scan(Object... arguments) throws IOException {
    byte[] call = call(arguments);
    return scanBytes(call);
  }

  private static ScanResult scanBytes(byte[] call) {
    return SCANNER.request(call, 0, call.length);
  }

  private static byte[] call(Object... arguments) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (MarshalStream out = new MarshalStream(bytes)) {
      for (Object argument : arguments) {
        out.writeObject(argument);
      }
    }
    byte[] stream = bytes.toByteArray();
    return HandWritten.call().raw(Arrays.copyOfRange(stream, 4, stream.length)).toByteArray();
  }

  private static URL url() throws IOException {
    return URI.create("http://127.0.0.1/a?b#c").toURL();
  }

  private static void expectReachingOut(String subject, Object... arguments) throws IOException {
    assertThat(scan(arguments).findings())
        .as("%s in %s", subject, arguments[0].getClass())
        .anyMatch(f -> f.kind() == Kind.REACHING_OUT && f.subject().equals(subject));
  }

  private static void expectClean(Object... arguments) throws IOException {
    byte[] call = call(arguments);
    ScanResult result = scanBytes(call);
    assertThat(result.isClean(call.length)).as(result.toString()).isTrue();
  }

  @Test
  void aUrlIsAValueWhereNothingHashesIt() throws IOException {
    URL url = url();
    expectClean(url);
    expectClean(url, url, new URL[] {url}, List.of(url, url), Map.of("key", url));
    expectClean(new HashMap<>(Map.of("a", url, "b", url)), new TreeMap<>(Map.of("a", url)));
    expectClean(
        new ArrayList<>(List.of(url)),
        new CopyOnWriteArrayList<>(List.of(url)),
        new HashSet<>(Set.of("a", "b")),
        new HashMap<>(Map.of(List.of("x", "y"), url)));
  }

  @Test
  void aUrlIsNoKey() throws IOException {
    URL url = url();
    Map<Object, Object> concurrent = new ConcurrentHashMap<>(Map.of(url, 1));
    List<Object> keyed =
        List.of(
            new HashMap<>(Map.of(url, 1)),
            new HashSet<>(Set.of(url)),
            new Hashtable<>(Map.of(url, 1)),
            concurrent,
            Set.of(url),
            Map.of(url, 1),
            new CopyOnWriteArraySet<>(Set.of(url, 1)),
            new HashSet<>(Set.of(List.of("a", List.of(url)))),
            new HashMap<>(Map.of(new AbstractMap.SimpleEntry<>("a", url), 1)));
    for (Object container : keyed) {
      expectReachingOut("java.net.URL", container);
      expectReachingOut("java.net.URL", url, container);
    }
    List<URL> list = new ArrayList<>(List.of(url));
    expectReachingOut("java.net.URL", list, new HashSet<>(Set.of(list)));
  }

  /** A Hashtable goes on with its hash code where it meets itself. */
  @Test
  void aUrlIsNoKeyByWayOfACircle() throws IOException {
    Map<Object, Object> table = new Hashtable<>();
    List<Object> back = new ArrayList<>();
    back.add(table);
    Object[] all = {back, table, url(), new Object[1]};
    table.put(1, back);
    table.put(2, url());
    Set<Object> late = new HashSet<>();
    late.add(back);
    expectReachingOut("java.net.URL", all, table, late);
  }

  /** Elements of a list that refer to it are nothing to be afraid of. */
  @Test
  void circlesWithoutUrlsPass() throws IOException {
    List<Object> parent = new ArrayList<>();
    List<Object> child = new ArrayList<>();
    child.add(parent);
    parent.add(child);
    expectClean(parent, new HashMap<>(Map.of("a", child, List.of("b", "c"), 1)));
  }

  /** The text of a URL is parsed for each. */
  @Test
  void urlsThatShareALongTextAreCounted() {
    for (String name : List.of("java.net.URL", "java.security.cert.Certificate$CertificateRep")) {
      byte[] call = Bombs.sharing(name, true, 200_000, 200);
      assertThat(scanBytes(call).findings())
          .extracting(Finding::kind)
          .as(name)
          .contains(Kind.TOO_MUCH_HASHING);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "java.security.KeyRep",
        "java.security.cert.CertPath$CertPathRep",
        "java.text.MessageFormat",
        "java.text.SimpleDateFormat",
        "javax.naming.ldap.LdapName",
        "javax.naming.ldap.Rdn",
        "javax.security.auth.x500.X500Principal",
        "java.text.ChoiceFormat",
        "java.awt.Font",
        "javax.security.auth.Subject",
        "javax.sql.rowset.serial.SerialBlob",
        "javax.management.ObjectName"
      })
  void whatParsesOrCopiesWhatItSharesIsCounted(String name) {
    byte[] call = Bombs.sharing(name, true, 200_000, 400);
    assertThat(scanBytes(call).findings())
        .extracting(Finding::kind)
        .contains(Kind.TOO_MUCH_HASHING);
  }

  @Test
  void levelsAndRecordsOfLogsPassWithoutBundles() throws IOException {
    LogRecord record = new LogRecord(Level.INFO, "message {0}");
    record.setParameters(new Object[] {"a", "b"});
    record.setThrown(new IllegalStateException("no"));
    expectClean(Level.INFO, Level.WARNING, record, new LogRecord(Level.FINE, "text"));
    expectClean(new Level("TRACE", 350) {}.getName(), record);
  }

  @Test
  void bundlesAreNotLoadedByName() throws IOException {
    LogRecord record = new LogRecord(Level.INFO, "message");
    record.setResourceBundleName("com.acme.Bundle");
    expectReachingOut("java.util.logging.LogRecord", record);
    record.setResourceBundleName("sun.util.logging.resources.logging");
    expectReachingOut("java.util.logging.LogRecord", Level.INFO, record);
    byte[] call = call(Level.INFO);
    replace(call, "sun.util.logging.resources.logging", "com.acme.logging.resources.logging");
    assertThat(scanBytes(call).findings())
        .anyMatch(f -> f.kind() == Kind.REACHING_OUT && f.subject().equals(Level.class.getName()));
  }

  /** A level whose bundle is a text that stands before it. */
  @Test
  void bundlesOfLevelsMayBeReferences() {
    for (String bundle : List.of("sun.util.logging.resources.logging", "com.acme.Bundle")) {
      HandWritten call = HandWritten.call().string(bundle);
      call.object().descriptor(Bombs.shape(Level.class.getName())).nothing().data();
      call.int32(800).string("INFO").reference(0);
      assertThat(scanBytes(call.toByteArray()).findings())
          .as(bundle)
          .hasSize(bundle.startsWith("sun") ? 0 : 1);
    }
  }

  private static void replace(byte[] bytes, String from, String to) {
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    int at = text.indexOf(from);
    assertThat(at).isPositive();
    assertThat(from).hasSameSizeAs(to);
    System.arraycopy(to.getBytes(StandardCharsets.ISO_8859_1), 0, bytes, at, to.length());
  }

  /**
   * The own data of a LogRecord say how many parameters there are, for which JDK 8 takes memory.
   */
  @Test
  void parametersOfARecordAreAClaim() throws IOException {
    LogRecord record = new LogRecord(Level.INFO, "message");
    record.setParameters(new Object[] {"a"});
    byte[] call = call(record);
    byte[] honest = {0x77, 6, 1, 0, 0, 0, 0, 1};
    int at = -1;
    for (int i = 0; i + honest.length <= call.length; i++) {
      if (Arrays.equals(call, i, i + honest.length, honest, 0, honest.length)) {
        at = i;
      }
    }
    assertThat(at).isPositive();
    call[at + 4] = 0x70;
    assertThat(scanBytes(call).findings()).extracting(Finding::kind).contains(Kind.CLAIMS_TOO_MUCH);
  }

  private static final class Listener implements ListDataListener, java.io.Serializable {
    @Override
    public void intervalAdded(ListDataEvent e) {}

    @Override
    public void intervalRemoved(ListDataEvent e) {}

    @Override
    public void contentsChanged(ListDataEvent e) {}
  }

  @Test
  void modelsPassWithoutListeners() throws IOException {
    DefaultListModel<String> list = new DefaultListModel<>();
    list.addElement("a");
    expectClean(list, new DefaultTableModel(new Object[][] {{"a", 1}}, new Object[] {"x", "y"}));
    list.addListDataListener(new Listener());
    expectReachingOut(EventListenerList.class.getName(), list);
  }

  @Test
  void anImageIsAsLargeAsItsPixels() {
    assertThat(image(3, 4, 12, false).findings()).isEmpty();
    for (ScanResult result :
        List.of(
            image(30_000, 30_000, 12, false),
            image(-3, -4, 12, false),
            image(0x10000, 0x10000, 0, false),
            image(3, 4, 12, true))) {
      assertThat(result.findings())
          .extracting(Finding::subject)
          .containsExactly("javax.swing.ImageIcon");
    }
  }

  private static ScanResult image(int width, int height, int pixels, boolean before) {
    HandWritten call = HandWritten.call();
    if (before) {
      array(call, pixels);
    }
    int shared = call.handles() - 1;
    call.object().descriptor(Bombs.shape("javax.swing.ImageIcon")).nothing().data();
    call.int32(height).int32(width).nothing().nothing().nothing();
    call.block(Bombs.size(width, height));
    if (before) {
      call.reference(shared);
    } else {
      array(call, pixels);
    }
    return scanBytes(call.end().toByteArray());
  }

  private static void array(HandWritten call, int pixels) {
    call.array().descriptor("[I", 0x4dba602676eab2a5L, 2, List.of()).nothing().data();
    call.int32(pixels).raw(new byte[4 * pixels]);
  }

  /** A message of many such addresses would have a receiver enumerate its interfaces as often. */
  @Test
  void interfacesOfAddressesAreCounted() {
    assertThat(addresses(20).findings()).isEmpty();
    assertThat(addresses(2_000).findings())
        .extracting(Finding::kind)
        .containsExactly(Kind.TOO_MUCH_HASHING);
  }

  private static ScanResult addresses(int count) {
    HandWritten call = HandWritten.call().string("eth0");
    call.array().descriptor("[B", 0xacf317f8060854e0L, 2, List.of()).nothing().data();
    call.int32(16).raw(new byte[16]);
    int bytes = call.handles() - 1;
    int described = call.handles();
    for (int i = 0; i < count; i++) {
      call.object();
      if (i == 0) {
        call.descriptor(Bombs.shape("java.net.Inet6Address"));
        call.descriptor(Bombs.shape("java.net.InetAddress")).nothing();
      } else {
        call.reference(described);
      }
      call.data().int32(0).int32(2).nothing().end(); // of InetAddress
      call.int32(0).hex("0001").reference(0).reference(bytes).end();
    }
    return scanBytes(call.toByteArray());
  }

  /** Neither a pattern nor a font does anything when it is read. */
  @Test
  void patternsAreNotCompiledWhenTheyAreRead() throws Exception {
    byte[] call = call(Pattern.compile("aaaa"), new Font("Dialog", Font.BOLD, 12));
    assertThat(scanBytes(call).isClean(call.length)).isTrue();
    replace(call, "aaaa", "((((");
    byte[] stream =
        HandWritten.bytes()
            .hex("aced0005")
            .raw(Arrays.copyOfRange(call, 41, call.length))
            .toByteArray();
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(stream)) {
          @Override
          protected Class<?> resolveClass(java.io.ObjectStreamClass type)
              throws IOException, ClassNotFoundException {
            readObject(); // the annotation
            return super.resolveClass(type);
          }
        }) {
      assertThat(((Pattern) in.readObject()).pattern()).isEqualTo("((((");
    }
    Collection<?> none = List.of();
    expectClean(none);
  }
}
