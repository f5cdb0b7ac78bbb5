package io.rmigate.client.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.rmigate.client.jvm.Daemons;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class StatsRegistrationTest {
  /** With a builder of MBean servers on the class path, the JDK looks for it in that loader. */
  @Test
  void testDaemonRegistersWithTheLoaderOfTheApplication() throws Exception {
    AtomicReference<ClassLoader> during = new AtomicReference<>();
    AtomicReference<ClassLoader> behind = new AtomicReference<>(ClassLoader.getSystemClassLoader());
    StatsRegistration registration =
        new StatsRegistration(
            () -> {
              during.set(Thread.currentThread().getContextClassLoader());
              throw new IllegalStateException("seen");
            });
    Daemons.start(
            "rmigate-timer",
            () -> {
              registration.run();
              behind.set(Thread.currentThread().getContextClassLoader());
            })
        .join();
    assertEquals(ClassLoader.getSystemClassLoader(), during.get());
    assertNull(behind.get());
  }
}
