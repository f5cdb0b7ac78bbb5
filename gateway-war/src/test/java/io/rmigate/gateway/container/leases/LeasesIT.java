package io.rmigate.gateway.container.leases;

import static io.rmigate.gateway.container.leases.LeaseBed.SOON;
import static io.rmigate.gateway.container.leases.LeaseBed.ask;
import static io.rmigate.gateway.container.leases.LeaseBed.awaitUnreferenced;
import static io.rmigate.gateway.container.leases.LeaseBed.freePort;
import static io.rmigate.gateway.container.leases.LeaseBed.tell;
import static io.rmigate.gateway.container.leases.LeaseBed.unreferenced;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.CountingRelay;
import io.rmigate.gateway.testing.LeftoverCheck;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Nothing collected early, nothing leaked, and nothing of it on the link. Servers grant two seconds
 * and collect garbage several times a second.
 */
@ExtendWith(LeftoverCheck.class)
class LeasesIT {
  private static final long TWO_SECONDS = 2_000;

  /** Renewals at a third of the lease: three periods of it. */
  private static final int THREE_PERIODS = 9;

  private LeaseBed bed;

  private LeaseBed bed(TestInfo test, String grace) throws Exception {
    Path directory =
        BuiltArtefacts.workDirectory(getClass())
            .resolve(test.getTestMethod().orElseThrow().getName());
    bed = new LeaseBed(Files.createDirectories(directory), grace);
    return bed;
  }

  @AfterEach
  void stopEverything() throws Exception {
    if (bed != null) {
      bed.close();
    }
  }

  @Test
  void callThatReturnsAReferenceCostsOneRoundTrip(TestInfo test) throws Exception {
    bed(test, "2m");
    int port = freePort();
    ChildJvm keeper = bed.keeper(port, TWO_SECONDS);
    ChildJvm client = bed.client(port, "");
    tell(client, "take warm");
    CountingRelay.Counts before = bed.relay().counts();

    tell(client, "take a");
    await().atMost(SOON).until(() -> bed.metric("rmigate_leases") == 3);

    assertThat(bed.relay().counts().since(before).roundTrips())
        .as("%s", bed.relay().passages())
        .isEqualTo(1);
    bed.awaitRenewals(THREE_PERIODS);
    tell(client, "callall");
    assertThat(unreferenced(keeper, "")).isZero();
  }

  @Test
  void thousandReferencesAreHeldWithoutAByteAndDroppedWithoutWaiting(TestInfo test)
      throws Exception {
    bed(test, "2m");
    int port = freePort();
    ChildJvm keeper = bed.keeper(port, TWO_SECONDS);
    ChildJvm client = bed.client(port, "");
    tell(client, "many t 1000");
    await().atMost(SOON).until(() -> bed.metric("rmigate_leases") == 1001);
    CountingRelay.Counts before = bed.relay().counts();

    bed.awaitRenewals(THREE_PERIODS);

    // A heartbeat, or a report of the agent's account, may fall into these seconds.
    assertThat(bed.relay().counts().since(before).bytes()).isLessThan(100);
    assertThat(unreferenced(keeper, "t")).isZero();
    tell(client, "callall");
    before = bed.relay().counts();
    tell(client, "dropall");
    awaitUnreferenced(keeper, "t", 1000);
    assertThat(bed.relay().counts().since(before).roundTrips()).isLessThanOrEqualTo(1);
    assertThat(bed.metric("rmigate_leases")).isEqualTo(1);
  }

  @Test
  void killedClientsReferencesAreReleasedAfterTheGrace(TestInfo test) throws Exception {
    bed(test, "2s");
    int port = freePort();
    ChildJvm keeper = bed.keeper(port, Duration.ofMinutes(10).toMillis());
    ChildJvm client = bed.client(port, "");
    tell(client, "take a");
    await().atMost(SOON).until(() -> bed.metric("rmigate_leases") == 2);

    client.kill();

    awaitUnreferenced(keeper, "a", 1);
    await().atMost(SOON).until(() -> bed.metric("rmigate_leases") == 0);
  }

  @Test
  void clientThatEndsInOrderReleasesAtOnce(TestInfo test) throws Exception {
    bed(test, "1h");
    int port = freePort();
    ChildJvm keeper = bed.keeper(port, Duration.ofMinutes(10).toMillis());
    ChildJvm client = bed.client(port, "");
    tell(client, "take a");
    await().atMost(SOON).until(() -> bed.metric("rmigate_leases") == 2);

    client.ask("exit", java.util.regex.Pattern.compile("^bye$"), SOON);

    awaitUnreferenced(keeper, "a", 1);
  }

  @Test
  void referencesOutliveACutLink(TestInfo test) throws Exception {
    bed(test, "3s");
    int port = freePort();
    ChildJvm keeper = bed.keeper(port, TWO_SECONDS);
    ChildJvm client = bed.client(port, "");
    tell(client, "many t 20");
    await().atMost(SOON).until(() -> bed.metric("rmigate_leases") == 21);

    bed.relay().cut();

    // Declared anew without a call, and the grace of the lost session passes.
    await().atMost(SOON).until(() -> bed.metric("rmigate_leases") == 42);
    await().atMost(SOON).until(() -> bed.metric("rmigate_leases") == 21);
    bed.awaitRenewals(THREE_PERIODS);
    tell(client, "callall");
    assertThat(unreferenced(keeper, "t")).isZero();
    tell(client, "dropall");
    awaitUnreferenced(keeper, "t", 20);
  }

  @Test
  void referencesOutliveAKilledGateway(TestInfo test) throws Exception {
    bed(test, "2m");
    int port = freePort();
    ChildJvm keeper = bed.keeper(port, 20_000);
    ChildJvm client = bed.client(port, "");
    tell(client, "many t 20");
    await().atMost(SOON).until(() -> bed.metric("rmigate_leases") == 21);

    bed.gateway().kill();
    bed.startGateway();

    await().atMost(SOON).until(() -> bed.metric("rmigate_leases") == 21);
    tell(client, "callall");
    bed.awaitRenewals(4); // longer than the lease of the killed one
    tell(client, "callall");
    assertThat(unreferenced(keeper, "t")).isZero();
    tell(client, "dropall");
    awaitUnreferenced(keeper, "t", 20);
  }

  @Test
  void restartedServerIsTakenFromAgain(TestInfo test) throws Exception {
    bed(test, "2m");
    int port = freePort();
    ChildJvm keeper = bed.keeper(port, TWO_SECONDS);
    ChildJvm client = bed.client(port, "");
    tell(client, "take a");
    await().atMost(SOON).until(() -> bed.metric("rmigate_leases") == 2);
    keeper.kill();
    assertThat(ask(client, "call a")).startsWith("failed");
    ChildJvm again = bed.keeper(port, TWO_SECONDS);
    assertThat(ask(client, "call a")).contains("NoSuchObjectException");

    tell(client, "lookup");
    tell(client, "take b");
    tell(client, "drop a");
    bed.awaitRenewals(THREE_PERIODS);

    tell(client, "call b");
    assertThat(unreferenced(again, "b")).isZero();
    tell(client, "drop b");
    awaitUnreferenced(again, "b", 1);
  }

  @Test
  void referenceOutOfAMarshalledObjectIsHeld(TestInfo test) throws Exception {
    bed(test, "2m");
    int port = freePort();
    ChildJvm keeper = bed.keeper(port, TWO_SECONDS);
    ChildJvm client = bed.client(port, "");
    tell(client, "take a"); // somebody must hold it until it is unmarshalled
    tell(client, "wrap a");
    tell(client, "unwrap a");
    bed.awaitRenewals(THREE_PERIODS);

    tell(client, "call a");
    assertThat(unreferenced(keeper, "a")).isZero();
    tell(client, "drop a");
    awaitUnreferenced(keeper, "a", 1);
  }

  @Test
  void referenceToAThirdHostIsHeldThere(TestInfo test) throws Exception {
    bed(test, "2m");
    int port = freePort();
    int third = freePort();
    bed.keeper(port, TWO_SECONDS);
    ChildJvm other = bed.keeper(third, TWO_SECONDS);
    ChildJvm client = bed.client(port, "");

    tell(client, "third " + third + " a");
    await().atMost(SOON).until(() -> bed.metric("rmigate_leases") == 2);
    bed.awaitRenewals(2 * THREE_PERIODS);

    tell(client, "call a");
    tell(client, "drop a");
    await()
        .atMost(SOON)
        .until(
            () -> {
              ask(client, "gc");
              return unreferenced(other, "a") > 0;
            });
  }
}
