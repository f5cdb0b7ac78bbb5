package io.rmigate.gateway.scan.shape;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.function.IntFunction;

/** Instructions that may run again and again while nothing is read. */
final class IdleLoops {
  private final BitSet nodes;
  private final IntFunction<int[]> ways;

  IdleLoops(BitSet kept, BitSet reads, IntFunction<int[]> ways) {
    nodes = (BitSet) kept.clone();
    nodes.andNot(reads);
    this.ways = ways;
  }

  BitSet all() {
    BitSet all = new BitSet();
    for (int i = nodes.nextSetBit(0); i >= 0; i = nodes.nextSetBit(i + 1)) {
      if (ways.apply(i).length > 1 && returns(i)) {
        all.set(i);
      }
    }
    return all;
  }

  private boolean returns(int node) {
    BitSet seen = new BitSet();
    Deque<Integer> open = new ArrayDeque<>();
    open.add(node);
    while (!open.isEmpty()) {
      for (int way : ways.apply(open.remove())) {
        if (way == node) {
          return true;
        }
        if (way >= 0 && nodes.get(way) && !seen.get(way)) {
          seen.set(way);
          open.add(way);
        }
      }
    }
    return false;
  }
}
