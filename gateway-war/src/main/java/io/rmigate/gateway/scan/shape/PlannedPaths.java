package io.rmigate.gateway.scan.shape;

import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * The ways that control takes in the method of a {@link ReadPlan}, as far as reads are concerned.
 * Where a branch does not follow from numbers that were read, its ways are left out up to the place
 * where they meet, and the values that they change are forgotten there. Confined to one thread.
 */
final class PlannedPaths {
  /** Takes note of an instruction that takes an unknown part of the stream. */
  interface Unclear {
    void add(int instruction, String why);
  }

  private final Derivation derivation;
  private final InsnList code;
  private final ControlFlow flow;

  /** The number of local variables; the fields of the object stand behind them in a frame. */
  private final int locals;

  /** The name of the method, for reasons. */
  private final String name;

  /** By instruction where ways meet: locals, fields included, that are not known from there on. */
  private final Map<Integer, BitSet> forgotten = new HashMap<>();

  private boolean exitForgotten;

  /** By instruction: its successors; {@link ReadPlan#EXIT} and {@link ReadPlan#THROWN} included. */
  private int[][] ways;

  PlannedPaths(Derivation derivation, InsnList code, ControlFlow flow, int locals, String name) {
    this.derivation = derivation;
    this.code = code;
    this.flow = flow;
    this.locals = locals;
    this.name = name;
  }

  /** The successors of an instruction. */
  int[] from(int index) {
    return ways[index];
  }

  /** Whether ways meet at this instruction of which some are left out. */
  boolean isMeeting(int index) {
    return forgotten.containsKey(index);
  }

  /** Whether ways that are left out meet at the end of the method. */
  boolean isExitForgotten() {
    return exitForgotten;
  }

  /** Removes the forgotten values from a frame that control enters this instruction with. */
  void forgetAt(int index, Frame<KnownValue> frame) {
    BitSet lost = forgotten.get(index);
    if (lost == null) {
      return;
    }
    for (int i = lost.nextSetBit(0); i >= 0; i = lost.nextSetBit(i + 1)) {
      frame.setLocal(i, without(frame.getLocal(i)));
    }
    for (int i = 0; i < frame.getStackSize(); i++) {
      frame.setStack(i, without(frame.getStack(i)));
    }
  }

  /**
   * The value without its number or the length of its array. The stream and the object stay what
   * they are, because no way assigns another one, or the value is in doubt.
   */
  static KnownValue without(KnownValue value) {
    return switch (value.kind()) {
      case NUMBER, ARRAY -> KnownValue.other(value.size());
      default -> value;
    };
  }

  /**
   * Finds the ways, from the values that are known now.
   *
   * @param frames the known values before each instruction; null where control never comes
   * @param reads instructions that read the stream
   * @param isFollowed whether the method called at an instruction has a plan of its own
   * @param unclear told of instructions that take an unknown part of the stream
   * @return whether more values are forgotten than before, so that the values have to be found anew
   */
  boolean find(Frame<KnownValue>[] frames, BitSet reads, IntPredicate isFollowed, Unclear unclear)
      throws IOException {
    flow.keep(index -> frames[index] != null);
    if (!flow.isKept(0)) {
      ways = new int[code.size()][];
      Arrays.fill(ways, new int[] {ReadPlan.THROWN});
      return false;
    }
    int[] meeting = new PostDominators(code.size(), flow.kept(), flow::keptWays).meeting();
    boolean more = false;
    ways = new int[code.size()][];
    for (int i = flow.kept().nextSetBit(0); i >= 0; i = flow.kept().nextSetBit(i + 1)) {
      int[] its = flow.keptWays(i);
      boolean handled = Arrays.stream(flow.handlers(i)).anyMatch(flow::isKept);
      boolean known = !handled && isKnownBranch(i, frames[i]);
      if (!known && flow.reach(flow.deadEnds(i), ReadPlan.EXIT).intersects(reads)) {
        unclear.add(i, name + " reads on a way that ends in a throwable");
      }
      if (handled && reads.get(i)) {
        unclear.add(i, name + " goes on when an object has no class");
      }
      BitSet region = its.length > 1 ? flow.reach(its, meeting[i]) : new BitSet();
      if (flow.normal(i).length == 1 && !handled) {
        ways[i] = flow.normal(i);
        continue;
      }
      if (known) {
        ways[i] = new int[flow.normal(i).length];
        for (int w = 0; w < flow.normal(i).length; w++) {
          int way = flow.normal(i)[w];
          ways[i][w] = way >= 0 && !flow.isKept(way) ? ReadPlan.THROWN : way;
        }
        continue;
      }
      if (its.length == 1) {
        ways[i] = its;
        continue;
      }
      if (region.intersects(reads)) {
        unclear.add(i, name + " reads this or that by what was not read as a number before");
        ways[i] = its;
        continue;
      }
      ways[i] = new int[] {meeting[i]};
      if (meeting[i] == ReadPlan.EXIT) {
        more |= !exitForgotten;
        exitForgotten = true;
      } else {
        region.set(i);
        more |= forget(region, meeting[i], isFollowed);
        more |= frames[meeting[i]] != null && hasKnownStack(frames[meeting[i]]);
      }
    }
    for (int i = 0; i < ways.length; i++) {
      if (ways[i] == null) {
        ways[i] = new int[] {ReadPlan.THROWN};
      }
    }
    return more;
  }

  private boolean isKnownBranch(int index, Frame<KnownValue> frame) {
    AbstractInsnNode instruction = code.get(index);
    int opcode = instruction.getOpcode();
    int size = frame.getStackSize();
    if (opcode == Opcodes.TABLESWITCH || opcode == Opcodes.LOOKUPSWITCH) {
      return frame.getStack(size - 1).isNumber();
    }
    if (Arithmetic.jump(opcode) == null) {
      return false;
    }
    return frame.getStack(size - 1).isNumber()
        && (!Arithmetic.comparesTwo(opcode) || frame.getStack(size - 2).isNumber());
  }

  /** Forgets where ways meet what these instructions change; whether anything was known still. */
  private boolean forget(BitSet region, int meeting, IntPredicate isFollowed) throws IOException {
    BitSet lost = forgotten.computeIfAbsent(meeting, first -> new BitSet());
    int before = lost.cardinality();
    for (int i = region.nextSetBit(0); i >= 0; i = region.nextSetBit(i + 1)) {
      AbstractInsnNode instruction = code.get(i);
      int opcode = instruction.getOpcode();
      if (instruction instanceof VarInsnNode store
          && opcode >= Opcodes.ISTORE
          && opcode <= Opcodes.ASTORE) {
        lost.set(store.var);
      } else if (instruction instanceof IincInsnNode increment) {
        lost.set(increment.var);
      } else if (opcode == Opcodes.PUTFIELD) {
        int number = derivation.fieldNumber((FieldInsnNode) instruction);
        if (number >= 0) {
          lost.set(locals + number);
        }
      } else if (isFollowed.test(i)) {
        lost.set(locals, locals + derivation.fieldCount());
      }
    }
    return lost.cardinality() > before;
  }

  private static boolean hasKnownStack(Frame<KnownValue> frame) {
    for (int i = 0; i < frame.getStackSize(); i++) {
      if (!without(frame.getStack(i)).equals(frame.getStack(i))) {
        return true;
      }
    }
    return false;
  }
}
