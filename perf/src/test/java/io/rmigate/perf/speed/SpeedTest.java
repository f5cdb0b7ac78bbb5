package io.rmigate.perf.speed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.perf.harness.Measurements;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The parts of the driver that need no other JVM. */
class SpeedTest {
  @Test
  void aimsAreMissedWithoutMeasurements() {
    assertThat(Comparison.TUNNEL.aims()).noneMatch(aim -> aim.isMet(new Measurements<>()));
    assertThat(Comparison.SERVICES.aims()).noneMatch(aim -> aim.isMet(new Measurements<>()));
    assertThat(Comparison.CLASS_RULES.aims()).noneMatch(aim -> aim.isMet(new Measurements<>()));
  }

  @Test
  void classRulesMayTakeATenthOfTheSpeedOfAGatewayWithoutThem() {
    Measurements<Contestant> slow = new Measurements<>();
    Measurements<Contestant> fast = new Measurements<>();
    for (String metric : List.of("t1.getters.p50", "t1.ping.p50")) {
      slow.add(metric, Contestant.OFF, 100);
      slow.add(metric, Contestant.RMIGATE, 111);
      fast.add(metric, Contestant.OFF, 100);
      fast.add(metric, Contestant.RMIGATE, 109);
    }
    for (String metric : List.of("t8.rate", "t64.rate")) {
      slow.add(metric, Contestant.OFF, 100);
      slow.add(metric, Contestant.RMIGATE, 89);
      fast.add(metric, Contestant.OFF, 100);
      fast.add(metric, Contestant.RMIGATE, 91);
    }
    Comparison comparison = SpeedOptions.parse("--class-rules").comparison();
    assertThat(comparison.aims())
        .noneMatch(aim -> aim.isMet(slow))
        .allMatch(aim -> aim.isMet(fast));
  }

  @Test
  void aBuildIsWorseWhenAllOfTheIntervalIsBeyondTheTolerance() {
    assertThat(new Regression("cost", List.of(1.06, 1.07, 1.08, 1.06, 1.07, 1.09), true))
        .matches(Regression::isWorse)
        .extracting(Regression::line)
        .asString()
        .startsWith("WORSE  cost")
        .contains("1.070 of before (1.060-1.090), may be 1.05");
    assertThat(new Regression("noisy", List.of(1.04, 1.2, 1.3, 1.2, 1.3, 1.3), true).isWorse())
        .isFalse();
    assertThat(new Regression("less", List.of(0.5, 0.5, 0.5, 0.5, 0.5, 0.5), true).isWorse())
        .isFalse();
    assertThat(new Regression("rate", List.of(0.9, 0.9, 0.9, 0.9, 0.9, 0.94), false).isWorse())
        .isTrue();
    assertThat(new Regression("rate", List.of(0.9, 0.9, 0.9, 0.9, 0.9, 0.96), false).isWorse())
        .isFalse();
    assertThat(Regression.isAny(new Measurements<>())).as("nothing was measured").isTrue();
  }

  @Test
  void twoBuildsAreComparedByTheRatiosOfTheirRounds() {
    Measurements<Contestant> measurements = new Measurements<>();
    for (int round = 1; round <= 6; round++) {
      for (String metric : List.of("t1.getters.p50", "t1.ping.p50", "t8.rate", "t64.rate")) {
        measurements.add(metric, Contestant.BEFORE, 10 * round);
        measurements.add(metric, Contestant.RMIGATE, 10 * round);
      }
      for (String metric : List.of("t1.bytes.gateway", "t1.bytes.client", "t64.cpu.gateway")) {
        measurements.add(metric, Contestant.BEFORE, 100);
        measurements.add(metric, Contestant.RMIGATE, metric.contains("client") ? 106 : 104);
      }
    }
    assertThat(Regression.of(measurements).stream().filter(Regression::isWorse))
        .extracting(Regression::label)
        .containsExactly("bytes/call, client");
    assertThat(SpeedOptions.parse("--before", "/a").comparison()).isEqualTo(Comparison.BUILDS);
  }

  @Test
  void readingsComeBackFromTheirLine() {
    Reading reading = new Reading();
    reading.put("getters.p50", 52.529);
    reading.put("calls", 27_000);
    assertThat(reading.line()).isEqualTo("reading calls=27000.000 getters.p50=52.529");
    assertThat(Reading.parse(reading.line()).values()).isEqualTo(reading.values());
  }

  @Test
  void linesThatAreNoReadingsAreNamed() {
    assertThatThrownBy(() -> Reading.parse("error none"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("error none");
    assertThatThrownBy(() -> Reading.parse("reading calls"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("name=number");
  }

  @Test
  void onlyVoluntarySwitchesCount() {
    List<String> status =
        List.of("Name:\tjava", "voluntary_ctxt_switches:\t17", "nonvoluntary_ctxt_switches:\t4");
    assertThat(ThreadCosts.voluntary(status)).isEqualTo(17);
    assertThat(ThreadCosts.voluntary(List.of("Name:\tjava"))).isZero();
  }

  @Test
  void systemCallsAreTheSumOfTheColumnCalls() {
    List<String> summary =
        List.of(
            "% time     seconds  usecs/call     calls    errors syscall",
            "------ ----------- ----------- --------- --------- ----------------",
            " 61.33    0.000111           3        34        12 futex",
            " 38.67    0.000070           7        10           write",
            "------ ----------- ----------- --------- --------- ----------------",
            "100.00    0.000181           4        44        12 total");

    assertThat(SystemCalls.total(summary)).isEqualTo(44);
  }

  @Test
  void countsBeyondTheirBoundAndCountsThatAreMissingFail() {
    CountBounds bounds =
        CountBounds.parse(
            List.of(
                "# a comment",
                "t1.bytes.gateway 1000",
                "t1.bytes.client 10 over-plain",
                "t1.syscalls.gateway 8",
                "classes.client 400 over-plain"));
    Measurements<Contestant> measured = new Measurements<>();
    measured.add("t1.bytes.gateway", Contestant.RMIGATE, 1_001);
    measured.add("t1.bytes.client", Contestant.PLAIN, 5_000);
    measured.add("t1.bytes.client", Contestant.RMIGATE, 5_010);

    assertThat(bounds.check(measured))
        .containsExactly(
            "BEYOND   classes.client over plain RMI: NaN, at most 400.0",
            "within   t1.bytes.client over plain RMI: 10.0, at most 10.0",
            "BEYOND   t1.bytes.gateway: 1001.0, at most 1000.0",
            "skipped  t1.syscalls.gateway: NaN, at most 8.0");
  }

  @Test
  void commandLineSaysWhatIsWrong() {
    String jdk = System.getProperty("java.home");
    assertThat(SpeedOptions.parse("--quick", "--jdk", jdk, "--jdk", jdk + "/."))
        .satisfies(
            options -> {
              assertThat(options.passes().rounds()).isEqualTo(5);
              assertThat(options.jdks()).containsExactly(Path.of(jdk), Path.of(jdk + "/."));
              assertThat(options.passes().pinned()).containsExactly(true, false);
            });
    assertThat(SpeedOptions.parse("--counts").passes().pinned()).containsExactly(true);
    assertThatThrownBy(() -> SpeedOptions.parse("--rounds"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--rounds needs a value");
    assertThatThrownBy(() -> SpeedOptions.parse("--rounds", "0"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--rounds 0: expected at least 1");
    assertThatThrownBy(() -> SpeedOptions.parse("--rounds", "x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("--rounds x: expected a whole number");
    assertThatThrownBy(() -> SpeedOptions.parse("--jdk", "/nope"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--jdk /nope: expected the home of a JDK");
    assertThatThrownBy(() -> SpeedOptions.parse("--fast"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--fast");
  }
}
