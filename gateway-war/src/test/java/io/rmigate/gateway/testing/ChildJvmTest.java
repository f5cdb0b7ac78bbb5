package io.rmigate.gateway.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
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
}
