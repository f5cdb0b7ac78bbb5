package io.rmigate.gateway.container.leases;

import static io.rmigate.gateway.container.leases.Holding.ask;
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
import io.rmigate.testing.LoopbackPort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** References are held at their servers, under any name that the servers give themselves. */
class LeasePlacesIT extends LeaseScenario {
  @Test
  void serverWhoseMachineIsCalled127011IsHeldWhereItsRegistryIs(TestInfo test) throws Exception {
    bedOfAnyObjects(test, "session: {heartbeat: 10m}");
    isHeldThere(bed.keeperThatKnowsNothing(port, LEASE_MILLIS), port, "127.0.1.1");
  }

  @Test
  void serverWithANameThatNobodyKnowsIsHeldWhereItsRegistryIs(TestInfo test) throws Exception {
    bedOfAnyObjects(test, "session: {heartbeat: 10m}");
    String host = "box.nowhere.example";
    isHeldThere(bed.keeperThatCallsItself(host, port, LEASE_MILLIS), port, host);
  }

  @Test
  void serverWithAnAddressOnTheListIsHeldWhereItsRegistryIs(TestInfo test) throws Exception {
    bedOfAnyObjects(test, "session: {heartbeat: 10m}", "map: [{host: 192.0.2.*}]");
    String host = "192.0.2.7";
    isHeldThere(bed.keeperThatCallsItself(host, port, LEASE_MILLIS), port, host);
  }

  @Test
  void serverWithAnAddressOnTheListIsHeldWhereTheListSays(TestInfo test) throws Exception {
    bedOfAnyObjects(
        test,
        "session: {heartbeat: 10m}",
        "map: [{host: 192.0.2.*, to: %s}]".formatted(InsideHosts.INSIDE));
    String host = "192.0.2.7";
    isHeldThere(bed.keeperThatCallsItself(host, port, LEASE_MILLIS), port, host);
  }

  /** With stubs that name {@code host}, where no server is; the stubs pass unchanged. */
  private void isHeldThere(ChildJvm keeper, int port, String host) throws Exception {
    ChildJvm client = bed.client(port, "");
    tell(client, "take warm");
    bed.awaitAcks(2);
    await().atMost(SOON).until(() -> bed.gateway().metric("rmigate_grants_sealed_total") > 0);
    tell(client, "call warm"); // its answer comes behind the grant
    CountingRelay.Counts before = bed.relay().counts();
    tell(client, "take a");
    bed.awaitLeases(3);
    assertThat(bed.relay().counts().since(before).roundTrips()).isEqualTo(1);
    assertThat(ask(client, "where a")).isEqualTo("done " + host + ":" + port);
    bed.awaitRenewals(MORE_THAN_ONE);
    tell(client, "call a");
    assertThat(unreferenced(keeper, "")).isZero();
    tell(client, "drop a");
    awaitUnreferenced(keeper, "a", 1);
  }

  @Test
  void referenceToAThirdHostIsHeldThere(TestInfo test) throws Exception {
    bedOfAnyObjects(test, "session: {grace: 2m}");
    int third = LoopbackPort.free();
    bed.keeper(port, LEASE_MILLIS);
    ChildJvm other = bed.keeper(third, LEASE_MILLIS);
    ChildJvm client = bed.client(port, "");

    haveKeeperGranted(client, "warm");
    bed.awaitAcks(2);
    CountingRelay.Counts before = bed.relay().counts();
    tell(client, "third " + third + " a");
    bed.awaitLeases(3);
    assertThat(bed.relay().counts().since(before).roundTrips()).isEqualTo(1);
    bed.awaitRenewals(2 * MORE_THAN_ONE);

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
