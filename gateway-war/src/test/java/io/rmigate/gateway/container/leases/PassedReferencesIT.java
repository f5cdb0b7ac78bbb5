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
import io.rmigate.testing.LoopbackPort;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** References that come from elsewhere than a return: passed on, marshalled, out of a file. */
class PassedReferencesIT extends LeaseScenario {
  private static final Duration TIME_TO_COLLECT = Duration.ofSeconds(4);

  @Test
  void referenceOutOfAMarshalledObjectIsHeld(TestInfo test) throws Exception {
    bed(test, "session: {grace: 2m}");
    ChildJvm keeper = bed.keeper(port, LEASE_MILLIS);
    ChildJvm client = bed.client(port, "");
    ChildJvm other = bed.client(port, "");
    tell(other, "take a"); // a client must hold it until it is unmarshalled
    tell(client, "wrap a");
    bed.awaitLeases(3); // the keeper twice, and the object
    tell(client, "unwrap a");
    bed.awaitLeases(4);
    tell(other, "drop a");
    bed.awaitLeases(3);
    bed.awaitRenewals(MORE_THAN_ONE);

    tell(client, "call a");
    assertThat(unreferenced(keeper, "a")).isZero();
    tell(client, "drop a");
    awaitUnreferenced(keeper, "a", 1);
  }

  @Test
  void referencePassedOnToAnotherClientOutlivesItsGiver(TestInfo test) throws Exception {
    bed(test, "session: {grace: 1s}");
    int third = LoopbackPort.free();
    ChildJvm keeper = bed.keeper(port, LEASE_MILLIS);
    bed.keeper(third, LEASE_MILLIS);
    ChildJvm giver = bed.client(port, "");
    ChildJvm taker = bed.client(port, "");
    tell(giver, "take a");
    tell(giver, "turn " + third);
    tell(giver, "give a");
    tell(taker, "turn " + third);
    tell(taker, "fetch a");
    String before = ask(taker, "call a");

    tell(taker, "forget a");
    giver.kill();
    bed.awaitLeases(3); // two keepers and the object
    bed.awaitRenewals(2 * MORE_THAN_ONE);

    assertThat(ask(taker, "call a")).isEqualTo(before);
    assertThat(unreferenced(keeper, "a")).isZero();
    tell(taker, "drop a");
    awaitUnreferenced(keeper, "a", 1);
  }

  @Test
  void referenceOutOfAFileIsRegisteredOneWay(TestInfo test) throws Exception {
    assertThat(roundTripsOfAReferenceOutOfAFile(test, "")).isZero();
  }

  @Test
  void strictWaitsForTheLeaseOfAReferenceOutOfAFile(TestInfo test) throws Exception {
    assertThat(roundTripsOfAReferenceOutOfAFile(test, ",leases=strict")).isEqualTo(1);
  }

  private long roundTripsOfAReferenceOutOfAFile(TestInfo test, String mode) throws Exception {
    bedOfAnyObjects(test, "session: {heartbeat: 10m}");
    ChildJvm keeper = bed.keeper(port, LEASE_MILLIS);
    ChildJvm giver = bed.client(port, "");
    ChildJvm reader = bed.client(port, mode);
    Path file = bed.file("reference");
    haveKeeperGranted(giver, "warm");
    haveKeeperGranted(reader, "warm");
    tell(giver, "take a");
    tell(giver, "save a " + file);
    bed.awaitLeases(5);
    CountingRelay.Counts before = bed.relay().counts();

    tell(reader, "load a " + file);

    final long roundTrips = bed.relay().counts().since(before).roundTrips();
    bed.awaitLeases(6);
    tell(giver, "drop a");
    bed.awaitLeases(5);
    bed.awaitRenewals(MORE_THAN_ONE);
    tell(reader, "call a");
    assertThat(unreferenced(keeper, "a")).isZero();
    tell(reader, "drop a");
    awaitUnreferenced(keeper, "a", 1);
    return roundTrips;
  }

  @Test
  void strictFailsForAReferenceWhoseServerHasGoneAsItWouldWithoutAGateway(TestInfo test)
      throws Exception {
    bedOfAnyObjects(test, "session: {heartbeat: 10m}");
    int third = LoopbackPort.free();
    bed.keeper(port, LEASE_MILLIS);
    ChildJvm other = bed.keeper(third, LEASE_MILLIS);
    ChildJvm giver = bed.client(port, "");
    ChildJvm reader = bed.client(port, ",leases=strict");
    Path file = bed.file("reference");
    tell(giver, "third " + third + " a");
    tell(giver, "save a " + file);
    other.kill();

    // RMI reads a reference whose server it cannot tell, and fails the call.
    tell(reader, "load a " + file);
    assertThat(ask(reader, "call a")).contains("java.rmi.ConnectException");
    bed.keeper(third, LEASE_MILLIS);
    assertThat(ask(reader, "call a")).contains("NoSuchObjectException");
  }

  @Test
  void referenceWhoseObjectIsGoneIsAnsweredByItsServer(TestInfo test) throws Exception {
    bed(test, "session: {heartbeat: 10m}");
    ChildJvm keeper = bed.keeper(port, LEASE_MILLIS);
    ChildJvm client = bed.client(port, ",leases=strict");
    Path file = bed.file("reference");
    tell(client, "take a");
    tell(client, "save a " + file);
    tell(client, "drop a");
    awaitUnreferenced(keeper, "a", 1);

    await()
        .atMost(SOON)
        .pollInterval(TIME_TO_COLLECT) // who asks again and again keeps it alive
        .until(
            () -> {
              tell(client, "load a " + file);
              boolean gone = ask(client, "call a").contains("java.rmi.NoSuchObjectException");
              tell(client, "drop a"); // it may have come before the collector, and held it
              return gone;
            });
  }

  @Test
  void strictWaitsForTheLeaseOfWhatAMarshalledObjectHeld(TestInfo test) throws Exception {
    bedOfAnyObjects(test, "session: {heartbeat: 10m}");
    ChildJvm keeper = bed.keeper(port, LEASE_MILLIS);
    ChildJvm giver = bed.client(port, "");
    ChildJvm client = bed.client(port, ",leases=strict");
    haveKeeperGranted(giver, "warm");
    haveKeeperGranted(client, "warm");
    tell(giver, "take a");
    tell(client, "wrap a"); // brings nothing that is registered
    bed.awaitLeases(5);
    CountingRelay.Counts before = bed.relay().counts();

    tell(client, "unwrap a");

    assertThat(bed.relay().counts().since(before).roundTrips()).isEqualTo(1);
    assertThat(bed.leases()).isEqualTo(6);
    tell(giver, "drop a");
    bed.awaitRenewals(MORE_THAN_ONE);
    tell(client, "call a");
    tell(client, "drop a");
    awaitUnreferenced(keeper, "a", 1);
  }
}
