package io.rmigate.gateway.scan.proof;

import io.rmigate.gateway.scan.proof.Origin.Kind;
import java.util.List;
import java.util.function.Predicate;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.Interpreter;

/** Follows where values come from through one method. Confined to one thread. */
final class Origins extends Interpreter<Origin> {
  private final Predicate<String> isLeaf;

  /**
   * For one method.
   *
   * @param isLeaf whether an object of a type, by its descriptor, holds no objects but texts
   */
  Origins(Predicate<String> isLeaf) {
    super(Opcodes.ASM9);
    this.isLeaf = isLeaf;
  }

  /** The value of a type, of which nothing else is known. */
  private Origin any(Type type) {
    if (type.getSort() == Type.VOID) {
      return null;
    }
    if (type.getSize() == 2) {
      return Origin.LONG_NUMBER;
    }
    String descriptor = type.getDescriptor();
    if (HarmlessCalls.isValue(descriptor)) {
      return Origin.NUMBER;
    }
    return isLeaf.test(descriptor) ? Origin.of(Kind.LEAF, "") : Origin.OTHER;
  }

  @Override
  public Origin newValue(Type type) {
    return type == null ? Origin.OTHER : any(type);
  }

  @Override
  public Origin newParameterValue(boolean isInstanceMethod, int local, Type type) {
    if (isInstanceMethod && local == 0) {
      return Origin.of(Kind.THIS, "");
    }
    Origin value = any(type);
    return value.is(Kind.OTHER) ? Origin.of(Kind.ARGUMENT, Integer.toString(local)) : value;
  }

  @Override
  public Origin newExceptionValue(
      TryCatchBlockNode handled, Frame<Origin> frame, Type exceptionType) {
    return Origin.OTHER;
  }

  @Override
  public Origin newOperation(AbstractInsnNode instruction) {
    int code = instruction.getOpcode();
    if (code >= Opcodes.ICONST_M1 && code <= Opcodes.ICONST_5) {
      return Origin.of(Kind.CONSTANT, Integer.toString(code - Opcodes.ICONST_0));
    }
    if (instruction instanceof IntInsnNode push) {
      return Origin.of(Kind.CONSTANT, Integer.toString(push.operand));
    }
    if (instruction instanceof LdcInsnNode constant) {
      int size = constant.cst instanceof Long || constant.cst instanceof Double ? 2 : 1;
      return new Origin(size, Kind.CONSTANT, String.valueOf(constant.cst));
    }
    return switch (code) {
      case Opcodes.LCONST_0, Opcodes.LCONST_1, Opcodes.DCONST_0, Opcodes.DCONST_1 ->
          Origin.LONG_NUMBER;
      case Opcodes.FCONST_0, Opcodes.FCONST_1, Opcodes.FCONST_2 -> Origin.NUMBER;
      case Opcodes.ACONST_NULL -> Origin.of(Kind.CONSTANT, "null");
      case Opcodes.GETSTATIC -> any(Type.getType(((FieldInsnNode) instruction).desc));
      case Opcodes.NEW -> Origin.of(Kind.NEW_OBJECT, number(instruction));
      default -> Origin.OTHER;
    };
  }

  @Override
  public Origin copyOperation(AbstractInsnNode instruction, Origin value) {
    return value;
  }

  @Override
  public Origin unaryOperation(AbstractInsnNode instruction, Origin value) {
    return switch (instruction.getOpcode()) {
      case Opcodes.GETFIELD -> {
        Origin content = any(Type.getType(((FieldInsnNode) instruction).desc));
        yield content.is(Kind.OTHER) && value.is(Kind.THIS) ? Origin.of(Kind.FIELD, "") : content;
      }
      case Opcodes.CHECKCAST -> value;
      case Opcodes.NEWARRAY, Opcodes.ANEWARRAY -> Origin.of(Kind.NEW_ARRAY, number(instruction));
      case Opcodes.LNEG,
          Opcodes.DNEG,
          Opcodes.I2L,
          Opcodes.I2D,
          Opcodes.L2D,
          Opcodes.F2L,
          Opcodes.F2D,
          Opcodes.D2L ->
          Origin.LONG_NUMBER;
      default -> Origin.NUMBER;
    };
  }

  private static String number(AbstractInsnNode instruction) {
    return Integer.toString(System.identityHashCode(instruction));
  }

  @Override
  public Origin binaryOperation(AbstractInsnNode instruction, Origin first, Origin second) {
    return switch (instruction.getOpcode()) {
      case Opcodes.AALOAD -> Origin.OTHER;
      case Opcodes.LALOAD,
          Opcodes.DALOAD,
          Opcodes.LADD,
          Opcodes.DADD,
          Opcodes.LSUB,
          Opcodes.DSUB,
          Opcodes.LMUL,
          Opcodes.DMUL,
          Opcodes.LDIV,
          Opcodes.DDIV,
          Opcodes.LREM,
          Opcodes.DREM,
          Opcodes.LSHL,
          Opcodes.LSHR,
          Opcodes.LUSHR,
          Opcodes.LAND,
          Opcodes.LOR,
          Opcodes.LXOR ->
          Origin.LONG_NUMBER;
      default -> Origin.NUMBER;
    };
  }

  @Override
  public Origin ternaryOperation(
      AbstractInsnNode instruction, Origin first, Origin second, Origin third) {
    return null;
  }

  @Override
  public Origin naryOperation(AbstractInsnNode instruction, List<? extends Origin> values) {
    if (instruction instanceof InvokeDynamicInsnNode dynamic) {
      return any(Type.getReturnType(dynamic.desc));
    }
    if (instruction instanceof MethodInsnNode call) {
      Origin result = any(Type.getReturnType(call.desc));
      if (call.owner.equals("java/util/Objects") && call.name.equals("requireNonNull")) {
        return values.get(0);
      }
      if (result == null || !result.is(Kind.OTHER)) {
        return result;
      }
      if (call.name.equals("readObject") && call.owner.startsWith("java/io/ObjectInput")) {
        return Origin.of(Kind.READ, number(call));
      }
      if (call.name.equals("get") && call.owner.equals("java/io/ObjectInputStream$GetField")) {
        return Origin.of(Kind.READ, "field " + values.get(1).name());
      }
      return result;
    }
    return Origin.OTHER;
  }

  @Override
  public void returnOperation(AbstractInsnNode instruction, Origin value, Origin expected) {}

  @Override
  public Origin merge(Origin first, Origin second) {
    return first.or(second);
  }
}
