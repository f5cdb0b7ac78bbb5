package io.rmigate.gateway.scan.shape;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntFunction;

/**
 * Where all ways from an instruction to the end of its method meet first. Every instruction has a
 * way to the end.
 */
final class PostDominators {
  private final int size;
  private final BitSet nodes;
  private final IntFunction<int[]> ways;

  PostDominators(int size, BitSet nodes, IntFunction<int[]> ways) {
    this.size = size;
    this.nodes = nodes;
    this.ways = ways;
  }

  /** By instruction; {@link ReadPlan#EXIT} where they meet at the end. */
  int[] meeting() {
    BitSet[] behind = new BitSet[size];
    for (int i = nodes.nextSetBit(0); i >= 0; i = nodes.nextSetBit(i + 1)) {
      behind[i] = (BitSet) nodes.clone();
    }
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int i = nodes.previousSetBit(size - 1); i >= 0; i = nodes.previousSetBit(i - 1)) {
        BitSet its = common(behind, i);
        its.set(i);
        if (!its.equals(behind[i])) {
          behind[i] = its;
          changed = true;
        }
      }
    }
    int[] meeting = new int[size];
    Arrays.fill(meeting, ReadPlan.EXIT);
    for (int i = nodes.nextSetBit(0); i >= 0; i = nodes.nextSetBit(i + 1)) {
      meeting[i] = nearest(behind, i);
    }
    return meeting;
  }

  private BitSet common(BitSet[] behind, int node) {
    BitSet all = null;
    for (int way : ways.apply(node)) {
      BitSet its = way == ReadPlan.EXIT ? new BitSet() : behind[way];
      if (all == null) {
        all = (BitSet) its.clone();
      } else {
        all.and(its);
      }
    }
    return all == null ? new BitSet() : all;
  }

  /** The nearest post-dominator of a node: the one that has most others behind it. */
  private static int nearest(BitSet[] behind, int node) {
    int nearest = ReadPlan.EXIT;
    int most = 0;
    for (int i = behind[node].nextSetBit(0); i >= 0; i = behind[node].nextSetBit(i + 1)) {
      if (i != node && behind[i].cardinality() > most) {
        most = behind[i].cardinality();
        nearest = i;
      }
    }
    return nearest;
  }
}
