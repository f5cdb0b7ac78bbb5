package io.rmigate.gateway.container.ordinary;

import io.rmigate.gateway.container.ordinary.api.Desk;
import io.rmigate.gateway.container.ordinary.api.Order;
import io.rmigate.gateway.container.ordinary.api.Values;
import java.awt.Color;
import java.awt.Font;
import java.awt.Point;
import java.awt.Rectangle;
import java.beans.PropertyChangeEvent;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.FileNotFoundException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
import java.rmi.MarshalledObject;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.sql.Timestamp;
import java.text.NumberFormat;
import java.text.SimpleDateFormat;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Base64;
import java.util.BitSet;
import java.util.Calendar;
import java.util.Currency;
import java.util.Date;
import java.util.EventObject;
import java.util.GregorianCalendar;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.regex.Pattern;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import javax.naming.CompositeName;
import javax.naming.ldap.LdapName;
import javax.security.auth.Subject;
import javax.security.auth.x500.X500Principal;
import javax.sql.rowset.serial.SerialBlob;
import javax.swing.DefaultListModel;
import javax.swing.table.DefaultTableModel;
import javax.swing.tree.DefaultMutableTreeNode;
import javax.xml.namespace.QName;

/** Values of the JDK, and arrays and texts of any length. */
@SuppressWarnings({"JavaUtilDate", "ReferenceEquality"})
final class ValueKinds {
  private static final int MEGABYTE = 1 << 20;

  private static final String CERTIFICATE =
      """
      MIIBlzCCAT2gAwIBAgIUctZ19f0F5tbyveBq6aAkcQdPzSwwCgYIKoZIzj0EAwIwIDEPMA0GA1UEAwwG
      T3JkZXJzMQ0wCwYDVQQKDARBY21lMCAXDTI2MTEyNzExMjkwOVoYDzIxMjYxMTAzMTEyOTA5WjAgMQ8w
      DQYDVQQDDAZPcmRlcnMxDTALBgNVBAoMBEFjbWUwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQPhcOC
      cDwcmnOZ6XB1YNmyGUg4CqZPQVqUD/wgIAuXQIuDukdDR3LdhZYjIhOCTn3ZUK4+nWxK6zPJ+xliMypH
      o1MwUTAdBgNVHQ4EFgQU99XLggE3HAqe3uxYvN73RAe3tQwwHwYDVR0jBBgwFoAU99XLggE3HAqe3uxY
      vN73RAe3tQwwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiBJa1lIva8FNXykUEE/hzRG
      LSJ3G/LFwVkDfsGualiHEgIhAL24oJsl27S6+wawL9dx8H27dRcqU/xIvXf3+BmOXqOX
      """;

  private final Values values;
  private final Desk desk;

  private ValueKinds(Values values, Desk desk) {
    this.values = values;
    this.desk = desk;
  }

  static void addTo(Kinds kinds) throws Exception {
    ValueKinds group = new ValueKinds(kinds.service(Values.class), kinds.service(Desk.class));
    group.addNumbersAndTimes(kinds);
    group.addNames(kinds);
    group.addSecurity(kinds);
    group.addDesktop(kinds);
    group.addArrays(kinds);
  }

  private void addNumbersAndTimes(Kinds kinds) {
    kinds.add("big decimal", () -> values.price(new BigDecimal("12.50")));
    kinds.add("big integer", () -> values.serial(BigInteger.TWO.pow(200)));
    kinds.add("date", () -> values.date(new Date(86_400_000L)));
    kinds.add(
        "calendar",
        () -> {
          Calendar calendar =
              new GregorianCalendar(TimeZone.getTimeZone("Europe/Berlin"), Locale.GERMANY);
          calendar.setTimeInMillis(1_000);
          return values.calendar(calendar).getTime() + " " + calendar.getTimeZone().getID();
        });
    kinds.add("time zone", () -> values.timeZone(TimeZone.getTimeZone("Asia/Tokyo")).getID());
    kinds.add("SQL date", () -> values.sqlDate(java.sql.Date.valueOf("2001-02-03")));
    kinds.add("SQL timestamp", () -> values.timestamp(Timestamp.valueOf("2001-02-03 04:05:06.7")));
    kinds.add("SQL blob", () -> values.blob(new SerialBlob(new byte[] {1, 2, 3})).getBytes(1, 3));
    kinds.add("local date", () -> values.day(LocalDate.of(2020, 2, 29)));
    kinds.add("local date and time", () -> values.dayAndTime(LocalDateTime.of(2020, 2, 29, 1, 2)));
    kinds.add(
        "zoned time",
        () -> values.zoned(ZonedDateTime.of(2020, 2, 3, 4, 5, 6, 7, ZoneId.of("Europe/Paris"))));
    kinds.add("instant", () -> values.instant(Instant.ofEpochSecond(1, 2)));
    kinds.add("period", () -> values.period(Period.of(1, 2, 3)));
    kinds.add("zone", () -> values.zone(ZoneOffset.ofHours(2)));
    kinds.add("atomic long", () -> values.counter(new AtomicLong(5)));
    kinds.add("atomic reference", () -> values.holder(new AtomicReference<>("held")));
    kinds.add("random", () -> values.random(new Random(5)).nextInt());
  }

  private void addNames(Kinds kinds) {
    kinds.add("UUID", () -> values.id(UUID.fromString("0f9a4c5e-1111-2222-3333-444455556666")));
    kinds.add("locale", () -> values.locale(Locale.forLanguageTag("de-CH-x-lvariant-bank")));
    kinds.add("currency", () -> values.currency(Currency.getInstance("CHF")));
    kinds.add(
        "internet address",
        () -> values.address(InetAddress.getByAddress("db", new byte[] {10, 1, 2, 3})));
    kinds.add(
        "socket address",
        () -> values.endpoint(InetSocketAddress.createUnresolved("db.example", 5432)));
    kinds.add("file", () -> values.file(new File("/srv/orders/1.xml")));
    kinds.add("URI", () -> values.uri(URI.create("urn:isbn:0451450523")));
    kinds.add("URL", () -> values.url(new URL("https://example.org/a?b#c")));
    kinds.add("pattern", () -> values.pattern(Pattern.compile("a+b", Pattern.CASE_INSENSITIVE)));
    kinds.add("qualified name", () -> values.qualifiedName(new QName("urn:x", "local", "p")));
    kinds.add("object name", () -> values.objectName(new ObjectName("a:type=B")));
    kinds.add("class", () -> values.type(Order.class));
    kinds.add("string builder", () -> values.text(new StringBuilder("built")));
    kinds.add("bit set", () -> values.bits(BitSet.valueOf(new long[] {5})));
    kinds.add("LDAP name", () -> values.name(new LdapName("cn=Ann,ou=People,dc=example")));
    kinds.add("composite name", () -> values.name(new CompositeName("a/b/c")));
    kinds.add("composite data", () -> values.composite(compositeData()));
    kinds.add(
        "exception as a value",
        () -> values.failure(new FileNotFoundException("no.txt").initCause(new Error("cause"))));
    kinds.add("stack trace", () -> values.trace(new Exception().getStackTrace())[0].getClassName());
    kinds.add("level", () -> values.level(Level.WARNING) == Level.WARNING);
    kinds.add(
        "log record",
        () -> {
          LogRecord record = new LogRecord(Level.INFO, "sold {0}");
          record.setParameters(new Object[] {5});
          LogRecord back = values.record(record);
          return back.getLevel() + back.getMessage() + Arrays.toString(back.getParameters());
        });
    kinds.add("marshalled object", () -> values.marshalled(new MarshalledObject<>("inside")).get());
  }

  private static CompositeDataSupport compositeData() throws Exception {
    String[] names = {"degrees", "place"};
    CompositeType type =
        new CompositeType(
            "Reading",
            "a reading",
            names,
            names,
            new OpenType<?>[] {SimpleType.DOUBLE, SimpleType.STRING});
    return new CompositeDataSupport(type, names, new Object[] {1.5, "top"});
  }

  private static Certificate certificate() throws Exception {
    return CertificateFactory.getInstance("X.509")
        .generateCertificate(new ByteArrayInputStream(Base64.getMimeDecoder().decode(CERTIFICATE)));
  }

  private void addSecurity(Kinds kinds) {
    kinds.add(
        "certificate",
        () ->
            ((X509Certificate) values.certificate(certificate()))
                .getSubjectX500Principal()
                .getName());
    kinds.add(
        "public key",
        () -> values.key(certificate().getPublicKey()).equals(certificate().getPublicKey()));
    kinds.add("principal", () -> values.principal(new X500Principal("CN=Ann, O=Acme")));
    kinds.add(
        "subject",
        () ->
            values
                .subject(new Subject(true, Set.of(new X500Principal("CN=Ann")), Set.of(), Set.of()))
                .getPrincipals()
                .iterator()
                .next());
  }

  private void addDesktop(Kinds kinds) {
    kinds.add("colour", () -> values.color(new Color(1, 2, 3)));
    kinds.add("point", () -> values.point(new Point(1, 2)));
    kinds.add("rectangle", () -> values.rectangle(new Rectangle(1, 2, 3, 4)));
    kinds.add("font", () -> values.font(new Font("Serif", Font.BOLD, 12)).getSize());
    kinds.add("date format", () -> values.dateFormat(utc()).format(new Date(0)));
    kinds.add(
        "number format",
        () -> values.numberFormat(NumberFormat.getInstance(Locale.UK)).format(1e6));
    kinds.add(
        "property change",
        () -> values.change(new PropertyChangeEvent("bean", "price", 1, 2L)).toString());
    kinds.add("event", () -> values.event(new EventObject("source")).getSource());
    kinds.add(
        "table model",
        () ->
            values
                .table(new DefaultTableModel(new Object[][] {{"a", 1}}, new Object[] {"x", "y"}))
                .getDataVector()
                .toString());
    kinds.add(
        "list model",
        () -> {
          DefaultListModel<String> list = new DefaultListModel<>();
          list.addElement("first");
          return values.list(list).toString();
        });
    kinds.add(
        "tree node",
        () -> {
          DefaultMutableTreeNode root = new DefaultMutableTreeNode("root");
          root.add(new DefaultMutableTreeNode(5));
          return values.tree(root).getFirstChild().toString();
        });
  }

  private static SimpleDateFormat utc() {
    SimpleDateFormat format = new SimpleDateFormat("yyyy-MM-dd HH", Locale.ROOT);
    format.setTimeZone(TimeZone.getTimeZone("UTC"));
    return format;
  }

  private void addArrays(Kinds kinds) {
    kinds.add("bytes", () -> values.bytes(new byte[] {1, -1}));
    kinds.add("characters", () -> values.chars("secret".toCharArray()));
    kinds.add("matrix", () -> values.matrix(new long[][] {{1, 2}, {}, null}));
    kinds.add("cells", () -> values.cells(new String[][] {{"a", null}, {"b"}}));
    kinds.add("text", () -> values.string("\u65e5\u672c \ud83d\ude00 \u0000"));
    kinds.add("text of 200 KB", () -> values.string("x".repeat(200_000)).length());
    kinds.add("text of 10 MB", () -> desk.length("y".repeat(10 * MEGABYTE)));
    kinds.add("bytes of 1 MB", () -> values.bytes(new byte[MEGABYTE]));
    kinds.add("bytes of 10 MB", () -> desk.checksum(new byte[10 * MEGABYTE]));
    kinds.add("bytes of 100 MB", () -> desk.checksum(new byte[100 * MEGABYTE]));
    kinds.add("result of 10 MB", () -> desk.produce(10 * MEGABYTE));
  }
}
