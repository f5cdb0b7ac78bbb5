package io.rmigate.client.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ConnectException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a thread of the agent keeps of the one that has started it. */
class DaemonsTest {
  private static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>();

  @Test
  void aThreadKeepsNothingOfTheApplication() throws Exception {
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    List<Object> seen = new ArrayList<>();
    try (URLClassLoader application = new URLClassLoader(new URL[0], before)) {
      Thread.currentThread().setContextClassLoader(application);
      INHERITED.set("of the application");

      Thread thread =
          Daemons.start(
              "rmigate-test",
              () -> {
                seen.add(Thread.currentThread().getContextClassLoader());
                seen.add(INHERITED.get());
              });
      thread.join();

      assertThat(thread.isDaemon()).isTrue();
      assertThat(seen).containsExactly(null, null);
    } finally {
      INHERITED.remove();
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  @Test
  void aThreadThatCannotBeStartedIsAFailureToConnect() {
    try (ThreadShortage shortage = new ThreadShortage("rmigate-test")) {
      assertThatThrownBy(() -> Daemons.start("rmigate-test", () -> {}))
          .isInstanceOf(ConnectException.class)
          .hasMessageContaining("rmigate-test")
          .hasCauseInstanceOf(OutOfMemoryError.class);
      assertThat(shortage.refused()).isEqualTo(1);
    }
  }
}
