package io.rmigate.client.callback;

import io.rmigate.client.jvm.Daemons;
import io.rmigate.client.jvm.NoThreadException;
import io.rmigate.client.link.Link;
import io.rmigate.client.link.LinkSource;
import io.rmigate.protocol.tunnel.Feature;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The hosts by which inner JVMs find the gateway, and, with {@link
 * io.rmigate.client.config.CallbacksHostname#JVM}, the one that stubs of exported objects name: the
 * system property {@code java.rmi.server.hostname}, which the RMI runtime reads again at each
 * export. It must be set before the first export (JRMP.md 2.6), so that a link may have to be
 * opened first. What the application has set itself is left alone.
 *
 * <p>Thread-safe. {@code lock} guards what was set; nothing waits under it.
 */
public final class ExportHost {
  /** Read by the RMI runtime. */
  static final String PROPERTY = "java.rmi.server.hostname";

  /** Gateways have one name each, and few follow one another. */
  private static final int MAX_NAMES = 64;

  private final CallbackSettings settings;
  private final LinkSource links;
  private final Duration patience;
  private final CountDownLatch settled = new CountDownLatch(1);
  private final Set<String> names = ConcurrentHashMap.newKeySet();

  /** Inner host of the latest gateway that listened for this JVM and has one; null before. */
  private volatile String latest;

  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock.
  private boolean settling;

  /** The value that the agent has given the property; null while it has given none. */
  private String ours;

  private boolean saidWhoseItIs;

  ExportHost(CallbackSettings settings, LinkSource links, Duration patience) {
    this.settings = settings;
    this.links = links;
    this.patience = patience;
  }

  /**
   * Sees to the property, before the first export. Opens a link for that if need be, on a thread of
   * its own: the calling thread may be in the middle of loading a class. Waits for it within
   * bounds; a link that comes later still counts for what is exported then.
   */
  public void settle() {
    if (settings.rewritesReferences()
        || settings.ports().isEmpty()
        || System.getProperty(PROPERTY) != null) {
      return;
    }
    if (settings.host().isPresent()) {
      set(settings.host().get());
      return;
    }
    boolean first;
    lock.lock();
    try {
      first = !settling;
      settling = true;
    } finally {
      lock.unlock();
    }
    if (first) {
      try {
        Daemons.start("rmigate-export-host", this::ask);
      } catch (NoThreadException none) {
        lock.lock();
        try {
          settling = false; // the next export asks again
        } finally {
          lock.unlock();
        }
        log(
            System.Logger.Level.WARNING,
            "stubs of objects that are exported now do not name the rmigate gateway: "
                + none.getMessage());
        return;
      }
    }
    awaitSettled();
  }

  private void awaitSettled() {
    long deadline = System.nanoTime() + patience.toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          settled.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
          return;
        } catch (InterruptedException notNow) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void ask() {
    try {
      Link link = links.link();
      if (link.takes(Feature.CALLBACKS)) {
        onExport(link);
      }
    } catch (IOException noLink) {
      log(
          System.Logger.Level.WARNING,
          "stubs of objects that are exported now do not name the rmigate gateway, as there is no"
              + " link to it: "
              + noLink.getMessage()
              + "; callback-host in the configuration of rmigate says what they are to name");
    } finally {
      settled.countDown();
    }
  }

  /** Something is going to be exported to this link's gateway. */
  void onExport(Link link) {
    Optional<String> wanted = settings.host().or(link::innerHost);
    if (System.getProperty(PROPERTY) == null) {
      wanted.ifPresent(this::set);
    }
  }

  /** This link's gateway listens for a port of ours, and stubs that name it mean that port. */
  void onHeard(Link link) {
    Optional<String> named = link.innerHost();
    named.ifPresent(this::know);
    latest = named.or(() -> Optional.ofNullable(latest)).orElse(null);
  }

  /** The host that references name when they cross the tunnel now; empty while it is unknown. */
  Optional<String> named() {
    Optional<String> named = settings.host().or(() -> Optional.ofNullable(latest));
    named.ifPresent(this::know);
    return named;
  }

  /** This link's gateway listens for us: stubs should name it. */
  void onListening(Link link) {
    String named = System.getProperty(PROPERTY);
    link.innerHost().ifPresent(this::know);
    if (named == null) {
      log(
          System.Logger.Level.WARNING,
          "stubs of exported objects do not name the rmigate gateway, which does not say what it is"
              + " called inside (callbacks.host in its configuration); set callback-host in the"
              + " configuration of rmigate here");
      return;
    }
    know(named);
    if (!isOneWeSet(named) && !link.innerHost().map(named::equalsIgnoreCase).orElse(true)) {
      log(
          System.Logger.Level.WARNING,
          "stubs of exported objects name "
              + named
              + ", as java.rmi.server.hostname says; inner JVMs must find the rmigate gateway by"
              + " that name, which calls itself "
              + link.innerHost().get());
    }
  }

  /** Whether the property is as we have set it; true too when that has been said already. */
  private boolean isOneWeSet(String named) {
    lock.lock();
    try {
      boolean known = named.equals(ours) || saidWhoseItIs;
      saidWhoseItIs |= !known;
      return known;
    } finally {
      lock.unlock();
    }
  }

  /**
   * A session has begun, perhaps at another gateway: what is exported from now on is to name it.
   */
  void onLinked(Link link) {
    if (settings.rewritesReferences()
        || settings.host().isPresent()
        || !link.takes(Feature.CALLBACKS)) {
      return;
    }
    String inner = link.innerHost().orElse(null);
    String before;
    lock.lock();
    try {
      before = ours;
      if (inner == null
          || before == null
          || before.equalsIgnoreCase(inner)
          || !before.equals(System.getProperty(PROPERTY))) {
        return;
      }
      ours = inner;
      System.setProperty(PROPERTY, inner);
    } finally {
      lock.unlock();
    }
    know(inner);
    log(
        System.Logger.Level.WARNING,
        "the rmigate gateway is called "
            + inner
            + " inside now: objects exported before are named "
            + before
            + " by their stubs, and are reached only if that leads there");
  }

  private void set(String host) {
    lock.lock();
    try {
      if (System.getProperty(PROPERTY) == null) {
        ours = host;
        System.setProperty(PROPERTY, host);
      }
    } finally {
      lock.unlock();
    }
    know(host);
  }

  private void know(String host) {
    if (names.size() < MAX_NAMES) {
      names.add(host.toLowerCase(Locale.ROOT));
    }
  }

  /** Whether stubs of this JVM name, or have named, that host as the gateway. */
  boolean isOurs(String host) {
    return names.contains(host.toLowerCase(Locale.ROOT));
  }

  private static void log(System.Logger.Level level, String message) {
    System.getLogger(ExportHost.class.getName()).log(level, message);
  }
}
