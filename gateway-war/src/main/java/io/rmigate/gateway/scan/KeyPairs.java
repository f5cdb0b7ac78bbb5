package io.rmigate.gateway.scan;

/**
 * How many keys a receiver may have to compare each with each, if all keys of a message have equal
 * hash codes of which nothing is known here.
 *
 * <pre>
 *   keys of                       are compared with          counted here
 *   Hashtable, Set.of, Map.of     all others of their place  but what {@link KeyChains} computes
 *   HashMap and its kin           all that are of another    two for one: a tree that is in no
 *                                 class, or of one without   order takes four times as long
 *                                 an order                   as a chain
 *   the JVM's table of locales    all others                 eight for one, as was measured
 * </pre>
 *
 * <p>A key counts with the square root of its size, since two keys are compared in steps of which
 * there are no more than the smaller one has parts. The pairs of all tables are added up; the
 * figure that is told is the number of keys in one table that make as many. Constants of enums,
 * classes and arrays have hash codes that no sender chooses, and count for nothing. Confined to the
 * scanning thread.
 */
final class KeyPairs {
  /** Keys of one table that are not counted, because they cost little. */
  private static final int FREE = 32;

  private static final int KINDS = 4;
  private static final double IN_A_TREE = 2;
  private static final double OF_A_LOCALE = 8;

  /** The keys of one container so far. Kept for the next one at its depth. */
  static final class Table {
    private boolean tree;
    private int count;
    private double all;

    /** Keys of one of these kinds are told apart without being compared with all of it. */
    private final Object[] kinds = new Object[KINDS];

    private final double[] ofKinds = new double[KINDS];

    void begin(boolean isTree) {
      tree = isTree;
      count = 0;
      all = 0;
      for (int i = 0; i < KINDS && kinds[i] != null; i++) {
        kinds[i] = null;
        ofKinds[i] = 0;
      }
    }

    /**
     * Adds a key to its kind. Returns the weight of that kind before the key; negative half of the
     * key's weight if the key has no kind, or if there are too many kinds.
     */
    private double addTo(Object kind, double weight) {
      for (int i = 0; kind != null && i < KINDS; i++) {
        if (kinds[i] == null || kinds[i] == kind) {
          kinds[i] = kind;
          double before = ofKinds[i];
          ofKinds[i] += weight;
          return before;
        }
      }
      return -weight / 2; // like the others it is compared with those that follow, too
    }
  }

  /** Twice the pairs. */
  private double pairs;

  private double locales;

  /**
   * A key of a container.
   *
   * @param kind the same for keys that the container tells apart by their order or their hash code;
   *     null for a key that it does not
   * @param size its unfolded size
   */
  void add(Table table, Object kind, long size) {
    double weight = (table.tree ? IN_A_TREE : 1) * (size <= 1 ? 1 : Math.sqrt((double) size));
    double unlike = table.all - table.addTo(kind, weight);
    table.all += weight;
    if (++table.count > FREE) {
      pairs += 2 * weight * unlike;
    }
  }

  /** A locale, which a receiver looks for among all that it has read. */
  void addLocale() {
    pairs += OF_A_LOCALE * (2 * locales + OF_A_LOCALE);
    locales += OF_A_LOCALE;
  }

  /** The number of keys in one table that make as many pairs. */
  long keys() {
    return (long) Math.ceil(Math.sqrt(pairs));
  }
}
