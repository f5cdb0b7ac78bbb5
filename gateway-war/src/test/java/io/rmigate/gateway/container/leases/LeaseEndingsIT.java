package io.rmigate.gateway.container.leases;

import static io.rmigate.gateway.container.leases.Holding.ask;
import static io.rmigate.gateway.container.leases.Holding.awaitUnreferenced;
import static io.rmigate.gateway.container.leases.Holding.outliveKilled;
import static io.rmigate.gateway.container.leases.Holding.tell;
import static io.rmigate.gateway.container.leases.Holding.unreferenced;
import static io.rmigate.gateway.container.leases.LeaseBed.SOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.ChildJvm;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** What becomes of references when clients, links, gateways and servers end. */
class LeaseEndingsIT extends LeaseScenario {
  @Test
  void killedClientsReferencesAreReleasedAfterTheGrace(TestInfo test) throws Exception {
    bed(test, "session: {grace: 2s}");
    ChildJvm keeper = bed.keeper(port, Duration.ofMinutes(10).toMillis());
    ChildJvm client = bed.client(port, "");
    tell(client, "take a");
    bed.awaitLeases(2);

    long killed = System.nanoTime();
    client.kill();

    awaitUnreferenced(keeper, "a", 1);
    assertThat(Duration.ofNanos(System.nanoTime() - killed)).isGreaterThan(Duration.ofSeconds(2));
    bed.awaitLeases(0);
  }

  @Test
  void clientThatFallsSilentIsNoticedByItsMissingHeartbeats(TestInfo test) throws Exception {
    bed(test, "session: {heartbeat: 1s, grace: 1s}");
    ChildJvm keeper = bed.keeper(port, Duration.ofMinutes(10).toMillis());
    ChildJvm client = bed.client(port, "");
    tell(client, "take a");
    bed.awaitLeases(2);

    bed.relay().mute(); // the connection stays, as when a machine loses its power
    client.kill();

    awaitUnreferenced(keeper, "a", 1);
    bed.awaitLeases(0);
  }

  @Test
  void clientThatEndsInOrderReleasesAtOnce(TestInfo test) throws Exception {
    bed(test, "session: {grace: 1h}");
    ChildJvm keeper = bed.keeper(port, Duration.ofMinutes(10).toMillis());
    ChildJvm client = bed.client(port, "");
    tell(client, "take a");
    bed.awaitLeases(2);

    client.ask("exit", Pattern.compile("^bye$"), SOON);

    awaitUnreferenced(keeper, "a", 1);
  }

  @Test
  void sessionThatIsResumedKeepsItsLeases(TestInfo test) throws Exception {
    bed(test, "session: {grace: 2m}");
    ChildJvm keeper = bed.keeper(port, LEASE_MILLIS);
    ChildJvm client = bed.client(port, "");
    tell(client, "many t 20");
    bed.awaitLeases(21);

    bed.relay().cut();

    tell(client, "callall");
    bed.awaitRenewals(MORE_THAN_ONE);
    assertThat(bed.gateway().get("/admin/leases").split("\"session\"")).hasSize(2); // the same one
    assertHeldUntilDropped(client, keeper);
  }

  @Test
  void referencesOutliveACutLinkOfASessionThatIsNotResumed(TestInfo test) throws Exception {
    bed(test, "session: {grace: 10s}");
    ChildJvm keeper = bed.keeper(port, LEASE_MILLIS);
    ChildJvm client = bed.client(port, ",grace=0s");
    tell(client, "many t 20");
    bed.awaitLeases(21);
    bed.awaitGranted(21);

    bed.relay().cut();

    // Declared anew without a call, and the grace of the lost session passes.
    bed.awaitLeases(42);
    bed.awaitLeases(21);
    bed.awaitRenewals(MORE_THAN_ONE);
    tell(client, "callall");
    assertHeldUntilDropped(client, keeper);
  }

  @Test
  void referencesOfAServerThatDoesNotKnowItsNameOutliveACutLink(TestInfo test) throws Exception {
    bed(test, "session: {grace: 2m}");
    ChildJvm keeper = bed.keeperThatKnowsNothing(port, LEASE_MILLIS);
    ChildJvm client = bed.client(port, "");
    tell(client, "many t 20");
    bed.awaitLeases(21);

    bed.relay().cut();

    tell(client, "callall");
    bed.awaitRenewals(MORE_THAN_ONE);
    tell(client, "callall");
    assertHeldUntilDropped(client, keeper);
  }

  @Test
  void referencesOutliveAKilledGateway(TestInfo test) throws Exception {
    bed(test, "session: {grace: 2m}");
    long leaseMillis = 30_000; // far longer than it takes to start a gateway
    ChildJvm keeper = bed.keeper(port, leaseMillis);
    ChildJvm client = bed.client(port, "");
    tell(client, "many t 20");
    bed.awaitLeases(21);
    bed.awaitGranted(21);

    long killed = System.nanoTime();
    bed.gateway().kill();
    bed.gateway().startAgain();

    bed.awaitLeases(21);
    tell(client, "callall");
    outliveKilled(bed.gateway(), killed, leaseMillis);
    tell(client, "callall");
    assertHeldUntilDropped(client, keeper);
  }

  @Test
  void restartedServerIsTakenFromAgain(TestInfo test) throws Exception {
    bed(test, "session: {grace: 2m}");
    ChildJvm keeper = bed.keeper(port, LEASE_MILLIS);
    ChildJvm client = bed.client(port, "");
    tell(client, "take a");
    bed.awaitLeases(2);
    keeper.kill();
    assertThat(ask(client, "call a")).startsWith("failed");
    ChildJvm again = bed.keeper(port, LEASE_MILLIS);
    assertThat(ask(client, "call a")).contains("NoSuchObjectException");

    tell(client, "lookup");
    tell(client, "take b");
    tell(client, "drop a");
    bed.awaitRenewals(MORE_THAN_ONE);

    tell(client, "call b");
    assertThat(unreferenced(again, "b")).isZero();
    tell(client, "drop b");
    awaitUnreferenced(again, "b", 1);
  }

  /** Of twenty tokens of the client. */
  private static void assertHeldUntilDropped(ChildJvm client, ChildJvm keeper)
      throws InterruptedException {
    assertThat(unreferenced(keeper, "t")).isZero();
    tell(client, "dropall");
    awaitUnreferenced(keeper, "t", 20);
  }
}
