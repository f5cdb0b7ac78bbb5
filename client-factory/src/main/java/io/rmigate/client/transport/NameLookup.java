package io.rmigate.client.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeoutException;

/**
 * Looks names up within a time: the JDK's own look-up knows no bound, and behind a firewall that
 * drops its packets it takes half a minute and more. Thread-safe.
 *
 * <p>Costs a short-lived daemon thread. A look-up that hangs is joined by the next attempt instead
 * of being begun again, so that there is never more than one thread for a name.
 */
final class NameLookup {

  /** How names are looked up; blocks. */
  @FunctionalInterface
  interface Resolver {
    InetAddress[] addressesOf(String host) throws UnknownHostException;
  }

  /** The JVM's own way. */
  static final NameLookup SYSTEM = new NameLookup(InetAddress::getAllByName);

  private final Resolver resolver;
  private final Map<String, FutureTask<InetAddress[]>> running = new ConcurrentHashMap<>();

  NameLookup(Resolver resolver) {
    this.resolver = resolver;
  }

  /**
   * The addresses of {@code host}, at least one.
   *
   * @throws UnknownHostException there is no such name
   * @throws SocketTimeoutException it took too long
   * @throws IOException it cannot be done
   */
  InetAddress[] addressesOf(String host, Duration timeout) throws IOException {
    FutureTask<InetAddress[]> mine = new FutureTask<>(() -> resolver.addressesOf(host));
    FutureTask<InetAddress[]> task = running.putIfAbsent(host, mine);
    if (task == null) {
      task = mine;
      start(host, mine);
    }
    try {
      return SteadyWait.get(task, Math.max(1, timeout.toNanos()));
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof UnknownHostException unknown) {
        throw unknown;
      }
      throw new IOException("cannot look up " + host, failed.getCause());
    } catch (TimeoutException late) {
      throw new SocketTimeoutException(
          "looking up " + host + " took longer than " + timeout.toMillis() + " ms");
    }
  }

  private void start(String host, FutureTask<InetAddress[]> task) {
    Thread thread =
        new Thread(
            null,
            () -> {
              try {
                task.run();
              } finally {
                running.remove(host, task);
              }
            },
            "rmigate-name-lookup",
            0,
            false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    thread.start();
  }
}
