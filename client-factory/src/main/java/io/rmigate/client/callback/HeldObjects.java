package io.rmigate.client.callback;

import io.rmigate.client.link.Link;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.tunnel.ObjectList;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The objects exported at one listener that inner JVMs hold, and on which the agent therefore has a
 * lease of the collector there, under a VMID of its own (JRMP.md 5.4). Renewed at a third of the
 * grant, each time with all that is held: so a lease that has run out while the machine slept is
 * taken anew.
 *
 * <p>What a session held whose end has come is held for one lease more: inner JVMs that renew at
 * the next gateway find it still there.
 *
 * <p>Thread-safe, blocks nowhere. {@code lock} guards everything; calls are queued under it, so
 * that their sequence numbers have their order.
 */
final class HeldObjects {
  /** The lease that the RMI runtime grants unless it is told otherwise. */
  private static final long DEFAULT_LEASE_MILLIS = Duration.ofMinutes(10).toMillis();

  /** A JVM that takes longer to answer itself is not waited for. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final Duration RETRY = Duration.ofSeconds(1);

  /** More objects than an honest gateway names. */
  private static final int MAX_OBJECTS = 256 * 1024;

  private final ExportSite site;
  private final VmIdentifier client;
  private final AtomicLong sequence;
  private final ScheduledExecutorService timer;
  private final Duration patience;

  private final ReentrantLock lock = new ReentrantLock();

  /** Links whose sessions hold each object. */
  private final Map<ObjIdentifier, Set<Link>> held = new HashMap<>();

  private ScheduledFuture<?> renewal;
  private long leaseMillis = Long.getLong("java.rmi.dgc.leaseValue", DEFAULT_LEASE_MILLIS);

  /** Whether a dirty has failed with an unknown outcome: cleans must outlast it. */
  private boolean inDoubt;

  private boolean closed;

  /** Whether there has been a dirty without an answer in time, and none with one since. */
  private boolean stuck;

  /**
   * @param client under which the agent holds objects of this JVM
   * @param sequence of that client
   */
  HeldObjects(
      ExportSite site, VmIdentifier client, AtomicLong sequence, ScheduledExecutorService timer) {
    this(site, client, sequence, timer, PATIENCE);
  }

  /**
   * Held objects of one client.
   *
   * @param patience for the answer to a dirty
   */
  HeldObjects(
      ExportSite site,
      VmIdentifier client,
      AtomicLong sequence,
      ScheduledExecutorService timer,
      Duration patience) {
    this.patience = patience;
    this.site = site;
    this.client = client;
    this.sequence = sequence;
    this.timer = timer;
  }

  /**
   * Inner JVMs hold these from now on. A JVM that does not answer is waited for once: until it does
   * again, others are not held up for its sake.
   *
   * @param carriedOut run once, when the lease is held or cannot be had now
   */
  void hold(Link session, List<ObjIdentifier> objects, Runnable carriedOut) {
    boolean taken;
    boolean waits;
    lock.lock();
    try {
      waits = !stuck;
      taken = !closed && held.size() + objects.size() <= MAX_OBJECTS;
      if (taken) {
        objects.forEach(id -> held.computeIfAbsent(id, none -> new HashSet<>(2)).add(session));
        dirty(objects, waits ? once(carriedOut) : () -> {});
        scheduleRenewal(leaseMillis / 3);
      }
    } finally {
      lock.unlock();
    }
    if (!taken || !waits) {
      carriedOut.run();
    }
  }

  /** No inner JVM that this session's gateway knows of holds these any more. */
  void release(Link session, List<ObjIdentifier> objects) {
    lock.lock();
    try {
      List<ObjIdentifier> free = new ArrayList<>();
      for (ObjIdentifier id : objects) {
        Set<Link> holders = held.get(id);
        if (holders != null && holders.remove(session) && holders.isEmpty()) {
          held.remove(id);
          free.add(id);
        }
      }
      clean(free);
    } finally {
      lock.unlock();
    }
  }

  /** A session has ended: what it held is released when a lease has gone by. */
  void onSessionEnded(Link session) {
    lock.lock();
    try {
      if (held.values().stream().anyMatch(holders -> holders.contains(session))) {
        ScheduledFuture<?> unused = schedule(() -> releaseAll(session), leaseMillis);
      }
    } finally {
      lock.unlock();
    }
  }

  private void releaseAll(Link session) {
    lock.lock();
    try {
      release(session, List.copyOf(held.keySet()));
    } finally {
      lock.unlock();
    }
  }

  /** Releases all held objects; no object is held afterwards. */
  void releaseAll() {
    lock.lock();
    try {
      List<ObjIdentifier> all = List.copyOf(held.keySet());
      held.clear();
      for (int from = 0; from < all.size(); from += ObjectList.MAX_OBJECTS) {
        clean(all.subList(from, Math.min(all.size(), from + ObjectList.MAX_OBJECTS)));
      }
      closed = true;
    } finally {
      lock.unlock();
    }
  }

  /** Stops holding objects, because none is exported at this port any more. */
  void close() {
    lock.lock();
    try {
      closed = true;
      held.clear();
      if (renewal != null) {
        renewal.cancel(false);
      }
    } finally {
      lock.unlock();
    }
    site.endCollecting();
  }

  /** How many objects are held. */
  int size() {
    lock.lock();
    try {
      return held.size();
    } finally {
      lock.unlock();
    }
  }

  private Runnable once(Runnable carriedOut) {
    AtomicBoolean done = new AtomicBoolean();
    Runnable first =
        () -> {
          if (done.compareAndSet(false, true)) {
            carriedOut.run();
          }
        };
    ScheduledFuture<?> tooLate =
        schedule(
            () -> {
              setStuck(true);
              first.run();
            },
            patience.toMillis());
    return () -> {
      if (tooLate != null) {
        tooLate.cancel(false);
      }
      first.run();
    };
  }

  private void setStuck(boolean now) {
    lock.lock();
    try {
      stuck = now;
    } finally {
      lock.unlock();
    }
  }

  private void dirty(List<ObjIdentifier> objects, Runnable settled) {
    DgcCall call =
        new DgcCall.Dirty(
            objects, sequence.incrementAndGet(), Optional.of(client), DEFAULT_LEASE_MILLIS);
    site.collect(
        new CollectorCall(
            call,
            (answered, granted) -> {
              onDirty(answered, granted);
              settled.run();
            }));
  }

  private void onDirty(boolean answered, OptionalLong granted) {
    lock.lock();
    try {
      stuck &= !answered;
      if (!answered) {
        inDoubt = true;
        scheduleRenewal(RETRY.toMillis());
      } else if (granted.isPresent() && granted.getAsLong() > 0) {
        leaseMillis = granted.getAsLong();
        scheduleRenewal(leaseMillis / 3);
      }
    } finally {
      lock.unlock();
    }
  }

  private void clean(List<ObjIdentifier> objects) {
    if (!objects.isEmpty() && !closed) {
      site.collect(
          new CollectorCall(
              new DgcCall.Clean(objects, sequence.incrementAndGet(), client, inDoubt),
              (answered, granted) -> {}));
    }
  }

  private void renew() {
    lock.lock();
    try {
      renewal = null;
      List<ObjIdentifier> all = List.copyOf(held.keySet());
      for (int from = 0; from < all.size() && !closed; from += ObjectList.MAX_OBJECTS) {
        dirty(all.subList(from, Math.min(all.size(), from + ObjectList.MAX_OBJECTS)), () -> {});
      }
    } finally {
      lock.unlock();
    }
  }

  /** Sees to it that the next renewal comes no later. */
  private void scheduleRenewal(long afterMillis) {
    if (closed || held.isEmpty()) {
      return;
    }
    if (renewal != null && renewal.getDelay(TimeUnit.MILLISECONDS) <= afterMillis) {
      return;
    }
    if (renewal != null) {
      renewal.cancel(false);
    }
    renewal = schedule(this::renew, Math.max(1, afterMillis));
  }

  /** Null when rmigate is closed. */
  private ScheduledFuture<?> schedule(Runnable task, long afterMillis) {
    try {
      return timer.schedule(task, afterMillis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException over) {
      return null;
    }
  }
}
