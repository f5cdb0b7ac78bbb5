package io.rmigate.gateway.config;

import io.rmigate.gateway.audit.AuditSettings;
import io.rmigate.gateway.problem.ConfigException;
import io.rmigate.gateway.tls.TlsSettings;
import io.rmigate.protocol.FileModes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the configuration in force and reads it anew when its file, or a file it refers to (users,
 * keys, certificates), has changed. Compares times and sizes by polling: that sees the atomic
 * replacements and symbolic links of configuration maps, which file events miss. A file that two
 * polls find different is being written, and left for the next one.
 *
 * <p>A reload is all or nothing: every {@link Listener} prepares first, and only when none objects
 * do all of them switch. What is broken is refused with its errors in the log, and what was in
 * force stays in force.
 *
 * <p>Thread-safe. Listeners are called by the thread of the watcher, or by the caller of {@link
 * #reloadIfChanged}.
 */
public final class ConfigWatcher implements AutoCloseable {
  /** Something that rewrites one file again and again must not keep all changes out. */
  static final int MOST_UNSETTLED_LOOKS = 10;

  private static final Logger log = LoggerFactory.getLogger(ConfigWatcher.class);
  private static final Duration POLL = Duration.ofSeconds(2);

  /** Takes part in a reload. */
  @FunctionalInterface
  public interface Listener {
    /**
     * Builds the parts that depend on the configuration, without using them yet.
     *
     * @return switches over; must not fail
     * @throws ConfigException this configuration cannot be used
     */
    Runnable prepare(GatewayConfig next) throws ConfigException;
  }

  /** Time and size of a file; empty when it is not there. */
  private record Stamp(long modifiedMillis, long size) {
    static Optional<Stamp> of(Path file) {
      try {
        BasicFileAttributes a = Files.readAttributes(file, BasicFileAttributes.class);
        return Optional.of(new Stamp(a.lastModifiedTime().toMillis(), a.size()));
      } catch (IOException e) {
        return Optional.empty(); // being replaced: another look follows
      }
    }
  }

  private final Map<String, String> environment;
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();

  /** One reload at a time; held while listeners prepare, which read files. */
  private final ReentrantLock reloading = new ReentrantLock();

  private final ScheduledExecutorService scheduler =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "rmigate-config-watcher");
            thread.setDaemon(true);
            return thread;
          });

  private volatile GatewayConfig current;
  private volatile Runnable refused = () -> {};

  /** Whether the files hold a change that is not in force, because it cannot be used. */
  private volatile boolean changeRefused;

  /** Null until {@link #start}. */
  private volatile ScheduledFuture<?> polling;

  private Map<Path, Optional<Stamp>> seen; // guarded by reloading

  /** Stamps of the last poll; guarded by {@code reloading}. */
  private Map<Path, Optional<Stamp>> lastLook = Map.of();

  /** How many looks have found something else than the one before, one after the other. */
  private int unsettledLooks;

  /**
   * Starts with what has been read already.
   *
   * @param environment the same overrides again at each reload
   */
  public ConfigWatcher(GatewayConfig initial, Map<String, String> environment) {
    this.current = initial;
    this.environment = Map.copyOf(environment);
    this.seen = stamps(initial);
    warnOfOpenFiles(initial);
  }

  /** The configuration in force. */
  public GatewayConfig current() {
    return current;
  }

  /** Whether the latest change was refused, so that a start would be. From any thread. */
  public boolean isChangeRefused() {
    return changeRefused;
  }

  /** Adds a listener; it is not called for the configuration in force now. */
  public void addListener(Listener listener) {
    listeners.add(listener);
  }

  /**
   * A value that follows the configuration.
   *
   * @param source makes the value, now and at each reload
   * @throws ConfigException the configuration in force cannot be used
   */
  public <T> Live<T> live(Live.Source<T> source) throws ConfigException {
    Live<T> live = new Live<>(source.make(current));
    addListener(
        next -> {
          T made = source.make(next);
          return () -> live.replace(made);
        });
    return live;
  }

  /** Adds a listener that has nothing to prepare and no reason to object. */
  public void onChange(Consumer<GatewayConfig> change) {
    addListener(next -> () -> change.accept(next));
  }

  /** Sets what is to be run when a changed configuration is refused. */
  public void onRefusal(Runnable action) {
    refused = action;
  }

  /** Begins to poll, on a daemon thread. */
  public void start() {
    polling =
        scheduler.scheduleWithFixedDelay(
            this::pollQuietly, POLL.toMillis(), POLL.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** One look; reloads if files have changed, and not since the look before. */
  void poll() {
    if (standsStill()) {
      unsettledLooks = 0;
      reloadIfChanged();
    } else if (++unsettledLooks == MOST_UNSETTLED_LOOKS) {
      log.warn("files of the configuration change all the time; they are taken as they are now");
      unsettledLooks = 0;
      reloadIfChanged();
    }
  }

  private void pollQuietly() {
    try {
      poll();
    } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
      // An exception would end the polling for good.
      log.error("reload of the configuration failed; the previous one stays in force", e);
    }
  }

  /**
   * Whether all files are as the last look has found them. What is being written in place, as
   * editors do, is shorter for a while, and may be correct: a file of users that has fewer of them.
   */
  private boolean standsStill() {
    reloading.lock();
    try {
      Map<Path, Optional<Stamp>> before = lastLook;
      lastLook = stamps(current);
      return lastLook.equals(before);
    } finally {
      reloading.unlock();
    }
  }

  /**
   * Looks now and reloads if a file has changed. Blocks for the reading.
   *
   * @return whether another configuration is in force
   */
  public boolean reloadIfChanged() {
    reloading.lock();
    try {
      Map<Path, Optional<Stamp>> now = stamps(current);
      if (now.equals(seen)) {
        return false;
      }
      // Remembered before the reading: what changes meanwhile is seen by the next look.
      seen = now;
      return reload();
    } finally {
      reloading.unlock();
    }
  }

  private boolean reload() {
    boolean taken = false;
    try {
      GatewayConfig next =
          current.source().isPresent()
              ? GatewayConfig.load(current.source().get(), environment)
              : current;
      // Taken before anything is read: what changes while it is counts as changed the next time.
      Map<Path, Optional<Stamp>> stamps = stamps(next);
      List<Runnable> switches = new ArrayList<>();
      for (Listener listener : listeners) {
        switches.add(listener.prepare(next));
      }
      switches.forEach(Runnable::run);
      GatewayConfig before = current;
      current = next;
      Set<Path> referred = Set.copyOf(stamps.keySet());
      stamps.putAll(seen);
      stamps.keySet().retainAll(referred);
      seen = stamps;
      taken = true;
      log.info("configuration reloaded");
      warnOfOpenFiles(next);
      restartNeeded(before, next)
          .forEach(key -> log.warn("{} has changed; that takes effect at the next start", key));
      return true;
    } catch (ConfigException e) {
      log.error(
          "the changed configuration is refused, the previous one stays in force:\n{}",
          e.getMessage());
      refused.run();
      return false;
    } finally {
      changeRefused = !taken; // after an unexpected exception, too
    }
  }

  private static void warnOfOpenFiles(GatewayConfig config) {
    config
        .secretFiles()
        .forEach(
            (key, file) ->
                FileModes.openToOthers(file)
                    .ifPresent(
                        mode ->
                            log.warn(
                                "{} ({}) is open to other users of this machine: {}; make it"
                                    + " readable for the gateway's user alone (chmod 600)",
                                file,
                                key,
                                mode)));
  }

  /** The keys that differ and cannot be changed while running. */
  static List<String> restartNeeded(GatewayConfig before, GatewayConfig after) {
    Map<String, Boolean> changed = new LinkedHashMap<>();
    changed.put("listen", !before.server().listen().equals(after.server().listen()));
    changed.put("path", !before.server().path().equals(after.server().path()));
    changed.put("insecure", before.server().insecure() != after.server().insecure());
    changed.put("state", !before.operation().state().equals(after.operation().state()));
    changed.put(
        "tls",
        before.server().tls().isPresent() != after.server().tls().isPresent()
            || !before
                .server()
                .tls()
                .map(TlsSettings::clientAuth)
                .equals(after.server().tls().map(TlsSettings::clientAuth)));
    changed.put(
        "admin.listen", !before.server().adminListen().equals(after.server().adminListen()));
    changed.put("post", !before.tunnel().post().equals(after.tunnel().post()));
    changed.put(
        "legacy",
        before.tunnel().legacy().enabled() != after.tunnel().legacy().enabled()
            || !before.tunnel().legacy().listen().equals(after.tunnel().legacy().listen()));
    changed.put(
        "audit",
        !before
                .operation()
                .audit()
                .map(AuditSettings::path)
                .equals(after.operation().audit().map(AuditSettings::path))
            || !before
                .operation()
                .audit()
                .map(AuditSettings::chain)
                .equals(after.operation().audit().map(AuditSettings::chain)));
    changed.put("leases", !before.inside().leases().equals(after.inside().leases()));
    changed.put(
        "relay.threads", before.inside().relay().threads() != after.inside().relay().threads());
    return changed.entrySet().stream().filter(Map.Entry::getValue).map(Map.Entry::getKey).toList();
  }

  private static Map<Path, Optional<Stamp>> stamps(GatewayConfig config) {
    Map<Path, Optional<Stamp>> stamps = new LinkedHashMap<>();
    Stream.concat(config.source().stream(), config.referredFiles())
        .forEach(file -> stamps.put(file, Stamp.of(file)));
    return stamps;
  }

  /** Ends the polling. */
  @Override
  public void close() {
    if (polling != null) {
      polling.cancel(false);
    }
    scheduler.shutdown();
  }
}
