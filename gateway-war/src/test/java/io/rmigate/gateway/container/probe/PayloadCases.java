package io.rmigate.gateway.container.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.sample.Everything;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32;

/** Large arguments and results; the heaps of gateway and sidecar are smaller than one of them. */
final class PayloadCases {
  private static final int LARGE = 100 * 1024 * 1024;

  private final Everything everything;

  PayloadCases(Inside inside) throws Exception {
    everything = inside.everything();
  }

  /** Sizes around the buffers of RMI (8 KiB) and of links and gateways (64 KiB and so on). */
  @Case
  void payloadsOfEverySizeCrossBothWays() throws Exception {
    for (int size = 1; size <= 1 << 21; size <<= 1) {
      for (int length = size - 1; length <= size + 1; length++) {
        byte[] bytes = random(length, length);
        assertThat(Arrays.equals((byte[]) everything.echo(bytes), bytes))
            .as("%s bytes", length)
            .isTrue();
      }
    }
  }

  /**
   * A call over the gateway's buffer limit may travel on a connection of its own, which the server
   * ends after it; the next call of the same client connection must not be caught by that end,
   * however soon it comes.
   */
  @Case
  void smallCallsFollowLargeOnesAtAnyDistance() throws Exception {
    byte[] large = new byte[100_000];
    for (int i = 0; i < 300; i++) {
      everything.checksum(large);
      if (i % 4 == 0) {
        LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100L * i));
      }
      assertThat(everything.echoInt(i)).isEqualTo(i);
    }
  }

  @Case(on = {Way.PLAIN_RMI, Way.TUNNEL, Way.SIDECAR})
  void resultsOf100MbArriveUnharmed() throws Exception {
    byte[] bytes = everything.produce(LARGE, 7);
    assertThat(Arrays.equals(bytes, random(LARGE, 7))).isTrue();
  }

  @Case(on = {Way.PLAIN_RMI, Way.TUNNEL, Way.SIDECAR})
  void argumentsOf100MbArriveUnharmed() throws Exception {
    byte[] bytes = random(LARGE, 8);
    CRC32 crc = new CRC32();
    crc.update(bytes);
    assertThat(everything.checksum(bytes)).isEqualTo(crc.getValue());
  }

  private static byte[] random(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }
}
