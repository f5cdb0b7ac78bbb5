package io.rmigate.protocol.jrmp;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.jrmp.MessageEnd.Complete;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import java.io.OptionalDataException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Compares with the JDK's own reader where it has no classes either: what the grammar takes for one
 * whole Call, the JDK reads to the same end. (The reverse does not hold: without classes the JDK
 * overlooks contradictions that it would notice with them.)
 */
class JdkDifferenceTest {
  private static final int ROUNDS = 60_000;
  private static final int LARGEST_SEED = 3000;

  /** Knows arrays of primitives, which it could not step over else, and no other class. */
  private static final class WithoutClasses extends ObjectInputStream {
    WithoutClasses(InputStream in) throws IOException {
      super(in);
      setObjectInputFilter(
          info ->
              info.arrayLength() > 100_000
                  ? ObjectInputFilter.Status.REJECTED
                  : ObjectInputFilter.Status.UNDECIDED);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass type) throws ClassNotFoundException {
      if (type.getName().matches("\\[[BCDFIJSZ]")) {
        return Class.forName(type.getName());
      }
      throw new ClassNotFoundException(type.getName());
    }

    @Override
    protected Class<?> resolveProxyClass(String[] interfaces) throws ClassNotFoundException {
      throw new ClassNotFoundException(String.join(",", interfaces));
    }
  }

  @Test
  void whatIsWholeForTheGrammarIsWholeForTheJdk() throws Exception {
    List<byte[]> seeds = new ArrayList<>();
    for (Object graph : GraphCorpus.graphs().values()) {
      // Version 2: the JDK, too, cannot step over an Externalizable without framing.
      byte[] call =
          CallBytes.call(
              "u",
              ObjectStreamConstants.PROTOCOL_VERSION_2,
              out -> {
                out.writeObject(graph);
                out.writeInt(3);
              });
      if (call.length <= LARGEST_SEED) {
        seeds.add(call);
      }
    }
    Random random = new Random(61);
    int whole = 0;
    for (int round = 0; round < ROUNDS; round++) {
      byte[] damaged = Damage.of(seeds, random);
      MessageEnd end = MessageGrammar.endOfRequest(damaged, 0, damaged.length);
      if (end.equals(new Complete(damaged.length)) && damaged[0] == Jrmp.CALL) {
        whole++;
        readWithTheJdk(damaged);
      }
    }
    assertThat(whole).isGreaterThan(ROUNDS / 20);
  }

  /** Returns when all was read; anything else is a difference. */
  private static void readWithTheJdk(byte[] call) throws IOException {
    // One more argument, which the JDK must find where the grammar says that the Call ends.
    byte[] last = HexFormat.of().parseHex("740003" + "656e64"); // "end"
    byte[] more = MessageGrammarCorpusTest.join(call, last);
    ByteArrayInputStream bytes = new ByteArrayInputStream(more, 1, more.length - 1);
    Object read = null;
    try (WithoutClasses in = new WithoutClasses(bytes)) {
      in.readFully(new byte[Jrmp.CALL_HEADER_BYTES]);
      while (true) {
        try {
          read = in.readObject();
        } catch (ClassNotFoundException asItShould) {
          // The object was stepped over.
        } catch (OptionalDataException block) {
          in.readFully(new byte[block.length]);
        }
      }
    } catch (EOFException end) {
      assertThat(read).as(HexFormat.of().formatHex(call)).isEqualTo("end");
      assertThat(bytes.available()).isZero();
    } catch (IOException | RuntimeException | Error e) {
      throw new AssertionError("the JDK refuses " + HexFormat.of().formatHex(call), e);
    }
  }
}
