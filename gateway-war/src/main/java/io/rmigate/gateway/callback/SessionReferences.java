package io.rmigate.gateway.callback;

import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Shares;
import io.rmigate.protocol.AddressOwner;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.jrmp.message.LeaseReturn;
import io.rmigate.protocol.tunnel.Hold;
import io.rmigate.protocol.tunnel.ObjectList;
import io.rmigate.protocol.tunnel.Release;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The references of inner JVMs to one agent's objects: answers their calls of the collector, and
 * tells the agent what is held and what is not any more.
 *
 * <p>Leases go by a clock of their own, which stands while the link is full: inner JVMs are not
 * read then, so that renewals of theirs may lie unread, and nothing is to be released for that.
 *
 * <p>Threads: the session's loop, and the timer of sessions. Guarded by the session's lock.
 */
final class SessionReferences {
  /** Objects and inner JVMs that hold them, in pairs, over all listeners. */
  static final Quota PAIRS = Quota.threeQuarters(100_000);

  /** A lease that is over when it comes. */
  private static final Duration MOMENT = Duration.ofMillis(1);

  private final SessionCallbacks session;
  private final Callbacks all;
  private final CallbackLink link;
  private final ReentrantLock lock;

  /** By the host that has named them. */
  private final Shares<AddressOwner> pairs = new Shares<>();

  /** Whether releases wait for room on the link, which will be signalled. */
  private boolean releasesWait;

  /** For how long the clock of leases has stood so far. */
  private long stoodNanos;

  private long tickedNanos = System.nanoTime();
  private boolean linkWasFull;

  /**
   * @param lock of the session
   */
  SessionReferences(SessionCallbacks session, ReentrantLock lock) {
    this.session = session;
    this.all = session.all();
    this.link = session.link();
    this.lock = lock;
  }

  /** A table for a new listener. */
  InnerLeases newLeases() {
    return new InnerLeases(pairs, PAIRS);
  }

  /**
   * The Return of a call of the collector from a host; empty when the call is to fail. What the
   * agent has to know of it is queued before, and so before anything that this JVM says next.
   */
  Optional<byte[]> answer(CallbackListener listener, InetAddress host, DgcCall call) {
    if (call instanceof DgcCall.Dirty dirty) {
      return dirty(listener, host, dirty);
    }
    DgcCall.Clean clean = (DgcCall.Clean) call;
    lock.lock();
    try {
      if (session.listeners().has(listener)) {
        released(
            listener,
            listener.leases.clean(
                clean.client(),
                host,
                clean.sequence(),
                clean.objects(),
                clean.strong(),
                leaseNanos() + lease().toNanos()));
      }
    } finally {
      lock.unlock();
    }
    return Optional.of(LeaseReturn.encodeNothing());
  }

  /**
   * A JVM that renews what nothing is known of, since it has taken it in a session before this one,
   * is made to say what that is: it gets a lease that is over at once, and its next renewal fails,
   * upon which JDKs name all that they hold.
   */
  private Optional<byte[]> dirty(CallbackListener listener, InetAddress host, DgcCall.Dirty dirty) {
    VmIdentifier client = dirty.client().orElseGet(all::newVmId);
    Duration lease = lease();
    lock.lock();
    try {
      if (session.listeners().has(listener)) {
        long expires = leaseNanos() + lease.toNanos();
        InnerLeases.Answer answer =
            listener.leases.dirty(client, host, dirty.sequence(), dirty.objects(), expires);
        switch (answer.standing()) {
          case FULL -> {
            AddressOwner sharer = AddressOwner.of(host);
            all.tooMuch(
                session,
                "references",
                pairs.taken() + " held, " + pairs.of(sharer) + " of them",
                sharer);
            return Optional.empty();
          }
          case UNKNOWN -> {
            return Optional.of(LeaseReturn.encode(client, MOMENT.toMillis()));
          }
          case STILL_UNKNOWN -> {
            return Optional.empty();
          }
          case GRANTED -> hold(listener, answer.first());
        }
      }
    } finally {
      lock.unlock();
    }
    return Optional.of(LeaseReturn.encode(client, lease.toMillis()));
  }

  private Duration lease() {
    return all.settings().map(CallbackSettings::lease).orElse(CallbackSettings.LEASE);
  }

  /** The clock of leases. Under the lock. */
  private long leaseNanos() {
    return System.nanoTime() - stoodNanos;
  }

  private void hold(CallbackListener listener, List<ObjIdentifier> first) {
    List<ObjIdentifier> taken = new ArrayList<>(first);
    all.meters().callbackObjects(taken.size());
    taken.removeIf(listener.releases::remove); // the agent has not let go of them yet
    for (int from = 0; from < taken.size(); from += ObjectList.MAX_OBJECTS) {
      int to = Math.min(from + ObjectList.MAX_OBJECTS, taken.size());
      link.add(new Hold(listener.number(), taken.subList(from, to)));
    }
  }

  /** No inner JVM holds these objects any more. Under the lock. */
  private void released(CallbackListener listener, List<ObjIdentifier> objects) {
    all.meters().callbackObjects(-objects.size());
    listener.releases.addAll(objects);
    sayReleases(listener);
  }

  /** As far as there is room; nothing hangs on it. */
  private void sayReleases(CallbackListener listener) {
    while (!listener.releases.isEmpty() && hasRoomForReleases()) {
      List<ObjIdentifier> some = new ArrayList<>();
      Iterator<ObjIdentifier> next = listener.releases.iterator();
      while (next.hasNext() && some.size() < ObjectList.MAX_OBJECTS) {
        some.add(next.next());
        next.remove();
      }
      link.add(new Release(listener.number(), some));
    }
    link.flush();
  }

  private boolean hasRoomForReleases() {
    if (releasesWait) {
      return false;
    }
    releasesWait = !link.hasRoom(CallbackLink.NO_BATCH, this::sayWaitingReleases);
    return !releasesWait;
  }

  private void sayWaitingReleases() {
    lock.lock();
    try {
      releasesWait = false;
      session.listeners().open().forEach(this::sayReleases);
    } finally {
      lock.unlock();
    }
    link.send();
  }

  /** Ends leases that are over. On the timer. */
  void tick(long now) {
    lock.lock();
    try {
      boolean full = link.isFull();
      if (full || linkWasFull) {
        stoodNanos += now - tickedNanos;
      }
      tickedNanos = now;
      linkWasFull = full;
      for (CallbackListener listener : session.listeners().open()) {
        List<ObjIdentifier> expired = listener.leases.expire(now - stoodNanos);
        if (!expired.isEmpty()) {
          released(listener, expired);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** The agent has given a listener back, and with it what is held there. Under the lock. */
  void forget(CallbackListener listener) {
    assert lock.isHeldByCurrentThread();
    all.meters().callbackObjects(-listener.leases.held());
    listener.leases.clear();
    listener.releases.clear();
  }
}
