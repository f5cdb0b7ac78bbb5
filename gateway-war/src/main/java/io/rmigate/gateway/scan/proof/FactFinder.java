package io.rmigate.gateway.scan.proof;

import io.rmigate.gateway.scan.proof.Facts.Call;
import io.rmigate.gateway.scan.proof.Facts.CallSite;
import io.rmigate.gateway.scan.proof.Facts.Harm;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.MultiANewArrayInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;

/** Finds the {@link Facts} of a method in its byte code. */
final class FactFinder extends Analyzer<Value> {
  private static final String LAMBDAS = "java/lang/invoke/LambdaMetafactory";

  private static final Set<String> HARMLESS_BOOTSTRAPS =
      Set.of(
          "java/lang/invoke/StringConcatFactory",
          "java/lang/runtime/ObjectMethods",
          "java/lang/runtime/SwitchBootstraps");

  /** What concatenation calls on what it is given. */
  private static final Call TEXT =
      new Call(
          Opcodes.INVOKESTATIC,
          "java/lang/String",
          "valueOf(Ljava/lang/Object;)Ljava/lang/String;",
          false);

  /** What records call on their components. */
  private static final Call HASH =
      new Call(Opcodes.INVOKESTATIC, "java/util/Objects", "hashCode(Ljava/lang/Object;)I", false);

  /** An array of fewer elements may be made by a constant: it takes less than a megabyte. */
  private static final long FEW = 1 << 16;

  private final Types types;
  private final Flow flow;
  private final MethodNode method;
  private final Facts facts;
  private final List<List<Integer>> next = new ArrayList<>();
  private Frame<Value>[] frames;
  private BitSet inLoops = new BitSet();

  /** What has been asked of which field. */
  private final Set<String> asked = new HashSet<>();

  private FactFinder(StaticFields statics, Flow flow, MethodNode method, Facts facts) {
    super(flow);
    this.flow = flow;
    this.types = statics.types();
    this.method = method;
    this.facts = facts;
    for (int i = 0; i < method.instructions.size(); i++) {
      next.add(new ArrayList<>(2));
    }
  }

  /** What a method with code does. */
  static Facts of(StaticFields statics, String owner, MethodNode method) {
    Facts facts = new Facts();
    Flow flow = new Flow(statics, method, facts);
    FactFinder finder = new FactFinder(statics, flow, method, facts);
    try {
      do {
        finder.next.forEach(List::clear);
        finder.frames = finder.analyze(owner, method);
      } while (flow.hasMore());
      Loops loops = new Loops(method, finder.frames, finder.next, statics.types(), facts);
      finder.inLoops = loops.check();
      facts.loops = !finder.inLoops.isEmpty();
      finder.collect();
    } catch (AnalyzerException | RuntimeException damaged) {
      facts.defect(Harm.SINK, "byte code that cannot be understood");
    }
    return facts;
  }

  @Override
  protected void newControlFlowEdge(int from, int to) {
    next.get(from).add(to);
  }

  @Override
  protected boolean newControlFlowExceptionEdge(int from, int to) {
    next.get(from).add(to);
    return true;
  }

  private void collect() {
    for (int i = 0; i < frames.length; i++) {
      if (frames[i] != null) {
        collect(method.instructions.get(i), frames[i], i);
      }
    }
  }

  private void collect(AbstractInsnNode instruction, Frame<Value> frame, int at) {
    switch (instruction.getOpcode()) {
      case Opcodes.PUTSTATIC -> writeStatic((FieldInsnNode) instruction, fromTop(frame, 0));
      case Opcodes.GETSTATIC -> readStatic((FieldInsnNode) instruction);
      case Opcodes.PUTFIELD -> writeField((FieldInsnNode) instruction, frame);
      case Opcodes.AASTORE -> {
        Value array = fromTop(frame, 2);
        Value value = fromTop(frame, 0);
        written(array, "an array");
        long more = value.mask() & ~array.mask();
        if (more != 0 && array.type() != null && array.type().getSort() == Type.ARRAY) {
          Type type = Type.getType(array.type().getDescriptor().substring(1));
          facts.stores.add(new Facts.Store(Flow.elements(type), more));
        }
      }
      case Opcodes.IASTORE,
          Opcodes.LASTORE,
          Opcodes.FASTORE,
          Opcodes.DASTORE,
          Opcodes.BASTORE,
          Opcodes.CASTORE,
          Opcodes.SASTORE ->
          written(fromTop(frame, 2), "an array");
      case Opcodes.NEWARRAY, Opcodes.ANEWARRAY -> sized(fromTop(frame, 0), instruction);
      case Opcodes.MULTIANEWARRAY -> {
        int dimensions = ((MultiANewArrayInsnNode) instruction).dims;
        int unknown = 0;
        for (int i = 0; i < dimensions; i++) {
          Value size = fromTop(frame, i);
          sized(size, null);
          unknown += size.constant() ? 0 : 1;
        }
        if (unknown > 1) {
          facts.defect(Harm.COST, "makes an array of several variable dimensions");
        }
      }
      case Opcodes.NEW -> {
        String type = ((TypeInsnNode) instruction).desc;
        if (types.isOfJars(type)) {
          facts.made.add(type);
        }
      }
      case Opcodes.CHECKCAST -> {
        String type = ((TypeInsnNode) instruction).desc;
        takenFromStatic(fromTop(frame, 0), type);
        present(Type.getObjectType(type), fromTop(frame, 0).mask());
      }
      case Opcodes.GETFIELD -> readField((FieldInsnNode) instruction, fromTop(frame, 0).mask());
      case Opcodes.AALOAD -> {
        Value array = fromTop(frame, 1);
        if (array.type() != null && array.type().getSort() == Type.ARRAY) {
          takenFrom(array.mask(), Type.getType(array.type().getDescriptor().substring(1)));
        }
      }
      case Opcodes.ARETURN -> facts.returned |= fromTop(frame, 0).mask();
      case Opcodes.IRETURN, Opcodes.LRETURN -> facts.returned |= fromTop(frame, 0).mask();
      case Opcodes.LDC -> {
        if (((LdcInsnNode) instruction).cst instanceof ConstantDynamic) {
          facts.defect(Harm.SINK, "a constant that code computes");
        }
      }
      default -> {
        if (instruction instanceof MethodInsnNode call) {
          call(call, frame, at);
        } else if (instruction instanceof InvokeDynamicInsnNode dynamic) {
          lambda(dynamic, frame);
        }
      }
    }
  }

  private static Value fromTop(Frame<Value> frame, int depth) {
    return frame.getStack(frame.getStackSize() - 1 - depth);
  }

  private static String name(FieldInsnNode field) {
    return PlatformCalls.dotted(field.owner, field.name);
  }

  private void writeStatic(FieldInsnNode field, Value value) {
    facts.defect(Harm.SINK, "writes the static field " + name(field));
    boolean known = value.exact() && value.type() != null && value.type().getSort() == Type.OBJECT;
    boolean empty = value.exact() && value.measured().equals(Value.EMPTY);
    String type = known ? value.type().getInternalName() : empty ? Value.EMPTY : "";
    facts.exactStatics.merge(field.name, type, (one, other) -> one.equals(other) ? one : "");
  }

  /** Of what never changes no taint is kept, but it is there. */
  private void present(Type type, long mask) {
    if (mask != 0
        && type.getSort() == Type.OBJECT
        && types.isOfJars(type.getInternalName())
        && types.isImmutable(type.getInternalName())) {
      facts.presences.add(new Facts.Presence(type.getInternalName(), mask));
    }
  }

  private void readStatic(FieldInsnNode field) {
    Type type = Type.getType(field.desc);
    if (type.getSort() == Type.OBJECT && types.isOfJars(type.getInternalName())) {
      facts.presences.add(new Facts.Presence(type.getInternalName(), Facts.TAINTED));
    }
    if (type.getSort() < Type.ARRAY
        || !Flow.canBeTainted(types, type)
        || !types.isOfJars(field.owner)) {
      return;
    }
    if ((types.fieldAccess(field.owner, field.name) & Opcodes.ACC_FINAL) != 0) {
      String declaring = types.declaring(field.owner, field.name);
      if (!facts.statics.contains(declaring)) {
        facts.statics.add(declaring);
      }
    } else if (type.getSort() == Type.OBJECT && types.isFunctional(type.getInternalName())) {
      facts.defect(Harm.SINK, "takes code from the static field " + name(field));
    }
  }

  /** The constants of an enum come with messages, and are what its initializer has made. */
  private void readField(FieldInsnNode field, long mask) {
    Type type = Type.getType(field.desc);
    present(type, mask);
    takenFrom(mask, type);
    if (types.isOfJars(field.owner) && types.isA(field.owner, "java/lang/Enum")) {
      for (String ancestor : types.ancestors(field.owner)) {
        if (types.isOfJars(ancestor) && !facts.statics.contains(ancestor)) {
          facts.statics.add(ancestor);
        }
      }
    }
  }

  private void takenFrom(long mask, Type type) {
    if ((mask & Facts.TAINTED) != 0
        && type.getSort() == Type.OBJECT
        && types.isFunctional(type.getInternalName())) {
      facts.defect(Harm.SINK, "takes code from what a static field holds");
    }
  }

  private void takenFromStatic(Value value, String type) {
    if ((value.mask() & Facts.LOOSE) != 0 && !type.startsWith("[") && types.isFunctional(type)) {
      facts.defect(Harm.SINK, "takes code from what a static field holds");
    }
  }

  private void writeField(FieldInsnNode field, Frame<Value> frame) {
    Value object = fromTop(frame, 1);
    Value value = fromTop(frame, 0);
    written(object, "an object");
    boolean number = !value.isReference();
    long more = number ? value.mask() : value.mask() & ~object.mask();
    if (more != 0 && (number || !isBeingMade(object))) { // the caller adds it to the new object
      facts.stores.add(
          new Facts.Store(types.declaring(field.owner, field.name) + '.' + field.name, more));
    }
  }

  /** Whether it is the object that this constructor makes, which no other method has yet. */
  private boolean isBeingMade(Value object) {
    return method.name.equals("<init>")
        && object.mask() == facts.bit(new Facts.Source.Parameter(0))
        && object.local() == 0;
  }

  private void written(Value object, String what) {
    if (isBeingMade(object)) {
      return;
    }
    change(object.mask(), "writes to " + what + " that a static field leads to");
  }

  /** What a method without arguments keeps in its own object is nothing of a sender's. */
  private boolean isOwnAffair(long mask) {
    return (method.access & Opcodes.ACC_STATIC) == 0
        && method.desc.startsWith("()")
        && !method.desc.endsWith("V")
        && mask == facts.bit(new Facts.Source.Parameter(0));
  }

  private void change(long mask, String what) {
    if (mask != 0 && !isOwnAffair(mask)) {
      facts.changes.add(new Facts.Change(mask, what));
    }
  }

  private void condition(long mask, Harm harm, String what) {
    if ((mask & Facts.TAINTED) != 0) {
      facts.defect(harm, what);
    } else if (mask != 0) {
      facts.conditions.add(new Facts.Condition(mask, harm, what));
    }
  }

  private void sized(Value size, AbstractInsnNode instruction) {
    boolean large =
        size.constant()
            && instruction != null
            && instruction.getPrevious() != null
            && Flow.constantOf(instruction.getPrevious()) > FEW
            && !(instruction.getPrevious() instanceof FieldInsnNode);
    if (large && instruction.getPrevious() instanceof LdcInsnNode) {
      facts.defect(Harm.COST, "makes a large array");
    }
    condition(size.mask(), Harm.COST, "makes an array as long as a sender says");
  }

  private void call(MethodInsnNode call, Frame<Value> frame, int at) {
    Type[] parameters = Type.getArgumentTypes(call.desc);
    boolean byReceiver = call.getOpcode() != Opcodes.INVOKESTATIC;
    List<Value> values = Flow.taken(frame, parameters.length + (byReceiver ? 1 : 0));
    boolean again = inLoops.get(at) && hasNoElement(values);
    List<Facts.Argument> arguments = values.stream().map(FactFinder::argument).toList();
    facts.calls.add(new CallSite(flow.callOn(call, values), arguments, again));
    if (byReceiver && PlatformCalls.isOfAnything(call.name, call.desc)) {
      askedOnce(call, values.get(0));
    }
    if (!types.isOfJars(call.owner)) {
      ofPlatform(call, values, byReceiver, at);
    }
  }

  private static Facts.Argument argument(Value value) {
    boolean array = value.type() != null && value.type().getSort() == Type.ARRAY;
    Type type = array ? value.type().getElementType() : value.type();
    boolean object = type != null && type.getSort() == Type.OBJECT;
    return new Facts.Argument(
        object ? type.getInternalName() : "", value.mask(), value.exact() && !array);
  }

  /** In a chain of objects each of which asks the next one twice the time doubles with each. */
  private void askedOnce(MethodInsnNode call, Value receiver) {
    boolean ofField = receiver.measured().startsWith("field ") && receiver.mask() != 0;
    if (ofField
        && !call.name.equals("getClass")
        && !asked.add(call.name + ' ' + receiver.measured())) {
      facts.defect(
          Harm.COST, PlatformCalls.dotted(call.owner, call.name) + ": of the same field twice");
    }
  }

  /** Of what is gone through; a stream that is read becomes less by itself. */
  private static boolean hasNoElement(List<Value> values) {
    boolean references = false;
    for (Value value : values) {
      if (value.element() || isStream(value.type())) {
        return false;
      }
      references |= value.isReference() && !value.exact();
    }
    return references;
  }

  private static boolean isStream(Type type) {
    return type != null
        && type.getSort() == Type.OBJECT
        && (type.getInternalName().startsWith("java/io/Object")
            || type.getInternalName().startsWith("java/io/Data"));
  }

  private void ofPlatform(MethodInsnNode call, List<Value> values, boolean byReceiver, int at) {
    String named = PlatformCalls.dotted(call.owner, call.name);
    if (PlatformCalls.changes(call.owner, call.name)) {
      boolean copies = call.name.equals("arraycopy");
      for (int i = copies ? 2 : 0; i < (byReceiver ? 1 : copies ? 3 : values.size()); i++) {
        if (values.get(i).isReference()) {
          change(values.get(i).mask(), named + ": changes what a static field leads to");
        }
      }
    }
    if (PlatformCalls.isSized(call.owner, call.name)) {
      for (Value value : values) {
        if (!value.isReference()) {
          condition(value.mask(), Harm.COST, named + ": as large as a sender says");
        }
      }
    }
    if (PlatformCalls.wantsConstantText(call.owner, call.name, call.desc)
        && !values
            .get(call.name.equals("format") && constantLater(call) ? 1 : textAt(call))
            .constant()) {
      facts.defect(Harm.EXPENSIVE, named + ": a text that a sender may choose");
    }
    boolean sameAgain =
        inLoops.get(at) && !values.isEmpty() && !values.get(0).element() && !values.get(0).exact();
    if (sameAgain && PlatformCalls.isLinear(call.owner, call.name, call.desc)) {
      facts.defect(Harm.COST, named + ": goes through everything again and again");
    }
  }

  private static boolean constantLater(MethodInsnNode call) {
    return call.desc.startsWith("(Ljava/util/Locale;");
  }

  private static int textAt(MethodInsnNode call) {
    return call.getOpcode() == Opcodes.INVOKESTATIC || call.name.equals("formatted") ? 0 : 1;
  }

  private void lambda(InvokeDynamicInsnNode dynamic, Frame<Value> frame) {
    if (HARMLESS_BOOTSTRAPS.contains(dynamic.bsm.getOwner())) {
      boolean record = dynamic.bsm.getOwner().endsWith("ObjectMethods");
      for (Value value : Flow.taken(frame, Type.getArgumentCount(dynamic.desc))) {
        Facts.Argument given =
            record ? new Facts.Argument(Types.OBJECT, 0, false) : argument(value);
        if (!given.type().isEmpty()) {
          facts.calls.add(new CallSite(TEXT, List.of(given), false));
          if (record) {
            facts.calls.add(new CallSite(HASH, List.of(given), false));
          }
        }
      }
      return;
    }
    if (!dynamic.bsm.getOwner().equals(LAMBDAS)) {
      facts.defect(
          Harm.SINK, dynamic.bsm.getOwner().replace('/', '.') + ": a call that code computes");
      return;
    }
    Handle body = (Handle) dynamic.bsmArgs[1];
    int code =
        switch (body.getTag()) {
          case Opcodes.H_INVOKESTATIC -> Opcodes.INVOKESTATIC;
          case Opcodes.H_INVOKEINTERFACE -> Opcodes.INVOKEINTERFACE;
          case Opcodes.H_INVOKEVIRTUAL -> Opcodes.INVOKEVIRTUAL;
          default -> Opcodes.INVOKESPECIAL;
        };
    facts.lambdas.add(
        new Call(code, body.getOwner(), body.getName() + body.getDesc(), body.isInterface()));
    if (body.getTag() == Opcodes.H_NEWINVOKESPECIAL && types.isOfJars(body.getOwner())) {
      facts.made.add(body.getOwner());
    }
  }
}
