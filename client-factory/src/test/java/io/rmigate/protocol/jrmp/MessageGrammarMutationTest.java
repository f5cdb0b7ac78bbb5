package io.rmigate.protocol.jrmp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.message.CallHeader;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.jrmp.message.LiveReferenceScan;
import io.rmigate.protocol.jrmp.message.RegistryCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Damaged streams: any result will do, as long as it is one. The seed makes a failure repeatable.
 */
class MessageGrammarMutationTest {
  private static final int ROUNDS = 200_000;
  private static final int LARGEST_SEED = 3000;

  /** Asks for everything an observer can ask for. */
  private static final class Curious implements StreamObserver {
    int asked;

    @Override
    public void onClassDescriptor(StreamClass descriptor) {
      asked += descriptor.name().length() + (descriptor.declares(List.of()) ? 1 : 0);
      asked += descriptor.interfaces().size() + descriptor.superclass().map(c -> 1).orElse(0);
    }

    @Override
    public void onString(int handle, int at, int length) {
      asked += length;
    }

    @Override
    public boolean writesDefaultFields(StreamClass type) {
      return (type.flags() & 8) == 0;
    }
  }

  @Test
  void damageNeverDoesMoreThanChangeTheResult() {
    List<byte[]> seeds = new ArrayList<>();
    seeds.add(HexFormat.of().parseHex(GoldenMessages.DIRTY));
    seeds.add(HexFormat.of().parseHex(GoldenMessages.LOOKUP_SAMPLE));
    for (Object graph : GraphCorpus.graphs().values()) {
      byte[] call = CallBytes.call("u", 1 + seeds.size() % 2, out -> out.writeObject(graph));
      if (call.length <= LARGEST_SEED) {
        seeds.add(call);
      }
    }
    Random random = new Random(20_261_121);
    int[] results = new int[5];
    assertTimeoutPreemptively(
        Duration.ofMinutes(5),
        () -> {
          for (int round = 0; round < ROUNDS; round++) {
            byte[] damaged = Damage.of(seeds, random);
            StreamObserver observer = round % 3 == 0 ? new Curious() : null;
            MessageEnd end = MessageGrammar.endOfRequest(damaged, 0, damaged.length, observer);
            assertThat(observer == null || ((Curious) observer).asked >= 0).isTrue();
            results[kind(end, damaged.length)]++;
            readOtherwise(damaged);
          }
        });
    // Complete, Truncated and Malformed all occur, or the damage is of no use.
    assertThat(results[0]).isPositive();
    assertThat(results[2]).isPositive();
    assertThat(results[4]).isPositive();
  }

  private static int kind(MessageEnd end, int length) {
    if (end instanceof MessageEnd.Complete complete) {
      assertThat(complete.end()).isBetween(1, length);
      return 0;
    } else if (end instanceof MessageEnd.Aborted aborted) {
      assertThat(aborted.end()).isBetween(1, length);
      return 1;
    } else if (end instanceof MessageEnd.Truncated) {
      return 2;
    } else if (end instanceof MessageEnd.Unparseable) {
      return 3;
    } else if (end instanceof MessageEnd.Malformed malformed) {
      assertThat(malformed.at()).isBetween(0, length);
      return 4;
    }
    throw new AssertionError(end);
  }

  private static void readOtherwise(byte[] damaged) {
    CallHeader.decode(damaged, 0, damaged.length);
    LiveReferenceScan.scan(damaged, 0, damaged.length);
    MessageGrammar.spellsAnotherCall(damaged, 0, damaged.length);
    try {
      RegistryCall.decode(damaged, 0, damaged.length);
      DgcCall.decode(damaged, 0, damaged.length);
    } catch (ProtocolViolationException expected) {
      // What damage is for.
    }
  }
}
