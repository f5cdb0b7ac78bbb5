package io.rmigate.gateway.container.leases;

import static io.rmigate.gateway.container.leases.Holding.ask;
import static io.rmigate.gateway.container.leases.Holding.awaitUnreferenced;
import static io.rmigate.gateway.container.leases.Holding.tell;
import static io.rmigate.gateway.container.leases.Holding.unreferenced;
import static io.rmigate.gateway.container.leases.LeaseBed.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.CountingRelay;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.testing.LoopbackPort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
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

  /** What was not renewed has ended by then. */
  private static final int MORE_THAN_ONE = 5;

  /** No heartbeat and no answer to one is longer, WebSocket framing included. */
  private static final long HEARTBEAT_BYTES = 20;

  private static final Duration TIME_TO_COLLECT = Duration.ofSeconds(4);

  /** Of the keeper that clients look up. */
  private final int port = LoopbackPort.free();

  private LeaseBed bed;

  private LeaseBed bed(TestInfo test, String... settings) throws Exception {
    Path directory =
        BuiltArtefacts.workDirectory(getClass())
            .resolve(test.getTestMethod().orElseThrow().getName())
            .resolve(Long.toString(System.nanoTime())); // parameters make several
    bed = new LeaseBed(Files.createDirectories(directory), settings);
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
    bed(test, "session: {grace: 2m}");
    ChildJvm keeper = bed.keeper(port, TWO_SECONDS);
    ChildJvm client = bed.client(port, "");
    tell(client, "take warm");
    bed.awaitAcks(2);
    CountingRelay.Counts before = bed.relay().counts();

    tell(client, "take a");
    bed.awaitLeases(3);

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
    bed(test, "session: {heartbeat: 10m}"); // what is left besides heartbeats is nothing
    ChildJvm keeper = bed.keeper(port, TWO_SECONDS);
    ChildJvm client = bed.client(port, "");
    tell(client, "many t 1000");
    tell(client, "give t1"); // who names it is granted the keeper's endpoint now, not in 5 s
    tell(client, "forget t1");
    bed.awaitLeases(1001);
    bed.awaitAcks(2);
    CountingRelay.Counts before = bed.relay().counts();

    bed.awaitRenewals(THREE_PERIODS);

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
    bed(test, "session: {heartbeat: 1s}");
    bed.keeper(port, TWO_SECONDS);
    ChildJvm client = bed.client(port, "");
    tell(client, "many t 1000");
    tell(client, "give t1"); // who names it is granted the keeper's endpoint now, not in 5 s
    tell(client, "forget t1");
    bed.awaitLeases(1001);
    await().atMost(SOON).until(() -> isBeating(bed.relay()));
    CountingRelay.Counts before = bed.relay().counts();

    bed.awaitRenewals(THREE_PERIODS);

    CountingRelay.Counts held = bed.relay().counts().since(before);
    assertThat(held.oneWays()).isPositive();
    assertThat(held.bytes()).isLessThanOrEqualTo((held.oneWays() + 1) * 2 * HEARTBEAT_BYTES);
  }

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
  void tableOfLeasesIsShownToAdmins(TestInfo test) throws Exception {
    bed(test, "session: {grace: 10m}");
    bed.keeper(port, TWO_SECONDS);
    ChildJvm client = bed.client(port, ",grace=0s");
    tell(client, "many t 5");
    await().atMost(SOON).until(() -> bed.gateway().get("/admin/leases").contains("\"held\" : 6"));

    assertThat(bed.gateway().get("/admin/leases"))
        .contains("\"state\" : \"LIVE\"")
        .contains("\"endpoint\" : \"" + InsideHosts.INSIDE + ":" + port + "\"")
        .contains("\"inDoubt\" : 0")
        .contains("\"grantedMillis\" : 2000")
        .contains("\"failures\" : 0");
    client.kill();
    await().atMost(SOON).until(() -> bed.gateway().get("/admin/leases").contains("\"GRACE\""));
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
    ChildJvm keeper = bed.keeper(port, TWO_SECONDS);
    ChildJvm client = bed.client(port, "");
    tell(client, "many t 20");
    bed.awaitLeases(21);

    bed.relay().cut();

    tell(client, "callall");
    bed.awaitRenewals(MORE_THAN_ONE);
    assertThat(unreferenced(keeper, "t")).isZero();
    assertThat(bed.gateway().get("/admin/leases").split("\"session\"")).hasSize(2); // the same one
    tell(client, "dropall");
    awaitUnreferenced(keeper, "t", 20);
  }

  @Test
  void referencesOutliveACutLinkOfASessionThatIsNotResumed(TestInfo test) throws Exception {
    bed(test, "session: {grace: 3s}");
    ChildJvm keeper = bed.keeper(port, TWO_SECONDS);
    ChildJvm client = bed.client(port, ",grace=0s");
    tell(client, "many t 20");
    bed.awaitLeases(21);

    bed.relay().cut();

    // Declared anew without a call, and the grace of the lost session passes.
    bed.awaitLeases(42);
    bed.awaitLeases(21);
    bed.awaitRenewals(MORE_THAN_ONE);
    tell(client, "callall");
    assertThat(unreferenced(keeper, "t")).isZero();
    tell(client, "dropall");
    awaitUnreferenced(keeper, "t", 20);
  }

  @Test
  void referencesOutliveAKilledGateway(TestInfo test) throws Exception {
    bed(test, "session: {grace: 2m}");
    ChildJvm keeper = bed.keeper(port, 20_000);
    ChildJvm client = bed.client(port, "");
    tell(client, "many t 20");
    bed.awaitLeases(21);

    bed.gateway().kill();
    bed.gateway().startAgain();

    bed.awaitLeases(21);
    tell(client, "callall");
    bed.awaitRenewals(4); // longer than the lease of the killed one
    tell(client, "callall");
    assertThat(unreferenced(keeper, "t")).isZero();
    tell(client, "dropall");
    awaitUnreferenced(keeper, "t", 20);
  }

  @Test
  void restartedServerIsTakenFromAgain(TestInfo test) throws Exception {
    bed(test, "session: {grace: 2m}");
    ChildJvm keeper = bed.keeper(port, TWO_SECONDS);
    ChildJvm client = bed.client(port, "");
    tell(client, "take a");
    bed.awaitLeases(2);
    keeper.kill();
    assertThat(ask(client, "call a")).startsWith("failed");
    ChildJvm again = bed.keeper(port, TWO_SECONDS);
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

  @Test
  void referenceOutOfAMarshalledObjectIsHeld(TestInfo test) throws Exception {
    bed(test, "session: {grace: 2m}");
    ChildJvm keeper = bed.keeper(port, TWO_SECONDS);
    ChildJvm client = bed.client(port, "");
    ChildJvm other = bed.client(port, "");
    tell(other, "take a"); // somebody must hold it until it is unmarshalled
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
    ChildJvm keeper = bed.keeper(port, TWO_SECONDS);
    bed.keeper(third, TWO_SECONDS);
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
    bed(test, "session: {heartbeat: 10m}");
    ChildJvm keeper = bed.keeper(port, TWO_SECONDS);
    ChildJvm giver = bed.client(port, "");
    ChildJvm reader = bed.client(port, mode);
    Path file = bed.file("reference");
    tell(giver, "take a");
    tell(giver, "save a " + file);
    bed.awaitLeases(3);
    CountingRelay.Counts before = bed.relay().counts();

    tell(reader, "load a " + file);

    final long roundTrips = bed.relay().counts().since(before).roundTrips();
    bed.awaitLeases(4);
    tell(giver, "drop a");
    bed.awaitLeases(3);
    bed.awaitRenewals(MORE_THAN_ONE);
    tell(reader, "call a");
    assertThat(unreferenced(keeper, "a")).isZero();
    tell(reader, "drop a");
    awaitUnreferenced(keeper, "a", 1);
    return roundTrips;
  }

  @Test
  void strictWaitsForNothingThatAReturnHasJustBrought(TestInfo test) throws Exception {
    bed(test, "session: {heartbeat: 10m}");
    bed.keeper(port, TWO_SECONDS);
    ChildJvm client = bed.client(port, ",leases=strict");
    tell(client, "take warm");
    bed.awaitAcks(2);
    CountingRelay.Counts before = bed.relay().counts();

    tell(client, "take a");
    bed.awaitLeases(3);

    assertThat(bed.relay().counts().since(before).roundTrips()).isEqualTo(1);
  }

  @Test
  void strictFailsForAReferenceWhoseServerHasGoneAsItWouldWithoutAGateway(TestInfo test)
      throws Exception {
    bed(test, "session: {heartbeat: 10m}");
    int third = LoopbackPort.free();
    bed.keeper(port, TWO_SECONDS);
    ChildJvm other = bed.keeper(third, TWO_SECONDS);
    ChildJvm giver = bed.client(port, "");
    ChildJvm reader = bed.client(port, ",leases=strict");
    Path file = bed.file("reference");
    tell(giver, "third " + third + " a");
    tell(giver, "save a " + file);
    other.kill();

    // RMI reads a reference whose server it cannot tell, and fails the call.
    tell(reader, "load a " + file);
    assertThat(ask(reader, "call a")).contains("java.rmi.ConnectException");
    bed.keeper(third, TWO_SECONDS);
    assertThat(ask(reader, "call a")).contains("NoSuchObjectException");
  }

  @Test
  void referenceWhoseObjectIsGoneIsAnsweredByItsServer(TestInfo test) throws Exception {
    bed(test, "session: {heartbeat: 10m}");
    ChildJvm keeper = bed.keeper(port, TWO_SECONDS);
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
    bed(test, "session: {heartbeat: 10m}");
    ChildJvm keeper = bed.keeper(port, TWO_SECONDS);
    ChildJvm giver = bed.client(port, "");
    ChildJvm client = bed.client(port, ",leases=strict");
    tell(giver, "take a");
    tell(client, "wrap a"); // brings nothing that is registered
    bed.awaitLeases(3);
    CountingRelay.Counts before = bed.relay().counts();

    tell(client, "unwrap a");

    assertThat(bed.relay().counts().since(before).roundTrips()).isEqualTo(1);
    assertThat(bed.leases()).isEqualTo(4);
    tell(giver, "drop a");
    bed.awaitRenewals(MORE_THAN_ONE);
    tell(client, "call a");
    tell(client, "drop a");
    awaitUnreferenced(keeper, "a", 1);
  }

  @Test
  void referencesOfAServerThatDoesNotKnowItsNameOutliveACutLink(TestInfo test) throws Exception {
    bed(test, "session: {grace: 2m}");
    ChildJvm keeper = bed.keeperThatKnowsNothing(port, TWO_SECONDS);
    ChildJvm client = bed.client(port, "");
    tell(client, "many t 20");
    bed.awaitLeases(21);

    bed.relay().cut();

    tell(client, "callall");
    bed.awaitRenewals(MORE_THAN_ONE);
    tell(client, "callall");
    assertThat(unreferenced(keeper, "t")).isZero();
    tell(client, "dropall");
    awaitUnreferenced(keeper, "t", 20);
  }

  @Test
  void serverWhoseMachineIsCalled127011IsHeldWhereItsRegistryIs(TestInfo test) throws Exception {
    bed(test, "session: {heartbeat: 10m}");
    isHeldThere(bed.keeperThatKnowsNothing(port, TWO_SECONDS), port, "127.0.1.1");
  }

  @Test
  void serverWithANameThatNobodyKnowsIsHeldWhereItsRegistryIs(TestInfo test) throws Exception {
    bed(test, "session: {heartbeat: 10m}");
    String host = "box.nowhere.example";
    isHeldThere(bed.keeperThatCallsItself(host, port, TWO_SECONDS), port, host);
  }

  @Test
  void serverWithAnAddressOnTheListIsHeldWhereItsRegistryIs(TestInfo test) throws Exception {
    bed(test, "session: {heartbeat: 10m}", "map: [{host: 192.0.2.*}]");
    String host = "192.0.2.7";
    isHeldThere(bed.keeperThatCallsItself(host, port, TWO_SECONDS), port, host);
  }

  @Test
  void serverWithAnAddressOnTheListIsHeldWhereTheListSays(TestInfo test) throws Exception {
    bed(
        test,
        "session: {heartbeat: 10m}",
        "map: [{host: 192.0.2.*, to: %s}]".formatted(InsideHosts.INSIDE));
    String host = "192.0.2.7";
    isHeldThere(bed.keeperThatCallsItself(host, port, TWO_SECONDS), port, host);
  }

  /** With stubs that name {@code host}, where nobody is; they are not touched. */
  private void isHeldThere(ChildJvm keeper, int port, String host) throws Exception {
    ChildJvm client = bed.client(port, "");
    tell(client, "take warm");
    bed.awaitAcks(2);
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
    bed(test, "session: {grace: 2m}");
    int third = LoopbackPort.free();
    bed.keeper(port, TWO_SECONDS);
    ChildJvm other = bed.keeper(third, TWO_SECONDS);
    ChildJvm client = bed.client(port, "");

    tell(client, "take warm");
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

  /** Whether the latest that passed were heartbeats and their answers, more than one of them. */
  private static boolean isBeating(CountingRelay relay) {
    List<CountingRelay.Passage> passages = relay.passages();
    return passages.size() >= 4
        && passages.subList(passages.size() - 4, passages.size()).stream()
            .allMatch(passage -> passage.bytes() <= HEARTBEAT_BYTES);
  }
}
