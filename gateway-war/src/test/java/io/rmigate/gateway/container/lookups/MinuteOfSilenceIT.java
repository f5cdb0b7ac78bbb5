package io.rmigate.gateway.container.lookups;

import static io.rmigate.gateway.container.lookups.LookupBed.ask;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.testing.Tier;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What silence costs. A class of its own, since it waits for a minute. */
@Tag(Tier.FULL)
class MinuteOfSilenceIT extends LookupScenario {
  private static final Duration MORE_THAN_A_MINUTE = Duration.ofSeconds(62);

  /** With all defaults: by then the contexts of compression are given up and links are probed. */
  @Test
  void aCallTakesOneRoundTripAfterAMinuteOfSilence() throws Exception {
    bed.server(InsideHosts.INSIDE);
    bed.gateway("");
    ChildJvm client = bed.client(Compression.AUTO, "");
    assertThat(ask(client, "hello")).isEqualTo(GREETING);
    Thread.sleep(MORE_THAN_A_MINUTE.toMillis()); // what is tested takes that long
    assertThat(bed.trips(client, "call", GREETING)).isEqualTo(1);
    assertThat(bed.trips(client, "hello", GREETING)).isEqualTo(1);
  }
}
