package io.rmigate.gateway.scan.shape;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;

/**
 * The control flow of one method: where control goes from each instruction, and from which ones the
 * method's end can be reached. Confined to one thread.
 */
final class ControlFlow {
  /** In place of an instruction: the method's end. */
  static final int EXIT = -1;

  private final MethodNode method;
  private final String name;
  private final InsnList code;
  private final int[][] normal;
  private final int[][] handlers;
  private BitSet kept = new BitSet();

  /**
   * @param name of the method, for people
   */
  ControlFlow(MethodNode method, String name) throws UnderivableException {
    this.method = method;
    this.name = name;
    this.code = method.instructions;
    normal = new int[code.size()][];
    handlers = new int[code.size()][];
    for (int i = 0; i < code.size(); i++) {
      normal[i] = normalWays(i);
      handlers[i] = handlersOf(i);
    }
  }

  /** Where control goes from an instruction that does not throw. */
  int[] normal(int index) {
    return normal[index];
  }

  /** Where control goes from an instruction that throws, as far as the method catches that. */
  int[] handlers(int index) {
    return handlers[index];
  }

  private int[] normalWays(int index) throws UnderivableException {
    AbstractInsnNode instruction = code.get(index);
    int opcode = instruction.getOpcode();
    if (opcode == Opcodes.JSR || opcode == Opcodes.RET) {
      throw new UnderivableException(name + " has subroutines");
    }
    if (opcode == Opcodes.ATHROW) {
      return new int[0];
    }
    if (isReturn(opcode)) {
      return new int[] {EXIT};
    }
    if (instruction instanceof JumpInsnNode jump) {
      int target = code.indexOf(jump.label);
      return opcode == Opcodes.GOTO ? new int[] {target} : new int[] {index + 1, target};
    }
    if (instruction instanceof TableSwitchInsnNode table) {
      return targets(table.labels, table.dflt);
    }
    if (instruction instanceof LookupSwitchInsnNode lookup) {
      return targets(lookup.labels, lookup.dflt);
    }
    if (index + 1 == code.size()) {
      throw new UnderivableException(name + " has no end");
    }
    return new int[] {index + 1};
  }

  private int[] targets(List<LabelNode> labels, LabelNode last) {
    int[] all = new int[labels.size() + 1];
    for (int i = 0; i < labels.size(); i++) {
      all[i] = code.indexOf(labels.get(i));
    }
    all[labels.size()] = code.indexOf(last);
    return all;
  }

  private int[] handlersOf(int index) {
    if (!mayThrow(code.get(index))) {
      return new int[0];
    }
    List<Integer> all = new ArrayList<>();
    for (TryCatchBlockNode block : method.tryCatchBlocks) {
      if (code.indexOf(block.start) <= index && index < code.indexOf(block.end)) {
        all.add(code.indexOf(block.handler));
      }
    }
    return all.stream().mapToInt(Integer::intValue).distinct().toArray();
  }

  static boolean isReturn(int opcode) {
    return opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN;
  }

  private static boolean mayThrow(AbstractInsnNode instruction) {
    int opcode = instruction.getOpcode();
    if (instruction instanceof LdcInsnNode constant) {
      return !(constant.cst instanceof Number || constant.cst instanceof String); // a class
    }
    boolean loads = opcode >= Opcodes.NOP && opcode <= Opcodes.ALOAD;
    boolean stores = opcode >= Opcodes.ISTORE && opcode <= Opcodes.ASTORE;
    boolean computes = opcode >= Opcodes.POP && opcode <= Opcodes.DCMPG && !divides(opcode);
    boolean branches = opcode >= Opcodes.IFEQ && opcode <= Opcodes.RETURN;
    boolean isNull = opcode == Opcodes.IFNULL || opcode == Opcodes.IFNONNULL;
    return opcode >= 0 && !(loads || stores || computes || branches || isNull);
  }

  private static boolean divides(int opcode) {
    return opcode == Opcodes.IDIV
        || opcode == Opcodes.LDIV
        || opcode == Opcodes.IREM
        || opcode == Opcodes.LREM;
  }

  /**
   * Keeps the instructions from which the method's end can be reached.
   *
   * @param isReached whether an instruction ever runs
   */
  void keep(IntPredicate isReached) {
    List<List<Integer>> before = new ArrayList<>();
    for (int i = 0; i < code.size(); i++) {
      before.add(new ArrayList<>());
    }
    Deque<Integer> open = new ArrayDeque<>();
    for (int i = 0; i < code.size(); i++) {
      if (!isReached.test(i)) {
        continue;
      }
      if (isReturn(code.get(i).getOpcode())) {
        open.add(i);
      }
      for (int way : normal[i]) {
        if (way >= 0) {
          before.get(way).add(i);
        }
      }
      for (int handler : handlers[i]) {
        before.get(handler).add(i);
      }
    }
    BitSet all = new BitSet();
    while (!open.isEmpty()) {
      int index = open.remove();
      if (!all.get(index)) {
        all.set(index);
        open.addAll(before.get(index));
      }
    }
    kept = all;
  }

  /** Whether the method's end can be reached from there. */
  boolean isKept(int index) {
    return kept.get(index);
  }

  /** The instructions from which the method's end can be reached. */
  BitSet kept() {
    return kept;
  }

  /** Where control goes from there, handlers included, on ways to the method's end. */
  int[] keptWays(int index) {
    List<Integer> all = new ArrayList<>();
    for (int way : normal[index]) {
      if ((way == EXIT || kept.get(way)) && !all.contains(way)) {
        all.add(way);
      }
    }
    for (int handler : handlers[index]) {
      if (kept.get(handler) && !all.contains(handler)) {
        all.add(handler);
      }
    }
    return all.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Where control may go from there without ever coming to the method's end. */
  int[] deadEnds(int index) {
    return IntStream.concat(Arrays.stream(normal[index]), Arrays.stream(handlers[index]))
        .filter(way -> way != EXIT && !kept.get(way))
        .toArray();
  }

  /**
   * What may run from there up to where these ways meet, dead ends included: what a class reads
   * before it throws may be an object, too.
   */
  BitSet reach(int[] its, int meeting) {
    BitSet region = new BitSet();
    Deque<Integer> open = new ArrayDeque<>();
    for (int way : its) {
      open.add(way);
    }
    while (!open.isEmpty()) {
      int index = open.remove();
      if (index == EXIT || index == meeting || region.get(index)) {
        continue;
      }
      region.set(index);
      for (int way : normal[index]) {
        open.add(way);
      }
      for (int way : handlers[index]) {
        open.add(way);
      }
    }
    return region;
  }
}
