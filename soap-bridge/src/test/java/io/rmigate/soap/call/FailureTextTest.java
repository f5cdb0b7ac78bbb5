package io.rmigate.soap.call;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FailureTextTest {

  @Test
  void messagesOfServersMakeNoLinesOfTheirOwn() {
    Exception cause =
        new IllegalStateException("x\n12:00:00 ERROR Login \u202e\r" + "y".repeat(9_999));
    String line = FailureText.of(new CallFailure(CallFailure.Kind.THROWN, "failed", cause));

    assertThat(line)
        .contains("failed; caused by java.lang.IllegalStateException: x\\u000a12:00:00")
        .doesNotContain("\n", "\r", "\u202e")
        .hasSizeLessThan(600);
  }
}
