package io.rmigate.gateway.scan.shape;

import io.rmigate.protocol.jrmp.ReadSequence;
import io.rmigate.protocol.jrmp.ReadSequence.Op;
import io.rmigate.protocol.jrmp.ReadSequence.Step;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Steps while they are put together: with as many registers as wanted, of which those are left in
 * the end that decide about a read, and with labels in place of targets. Confined to one thread.
 */
final class StepList {
  private static final int NO_REGISTER = -1;
  private static final int MOST_DRAFTS = 1 << 15;

  private static final class Draft {
    Op op;
    int to = NO_REGISTER;
    Operand left;
    Operand right;
    int label = NO_REGISTER;

    Draft(Op op) {
      this.op = op;
    }
  }

  private final List<Draft> drafts = new ArrayList<>();

  /** By label: where it stands. */
  private final List<Integer> places = new ArrayList<>();

  private int refusal = NO_REGISTER;

  int label() {
    places.add(NO_REGISTER);
    return places.size() - 1;
  }

  void place(int label) {
    places.set(label, drafts.size());
  }

  /** The label of a step that refuses. */
  int refusal() {
    if (refusal == NO_REGISTER) {
      refusal = label();
    }
    return refusal;
  }

  void add(Op op) {
    drafts.add(new Draft(op));
  }

  void read(Op op, int to) {
    Draft draft = new Draft(op);
    draft.to = Math.max(NO_REGISTER, to);
    drafts.add(draft);
  }

  void bytes(Operand count) {
    Draft draft = new Draft(Op.READ_BYTES);
    draft.left = count;
    drafts.add(draft);
  }

  void compute(Op op, int to, Operand left, Operand right) {
    Draft draft = new Draft(op);
    draft.to = to;
    draft.left = left;
    draft.right = right;
    twoConstants(draft);
    drafts.add(draft);
  }

  void jump(Op op, Operand left, Operand right, int label) {
    Draft draft = new Draft(op);
    draft.left = left;
    draft.right = right;
    draft.label = label;
    twoConstants(draft);
    drafts.add(draft);
  }

  /** A step has room for one. */
  private void twoConstants(Draft draft) {
    boolean two =
        draft.left != null
            && draft.right != null
            && draft.left.isConstant()
            && draft.right.isConstant();
    if (two) {
      Draft copy = new Draft(Op.COPY);
      copy.to = nextFree--;
      copy.left = draft.left;
      drafts.add(copy);
      draft.left = Operand.in(copy.to, draft.left.size());
    }
  }

  /** Registers of its own are numbered downwards. */
  private int nextFree = Integer.MAX_VALUE;

  /** The whole. */
  ReadSequence sequence() throws UnderivableException {
    if (refusal != NO_REGISTER) {
      place(refusal);
      add(Op.REFUSE);
    }
    if (drafts.size() > MOST_DRAFTS) {
      throw new UnderivableException("too long");
    }
    dropUndecisive();
    dropUnreached();
    joinCopies();
    mergeBytes();
    return number();
  }

  private int target(Draft draft) {
    return places.get(draft.label);
  }

  private static int register(Operand operand) {
    return operand == null || !operand.isKnown() || operand.isConstant()
        ? NO_REGISTER
        : operand.register();
  }

  private static boolean isMove(Draft draft) {
    return !draft.op.isRead() && draft.to != NO_REGISTER;
  }

  /** Keeps what jumps and reads depend on, and what that depends on. */
  private void dropUndecisive() {
    Map<Integer, List<Draft>> writers = new HashMap<>();
    Deque<Integer> open = new ArrayDeque<>();
    for (Draft draft : drafts) {
      if (draft.to != NO_REGISTER) {
        writers.computeIfAbsent(draft.to, first -> new ArrayList<>()).add(draft);
      }
      if (!isMove(draft)) {
        open.add(register(draft.left));
        open.add(register(draft.right));
      }
    }
    Set<Integer> decisive = new HashSet<>();
    while (!open.isEmpty()) {
      int register = open.remove();
      if (register != NO_REGISTER && decisive.add(register)) {
        for (Draft draft : writers.getOrDefault(register, List.of())) {
          open.add(register(draft.left));
          open.add(register(draft.right));
        }
      }
    }
    BitSet gone = new BitSet();
    for (int i = 0; i < drafts.size(); i++) {
      Draft draft = drafts.get(i);
      if (draft.to != NO_REGISTER && !decisive.contains(draft.to)) {
        if (draft.op.isRead()) {
          draft.to = NO_REGISTER;
        } else {
          gone.set(i);
        }
      }
    }
    remove(gone);
  }

  /** Labels on what goes stand on what follows. */
  private void remove(BitSet gone) {
    if (gone.isEmpty()) {
      return;
    }
    int[] moved = new int[drafts.size() + 1];
    List<Draft> left = new ArrayList<>();
    for (int i = 0; i < drafts.size(); i++) {
      moved[i] = left.size();
      if (!gone.get(i)) {
        left.add(drafts.get(i));
      }
    }
    moved[drafts.size()] = left.size();
    for (int label = 0; label < places.size(); label++) {
      if (places.get(label) != NO_REGISTER) {
        places.set(label, moved[places.get(label)]);
      }
    }
    drafts.clear();
    drafts.addAll(left);
  }

  private void dropUnreached() {
    BitSet reached = new BitSet();
    Deque<Integer> open = new ArrayDeque<>(List.of(0));
    while (!open.isEmpty()) {
      int at = open.remove();
      if (reached.get(at)) {
        continue;
      }
      reached.set(at);
      Draft draft = drafts.get(at);
      if (draft.op.isJump()) {
        open.add(target(draft));
      }
      if (draft.op.goesOn()) {
        open.add(at + 1);
      }
    }
    BitSet gone = new BitSet();
    gone.set(0, drafts.size());
    gone.andNot(reached);
    remove(gone);
    BitSet more = new BitSet();
    for (int i = 0; i < drafts.size(); i++) {
      if (drafts.get(i).op == Op.JUMP && target(drafts.get(i)) == i + 1) {
        more.set(i);
      }
    }
    remove(more);
  }

  /** Merges a write to a register with the copy to another register, if that is its only use. */
  private void joinCopies() {
    Map<Integer, Integer> used = new HashMap<>();
    for (Draft draft : drafts) {
      used.merge(register(draft.left), 1, Integer::sum);
      used.merge(register(draft.right), 1, Integer::sum);
      if (draft.to != NO_REGISTER) {
        used.merge(draft.to, 1, Integer::sum);
      }
    }
    BitSet labelled = labelled();
    BitSet gone = new BitSet();
    for (int i = 0; i + 1 < drafts.size(); i++) {
      Draft first = drafts.get(i);
      Draft second = drafts.get(i + 1);
      boolean joins =
          first.to != NO_REGISTER
              && second.op == Op.COPY
              && register(second.left) == first.to
              && used.get(first.to) == 2
              && !labelled.get(i + 1);
      if (joins) {
        first.to = second.to;
        gone.set(i + 1);
        i++;
      }
    }
    remove(gone);
  }

  private BitSet labelled() {
    BitSet all = new BitSet();
    for (Draft draft : drafts) {
      if (draft.op.isJump()) {
        all.set(target(draft));
      }
    }
    return all;
  }

  /** Reads of fixed length whose values do not matter become one. */
  private void mergeBytes() {
    BitSet labelled = labelled();
    BitSet gone = new BitSet();
    Draft run = null;
    for (int i = 0; i < drafts.size(); i++) {
      Draft draft = drafts.get(i);
      int bytes = fixedBytes(draft);
      if (bytes < 0) {
        run = null;
      } else if (run == null || labelled.get(i)) {
        draft.op = Op.READ_BYTES;
        draft.left = Operand.constant(bytes, 1);
        run = draft;
      } else {
        run.left = Operand.constant(run.left.constant() + bytes, 1);
        gone.set(i);
      }
    }
    remove(gone);
  }

  private static int fixedBytes(Draft draft) {
    if (draft.to != NO_REGISTER) {
      return -1;
    }
    return switch (draft.op) {
      case READ_BOOLEAN, READ_BYTE, READ_UNSIGNED_BYTE -> 1;
      case READ_SHORT, READ_CHAR -> 2;
      case READ_INT -> 4;
      case READ_LONG -> 8;
      case READ_BYTES ->
          draft.left.isConstant() && draft.left.constant() >= 0 && draft.left.constant() < 1 << 20
              ? (int) draft.left.constant()
              : -1;
      default -> -1;
    };
  }

  private ReadSequence number() throws UnderivableException {
    Map<Integer, Integer> numbers = locals();
    List<Step> steps = new ArrayList<>();
    for (Draft draft : drafts) {
      long constant = 0;
      for (Operand operand : Arrays.asList(draft.left, draft.right)) {
        if (operand != null && !operand.isKnown()) {
          throw new UnderivableException("what decides about a read is not known");
        }
        if (operand != null && operand.isConstant()) {
          constant = operand.constant();
        }
      }
      steps.add(
          new Step(
              draft.op,
              numbers.getOrDefault(draft.to, ReadSequence.NOWHERE),
              numbers.getOrDefault(register(draft.left), ReadSequence.CONSTANT),
              numbers.getOrDefault(register(draft.right), ReadSequence.CONSTANT),
              constant,
              draft.op.isJump() ? target(draft) : 0));
    }
    int locals = numbers.size();
    if (locals > ReadSequence.MOST_LOCALS || steps.size() > ReadSequence.MOST_STEPS) {
      throw new UnderivableException(
          "takes " + locals + " integers and " + steps.size() + " steps");
    }
    return new ReadSequence(locals, steps);
  }

  /** By register: its local. */
  private Map<Integer, Integer> locals() {
    Map<Integer, Integer> dense = new HashMap<>();
    for (Draft draft : drafts) {
      for (int register : new int[] {draft.to, register(draft.left), register(draft.right)}) {
        if (register != NO_REGISTER) {
          dense.putIfAbsent(register, dense.size());
        }
      }
    }
    return dense;
  }
}
