package io.rmigate.gateway.amplification;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * Bytes that the gateway allocates for a request, over those of its client. They bound the work of
 * a request as CPU time does, and a busy machine does not change them.
 */
class AllocationRatioTest {
  private static final int WARM_UP = 10;
  private static final int REQUESTS = 20;

  /** The highest ratios are a refused call's, 10, and a lookup's, 8. */
  private static final int TIMES = 15;

  /** Bytes of a request that are no amplification: a grant's cipher takes 12 kB. */
  private static final long FIXED_BYTES = 16 * 1024;

  @Test
  void theGatewayAllocatesNoMultipleOfTheBytesOfItsClient() throws IOException {
    List<String> beyond = new ArrayList<>();

    Amplification.forEachRequest(
        measured -> {
          try (Request request = measured) {
            repeat(request, Meter.unread(), WARM_UP);
            Meter meter = Meter.begin(Meter.Resource.ALLOCATED_BYTES);
            repeat(request, meter, REQUESTS);
            long gateway = meter.gateway() / REQUESTS;
            long client = meter.client() / REQUESTS;
            if (gateway > Math.max(FIXED_BYTES, TIMES * client)) {
              beyond.add(
                  String.format(
                      Locale.ROOT, "%s: %d bytes, client %d", request.name(), gateway, client));
            }
          }
        });

    assertThat(beyond).isEmpty();
  }

  private static void repeat(Request request, Meter meter, int times) throws IOException {
    for (int i = 0; i < times; i++) {
      request.once(meter);
    }
  }
}
