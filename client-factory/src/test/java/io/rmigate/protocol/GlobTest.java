package io.rmigate.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GlobTest {

  @ParameterizedTest
  @CsvSource({
    "a, a, true",
    "a, b, false",
    "*, '', true",
    "*, a, true",
    "a*, a, true",
    "a*, ba, false",
    "*a, ba, true",
    "*a, ab, false",
    "a*a, a, false",
    "a*a, aa, true",
    "a*b*c, abc, true",
    "a*b*c, acbc, true",
    "a*b*c, acb, false",
    "a*bc*c, abc, false", // what a part has taken is not there for the end
    "*ab*ab*, xabyabz, true",
    "*ab*ab*, xabz, false",
    "a**b, ab, true",
    "a.b, axb, false",
  })
  void matching(String glob, String text, boolean expected) {
    assertThat(new Glob(glob).matches(text)).isEqualTo(expected);
  }

  /** By trying every way, this would be a billion steps, or some seconds. */
  @Test
  void namesOfClientsCannotMakePatternsTakeLong() {
    String name = "a".repeat(2000);
    NamePatterns names = NamePatterns.of(List.of("*a*a*b"));
    DestinationPatterns hosts = DestinationPatterns.of(List.of("*a*a*b:1"));

    long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    assertThat(names.matches(name)).isFalse();
    assertThat(hosts.matches(name, 1)).isFalse();
    long nanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;

    assertThat(Duration.ofNanos(nanos)).isLessThan(Duration.ofMillis(500));
  }
}
