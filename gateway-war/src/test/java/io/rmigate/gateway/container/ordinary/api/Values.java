package io.rmigate.gateway.container.ordinary.api;

import java.awt.Color;
import java.awt.Font;
import java.awt.Point;
import java.awt.Rectangle;
import java.beans.PropertyChangeEvent;
import java.io.File;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
import java.rmi.MarshalledObject;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.security.PublicKey;
import java.security.cert.Certificate;
import java.sql.Timestamp;
import java.text.DateFormat;
import java.text.NumberFormat;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.BitSet;
import java.util.Calendar;
import java.util.Currency;
import java.util.Date;
import java.util.EventObject;
import java.util.Locale;
import java.util.Random;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.regex.Pattern;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.naming.Name;
import javax.security.auth.Subject;
import javax.security.auth.x500.X500Principal;
import javax.sql.rowset.serial.SerialBlob;
import javax.swing.DefaultListModel;
import javax.swing.table.DefaultTableModel;
import javax.swing.tree.DefaultMutableTreeNode;
import javax.xml.namespace.QName;

/** Values of the JDK; each method returns its argument. */
public interface Values extends Remote {
  BigDecimal price(BigDecimal price) throws RemoteException;

  BigInteger serial(BigInteger serial) throws RemoteException;

  UUID id(UUID id) throws RemoteException;

  Date date(Date date) throws RemoteException;

  Calendar calendar(Calendar calendar) throws RemoteException;

  TimeZone timeZone(TimeZone zone) throws RemoteException;

  Locale locale(Locale locale) throws RemoteException;

  Currency currency(Currency currency) throws RemoteException;

  java.sql.Date sqlDate(java.sql.Date date) throws RemoteException;

  Timestamp timestamp(Timestamp timestamp) throws RemoteException;

  SerialBlob blob(SerialBlob blob) throws RemoteException;

  LocalDate day(LocalDate day) throws RemoteException;

  LocalDateTime dayAndTime(LocalDateTime time) throws RemoteException;

  ZonedDateTime zoned(ZonedDateTime time) throws RemoteException;

  Instant instant(Instant instant) throws RemoteException;

  Period period(Period period) throws RemoteException;

  ZoneId zone(ZoneId zone) throws RemoteException;

  InetAddress address(InetAddress address) throws RemoteException;

  InetSocketAddress endpoint(InetSocketAddress endpoint) throws RemoteException;

  File file(File file) throws RemoteException;

  URI uri(URI uri) throws RemoteException;

  URL url(URL url) throws RemoteException;

  Pattern pattern(Pattern pattern) throws RemoteException;

  BitSet bits(BitSet bits) throws RemoteException;

  StringBuilder text(StringBuilder text) throws RemoteException;

  AtomicLong counter(AtomicLong counter) throws RemoteException;

  AtomicReference<String> holder(AtomicReference<String> holder) throws RemoteException;

  Random random(Random random) throws RemoteException;

  QName qualifiedName(QName name) throws RemoteException;

  Certificate certificate(Certificate certificate) throws RemoteException;

  PublicKey key(PublicKey key) throws RemoteException;

  X500Principal principal(X500Principal principal) throws RemoteException;

  Subject subject(Subject subject) throws RemoteException;

  Name name(Name name) throws RemoteException;

  LogRecord record(LogRecord record) throws RemoteException;

  Level level(Level level) throws RemoteException;

  PropertyChangeEvent change(PropertyChangeEvent event) throws RemoteException;

  EventObject event(EventObject event) throws RemoteException;

  DefaultTableModel table(DefaultTableModel table) throws RemoteException;

  DefaultListModel<String> list(DefaultListModel<String> list) throws RemoteException;

  DefaultMutableTreeNode tree(DefaultMutableTreeNode tree) throws RemoteException;

  Color color(Color color) throws RemoteException;

  Point point(Point point) throws RemoteException;

  Rectangle rectangle(Rectangle rectangle) throws RemoteException;

  Font font(Font font) throws RemoteException;

  DateFormat dateFormat(DateFormat format) throws RemoteException;

  NumberFormat numberFormat(NumberFormat format) throws RemoteException;

  ObjectName objectName(ObjectName name) throws RemoteException;

  CompositeData composite(CompositeData data) throws RemoteException;

  Class<?> type(Class<?> type) throws RemoteException;

  Throwable failure(Throwable failure) throws RemoteException;

  StackTraceElement[] trace(StackTraceElement[] trace) throws RemoteException;

  MarshalledObject<String> marshalled(MarshalledObject<String> object) throws RemoteException;

  byte[] bytes(byte[] bytes) throws RemoteException;

  char[] chars(char[] chars) throws RemoteException;

  long[][] matrix(long[][] matrix) throws RemoteException;

  String[][] cells(String[][] cells) throws RemoteException;

  String string(String string) throws RemoteException;
}
