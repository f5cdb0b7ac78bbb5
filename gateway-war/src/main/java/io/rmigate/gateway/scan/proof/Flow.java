package io.rmigate.gateway.scan.proof;

import io.rmigate.gateway.scan.proof.Facts.Call;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.MultiANewArrayInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.Interpreter;

/** Which {@link Value values} instructions make of which, in one method. */
final class Flow extends Interpreter<Value> {
  private static final Type NULL = Type.getObjectType("null");
  private static final long SMALL = 1 << 16;

  /** What they return is of the JDK, if what they are given is. */
  private static final Set<String> WRAPPERS =
      Set.of(
          "java/util/Arrays",
          "java/util/Collections",
          "java/util/List",
          "java/util/Map",
          "java/util/Set");

  private final Types types;
  private final StaticFields statics;
  private final MethodNode method;
  private final Facts facts;

  /** By the instruction that makes an object of the jars: taint of what its constructor gets. */
  private final Map<Integer, Long> made = new HashMap<>();

  private boolean madeMore;

  Flow(StaticFields statics, MethodNode method, Facts facts) {
    super(Opcodes.ASM9);
    this.types = statics.types();
    this.statics = statics;
    this.method = method;
    this.facts = facts;
  }

  /** Whether an object has been found to hold more than was known when it was made. */
  boolean hasMore() {
    boolean more = madeMore;
    madeMore = false;
    return more;
  }

  private void construct(MethodInsnNode call, List<? extends Value> values) {
    Value object = values.get(0);
    if (call.name.equals("<init>") && object.exact() && types.isOfJars(call.owner)) {
      long mask = 0;
      for (Value value : values.subList(1, values.size())) {
        mask |= value.isReference() ? value.mask() : 0;
      }
      long known = made.getOrDefault(object.origin(), 0L);
      if ((known | mask) != known) {
        made.put(object.origin(), known | mask);
        madeMore = true;
      }
    }
  }

  private int index(AbstractInsnNode instruction) {
    return method.instructions.indexOf(instruction);
  }

  @Override
  public Value newValue(Type type) {
    return type == null
        ? Value.NOTHING
        : type.getSort() == Type.VOID ? null : Value.of(small(type), 0, Value.MIXED);
  }

  /** The type on the stack. */
  private static Type small(Type type) {
    return switch (type.getSort()) {
      case Type.BOOLEAN, Type.BYTE, Type.CHAR, Type.SHORT -> Type.INT_TYPE;
      default -> type;
    };
  }

  @Override
  public Value newParameterValue(boolean isInstanceMethod, int local, Type type) {
    int number = isInstanceMethod && local == 0 ? 0 : isInstanceMethod ? 1 : 0;
    if (!isInstanceMethod || local > 0) {
      int at = isInstanceMethod ? 1 : 0;
      for (Type parameter : Type.getArgumentTypes(method.desc)) {
        if (at == local) {
          break;
        }
        at += parameter.getSize();
        number++;
      }
    }
    return Value.of(small(type), taint(type, new Facts.Source.Parameter(number)), -1);
  }

  private long taint(Type type, Facts.Source source) {
    return canBeTainted(type) ? facts.bit(source) : 0;
  }

  /** Floating-point numbers decide nothing; what never changes may come from anywhere. */
  private boolean canBeTainted(Type type) {
    return canBeTainted(types, type);
  }

  /** The same. */
  static boolean canBeTainted(Types types, Type type) {
    return switch (type.getSort()) {
      case Type.OBJECT -> !types.isImmutable(type.getInternalName());
      case Type.ARRAY, Type.INT, Type.LONG -> true;
      default -> false;
    };
  }

  @Override
  public Value newEmptyValue(int local) {
    return Value.NOTHING;
  }

  @Override
  public Value newExceptionValue(TryCatchBlockNode block, Frame<Value> handler, Type type) {
    return Value.of(type, 0, Value.MIXED);
  }

  @Override
  public Value newOperation(AbstractInsnNode instruction) {
    int at = index(instruction);
    return switch (instruction.getOpcode()) {
      case Opcodes.ACONST_NULL -> Value.of(NULL, 0, at).asConstant();
      case Opcodes.LCONST_0, Opcodes.LCONST_1 -> Value.of(Type.LONG_TYPE, 0, at).asConstant();
      case Opcodes.FCONST_0, Opcodes.FCONST_1, Opcodes.FCONST_2 -> Value.of(Type.FLOAT_TYPE, 0, at);
      case Opcodes.DCONST_0, Opcodes.DCONST_1 -> Value.of(Type.DOUBLE_TYPE, 0, at);
      case Opcodes.LDC -> constant(((LdcInsnNode) instruction).cst, at);
      case Opcodes.GETSTATIC -> staticField((FieldInsnNode) instruction, at);
      case Opcodes.NEW -> {
        String type = ((TypeInsnNode) instruction).desc;
        yield Value.of(Type.getObjectType(type), made.getOrDefault(at, 0L), at).asExact(true);
      }
      case Opcodes.JSR -> Value.of(Type.VOID_TYPE, 0, at);
      default -> Value.of(Type.INT_TYPE, 0, at).asConstant();
    };
  }

  private Value constant(Object constant, int at) {
    if (constant instanceof Long) {
      return Value.of(Type.LONG_TYPE, 0, at).asConstant();
    }
    if (constant instanceof Integer) {
      return Value.of(Type.INT_TYPE, 0, at).asConstant();
    }
    if (constant instanceof Float) {
      return Value.of(Type.FLOAT_TYPE, 0, at);
    }
    if (constant instanceof Double) {
      return Value.of(Type.DOUBLE_TYPE, 0, at);
    }
    if (constant instanceof String) {
      return Value.of(Type.getObjectType("java/lang/String"), 0, at).asConstant();
    }
    if (constant instanceof ConstantDynamic dynamic) {
      return Value.of(small(Type.getType(dynamic.getDescriptor())), 0, at);
    }
    return Value.of(Type.getObjectType("java/lang/Class"), 0, at);
  }

  private Value staticField(FieldInsnNode field, int at) {
    Type type = Type.getType(field.desc);
    boolean changes = type.getSort() >= Type.ARRAY && canBeTainted(type);
    long loose =
        (types.fieldAccess(field.owner, field.name) & Opcodes.ACC_FINAL) == 0 ? Facts.LOOSE : 0;
    Value its = Value.of(small(type), changes ? Facts.TAINTED | loose : 0, at);
    if (!changes || loose != 0) {
      return its;
    }
    String exact = statics.exactType(types.declaring(field.owner, field.name), field.name);
    if (exact.isEmpty() || exact.equals(Value.EMPTY)) {
      return exact.isEmpty() ? its : its.withMask(0);
    }
    Value known = its.withType(Type.getObjectType(exact)).asExact(true);
    return types.isImmutableItself(exact) ? known.withMask(0) : known;
  }

  @Override
  public Value copyOperation(AbstractInsnNode instruction, Value value) {
    if (instruction.getOpcode() >= Opcodes.ILOAD && instruction.getOpcode() <= Opcodes.ALOAD) {
      return value.withLocal(((VarInsnNode) instruction).var);
    }
    boolean stored =
        instruction.getOpcode() >= Opcodes.ISTORE && instruction.getOpcode() <= Opcodes.ASTORE;
    return stored ? value.withLocal(-1) : value;
  }

  @Override
  public Value unaryOperation(AbstractInsnNode instruction, Value value) {
    int at = index(instruction);
    return switch (instruction.getOpcode()) {
      case Opcodes.IINC -> Value.of(Type.INT_TYPE, value.mask(), at);
      case Opcodes.INEG, Opcodes.I2B, Opcodes.I2C, Opcodes.I2S, Opcodes.L2I ->
          value.withType(Type.INT_TYPE);
      case Opcodes.LNEG, Opcodes.I2L -> value.withType(Type.LONG_TYPE);
      case Opcodes.FNEG, Opcodes.I2F, Opcodes.L2F, Opcodes.D2F -> Value.of(Type.FLOAT_TYPE, 0, at);
      case Opcodes.DNEG, Opcodes.I2D, Opcodes.L2D, Opcodes.F2D -> Value.of(Type.DOUBLE_TYPE, 0, at);
      case Opcodes.F2I, Opcodes.D2I -> Value.of(Type.INT_TYPE, Facts.TAINTED, at);
      case Opcodes.F2L, Opcodes.D2L -> Value.of(Type.LONG_TYPE, Facts.TAINTED, at);
      case Opcodes.GETFIELD -> field((FieldInsnNode) instruction, value, at);
      case Opcodes.NEWARRAY -> array(array(((IntInsnNode) instruction).operand), instruction);
      case Opcodes.ANEWARRAY -> {
        String type = ((TypeInsnNode) instruction).desc;
        yield array(Type.getType("[" + Type.getObjectType(type).getDescriptor()), instruction);
      }
      case Opcodes.ARRAYLENGTH ->
          Value.of(Type.INT_TYPE, 0, at)
              .asElement(value.element())
              .measuring("array " + value.place());
      case Opcodes.CHECKCAST -> {
        Type type = Type.getObjectType(((TypeInsnNode) instruction).desc);
        Value cast = value.exact() ? value : value.withType(type);
        yield canBeTainted(type) ? cast : cast.withMask(0);
      }
      case Opcodes.INSTANCEOF -> Value.of(Type.INT_TYPE, 0, at);
      default -> null;
    };
  }

  private Value array(Type type, AbstractInsnNode instruction) {
    Value made = Value.of(type, 0, index(instruction)).asExact(true);
    AbstractInsnNode before = instruction.getPrevious();
    return before != null && before.getOpcode() == Opcodes.ICONST_0
        ? made.measuring(Value.EMPTY)
        : made;
  }

  private static Type array(int code) {
    return Type.getType(
        switch (code) {
          case Opcodes.T_BOOLEAN -> "[Z";
          case Opcodes.T_CHAR -> "[C";
          case Opcodes.T_BYTE -> "[B";
          case Opcodes.T_SHORT -> "[S";
          case Opcodes.T_INT -> "[I";
          case Opcodes.T_FLOAT -> "[F";
          case Opcodes.T_DOUBLE -> "[D";
          default -> "[J";
        });
  }

  private Value field(FieldInsnNode field, Value object, int at) {
    Type type = Type.getType(field.desc);
    if (!canBeTainted(small(type))) {
      return Value.of(small(type), 0, at).asElement(object.element());
    }
    boolean number = type.getSort() < Type.ARRAY;
    String declaring = types.declaring(field.owner, field.name);
    long its = facts.bit(new Facts.Source.Field(declaring + '.' + field.name));
    boolean sent =
        number
            && types.isSerializable(declaring)
            && (types.fieldAccess(field.owner, field.name) & Opcodes.ACC_TRANSIENT) == 0;
    long mask = sent ? Facts.TAINTED : number ? its : its | ofPart(object.mask());
    return Value.of(small(type), mask, at)
        .asElement(object.element())
        .measuring("field " + declaring + '.' + field.name);
  }

  /** Of what is in something. */
  private static long ofPart(long mask) {
    return (mask & Facts.TAINTED) == 0 ? mask : mask | Facts.LOOSE;
  }

  @Override
  public Value binaryOperation(AbstractInsnNode instruction, Value one, Value other) {
    int at = index(instruction);
    long both = one.mask() | other.mask();
    return switch (instruction.getOpcode()) {
      case Opcodes.IALOAD, Opcodes.BALOAD, Opcodes.CALOAD, Opcodes.SALOAD ->
          Value.of(Type.INT_TYPE, Facts.TAINTED, at);
      case Opcodes.LALOAD -> Value.of(Type.LONG_TYPE, Facts.TAINTED, at);
      case Opcodes.FALOAD -> Value.of(Type.FLOAT_TYPE, 0, at);
      case Opcodes.DALOAD -> Value.of(Type.DOUBLE_TYPE, 0, at);
      case Opcodes.AALOAD -> part(one, at);
      case Opcodes.IADD, Opcodes.ISUB, Opcodes.IOR, Opcodes.IXOR ->
          Value.of(Type.INT_TYPE, both, at)
              .asElement((one.element() || one.constant()) && (other.element() || other.constant()))
              .measuring(one.measured().isEmpty() ? other.measured() : one.measured());
      case Opcodes.IMUL, Opcodes.ISHL -> product(Type.INT_TYPE, one, other, at);
      case Opcodes.IDIV, Opcodes.ISHR, Opcodes.IUSHR ->
          Value.of(Type.INT_TYPE, one.mask(), at).measuring(one.measured());
      case Opcodes.IREM -> Value.of(Type.INT_TYPE, smaller(one, other), at);
      case Opcodes.IAND -> Value.of(Type.INT_TYPE, smaller(one, other), at);
      case Opcodes.LADD, Opcodes.LSUB, Opcodes.LOR, Opcodes.LXOR ->
          Value.of(Type.LONG_TYPE, both, at);
      case Opcodes.LMUL, Opcodes.LSHL -> product(Type.LONG_TYPE, one, other, at);
      case Opcodes.LDIV, Opcodes.LSHR, Opcodes.LUSHR -> Value.of(Type.LONG_TYPE, one.mask(), at);
      case Opcodes.LREM, Opcodes.LAND -> Value.of(Type.LONG_TYPE, smaller(one, other), at);
      case Opcodes.LCMP, Opcodes.FCMPL, Opcodes.FCMPG, Opcodes.DCMPL, Opcodes.DCMPG ->
          Value.of(Type.INT_TYPE, 0, at);
      case Opcodes.FADD, Opcodes.FSUB, Opcodes.FMUL, Opcodes.FDIV, Opcodes.FREM ->
          Value.of(Type.FLOAT_TYPE, 0, at);
      case Opcodes.DADD, Opcodes.DSUB, Opcodes.DMUL, Opcodes.DDIV, Opcodes.DREM ->
          Value.of(Type.DOUBLE_TYPE, 0, at);
      default -> null;
    };
  }

  /** Of two numbers that are tainted in no way one is as good as the other. */
  private static long smaller(Value one, Value other) {
    return one.mask() == 0 || other.mask() == 0 ? 0 : one.mask() | other.mask();
  }

  private static Value product(Type type, Value one, Value other, int at) {
    long mask = one.constant() || other.constant() ? one.mask() | other.mask() : Facts.TAINTED;
    return Value.of(type, mask, at);
  }

  private Value part(Value array, int at) {
    Type type =
        array.type() != null && array.type().getSort() == Type.ARRAY
            ? Type.getType(array.type().getDescriptor().substring(1))
            : Type.getObjectType(Types.OBJECT);
    long mask =
        canBeTainted(type)
            ? ofPart(array.mask()) | facts.bit(new Facts.Source.Field(elements(type)))
            : 0;
    return Value.of(type, mask, at).asElement(true);
  }

  /** All arrays of a type are one. */
  static String elements(Type type) {
    return "[]" + type.getDescriptor();
  }

  @Override
  public Value ternaryOperation(AbstractInsnNode instruction, Value one, Value other, Value third) {
    return null;
  }

  @Override
  public Value naryOperation(AbstractInsnNode instruction, List<? extends Value> values) {
    int at = index(instruction);
    if (instruction instanceof MultiANewArrayInsnNode made) {
      return Value.of(Type.getType(made.desc), 0, at).asExact(true);
    }
    if (instruction instanceof InvokeDynamicInsnNode dynamic) {
      Type type = Type.getReturnType(dynamic.desc);
      return type.getSort() == Type.VOID ? null : Value.of(small(type), 0, at);
    }
    MethodInsnNode call = (MethodInsnNode) instruction;
    if (call.getOpcode() == Opcodes.INVOKESPECIAL) {
      construct(call, values);
    }
    Type type = Type.getReturnType(call.desc);
    return type.getSort() == Type.VOID ? null : result(call, small(type), values, at);
  }

  private Value result(MethodInsnNode call, Type type, List<? extends Value> values, int at) {
    boolean byReceiver = call.getOpcode() != Opcodes.INVOKESTATIC;
    boolean element = values.stream().anyMatch(Value::element);
    boolean platform = !types.isOfJars(call.owner);
    Value result =
        Value.of(type, 0, at)
            .asElement(element || (platform && PlatformCalls.takesPart(call.owner, call.name)));
    if (!canBeTainted(type)) {
      return result;
    }
    long mask = 0;
    boolean number = type.getSort() < Type.ARRAY;
    if (platform && number) {
      return number(call, result, values, byReceiver);
    }
    if (!platform) {
      long[] masks = new long[values.size()];
      for (int i = 0; i < masks.length; i++) {
        masks[i] = values.get(i).isReference() == number ? 0 : values.get(i).mask();
      }
      facts.given.put(at, new Facts.Given(callOn(call, values), masks));
      return result.withMask(facts.bit(new Facts.Source.Result(at)));
    }
    boolean wraps = !byReceiver && WRAPPERS.contains(call.owner);
    for (Value value : byReceiver ? values.subList(0, 1) : values) {
      mask |= value.isReference() ? ofPart(value.mask()) : 0;
      wraps &= value.exact() || value.constant() || !value.isReference();
    }
    return result.withMask(mask).asExact(wraps && type.getSort() == Type.OBJECT);
  }

  /** What a method of the JDK computes. */
  private static Value number(
      MethodInsnNode call, Value result, List<? extends Value> values, boolean byReceiver) {
    if (call.owner.equals("java/lang/Math") && values.size() == 2) {
      Value one = values.get(0);
      Value other = values.get(1);
      return result.withMask(
          call.name.equals("min") ? smaller(one, other) : one.mask() | other.mask());
    }
    boolean truth = Type.getReturnType(call.desc).getSort() == Type.BOOLEAN;
    if (truth || PlatformCalls.isMeasure(call.name)) {
      return byReceiver ? result.measuring("size " + values.get(0).place()) : result;
    }
    return result.withMask(Facts.TAINTED);
  }

  /** A call; on an object whose class is known of that class's method. */
  Call callOn(MethodInsnNode call, List<? extends Value> values) {
    String signature = call.name + call.desc;
    boolean byObject =
        call.getOpcode() == Opcodes.INVOKEVIRTUAL || call.getOpcode() == Opcodes.INVOKEINTERFACE;
    Type type = byObject ? values.get(0).type() : null;
    return type != null && type.getSort() == Type.OBJECT && values.get(0).exact()
        ? new Call(
            Opcodes.INVOKESPECIAL,
            type.getInternalName(),
            signature,
            types.isInterface(type.getInternalName()))
        : new Call(call.getOpcode(), call.owner, signature, call.itf);
  }

  @Override
  public void returnOperation(AbstractInsnNode instruction, Value value, Value expected) {
    // looked at afterwards
  }

  @Override
  public Value merge(Value one, Value other) {
    if (NULL.equals(one.type()) && other.isReference()) {
      return merged(other, one);
    }
    if (NULL.equals(other.type()) && one.isReference()) {
      return merged(one, other);
    }
    Value both = one.merge(other);
    return both.equals(one) ? one : both;
  }

  private static Value merged(Value value, Value nothing) {
    return value.merge(nothing.withType(value.type()));
  }

  /** The constant that a small number is, or more than any. */
  static long constantOf(AbstractInsnNode instruction) {
    int code = instruction.getOpcode();
    if (code >= Opcodes.ICONST_M1 && code <= Opcodes.ICONST_5) {
      return (long) code - Opcodes.ICONST_0;
    }
    if (instruction instanceof IntInsnNode number && code != Opcodes.NEWARRAY) {
      return number.operand;
    }
    return instruction instanceof LdcInsnNode constant && constant.cst instanceof Integer number
        ? number
        : SMALL + 1;
  }

  /** The values that an instruction takes off the stack, the first first. */
  static List<Value> taken(Frame<Value> frame, int count) {
    List<Value> all = new ArrayList<>(count);
    for (int i = frame.getStackSize() - count; i < frame.getStackSize(); i++) {
      all.add(frame.getStack(i));
    }
    return all;
  }
}
