package io.rmigate.gateway.container.leases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.testing.Patience;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/** What those are told who hold objects, and what becomes of these. */
public final class Holding {
  private static final Duration SOON = Patience.PATIENCE;

  /** A renewal that was under way when a gateway was killed counts from its arrival. */
  private static final Duration MARGIN = Duration.ofSeconds(1);

  private static final Pattern ANSWER = Pattern.compile("^(?:done|failed) .*$");
  private static final Pattern DONE = Pattern.compile("^done .+$");

  private Holding() {}

  /** A command that must go well. */
  public static void tell(ChildJvm client, String command) throws InterruptedException {
    assertThat(ask(client, command)).as(command).matches(DONE);
  }

  /** A command and what is answered. */
  public static String ask(ChildJvm client, String command) throws InterruptedException {
    return client.ask(command, ANSWER, SOON).group();
  }

  /** Number of objects with this prefix of which the server was told that they are unreferenced. */
  public static long unreferenced(ChildJvm server, String prefix) {
    return server.output().stream()
        .filter(line -> line.startsWith("unreferenced " + prefix))
        .count();
  }

  /** Waits until {@code count} objects with this prefix are unreferenced. */
  public static void awaitUnreferenced(ChildJvm server, String prefix, int count) {
    await().atMost(SOON).until(() -> unreferenced(server, prefix) == count);
  }

  /** Waits until all sessions together hold {@code count} objects. */
  public static void awaitLeases(OpenGateway gateway, long count) {
    await().atMost(SOON).until(() -> gateway.metric("rmigate_leases"), is -> is == count);
  }

  /**
   * Has the keeper that the client asks granted to its session, which happens within seconds by
   * itself: who names it needs that at once. The answers come behind the grant.
   *
   * @param name of a token, which the client holds from then on
   */
  static void haveKeeperGranted(ChildJvm client, String name) throws InterruptedException {
    for (String what : List.of("take", "give", "forget")) {
      tell(client, what + " " + name);
    }
  }

  /**
   * Waits until the leases of a gateway that was killed have ended, and those of the present one
   * have been renewed.
   *
   * @param killedNanos when it was killed, by {@link System#nanoTime}
   */
  static void outliveKilled(OpenGateway gateway, long killedNanos, long leaseMillis) {
    Duration over = Duration.ofMillis(leaseMillis).plus(MARGIN);
    await().atMost(over.plus(SOON)).until(() -> System.nanoTime() - killedNanos > over.toNanos());
    awaitRenewals(gateway, 1);
  }

  /** Waits until the gateway has made {@code more} further dirty calls, and so renewed leases. */
  public static void awaitRenewals(OpenGateway gateway, int more) {
    long before = gateway.metric("rmigate_leases_dirty_total");
    await().atMost(SOON).until(() -> gateway.metric("rmigate_leases_dirty_total") >= before + more);
  }
}
