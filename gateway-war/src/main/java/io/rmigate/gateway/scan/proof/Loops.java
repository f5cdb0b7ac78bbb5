package io.rmigate.gateway.scan.proof;

import io.rmigate.gateway.scan.proof.Facts.Harm;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * How often the loops of a method go round. A loop is bounded if each way round passes a step that
 * what is gone through has no more of than elements: an iterator's {@code next}, a read of the
 * stream, or a comparison that ends the loop, of a counter with a number that no sender chooses. A
 * loop within another one must go through an element of that one, or a constant number of times.
 */
final class Loops {
  private static final String NO_BOUND = "a loop that no number of elements bounds";
  private static final String AGAIN = "a loop in a loop, through the same elements";

  private final MethodNode method;
  private final Frame<Value>[] frames;
  private final List<List<Integer>> next;
  private final Types types;
  private final Facts facts;

  Loops(
      MethodNode method,
      Frame<Value>[] frames,
      List<List<Integer>> next,
      Types types,
      Facts facts) {
    this.method = method;
    this.frames = frames;
    this.next = next;
    this.types = types;
    this.facts = facts;
  }

  /** Notes loops without a bound, and returns all instructions that are in a loop. */
  BitSet check() {
    BitSet all = new BitSet();
    for (int i = 0; i < frames.length; i++) {
      all.set(i, frames[i] != null);
    }
    BitSet inLoops = new BitSet();
    for (BitSet loop : cycles(all)) {
      inLoops.or(loop);
      check(loop, false);
    }
    return inLoops;
  }

  private void check(BitSet loop, boolean inner) {
    BitSet rest = (BitSet) loop.clone();
    long doubtful = 0;
    boolean again = false;
    for (int pass = 0; pass < 2; pass++) {
      for (int i = loop.nextSetBit(0); i >= 0; i = loop.nextSetBit(i + 1)) {
        Step step = step(i, loop);
        if (step != null && rest.get(i) && (step.mask == 0 || pass > 0)) {
          rest.clear(i);
          doubtful |= step.mask;
          again |= inner && !step.ofElement;
        }
      }
      List<BitSet> left = cycles(rest);
      boolean smaller = left.stream().noneMatch(cycle -> cycle.equals(loop));
      if (smaller || pass > 0) {
        if (!smaller) {
          facts.defect(Harm.COST, NO_BOUND);
          return;
        }
        if (again) {
          facts.defect(Harm.COST, AGAIN);
        }
        if (doubtful != 0) {
          facts.conditions.add(
              new Facts.Condition(doubtful, Harm.COST, "goes as many rounds as a sender says"));
        }
        left.forEach(cycle -> check(cycle, true));
        return;
      }
    }
  }

  /**
   * What bounds the ways round that pass an instruction.
   *
   * @param mask taint of the number of rounds
   */
  private record Step(long mask, boolean ofElement) {}

  private Step step(int at, BitSet loop) {
    AbstractInsnNode instruction = method.instructions.get(at);
    if (instruction instanceof MethodInsnNode call) {
      return ofCall(call, frames[at], loop);
    }
    return instruction instanceof JumpInsnNode jump ? ofCounter(jump, at, loop) : null;
  }

  private Step ofCall(MethodInsnNode call, Frame<Value> frame, BitSet loop) {
    if (types.isOfJars(call.owner)) {
      return null;
    }
    if (PlatformCalls.isRead(call.owner, call.name)) {
      return new Step(0, true);
    }
    if (!PlatformCalls.isStep(call.owner, call.name)) {
      return null;
    }
    Value iterator = frame.getStack(frame.getStackSize() - 1 - Type.getArgumentCount(call.desc));
    return iterator.origin() == Value.MIXED || isIn(loop, iterator.origin())
        ? null
        : new Step(0, iterator.element());
  }

  private static boolean isIn(BitSet loop, int origin) {
    return origin >= 0 && loop.get(origin);
  }

  private Step ofCounter(JumpInsnNode jump, int at, BitSet loop) {
    int target = method.instructions.indexOf(jump.label);
    boolean jumpsOut = !loop.get(target);
    boolean fallsOut = !loop.get(at + 1);
    if (jumpsOut == fallsOut) {
      return null;
    }
    int stays = jumpsOut ? opposite(jump.getOpcode()) : jump.getOpcode();
    Frame<Value> frame = frames[at];
    Value one = frame.getStack(frame.getStackSize() - 1);
    return switch (stays) {
      case Opcodes.IFLT, Opcodes.IFLE -> counter(one, null, 1, at, loop);
      case Opcodes.IFGT, Opcodes.IFGE -> counter(one, null, -1, at, loop);
      case Opcodes.IF_ICMPLT, Opcodes.IF_ICMPLE -> either(below(frame), one, at, loop);
      case Opcodes.IF_ICMPGT, Opcodes.IF_ICMPGE -> either(one, below(frame), at, loop);
      default -> null;
    };
  }

  private static Value below(Frame<Value> frame) {
    return frame.getStack(frame.getStackSize() - 2);
  }

  private Step either(Value small, Value large, int at, BitSet loop) {
    Step rising = counter(small, large, 1, at, loop);
    return rising == null ? counter(large, small, -1, at, loop) : rising;
  }

  private static int opposite(int opcode) {
    return switch (opcode) {
      case Opcodes.IFLT -> Opcodes.IFGE;
      case Opcodes.IFGE -> Opcodes.IFLT;
      case Opcodes.IFGT -> Opcodes.IFLE;
      case Opcodes.IFLE -> Opcodes.IFGT;
      case Opcodes.IF_ICMPLT -> Opcodes.IF_ICMPGE;
      case Opcodes.IF_ICMPGE -> Opcodes.IF_ICMPLT;
      case Opcodes.IF_ICMPGT -> Opcodes.IF_ICMPLE;
      case Opcodes.IF_ICMPLE -> Opcodes.IF_ICMPGT;
      default -> -1;
    };
  }

  /** A local variable that only rises, or only falls, on each way round. */
  private Step counter(Value counted, Value bound, int sign, int at, BitSet loop) {
    int local = counted.local();
    if (local < 0 || (bound != null && changes(bound, loop))) {
      return null;
    }
    BitSet rest = (BitSet) loop.clone();
    boolean counts = false;
    for (int i = loop.nextSetBit(0); i >= 0; i = loop.nextSetBit(i + 1)) {
      AbstractInsnNode instruction = method.instructions.get(i);
      if (instruction instanceof IincInsnNode change && change.var == local) {
        if (Integer.signum(change.incr) != sign) {
          return null;
        }
        rest.clear(i);
        counts = true;
      } else if (isStore(instruction, local)) {
        return null;
      }
    }
    if (!counts) {
      return null;
    }
    for (BitSet cycle : cycles(rest)) {
      if (cycle.get(at)) {
        return null;
      }
    }
    long mask = counted.mask() | (bound == null ? 0 : bound.mask());
    boolean ofElement = bound == null ? counted.element() : bound.element() || bound.constant();
    return (mask & Facts.TAINTED) != 0 ? null : new Step(mask, ofElement);
  }

  private static boolean isStore(AbstractInsnNode instruction, int local) {
    return instruction instanceof VarInsnNode variable
        && variable.getOpcode() >= Opcodes.ISTORE
        && variable.getOpcode() <= Opcodes.ASTORE
        && variable.var == local;
  }

  /** Whether a bound may become another one meanwhile. */
  private boolean changes(Value bound, BitSet loop) {
    boolean ofField = bound.measured().startsWith("field ");
    boolean ofSize = bound.measured().startsWith("size ");
    for (int i = loop.nextSetBit(0); i >= 0; i = loop.nextSetBit(i + 1)) {
      AbstractInsnNode instruction = method.instructions.get(i);
      if (bound.local() >= 0
          && (isStore(instruction, bound.local())
              || (instruction instanceof IincInsnNode change && change.var == bound.local()))) {
        return true;
      }
      if (ofField
          && instruction.getOpcode() == Opcodes.PUTFIELD
          && bound.measured().endsWith('.' + ((FieldInsnNode) instruction).name)) {
        return true;
      }
      if (ofSize && grows(instruction, i, bound.measured().substring("size ".length()))) {
        return true;
      }
    }
    return false;
  }

  private boolean grows(AbstractInsnNode instruction, int at, String place) {
    if (!(instruction instanceof MethodInsnNode call)
        || call.getOpcode() == Opcodes.INVOKESTATIC
        || types.isOfJars(call.owner)
        || !PlatformCalls.changes(call.owner, call.name)
        || frames[at] == null) {
      return false;
    }
    Frame<Value> frame = frames[at];
    Value receiver = frame.getStack(frame.getStackSize() - 1 - Type.getArgumentCount(call.desc));
    return (receiver.local() < 0 || receiver.place().equals(place));
  }

  /** The largest sets of instructions, of these, each of which leads to each other. */
  private List<BitSet> cycles(BitSet among) {
    return new Components(among).found;
  }

  /** Strongly connected components, after Tarjan (SIAM Journal on Computing 1, 1972). */
  private final class Components {
    final List<BitSet> found = new ArrayList<>();
    private final BitSet among;
    private final int[] number = new int[frames.length];
    private final int[] lowest = new int[frames.length];
    private final boolean[] open = new boolean[frames.length];
    private final Deque<Integer> waiting = new ArrayDeque<>();
    private int last;

    Components(BitSet among) {
      this.among = among;
      for (int i = among.nextSetBit(0); i >= 0; i = among.nextSetBit(i + 1)) {
        if (number[i] == 0) {
          visit(i);
        }
      }
    }

    private void visit(int root) {
      Deque<int[]> path = new ArrayDeque<>();
      path.push(begin(root));
      while (!path.isEmpty()) {
        int[] visit = path.peek();
        int at = visit[0];
        List<Integer> after = next.get(at);
        if (visit[1] < after.size()) {
          int to = after.get(visit[1]++);
          if (!among.get(to)) {
            continue;
          }
          if (number[to] == 0) {
            path.push(begin(to));
          } else if (open[to]) {
            lowest[at] = Math.min(lowest[at], number[to]);
          }
        } else {
          path.pop();
          if (!path.isEmpty()) {
            int before = path.peek()[0];
            lowest[before] = Math.min(lowest[before], lowest[at]);
          }
          if (lowest[at] == number[at]) {
            close(at);
          }
        }
      }
    }

    private int[] begin(int at) {
      number[at] = ++last;
      lowest[at] = last;
      open[at] = true;
      waiting.push(at);
      return new int[] {at, 0};
    }

    private void close(int root) {
      BitSet component = new BitSet();
      int member;
      do {
        member = waiting.pop();
        open[member] = false;
        component.set(member);
      } while (member != root);
      if (component.cardinality() > 1 || next.get(root).contains(root)) {
        found.add(component);
      }
    }
  }
}
