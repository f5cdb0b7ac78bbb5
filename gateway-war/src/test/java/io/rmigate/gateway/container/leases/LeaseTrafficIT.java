package io.rmigate.gateway.container.leases;

import static io.rmigate.gateway.container.leases.Holding.awaitUnreferenced;
import static io.rmigate.gateway.container.leases.Holding.haveKeeperGranted;
import static io.rmigate.gateway.container.leases.Holding.tell;
import static io.rmigate.gateway.container.leases.Holding.unreferenced;
import static io.rmigate.gateway.container.leases.LeaseBed.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.CountingRelay;
import io.rmigate.gateway.testing.InsideHosts;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** What references cost on the link: the calls that bring them, and nothing to be held. */
class LeaseTrafficIT extends LeaseScenario {
  /** No heartbeat and no answer to one is longer, WebSocket framing included. */
  private static final long HEARTBEAT_BYTES = 20;

  @Test
  void callThatReturnsAReferenceCostsOneRoundTrip(TestInfo test) throws Exception {
    bedOfAnyObjects(test, "session: {grace: 2m}");
    ChildJvm keeper = bed.keeper(port, LEASE_MILLIS);
    ChildJvm client = bed.client(port, "");
    haveKeeperGranted(client, "warm");
    bed.awaitAcks(2);
    CountingRelay.Counts before = bed.relay().counts();

    tell(client, "take a");
    bed.awaitLeases(3);

    assertThat(bed.relay().counts().since(before).roundTrips())
        .as("%s", bed.relay().passages())
        .isEqualTo(1);
    bed.awaitRenewals(MORE_THAN_ONE);
    tell(client, "callall");
    assertThat(unreferenced(keeper, "")).isZero();
  }

  @Test
  void thousandReferencesAreHeldWithoutAByteAndDroppedWithoutWaiting(TestInfo test)
      throws Exception {
    bedOfAnyObjects(
        test, "session: {heartbeat: 10m}"); // what is left besides heartbeats is nothing
    ChildJvm keeper = bed.keeper(port, LEASE_MILLIS);
    ChildJvm client = bed.client(port, "");
    tell(client, "many t 1000");
    tell(client, "give t1"); // who names it is granted the keeper's endpoint now, not in 5 s
    tell(client, "forget t1");
    bed.awaitLeases(1001);
    bed.awaitAcks(2);
    CountingRelay.Counts before = bed.relay().counts();

    bed.awaitRenewals(MORE_THAN_ONE);

    assertThat(bed.relay().counts().since(before).bytes()).isZero();
    assertThat(unreferenced(keeper, "t")).isZero();
    tell(client, "callall");
    before = bed.relay().counts();
    tell(client, "dropall");
    awaitUnreferenced(keeper, "t", 1000);
    CountingRelay.Counts dropped = bed.relay().counts().since(before);
    assertThat(dropped.bytesBack()).as("one way").isZero();
    assertThat(dropped.bytesForth()).isPositive().isLessThan(1000 * 30L);
    bed.awaitLeases(1);
  }

  @Test
  void heartbeatsAreAllThatPassesWhileReferencesAreHeld(TestInfo test) throws Exception {
    bedOfAnyObjects(test, "session: {heartbeat: 1s}");
    bed.keeper(port, LEASE_MILLIS);
    ChildJvm client = bed.client(port, "");
    tell(client, "many t 1000");
    tell(client, "give t1"); // who names it is granted the keeper's endpoint now, not in 5 s
    tell(client, "forget t1");
    bed.awaitLeases(1001);
    await().atMost(SOON).until(() -> isBeating(bed.relay()));
    CountingRelay.Counts before = bed.relay().counts();

    bed.awaitRenewals(MORE_THAN_ONE);

    CountingRelay.Counts held = bed.relay().counts().since(before);
    assertThat(held.oneWays()).isPositive();
    assertThat(held.bytes()).isLessThanOrEqualTo((held.oneWays() + 1) * 2 * HEARTBEAT_BYTES);
  }

  @Test
  void strictWaitsForNothingThatAReturnHasJustBrought(TestInfo test) throws Exception {
    bedOfAnyObjects(test, "session: {heartbeat: 10m}");
    bed.keeper(port, LEASE_MILLIS);
    ChildJvm client = bed.client(port, ",leases=strict");
    haveKeeperGranted(client, "warm");
    bed.awaitAcks(2);
    CountingRelay.Counts before = bed.relay().counts();

    tell(client, "take a");
    bed.awaitLeases(3);

    assertThat(bed.relay().counts().since(before).roundTrips()).isEqualTo(1);
  }

  @Test
  void tableOfLeasesIsShownToAdmins(TestInfo test) throws Exception {
    bed(test, "session: {grace: 10m}");
    bed.keeper(port, LEASE_MILLIS);
    ChildJvm client = bed.client(port, ",grace=0s");
    tell(client, "many t 5");
    await().atMost(SOON).until(() -> bed.gateway().get("/admin/leases").contains("\"held\" : 6"));

    assertThat(bed.gateway().get("/admin/leases"))
        .contains("\"state\" : \"LIVE\"")
        .contains("\"endpoint\" : \"" + InsideHosts.INSIDE + ":" + port + "\"")
        .contains("\"inDoubt\" : 0")
        .contains("\"grantedMillis\" : 3000")
        .contains("\"failures\" : 0");
    client.kill();
    await().atMost(SOON).until(() -> bed.gateway().get("/admin/leases").contains("\"GRACE\""));
  }

  /** Whether the latest that passed were heartbeats and their answers, more than one of them. */
  private static boolean isBeating(CountingRelay relay) {
    List<CountingRelay.Passage> passages = relay.passages();
    return passages.size() >= 4
        && passages.subList(passages.size() - 4, passages.size()).stream()
            .allMatch(passage -> passage.bytes() <= HEARTBEAT_BYTES);
  }
}
