package io.rmigate.gateway.edge.legacy;

import java.rmi.NoSuchObjectException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.rmi.server.Unreferenced;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * The JDK's own RMI server in this JVM, as unmodified as they come: a registry, and a {@link Till}
 * bound in it, at any port.
 */
final class TillServer implements AutoCloseable {
  private final Registry registry;
  private final int port;
  private final Counting till = new Counting();
  private final List<Counting> fresh = new CopyOnWriteArrayList<>();
  private final CountDownLatch released = new CountDownLatch(1);
  final AtomicInteger additions = new AtomicInteger();
  final AtomicInteger hanging = new AtomicInteger();

  TillServer() throws Exception {
    registry = LocateRegistry.createRegistry(0);
    port =
        Integer.parseInt(
            registry.toString().replaceAll("(?s).*?endpoint:\\[[^:]*:(\\d+)].*", "$1"));
    registry.rebind("till", UnicastRemoteObject.exportObject(till, 0));
  }

  /** Of the registry. */
  int port() {
    return port;
  }

  /** Names in the registry, asked without a connection. */
  List<String> bound() throws Exception {
    return List.of(registry.list());
  }

  /** Number of fresh objects that the collector has called unreferenced. */
  long unreferenced() {
    return fresh.stream().filter(each -> each.unreferenced.get() > 0).count();
  }

  /** Lets the calls that hang return. */
  void release() {
    released.countDown();
  }

  @Override
  public void close() throws NoSuchObjectException {
    release();
    UnicastRemoteObject.unexportObject(till, true);
    for (Counting each : fresh) {
      try {
        UnicastRemoteObject.unexportObject(each, true);
      } catch (NoSuchObjectException gone) {
        // collected
      }
    }
    UnicastRemoteObject.unexportObject(registry, true);
  }

  private final class Counting implements Till, Unreferenced {
    final AtomicInteger unreferenced = new AtomicInteger();

    @Override
    public int add(int a, int b) {
      additions.incrementAndGet();
      return a + b;
    }

    @Override
    public byte[] reverse(byte[] bytes) {
      byte[] reversed = new byte[bytes.length];
      IntStream.range(0, bytes.length).forEach(i -> reversed[i] = bytes[bytes.length - 1 - i]);
      return reversed;
    }

    @Override
    public Till fresh() throws java.rmi.RemoteException {
      Counting made = new Counting();
      fresh.add(made);
      return (Till) UnicastRemoteObject.exportObject(made, 0);
    }

    @Override
    public void hang() {
      hanging.incrementAndGet();
      try {
        released.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void unreferenced() {
      unreferenced.incrementAndGet();
    }
  }
}
