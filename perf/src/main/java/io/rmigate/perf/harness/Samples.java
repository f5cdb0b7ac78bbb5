package io.rmigate.perf.harness;

import java.util.Arrays;
import java.util.List;

/** Order statistics. */
public final class Samples {
  /** The probability on each side of a confidence interval of 95 %. */
  private static final double TAIL = 0.025;

  private Samples() {}

  /**
   * The smallest sample that is not below this share of the samples (nearest rank).
   *
   * @param share over 0, at most 1
   */
  public static long quantile(long[] samples, double share) {
    if (samples.length == 0) {
      return 0;
    }
    long[] sorted = samples.clone();
    Arrays.sort(sorted);
    return sorted[(int) Math.ceil(share * sorted.length) - 1];
  }

  /** A confidence interval. */
  public record Interval(double low, double high) {}

  /**
   * The confidence interval of 95 % for the median of the distribution of these samples, for any
   * distribution: order statistics by the sign test (W. J. Conover, Practical Nonparametric
   * Statistics, 3rd edition, section 3.2). With fewer than six samples the bounds are the least and
   * the greatest sample.
   *
   * @throws IllegalArgumentException there is no sample
   */
  public static Interval ofMedian(List<Double> samples) {
    if (samples.isEmpty()) {
      throw new IllegalArgumentException("no samples");
    }
    double[] sorted = samples.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int outside = 0;
    double chance =
        Math.pow(0.5, sorted.length); // probability of at most that many samples below the median
    double exactly = chance;
    while (chance <= TAIL) {
      outside++;
      exactly = exactly * (sorted.length - outside + 1) / outside;
      chance += exactly;
    }
    int index = Math.max(0, outside - 1);
    return new Interval(sorted[index], sorted[sorted.length - 1 - index]);
  }

  /** The median: the middle sample, or the mean of the middle two; NaN without samples. */
  public static double median(List<Double> samples) {
    double[] sorted = samples.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (sorted.length == 0) {
      return Double.NaN;
    }
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
