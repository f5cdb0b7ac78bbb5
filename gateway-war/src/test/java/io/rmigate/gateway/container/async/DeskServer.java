package io.rmigate.gateway.container.async;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.rmi.server.Unreferenced;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Prints {@code desk ready <registry port>}. Ends with its input. */
public final class DeskServer implements Desk {
  private final Map<Long, Integer> counted = new ConcurrentHashMap<>();
  private final AtomicInteger openDrawers = new AtomicInteger();
  private final Object gate = new Object();
  private int held;
  private int heldAtATime;
  private int released;

  private DeskServer() {}

  /** Runs until its input ends. */
  public static void main(String[] args) throws Exception {
    Registry registry = LocateRegistry.createRegistry(0);
    registry.bind(NAME, UnicastRemoteObject.exportObject(new DeskServer(), 0));
    int port = Integer.parseInt(registry.toString().replaceAll("(?s).*:(\\d+)\\].*", "$1"));
    System.out.println("desk ready " + port);
    while (System.in.read() >= 0) {
      System.gc();
    }
  }

  @Override
  public String echo(String text) {
    return text;
  }

  @Override
  public double compute(int a, long b, boolean negates, byte[] others) {
    double sum = a + b;
    for (byte other : others) {
      sum += other;
    }
    return negates ? -sum : sum;
  }

  @Override
  public void fail(String kind) throws IOException {
    switch (kind) {
      case "checked" -> throw new FileNotFoundException("no such paper");
      case "runtime" -> throw new IllegalStateException("closed today");
      case "error" -> throw new AssertionError("the desk is broken");
      case "remote" -> throw new RemoteException("not at this desk");
      default -> throw new IllegalArgumentException(kind);
    }
  }

  @Override
  public Drawer open(String label) throws RemoteException {
    Opened opened = new Opened(label);
    openDrawers.incrementAndGet();
    UnicastRemoteObject.exportObject(opened, 0);
    return opened;
  }

  @Override
  public String ring(Bell bell, String text) throws RemoteException {
    return bell.ring(text);
  }

  @Override
  public int hold() {
    synchronized (gate) {
      int mine = released;
      held++;
      heldAtATime = Math.max(heldAtATime, held);
      while (mine == released) {
        try {
          gate.wait();
        } catch (InterruptedException unexpected) {
          throw new IllegalStateException(unexpected);
        }
      }
      held--;
      return heldAtATime;
    }
  }

  @Override
  public int held() {
    synchronized (gate) {
      return held;
    }
  }

  @Override
  public void release() {
    synchronized (gate) {
      released++;
      gate.notifyAll();
    }
  }

  @Override
  public byte[] count(long id, byte[] payload) {
    counted.merge(id, 1, Integer::sum);
    return payload;
  }

  @Override
  public String counted() {
    return counted.size() + " " + counted.values().stream().filter(times -> times > 1).count();
  }

  @Override
  public int openDrawers() {
    System.gc();
    return openDrawers.get();
  }

  @Override
  public Rows rows(int rows, int bad) throws RemoteException {
    Counted counted = new Counted(rows, bad);
    UnicastRemoteObject.exportObject(counted, 0);
    return counted;
  }

  /** Like most cursors it is not thread-safe. */
  private static final class Counted implements Rows {
    private final int rows;
    private final int bad;
    private volatile int row;
    private final AtomicInteger asked = new AtomicInteger();

    Counted(int rows, int bad) {
      this.rows = rows;
      this.bad = bad;
    }

    @Override
    public String next() throws IOException {
      asked.incrementAndGet();
      if (row == bad) {
        throw new FileNotFoundException("row " + bad);
      }
      int mine = row;
      if (mine >= rows) {
        return null;
      }
      row = mine + 1;
      return mine + " " + "x".repeat(mine % 100);
    }

    @Override
    public int asked() {
      return asked.get();
    }
  }

  private final class Opened implements Drawer, Unreferenced {
    private final String label;

    Opened(String label) {
      this.label = label;
    }

    @Override
    public String label() {
      return label;
    }

    @Override
    public void unreferenced() {
      try {
        UnicastRemoteObject.unexportObject(this, true);
      } catch (NoSuchObjectException gone) {
        throw new IllegalStateException(gone);
      }
      openDrawers.decrementAndGet();
    }
  }
}
