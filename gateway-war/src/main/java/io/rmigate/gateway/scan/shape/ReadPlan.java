package io.rmigate.gateway.scan.shape;

import io.rmigate.gateway.scan.shape.Methods.Method;
import io.rmigate.gateway.scan.shape.StreamReads.Taken;
import io.rmigate.protocol.jrmp.ReadSequence.Op;
import java.io.IOException;
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
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * One method that a {@code readExternal} calls with the stream, or that itself, in one place: which
 * values are known at each instruction, and which ways control takes as far as reads are concerned.
 *
 * <p>A branch that does not follow from what was read goes straight to where its ways meet again.
 * The values that they write are not known from there on, and none of them may read. A way that
 * always ends in a throwable is none, and may not read, either. An instruction of which a throwable
 * is caught is such a branch. It is no read: a receiver without the class of an object reads none
 * of that object's unframed data, and would go on in the middle of them. Confined to one thread.
 */
final class ReadPlan {
  /** In place of an instruction: the method's end. */
  static final int EXIT = ControlFlow.EXIT;

  /** In place of an instruction: a way that always ends in a throwable. */
  static final int THROWN = -2;

  private static final int MOST_INSTRUCTIONS = 1500;

  /** The result of the method: whether it reads, its return value, and the fields afterwards. */
  record Result(boolean reads, KnownValue returned, List<KnownValue> fields) {}

  private final Derivation derivation;
  private final Method method;
  private final InsnList code;
  private final List<KnownValue> arguments;
  private final List<KnownValue> fieldsBefore;
  private final ReadPlan caller;
  private final int locals;

  /** Where the registers of local variables, and of the stack, begin. */
  final int firstLocal;

  final int firstStack;
  final int lengthRegister;

  private final ControlFlow flow;
  private final PlannedPaths ways;
  private final Map<Integer, ReadPlan> children = new HashMap<>();
  private final Map<Integer, Integer> arrays = new HashMap<>();

  /** By instruction: the reason why it takes an unknown part of the stream. */
  private final Map<Integer, String> unclear = new HashMap<>();

  private final BitSet reads = new BitSet();

  private Frame<KnownValue>[] frames;

  ReadPlan(
      Derivation derivation,
      Method method,
      List<KnownValue> arguments,
      List<KnownValue> fieldsBefore,
      ReadPlan caller)
      throws IOException, UnderivableException {
    this.derivation = derivation;
    this.method = method;
    this.code = method.code().instructions;
    this.arguments = arguments;
    this.fieldsBefore = fieldsBefore;
    this.caller = caller;
    derivation.countPlan();
    if (code.size() > MOST_INSTRUCTIONS || code.size() == 0) {
      throw new UnderivableException(name() + " is too long, or has no code");
    }
    locals = method.code().maxLocals;
    firstLocal = derivation.registers(locals);
    firstStack = derivation.registers(method.code().maxStack + 1);
    lengthRegister = derivation.registers(1);
    flow = new ControlFlow(method.code(), name());
    ways = new PlannedPaths(derivation, code, flow, locals, name());
    analyze();
  }

  String name() {
    return method.owner().name.replace('/', '.') + '.' + method.code().name;
  }

  boolean isOpen(Method other) {
    return method.equals(other) || (caller != null && caller.isOpen(other));
  }

  AbstractInsnNode at(int index) {
    return code.get(index);
  }

  int size() {
    return code.size();
  }

  Frame<KnownValue> frame(int index) {
    return frames[index];
  }

  int[] ways(int index) {
    return ways.from(index);
  }

  /** The plan of a call at an instruction, if the call is followed; else null. */
  ReadPlan child(int index) {
    return children.get(index);
  }

  /** Whether ways meet there of which some are not taken. */
  boolean isMeeting(int index) {
    return ways.isMeeting(index);
  }

  /** The register with the length of the array that is made there. */
  int lengthRegister(int index) {
    return arrays.computeIfAbsent(index, first -> derivation.registers(1));
  }

  int stackSize() {
    return method.code().maxStack;
  }

  int localCount() {
    return locals;
  }

  // ---- what is known

  private void analyze() throws IOException, UnderivableException {
    boolean more = true;
    while (more) {
      try {
        flow();
      } catch (AnalyzerException | IndexOutOfBoundsException damaged) {
        throw new UnderivableException(name() + " is damaged");
      }
      more = ways.find(frames, reads, children::containsKey, this::unclear);
    }
    BitSet seen = new BitSet();
    Deque<Integer> open = new ArrayDeque<>(List.of(0));
    while (!open.isEmpty()) {
      int index = open.remove();
      if (index < 0 || seen.get(index)) {
        continue;
      }
      seen.set(index);
      if (unclear.containsKey(index)) {
        throw new UnderivableException(unclear.get(index));
      }
      for (int way : ways.from(index)) {
        open.add(way);
      }
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private void flow() throws AnalyzerException, IOException, UnderivableException {
    frames = new Frame[code.size()];
    unclear.clear();
    reads.clear();
    Frame<KnownValue> entry =
        new Frame<>(locals + derivation.fieldCount(), method.code().maxStack + 1);
    for (int i = 0; i < entry.getLocals(); i++) {
      entry.setLocal(i, KnownValue.OTHER);
    }
    int local = 0;
    for (KnownValue argument : arguments) {
      entry.setLocal(local, argument);
      local += argument.size();
    }
    for (int i = 0; i < fieldsBefore.size(); i++) {
      entry.setLocal(locals + i, fieldsBefore.get(i));
    }
    Deque<Integer> changed = new ArrayDeque<>();
    enter(0, entry, changed);
    while (!changed.isEmpty()) {
      int index = changed.remove();
      Frame<KnownValue> after = new Frame<>(frames[index]);
      execute(index, after);
      for (int way : flow.normal(index)) {
        if (way >= 0) {
          enter(way, after, changed);
        }
      }
      for (int handler : flow.handlers(index)) {
        Frame<KnownValue> caught = new Frame<>(frames[index]);
        caught.clearStack();
        caught.push(KnownValue.OTHER);
        forgetFields(caught);
        enter(handler, caught, changed);
      }
    }
  }

  private void enter(int index, Frame<KnownValue> from, Deque<Integer> changed)
      throws AnalyzerException {
    Frame<KnownValue> its = new Frame<>(from);
    ways.forgetAt(index, its);
    if (frames[index] == null) {
      frames[index] = its;
      changed.add(index);
    } else if (frames[index].merge(its, KnownValues.INSTANCE)) {
      changed.add(index);
    }
  }

  private void execute(int index, Frame<KnownValue> frame)
      throws AnalyzerException, IOException, UnderivableException {
    AbstractInsnNode instruction = code.get(index);
    int opcode = instruction.getOpcode();
    if (opcode < 0 || ControlFlow.isReturn(opcode)) {
      return;
    }
    if (instruction instanceof MethodInsnNode call) {
      call(index, call, frame);
    } else if (instruction instanceof FieldInsnNode field
        && (opcode == Opcodes.GETFIELD || opcode == Opcodes.PUTFIELD)) {
      field(field, frame);
    } else if (opcode == Opcodes.NEWARRAY || opcode == Opcodes.ANEWARRAY) {
      makeArray(index, frame);
    } else {
      if (opcode == Opcodes.INVOKEDYNAMIC) {
        forgetFields(frame);
      }
      frame.execute(instruction, KnownValues.INSTANCE);
    }
  }

  /** An array that was made there before is still an array, of a length that is not known. */
  private void makeArray(int index, Frame<KnownValue> frame) {
    KnownValue length = frame.pop();
    KnownValue made = KnownValue.array(lengthRegister(index));
    for (int i = 0; i < frame.getLocals(); i++) {
      if (frame.getLocal(i).equals(made)) {
        frame.setLocal(i, KnownValue.OTHER);
      }
    }
    for (int i = 0; i < frame.getStackSize(); i++) {
      if (frame.getStack(i).equals(made)) {
        frame.setStack(i, KnownValue.OTHER);
      }
    }
    frame.push(length.isNumber() ? made : KnownValue.OTHER);
  }

  private void field(FieldInsnNode field, Frame<KnownValue> frame) throws IOException {
    int number = derivation.fieldNumber(field);
    if (field.getOpcode() == Opcodes.GETFIELD) {
      KnownValue owner = frame.pop();
      boolean its = owner.kind() == KnownValue.Kind.OBJECT && number >= 0;
      frame.push(
          its
              ? frame.getLocal(locals + number)
              : KnownValue.other(Type.getType(field.desc).getSize()));
      return;
    }
    KnownValue value = frame.pop();
    KnownValue owner = frame.pop();
    if (number >= 0) {
      boolean known =
          owner.kind() == KnownValue.Kind.OBJECT
              && (value.isNumber() || value.kind() == KnownValue.Kind.ARRAY);
      frame.setLocal(
          locals + number, known ? value : KnownValue.OTHER); // else it may be the object
    }
  }

  /** Forgets the fields, because code that runs there may change them. */
  private void forgetFields(Frame<KnownValue> frame) {
    for (int i = locals; i < frame.getLocals(); i++) {
      frame.setLocal(i, KnownValue.OTHER);
    }
  }

  private void call(int index, MethodInsnNode call, Frame<KnownValue> frame)
      throws IOException, UnderivableException {
    List<KnownValue> given = new ArrayList<>();
    int count =
        Type.getArgumentCount(call.desc) + (call.getOpcode() == Opcodes.INVOKESTATIC ? 0 : 1);
    for (int i = 0; i < count; i++) {
      given.add(0, frame.pop());
    }
    int size = Type.getReturnType(call.desc).getSize();
    boolean stream = given.contains(KnownValue.STREAM);
    if (given.contains(KnownValue.DOUBTFUL)) {
      unclear(index, name() + " calls " + call.name + " with what may be the stream");
    } else if (stream && HarmlessCalls.handsBack(call.owner, call.name)) {
      frame.push(KnownValue.STREAM);
      return;
    } else if (stream) {
      boolean onStream = call.getOpcode() != Opcodes.INVOKESTATIC && given.get(0).isStream();
      Taken taken = StreamReads.of(call, onStream);
      if (taken != null) {
        take(index, call, taken, given, frame);
        return;
      }
      if (onStream) {
        unclear(index, name() + " calls " + call.name + " of the stream");
      } else {
        follow(index, call, given, frame);
        return;
      }
    } else {
      forgetFields(frame);
    }
    if (size > 0) {
      frame.push(KnownValue.other(size));
    }
  }

  private void unclear(int index, String why) {
    unclear.put(index, why);
    reads.set(index);
  }

  private void take(
      int index, MethodInsnNode call, Taken taken, List<KnownValue> given, Frame<KnownValue> frame)
      throws IOException {
    reads.set(index);
    if (taken.fillsArray()) {
      boolean part = given.size() == 4;
      boolean known = part ? given.get(3).isNumber() : given.get(1).kind() == KnownValue.Kind.ARRAY;
      if (!known) {
        unclear(index, name() + " fills an array of which the length is not known");
      }
    } else if (taken.isNumber()) {
      frame.push(KnownValue.number(Type.getReturnType(call.desc).getSize()));
    } else {
      if (taken.op() == Op.READ_OBJECT) {
        forgetFields(frame);
      }
      frame.push(KnownValue.other(Type.getReturnType(call.desc).getSize()));
    }
  }

  private void follow(
      int index, MethodInsnNode call, List<KnownValue> given, Frame<KnownValue> frame)
      throws IOException {
    try {
      ReadPlan child = childOf(index, call, given, fields(frame));
      Result result = child.result();
      if (result.reads()) {
        reads.set(index);
      }
      for (int i = 0; i < locals; i++) {
        frame.setLocal(i, child.unlessMadeAgain(frame.getLocal(i)));
      }
      for (int i = 0; i < frame.getStackSize(); i++) {
        frame.setStack(i, child.unlessMadeAgain(frame.getStack(i)));
      }
      for (int i = 0; i < result.fields().size(); i++) {
        frame.setLocal(locals + i, result.fields().get(i));
      }
      if (Type.getReturnType(call.desc).getSize() > 0) {
        frame.push(result.returned());
      }
    } catch (UnderivableException why) {
      unclear(index, why.getMessage());
      children.remove(index);
      int size = Type.getReturnType(call.desc).getSize();
      if (size > 0) {
        frame.push(KnownValue.other(size));
      }
    }
  }

  private ReadPlan childOf(
      int index, MethodInsnNode call, List<KnownValue> given, List<KnownValue> fields)
      throws IOException, UnderivableException {
    boolean object = given.get(0).kind() == KnownValue.Kind.OBJECT;
    Method callee = derivation.callee(call, method, object && !isStatic(call));
    ReadPlan known = children.get(index);
    if (known != null
        && known.method.equals(callee)
        && known.arguments.equals(given)
        && known.fieldsBefore.equals(fields)) {
      return known;
    }
    if (isOpen(callee)) {
      throw new UnderivableException(name() + " leads to itself");
    }
    ReadPlan child = new ReadPlan(derivation, callee, given, fields, this);
    children.put(index, child);
    return child;
  }

  /** An array of an earlier run of this method has perhaps another length than that of the last. */
  private KnownValue unlessMadeAgain(KnownValue value) {
    return value.kind() == KnownValue.Kind.ARRAY && makes(value.length())
        ? KnownValue.OTHER
        : value;
  }

  private boolean makes(int length) {
    return arrays.containsValue(length)
        || children.values().stream().anyMatch(child -> child.makes(length));
  }

  private static boolean isStatic(MethodInsnNode call) {
    return call.getOpcode() == Opcodes.INVOKESTATIC;
  }

  private List<KnownValue> fields(Frame<KnownValue> frame) {
    List<KnownValue> all = new ArrayList<>();
    for (int i = locals; i < frame.getLocals(); i++) {
      all.add(frame.getLocal(i));
    }
    return all;
  }

  /** The knowledge of the caller after the call. */
  Result result() {
    KnownValue returned = null;
    List<KnownValue> fields = null;
    for (int i = 0; i < code.size(); i++) {
      int opcode = code.get(i).getOpcode();
      if (frames[i] == null || !ControlFlow.isReturn(opcode)) {
        continue;
      }
      List<KnownValue> its = fields(frames[i]);
      if (fields == null) {
        fields = its;
      } else {
        for (int f = 0; f < its.size(); f++) {
          fields.set(f, fields.get(f).merge(its.get(f)));
        }
      }
      if (opcode != Opcodes.RETURN) {
        KnownValue value = frames[i].getStack(frames[i].getStackSize() - 1);
        returned = returned == null ? value : returned.merge(value);
      }
    }
    int size = Type.getReturnType(method.code().desc).getSize();
    if (returned == null) {
      returned = KnownValue.other(Math.max(1, size));
    } else if (ways.isExitForgotten()) {
      returned = PlannedPaths.without(returned);
    }
    if (fields == null || ways.isExitForgotten()) {
      fields = new ArrayList<>();
      for (int i = 0; i < derivation.fieldCount(); i++) {
        fields.add(KnownValue.OTHER);
      }
    }
    boolean anyRead = !reads.isEmpty();
    return new Result(anyRead, returned, fields);
  }

  /** The register of what it returns, if that is a number. */
  int returnRegister() {
    return lengthRegister;
  }
}
