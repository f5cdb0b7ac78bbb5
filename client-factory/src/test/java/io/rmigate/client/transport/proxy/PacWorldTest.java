package io.rmigate.client.transport.proxy;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.client.transport.net.Deadline;
import io.rmigate.client.transport.net.NameLookup;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PacWorldTest {
  private final AtomicInteger asked = new AtomicInteger();
  private final NameLookup names =
      new NameLookup(
          host -> {
            asked.incrementAndGet();
            return new InetAddress[] {InetAddress.getLoopbackAddress()};
          });

  @Test
  void aNameIsLookedUpOnce() throws Exception {
    PacWorld world = new PacWorld(Deadline.in(Duration.ofMinutes(5)), names);

    assertThat(world.addressOf("gw")).contains(InetAddress.getLoopbackAddress());
    assertThat(world.addressOf("gw")).isPresent();
    assertThat(asked).hasValue(1);
    assertThat(world.isOutOfTime()).isFalse();
  }

  @Test
  void whenTheTimeForNamesIsOverTheyCannotBeResolved() throws Exception {
    PacWorld world = new PacWorld(Deadline.in(Duration.ZERO), names);

    assertThat(world.addressOf("gw")).isEmpty();
    await()
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().equals("rmigate-name-lookup")));
    assertThat(asked).hasValue(0);
    assertThat(world.isOutOfTime()).isTrue();
  }
}
