package io.rmigate.testing;

import java.util.Arrays;

/**
 * {@code gateway-war/fuzz TARGET}: damaged inputs for a target, as many as wanted. Exit code 0 if
 * it has taken all, 1 with the input that it has not, 2 for a wrong command line.
 */
public final class FuzzCommand {
  private static final long BATCH = 10_000;
  private static final long SHOWN_EVERY_NANOS = 10_000_000_000L;

  /** Arguments: the class of the target, then a {@link FuzzRun}. */
  public static void main(String[] arguments) throws Exception {
    FuzzRun run = FuzzRun.of(Arrays.copyOfRange(arguments, 1, arguments.length));
    try (FuzzCorpus corpus = FuzzCorpus.of(Class.forName(arguments[0]))) {
      corpus.replay();
      long shown = System.nanoTime();
      for (long done = 0; done < run.count(); done += BATCH) {
        corpus.mutate(run.seed() + done, Math.min(BATCH, run.count() - done));
        if (System.nanoTime() - shown > SHOWN_EVERY_NANOS) {
          shown = System.nanoTime();
          System.out.printf("%,d inputs%n", Math.min(done + BATCH, run.count()));
        }
      }
    } catch (AssertionError failure) {
      System.out.println(failure.getMessage());
      System.exit(1);
    }
    System.out.println("all taken");
    System.exit(0);
  }

  private FuzzCommand() {}
}
