package io.rmigate.gateway.relay.own;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Calls that wait for a connection, in fair shares: calls of one sharer leave in their order, and
 * the sharers take turns. When there is no more room, the sharer with most waiting calls loses its
 * latest one. So a flood of one sharer keeps no other out. Confined to its loop.
 */
final class WaitingCalls {
  private final int maxCalls;
  private final int maxBytes;

  /** The next to take its turn comes first; none is empty. */
  private final Map<Object, Share> shares = new LinkedHashMap<>();

  private final Share all = new Share();

  /** Some calls and their sizes; for all together the calls are not kept again. */
  private static final class Share {
    final Deque<OwnCall> calls = new ArrayDeque<>();
    int count;
    long bytes;

    void count(OwnCall call, int change) {
      count += change;
      bytes += (long) change * call.message().length;
    }
  }

  WaitingCalls(int maxCalls, int maxBytes) {
    this.maxCalls = maxCalls;
    this.maxBytes = maxBytes;
  }

  /**
   * Adds a call.
   *
   * @return calls for which there is no room any more, perhaps this one
   */
  List<OwnCall> add(OwnCall call) {
    Share share = shares.computeIfAbsent(call.sharer(), first -> new Share());
    share.calls.addLast(call);
    count(share, call, 1);
    List<OwnCall> refused = List.of();
    while (all.count > maxCalls || all.bytes > maxBytes) {
      Object greedy = greediest(call.sharer());
      Share its = shares.get(greedy);
      OwnCall latest = its.calls.removeLast();
      count(its, latest, -1);
      forgetIfEmpty(greedy, its);
      if (refused.isEmpty()) {
        refused = new ArrayList<>(1);
      }
      refused.add(latest);
    }
    return refused;
  }

  /** Puts a call back that had its turn already: it comes first among those of its sharer. */
  void putBack(OwnCall call) {
    Share share = shares.computeIfAbsent(call.sharer(), first -> new Share());
    share.calls.addFirst(call);
    count(share, call, 1);
  }

  /** Takes the first call of the sharer whose turn it is; there must be one. */
  OwnCall take() {
    Map.Entry<Object, Share> turn = shares.entrySet().iterator().next();
    Object sharer = turn.getKey();
    Share share = turn.getValue();
    shares.remove(sharer);
    OwnCall call = share.calls.removeFirst();
    count(share, call, -1);
    if (!share.calls.isEmpty()) {
      shares.put(sharer, share); // behind all others
    }
    return call;
  }

  /** Removes and returns the calls that have waited too long. */
  List<OwnCall> takeLate(long now) {
    List<OwnCall> late = new ArrayList<>(0);
    for (Iterator<Share> each = shares.values().iterator(); each.hasNext(); ) {
      Share share = each.next();
      for (Iterator<OwnCall> calls = share.calls.iterator(); calls.hasNext(); ) {
        OwnCall call = calls.next();
        if (now - call.deadlineNanos() > 0) {
          calls.remove();
          count(share, call, -1);
          late.add(call);
        }
      }
      if (share.calls.isEmpty()) {
        each.remove();
      }
    }
    return late;
  }

  /** Takes away everything. */
  List<OwnCall> takeAll() {
    List<OwnCall> taken = new ArrayList<>(all.count);
    while (!isEmpty()) {
      taken.add(take());
    }
    return taken;
  }

  boolean isEmpty() {
    return shares.isEmpty();
  }

  int size() {
    return all.count;
  }

  /** The sharer with most waiting calls; {@code latest} if no sharer has more. */
  private Object greediest(Object latest) {
    ToLongFunction<Share> size = all.count > maxCalls ? share -> share.count : share -> share.bytes;
    Object greedy = latest;
    long most = shares.containsKey(latest) ? size.applyAsLong(shares.get(latest)) : 0;
    for (Map.Entry<Object, Share> each : shares.entrySet()) {
      if (size.applyAsLong(each.getValue()) > most) {
        greedy = each.getKey();
        most = size.applyAsLong(each.getValue());
      }
    }
    return greedy;
  }

  private void count(Share share, OwnCall call, int change) {
    share.count(call, change);
    all.count(call, change);
  }

  private void forgetIfEmpty(Object sharer, Share share) {
    if (share.calls.isEmpty()) {
      shares.remove(sharer);
    }
  }
}
