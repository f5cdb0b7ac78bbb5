package io.rmigate.gateway.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(LeftoverCheck.class)
class ChildJvmTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  @TempDir private Path directory;

  /** Repeats its input; ends with 7 when it is told to. */
  static final class Echo {
    public static void main(String[] args) throws Exception {
      System.err.println("echo ready in " + System.getProperty("place"));
      for (int c = System.in.read(); c >= 0; c = System.in.read()) {
        if (c == 'q') {
          System.exit(7);
        }
        System.out.write(c);
        System.out.flush();
      }
    }
  }

  private ChildJvm echo() {
    return ChildJvm.named("echo", directory)
        .property("place", "here")
        .classPath(BuiltArtefacts.codeSource(Echo.class))
        .main(Echo.class.getName())
        .start();
  }

  @Test
  void questionsAreAnswered() throws Exception {
    try (ChildJvm echo = echo()) {
      assertThat(echo.awaitLine(Pattern.compile("ready in (\\w+)"), TIMEOUT).group(1))
          .isEqualTo("here");
      assertThat(echo.ask("ping 1", Pattern.compile("ping (\\d)"), TIMEOUT).group(1))
          .isEqualTo("1");
      assertThat(echo.ask("ping 2", Pattern.compile("ping (\\d)"), TIMEOUT).group(1))
          .isEqualTo("2");
      assertThat(echo.outputSinceAsked()).isEqualTo("ping 2");
    }
  }

  @Test
  void anUnexpectedEndIsReportedWithTheOutput() throws Exception {
    try (ChildJvm echo = echo()) {
      assertThatThrownBy(() -> echo.ask("q", Pattern.compile("never"), TIMEOUT))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("exit code 7")
          .hasMessageContaining("ready in here");
    }
  }

  @Test
  void silenceIsReportedWithTheOutput() throws Exception {
    try (ChildJvm echo = echo()) {
      echo.awaitLine(Pattern.compile("ready"), TIMEOUT);
      assertThatThrownBy(() -> echo.awaitLine(Pattern.compile("never"), Duration.ofMillis(10)))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("still running")
          .hasMessageContaining("ready in here");
    }
  }

  @Test
  void closingEndsTheProcess() throws Exception {
    ChildJvm echo = echo();
    echo.awaitLine(Pattern.compile("ready"), TIMEOUT);
    echo.close();
    assertThat(echo.isAlive()).isFalse();
    assertThat(ProcessHandle.of(echo.pid())).isEmpty();
  }

  /** Counts its runs in a static field; leaves a file behind if it is told to. */
  public static final class Counting {
    private static int runs;

    /** Until its input ends. */
    public static void main(String[] arguments) throws Exception {
      System.out.println("run " + ++runs + " of " + Arrays.toString(arguments));
      if (Arrays.asList(arguments).contains("file")) {
        Files.createTempFile("left", "");
      }
      while (System.in.read() >= 0) {
        System.out.println("input");
      }
    }
  }

  private ChildJvm counting(UnaryOperator<ChildJvm.Builder> how, String... arguments)
      throws InterruptedException {
    ChildJvm jvm =
        how.apply(ChildJvm.named("counting", directory))
            .classPath(BuiltArtefacts.codeSource(Counting.class))
            .main(Counting.class.getName())
            .arguments(arguments)
            .start();
    jvm.awaitLine(Pattern.compile("^run "), TIMEOUT);
    return jvm;
  }

  @Test
  void reusableJvmRunsTheNextProgramWithNewClassesAndItsOwnOutput() throws Exception {
    ChildJvm first = counting(ChildJvm.Builder::reusable, "a", "");
    first.ask("hello", Pattern.compile("^input$"), TIMEOUT);
    first.close();
    try (ChildJvm second = counting(ChildJvm.Builder::reusable, "b")) {
      assertThat(second.pid()).isEqualTo(first.pid());
      assertThat(second.output()).containsExactly("run 1 of [b]");
      assertThat(first.isAlive()).isFalse();
      assertThat(first.output()).startsWith("run 1 of [a, ]", "input");
      first.close(); // does nothing to the program that runs now
      first.kill();
      second.ask("hello", Pattern.compile("^input$"), TIMEOUT);
    }
  }

  @Test
  void reusableJvmKeepsClassesWhereThatIsAskedFor() throws Exception {
    counting(ChildJvm.Builder::reusableWithClasses).close();
    try (ChildJvm second = counting(ChildJvm.Builder::reusableWithClasses)) {
      assertThat(second.output()).containsExactly("run 2 of []");
    }
  }

  @Test
  void programsThatRunAtTheSameTimeAndThoseWithOtherOptionsHaveJvmsOfTheirOwn() throws Exception {
    try (ChildJvm first = counting(ChildJvm.Builder::reusable);
        ChildJvm second = counting(ChildJvm.Builder::reusable);
        ChildJvm third = counting(builder -> builder.property("other", 1).reusable())) {
      assertThat(Set.of(first.pid(), second.pid(), third.pid())).hasSize(3);
    }
  }

  @Test
  void killedJvmIsNotReused() throws Exception {
    ChildJvm first = counting(ChildJvm.Builder::reusable);
    first.kill();
    assertThat(first.isAlive()).isFalse();
    try (ChildJvm second = counting(ChildJvm.Builder::reusable)) {
      assertThat(second.pid()).isNotEqualTo(first.pid());
    }
  }

  @Test
  void programThatLeavesATemporaryFileBehindFails() throws Exception {
    ChildJvm jvm = counting(ChildJvm.Builder::reusable, "file");
    assertThatThrownBy(jvm::close)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("left something behind")
        .hasMessageContaining("temporary files");
    assertThat(ProcessHandle.of(jvm.pid())).isEmpty();
  }
}
