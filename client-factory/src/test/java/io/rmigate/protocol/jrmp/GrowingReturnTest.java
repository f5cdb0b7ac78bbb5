package io.rmigate.protocol.jrmp;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.rmigate.protocol.jrmp.message.ExceptionalReturn;
import io.rmigate.protocol.jrmp.message.LeaseReturn;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GrowingReturnTest {

  private static List<byte[]> returns() {
    List<byte[]> returns = new ArrayList<>();
    returns.add(CallBytes.normalReturn(out -> {}));
    returns.add(CallBytes.normalReturn(out -> out.write(new byte[300])));
    returns.add(ExceptionalReturn.encode(new java.rmi.ConnectException("no")));
    returns.add(LeaseReturn.encode(new VmIdentifier(1, 2, 3, (short) 4), 5));
    returns.add(
        CallBytes.normalReturn(
            out -> {
              out.writeObject("before");
              out.writeObject(new Object()); // not serializable: ends with TC_EXCEPTION
            }));
    for (Object graph : GraphCorpus.graphs().values()) {
      for (int protocol = 1; protocol <= 2; protocol++) {
        byte[] call = CallBytes.call("http://codebase/", protocol, out -> out.writeObject(graph));
        returns.add(asReturn(call));
      }
    }
    return returns.stream().filter(message -> message.length < 5000).toList();
  }

  /** Its contents behind the header of a Return. */
  private static byte[] asReturn(byte[] call) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(CallBytes.normalReturn(out -> {}));
    int contents = 1 + StreamTokens.STREAM_HEADER_BYTES + 2 + Jrmp.CALL_HEADER_BYTES;
    bytes.write(call, contents, call.length - contents);
    return bytes.toByteArray();
  }

  @Test
  void everyBeginningIsJudgedAsIfItHadComeAtOnce() {
    for (byte[] message : returns()) {
      expectTheSame(message, 1);
    }
  }

  @Test
  void everyBeginningOfADamagedOneIsJudgedAsIfItHadComeAtOnce() {
    List<byte[]> seeds = returns();
    Random random = new Random(20_261_121);
    for (int round = 0; round < 3_000; round++) {
      expectTheSame(Damage.of(seeds, random), 1 + random.nextInt(1 + round % 60));
    }
  }

  private static void expectTheSame(byte[] message, int piece) {
    GrowingReturn growing = new GrowingReturn();
    for (int length = piece; length <= message.length; length += piece) {
      byte[] soFar = Arrays.copyOf(message, length + 10); // what follows is not looked at
      MessageEnd expected = MessageGrammar.endOfReply(message, 0, length);
      assertThat(growing.end(soFar, length)).isEqualTo(expected);
      boolean open = expected instanceof MessageEnd.Truncated;
      boolean soFarWhole = expected.equals(new MessageEnd.Complete(length));
      if (!open && !soFarWhole) {
        return; // more of it changes nothing
      }
    }
  }

  /** What an observer is told, in order, without positions in arrays that may have moved. */
  private static final class Diary implements StreamObserver {
    final List<String> events = new ArrayList<>();

    @Override
    public void onContent(int at) {
      events.add("content " + at);
    }

    @Override
    public void onClassDescriptor(StreamClass descriptor) {
      events.add(
          "class %d %s %s %s"
              .formatted(
                  descriptor.index(),
                  descriptor.name(),
                  descriptor.interfaces(),
                  descriptor.declares(List.of())));
    }

    @Override
    public void beginAnnotation(StreamClass descriptor) {
      events.add("annotation");
    }

    @Override
    public void beginObject(int handle, StreamClass type) {
      events.add("object " + handle + " " + type.name());
    }

    @Override
    public void onClassData(StreamClass type, int primitivesAt) {
      events.add("data of " + type.name() + " at " + primitivesAt);
    }

    @Override
    public void beginArray(int handle, StreamClass type, int length, int elementsAt) {
      events.add("array " + handle + " " + type.name() + " " + length);
    }

    @Override
    public void beginEnum(int handle, StreamClass type) {
      events.add("enum " + handle + " " + type.name());
    }

    @Override
    public void onClass(int handle, StreamClass type) {
      events.add("class object " + handle + " " + type.name());
    }

    @Override
    public void onString(int handle, int at, int length) {
      events.add("string " + handle + " " + length);
    }

    @Override
    public void onBlockData(int at, int length) {
      events.add("block at " + at + " of " + length);
    }

    @Override
    public void onExternalData(int at, int length) {
      events.add("external at " + at + " of " + length);
    }

    @Override
    public void onReference(int handle) {
      events.add("reference " + handle);
    }

    @Override
    public void onNull() {
      events.add("null");
    }

    @Override
    public void onEnd() {
      events.add("end");
    }

    @Override
    public void onReset() {
      events.add("reset");
    }
  }

  @Test
  void anObserverOfPiecesIsToldEverythingOnce() {
    for (byte[] message : returns()) {
      Diary whole = new Diary();
      MessageGrammar.endOfReply(message, 0, message.length, whole);
      for (int piece : new int[] {1, 7}) {
        Diary pieces = new Diary();
        GrowingReturn growing = new GrowingReturn(pieces);
        int understood = 0;
        for (int length = piece; length < message.length; length += piece) {
          growing.end(Arrays.copyOf(message, length), length);
          assertThat(growing.understood()).isBetween(understood, length);
          understood = growing.understood();
        }
        growing.end(message, message.length);
        assertThat(pieces.events).isEqualTo(whole.events);
      }
    }
  }

  /** Parsing it again from its beginning for each byte would take a parser for each byte. */
  @Test
  void singleBytesOfALongReturnCostNoMoreThanItsLength() {
    List<byte[]> longOnes =
        List.of(
            CallBytes.normalReturn(out -> out.writeObject("x".repeat(100_000))),
            CallBytes.normalReturn(out -> out.writeObject(new Object[200_000])),
            CallBytes.normalReturn(out -> out.writeObject(manyFields())));
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (byte[] message : longOnes) {
      GrowingReturn growing = new GrowingReturn();
      long before = threads.getCurrentThreadAllocatedBytes();
      MessageEnd end = null;
      for (int length = 1; length <= message.length; length++) {
        end = growing.end(message, length);
      }
      long allocated = threads.getCurrentThreadAllocatedBytes() - before;
      assertThat(end).isEqualTo(new MessageEnd.Complete(message.length));
      assertThat(allocated).isLessThan(64 * 1024 + 100L * message.length);
    }
  }

  private static Object manyFields() {
    List<Object> objects = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      objects.add(new GraphCorpus.Plain());
    }
    return new ArrayList<>(objects);
  }
}
