package io.rmigate.perf.harness;

import java.util.Arrays;
import java.util.List;

/** Order statistics. */
public final class Samples {
  /** Of a confidence of 95 %, on each side. */
  private static final double TAIL = 0.025;

  private Samples() {}

  /**
   * The smallest sample that at least this share of them does not exceed (nearest rank).
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

  /** Bounds of what a sample stands for. */
  public record Interval(double low, double high) {}

  /**
   * Bounds between which the median lies from which these samples were drawn, with a confidence of
   * 95 %, whatever their distribution is: order statistics by the sign test (W. J. Conover,
   * Practical Nonparametric Statistics, 3rd edition, section 3.2). Fewer than six samples do not
   * allow that: then the bounds are the least and the greatest.
   *
   * @throws IllegalArgumentException there is no sample
   */
  public static Interval ofMedian(List<Double> samples) {
    if (samples.isEmpty()) {
      throw new IllegalArgumentException("no samples");
    }
    double[] sorted = samples.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int outside = 0;
    double chance = Math.pow(0.5, sorted.length); // that so many, or fewer, are below the median
    double exactly = chance;
    while (chance <= TAIL) {
      outside++;
      exactly = exactly * (sorted.length - outside + 1) / outside;
      chance += exactly;
    }
    int index = Math.max(0, outside - 1);
    return new Interval(sorted[index], sorted[sorted.length - 1 - index]);
  }

  /** The middle one, or the mean of the middle two; NaN of none. */
  public static double median(List<Double> samples) {
    double[] sorted = samples.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (sorted.length == 0) {
      return Double.NaN;
    }
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
