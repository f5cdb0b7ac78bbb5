package io.rmigate.gateway.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.jrmp.MessageEnd;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LongStreamsTest {
  private static final int STREAMS = 24;

  /** Most are undamaged, so that a scan goes through them to the end, with all that it notes. */
  @Test
  void aLongStreamTakesNoMoreThanFourTimesItsLength() {
    ScannerComparison comparison =
        new ScannerComparison(CorpusShapes.scanner(), CorpusShapes.sequences(), new Random(1));
    LongStreams streams = new LongStreams(new Random(1));
    int complete = 0;
    for (int i = 0; i < STREAMS; i++) {
      complete += comparison.measure(streams.next()).end() instanceof MessageEnd.Complete ? 1 : 0;
    }
    assertThat(complete).isGreaterThan(STREAMS / 2);
    assertThat(comparison.largestShare()).isBetween(0.1, 4.0);
  }
}
