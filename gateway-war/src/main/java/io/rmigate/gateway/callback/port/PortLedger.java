package io.rmigate.gateway.callback.port;

import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Shares;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The owners of ports. A freed port stays with its owner for the quarantine, because inner JVMs
 * still have stubs that name it, and the objects of registry and garbage collector exist in every
 * JVM (JRMP.md 2.7). Within that time only its owner may take it, and only by its number.
 *
 * <p>An owner is a principal. It is not proven that the session that asks again belongs to the same
 * JVM, only that it has the same principal: JVMs of one principal are not protected from each
 * other.
 *
 * <p>Thread-safe.
 */
public final class PortLedger {

  /** Answer to a claim. */
  public enum Answer {
    GRANTED,
    /** The port has another owner, or is in use. */
    TAKEN,
    /** The owner has too many. */
    TOO_MANY
  }

  /**
   * Result of a search.
   *
   * @param port 0 unless granted, and when nothing was claimed yet
   */
  public record Claim(Answer answer, int port) {}

  private static final class Entry {
    final int port;
    final String owner;
    boolean live = true;

    /** End of the quarantine; counts only when the port is not live. */
    long freeNanos;

    Entry(int port, String owner) {
      this.port = port;
      this.owner = owner;
    }
  }

  private final LongSupplier clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Integer, Entry> entries = new HashMap<>();

  /** Ports of each owner. */
  private final Shares<String> counts = new Shares<>();

  /** Ports in quarantine, the next to be free first. */
  private final PriorityQueue<Entry> quarantine =
      new PriorityQueue<>((a, b) -> Long.signum(a.freeNanos - b.freeNanos));

  /** Rises with each change of {@link #owners}. */
  private long version;

  public PortLedger(LongSupplier clock) {
    this.clock = clock;
  }

  /** Takes a port by its number. */
  public Answer claim(String owner, int port, int maxPorts) {
    lock.lock();
    try {
      forgetFree();
      Entry entry = entries.get(port);
      if (entry == null) {
        if (!hasRoom(owner, maxPorts)) {
          return Answer.TOO_MANY;
        }
        put(new Entry(port, owner));
        return Answer.GRANTED;
      }
      if (entry.live || !entry.owner.equals(owner)) {
        return Answer.TAKEN;
      }
      quarantine.remove(entry);
      entry.live = true;
      return Answer.GRANTED;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes a free port of a range.
   *
   * @param from where in the range to begin
   */
  public Claim claimFree(String owner, PortRange range, int from, int maxPorts) {
    lock.lock();
    try {
      forgetFree();
      if (!hasRoom(owner, maxPorts)) {
        return new Claim(Answer.TOO_MANY, 0);
      }
      for (int i = 0; i < range.size(); i++) {
        int port = range.first() + Math.floorMod(from + i, range.size());
        if (!entries.containsKey(port)) {
          put(new Entry(port, owner));
          return new Claim(Answer.GRANTED, port);
        }
      }
      return new Claim(Answer.TAKEN, 0);
    } finally {
      lock.unlock();
    }
  }

  /** Whether an owner may take one more port, which the operating system is to choose. */
  public Claim claimNothing(String owner, int maxPorts) {
    lock.lock();
    try {
      forgetFree();
      return new Claim(hasRoom(owner, maxPorts) ? Answer.GRANTED : Answer.TOO_MANY, 0);
    } finally {
      lock.unlock();
    }
  }

  /** Takes the port that the operating system has chosen; false when the port is not free. */
  public boolean claimUnused(String owner, int port, int maxPorts) {
    lock.lock();
    try {
      forgetFree();
      boolean may = !entries.containsKey(port) && hasRoom(owner, maxPorts);
      if (may) {
        put(new Entry(port, owner));
      }
      return may;
    } finally {
      lock.unlock();
    }
  }

  private boolean hasRoom(String owner, int maxPorts) {
    return counts.permits(owner, 1, Quota.ofEach(maxPorts));
  }

  private void put(Entry entry) {
    entries.put(entry.port, entry);
    counts.takeAnyway(entry.owner, 1);
    version++;
  }

  private void remove(Entry entry) {
    entries.remove(entry.port);
    counts.release(entry.owner, 1);
    version++;
  }

  /** Whether the port has no owner and is not in quarantine. */
  boolean isFree(int port) {
    lock.lock();
    try {
      forgetFree();
      return !entries.containsKey(port);
    } finally {
      lock.unlock();
    }
  }

  /** Whether the port is in quarantine for that owner. */
  public boolean isQuarantinedFor(String owner, int port) {
    lock.lock();
    try {
      forgetFree();
      Entry entry = entries.get(port);
      return entry != null && !entry.live && entry.owner.equals(owner);
    } finally {
      lock.unlock();
    }
  }

  /** The port is not used any more. */
  public void free(int port, long quarantineNanos) {
    lock.lock();
    try {
      Entry entry = entries.get(port);
      if (entry != null && entry.live) {
        toQuarantine(entry, quarantineNanos);
      }
    } finally {
      lock.unlock();
    }
  }

  private void toQuarantine(Entry entry, long quarantineNanos) {
    entry.live = false;
    entry.freeNanos = clock.getAsLong() + quarantineNanos;
    quarantine.add(entry);
  }

  /**
   * Undoes a claim that failed: the port is in quarantine again if it was, for as long as before.
   */
  public void giveBack(int port, boolean wasQuarantined, long quarantineNanos) {
    lock.lock();
    try {
      Entry entry = entries.get(port);
      if (wasQuarantined) {
        toQuarantine(entry, quarantineNanos);
      } else {
        remove(entry);
      }
    } finally {
      lock.unlock();
    }
  }

  private void forgetFree() {
    long now = clock.getAsLong();
    while (!quarantine.isEmpty() && quarantine.peek().freeNanos - now <= 0) {
      remove(quarantine.remove());
    }
  }

  /** Changes whenever {@link #owners} does. */
  public long version() {
    lock.lock();
    try {
      forgetFree();
      return version;
    } finally {
      lock.unlock();
    }
  }

  /** The owner of each port, live or in quarantine. */
  public Map<Integer, String> owners() {
    lock.lock();
    try {
      Map<Integer, String> owners = new TreeMap<>();
      entries.forEach((port, entry) -> owners.put(port, entry.owner));
      return owners;
    } finally {
      lock.unlock();
    }
  }

  /** Takes over the ports of an earlier gateway: all of them are in quarantine again. */
  public void inherit(Map<Integer, String> owners, long quarantineNanos) {
    lock.lock();
    try {
      owners.forEach(
          (port, owner) -> {
            Entry entry = new Entry(port, owner);
            put(entry);
            toQuarantine(entry, quarantineNanos);
          });
    } finally {
      lock.unlock();
    }
  }

  /** Ports in quarantine, for the admin view. */
  public List<Integer> quarantined() {
    lock.lock();
    try {
      forgetFree();
      return quarantine.stream().map(entry -> entry.port).sorted().toList();
    } finally {
      lock.unlock();
    }
  }
}
