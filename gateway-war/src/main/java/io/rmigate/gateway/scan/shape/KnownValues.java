package io.rmigate.gateway.scan.shape;

import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.BasicInterpreter;
import org.objectweb.asm.tree.analysis.BasicValue;
import org.objectweb.asm.tree.analysis.Interpreter;

/** Interpreter of instructions on {@link KnownValue}s, except calls, fields and new arrays. */
final class KnownValues extends Interpreter<KnownValue> {
  static final KnownValues INSTANCE = new KnownValues();

  /** Interpreter that determines the size of each result. */
  private final BasicInterpreter sizes = new BasicInterpreter();

  private KnownValues() {
    super(Opcodes.ASM9);
  }

  private static KnownValue other(BasicValue value) {
    return value == null ? null : KnownValue.other(value.getSize());
  }

  @Override
  public KnownValue newValue(Type type) {
    return type == null
        ? KnownValue.OTHER
        : type.getSort() == Type.VOID ? null : KnownValue.other(type.getSize());
  }

  @Override
  public KnownValue newOperation(AbstractInsnNode instruction) throws AnalyzerException {
    KnownValue other = other(sizes.newOperation(instruction));
    return constant(instruction) == null ? other : KnownValue.number(other.size());
  }

  /** The integer that an instruction pushes; null for any other instruction. */
  static Long constant(AbstractInsnNode instruction) {
    int opcode = instruction.getOpcode();
    if (opcode >= Opcodes.ICONST_M1 && opcode <= Opcodes.ICONST_5) {
      return (long) opcode - Opcodes.ICONST_0;
    }
    if (opcode == Opcodes.LCONST_0 || opcode == Opcodes.LCONST_1) {
      return (long) opcode - Opcodes.LCONST_0;
    }
    if (opcode == Opcodes.BIPUSH || opcode == Opcodes.SIPUSH) {
      return (long) ((IntInsnNode) instruction).operand;
    }
    boolean number =
        instruction instanceof LdcInsnNode constant
            && (constant.cst instanceof Integer || constant.cst instanceof Long);
    return number ? Long.valueOf(((Number) ((LdcInsnNode) instruction).cst).longValue()) : null;
  }

  @Override
  public KnownValue copyOperation(AbstractInsnNode instruction, KnownValue value) {
    return value;
  }

  @Override
  public KnownValue unaryOperation(AbstractInsnNode instruction, KnownValue value)
      throws AnalyzerException {
    int opcode = instruction.getOpcode();
    if (opcode == Opcodes.CHECKCAST) {
      boolean same = StreamReads.isInterface(((TypeInsnNode) instruction).desc);
      return value.isStream() && !same ? KnownValue.DOUBTFUL : value;
    }
    KnownValue other = other(sizes.unaryOperation(instruction, BasicValue.UNINITIALIZED_VALUE));
    boolean known =
        opcode == Opcodes.ARRAYLENGTH
            ? value.kind() == KnownValue.Kind.ARRAY
            : value.isNumber() && (Arithmetic.ofOne(opcode) != null || opcode == Opcodes.IINC);
    return known ? KnownValue.number(other.size()) : other;
  }

  @Override
  public KnownValue binaryOperation(AbstractInsnNode instruction, KnownValue one, KnownValue two)
      throws AnalyzerException {
    KnownValue other =
        other(
            sizes.binaryOperation(
                instruction, BasicValue.UNINITIALIZED_VALUE, BasicValue.UNINITIALIZED_VALUE));
    boolean known =
        one.isNumber() && two.isNumber() && Arithmetic.ofTwo(instruction.getOpcode()) != null;
    return known ? KnownValue.number(other.size()) : other;
  }

  @Override
  public KnownValue ternaryOperation(
      AbstractInsnNode instruction, KnownValue one, KnownValue two, KnownValue three) {
    return null;
  }

  @Override
  public KnownValue naryOperation(AbstractInsnNode instruction, List<? extends KnownValue> values)
      throws AnalyzerException {
    return other(sizes.naryOperation(instruction, List.of()));
  }

  @Override
  public void returnOperation(
      AbstractInsnNode instruction, KnownValue value, KnownValue expected) {}

  @Override
  public KnownValue merge(KnownValue one, KnownValue other) {
    return one.merge(other);
  }
}
