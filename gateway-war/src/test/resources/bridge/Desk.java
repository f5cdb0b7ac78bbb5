package desk;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import java.rmi.server.Unreferenced;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A remote interface of the tests, with all that it needs and its server. */
public interface Desk extends Remote {
  String all(boolean z, byte b, char c, short s, int i, long l, float f, double d)
      throws RemoteException;

  boolean aBoolean(boolean v) throws RemoteException;

  byte aByte(byte v) throws RemoteException;

  char aChar(char v) throws RemoteException;

  short aShort(short v) throws RemoteException;

  int anInt(int v) throws RemoteException;

  long aLong(long v) throws RemoteException;

  float aFloat(float v) throws RemoteException;

  double aDouble(double v) throws RemoteException;

  void nothing() throws RemoteException;

  Object any(Object value) throws RemoteException;

  int[] ints(int... values) throws RemoteException;

  byte[] bytes(byte[] value) throws RemoteException;

  Item item(Item item) throws RemoteException;

  Order order(Order order) throws RemoteException;

  void fail(String how) throws RemoteException, NoStock;

  Object of(String className) throws RemoteException;

  Counter counter() throws RemoteException;

  List<Counter> counters(int count) throws RemoteException;

  int add(Counter counter, int count) throws RemoteException;

  boolean isOwn(Counter counter) throws RemoteException;

  void hang() throws RemoteException;

  Object library() throws RemoteException;

  Item special() throws RemoteException;

  Item noisy(String how) throws RemoteException;

  interface Counter extends Remote {
    int add(int count) throws RemoteException;
  }

  /** A bean. */
  class Item implements Serializable {
    private static final long serialVersionUID = 1L;
    public String name;
    public Color color;
    public LocalDate date;
    public List<Item> parts = new ArrayList<>();
    public Map<String, Integer> stock = new HashMap<>();
  }

  enum Color {
    RED,
    GREEN
  }

  record Order(int number, Item item) implements Serializable {}

  /** Reads itself, and says what it has read. */
  class Noisy extends Item {
    private static final long serialVersionUID = 1L;
    private final String how;
    private final String secret = "a secret";

    public Noisy(String how) {
      this.how = how;
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      switch (how) {
        case "io" -> throw new IOException(secret);
        case "runtime" -> throw new IllegalStateException(secret);
        case "missing" -> throw new ClassNotFoundException(secret);
        case "nameless" -> throw new ClassNotFoundException();
        default -> throw new AssertionError(how);
      }
    }
  }

  class NoStock extends Exception {
    private static final long serialVersionUID = 1L;
    private final int left;

    public NoStock(String message, int left) {
      super(message);
      this.left = left;
    }

    public int getLeft() {
      return left;
    }
  }

  /** The server. */
  class Servant implements Desk {
    public final AtomicInteger calls = new AtomicInteger();
    public final AtomicInteger unreferenced = new AtomicInteger();
    public final CountDownLatch release = new CountDownLatch(1);
    private final List<Remote> exported = new ArrayList<>();

    @Override
    public String all(boolean z, byte b, char c, short s, int i, long l, float f, double d) {
      return z + " " + b + " " + c + " " + s + " " + i + " " + l + " " + f + " " + d;
    }

    @Override
    public boolean aBoolean(boolean v) {
      return v;
    }

    @Override
    public byte aByte(byte v) {
      return v;
    }

    @Override
    public char aChar(char v) {
      return v;
    }

    @Override
    public short aShort(short v) {
      return v;
    }

    @Override
    public int anInt(int v) {
      calls.incrementAndGet();
      return v;
    }

    @Override
    public long aLong(long v) {
      return v;
    }

    @Override
    public float aFloat(float v) {
      return v;
    }

    @Override
    public double aDouble(double v) {
      return v;
    }

    @Override
    public void nothing() {
      calls.incrementAndGet();
    }

    @Override
    public Object any(Object value) {
      return value;
    }

    @Override
    public int[] ints(int... values) {
      return values;
    }

    @Override
    public byte[] bytes(byte[] value) {
      return value;
    }

    @Override
    public Item item(Item item) {
      return item;
    }

    @Override
    public Order order(Order order) {
      return order == null ? null : new Order(order.number() + 1, order.item());
    }

    @Override
    public void fail(String how) throws RemoteException, NoStock {
      switch (how) {
        case "declared" -> throw new NoStock("sold out", 3);
        case "runtime" -> throw new IllegalStateException("closed", new NoStock("cause", 4));
        case "error" -> throw new StackOverflowError("deep");
        case "remote" -> throw new RemoteException("of the method");
        case "noSuchObject" -> throw new NoSuchObjectException("of the method");
        case "refused" -> throw new javax.management.JMRuntimeException("not let in");
        default -> throw new IllegalArgumentException(how);
      }
    }

    @Override
    public Object of(String className) throws RemoteException {
      try {
        return Class.forName(className).getConstructor().newInstance();
      } catch (ReflectiveOperationException e) {
        throw new RemoteException(className, e);
      }
    }

    @Override
    public synchronized Counter counter() throws RemoteException {
      CountingServant counter = new CountingServant(unreferenced);
      UnicastRemoteObject.exportObject(counter, 0);
      exported.add(counter);
      return counter;
    }

    @Override
    public List<Counter> counters(int count) throws RemoteException {
      List<Counter> all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        all.add(counter());
      }
      return all;
    }

    @Override
    public int add(Counter counter, int count) throws RemoteException {
      return counter == null ? -1 : counter.add(count);
    }

    /** Whether what came back is equal to the very stub that went out. */
    @Override
    public synchronized boolean isOwn(Counter counter) throws RemoteException {
      for (Remote one : exported) {
        if (java.rmi.server.RemoteObject.toStub(one).equals(counter)) {
          return true;
        }
      }
      return false;
    }

    @Override
    public void hang() {
      calls.incrementAndGet();
      try {
        release.await(60, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public Object library() {
      return new Library();
    }

    @Override
    public Item special() {
      return new Special();
    }

    @Override
    public Item noisy(String how) {
      return new Noisy(how);
    }

    /** Ends the counters. */
    public synchronized void end() throws RemoteException {
      release.countDown();
      for (Remote one : exported) {
        UnicastRemoteObject.unexportObject(one, true);
      }
    }
  }

  class CountingServant implements Counter, Unreferenced {
    private final AtomicInteger unreferenced;
    private int sum;

    public CountingServant(AtomicInteger unreferenced) {
      this.unreferenced = unreferenced;
    }

    @Override
    public synchronized int add(int count) {
      sum += count;
      return sum;
    }

    @Override
    public void unreferenced() {
      unreferenced.incrementAndGet();
    }
  }
}

/** Of the jars, and of no method. */
class Library implements Serializable {
  private static final long serialVersionUID = 1L;
}

/** What no method names, but is what one does. */
class Special extends Desk.Item {
  private static final long serialVersionUID = 1L;
}
