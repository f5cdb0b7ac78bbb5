package io.rmigate.soap.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes that come in any number are those that are got. */
class GatheredBytesTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1023, 1024, 1025, 3 << 10, 5_000_000})
  void whatWasWrittenIsThereInItsOrder(int length) {
    byte[] given = new byte[length];
    Random random = new Random(length);
    random.nextBytes(given);
    GatheredBytes gathered = new GatheredBytes();

    for (int at = 0; at < length; ) {
      int count = Math.min(1 + random.nextInt(9_000), length - at);
      byte[] from = Arrays.copyOfRange(given, at, at + count + 1);
      gathered.write(from, 0, count - 1);
      gathered.write(from[count - 1]);
      at += count;
    }

    assertThat(gathered.toByteArray()).isEqualTo(given);
  }
}
