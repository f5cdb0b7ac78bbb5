package io.rmigate.client.pac;

import java.util.Arrays;

/**
 * Runs a {@link RegexProgram} over a text, going back to where there was a choice whenever it leads
 * nowhere. Each instruction is a step of the budget; what it goes back to is kept in an array, and
 * not on the stack, so that the budget bounds that as well. Confined to a thread, for one text.
 */
final class RegexMatcher {
  private final RegexProgram program;
  private final String text;
  private final boolean ignoresCase;
  private final Budget budget;
  private final int line;
  private final int[] slots;

  /** Pairs: instruction and position of a choice, or −1−slot and what was in it. */
  private int[] trail = new int[64];

  private int top;

  RegexMatcher(RegexProgram program, String text, boolean ignoresCase, Budget budget, int line) {
    this.program = program;
    this.text = text;
    this.ignoresCase = ignoresCase;
    this.budget = budget;
    this.line = line;
    this.slots = new int[program.slots()];
  }

  /** Whether the expression matches anywhere; the groups are then those of the first match. */
  boolean find() throws PacException {
    for (int start = 0; start <= text.length(); start++) {
      Arrays.fill(slots, -1);
      budget.spend(1 + slots.length / 16, line);
      top = 0;
      if (runs(0, start)) {
        return true;
      }
    }
    return false;
  }

  /** The text that a group has matched; null if the group has not matched. */
  String group(int number) {
    int from = slots[2 * number];
    int to = slots[2 * number + 1];
    return from < 0 || to < from ? null : text.substring(from, to);
  }

  private boolean runs(int start, int from) throws PacException {
    int base = top;
    int at = start;
    int position = from;
    while (true) {
      RegexProgram.Instruction step = program.get(at);
      budget.spend(step.set().steps(), line);
      boolean leadsOn = true;
      at++;
      switch (step.kind()) {
        case DONE -> {
          return true;
        }
        case CHARACTER -> {
          leadsOn =
              position < text.length() && step.set().contains(text.charAt(position), ignoresCase);
          position++;
        }
        case SPLIT -> {
          push(step.second(), position);
          at = step.first();
        }
        case JUMP -> at = step.first();
        case SAVE -> save(step.first(), position);
        case MOVED -> leadsOn = slots[step.first()] != position;
        case BEGIN -> leadsOn = position == 0;
        case END -> leadsOn = position == text.length();
        case WORD_EDGE -> leadsOn = isWordEdge(position);
        case NO_WORD_EDGE -> leadsOn = !isWordEdge(position);
        case BACK -> {
          String group = group(step.first()); // nothing where it has not matched (ECMA-262 §22.2.2)
          int length = group == null ? 0 : group.length();
          budget.spend(length / 16, line);
          leadsOn = length == 0 || text.regionMatches(ignoresCase, position, group, 0, length);
          position += length;
        }
        case LOOK -> {
          leadsOn = looks(at, position);
          at = step.first();
        }
        case LOOK_NOT -> {
          leadsOn = !looksAndForgets(at, position);
          at = step.first();
        }
      }
      while (!leadsOn) {
        if (top == base) {
          return false;
        }
        top -= 2;
        if (trail[top] >= 0) {
          at = trail[top];
          position = trail[top + 1];
          leadsOn = true;
        } else {
          slots[-1 - trail[top]] = trail[top + 1];
        }
      }
    }
  }

  /** Having found one way it tries no other; the groups within may have to be undone later. */
  private boolean looks(int start, int position) throws PacException {
    int base = top;
    if (!runs(start, position)) {
      return false;
    }
    int kept = base;
    for (int i = base; i < top; i += 2) {
      if (trail[i] < 0) {
        trail[kept] = trail[i];
        trail[kept + 1] = trail[i + 1];
        kept += 2;
      }
    }
    top = kept;
    return true;
  }

  private boolean looksAndForgets(int start, int position) throws PacException {
    int base = top;
    boolean found = runs(start, position);
    while (top > base) {
      top -= 2;
      if (trail[top] < 0) {
        slots[-1 - trail[top]] = trail[top + 1];
      }
    }
    return found;
  }

  private void save(int slot, int position) {
    push(-1 - slot, slots[slot]);
    slots[slot] = position;
  }

  private void push(int what, int value) {
    if (top == trail.length) {
      trail = Arrays.copyOf(trail, 2 * trail.length);
    }
    trail[top++] = what;
    trail[top++] = value;
  }

  private boolean isWordEdge(int position) {
    boolean before = position > 0 && CharacterSet.isWord(text.charAt(position - 1));
    boolean behind = position < text.length() && CharacterSet.isWord(text.charAt(position));
    return before != behind;
  }
}
