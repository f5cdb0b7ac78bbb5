package io.rmigate.gateway.boxes;

import io.rmigate.gateway.boxes.Outcome.Verdict;
import io.rmigate.gateway.boxes.Traveller.Standing;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * All that a client does on its way to the depot: a lookup, calls, a result of 50 MB, callbacks,
 * nothing for a while, and calls and callbacks again.
 *
 * @param box what it leads through
 * @param mode how that is set up
 * @param expected the rung on which it should be made
 * @param cut whether the link is lost on it
 */
record Journey(String box, String mode, Rung expected, boolean cut) {
  private static final int CALLS = 300;
  private static final int KNOCKS = 50;
  private static final String PARCEL = sha256(DepotServer.madeUp());

  /** Makes it; {@code logs} are what stands between has to say. */
  Outcome make(Traveller client, Duration idle, Supplier<String> logs) throws InterruptedException {
    try {
      String refusal = expected == Rung.NONE ? beRefused(client) : travel(client, idle, !cut);
      Standing end = client.standing();
      String remark = refusal + end.why();
      require(end.rung() == expected, "%s is the wrong rung: %s".formatted(end.rung(), remark));
      require(!cut || client.losses() > 0, "the link was never cut");
      return new Outcome(this, Verdict.PASSED, Optional.of(end.rung()), client.losses(), remark);
    } catch (AssertionError failed) {
      return new Outcome(
          this,
          Verdict.FAILED,
          Optional.empty(),
          client.losses(),
          "%s%n%s%n%s".formatted(failed.getMessage(), client.log(), logs.get()));
    }
  }

  /** It is not made. */
  Outcome notMade(Verdict verdict, String why) {
    return new Outcome(this, verdict, Optional.empty(), 0, why);
  }

  /** It is not made because of something that is not there. */
  Outcome notMade(Installed missing) {
    return notMade(BoxMatrix.TOLERANCE.of(missing), missing.notInstalled());
  }

  /**
   * @param isCalledFirst false: there is no open stream of callbacks in the idle time, because the
   *     agent would watch the silence of a link with such a stream, and so keep the link in use
   */
  private static String travel(Traveller client, Duration idle, boolean isCalledFirst)
      throws InterruptedException {
    client.ask("lookup");
    client.ask("calls " + CALLS);
    require(client.ask("parcel").equals(PARCEL), "the 50 MB are others than were sent");
    if (isCalledFirst) {
      beCalled(client);
    }
    Thread.sleep(idle.toMillis()); // this is what the client does: nothing
    client.ask("calls " + CALLS);
    beCalled(client);
    return "";
  }

  private static void beCalled(Traveller client) throws InterruptedException {
    String answered = client.ask("callbacks " + KNOCKS);
    require(answered.equals(Integer.toString(KNOCKS)), answered + " callbacks of " + KNOCKS);
  }

  /** Nothing gets through, and the client is told who says no. */
  private static String beRefused(Traveller client) throws InterruptedException {
    String told;
    try {
      client.ask("lookup");
      told = "it came through";
    } catch (AssertionError expected) {
      told = expected.getMessage();
    }
    require(told.contains("answered 403"), told);
    require(told.contains("does not let connections to that host or port through"), told);
    return told.replaceAll("(?s).*(HTTP proxy \\S+ answered 403 \\w+).*", "$1");
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
