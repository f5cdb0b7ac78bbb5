package io.rmigate.client.program.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a cut of idle connections concerns a link, and what is to be set then. */
class LinkFindingsTest {
  private static final Duration HEARTBEAT = Duration.ofSeconds(15);

  @ParameterizedTest
  @CsvSource({"14900, 9s", "8000, 5s", "3000, 2s", "900, 1s"})
  void aCutWithinTheLongestSilenceOfALinkIsAWarningWithALineAgainstIt(
      long millis, String heartbeat) {
    Finding found =
        finding(new IdleProbe.Result.Closed(Duration.ofMillis(millis), HEARTBEAT, "closed"));

    assertThat(found.code()).isEqualTo("idle.cut");
    assertThat(found.level()).isEqualTo(Level.WARNING);
    assertThat(found.advice()).startsWith("Set session.heartbeat: " + heartbeat + " in ");
  }

  @Test
  void aCutThatComesLaterIsOnlyNoted() {
    Finding found =
        finding(new IdleProbe.Result.Closed(Duration.ofSeconds(16), HEARTBEAT, "closed"));

    assertThat(found.code()).isEqualTo("idle.cut");
    assertThat(found.level()).isEqualTo(Level.NOTE);
    assertThat(found.meaning()).contains("silent for 15 s at most");
  }

  @Test
  void aConnectionThatDiesWithoutAWordIsLikeOneThatIsClosed() {
    Finding found = finding(new IdleProbe.Result.Dead(Duration.ofSeconds(5), HEARTBEAT));

    assertThat(found.code()).isEqualTo("idle.silently-cut");
    assertThat(found.advice()).contains("session.heartbeat: 3s");
  }

  private static Finding finding(IdleProbe.Result idle) {
    Observations facts =
        new Observations(
            DoctorOptions.parse(List.of("rmi://a.example/b"), new Properties(), Map.of()),
            List.of(),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            new Observations.Trials(Optional.of(idle), Optional.empty()),
            false);
    List<Finding> found = LinkFindings.of(facts, Clock.systemUTC());
    assertThat(found).hasSize(1);
    return found.get(0);
  }
}
