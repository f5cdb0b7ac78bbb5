package io.rmigate.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.problem.ConfigException;
import io.rmigate.gateway.testing.LogLines;
import io.rmigate.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigWatcherTest {
  private static final String YAML =
      """
      logins:
        basic:
          users-file: users
      targets:
        - principals: ["*"]
          allow: ["rmi.example:*"]
      session:
        heartbeat: %s
      """;

  @TempDir Path directory;
  private Path file;
  private ConfigWatcher watcher;
  private final List<GatewayConfig> seen = new ArrayList<>();
  private long clock = 1_000_000_000_000L;

  @BeforeEach
  void start() throws Exception {
    write("users", "");
    file = write("rmigate.yaml", YAML.formatted("5s"));
    watcher = new ConfigWatcher(GatewayConfig.load(file, Map.of()), Map.of());
  }

  @AfterEach
  void stop() {
    watcher.close();
  }

  /** Each write has a time of its own, however coarse the file system's clock. */
  private Path write(String name, String text) throws IOException {
    Path written = Files.writeString(directory.resolve(name), text);
    clock += 1000;
    return Files.setLastModifiedTime(written, FileTime.fromMillis(clock));
  }

  @Test
  void nothingHappensWithoutAChange() {
    watcher.onChange(seen::add);

    assertThat(watcher.reloadIfChanged()).isFalse();
    assertThat(seen).isEmpty();
  }

  private static void mode(Path file, String mode) throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  @Test
  void filesOfPasswordsAndKeysThatOthersMayReadAreNamed() throws Exception {
    write("rmigate.yaml", YAML.formatted("7s") + "tls:\n  keystore: key\n  password-file: word\n");
    for (String name : List.of("users", "key", "word")) {
      mode(write(name, "x"), "rw-r-----");
    }
    GatewayConfig config = GatewayConfig.load(file, Map.of());
    try (LogLines log = new LogLines(ConfigWatcher.class)) {
      new ConfigWatcher(config, Map.of()).close();
      assertThat(log.warnings()).isEmpty();
      Map<String, String> names =
          Map.of(
              "users",
              "logins.basic.users-file",
              "key",
              "tls.keystore",
              "word",
              "tls.password-file");
      for (Map.Entry<String, String> name : names.entrySet()) {
        Path secret = directory.resolve(name.getKey());
        mode(secret, "rw-r--r--");
        new ConfigWatcher(config, Map.of()).close();
        mode(secret, "rw-r-----");
        assertThat(log.warnings())
            .last()
            .asString()
            .contains(secret.toString(), name.getValue(), "rw-r--r--", "chmod 600");
      }
      assertThat(log.warnings()).hasSize(3);
      mode(write("users", "y"), "rw-----w-");
      watcher.reloadIfChanged();
      assertThat(log.warnings()).filteredOn(line -> line.contains("rw-----w-")).hasSize(1);
    }
  }

  @Test
  void aChangedFileReachesTheListeners() throws Exception {
    watcher.onChange(seen::add);
    write("rmigate.yaml", YAML.formatted("7s"));

    assertThat(watcher.reloadIfChanged()).isTrue();

    assertThat(seen).containsExactly(watcher.current());
    assertThat(watcher.current().tunnel().session().heartbeat()).isEqualTo(Duration.ofSeconds(7));
    assertThat(watcher.reloadIfChanged()).isFalse();
  }

  @Test
  void aBrokenFileIsRefusedAndTheOldStays() throws Exception {
    watcher.onChange(seen::add);
    write("rmigate.yaml", YAML.formatted("never"));

    assertThat(watcher.reloadIfChanged()).isFalse();
    assertThat(watcher.current().tunnel().session().heartbeat()).isEqualTo(Duration.ofSeconds(5));

    write("rmigate.yaml", YAML.formatted("9s"));
    assertThat(watcher.reloadIfChanged()).isTrue();
    assertThat(watcher.current().tunnel().session().heartbeat()).isEqualTo(Duration.ofSeconds(9));
  }

  @Test
  void aChangeThatIsBeingTakenIsNotSaidToBeRefused() throws Exception {
    List<Boolean> refused = new ArrayList<>();
    watcher.addListener(
        next -> {
          refused.add(watcher.isChangeRefused());
          return () -> {};
        });
    write("rmigate.yaml", YAML.formatted("7s"));
    assertThat(watcher.reloadIfChanged()).isTrue();
    assertThat(refused).containsExactly(false);
  }

  @Test
  void aFileThatVanishesForAMomentIsNoChange() throws Exception {
    Files.delete(file);
    assertThat(watcher.reloadIfChanged()).isFalse();

    write("rmigate.yaml", YAML.formatted("6s"));
    assertThat(watcher.reloadIfChanged()).isTrue();
    assertThat(watcher.current().tunnel().session().heartbeat()).isEqualTo(Duration.ofSeconds(6));
  }

  @Test
  void aChangedUsersFileIsAChange() throws Exception {
    watcher.onChange(seen::add);
    write("users", "# no users\n");

    assertThat(watcher.reloadIfChanged()).isTrue();
    assertThat(seen).hasSize(1);
  }

  @Test
  void aJarThatComesWhileOthersAreReadIsSeen() throws Exception {
    Files.createDirectory(directory.resolve("jars"));
    String yaml =
        YAML
            + """
            publish:
              - path: shop
                object: rmi://rmi.example:1099/Shop
                interface: shop.Shop
                jars: jars
                principals: ["*"]
            """;
    write("rmigate.yaml", yaml.formatted("6s"));
    assertThat(watcher.reloadIfChanged()).isTrue();
    watcher.onChange(
        next -> {
          seen.add(next);
          if (seen.size() == 1) {
            try {
              write("jars/late.jar", "late");
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          }
        });
    write("jars/early.jar", "early");

    assertThat(watcher.reloadIfChanged()).isTrue();
    assertThat(watcher.reloadIfChanged()).isTrue();
    assertThat(watcher.reloadIfChanged()).isFalse();
  }

  @Test
  void whenOneListenerObjectsNoneSwitches() throws Exception {
    watcher.onChange(seen::add);
    watcher.addListener(
        next -> {
          throw new ConfigException("test", "", "not this one");
        });
    GatewayConfig before = watcher.current();
    write("rmigate.yaml", YAML.formatted("7s"));

    assertThat(watcher.reloadIfChanged()).isFalse();
    assertThat(seen).isEmpty();
    assertThat(watcher.current()).isSameAs(before);
  }

  @Test
  void changesAreNoticedWithoutBeingAsked() throws Exception {
    watcher.start();
    write("rmigate.yaml", YAML.formatted("7s"));

    Patience.await()
        .until(
            () -> watcher.current().tunnel().session().heartbeat().equals(Duration.ofSeconds(7)));
  }

  @Test
  void whatIsBeingWrittenIsLeftForTheNextLook() throws Exception {
    watcher.onChange(seen::add);
    watcher.poll();
    watcher.poll();

    write("rmigate.yaml", YAML.formatted("6s")); // its beginning, say
    watcher.poll();
    write("rmigate.yaml", YAML.formatted("7s"));
    watcher.poll();
    assertThat(seen).isEmpty();

    watcher.poll();
    assertThat(seen).hasSize(1);
    assertThat(watcher.current().tunnel().session().heartbeat()).isEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void whatIsWrittenWithoutEndKeepsNoChangeOut() throws Exception {
    watcher.poll();
    watcher.poll();
    write("rmigate.yaml", YAML.formatted("7s"));
    for (int look = 1; look < ConfigWatcher.MOST_UNSETTLED_LOOKS; look++) {
      write("users", "");
      watcher.poll();
      assertThat(watcher.current().tunnel().session().heartbeat()).isEqualTo(Duration.ofSeconds(5));
    }

    write("users", "");
    watcher.poll();
    assertThat(watcher.current().tunnel().session().heartbeat()).isEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void keysThatNeedARestartAreNamed() throws Exception {
    GatewayConfig before = watcher.current();
    write(
        "rmigate.yaml",
        YAML.formatted("7s")
            + "listen: 127.0.0.1:1\npath: /other\nmetrics: open\nadmin: {listen: '127.0.0.1:2'}\n");
    GatewayConfig after = GatewayConfig.load(file, Map.of());

    assertThat(ConfigWatcher.restartNeeded(before, after))
        .containsExactly("listen", "path", "admin.listen");
  }
}
