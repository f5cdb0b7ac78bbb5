package io.rmigate.gateway.scan.shape;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * What the {@code readObject} of a class does with the stream, by its byte code. Two things are
 * looked for on every path.
 *
 * <p><b>Fields first.</b> The first use of the stream is {@code defaultReadObject} or {@code
 * readFields}. Whoever reads before that, or returns without it, takes the bytes of the declared
 * fields for something else, or leaves them for whoever reads next. {@code
 * java.rmi.server.RemoteObject} does: whole objects then hide in what its descriptor calls numbers.
 *
 * <p><b>No reading on.</b> Nobody catches a failure of the stream and returns nevertheless. A
 * failure leaves the stream wherever it happened, deep within an object that is not yet over; for a
 * receiver that goes on from there the rest means something else than for a parser that went on to
 * the object's end. Only {@link ClassNotFoundException} is thrown when the object is over. Methods
 * of the same class that the stream is passed to are looked into; those of other classes are not.
 *
 * <p>Where a class passes neither, nothing is said against it: it is just not known where its data
 * end.
 */
final class ReadObject {
  private static final String STREAM = "java/io/ObjectInputStream";
  private static final String SIGNATURE = "(L" + STREAM + ";)V";
  private static final Set<String> READ_FIELDS = Set.of("defaultReadObject", "readFields");
  private static final Set<String> ASK_NOTHING_OF_THE_BYTES =
      Set.of("registerValidation", "getObjectInputFilter");
  private static final Set<String> HARMLESS_CATCHES = Set.of("java/lang/ClassNotFoundException");

  private static final BasicValue THE_STREAM = new BasicValue(Type.getObjectType(STREAM));

  // What may be true where an instruction begins.
  /** The fields have not been read. */
  private static final int BEFORE = 1;

  /** The fields have been read. */
  private static final int AFTER = 2;

  /** The stream failed, and somebody caught that. */
  private static final int FAILED = 4;

  private final ClassNode type;
  private final boolean hasFields;
  private final Set<String> seen = new HashSet<>();
  private boolean returns;

  private ReadObject(ClassNode type, boolean hasFields) {
    this.type = type;
    this.hasFields = hasFields;
  }

  /** What a class reads. */
  static Reading of(ClassNode type, boolean hasFields, boolean writesOwnData) {
    for (MethodNode method : type.methods) {
      if (method.name.equals("readObject")
          && method.desc.equals(SIGNATURE)
          && (method.access & Opcodes.ACC_STATIC) == 0
          && (method.access & Opcodes.ACC_PRIVATE) != 0) {
        // Without fields all are read before the first byte; own data are read as such.
        boolean nothingToRead = !hasFields && writesOwnData;
        ReadObject analysis = new ReadObject(type, hasFields);
        boolean good = analysis.proves(method, nothingToRead ? AFTER : BEFORE);
        if (!good) {
          return Reading.UNPROVEN;
        }
        return analysis.returns ? Reading.AS_DECLARED : Reading.REFUSED;
      }
    }
    return Reading.AS_DECLARED;
  }

  private boolean proves(MethodNode method, int entry) {
    if (!seen.add(method.name + method.desc)) {
      return true;
    }
    boolean outermost = seen.size() == 1;
    try {
      Flow flow = new Flow(type.name, method);
      int[] states = flow.states(entry);
      for (int i = 0; i < states.length; i++) {
        if (states[i] != 0 && !allows(flow, i, states[i], outermost)) {
          return false;
        }
      }
      return true;
    } catch (AnalyzerException | IndexOutOfBoundsException e) {
      return false; // damaged byte code, which no JVM would run
    }
  }

  private boolean allows(Flow flow, int index, int state, boolean outermost) {
    AbstractInsnNode instruction = flow.at(index);
    if (instruction.getOpcode() == Opcodes.RETURN && outermost) {
      returns = true;
      if ((state & BEFORE) != 0 && hasFields) {
        return false;
      }
    }
    boolean isReturn =
        instruction.getOpcode() >= Opcodes.IRETURN && instruction.getOpcode() <= Opcodes.RETURN;
    if ((isReturn || flow.usesStream(index)) && (state & FAILED) != 0) {
      return false;
    }
    if (!flow.usesStream(index) || flow.readsFields(index)) {
      return true;
    }
    if ((state & BEFORE) != 0) {
      return false;
    }
    for (MethodNode callee : flow.calleesOf(index, type)) {
      if (!proves(callee, AFTER)) {
        return false;
      }
    }
    return true;
  }

  /** One method: where the stream is, and what leads where. */
  private static final class Flow extends Analyzer<BasicValue> {
    private final MethodNode method;
    private final List<List<Integer>> next = new ArrayList<>();
    private final Frame<BasicValue>[] frames;

    Flow(String owner, MethodNode method) throws AnalyzerException {
      super(new Marking());
      this.method = method;
      for (int i = 0; i < method.instructions.size(); i++) {
        next.add(new ArrayList<>());
      }
      frames = analyze(owner, method);
    }

    @Override
    protected void newControlFlowEdge(int from, int to) {
      next.get(from).add(to);
    }

    AbstractInsnNode at(int index) {
      return method.instructions.get(index);
    }

    /** What may be true at each instruction; 0 where control never comes. */
    int[] states(int entry) {
      InsnList instructions = method.instructions;
      int[] states = new int[instructions.size()];
      Deque<Integer> changed = new ArrayDeque<>();
      if (states.length > 0) {
        states[0] = entry;
        changed.add(0);
      }
      while (!changed.isEmpty()) {
        int index = changed.remove();
        int after = readsFields(index) ? AFTER | (states[index] & FAILED) : states[index];
        for (int to : next.get(index)) {
          enter(states, changed, to, after);
        }
        for (TryCatchBlockNode block : method.tryCatchBlocks) {
          if (instructions.indexOf(block.start) <= index
              && index < instructions.indexOf(block.end)
              && frames[index] != null) {
            boolean dangerous =
                !HARMLESS_CATCHES.contains(String.valueOf(block.type)) && mayRead(index);
            int caught = states[index] | after | (dangerous ? FAILED : 0);
            enter(states, changed, instructions.indexOf(block.handler), caught);
          }
        }
      }
      return states;
    }

    private static void enter(int[] states, Deque<Integer> changed, int to, int state) {
      if ((states[to] | state) != states[to]) {
        states[to] |= state;
        changed.add(to);
      }
    }

    /**
     * Whether the stream may be read there: by itself, or by somebody that it was given to before.
     */
    private boolean mayRead(int index) {
      return usesStream(index) || (escapes() && at(index) instanceof MethodInsnNode);
    }

    /** Whether the stream is kept by another object, a lambda for example. */
    private boolean escapes() {
      for (int i = 0; i < frames.length; i++) {
        AbstractInsnNode instruction = at(i);
        int code = instruction.getOpcode();
        boolean keeps =
            code == Opcodes.PUTFIELD
                || code == Opcodes.PUTSTATIC
                || code == Opcodes.AASTORE
                || code == Opcodes.INVOKEDYNAMIC
                || (instruction instanceof MethodInsnNode call && call.name.equals("<init>"));
        if (keeps && usesStream(i)) {
          return true;
        }
      }
      return false;
    }

    /** Whether an instruction takes the stream off the stack to do something with it. */
    boolean usesStream(int index) {
      Frame<BasicValue> frame = frames[index];
      if (frame == null) {
        return false;
      }
      AbstractInsnNode instruction = at(index);
      int taken;
      if (instruction instanceof MethodInsnNode call) {
        if (call.owner.equals(STREAM) && ASK_NOTHING_OF_THE_BYTES.contains(call.name)) {
          return false;
        }
        taken = arguments(call.desc) + (call.getOpcode() == Opcodes.INVOKESTATIC ? 0 : 1);
      } else if (instruction instanceof InvokeDynamicInsnNode call) {
        taken = arguments(call.desc);
      } else {
        int code = instruction.getOpcode();
        boolean stores =
            code == Opcodes.PUTFIELD
                || code == Opcodes.PUTSTATIC
                || code == Opcodes.AASTORE
                || code == Opcodes.ARETURN;
        taken = stores ? 1 : 0;
      }
      int size = frame.getStackSize();
      for (int i = Math.max(0, size - taken); i < size; i++) {
        if (THE_STREAM.equals(frame.getStack(i))) {
          return true;
        }
      }
      return false;
    }

    private static int arguments(String signature) {
      return Type.getArgumentCount(signature);
    }

    boolean readsFields(int index) {
      return at(index) instanceof MethodInsnNode call
          && call.owner.equals(STREAM)
          && READ_FIELDS.contains(call.name)
          && usesStream(index);
    }

    /** Methods of the same class that get the stream there. */
    List<MethodNode> calleesOf(int index, ClassNode type) {
      List<MethodNode> callees = new ArrayList<>();
      if (at(index) instanceof MethodInsnNode call && call.owner.equals(type.name)) {
        add(callees, type, call.name, call.desc);
      } else if (at(index) instanceof InvokeDynamicInsnNode call) {
        for (Object argument : call.bsmArgs) {
          if (argument instanceof Handle handle && handle.getOwner().equals(type.name)) {
            add(callees, type, handle.getName(), handle.getDesc());
          }
        }
      }
      return callees;
    }

    private static void add(
        List<MethodNode> callees, ClassNode type, String name, String signature) {
      for (MethodNode method : type.methods) {
        if (method.name.equals(name) && method.desc.equals(signature)) {
          callees.add(method);
        }
      }
    }
  }

  /** Tells the stream from all other values; in doubt it is the stream. */
  private static final class Marking extends BasicInterpreter {
    Marking() {
      super(ASM9);
    }

    @Override
    public BasicValue newParameterValue(boolean isInstanceMethod, int local, Type type) {
      return type.getSort() == Type.OBJECT && type.getInternalName().equals(STREAM)
          ? THE_STREAM
          : super.newParameterValue(isInstanceMethod, local, type);
    }

    @Override
    public BasicValue unaryOperation(AbstractInsnNode instruction, BasicValue value)
        throws AnalyzerException {
      return instruction.getOpcode() == Opcodes.CHECKCAST && THE_STREAM.equals(value)
          ? THE_STREAM
          : super.unaryOperation(instruction, value);
    }

    @Override
    public BasicValue merge(BasicValue one, BasicValue other) {
      return THE_STREAM.equals(one) || THE_STREAM.equals(other)
          ? THE_STREAM
          : super.merge(one, other);
    }
  }
}
