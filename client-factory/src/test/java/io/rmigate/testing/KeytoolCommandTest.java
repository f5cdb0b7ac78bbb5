package io.rmigate.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeytoolCommandTest {
  private static final String PASSWORD = "changeit";

  @TempDir private Path directory;

  @Test
  void threadsMakeKeysSideBySide() throws Exception {
    PrintStream out = System.out;
    PrintStream err = System.err;
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Path>> commands = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        Path store = directory.resolve("key" + i + ".p12");
        commands.add(() -> makeKey(store));
      }
      for (Future<Path> made : threads.invokeAll(commands)) {
        KeyStore store = KeyStore.getInstance(made.get().toFile(), PASSWORD.toCharArray());
        assertThat(store.isKeyEntry("key")).isTrue();
      }
    } finally {
      threads.shutdown();
    }
    assertThat(System.out).isSameAs(out);
    assertThat(System.err).isSameAs(err);
  }

  private static Path makeKey(Path store) throws IOException {
    KeytoolCommand.run(
        store, PASSWORD, "-genkeypair", "-alias", "key", "-keyalg", "EC", "-dname", "CN=key");
    return store;
  }

  @Test
  void aFailureCarriesTheOutputOfKeytool() throws Exception {
    Path store = makeKey(directory.resolve("key.p12"));

    assertThatThrownBy(() -> KeytoolCommand.run(store, PASSWORD, "-genkeypair", "-nonsense"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("-nonsense");
    assertThatThrownBy(() -> KeytoolCommand.run(store, PASSWORD, "-exportcert", "-alias", "absent"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("absent");
  }
}
