package io.rmigate.gateway.callback;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The addresses of the names among {@link InnerPeers}, looked up every half a minute, and soon
 * after they have changed. A name that cannot be looked up keeps what it stood for. Thread-safe;
 * does not block.
 */
final class PeerNames {
  private static final Logger LOG = LoggerFactory.getLogger(PeerNames.class);
  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Supplier<Optional<CallbackSettings>> settings;
  private final BackgroundTask resolving;
  private final Map<String, Set<InetAddress>> resolved = new ConcurrentHashMap<>();
  private volatile Set<String> resolvedNames = Set.of();
  private volatile long resolvedNanos;

  /**
   * @param blocking runs what blocks
   */
  PeerNames(Supplier<Optional<CallbackSettings>> settings, Executor blocking) {
    this.settings = settings;
    this.resolving = new BackgroundTask(blocking, this::resolve);
  }

  /** Whether an inner host may connect. */
  boolean admits(InetAddress peer) {
    return settings
        .get()
        .map(now -> now.from().admits(peer, name -> resolved.getOrDefault(name, Set.of())))
        .orElse(false);
  }

  /** Looks names up if it is time. */
  void tick(long now) {
    Set<String> names = names();
    if (!names.isEmpty()
        && (!names.equals(resolvedNames) || now - resolvedNanos > AGAIN_NANOS)
        && resolving.begin()) {
      resolvedNanos = now;
    }
  }

  private Set<String> names() {
    return settings.get().map(now -> now.from().names()).orElse(Set.of());
  }

  private void resolve() {
    Set<String> names = names();
    for (String name : names) {
      try {
        resolved.put(name, Set.of(InetAddress.getAllByName(name)));
      } catch (UnknownHostException unknown) {
        LOG.warn("{} of callbacks.from is unknown: it may not connect by that name", name);
      }
    }
    resolved.keySet().retainAll(names);
    resolvedNames = names;
  }
}
