package io.rmigate.gateway.amplification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks that the program makes each request, not what it costs. */
class AmplificationTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  private String said() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void eachRequestIsMadeAndHasARow() throws IOException {
    AmplificationOptions once =
        AmplificationOptions.parse("--rounds", "1", "--round", "1", "--warm-up", "1");

    new Amplification(once, out).run();

    for (Graph graph : Graph.values()) {
      for (MeasuredGateway.Link link : MeasuredGateway.Link.values()) {
        assertThat(said()).contains("\n| " + graph + ", " + link + " ");
      }
    }
    assertThat(said()).contains("\n| a ping ", "\n| a lookup ", "\n| leases ", "\n| letting ");
    assertThat(said()).contains("\n| a grant ", "\n| a forged grant ");
    assertThat(said().lines().filter(line -> line.contains(", JSON "))).hasSizeGreaterThan(4);
    assertThat(said().lines().filter(line -> line.contains(", SOAP "))).hasSizeGreaterThan(3);
  }

  @Test
  void whatIsBeyondTheBoundIsNamedAndFails() {
    Cost at = Cost.of("bounded", List.of(new Cost.Round(100, 5, 50)));
    Cost beyond = Cost.of("unbounded", List.of(new Cost.Round(100, 5, 51)));

    assertThat(Amplification.report(List.of(at, beyond), out)).isFalse();

    assertThat(said()).contains("beyond 10 times its client's: unbounded (10.2x)");
    assertThat(said()).doesNotContain("client's: bounded");
    assertThat(Amplification.report(List.of(at), out)).isTrue();
  }

  @Test
  void ratiosAreThoseWithinRoundsOfWhichTheMedianCounts() {
    Cost cost =
        Cost.of(
            "a request",
            List.of(
                new Cost.Round(100, 5, 5),
                new Cost.Round(100, 1, 90),
                new Cost.Round(100, 10, 20)));

    assertThat(cost.ratio()).isEqualTo(2);
  }

  @Test
  void optionsThatAreNoneAreNamed() {
    assertThatThrownBy(() -> AmplificationOptions.parse("--fast"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--fast");
  }
}
