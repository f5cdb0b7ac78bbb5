package io.rmigate.protocol.jrmp;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.jrmp.MessageEnd.Aborted;
import io.rmigate.protocol.jrmp.MessageEnd.Complete;
import io.rmigate.protocol.jrmp.MessageEnd.Truncated;
import java.io.ObjectStreamConstants;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The grammar on what the JDK itself writes for {@link GraphCorpus}. */
public class MessageGrammarCorpusTest {
  private static final byte[] SMUGGLED = CallBytes.callWith("evil");
  private static final String CODEBASE = "http://a.example/classes/ file:/b.jar";

  static Stream<String> names() {
    return GraphCorpus.graphs().keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("names")
  void aCallEndsWhereItsArgumentEnds(String name) {
    Object graph = GraphCorpus.graphs().get(name);
    for (String annotation : new String[] {null, CODEBASE}) {
      for (int version :
          new int[] {
            ObjectStreamConstants.PROTOCOL_VERSION_1, ObjectStreamConstants.PROTOCOL_VERSION_2
          }) {
        byte[] call = CallBytes.call(annotation, version, out -> out.writeObject(graph));
        assertEndsExactly(call);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void everyPrefixIsTruncated(String name) {
    Object graph = GraphCorpus.graphs().get(name);
    byte[] call = CallBytes.callWith(graph);
    int header = CallBytes.call(out -> {}).length;
    int step = Math.max(1, call.length / 3000);
    for (int n = 0; n < call.length; n += n < 500 || n > call.length - 500 ? 1 : step) {
      MessageEnd end = MessageGrammar.endOfRequest(Arrays.copyOf(call, n), 0, n);
      if (n == header) {
        assertThat(end).isEqualTo(new Complete(n));
      } else {
        assertThat(end).as("%d of %d bytes", n, call.length).isInstanceOf(Truncated.class);
      }
    }
  }

  @Test
  void allArgumentsInOneCall() {
    Map<String, Object> graphs = GraphCorpus.graphs();
    byte[] call =
        CallBytes.call(
            out -> {
              out.writeInt(1);
              for (Object graph : graphs.values()) {
                out.writeObject(graph);
                out.writeLong(2);
              }
              out.reset();
              for (Object graph : graphs.values()) {
                out.writeObject(graph);
                out.reset();
              }
            });
    assertEndsExactly(call);
  }

  @Test
  void aCallThatFailsToMarshalIsAborted() {
    for (Object bad :
        new Object[] {
          new GraphCorpus.HoldsUnserializable(),
          new GraphCorpus.HoldsUnserializableInCustomData(),
          new Object[] {"a", new Object[] {1, new Object()}},
          new Object()
        }) {
      byte[] call =
          CallBytes.call(
              out -> {
                out.writeInt(1);
                out.writeObject("first");
                out.writeObject(bad);
              });
      assertThat(MessageGrammar.endOfRequest(call, 0, call.length))
          .isEqualTo(new Aborted(call.length));
      byte[] two = join(call, SMUGGLED);
      assertThat(MessageGrammar.endOfRequest(two, 0, two.length))
          .isEqualTo(new Aborted(call.length));
    }
  }

  public static void assertEndsExactly(byte[] call) {
    Complete whole = new Complete(call.length);
    assertThat(MessageGrammar.endOfRequest(call, 0, call.length)).isEqualTo(whole);
    for (byte[] more : new byte[][] {SMUGGLED, {Jrmp.PING}, new byte[15], {Jrmp.DGC_ACK, 0}}) {
      byte[] two = join(call, more);
      assertThat(MessageGrammar.endOfRequest(two, 0, two.length)).isEqualTo(whole);
    }
    byte[] shifted = new byte[call.length + 20];
    Arrays.fill(shifted, (byte) 0x70);
    System.arraycopy(call, 0, shifted, 7, call.length);
    assertThat(MessageGrammar.endOfRequest(shifted, 7, call.length))
        .isEqualTo(new Complete(7 + call.length));
  }

  static byte[] join(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }
}
