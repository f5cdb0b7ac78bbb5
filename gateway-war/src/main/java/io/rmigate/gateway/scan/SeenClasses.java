package io.rmigate.gateway.scan;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/**
 * The different classes of one message, in the order in which they were seen. A few are searched
 * one by one, many by a hash code that no sender can compute, so that none can choose names with
 * equal hash codes. Each takes a few bytes, because a message may name a thousand. Confined to the
 * scanning thread.
 */
final class SeenClasses {
  private static final int FEW = 12;
  private static final int SECRET = new SecureRandom().nextInt() | 1;
  private static final SeenClass[] NONE = {};

  // Many messages name none: then the shared empty list.
  private List<SeenClass> all = List.of();

  /** Open addressing; at most half full. Empty as long as there are few. */
  private SeenClass[] table = NONE;

  int size() {
    return all.size();
  }

  boolean contains(SeenClass seen) {
    return table.length == 0 ? all.contains(seen) : table[slot(seen)] != null;
  }

  /** Adds one that is not among them. */
  void add(SeenClass seen) {
    all = all.isEmpty() ? new ArrayList<>() : all;
    all.add(seen);
    if (2 * all.size() > table.length) {
      if (all.size() > FEW) {
        table = new SeenClass[Integer.highestOneBit(all.size()) << 2];
        all.forEach(known -> table[slot(known)] = known);
      }
    } else {
      table[slot(seen)] = seen;
    }
  }

  /** Where it is, or belongs. */
  private int slot(SeenClass seen) {
    int hash = 0;
    for (int i = 0; i < seen.name().length(); i++) {
      hash = SECRET * hash + seen.name().charAt(i);
    }
    int slot = (hash ^ hash >>> 16) & table.length - 1;
    while (table[slot] != null && !table[slot].equals(seen)) {
      slot = slot + 1 & table.length - 1;
    }
    return slot;
  }

  /** All of them; grows with them. */
  List<SeenClass> all() {
    return all;
  }
}
