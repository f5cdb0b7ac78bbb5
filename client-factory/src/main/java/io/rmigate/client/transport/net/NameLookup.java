package io.rmigate.client.transport.net;

import io.rmigate.client.jvm.Daemons;
import io.rmigate.client.jvm.NoThreadException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * Looks names up within a time: the JDK's own look-up knows no bound, and behind a firewall that
 * drops its packets it takes half a minute and more. Thread-safe.
 *
 * <p>Costs a short-lived daemon thread. A look-up that hangs is joined by the next attempt instead
 * of being begun again, so that there is never more than one thread for a name. Where no thread can
 * be started, all who wait for it hear so, and the next attempt begins anew.
 */
public final class NameLookup {

  /** How names are looked up; blocks. */
  @FunctionalInterface
  public interface Resolver {
    InetAddress[] addressesOf(String host) throws UnknownHostException;
  }

  /** The JVM's own way. */
  public static final NameLookup SYSTEM = new NameLookup(null);

  /** Null: the JVM's own. */
  private final Resolver resolver;

  private final Map<String, CompletableFuture<InetAddress[]>> running = new ConcurrentHashMap<>();

  public NameLookup(Resolver resolver) {
    this.resolver = resolver;
  }

  /**
   * The addresses of {@code host}, at least one.
   *
   * @throws UnknownHostException there is no such name
   * @throws SocketTimeoutException it took too long
   * @throws IOException it cannot be done
   */
  public InetAddress[] addressesOf(String host, Duration timeout) throws IOException {
    CompletableFuture<InetAddress[]> mine = new CompletableFuture<>();
    CompletableFuture<InetAddress[]> task = running.putIfAbsent(host, mine);
    if (task == null) {
      task = mine;
      start(host, mine);
    }
    try {
      return UninterruptibleWait.get(task, Math.max(1, timeout.toNanos()));
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof UnknownHostException unknown) {
        throw unknown;
      }
      if (failed.getCause() instanceof NoThreadException none) {
        ConnectException again =
            new ConnectException("cannot look up " + host + ": " + none.getMessage());
        again.initCause(none);
        throw again;
      }
      throw new IOException("cannot look up " + host, failed.getCause());
    } catch (TimeoutException late) {
      throw new SocketTimeoutException(
          "looking up " + host + " took longer than " + timeout.toMillis() + " ms");
    }
  }

  private void start(String host, CompletableFuture<InetAddress[]> lookup) {
    try {
      Daemons.start(
          "rmigate-name-lookup",
          new Runnable() {
            @Override
            public void run() {
              complete(host, lookup);
            }
          });
    } catch (NoThreadException none) {
      running.remove(host, lookup); // the next attempt begins anew
      lookup.completeExceptionally(none);
    }
  }

  private void complete(String host, CompletableFuture<InetAddress[]> lookup) {
    try {
      lookup.complete(
          resolver == null ? InetAddress.getAllByName(host) : resolver.addressesOf(host));
    } catch (Throwable failed) { // for those who wait
      lookup.completeExceptionally(failed);
    } finally {
      running.remove(host, lookup);
    }
  }
}
