package io.rmigate.protocol.jrmp;

import java.util.List;

/**
 * What the {@code readExternal} of one class takes from a stream: the part of its control flow that
 * decides about reads, as a small program over numbered integers. A parser without the class
 * follows it through unframed data, and so finds where they end. It is derived from a class file,
 * never from a message. Immutable; any thread.
 */
public final class ReadSequence {
  /**
   * Integers that one sequence keeps: each takes room in the parser for each object that is open.
   */
  public static final int MOST_LOCALS = 16;

  /** Steps of one sequence. */
  public static final int MOST_STEPS = 4096;

  /** In place of a local: the step's constant. */
  public static final int CONSTANT = -1;

  /** In place of a local that is written: the value is not kept. */
  public static final int NOWHERE = -1;

  /** The operation of a step. */
  public enum Op {
    /** Reads a boolean, which is kept as 0 or 1. */
    READ_BOOLEAN,
    READ_BYTE,
    READ_UNSIGNED_BYTE,
    READ_SHORT,
    READ_CHAR,
    READ_INT,
    READ_LONG,

    /** Reads as many bytes as {@code left} says. */
    READ_BYTES,

    /** Reads a text as {@link java.io.DataInput#readUTF} does. */
    READ_TEXT,

    /** Reads an object: one element of the grammar. */
    READ_OBJECT,

    /** Copies {@code left}. */
    COPY,
    ADD,
    SUBTRACT,
    AND,

    /** -1, 0 or 1, as {@code left} is less than, equal to, or greater than {@code right}. */
    COMPARE,
    TO_INT,

    /** Goes on at {@code target}. */
    JUMP,
    JUMP_IF_EQUAL,
    JUMP_IF_NOT_EQUAL,
    JUMP_IF_LESS,
    JUMP_IF_AT_LEAST,
    JUMP_IF_GREATER,
    JUMP_IF_AT_MOST,

    /** The class throws: no such data are read to their end. */
    REFUSE,

    /** The data are over. */
    END;

    /** Whether it takes something from the stream. */
    public boolean isRead() {
      return compareTo(READ_OBJECT) <= 0;
    }

    /** Whether it may go on at its target. */
    public boolean isJump() {
      return compareTo(JUMP) >= 0 && compareTo(JUMP_IF_AT_MOST) <= 0;
    }

    /** Whether the next step may follow. */
    public boolean goesOn() {
      return this != JUMP && this != REFUSE && this != END;
    }
  }

  /**
   * One step.
   *
   * @param to the local that is written, or {@link #NOWHERE}
   * @param left the local that is read first, or {@link #CONSTANT}
   * @param right the local that is read second, or {@link #CONSTANT}
   * @param constant what stands for one of them
   * @param target the index of the step that a jump goes to; else 0
   */
  public record Step(Op op, int to, int left, int right, long constant, int target) {
    /** A step that only writes: a read of a value. */
    public static Step read(Op op, int to) {
      return new Step(op, to, CONSTANT, CONSTANT, 0, 0);
    }

    /** A read of {@code count} bytes. */
    public static Step bytes(long count) {
      return new Step(Op.READ_BYTES, NOWHERE, CONSTANT, CONSTANT, count, 0);
    }

    /** A step without locals. */
    public static Step of(Op op) {
      return new Step(op, NOWHERE, CONSTANT, CONSTANT, 0, 0);
    }
  }

  private final int locals;
  private final List<Step> list;
  private final Step[] steps;

  /**
   * A sequence.
   *
   * @param locals how many integers it keeps
   * @throws IllegalArgumentException it is none that a parser can follow
   */
  public ReadSequence(int locals, List<Step> steps) {
    this.locals = locals;
    this.list = List.copyOf(steps);
    this.steps = list.toArray(Step[]::new);
    check();
  }

  private void check() {
    boolean fits =
        locals >= 0
            && locals <= MOST_LOCALS
            && steps.length > 0
            && steps.length <= MOST_STEPS
            && !steps[steps.length - 1].op().goesOn();
    for (Step step : steps) {
      fits &= isLocal(step.to()) && isLocal(step.left()) && isLocal(step.right());
      fits &= step.target() >= 0 && step.target() < steps.length;
    }
    if (!fits) {
      throw new IllegalArgumentException("no sequence of reads: " + list);
    }
  }

  private boolean isLocal(int number) {
    return number >= CONSTANT && number < locals;
  }

  /** How many integers it keeps. */
  public int locals() {
    return locals;
  }

  /** The steps in order. */
  public List<Step> steps() {
    return list;
  }

  Step step(int index) {
    return steps[index];
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ReadSequence that && locals == that.locals && list.equals(that.list);
  }

  @Override
  public int hashCode() {
    return list.hashCode();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < steps.length; i++) {
      Step step = steps[i];
      text.append(i).append(' ').append(step.op());
      text.append(" to ").append(step.to()).append(" of ").append(step.left()).append(' ');
      text.append(step.right()).append(" constant ").append(step.constant());
      text.append(" target ").append(step.target()).append('\n');
    }
    return text.toString();
  }
}
