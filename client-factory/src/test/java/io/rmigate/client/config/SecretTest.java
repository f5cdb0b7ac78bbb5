package io.rmigate.client.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.text.MessageFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretTest {
  @TempDir private Path directory;
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger logger = Logger.getLogger(Secret.class.getName());
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          lines.add(MessageFormat.format(entry.getMessage(), entry.getParameters()));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    logger.addHandler(handler);
  }

  @AfterEach
  void stopListening() {
    logger.removeHandler(handler);
  }

  private Secret secret(String mode) throws Exception {
    Path file = Files.writeString(directory.resolve("password"), "word\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    return Secret.ofFile(ConfigKey.PASSWORD_FILE, file);
  }

  @Test
  void aFileThatOthersMayReadIsNamedOnce() throws Exception {
    Secret open = secret("rw-r--r--");
    assertThat(open.read()).isEqualTo("word");
    assertThat(open.read()).isEqualTo("word");
    assertThat(lines).hasSize(1);
    assertThat(lines.get(0))
        .contains("password-file", directory.toString(), "rw-r--r--", "chmod 600")
        .doesNotContain("word\n");
  }

  @Test
  void aFileOfItsOwnerAndGroupIsNoMatter() throws Exception {
    for (String mode : List.of("rw-------", "r--r-----")) {
      assertThat(secret(mode).read()).isEqualTo("word");
      Files.delete(directory.resolve("password"));
    }
    assertThat(Secret.of("proxy", "word").read()).isEqualTo("word");
    assertThat(lines).isEmpty();
  }
}
