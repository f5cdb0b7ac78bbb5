package io.rmigate.testing;

/**
 * How much a command for fuzzing is to do.
 *
 * @param count of inputs
 * @param seed that makes the same inputs again
 */
public record FuzzRun(long count, long seed) {
  private static final long COUNT = 1_000_000;
  private static final int WRONG_USAGE = 2;

  /**
   * From {@code --streams N} or {@code --inputs N}, and {@code --seed N}; exits if it is neither.
   */
  public static FuzzRun of(String... arguments) {
    long count = COUNT;
    long seed = System.nanoTime();
    try {
      for (int i = 0; i < arguments.length; i += 2) {
        switch (arguments[i]) {
          case "--streams", "--inputs" -> count = Long.parseLong(arguments[i + 1]);
          case "--seed" -> seed = Long.parseLong(arguments[i + 1]);
          default -> throw new NumberFormatException(arguments[i]);
        }
      }
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException wrong) {
      System.err.println("expected --streams N, --inputs N or --seed N: " + wrong.getMessage());
      System.exit(WRONG_USAGE);
    }
    System.out.println("seed " + seed + ", " + count + " inputs, JDK " + Runtime.version());
    return new FuzzRun(count, seed);
  }
}
