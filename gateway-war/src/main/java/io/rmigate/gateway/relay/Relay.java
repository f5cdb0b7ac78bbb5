package io.rmigate.gateway.relay;

import io.rmigate.gateway.log.RareLines;
import io.rmigate.gateway.relay.address.LocalAddresses;
import io.rmigate.gateway.relay.address.NameLookups;
import io.rmigate.gateway.relay.address.NameService;
import io.rmigate.gateway.relay.address.OwnListeners;
import java.io.Closeable;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** The relay's threads: selector loops, and those for the blocking look-up of inside names. */
public final class Relay implements Closeable {
  /** The holder of lookups for names of the configuration, and for the gateway's own work. */
  private static final Object GATEWAY = "the gateway itself";

  private final RelaySettings settings;
  private final List<RelayLoop> loops;
  private final AtomicInteger next = new AtomicInteger();
  private final NameLookups lookups = new NameLookups();
  private final RareLines lines = new RareLines();
  private final LocalAddresses localAddresses = new LocalAddresses();
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
  }

  /** A loop for a new session: all streams of a session share one. */
  public RelayLoop assignLoop() {
    return loops.get(Math.floorMod(next.getAndIncrement(), loops.size()));
  }

  /** The loop on which everything of {@code key} happens; equal keys share one. */
  public RelayLoop loopFor(Object key) {
    return loops.get(Math.floorMod(key.hashCode(), loops.size()));
  }

  public List<RelayLoop> loops() {
    return loops;
  }

  /** How to treat servers. */
  public RelaySettings settings() {
    return settings;
  }

  /** The listeners of this gateway itself, which stubs name like servers. */
  public OwnListeners ownListeners() {
    return ownListeners;
  }

  /** From here on connections to these are made known to them. Before the first connection. */
  public void ownListeners(OwnListeners listeners) {
    ownListeners = listeners;
  }

  /** The name service for targets. */
  public NameService names() {
    return names;
  }

  /** From here on another one is asked. Before the first connection. */
  public void names(NameService service) {
    names = service;
  }

  /** The addresses of this machine that targets have resolved to. */
  public LocalAddresses localAddresses() {
    return localAddresses;
  }

  /** About targets. */
  RareLines lines() {
    return lines;
  }

  /** Runs name look-ups, in fair shares. */
  public NameLookups lookups() {
    return lookups;
  }

  /** Runs what blocks of the gateway's own, such as look-ups of names in its configuration. */
  public Executor resolvers() {
    return task -> lookups.execute(GATEWAY, task);
  }

  /** Closes all connections and ends the threads. */
  @Override
  public void close() {
    loops.forEach(RelayLoop::close);
    lookups.close();
  }
}
