package io.rmigate.gateway.scan.shape;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Frame;

/**
 * One method: where the stream is, what leads where, and what may be true on the way. A parameter
 * is the stream if it is given that, or if its type is one that the stream has; values of such
 * types from elsewhere are not.
 */
final class StreamFlow extends Analyzer<BasicValue> {
  // What may be true where an instruction begins.
  /** The fields have not been read. */
  static final int BEFORE = 1;

  /** The fields have been read. */
  static final int AFTER = 2;

  /** The stream failed, and the failure was caught. */
  static final int FAILED = 4;

  /**
   * A {@link ClassNotFoundException} was caught with which the method must not end. A method may
   * throw the exception again that it has caught.
   */
  static final int MISSED = 8;

  private static final String STREAM = "java/io/ObjectInputStream";
  private static final Set<String> TYPES_OF_THE_STREAM =
      Set.of(
          STREAM,
          "java/io/ObjectInput",
          "java/io/DataInput",
          "java/io/InputStream",
          "java/io/ObjectStreamConstants",
          "java/io/Closeable",
          "java/lang/AutoCloseable");

  /** A value that is cast to one of these types is taken for the stream, from any source. */
  private static final Set<String> TYPES_OF_NOTHING_ELSE =
      Set.of(STREAM, "java/io/ObjectInput", "java/io/DataInput");

  private static final Set<String> READ_FIELDS = Set.of("defaultReadObject", "readFields");
  private static final Set<String> ASK_NOTHING_OF_THE_BYTES =
      Set.of("registerValidation", "getObjectInputFilter");
  private static final Set<String> HARMLESS_CATCHES = Set.of("java/lang/ClassNotFoundException");

  private static final BasicValue THE_STREAM = new BasicValue(Type.getObjectType(STREAM));

  /** The object that is being read. */
  private static final BasicValue THE_OBJECT = new BasicValue(Type.getObjectType("(object)"));

  /** A throwable as some handler has got it. */
  private static final BasicValue CAUGHT = new BasicValue(Type.getObjectType("(caught)"));

  private static final BasicValue NO_OBJECT = new BasicValue(Type.getObjectType("null"));

  /** Which instructions may end in a {@link ClassNotFoundException} of their own. */
  interface Leaving {
    boolean at(StreamFlow flow, int index) throws IOException;
  }

  private final MethodNode method;
  private final List<List<Integer>> next = new ArrayList<>();
  private final Frame<BasicValue>[] frames;

  /** Null until the first query. */
  private Boolean escapes;

  StreamFlow(Methods.Method method, KnownArguments given) throws AnalyzerException {
    super(new Marking(given));
    this.method = method.code();
    for (int i = 0; i < this.method.instructions.size(); i++) {
      next.add(new ArrayList<>());
    }
    frames = analyze(method.owner().name, this.method);
  }

  @Override
  protected void newControlFlowEdge(int from, int to) {
    next.get(from).add(to);
  }

  AbstractInsnNode at(int index) {
    return method.instructions.get(index);
  }

  /**
   * What may be true at each instruction; 0 where control never comes.
   *
   * @param matters in which of these states a ClassNotFoundException must not leave the method
   */
  int[] states(int entry, int matters, Leaving leaving) throws IOException {
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
        if (covers(block, index) && frames[index] != null) {
          boolean dangerous =
              !HARMLESS_CATCHES.contains(String.valueOf(block.type)) && mayRead(index);
          boolean misses =
              (states[index] & matters) != 0
                  && MissingClasses.catches(block)
                  && leaving.at(this, index);
          int caught = states[index] | after | (dangerous ? FAILED : 0) | (misses ? MISSED : 0);
          enter(states, changed, instructions.indexOf(block.handler), caught);
        }
      }
    }
    return states;
  }

  private boolean covers(TryCatchBlockNode block, int index) {
    return method.instructions.indexOf(block.start) <= index
        && index < method.instructions.indexOf(block.end);
  }

  /** Whether a ClassNotFoundException thrown there is caught in this method. */
  boolean catchesMissing(int index) {
    return method.tryCatchBlocks.stream()
        .anyMatch(block -> covers(block, index) && MissingClasses.catches(block));
  }

  private static void enter(int[] states, Deque<Integer> changed, int to, int state) {
    if ((states[to] | state) != states[to]) {
      states[to] |= state;
      changed.add(to);
    }
  }

  /** Whether an instruction may read the stream, itself or through an object that has kept it. */
  private boolean mayRead(int index) {
    return usesStream(index) || (at(index) instanceof MethodInsnNode && escapes());
  }

  /** Whether the stream is kept by another object. */
  private boolean escapes() {
    if (escapes == null) {
      escapes = looksForEscapes();
    }
    return escapes;
  }

  private boolean looksForEscapes() {
    for (int i = 0; i < frames.length; i++) {
      AbstractInsnNode instruction = at(i);
      boolean keeps =
          keeps(instruction)
              || (instruction instanceof MethodInsnNode call && call.name.equals("<init>"));
      if (keeps && usesStream(i)) {
        return true;
      }
    }
    return false;
  }

  /** Whether an instruction puts the stream into a field, an array or a lambda. */
  boolean keepsStream(int index) {
    return keeps(at(index)) && usesStream(index);
  }

  /** A lambda counts, because it may read the stream at an unknown place. */
  private static boolean keeps(AbstractInsnNode instruction) {
    int code = instruction.getOpcode();
    return code == Opcodes.PUTFIELD
        || code == Opcodes.PUTSTATIC
        || code == Opcodes.AASTORE
        || code == Opcodes.INVOKEDYNAMIC;
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
    } else if (instruction instanceof InvokeDynamicInsnNode lambda) {
      taken = arguments(lambda.desc);
    } else {
      taken = keeps(instruction) || instruction.getOpcode() == Opcodes.ARETURN ? 1 : 0;
    }
    int size = frame.getStackSize();
    for (int i = Math.max(0, size - taken); i < size; i++) {
      if (THE_STREAM.equals(frame.getStack(i))) {
        return true;
      }
    }
    return false;
  }

  /** Whether the stream is returned there as what it is not known to be. */
  boolean hidesStream(int index) {
    return at(index).getOpcode() == Opcodes.ARETURN
        && usesStream(index)
        && !TYPES_OF_THE_STREAM.contains(returned(method.desc));
  }

  /** The arguments of a call at an instruction. */
  KnownArguments given(int index) {
    MethodInsnNode call = (MethodInsnNode) at(index);
    Frame<BasicValue> frame = frames[index];
    Type[] types = Type.getArgumentTypes(call.desc);
    int at = frame.getStackSize() - types.length;
    Set<Integer> locals = new HashSet<>();
    int local = 0;
    boolean object = false;
    if (call.getOpcode() != Opcodes.INVOKESTATIC) {
      BasicValue receiver = frame.getStack(at - 1);
      object = THE_OBJECT.equals(receiver);
      if (THE_STREAM.equals(receiver)) {
        locals.add(0);
      }
      local = 1;
    }
    int ofReceiver = locals.size();
    for (Type type : types) {
      if (THE_STREAM.equals(frame.getStack(at++))) {
        locals.add(local);
      }
      local += type.getSize();
    }
    return new KnownArguments(object, locals, locals.size() > ofReceiver);
  }

  private static String returned(String signature) {
    Type type = Type.getReturnType(signature);
    return type.getSort() == Type.OBJECT ? type.getInternalName() : "";
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

  /** Whether what is thrown there is what was caught before. */
  boolean throwsCaught(int index) {
    return thrown(index).filter(CAUGHT::equals).isPresent();
  }

  /** The internal name of what is thrown there, as far as it is known; else empty. */
  Optional<String> thrownType(int index) {
    return thrown(index)
        .filter(value -> !CAUGHT.equals(value))
        .map(value -> value.isReference() ? value.getType().getInternalName() : "java/lang/Object");
  }

  private Optional<BasicValue> thrown(int index) {
    Frame<BasicValue> frame = frames[index];
    return frame == null || at(index).getOpcode() != Opcodes.ATHROW
        ? Optional.empty()
        : Optional.of(frame.getStack(frame.getStackSize() - 1));
  }

  /** Tells the stream, and what was caught, from all other values; in doubt it is the stream. */
  private static final class Marking extends BasicInterpreter {
    private final KnownArguments given;

    Marking(KnownArguments given) {
      super(ASM9);
      this.given = given;
    }

    @Override
    public BasicValue newValue(Type type) {
      boolean known =
          type != null
              && type.getSort() == Type.OBJECT
              && !type.getInternalName().equals(STREAM); // one of its own making
      return known ? new BasicValue(type) : super.newValue(type);
    }

    @Override
    public BasicValue newParameterValue(boolean isInstanceMethod, int local, Type type) {
      boolean stream =
          type.getSort() == Type.OBJECT && TYPES_OF_THE_STREAM.contains(type.getInternalName());
      if (stream || given.locals().contains(local)) {
        return THE_STREAM;
      }
      return isInstanceMethod && local == 0 && given.object()
          ? THE_OBJECT
          : super.newParameterValue(isInstanceMethod, local, type);
    }

    @Override
    public BasicValue newExceptionValue(
        TryCatchBlockNode block, Frame<BasicValue> handler, Type type) {
      return CAUGHT;
    }

    @Override
    public BasicValue unaryOperation(AbstractInsnNode instruction, BasicValue value)
        throws AnalyzerException {
      boolean stream =
          instruction instanceof TypeInsnNode cast
              && cast.getOpcode() == Opcodes.CHECKCAST
              && (THE_STREAM.equals(value) || TYPES_OF_NOTHING_ELSE.contains(cast.desc));
      return stream ? THE_STREAM : super.unaryOperation(instruction, value);
    }

    /** A method that is given the stream may return it. */
    @Override
    public BasicValue naryOperation(AbstractInsnNode instruction, List<? extends BasicValue> values)
        throws AnalyzerException {
      boolean back =
          instruction instanceof MethodInsnNode call
              && values.contains(THE_STREAM)
              && (TYPES_OF_THE_STREAM.contains(returned(call.desc))
                  || HarmlessCalls.handsBack(call.owner, call.name));
      return back ? THE_STREAM : super.naryOperation(instruction, values);
    }

    @Override
    public BasicValue merge(BasicValue one, BasicValue other) {
      if (THE_STREAM.equals(one) || THE_STREAM.equals(other)) {
        return THE_STREAM;
      }
      if (one.equals(other) || !one.isReference() || !other.isReference()) {
        return super.merge(one, other);
      }
      if (NO_OBJECT.equals(one) || NO_OBJECT.equals(other)) {
        return NO_OBJECT.equals(one) ? other : one;
      }
      return BasicValue.REFERENCE_VALUE;
    }
  }
}
