package io.rmigate.perf.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StatisticsTest {
  private enum Contestant {
    PLAIN,
    RMIGATE
  }

  @Test
  void quantilesAreSamplesByNearestRank() {
    long[] samples = {50, 20, 40, 10, 30};
    assertThat(Samples.quantile(samples, 0.50)).isEqualTo(30);
    assertThat(Samples.quantile(samples, 0.99)).isEqualTo(50);
    assertThat(Samples.quantile(samples, 1.0)).isEqualTo(50);
    assertThat(samples).as("the samples are left as they were").startsWith(50, 20);
  }

  @Test
  void medianIsTheMiddleOrTheMeanOfTheMiddleTwo() {
    assertThat(Samples.median(List.of(9.0, 1.0, 5.0))).isEqualTo(5);
    assertThat(Samples.median(List.of(9.0, 1.0, 5.0, 7.0))).isEqualTo(6);
    assertThat(Samples.median(List.of())).isNaN();
  }

  @Test
  void boundsOfAMedianLeaveOutWhatFewSamplesAreBeyond() {
    List<Double> fifteen = IntStream.rangeClosed(1, 15).mapToObj(i -> (double) i).toList();
    assertThat(Samples.ofMedian(fifteen)).isEqualTo(new Samples.Interval(4, 12));
    assertThat(Samples.ofMedian(fifteen.subList(0, 6))).isEqualTo(new Samples.Interval(1, 6));
    assertThat(Samples.ofMedian(fifteen.subList(0, 5))).isEqualTo(new Samples.Interval(1, 5));
    assertThat(Samples.ofMedian(List.of(3.0))).isEqualTo(new Samples.Interval(3, 3));
    List<Double> forty = IntStream.rangeClosed(1, 40).mapToObj(i -> (double) i).toList();
    assertThat(Samples.ofMedian(forty)).isEqualTo(new Samples.Interval(14, 27));
    assertThatThrownBy(() -> Samples.ofMedian(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void ratiosAreTakenWithinARound() {
    Measurements<Contestant> measurements = new Measurements<>();
    double[][] rounds = {{10, 20}, {100, 210}, {40, 60}};
    for (double[] round : rounds) {
      measurements.add("latency", Contestant.PLAIN, round[0]);
      measurements.add("latency", Contestant.RMIGATE, round[1]);
    }
    Measurements.Ratio ratio = measurements.ratio("latency", Contestant.RMIGATE, Contestant.PLAIN);
    assertThat(ratio.median()).isEqualTo(2.0, within(1e-9));
    assertThat(ratio.least()).isEqualTo(1.5, within(1e-9));
    assertThat(ratio.greatest()).isEqualTo(2.1, within(1e-9));
  }
}
