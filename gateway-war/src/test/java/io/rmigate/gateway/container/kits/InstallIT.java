package io.rmigate.gateway.container.kits;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.container.WorkDirectory;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code install}: an installed gateway takes its classes from the archive. */
@ExtendWith(LeftoverCheck.class)
class InstallIT {
  /** Generated classes of lambdas and proxies, and what the training did not see. */
  private static final double TOLERATED_SHARE_OF_OTHER_CLASSES = 0.1;

  private Path directory;
  private Path installed;
  private ChildJvm gateway;

  @BeforeEach
  void makeDirectory() throws IOException {
    directory = WorkDirectory.empty(BuiltArtefacts.workDirectory(getClass()));
    installed = directory.resolve("rmigate");
  }

  @AfterEach
  void stopGateway() {
    if (gateway != null) {
      gateway.close();
    }
  }

  @Test
  void installedGatewayTakesItsClassesFromTheArchive() throws Exception {
    ChildJvm first = install(0);
    assertThat(first.output())
        .last()
        .asString()
        .contains("run: java @" + installed.resolve("java.args"));

    List<String> loaded = start("first");
    long archived = loaded.stream().filter(line -> line.contains("shared objects file")).count();
    assertThat(loaded.size() - archived)
        .as("classes that are not from the archive, of " + loaded.size())
        .isLessThan((long) (loaded.size() * TOLERATED_SHARE_OF_OTHER_CLASSES));

    // Then the archive fits no longer.
    try (Stream<Path> libraries = Files.list(installed.resolve("lib"))) {
      Files.setLastModifiedTime(libraries.findFirst().orElseThrow(), FileTime.fromMillis(0));
    }
    assertThat(start("changed")).isNotEmpty();

    install(0); // replaces it
    assertThat(start("again"))
        .anyMatch(line -> line.contains("EmbeddedServer") && line.contains("shared objects file"));
  }

  @Test
  void directoryWithOtherFilesIsLeftAlone() throws Exception {
    Path other = Files.createDirectories(installed).resolve("notes.txt");
    Files.writeString(other, "mine");

    assertThat(install(2).output()).anyMatch(line -> line.contains("is no earlier installation"));
    assertThat(other).hasContent("mine");
  }

  /** Only Java 25 and later can use an archive then. */
  @Test
  void pathWithASpaceIsQuotedAndHasNoArchiveThatTheJvmCannotUse() throws Exception {
    installed = directory.resolve("of the gateway");

    ChildJvm install = install(0);

    assertThat(install.output())
        .last()
        .asString()
        .contains("run: java \"@" + installed.resolve("java.args") + "\"");
    boolean hasArchive = Runtime.version().feature() >= 25;
    assertThat(Files.exists(installed.resolve("rmigate.jsa"))).isFalse();
    assertThat(Files.exists(installed.resolve("rmigate.aot"))).isEqualTo(hasArchive);
    assertThat(install.output().stream().anyMatch(line -> line.contains("uses no archive")))
        .isNotEqualTo(hasArchive);
    assertThat(start("spaced")).isNotEmpty();
  }

  @Test
  void emptyNameIsRefused() throws Exception {
    assertThat(install("", 2).output()).anyMatch(line -> line.contains("the name of DIR is empty"));
  }

  private ChildJvm install(int exitCode) throws Exception {
    return install(installed.toString(), exitCode);
  }

  private ChildJvm install(String name, int exitCode) throws Exception {
    try (ChildJvm install =
        ChildJvm.named("install", directory)
            .jar(BuiltArtefacts.war())
            .arguments("install", name)
            .start()) {
      int code = install.awaitExit(Patience.PATIENCE);
      assertThat(code).as(String.join("\n", install.output())).isEqualTo(exitCode);
      return install;
    }
  }

  /** Returns a line for each class that a gateway has loaded when it is ready. */
  private List<String> start(String name) throws Exception {
    Path loaded = directory.resolve(name + ".classes");
    gateway =
        ChildJvm.named(name, directory)
            .jvmOptions("-Xmx128m", "-Xlog:class+load:file=" + loaded)
            .arguments(
                "@" + installed.resolve("java.args"),
                "--listen",
                "127.0.0.1:0",
                "--insecure",
                "--anonymous",
                "--allow",
                "localhost:*",
                "--state",
                directory.resolve("state").toString())
            .start();
    gateway.awaitLine(Pattern.compile("^rmigate ready .*$"), Patience.PATIENCE);
    List<String> lines = Files.readAllLines(loaded);
    gateway.close();
    return lines;
  }
}
