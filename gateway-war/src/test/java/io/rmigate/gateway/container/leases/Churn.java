package io.rmigate.gateway.container.leases;

import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.util.Arrays;
import java.util.Random;

/**
 * Takes, calls and drops tokens without a pause beside the client's other work, so that cut links
 * and the client's own end always come in the middle of something. What it drops it often takes
 * again before the garbage collector has seen it, or just then.
 */
final class Churn extends Thread {
  private static final int NAMES = 6;

  private final Keeper keeper;
  private final String prefix;
  private final Token[] held = new Token[NAMES];
  private final String[] numbered = new String[NAMES];
  private final Random random;
  private volatile boolean ended;
  private volatile String broken = "";
  private int rounds;

  Churn(Keeper keeper, String prefix, long seed) {
    super("churn");
    setDaemon(true);
    this.keeper = keeper;
    this.prefix = prefix;
    this.random = new Random(seed);
  }

  @Override
  public void run() {
    while (!ended && broken.isEmpty()) {
      int i = random.nextInt(NAMES);
      try {
        if (held[i] == null) {
          held[i] = keeper.take(prefix + i);
          numbered[i] = held[i].name();
        } else if (random.nextInt(3) > 0) {
          check(i, held[i].name());
        } else {
          held[i] = null;
          numbered[i] = null;
        }
        rounds++;
      } catch (NoSuchObjectException gone) {
        broken = prefix + i + " as " + numbered[i] + ": " + gone;
      } catch (RemoteException cut) {
        // The link was; and so one does not know what the call did.
      }
    }
  }

  private void check(int i, String answer) {
    if (numbered[i] == null) { // the call that was to tell it was cut
      numbered[i] = answer;
    }
    if (!answer.equals(numbered[i])) {
      broken = answer + " answers for " + numbered[i];
    }
  }

  /** Ends it, and it holds nothing any more; says {@code done ROUNDS}, or what went wrong. */
  String end() throws InterruptedException {
    ended = true;
    join();
    Arrays.fill(held, null);
    return broken.isEmpty() ? "done " + rounds : "failed " + broken;
  }
}
