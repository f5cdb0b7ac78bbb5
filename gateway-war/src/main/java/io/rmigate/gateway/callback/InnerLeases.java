package io.rmigate.gateway.callback;

import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Shares;
import io.rmigate.protocol.AddressOwner;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which inner JVMs hold which objects of one listener, by the rules of a server of the distributed
 * garbage collector (RMI specification, section 3.2; JRMP.md 5.2):
 *
 * <ul>
 *   <li>A lease is a JVM's, not an object's: any dirty renews it for all, one without objects too.
 *   <li>By object and JVM: a dirty counts if its number is greater than the last one seen, a clean
 *       if it is not smaller; a clean of what was never seen is ignored.
 *   <li>A strong clean keeps the number, so that a dirty that comes late is still ignored. Not for
 *       ever, as in the JDK, but for as long as a lease: a call that is older is no more under way,
 *       and a JVM on a troubled network would use up its host's share.
 * </ul>
 *
 * The objects of the agent are not known here: each object that a JVM names is held for it. Bounded
 * by the number of pairs, in fair {@link Shares} of the hosts that have named them: a JVM chooses
 * its own identifier, but not its address. A JVM counts as a pair too. Guarded by the session's
 * lock.
 *
 * <p>A JVM that renews what it has taken in an earlier session, or at a gateway before this one, is
 * unknown here and does not say what it holds ({@link Standing#UNKNOWN}). JDKs say it after a
 * failed renewal, if their lease is over meanwhile.
 */
public final class InnerLeases {

  /** Result of a dirty call. */
  public enum Standing {
    /** The lease is granted. */
    GRANTED,
    /** There is no room for it. */
    FULL,
    /** The call names no object, and the JVM is unknown. */
    UNKNOWN,
    /** Again, and nothing since. */
    STILL_UNKNOWN
  }

  /**
   * The result of a dirty call.
   *
   * @param first objects that no JVM has held before
   */
  public record Answer(Standing standing, List<ObjIdentifier> first) {}

  /** The lease of one JVM on one object. */
  private static final class Pair {
    long sequence;
    boolean held;
  }

  /**
   * A JVM by its VMID and its address, because any JVM could send the VMID of another one and
   * release its objects. A JVM that moves is unknown at its new address ({@link Standing#UNKNOWN}).
   */
  private record HolderName(VmIdentifier vm, InetAddress host) {
    AddressOwner sharer() {
      return AddressOwner.of(host);
    }
  }

  private static final class Holder {
    long expiresNanos;

    /** Whether the JVM has never named an object. */
    boolean unknown = true;

    final Map<ObjIdentifier, Pair> pairs = new HashMap<>();

    /**
     * Objects whose sequence numbers are remembered after a clean, and until when; about in order.
     */
    final Map<ObjIdentifier, Long> kept = new LinkedHashMap<>();

    /** The earlier, of the lease's end and that of what is kept. */
    long earliestNanos() {
      Iterator<Long> until = kept.values().iterator();
      long next = until.hasNext() ? until.next() : expiresNanos;
      return next - expiresNanos < 0 ? next : expiresNanos;
    }
  }

  /** Shares of all listeners of the session. */
  private final Shares<AddressOwner> shares;

  private final Quota quota;
  private final Map<HolderName, Holder> holders = new HashMap<>();

  /** By how many JVMs each object is held. */
  private final Map<ObjIdentifier, Integer> held = new HashMap<>();

  /** No lease is over before, nor is anything forgotten. */
  private long earliestNanos;

  /**
   * @param shares of pairs, by host
   * @param quota of all shares together
   */
  public InnerLeases(Shares<AddressOwner> shares, Quota quota) {
    this.shares = shares;
    this.quota = quota;
  }

  /**
   * A JVM takes objects, or renews its lease, which then lasts until {@code expiresNanos}.
   *
   * @param host from where it says so
   */
  public Answer dirty(
      VmIdentifier client,
      InetAddress host,
      long sequence,
      List<ObjIdentifier> objects,
      long expiresNanos) {
    HolderName name = new HolderName(client, host);
    AddressOwner sharer = AddressOwner.of(host);
    Holder holder = holders.get(name);
    boolean isNew = holder == null;
    int more = (isNew ? 1 : 0) + notYetKnown(holder, objects);
    if (more > 0 && !shares.take(sharer, more, quota)) {
      return new Answer(Standing.FULL, List.of());
    }
    if (isNew) {
      holder = new Holder();
      if (holders.isEmpty() || expiresNanos - earliestNanos < 0) {
        earliestNanos = expiresNanos;
      }
      holders.put(name, holder);
    }
    holder.expiresNanos = expiresNanos;
    if (objects.isEmpty() && holder.unknown) {
      return new Answer(isNew ? Standing.UNKNOWN : Standing.STILL_UNKNOWN, List.of());
    }
    holder.unknown = false;
    List<ObjIdentifier> taken = new ArrayList<>();
    for (ObjIdentifier object : objects) {
      Pair pair = holder.pairs.get(object);
      if (pair == null) {
        pair = new Pair();
        holder.pairs.put(object, pair);
      } else if (pair.sequence >= sequence) {
        continue;
      }
      pair.sequence = sequence;
      if (!pair.held) {
        pair.held = true;
        if (held.merge(object, 1, Integer::sum) == 1) {
          taken.add(object);
        }
      }
    }
    return new Answer(Standing.GRANTED, taken);
  }

  private static int notYetKnown(Holder holder, List<ObjIdentifier> objects) {
    Set<ObjIdentifier> unknown = new HashSet<>(objects);
    if (holder != null) {
      unknown.removeIf(holder.pairs::containsKey);
    }
    return unknown.size();
  }

  /**
   * A JVM at that host lets objects go.
   *
   * @param strong the numbers are kept until {@code keptUntilNanos}
   * @return the objects that no JVM holds any more
   */
  public List<ObjIdentifier> clean(
      VmIdentifier client,
      InetAddress host,
      long sequence,
      List<ObjIdentifier> objects,
      boolean strong,
      long keptUntilNanos) {
    Holder holder = holders.get(new HolderName(client, host));
    List<ObjIdentifier> released = new ArrayList<>();
    if (holder == null) {
      return released;
    }
    for (ObjIdentifier object : objects) {
      Pair pair = holder.pairs.get(object);
      if (pair == null || pair.sequence > sequence) {
        continue;
      }
      if (strong) {
        pair.sequence = sequence;
        holder.kept.remove(object); // to the end, if it was kept already
        holder.kept.put(object, keptUntilNanos);
      } else if (!holder.kept.containsKey(object)) {
        holder.pairs.remove(object);
        shares.release(AddressOwner.of(host), 1);
      }
      release(object, pair, released);
    }
    if (strong && keptUntilNanos - earliestNanos < 0) {
      earliestNanos = keptUntilNanos;
    }
    return released;
  }

  private void release(ObjIdentifier object, Pair pair, List<ObjIdentifier> released) {
    if (pair.held) {
      pair.held = false;
      if (held.merge(object, -1, (count, less) -> count == 1 ? null : count - 1) == null) {
        released.add(object);
      }
    }
  }

  /**
   * Ends the leases that are over. Returns the objects that no JVM holds any more. Numbers kept by
   * strong cleans are forgotten in time.
   */
  public List<ObjIdentifier> expire(long nowNanos) {
    List<ObjIdentifier> released = new ArrayList<>();
    if (holders.isEmpty() || earliestNanos - nowNanos > 0) {
      return released;
    }
    long earliest = nowNanos + Long.MAX_VALUE / 2;
    for (Iterator<Map.Entry<HolderName, Holder>> all = holders.entrySet().iterator();
        all.hasNext(); ) {
      Map.Entry<HolderName, Holder> each = all.next();
      Holder holder = each.getValue();
      if (holder.expiresNanos - nowNanos <= 0) {
        holder.pairs.forEach((object, pair) -> release(object, pair, released));
        giveBack(each.getKey(), holder);
        all.remove();
        continue;
      }
      forgetKept(each.getKey(), holder, nowNanos);
      if (holder.earliestNanos() - earliest < 0) {
        earliest = holder.earliestNanos();
      }
    }
    earliestNanos = earliest;
    return released;
  }

  private void forgetKept(HolderName name, Holder holder, long nowNanos) {
    for (Iterator<Map.Entry<ObjIdentifier, Long>> kept = holder.kept.entrySet().iterator();
        kept.hasNext(); ) {
      Map.Entry<ObjIdentifier, Long> oldest = kept.next();
      if (oldest.getValue() - nowNanos > 0) {
        return;
      }
      kept.remove();
      if (!holder.pairs.get(oldest.getKey()).held) {
        holder.pairs.remove(oldest.getKey());
        shares.release(name.sharer(), 1);
      }
    }
  }

  /** All leases end; whose objects those were is of no interest any more. */
  public void clear() {
    holders.forEach(this::giveBack);
    holders.clear();
    held.clear();
  }

  private void giveBack(HolderName name, Holder holder) {
    shares.release(name.sharer(), 1 + holder.pairs.size());
  }

  /** How many objects are held. */
  public int held() {
    return held.size();
  }

  /** How many JVMs have a lease. */
  public int holders() {
    return holders.size();
  }
}
