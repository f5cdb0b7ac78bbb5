package io.rmigate.protocol.jrmp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.protocol.jrmp.MessageEnd.Complete;
import io.rmigate.protocol.jrmp.MessageEnd.Malformed;
import io.rmigate.protocol.jrmp.MessageEnd.Truncated;
import io.rmigate.protocol.jrmp.MessageEnd.Unparseable;
import io.rmigate.protocol.jrmp.ReadSequence.Op;
import io.rmigate.protocol.jrmp.ReadSequence.Step;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Unframed data are followed by the sequence of their class's reads, within bounds. */
@SuppressWarnings("serial")
class ReadSequenceTest {
  private static final int DEEP = 60_000;

  /** As many objects as its number says. */
  public static final class Row implements Externalizable {
    private static final long serialVersionUID = 1L;
    private Object[] all = {};

    public Row() {}

    Row(Object... all) {
      this.all = all;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeInt(all.length);
      for (Object one : all) {
        out.writeObject(one);
      }
      out.writeUTF("end");
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      all = new Object[in.readInt()];
      for (int i = 0; i < all.length; i++) {
        all[i] = in.readObject();
      }
      in.readUTF();
    }
  }

  private static Step of(Op op, int to, int left, int right, long constant, int target) {
    return new Step(op, to, left, right, constant, target);
  }

  private static final ReadSequence ROW =
      new ReadSequence(
          2,
          List.of(
              Step.read(Op.READ_INT, 0),
              of(Op.COPY, 1, ReadSequence.CONSTANT, ReadSequence.CONSTANT, 0, 0),
              of(Op.JUMP_IF_AT_LEAST, -1, 1, 0, 0, 6),
              Step.of(Op.READ_OBJECT),
              of(Op.ADD, 1, 1, ReadSequence.CONSTANT, 1, 0),
              of(Op.JUMP, -1, -1, -1, 0, 2),
              Step.of(Op.READ_TEXT),
              Step.of(Op.END)));

  /** An observer that gives the same reads to an Externalizable of any class. */
  private static class Following implements StreamObserver {
    private final ReadSequence sequence;
    private final List<String> told = new ArrayList<>();
    private int open;

    Following(ReadSequence sequence) {
      this.sequence = sequence;
    }

    @Override
    public ReadSequence readSequence(StreamClass type) {
      return sequence;
    }

    @Override
    public void beginObject(int handle, StreamClass type) {
      open++;
    }

    @Override
    public void beginAnnotation(StreamClass descriptor) {
      open++;
    }

    @Override
    public void onEnd() {
      open--;
    }

    @Override
    public void beginExternalRun(int at) {
      told.add("run");
    }

    @Override
    public void onExternalData(int at, int length) {
      told.add("data " + length);
    }

    @Override
    public void onString(int handle, int at, int length) {
      told.add("string");
    }
  }

  private static MessageEnd end(byte[] call, ReadSequence sequence) {
    return MessageGrammar.endOfRequest(call, 0, call.length, new Following(sequence));
  }

  @Test
  void eachBeginningGoesOnAndTheWholeIsComplete() {
    byte[] call = CallBytes.callWith(new Object[] {new Row("a", new Row(), null), "behind"});
    for (int length = 42; length < call.length; length++) {
      MessageEnd end = MessageGrammar.endOfRequest(call, 0, length, new Following(ROW));
      assertThat(end).as("of %s bytes", length).isEqualTo(Truncated.INSTANCE);
    }
    assertThat(end(call, ROW)).isEqualTo(new Complete(call.length));
  }

  @Test
  void inPiecesItIsToldAsAtOnce() {
    byte[] call = CallBytes.callWith(new Row("a", new Row("b"), null));
    Following whole = new Following(ROW);
    MessageEnd end = MessageGrammar.endOfRequest(call, 0, call.length, whole);
    assertThat(end).isEqualTo(new Complete(call.length));
    Following pieces = new Following(ROW);
    GrowingCall growing = new GrowingCall(pieces);
    for (int length = 1; length <= call.length; length++) {
      end = growing.end(call, length);
    }
    assertThat(end).isEqualTo(new Complete(call.length));
    assertThat(pieces.told)
        .isEqualTo(whole.told)
        .containsExactly(
            "run", "data 4", "string", "run", "data 4", "string", "run", "data 5", "run", "data 5");
    assertThat(pieces.open).isZero();
  }

  /**
   * Where a receiver without a class would go on, by any step that reads bytes, even one of none.
   */
  @Test
  void runsOfBytesBeginWithTheDataAndBehindObjects() {
    ReadSequence reads =
        new ReadSequence(
            1,
            List.of(
                Step.bytes(0),
                Step.read(Op.READ_SHORT, 0),
                Step.bytes(2),
                Step.of(Op.READ_OBJECT),
                Step.of(Op.READ_OBJECT),
                Step.bytes(0),
                Step.of(Op.READ_TEXT),
                Step.read(Op.READ_BYTE, 0),
                Step.of(Op.END)));
    byte[] call =
        CallBytes.call(
            out ->
                out.writeObject(
                    new Written(
                        its -> {
                          its.writeInt(7);
                          its.writeObject("a");
                          its.writeObject("b");
                          its.writeUTF("");
                          its.writeByte(1);
                        })));
    Following whole = new Following(reads);
    MessageEnd end = MessageGrammar.endOfRequest(call, 0, call.length, whole);
    assertThat(end).isEqualTo(new Complete(call.length));
    assertThat(whole.told)
        .containsExactly(
            "data 0", "run", "data 2", "data 2", "string", "string", "data 0", "run", "data 2",
            "data 1");
  }

  /** Long enough to pass before it is there as a whole. */
  @Test
  void aRunOfBytesThatComesInPiecesBeginsOnce() {
    int length = 1 << 12;
    ReadSequence reads =
        new ReadSequence(0, List.of(Step.bytes(length), Step.bytes(1), Step.of(Op.END)));
    byte[] call =
        CallBytes.call(out -> out.writeObject(new Written(its -> its.write(new byte[length + 1]))));
    Following pieces =
        new Following(reads) {
          @Override
          public boolean takesPieces() {
            return true;
          }
        };
    GrowingCall growing = new GrowingCall(pieces);
    MessageEnd end = Truncated.INSTANCE;
    for (int i = 1; i <= call.length; i++) {
      end = growing.end(call, i);
    }
    assertThat(end).isEqualTo(new Complete(call.length));
    assertThat(pieces.told).containsExactly("run", "data 1");
  }

  /** Writes what it is told to. */
  public static final class Written implements Externalizable {
    private static final long serialVersionUID = 1L;

    /** Writes. */
    interface Writer {
      void write(ObjectOutput out) throws IOException;
    }

    private Writer writer = out -> {};

    public Written() {}

    Written(Writer writer) {
      this.writer = writer;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      writer.write(out);
    }

    @Override
    public void readExternal(ObjectInput in) {}
  }

  /** No call of the parser is made within another one. */
  @Test
  void oneWithinTheOtherTakesNoStack() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(CallBytes.callWith(new Row()), 0, CallBytes.callWith(new Row()).length - 9);
    DataOutputStream out = new DataOutputStream(bytes);
    for (int i = 0; i < DEEP; i++) {
      out.writeInt(1);
      out.write(new byte[] {0x73, 0x71, 0, 0x7E, 0, 0});
    }
    out.writeInt(0);
    for (int i = 0; i <= DEEP; i++) {
      out.writeUTF("");
    }
    byte[] call = bytes.toByteArray();
    assertThat(end(call, ROW)).isEqualTo(new Complete(call.length));
  }

  @Test
  void depthIsBoundedByFrames() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(CallBytes.callWith(new Row()), 0, CallBytes.callWith(new Row()).length - 9);
    DataOutputStream out = new DataOutputStream(bytes);
    for (int i = 0; i < MessageGrammar.MAX_FRAMES; i++) {
      out.writeInt(1);
      out.write(new byte[] {0x73, 0x71, 0, 0x7E, 0, 0});
    }
    assertThat(end(bytes.toByteArray(), ROW)).isInstanceOf(Unparseable.class);
  }

  @Test
  void roundsThatReadNothingAreCounted() {
    ReadSequence idle =
        new ReadSequence(
            1,
            List.of(
                Step.read(Op.READ_INT, 0),
                of(Op.SUBTRACT, 0, 0, ReadSequence.CONSTANT, 1, 0),
                Step.bytes(0),
                of(Op.JUMP_IF_GREATER, -1, 0, ReadSequence.CONSTANT, 0, 1),
                Step.of(Op.END)));
    byte[] few = CallBytes.call(out -> out.writeObject(new Counted(300)));
    assertThat(end(few, idle)).isEqualTo(new Complete(few.length));
    for (int rounds : new int[] {2000, Integer.MAX_VALUE}) {
      byte[] many = CallBytes.call(out -> out.writeObject(new Counted(rounds)));
      assertThat(end(many, idle))
          .isInstanceOfSatisfying(
              Unparseable.class,
              end -> assertThat(end.externalizable()).contains(Counted.class.getName()));
    }
  }

  public static final class Counted implements Externalizable {
    private static final long serialVersionUID = 1L;
    private int number;

    public Counted() {}

    Counted(int number) {
      this.number = number;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeInt(number);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      number = in.readInt();
    }
  }

  @Test
  void whatTheClassRefusesIsMalformed() {
    byte[] call = CallBytes.callWith(new Counted(-1));
    ReadSequence bytes =
        new ReadSequence(
            1,
            List.of(
                Step.read(Op.READ_INT, 0), of(Op.READ_BYTES, -1, 0, -1, 0, 0), Step.of(Op.END)));
    assertThat(end(call, bytes)).isInstanceOf(Malformed.class);
    ReadSequence refuses = new ReadSequence(0, List.of(Step.of(Op.REFUSE)));
    assertThat(end(call, refuses)).isInstanceOf(Malformed.class);
  }

  @Test
  void aSequenceThatCannotBeFollowedIsNone() {
    for (List<Step> steps :
        List.<List<Step>>of(
            List.of(),
            List.of(Step.read(Op.READ_INT, 0)),
            List.of(of(Op.JUMP, -1, -1, -1, 0, 1)),
            List.of(Step.read(Op.READ_INT, 1), Step.of(Op.END)))) {
      assertThatThrownBy(() -> new ReadSequence(1, steps))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(
            () -> new ReadSequence(ReadSequence.MOST_LOCALS + 1, List.of(Step.of(Op.END))))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
