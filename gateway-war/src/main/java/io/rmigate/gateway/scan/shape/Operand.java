package io.rmigate.gateway.scan.shape;

import org.objectweb.asm.tree.analysis.Value;

/**
 * A value on the stack while a method becomes steps of a sequence.
 *
 * @param register that holds it, {@link #CONSTANT} or {@link #NONE}
 * @param constant its value, of a constant
 * @param size in words of a frame
 */
record Operand(int register, long constant, int size) implements Value {
  static final int CONSTANT = -1;

  /** No integer that is known. */
  static final int NONE = -2;

  static Operand none(int size) {
    return new Operand(NONE, 0, size);
  }

  static Operand constant(long value, int size) {
    return new Operand(CONSTANT, value, size);
  }

  static Operand in(int register, int size) {
    return new Operand(register, 0, size);
  }

  boolean isKnown() {
    return register != NONE;
  }

  boolean isConstant() {
    return register == CONSTANT;
  }

  @Override
  public int getSize() {
    return size;
  }
}
