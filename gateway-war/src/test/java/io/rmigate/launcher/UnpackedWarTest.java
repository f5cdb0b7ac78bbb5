package io.rmigate.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnpackedWarTest {
  @TempDir Path directory;

  private Path war(String... entries) throws IOException {
    Path war = directory.resolve("test.war");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(war))) {
      for (String entry : entries) {
        zip.putNextEntry(new ZipEntry(entry));
        zip.write('x');
      }
    }
    return war;
  }

  private Path goodWar() throws IOException {
    return war(
        "index.html",
        "WEB-INF/classes/a/B.class",
        "WEB-INF/lib/b.jar",
        "WEB-INF/lib/a.jar",
        "WEB-INF/standalone/c.jar",
        "WEB-INF/web.xml");
  }

  private static Path root(UnpackedWar unpacked) throws Exception {
    return Path.of(unpacked.classPath()[0].toURI()).getParent().getParent();
  }

  @Test
  void classesComeFirstThenTheLibraries() throws Exception {
    try (UnpackedWar unpacked = UnpackedWar.unpack(goodWar())) {
      assertThat(List.of(unpacked.classPath()))
          .extracting(url -> root(unpacked).relativize(Path.of(url.toURI())).toString())
          .containsExactly(
              "WEB-INF/classes",
              "WEB-INF/lib/a.jar",
              "WEB-INF/lib/b.jar",
              "WEB-INF/standalone/c.jar");
      assertThat(root(unpacked).resolve("index.html")).doesNotExist();
    }
  }

  @Test
  void theDirectoryIsPrivateAndGoesWithItsOwner() throws Exception {
    Path root;
    try (UnpackedWar unpacked = UnpackedWar.unpack(goodWar())) {
      root = root(unpacked);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root)))
          .isEqualTo("rwx------");
    }
    assertThat(root).doesNotExist();
  }

  @Test
  void whatADeadProcessLeftIsDeletedAndWhatLivesIsNot() throws Exception {
    Path dead = Files.createTempDirectory("rmigate-");
    Files.createDirectories(dead.resolve("WEB-INF/lib"));
    Files.writeString(dead.resolve("pid"), "1");
    Path unfinished = Files.createTempDirectory("rmigate-");
    try (UnpackedWar living = UnpackedWar.unpack(goodWar());
        UnpackedWar second = UnpackedWar.unpack(goodWar())) {
      assertThat(dead).doesNotExist();
      assertThat(unfinished).exists();
      assertThat(root(living)).exists().isNotEqualTo(root(second));
    } finally {
      Files.delete(unfinished);
    }
  }

  @Test
  void anEntryThatPointsOutsideIsRefused() throws Exception {
    Path war = war("WEB-INF/lib/../../../evil.jar");

    assertThatThrownBy(() -> UnpackedWar.unpack(war)).hasMessageContaining("points outside");
  }
}
