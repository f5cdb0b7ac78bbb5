package io.rmigate.client.pac;

import java.util.ArrayList;
import java.util.List;

/**
 * The instructions that a regular expression comes down to; repetitions with a count are written
 * out. While it is made, its length is bounded.
 */
final class RegexProgram {
  private static final int MAX_INSTRUCTIONS = 20_000;

  /** The operation of an instruction. */
  enum Kind {
    /** One character of {@code set}. */
    CHARACTER,
    /** Goes on at {@code first} and, if that leads nowhere, at {@code second}. */
    SPLIT,
    JUMP,
    /** Remembers the position in slot {@code first}. */
    SAVE,
    /** Leads nowhere if the position is still that in slot {@code first}: an empty repetition. */
    MOVED,
    BEGIN,
    END,
    WORD_EDGE,
    NO_WORD_EDGE,
    /** The text that group {@code first} has matched. */
    BACK,
    /** Checks whether the instructions up to {@code first} match from here. */
    LOOK,
    LOOK_NOT,
    DONE
  }

  /** One instruction of the program. */
  record Instruction(Kind kind, int first, int second, CharacterSet set) {}

  private final List<Instruction> instructions = new ArrayList<>();
  private int parts;
  private int slots;

  private RegexProgram(int groups) {
    slots = 2 * (groups + 1);
  }

  /**
   * The program of the whole expression.
   *
   * @throws IllegalArgumentException the program is too long
   */
  static RegexProgram of(RegexParser.Node whole, int groups) {
    RegexProgram program = new RegexProgram(groups);
    program.add(Kind.SAVE, 0);
    whole.emit(program);
    program.add(Kind.SAVE, 1);
    program.add(Kind.DONE, 0);
    return program;
  }

  Instruction get(int index) {
    return instructions.get(index);
  }

  int size() {
    return instructions.size();
  }

  /** The cost of making the program, in steps. */
  int cost() {
    return instructions.size() + parts;
  }

  /** Positions to remember: two for each group, one for each repetition. */
  int slots() {
    return slots;
  }

  int newSlot() {
    return slots++;
  }

  /** A part is written, of which nothing may come: repetitions of nothing are bounded, too. */
  void countPart() {
    if (++parts > MAX_INSTRUCTIONS) {
      throw tooLong();
    }
  }

  int add(Kind kind, int first) {
    return add(new Instruction(kind, first, 0, CharacterSet.NONE));
  }

  int add(Instruction instruction) {
    if (instructions.size() == MAX_INSTRUCTIONS) {
      throw tooLong();
    }
    instructions.add(instruction);
    return instructions.size() - 1;
  }

  void set(int index, Kind kind, int first, int second) {
    instructions.set(index, new Instruction(kind, first, second, CharacterSet.NONE));
  }

  private static IllegalArgumentException tooLong() {
    return new IllegalArgumentException(
        "regular expression: its repetitions are too many (" + MAX_INSTRUCTIONS + ")");
  }
}
