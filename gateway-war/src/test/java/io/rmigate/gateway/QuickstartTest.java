package io.rmigate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The quick start is one program behind two fronts, for shells and for Windows. */
class QuickstartTest {
  private static final Path FRONT = RepositoryFiles.ROOT.resolve("quickstart");
  private static final Path WINDOWS_FRONT = RepositoryFiles.ROOT.resolve("quickstart.cmd");
  private static final Path PROGRAM =
      RepositoryFiles.ROOT.resolve("deploy/sample/src/quickstart/java/Quickstart.java");

  @Test
  void bothFrontsStartTheSameProgramWithTheSameArguments() throws IOException {
    List<String> front = Files.readAllLines(FRONT);
    List<String> windowsFront = Files.readAllLines(WINDOWS_FRONT);

    String start = front.get(front.size() - 1);
    assertThat(start).contains("$root/" + RepositoryFiles.ROOT.relativize(PROGRAM));
    assertThat(asInAShell(windowsFront.get(windowsFront.size() - 1))).isEqualTo(start);
  }

  @Test
  void bothFrontsRefuseAJavaThatCannotStartTheProgramInTheSameWords() throws IOException {
    for (Path file : List.of(FRONT, WINDOWS_FRONT)) {
      assertThat(asInAShell(Files.readString(file)))
          .contains("\"$java\" --describe-module jdk.compiler");
    }
    assertThat(advice(WINDOWS_FRONT))
        .startsWith("quickstart: '$java' is missing or no JDK.")
        .isEqualTo(advice(FRONT));
  }

  private static String advice(Path front) throws IOException {
    String text = asInAShell(Files.readString(front)).replace('"', '\'');
    String begin = "quickstart: '";
    String end = "to its directory.";
    return text.substring(text.indexOf(begin), text.indexOf(end) + end.length());
  }

  private static String asInAShell(String windows) {
    return windows
        .replaceFirst("^(?=\"%java%\")", "exec ")
        .replaceAll("%(\\w+)%", "\\$$1")
        .replace("%*", "\"$@\"")
        .replace('\\', '/');
  }

  /** In ASCII, which each code page of Windows has; without labels, which need its line ends. */
  @Test
  void theFrontForWindowsIsShortAndAscii() throws IOException {
    assertThat(Files.readAllLines(WINDOWS_FRONT, StandardCharsets.US_ASCII))
        .hasSizeLessThan(15)
        .startsWith("@echo off")
        .noneMatch(line -> line.startsWith(":"));
  }

  /** The launcher of JDK 11 can run it, so that it can say that 17 is needed. */
  @Test
  void theProgramCompilesForJava11WithoutWarnings(@TempDir Path classes) {
    int status =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(
                System.out,
                System.err,
                "--release",
                "11",
                "-Xlint:all,-options",
                "-Werror",
                "-classpath",
                classes.toString(),
                "-d",
                classes.toString(),
                PROGRAM.toString());
    assertThat(status).isZero();
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void anUnknownOptionIsNamedWithTheUsage(@TempDir Path directory) throws Exception {
    Path output = directory.resolve("output");
    ProcessBuilder builder =
        new ProcessBuilder(FRONT.toString(), "--nope")
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));

    assertThat(builder.start().waitFor()).isEqualTo(2);

    assertThat(Files.readAllLines(output))
        .startsWith("quickstart: unknown option --nope", "usage: ./quickstart [--once] [--help]");
  }
}
