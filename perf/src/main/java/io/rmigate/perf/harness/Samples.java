package io.rmigate.perf.harness;

import java.util.Arrays;
import java.util.List;

/** Order statistics. */
public final class Samples {
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
