package io.rmigate.gateway.scan.shape;

import io.rmigate.gateway.scan.shape.StreamReads.Taken;
import io.rmigate.protocol.jrmp.ReadSequence;
import io.rmigate.protocol.jrmp.ReadSequence.Op;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.Interpreter;

/**
 * Turns {@link ReadPlan}s into the steps of a sequence. Each local variable, each place of the
 * stack and each field that is known has a register of its own; {@link StepList} keeps the
 * registers that decide about a step. Confined to one thread.
 */
final class ReadCode {
  private final Derivation derivation;
  private final StepList steps = new StepList();

  ReadCode(Derivation derivation) {
    this.derivation = derivation;
  }

  ReadSequence of(ReadPlan plan) throws UnderivableException, java.io.IOException {
    int end = steps.label();
    try {
      new Body(plan, end).emit();
    } catch (AnalyzerException | IndexOutOfBoundsException damaged) {
      throw new UnderivableException(plan.name() + " is damaged");
    }
    steps.place(end);
    steps.add(Op.END);
    return steps.sequence();
  }

  /** One method in one place. */
  private final class Body extends Interpreter<Operand> {
    private final ReadPlan plan;
    private final int end;
    private final BasicInterpreter sizes = new BasicInterpreter();
    private final Map<Integer, Integer> labels = new HashMap<>();
    private Frame<Operand> frame;
    private int index;

    Body(ReadPlan plan, int end) {
      super(Opcodes.ASM9);
      this.plan = plan;
      this.end = end;
    }

    // ---- order

    private int label(int at) {
      return at == ReadPlan.EXIT ? end : labels.computeIfAbsent(at, first -> steps.label());
    }

    void emit() throws AnalyzerException, UnderivableException, java.io.IOException {
      BitSet reached = new BitSet();
      int[] ways = new int[plan.size()];
      Deque<Integer> open = new ArrayDeque<>(List.of(0));
      while (!open.isEmpty()) {
        int at = open.remove();
        if (reached.get(at)) {
          continue;
        }
        reached.set(at);
        for (int way : plan.ways(at)) {
          if (way >= 0) {
            ways[way]++;
            open.add(way);
          }
        }
      }
      int before = -1;
      for (int at = reached.nextSetBit(0); at >= 0; at = reached.nextSetBit(at + 1)) {
        boolean follows =
            frame != null
                && ways[at] == 1
                && !plan.isMeeting(at)
                && plan.ways(before).length == 1
                && plan.ways(before)[0] == at;
        if (!follows) {
          if (before >= 0 && frame != null) {
            leave(plan.ways(before)[0]);
          }
          steps.place(label(at));
          frame = known(at);
        }
        index = at;
        step();
        before = at;
      }
      if (before >= 0 && frame != null) {
        leave(plan.ways(before)[0]);
      }
    }

    /** As it is where ways meet: each integer in the register of its place. */
    private Frame<Operand> known(int at) {
      Frame<KnownValue> its = plan.frame(at);
      Frame<Operand> operands = new Frame<>(plan.localCount(), plan.stackSize() + 1);
      for (int i = 0; i < operands.getLocals(); i++) {
        operands.setLocal(i, Operand.none(1));
      }
      for (int i = 0; i < its.getStackSize(); i++) {
        KnownValue value = its.getStack(i);
        operands.push(
            value.isNumber()
                ? Operand.in(plan.firstStack + i, value.size())
                : Operand.none(value.size()));
      }
      return operands;
    }

    /** Goes on elsewhere, or right behind. */
    private void leave(int way) {
      if (way == ReadPlan.THROWN) {
        steps.add(Op.REFUSE);
        return;
      }
      settle();
      steps.jump(Op.JUMP, null, null, label(way));
    }

    /** Puts what is on the stack where {@link #known} looks for it. */
    private void settle() {
      List<Integer> moving = new ArrayList<>();
      for (int i = 0; i < frame.getStackSize(); i++) {
        Operand operand = frame.getStack(i);
        if (operand.isKnown() && operand.register() != plan.firstStack + i) {
          moving.add(i);
        }
      }
      for (int i : moving) {
        if (!frame.getStack(i).isConstant()) {
          Operand operand = frame.getStack(i);
          int free = derivation.registers(1);
          steps.compute(Op.COPY, free, operand, null);
          frame.setStack(i, Operand.in(free, operand.size()));
        }
      }
      for (int i : moving) {
        Operand operand = frame.getStack(i);
        steps.compute(Op.COPY, plan.firstStack + i, operand, null);
        frame.setStack(i, Operand.in(plan.firstStack + i, operand.size()));
      }
    }

    /** Copies the current value of a register for the stack operands that still refer to it. */
    private void release(int register) {
      for (int i = 0; i < frame.getStackSize(); i++) {
        if (frame.getStack(i).register() == register) {
          int free = derivation.registers(1);
          steps.compute(Op.COPY, free, frame.getStack(i), null);
          frame.setStack(i, Operand.in(free, frame.getStack(i).size()));
        }
      }
    }

    private void write(int register, Operand value) {
      release(register);
      steps.compute(Op.COPY, register, value, null);
    }

    // ---- instructions

    private void step() throws AnalyzerException, UnderivableException, java.io.IOException {
      AbstractInsnNode instruction = plan.at(index);
      int opcode = instruction.getOpcode();
      int[] ways = plan.ways(index);
      if (opcode < 0 || opcode == Opcodes.GOTO) {
        return;
      }
      if (ControlFlow.isReturn(opcode)) {
        leaveMethod(opcode);
      } else if (opcode == Opcodes.ATHROW) {
        leave(ways[0]);
        frame = null;
      } else if (ways.length > 1) {
        branch(instruction, opcode, ways);
        frame = null;
      } else if (instruction instanceof MethodInsnNode call) {
        call(call);
      } else if (instruction instanceof FieldInsnNode field
          && (opcode == Opcodes.GETFIELD || opcode == Opcodes.PUTFIELD)) {
        field(field);
      } else if (opcode == Opcodes.NEWARRAY || opcode == Opcodes.ANEWARRAY) {
        Operand length = frame.pop();
        if (length.isKnown()) {
          write(plan.lengthRegister(index), length);
        }
        frame.push(Operand.none(1));
      } else {
        frame.execute(instruction, this);
      }
    }

    private void leaveMethod(int opcode) {
      if (opcode != Opcodes.RETURN && plan.result().returned().isNumber()) {
        steps.compute(Op.COPY, plan.returnRegister(), frame.pop(), null);
      }
      steps.jump(Op.JUMP, null, null, end);
      frame = null;
    }

    private void branch(AbstractInsnNode instruction, int opcode, int[] ways) {
      Operand right = frame.pop();
      if (instruction instanceof TableSwitchInsnNode table) {
        List<Integer> keys = new ArrayList<>();
        for (int i = 0; i < table.labels.size(); i++) {
          keys.add(table.min + i);
        }
        switches(right, keys, ways);
      } else if (instruction instanceof LookupSwitchInsnNode lookup) {
        switches(right, lookup.keys, ways);
      } else {
        Operand left = Arithmetic.comparesTwo(opcode) ? frame.pop() : right;
        Operand other = Arithmetic.comparesTwo(opcode) ? right : Operand.constant(0, 1);
        Operand first = apart(left);
        Operand second = apart(other);
        settle();
        steps.jump(Arithmetic.jump(opcode), first, second, target(ways[1]));
        go(ways[0]);
      }
    }

    /** In no register that {@link #settle} writes. */
    private Operand apart(Operand operand) {
      boolean onStack =
          operand.register() >= plan.firstStack
              && operand.register() <= plan.firstStack + plan.stackSize();
      if (!onStack) {
        return operand;
      }
      int free = derivation.registers(1);
      steps.compute(Op.COPY, free, operand, null);
      return Operand.in(free, operand.size());
    }

    private void switches(Operand operand, List<Integer> keys, int[] ways) {
      Operand value = apart(operand);
      settle();
      for (int i = 0; i < keys.size(); i++) {
        steps.jump(Op.JUMP_IF_EQUAL, value, Operand.constant(keys.get(i), 1), target(ways[i]));
      }
      go(ways[ways.length - 1]);
    }

    private int target(int way) {
      return way == ReadPlan.THROWN ? steps.refusal() : label(way);
    }

    private void go(int way) {
      steps.jump(Op.JUMP, null, null, target(way));
    }

    private void field(FieldInsnNode field) throws java.io.IOException {
      int number = derivation.fieldNumber(field);
      Frame<KnownValue> known = plan.frame(index);
      int size = known.getStackSize();
      if (field.getOpcode() == Opcodes.GETFIELD) {
        frame.pop();
        boolean object = known.getStack(size - 1).kind() == KnownValue.Kind.OBJECT;
        boolean isNumber =
            object && number >= 0 && known.getLocal(plan.localCount() + number).isNumber();
        int words = Type.getType(field.desc).getSize();
        frame.push(
            isNumber ? Operand.in(derivation.fieldRegister(number), words) : Operand.none(words));
        return;
      }
      Operand value = frame.pop();
      frame.pop();
      boolean object = known.getStack(size - 2).kind() == KnownValue.Kind.OBJECT;
      if (object && number >= 0 && value.isKnown()) {
        write(derivation.fieldRegister(number), value);
      }
    }

    private void call(MethodInsnNode call)
        throws AnalyzerException, UnderivableException, java.io.IOException {
      List<Operand> given = new ArrayList<>();
      boolean isStatic = call.getOpcode() == Opcodes.INVOKESTATIC;
      int count = Type.getArgumentCount(call.desc) + (isStatic ? 0 : 1);
      for (int i = 0; i < count; i++) {
        given.add(0, frame.pop());
      }
      Frame<KnownValue> known = plan.frame(index);
      int firstGiven = known.getStackSize() - count;
      boolean stream = false;
      for (int i = firstGiven; i < known.getStackSize(); i++) {
        stream |= known.getStack(i).isStream();
      }
      int size = Type.getReturnType(call.desc).getSize();
      Operand returned = Operand.none(Math.max(1, size));
      if (stream && !HarmlessCalls.handsBack(call.owner, call.name)) {
        boolean onStream = !isStatic && known.getStack(firstGiven).isStream();
        Taken taken = StreamReads.of(call, onStream);
        ReadPlan child = plan.child(index);
        if (taken != null) {
          returned = read(taken, given, known, firstGiven, size);
        } else if (child != null) {
          returned = follow(child, given, size);
        }
      }
      if (size > 0) {
        frame.push(returned);
      }
    }

    private Operand read(
        Taken taken, List<Operand> given, Frame<KnownValue> known, int firstGiven, int size) {
      if (taken.isNumber()) {
        int register = derivation.registers(1);
        steps.read(taken.op(), register);
        return Operand.in(register, size);
      }
      if (taken.fillsArray()) {
        Operand length =
            given.size() == 4
                ? given.get(3)
                : Operand.in(known.getStack(firstGiven + 1).length(), 1);
        steps.bytes(length);
      } else if (taken.op() == Op.READ_BYTES) {
        steps.bytes(Operand.constant(taken.bytes(), 1));
      } else {
        steps.read(taken.op(), Operand.NONE);
      }
      return Operand.none(Math.max(1, size));
    }

    private Operand follow(ReadPlan child, List<Operand> given, int size)
        throws AnalyzerException, UnderivableException, java.io.IOException {
      for (int i = 0; i < derivation.fieldCount(); i++) {
        release(derivation.fieldRegister(i));
      }
      int local = child.firstLocal;
      for (Operand operand : given) {
        if (operand.isKnown()) {
          steps.compute(Op.COPY, local, operand, null);
        }
        local += operand.size();
      }
      int behind = steps.label();
      new Body(child, behind).emit();
      steps.place(behind);
      return child.result().returned().isNumber()
          ? Operand.in(child.returnRegister(), Math.max(1, size))
          : Operand.none(Math.max(1, size));
    }

    // ---- what instructions make of operands

    private Operand none(BasicValue value) {
      return value == null ? null : Operand.none(value.getSize());
    }

    @Override
    public Operand newValue(Type type) {
      return type == null
          ? Operand.none(1)
          : type.getSort() == Type.VOID ? null : Operand.none(type.getSize());
    }

    @Override
    public Operand newOperation(AbstractInsnNode instruction) throws AnalyzerException {
      Operand none = none(sizes.newOperation(instruction));
      Long constant = KnownValues.constant(instruction);
      return constant == null ? none : Operand.constant(constant, none.size());
    }

    @Override
    public Operand copyOperation(AbstractInsnNode instruction, Operand value) {
      int opcode = instruction.getOpcode();
      if (!(instruction instanceof VarInsnNode local)) {
        return value;
      }
      if (opcode >= Opcodes.ISTORE && opcode <= Opcodes.ASTORE) {
        if (value.isKnown()) {
          write(plan.firstLocal + local.var, value);
        }
        return value;
      }
      KnownValue known = plan.frame(index).getLocal(local.var);
      return known.isNumber()
          ? Operand.in(plan.firstLocal + local.var, known.size())
          : Operand.none(known.size());
    }

    @Override
    public Operand unaryOperation(AbstractInsnNode instruction, Operand value)
        throws AnalyzerException {
      int opcode = instruction.getOpcode();
      if (instruction instanceof IincInsnNode increment) {
        if (plan.frame(index).getLocal(increment.var).isNumber()) {
          int register = plan.firstLocal + increment.var;
          release(register);
          steps.compute(
              Op.ADD, register, Operand.in(register, 1), Operand.constant(increment.incr, 1));
        }
        return value;
      }
      if (opcode == Opcodes.CHECKCAST) {
        return value;
      }
      Operand none = none(sizes.unaryOperation(instruction, BasicValue.UNINITIALIZED_VALUE));
      Op op = Arithmetic.ofOne(opcode);
      if (opcode == Opcodes.ARRAYLENGTH) {
        KnownValue array = plan.frame(index).getStack(plan.frame(index).getStackSize() - 1);
        return array.kind() == KnownValue.Kind.ARRAY ? Operand.in(array.length(), 1) : none;
      }
      if (op == null || !value.isKnown()) {
        return none;
      }
      int register = derivation.registers(1);
      steps.compute(op, register, value, null);
      return Operand.in(register, none.size());
    }

    @Override
    public Operand binaryOperation(AbstractInsnNode instruction, Operand one, Operand two)
        throws AnalyzerException {
      Operand none =
          none(
              sizes.binaryOperation(
                  instruction, BasicValue.UNINITIALIZED_VALUE, BasicValue.UNINITIALIZED_VALUE));
      Op op = Arithmetic.ofTwo(instruction.getOpcode());
      if (op == null || !one.isKnown() || !two.isKnown()) {
        return none;
      }
      int register = derivation.registers(1);
      steps.compute(op, register, one, two);
      return Operand.in(register, none.size());
    }

    @Override
    public Operand ternaryOperation(
        AbstractInsnNode instruction, Operand one, Operand two, Operand three) {
      return null;
    }

    @Override
    public Operand naryOperation(AbstractInsnNode instruction, List<? extends Operand> values)
        throws AnalyzerException {
      return none(sizes.naryOperation(instruction, List.of()));
    }

    @Override
    public void returnOperation(AbstractInsnNode instruction, Operand value, Operand expected) {}

    @Override
    public Operand merge(Operand one, Operand other) {
      throw new AssertionError("nothing is merged");
    }
  }
}
