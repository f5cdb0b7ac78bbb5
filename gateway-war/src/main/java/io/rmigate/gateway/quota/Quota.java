package io.rmigate.gateway.quota;

/**
 * How many units there are of something, and how many of them one holder may have. Immutable.
 *
 * <p>In a fair quota a holder may have no more than {@code timesFree} times the units that are free
 * afterwards. So units remain for the next holder, even if others are greedy, and no share has to
 * be configured: with 1 a single holder gets one half, and two get a third each; with 3 a single
 * holder gets three quarters, and two get three sevenths each. (After Choudhury and Hahne, "Dynamic
 * Queue Length Thresholds for Shared-Memory Packet Switches", 1998.)
 *
 * @param total units of all holders together
 * @param each the most units of one holder
 * @param timesFree the factor of a fair quota; 0 if the quota is not fair
 * @param largest units that one holder may have in spite of {@code timesFree}, while all others
 *     have no more than half of the rest; 0 if there is no exception
 */
public record Quota(long total, long each, int timesFree, long largest) {
  /** The most units that are counted. */
  static final long MAX_TOTAL = Long.MAX_VALUE / 4;

  public Quota {
    if (total < 0 || total > MAX_TOTAL || each < 0 || timesFree < 0 || timesFree > 3) {
      throw new IllegalArgumentException(total + ", " + each + ", " + timesFree);
    }
  }

  /** Any holder may have all units. */
  public static Quota of(long total) {
    return new Quota(total, total, 0, 0);
  }

  /** A holder may have {@code each} units. */
  public static Quota of(long total, long each) {
    return new Quota(total, each, 0, 0);
  }

  /** A holder may have {@code each} units, and all holders together any number. */
  public static Quota ofEach(long each) {
    return new Quota(MAX_TOTAL, each, 0, 0);
  }

  /** A fair quota, of which a single holder gets one half. */
  public static Quota half(long total) {
    return new Quota(total, total, 1, 0);
  }

  /** A fair quota, of which a single holder gets three quarters. */
  public static Quota threeQuarters(long total) {
    return new Quota(total, total, 3, 0);
  }

  /** This quota, with another bound for each holder. */
  public Quota withEach(long most) {
    return new Quota(total, most, timesFree, largest);
  }

  /** This quota, of which one holder may have {@code units} in spite of its factor. */
  public Quota withLargest(long units) {
    return new Quota(total, each, timesFree, units);
  }

  /**
   * Whether a holder may have a number of units.
   *
   * @param own units of the holder, including the requested ones
   * @param taken units of all holders, including the requested ones
   */
  boolean permits(long own, long taken) {
    return taken <= total
        && own <= each
        && (timesFree == 0 || own <= timesFree * (total - taken + 1) || isLargest(own, taken));
  }

  private boolean isLargest(long own, long taken) {
    return own <= largest && taken - own <= (total - largest) / 2;
  }
}
