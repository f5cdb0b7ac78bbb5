package io.rmigate.protocol.jrmp;

import io.rmigate.protocol.jrmp.MessageEnd.Unparseable;
import io.rmigate.protocol.jrmp.ReadSequence.Step;
import java.util.Optional;

/**
 * Follows the {@link ReadSequence} of an Externalizable through its unframed data. Its integers lie
 * on the stack of frames, below the frame that says which step is next: an Externalizable within
 * another one takes no Java stack. For one thread.
 */
abstract class StreamSequences extends StreamDescriptors {
  /** Steps that read nothing, in one stream, and for each byte of it: some 40 ms of a MiB. */
  private static final int FREE_STEPS = 1 << 10;

  private static final int STEPS_OF_A_BYTE = 8;

  /**
   * Bytes that data may announce for each byte of the stream so far, since a receiver may take
   * memory for all of them at once.
   */
  private static final int BELIEVED_BYTES = 64;

  /**
   * Added to the index of the next step: bytes that it reads are the first of their run, at the
   * beginning of the data or behind an object in them.
   */
  private static final int RUN_BEGINS = 1 << 16;

  /** Steps so far that have read nothing; negative beyond all that are allowed. */
  private int computed;

  StreamSequences(int freeDescriptors) {
    super(freeDescriptors);
  }

  final void beginSequences() {
    computed = 0;
  }

  /** Keeps the progress in this step of the parser: it is not undone when bytes run out. */
  abstract void keepStep(long frame);

  /** Whether bytes may be told when only the first piece of them is there. */
  abstract boolean takesPieces();

  /** The data of an Externalizable begin. */
  final void pushSequence(StreamClass its, ReadSequence sequence) throws Stop {
    for (int i = 0; i < sequence.locals(); i++) {
      push(OBJECTS, 0); // room
    }
    push(SEQUENCE, RUN_BEGINS, its);
  }

  /** Goes on to the next object, or to the end. */
  final void sequence(int top, long frame) throws Stop {
    StreamClass its = classes[classIndex(frame)];
    ReadSequence sequence = observer.readSequence(its); // a class has no room to keep it
    int first = top - sequence.locals();
    int next = count(frame) & ~RUN_BEGINS;
    long itsBegin = frame - count(frame);
    while (true) {
      Step step = sequence.step(next);
      if (step.op().isRead()) {
        frames[top] = itsBegin + (frames[top] & RUN_BEGINS) + next;
        keepStep(frames[top]);
        next++;
        if (read(step, first, its)) {
          frames[top] += 1;
          continue;
        }
        return;
      }
      switch (step.op()) {
        case END -> {
          depth = first;
          observer.onEnd();
          return;
        }
        case REFUSE -> throw malformed("not the data of a " + its.label());
        default -> next = compute(step, first, next, its);
      }
    }
  }

  /** Whether it is over, and the next step may follow at once. */
  private boolean read(Step step, int first, StreamClass its) throws Stop {
    switch (step.op()) {
      case READ_OBJECT -> {
        frames[depth - 1] = (frames[depth - 1] + 1) | RUN_BEGINS;
        pushObjects(1);
        return false;
      }
      case READ_TEXT -> {
        need(2);
        int length = BigEndian.unsignedShort(buf, pos);
        need(2L + length);
        text(pos + 2, length);
        told(2 + length);
        return true;
      }
      case READ_BYTES -> {
        return bytes(value(step.left(), step.constant(), first), its);
      }
      default -> {
        long value = value(step);
        if (step.to() >= 0) {
          frames[first + step.to()] = value;
        }
        return true;
      }
    }
  }

  private boolean bytes(long count, StreamClass its) throws Stop {
    if (count < 0 || count > Integer.MAX_VALUE) {
      throw malformed("not the data of a " + its.label());
    }
    if (count == 0) {
      spend(its);
    }
    boolean inPieces = takesPieces();
    need(inPieces ? Math.max(Math.min(count, 1), count / BELIEVED_BYTES) : count);
    if (count <= limit - pos) {
      told((int) count);
      return true;
    }
    tellRun();
    frames[depth - 1] += 1;
    push(ELEMENTS, (int) count);
    return false;
  }

  private void told(int length) {
    if (length > 0) {
      tellRun();
    }
    observer.onExternalData(pos, length);
    pos += length;
  }

  private void tellRun() {
    if ((frames[depth - 1] & RUN_BEGINS) != 0) {
      frames[depth - 1] &= ~RUN_BEGINS;
      observer.beginExternalRun(pos);
    }
  }

  private long value(Step step) throws Stop {
    int at = pos;
    switch (step.op()) {
      case READ_BOOLEAN -> {
        take(1);
        return buf[at] == 0 ? 0 : 1;
      }
      case READ_BYTE -> {
        take(1);
        return buf[at];
      }
      case READ_UNSIGNED_BYTE -> {
        take(1);
        return buf[at] & 0xFF;
      }
      case READ_SHORT -> {
        take(2);
        return BigEndian.int16(buf, at);
      }
      case READ_CHAR -> {
        take(2);
        return BigEndian.unsignedShort(buf, at);
      }
      case READ_INT -> {
        take(4);
        return BigEndian.int32(buf, at);
      }
      case READ_LONG -> {
        take(8);
        return BigEndian.int64(buf, at);
      }
      default -> throw new AssertionError(step);
    }
  }

  private void take(int bytes) throws Stop {
    need(bytes);
    told(bytes);
  }

  private long value(int local, long constant, int first) {
    return local == ReadSequence.CONSTANT ? constant : frames[first + local];
  }

  /** Counts a step that has taken nothing from the stream. */
  private void spend(StreamClass its) throws Stop {
    if (++computed < 0 || computed > FREE_STEPS + (long) STEPS_OF_A_BYTE * (pos - begin)) {
      throw new Stop(
          new Unparseable(
              "the Externalizable " + its.label() + " computes much more than it reads",
              Optional.of(its.name())));
    }
  }

  /** The index of the step that follows. */
  private int compute(Step step, int first, int at, StreamClass its) throws Stop {
    spend(its);
    long left = value(step.left(), step.constant(), first);
    long right = value(step.right(), step.constant(), first);
    if (step.op().isJump()) {
      return jumps(step, left, right) ? step.target() : at + 1;
    }
    frames[first + step.to()] = result(step, left, right);
    return at + 1;
  }

  private static boolean jumps(Step step, long left, long right) {
    return switch (step.op()) {
      case JUMP -> true;
      case JUMP_IF_EQUAL -> left == right;
      case JUMP_IF_NOT_EQUAL -> left != right;
      case JUMP_IF_LESS -> left < right;
      case JUMP_IF_AT_LEAST -> left >= right;
      case JUMP_IF_GREATER -> left > right;
      case JUMP_IF_AT_MOST -> left <= right;
      default -> throw new AssertionError(step);
    };
  }

  /** Integers are kept as longs, with their sign. */
  private static long result(Step step, long left, long right) {
    return switch (step.op()) {
      case COPY -> left;
      case ADD -> (int) (left + right);
      case SUBTRACT -> (int) (left - right);
      case AND -> left & right;
      case COMPARE -> Long.compare(left, right);
      case TO_INT -> (int) left;
      default -> throw new AssertionError(step);
    };
  }
}
