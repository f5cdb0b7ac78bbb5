package io.rmigate.gateway.services;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.login.Principal;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ServicesTest {

  /** By joining all the beginnings it would be a billion characters, or some seconds. */
  @Test
  void addressesOfManyPartsAreNotLookedUpPartByPart() {
    try (Services services = new Services()) {
      Principal alice = new Principal("alice", Principal.Scheme.CONTAINER);
      String path = "a/".repeat(30_000);

      long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      assertThat(services.place(path, alice)).isEmpty();
      long nanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;

      assertThat(Duration.ofNanos(nanos)).isLessThan(Duration.ofMillis(500));
    }
  }
}
