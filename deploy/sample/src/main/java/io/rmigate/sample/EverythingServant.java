package io.rmigate.sample;

import java.io.IOException;
import java.net.ServerSocket;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.rmi.server.ExportException;
import java.rmi.server.RemoteServer;
import java.rmi.server.ServerNotActiveException;
import java.rmi.server.UnicastRemoteObject;
import java.rmi.server.Unreferenced;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.zip.CRC32;

/**
 * The object behind {@link Everything}, and within that of {@link Showcase}. Called by any thread.
 */
class EverythingServant implements Everything {
  private final int objectPort;
  private final Map<String, Integer> executions = new ConcurrentHashMap<>();
  private final AtomicInteger unreferenced = new AtomicInteger();

  EverythingServant(int objectPort) {
    this.objectPort = objectPort;
  }

  @Override
  public boolean echoBoolean(boolean value) {
    return value;
  }

  @Override
  public byte echoByte(byte value) {
    return value;
  }

  @Override
  public short echoShort(short value) {
    return value;
  }

  @Override
  public char echoChar(char value) {
    return value;
  }

  @Override
  public int echoInt(int value) {
    return value;
  }

  @Override
  public long echoLong(long value) {
    return value;
  }

  @Override
  public float echoFloat(float value) {
    return value;
  }

  @Override
  public double echoDouble(double value) {
    return value;
  }

  @Override
  public String describe(
      boolean z, byte b, short s, char c, int i, long j, float f, double d, String text) {
    return join(" ", z, b, s, c, i, j, f, d, text);
  }

  @Override
  public String echoString(String value) {
    return value;
  }

  @Override
  public Object echo(Object value) {
    return value;
  }

  @Override
  public <T extends Comparable<T>> Collection<T> processRequest(Collection<T> elements) {
    return new ArrayList<>(elements);
  }

  @Override
  public String join(String separator, Object... parts) {
    return Arrays.stream(parts).map(String::valueOf).collect(Collectors.joining(separator));
  }

  @Override
  public long checksum(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return crc.getValue();
  }

  @Override
  public byte[] produce(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  @Override
  public void failChecked(String message) throws CheckedFailure {
    throw new CheckedFailure(message, 42, new IOException("disk is full"));
  }

  @Override
  public void failUnchecked(String message) {
    IllegalStateException failure =
        new IllegalStateException(message, new IllegalArgumentException("inner cause"));
    failure.addSuppressed(new ArithmeticException("on the way out"));
    throw failure;
  }

  @Override
  public void failWithError(String message) {
    throw new StackOverflowError(message);
  }

  @Override
  public void failRemote(String message) throws RemoteException {
    throw new RemoteException(message, new IOException("the server behind the server"));
  }

  @Override
  public Object unserializableResult() {
    return new Object();
  }

  @Override
  public Counter newCounter(int start) throws RemoteException {
    Counter counter = new ExportedCounter(start);
    UnicastRemoteObject.exportObject(counter, objectPort);
    return counter;
  }

  /**
   * Only an explicit port closes with its last object, so a free one is looked for; another process
   * may be faster, in which case the next one is tried.
   */
  @Override
  public Counter newCounterOnItsOwnPort(int start) throws RemoteException {
    for (int attempt = 1; ; attempt++) {
      Counter counter = new ExportedCounter(start);
      try {
        UnicastRemoteObject.exportObject(counter, freePort());
        return counter;
      } catch (ExportException e) {
        if (attempt == 5) {
          throw e;
        }
      }
    }
  }

  private static int freePort() throws ExportException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new ExportException("no free port", e);
    }
  }

  @Override
  public int incrementFor(Counter counter) throws RemoteException {
    return counter.increment();
  }

  @Override
  public int unreferencedCounters() {
    return unreferenced.get();
  }

  @Override
  public int executeSlowly(String callId, long millis) throws RemoteException {
    int executions = execute(callId);
    try {
      // Nothing counts this latch down: it is a wait that an interrupt ends.
      boolean ended = new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
      assert !ended;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RemoteException("interrupted", e);
    }
    return executions;
  }

  @Override
  public int execute(String callId) {
    return executions.merge(callId, 1, Integer::sum);
  }

  @Override
  public int executions(String callId) {
    return executions.getOrDefault(callId, 0);
  }

  @Override
  public String clientHost() throws RemoteException {
    try {
      return RemoteServer.getClientHost();
    } catch (ServerNotActiveException e) {
      throw new RemoteException("called directly", e);
    }
  }

  /** Kept alive by its clients' leases alone. */
  private final class ExportedCounter implements Counter, Unreferenced {
    private final AtomicInteger sum;

    ExportedCounter(int start) {
      sum = new AtomicInteger(start);
    }

    @Override
    public int increment() {
      return sum.incrementAndGet();
    }

    @Override
    public void unexport() throws NoSuchObjectException {
      UnicastRemoteObject.unexportObject(this, true);
    }

    @Override
    public void unreferenced() {
      unreferenced.incrementAndGet();
    }
  }
}
