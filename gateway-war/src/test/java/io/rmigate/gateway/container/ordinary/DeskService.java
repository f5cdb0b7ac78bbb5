package io.rmigate.gateway.container.ordinary;

import io.rmigate.gateway.container.ordinary.api.CountedSockets;
import io.rmigate.gateway.container.ordinary.api.Cursor;
import io.rmigate.gateway.container.ordinary.api.Customer;
import io.rmigate.gateway.container.ordinary.api.Desk;
import io.rmigate.gateway.container.ordinary.api.Listener;
import io.rmigate.gateway.container.ordinary.api.Money;
import io.rmigate.gateway.container.ordinary.api.Person;
import io.rmigate.gateway.container.ordinary.api.Session;
import io.rmigate.gateway.container.ordinary.api.ShopException;
import io.rmigate.gateway.container.ordinary.api.SoldOutException;
import io.rmigate.gateway.container.ordinary.api.Ticket;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.math.BigDecimal;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.Currency;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.zip.CRC32;

/** Hands out remote objects, calls those of clients, and fails. */
final class DeskService implements Desk {
  private final Registry registry;

  /** All that were handed out, so that stubs are equal and none is collected; guarded by this. */
  private final List<Remote> held = new ArrayList<>();

  private List<Listener> registered = List.of(); // guarded by this
  private Session lazy; // guarded by this

  DeskService(Registry registry) {
    this.registry = registry;
  }

  @SuppressWarnings("unchecked")
  private synchronized <T extends Remote> T export(T object) throws RemoteException {
    held.add(object);
    return (T) UnicastRemoteObject.exportObject(object, 0);
  }

  @Override
  public Session open(String user) throws RemoteException {
    return export(new UserSession(user));
  }

  @Override
  public String userOf(Session session) throws RemoteException {
    return session.user();
  }

  @Override
  public List<Session> sessions(int count) throws RemoteException {
    List<Session> sessions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sessions.add(open("user " + i));
    }
    return sessions;
  }

  @Override
  public Map<String, Session> sessionsByUser(String... users) throws RemoteException {
    Map<String, Session> sessions = new LinkedHashMap<>();
    for (String user : users) {
      sessions.put(user, open(user));
    }
    return sessions;
  }

  @Override
  public Cursor<Session> cursor(int count) throws RemoteException {
    return export(new SessionCursor(count));
  }

  @Override
  public Ticket ticket(Ticket ticket) throws RemoteException {
    return new Ticket(ticket.number() + " of " + ticket.session().user(), ticket.session());
  }

  @Override
  public synchronized Session factorySession() throws RemoteException {
    UserSession session = new UserSession("by factory");
    held.add(session);
    return (Session)
        UnicastRemoteObject.exportObject(session, 0, new CountedSockets("sessions"), null);
  }

  @Override
  public synchronized Session lazySession() throws RemoteException {
    if (lazy == null) {
      lazy = open("lazy");
    }
    return lazy;
  }

  @Override
  public Session none() {
    return null;
  }

  @Override
  public int tell(Listener listener, String message, int times)
      throws RemoteException, ShopException {
    int sum = 0;
    for (int i = 0; i < times; i++) {
      sum += listener.heard(message + " " + i, null);
    }
    return sum;
  }

  @Override
  public synchronized void register(List<Listener> listeners) {
    registered = listeners;
  }

  @Override
  public synchronized int tellRegistered(String message) throws RemoteException, ShopException {
    int sum = 0;
    for (Listener each : registered) {
      sum += tell(each, message, 1);
    }
    return sum;
  }

  @Override
  public Listener returned(Listener listener) {
    return listener;
  }

  @Override
  public void bind(String name, boolean bound) throws RemoteException {
    if (bound) {
      registry.rebind(name, open(name));
      return;
    }
    try {
      registry.unbind(name);
    } catch (NotBoundException e) {
      throw new RemoteException("nothing to unbind", e);
    }
  }

  @Override
  public void fail(String message) throws ShopException {
    ShopException failure =
        new ShopException(message, 7, new IllegalArgumentException("count", new Exception("root")));
    failure.addSuppressed(new IOException("while closing"));
    throw failure;
  }

  @Override
  public void failUndeclared(String kind) {
    switch (kind) {
      case "state" -> throw new IllegalStateException("not open", new NullPointerException("x"));
      case "null" -> throw new NullPointerException();
      case "index" -> throw new ArrayIndexOutOfBoundsException(5);
      case "element" -> throw new NoSuchElementException("none");
      case "concurrent" -> throw new ConcurrentModificationException();
      case "number" -> throw new NumberFormatException("x1");
      case "shop" ->
          throw new SoldOutException(
              "gone", new Money(new BigDecimal("2.50"), Currency.getInstance("EUR")));
      case "inner" -> throw new InnerFailure("of the server alone");
      case "error" -> throw new AssertionError("broken");
      default -> throw new UnsupportedOperationException(kind);
    }
  }

  @Override
  public void failInJdk(String kind) throws IOException, SQLException {
    if (kind.equals("sql")) {
      SQLException first = new SQLException("first", "08S01", 17);
      first.setNextException(new SQLException("second"));
      throw first;
    }
    throw new FileNotFoundException(kind);
  }

  @Override
  public Person best() {
    GoldCustomer best = new GoldCustomer();
    best.setName("Best");
    return best;
  }

  @Override
  public long checksum(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return crc.getValue() + bytes.length;
  }

  @Override
  public int length(String text) {
    return text.length();
  }

  @Override
  public byte[] produce(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i * 31 + (i >> 8));
    }
    return bytes;
  }

  /** In no jar that the gateway has. */
  @SuppressWarnings("serial")
  static final class GoldCustomer extends Customer {
    private final int gold = 24;

    @Override
    public String toString() {
      return super.toString() + " gold " + gold;
    }
  }

  /** In no jar that the gateway has. */
  @SuppressWarnings("serial")
  static final class InnerFailure extends RuntimeException {
    InnerFailure(String message) {
      super(message);
    }
  }

  /** Adds up. */
  private static final class UserSession implements Session {
    private final String user;
    private int sum; // guarded by this

    UserSession(String user) {
      this.user = user;
    }

    @Override
    public String user() {
      return user;
    }

    @Override
    public synchronized int add(int number) {
      sum += number;
      return sum;
    }

    @Override
    public void close() throws RemoteException {
      UnicastRemoteObject.unexportObject(this, true);
    }
  }

  /** Opens sessions one by one. */
  private final class SessionCursor implements Cursor<Session> {
    private final int count;
    private int next; // guarded by this

    SessionCursor(int count) {
      this.count = count;
    }

    @Override
    public synchronized boolean hasNext() {
      return next < count;
    }

    @Override
    public synchronized Session next() throws RemoteException {
      return open("number " + next++);
    }
  }
}
