package io.rmigate.perf.juric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.rmigate.perf.harness.Measurements;
import io.rmigate.perf.report.Figures;
import io.rmigate.perf.ways.Way;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The parts of the driver that need no other JVM. */
class JuricTest {
  @Test
  void publishedFactorsAreTheAuthorsOwn() {
    assertThat(Figures.times(Published.PRIMITIVE_GETTERS.factor(Way.SERVLET))).isEqualTo("28.4x");
    assertThat(Figures.times(Published.PRIMITIVE_GETTERS.factor(Way.CONNECT))).isEqualTo("36.1x");
    assertThat(Figures.times(Published.PRIMITIVE_GETTERS.factor(Way.SOAP))).isEqualTo("8.9x");
    assertThat(Figures.times(Published.LOOKUP.factor(Way.SERVLET))).isEqualTo("38.9x");
    assertThat(Published.STRING_GETTER.factor(Way.JSON)).isEmpty();
  }

  @Test
  void factorsAreTakenWithinARunAndPrimitiveGettersAreTheMeanOfSeven() {
    Measurements<Way> measured = new Measurements<>();
    run(measured, 10, 15);
    run(measured, 100, 140); // a disturbed run disturbs both
    run(measured, 20, 26);
    JuricReport report = new JuricReport(Map.of(), List.of(Way.DIRECT, Way.WEBSOCKET), measured);

    Measurements.Ratio factor = report.factor("seven primitive getters, mean", Way.WEBSOCKET);
    assertThat(factor.median()).isCloseTo(1.4, within(1e-9));
    assertThat(factor.least()).isCloseTo(1.3, within(1e-9));
    assertThat(factor.greatest()).isCloseTo(1.5, within(1e-9));
    assertThat(report.text())
        .contains("1.40 (1.30-1.50)")
        .contains("pass: rmigate WebSocket at most 1.5 times plain RMI, measured 1.40")
        .doesNotContain("rmigate POST");
  }

  private static void run(Measurements<Way> measured, double direct, double webSocket) {
    for (Operation operation : Operation.values()) {
      measured.add(operation.label(), Way.DIRECT, direct);
      measured.add(operation.label(), Way.WEBSOCKET, webSocket);
    }
  }

  @Test
  void variationIsTheSamplesStandardDeviationOverItsMean() {
    assertThat(JuricReport.variation(List.of(9.0, 11.0))).isCloseTo(14.142, within(0.001));
  }

  @Test
  void optionsAreChecked() {
    JuricOptions quick =
        JuricOptions.parse("juric", "--quick", "--pinned", "--ways", "direct,post");
    assertThat(quick.ways()).containsExactly(Way.DIRECT, Way.POST);
    assertThat(quick.pinned()).isTrue();
    assertThat(quick.shared()).isFalse();
    assertThat(JuricOptions.parse("juric", "--shared").shared()).isTrue();
    assertThat(quick.amount().runs()).isEqualTo(3);
    assertThatThrownBy(() -> JuricOptions.parse("juric", "--ways", "post"))
        .hasMessageContaining("without direct");
    assertThatThrownBy(() -> JuricOptions.parse("juric", "--ways", "direct,pigeon"))
        .hasMessageContaining("no way \"pigeon\"");
    assertThatThrownBy(() -> JuricOptions.parse("juric", "--link", "gsm"))
        .hasMessageContaining("--link");
  }
}
