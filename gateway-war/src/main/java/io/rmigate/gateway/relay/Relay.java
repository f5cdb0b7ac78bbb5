package io.rmigate.gateway.relay;

import java.io.Closeable;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** The relay's threads: selector loops, and a few for the blocking look-up of inside names. */
public final class Relay implements Closeable {
  private static final int RESOLVER_THREADS = 8;
  private static final int RESOLVER_QUEUE = 10_000;

  private final RelaySettings settings;
  private final List<RelayLoop> loops;
  private final AtomicInteger next = new AtomicInteger();
  private final ExecutorService resolvers;
  private volatile OwnListeners ownListeners = OwnListeners.NONE;
  private volatile NameService names = NameService.SYSTEM;

  /** Makes and starts the threads. */
  public Relay(RelaySettings settings) {
    this.settings = settings;
    int threads =
        settings.threads() > 0
            ? settings.threads()
            : Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    loops = IntStream.range(0, threads).mapToObj(i -> new RelayLoop("rmigate-relay-" + i)).toList();
    loops.forEach(RelayLoop::start);
    AtomicInteger number = new AtomicInteger();
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            RESOLVER_THREADS,
            RESOLVER_THREADS,
            30,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(RESOLVER_QUEUE),
            task -> {
              Thread thread = new Thread(task, "rmigate-resolver-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    pool.allowCoreThreadTimeOut(true);
    resolvers = pool;
  }

  /** A loop for a new session: all streams of a session share one. */
  public RelayLoop assignLoop() {
    return loops.get(Math.floorMod(next.getAndIncrement(), loops.size()));
  }

  /** The loop on which everything of {@code key} happens; equal keys share one. */
  RelayLoop loopFor(Object key) {
    return loops.get(Math.floorMod(key.hashCode(), loops.size()));
  }

  List<RelayLoop> loops() {
    return loops;
  }

  /** How to treat servers. */
  public RelaySettings settings() {
    return settings;
  }

  /** What the gateway itself listens at, for servers that stubs name. */
  OwnListeners ownListeners() {
    return ownListeners;
  }

  /** From here on connections to these are made known to them. Before the first connection. */
  public void ownListeners(OwnListeners listeners) {
    ownListeners = listeners;
  }

  /** Who is asked where targets are. */
  NameService names() {
    return names;
  }

  /** From here on another one is asked. Before the first connection. */
  public void names(NameService service) {
    names = service;
  }

  /** Runs name look-ups. */
  public ExecutorService resolvers() {
    return resolvers;
  }

  /** Closes all connections and ends the threads. */
  @Override
  public void close() {
    loops.forEach(RelayLoop::close);
    resolvers.shutdownNow();
  }
}
