package io.rmigate.client.deadline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.client.Rmigate;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Scopes of threads. */
class CallTimeoutTest {
  private static final Duration TWO = Duration.ofSeconds(2);
  private static final Duration FIVE = Duration.ofSeconds(5);

  @Test
  void aScopeIsItsThreadsAndEndsWithItsClose() throws Exception {
    assertThat(CallTimeout.current()).isNull();
    try (CallTimeout scope = CallTimeout.of(TWO)) {
      assertThat(CallTimeout.current()).isEqualTo(TWO);
      assertThat(CompletableFuture.supplyAsync(() -> String.valueOf(CallTimeout.current())).get())
          .isEqualTo("null");
      assertThatThrownBy(() -> CompletableFuture.runAsync(scope::close).get())
          .hasCauseInstanceOf(IllegalStateException.class);
    }
    assertThat(CallTimeout.current()).isNull();
  }

  @Test
  void ofNestedScopesTheShortestCounts() {
    try (CallTimeout outer = CallTimeout.of(FIVE)) {
      assertThat(outer).isNotNull();
      try (CallTimeout inner = CallTimeout.of(TWO)) {
        assertThat(CallTimeout.current()).isEqualTo(TWO);
        try (CallTimeout innermost = CallTimeout.of(FIVE)) {
          assertThat(innermost).isNotSameAs(inner);
          assertThat(CallTimeout.current()).isEqualTo(TWO);
        }
        assertThat(CallTimeout.current()).isEqualTo(TWO);
      }
      assertThat(CallTimeout.current()).isEqualTo(FIVE);
    }
    assertThat(CallTimeout.current()).isNull();
  }

  @Test
  void zeroIsNoBoundButThatOfAnOuterScope() {
    try (CallTimeout none = CallTimeout.of(Duration.ZERO)) {
      assertThat(CallTimeout.current()).isZero();
      try (CallTimeout bound = CallTimeout.of(TWO)) {
        try (CallTimeout inner = CallTimeout.of(Duration.ZERO)) {
          assertThat(inner).isNotSameAs(bound).isNotSameAs(none);
          assertThat(CallTimeout.current()).isEqualTo(TWO);
        }
      }
    }
  }

  @Test
  void closingAScopeClosesWhatWasLeftOpenInside() {
    CallTimeout outer = CallTimeout.of(FIVE);
    CallTimeout forgotten = CallTimeout.of(TWO);
    outer.close();
    outer.close();
    assertThat(CallTimeout.current()).isNull();
    forgotten.close();
    assertThat(CallTimeout.current()).isNull();
  }

  @Test
  void aBoundIsBetweenAMillisecondAndADay() {
    for (Duration wrong :
        new Duration[] {Duration.ofNanos(1), Duration.ofMillis(-1), Duration.ofDays(2)}) {
      assertThatThrownBy(() -> CallTimeout.of(wrong)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> Rmigate.builder().callTimeout(wrong))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
