package io.rmigate.gateway.scan.shape;

import io.rmigate.protocol.jrmp.ReadSequence.Op;
import java.util.Map;
import org.objectweb.asm.Opcodes;

/** Instructions of byte code as steps of a sequence of reads. */
final class Arithmetic {
  private static final Map<Integer, Op> OF_TWO =
      Map.ofEntries(
          Map.entry(Opcodes.IADD, Op.ADD),
          Map.entry(Opcodes.ISUB, Op.SUBTRACT),
          Map.entry(Opcodes.IAND, Op.AND),
          Map.entry(Opcodes.LCMP, Op.COMPARE));

  private static final Map<Integer, Op> OF_ONE =
      Map.of(Opcodes.L2I, Op.TO_INT, Opcodes.I2L, Op.COPY);

  private static final Map<Integer, Op> JUMPS =
      Map.ofEntries(
          Map.entry(Opcodes.IFEQ, Op.JUMP_IF_EQUAL),
          Map.entry(Opcodes.IFNE, Op.JUMP_IF_NOT_EQUAL),
          Map.entry(Opcodes.IFLT, Op.JUMP_IF_LESS),
          Map.entry(Opcodes.IFGE, Op.JUMP_IF_AT_LEAST),
          Map.entry(Opcodes.IFGT, Op.JUMP_IF_GREATER),
          Map.entry(Opcodes.IFLE, Op.JUMP_IF_AT_MOST),
          Map.entry(Opcodes.IF_ICMPEQ, Op.JUMP_IF_EQUAL),
          Map.entry(Opcodes.IF_ICMPNE, Op.JUMP_IF_NOT_EQUAL),
          Map.entry(Opcodes.IF_ICMPLT, Op.JUMP_IF_LESS),
          Map.entry(Opcodes.IF_ICMPGE, Op.JUMP_IF_AT_LEAST),
          Map.entry(Opcodes.IF_ICMPGT, Op.JUMP_IF_GREATER),
          Map.entry(Opcodes.IF_ICMPLE, Op.JUMP_IF_AT_MOST));

  private Arithmetic() {}

  /** The step of an instruction with two numbers; null for one that no step does. */
  static Op ofTwo(int opcode) {
    return OF_TWO.get(opcode);
  }

  /** The step of an instruction with one number; null for one that no step does. */
  static Op ofOne(int opcode) {
    return OF_ONE.get(opcode);
  }

  /** The step of a branch on numbers; null for any other branch. */
  static Op jump(int opcode) {
    return JUMPS.get(opcode);
  }

  /** Whether a branch compares two numbers, and not one with 0. */
  static boolean comparesTwo(int opcode) {
    return opcode >= Opcodes.IF_ICMPEQ && opcode <= Opcodes.IF_ICMPLE;
  }
}
