package io.rmigate.gateway.lease;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.relay.address.AddressRule;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.gateway.relay.own.DeliveryStatus;
import io.rmigate.gateway.relay.own.OwnCallFailure;
import io.rmigate.gateway.testing.LogLines;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.tunnel.Clean;
import io.rmigate.protocol.tunnel.DgcAck;
import io.rmigate.protocol.tunnel.Dirty;
import io.rmigate.protocol.tunnel.Leased;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** PROTOCOL.md, section 9, and JRMP.md 5.2 and 5.5: what is called when, by a clock of the test. */
class SessionLeasesTest {
  private static final EndpointId A = new EndpointId("a.inside", 1099);
  private static final EndpointId B = new EndpointId("b.inside", 1099);
  private static final EndpointId FORBIDDEN = new EndpointId("forbidden.inside", 1099);
  private static final EndpointId SHARED = new EndpointId("127.0.1.1", 1099);
  private static final Duration GRACE = Duration.ofMinutes(2);
  private static final long TEN_MINUTES = 600_000;

  private final FakeLeaseClock clock = new FakeLeaseClock();
  private final ScriptedLeaseServers servers = new ScriptedLeaseServers();
  private final Map<String, Integer> refused = new HashMap<>();
  private final List<Leased> answers = new ArrayList<>();
  private long held;
  private boolean permitted = true;
  private int shift;
  private Optional<Target.Substitute> substitute = Optional.empty();

  private LeaseSettings settings = new LeaseSettings(true, GRACE, 3_000, 3, Duration.ofSeconds(30));
  private Leases all;
  private SessionLeases leases;

  private SessionLeases leases() {
    if (leases == null) {
      all =
          new Leases(
              settings,
              servers,
              clock,
              new LeaseMeters() {
                @Override
                public void leasesHeld(int change) {
                  held += change;
                }

                @Override
                public void refused(String reason) {
                  refused.merge(reason, 1, Integer::sum);
                }
              });
      leases = all.open("s1", "ann", "ann", new Routes(), answers::add);
    }
    return leases;
  }

  /** Policy permits what it does; where objects are they may stay. */
  private final class Routes implements LeaseRoutes {
    @Override
    public Optional<Target> target(EndpointId endpoint, Optional<ObjIdentifier> object) {
      return reach(endpoint, object);
    }

    @Override
    public boolean mayBeAt(EndpointId endpoint, Target target) {
      return permitted;
    }

    @Override
    public boolean isAmbiguous(EndpointId endpoint) {
      return endpoint.equals(SHARED);
    }
  }

  private Optional<Target> reach(EndpointId endpoint, Optional<ObjIdentifier> object) {
    if (endpoint.equals(SHARED)) { // a name that two servers have, told apart by the object
      return object.map(
          id -> target((id.objNum() + shift) % 2 == 0 ? "even" : "odd", endpoint.port()));
    }
    return permitted && !endpoint.equals(FORBIDDEN)
        ? Optional.of(target(endpoint.host(), endpoint.port()))
        : Optional.empty();
  }

  private Target target(String host, int port) {
    return new Target(
        host, port, AddressRule.NAMED, Duration.ofSeconds(1), Duration.ofSeconds(1), substitute);
  }

  private static ObjIdentifier id(int number) {
    return new ObjIdentifier(number, 1, 2, (short) 3);
  }

  private static List<ObjIdentifier> ids(int... numbers) {
    return Arrays.stream(numbers).mapToObj(SessionLeasesTest::id).toList();
  }

  private void dirty(EndpointId endpoint, int... numbers) {
    leases().dirty(new Dirty(0, endpoint, ids(numbers)));
  }

  private void ask(long number, EndpointId endpoint, int... numbers) {
    leases().dirty(new Dirty(number, endpoint, ids(numbers)));
  }

  private void clean(EndpointId endpoint, int... numbers) {
    leases().clean(new Clean(endpoint, ids(numbers)));
  }

  private void ack(EndpointId endpoint) {
    leases().acknowledge(new DgcAck(endpoint, new byte[14]));
  }

  private void hold(EndpointId endpoint, int... numbers) {
    dirty(endpoint, numbers);
    servers.next().grant(TEN_MINUTES);
  }

  private void pass(long millis) {
    clock.pass(Duration.ofMillis(millis));
  }

  private LeaseView.Row row() {
    return leases().view().endpoints().get(0);
  }

  // Calls and their order.

  @Test
  void dirtyIsCalledAtOnceUnderTheSessionsOwnVmid() {
    dirty(A, 1, 2);

    DgcCall.Dirty call = servers.next().dirty();
    assertThat(call.objects()).containsExactlyElementsOf(ids(1, 2));
    assertThat(call.client()).contains(leases.vmId());
    SessionLeases other = all.open("s2", this::reach, answers::add);
    assertThat(other.vmId()).isNotEqualTo(leases.vmId());
  }

  @Test
  void callsOfOneEndpointAreMadeOneByOneWithRisingNumbers() {
    dirty(A, 1);
    dirty(A, 2);
    clean(A, 1);
    assertThat(servers.underWay()).isEqualTo(1);

    ScriptedLeaseServers.Pending first = servers.next();
    first.grant(TEN_MINUTES);
    ScriptedLeaseServers.Pending second = servers.next();
    assertThat(second.clean().objects()).containsExactly(id(1));
    assertThat(servers.underWay()).isZero();
    second.done();
    ScriptedLeaseServers.Pending third = servers.next();
    assertThat(third.dirty().objects()).containsExactly(id(2));
    assertThat(List.of(first, second, third))
        .extracting(pending -> pending.call().sequence())
        .isSorted()
        .doesNotHaveDuplicates();
  }

  @Test
  void endpointsDoNotWaitForEachOther() {
    dirty(A, 1);
    dirty(B, 1);

    assertThat(servers.underWay()).isEqualTo(2);
    assertThat(servers.next().target().host()).isEqualTo("a.inside");
    assertThat(servers.next().target().host()).isEqualTo("b.inside");
  }

  @Test
  void whatWaitsGoesInOneCall() {
    dirty(A, 1);
    for (int i = 2; i <= 100; i++) {
      dirty(A, i);
    }
    servers.next().grant(TEN_MINUTES);

    assertThat(servers.next().objects()).hasSize(99);
    assertThat(servers.underWay()).isZero();
  }

  @Test
  void objectsOfOneCallAreBounded() {
    dirty(A, 1);
    dirty(A, IntStream.rangeClosed(2, 2001).toArray());
    servers.next().grant(TEN_MINUTES);
    ScriptedLeaseServers.Pending batch = servers.next();
    assertThat(batch.objects()).hasSize(1000);
    batch.grant(TEN_MINUTES);
    assertThat(servers.next().objects()).hasSize(1000);
  }

  @Test
  void dirtyIsMadeEvenWhenItsCleanHasCome() {
    dirty(A, 1);
    dirty(A, 2);
    clean(A, 2);
    servers.next().grant(TEN_MINUTES);

    ScriptedLeaseServers.Pending dirty = servers.next();
    assertThat(dirty.dirty().objects()).containsExactly(id(2));
    dirty.grant(TEN_MINUTES);
    assertThat(servers.next().clean().objects()).containsExactly(id(2));
  }

  @Test
  void dropAndRetakeBeforeTheCleanNeedsNoCall() {
    hold(A, 1, 2);
    clean(A, 1); // under way
    clean(A, 2);
    dirty(A, 2);
    servers.next().done();

    assertThat(servers.underWay()).isZero();
    assertThat(row().held()).isEqualTo(1);
  }

  @Test
  void retakeWhileTheCleanIsUnderWayIsADirtyBehindIt() {
    hold(A, 1);
    clean(A, 1);
    ScriptedLeaseServers.Pending clean = servers.next();
    dirty(A, 1);
    ack(A);
    assertThat(servers.underWay()).isZero();
    clean.done();

    ScriptedLeaseServers.Pending again = servers.next();
    assertThat(again.dirty().objects()).containsExactly(id(1));
    assertThat(again.dirty().sequence()).isGreaterThan(clean.clean().sequence());
    assertThat(servers.acknowledged()).isEmpty();
    again.grant(TEN_MINUTES);
    assertThat(servers.acknowledged()).hasSize(1);
  }

  @Test
  void whatIsHeldAlreadyIsNotCalledForAgain() {
    hold(A, 1);
    dirty(A, 1);
    ack(A);

    assertThat(servers.underWay()).isZero();
    assertThat(servers.acknowledged()).hasSize(1);
  }

  @Test
  void nothingIsLeftOnceAllIsCleaned() {
    hold(A, 1, 2);
    assertThat(held).isEqualTo(2);
    clean(A, 1, 2);
    servers.next().done();

    assertThat(held).isZero();
    assertThat(all.views()).isEmpty();
    assertThat(clock.alarms()).isZero();
  }

  // The barrier.

  @Test
  void ackWaitsForTheDirtiesBeforeIt() {
    dirty(A, 1);
    ack(A);
    assertThat(servers.acknowledged()).isEmpty();

    servers.next().grant(TEN_MINUTES);

    assertThat(servers.acknowledged()).hasSize(1);
  }

  @Test
  void ackGoesToTheServerThatHasReturnedWhereSeveralAreCalledAlike() {
    dirty(A, 1);
    leases().acknowledge(new DgcAck(SHARED, new byte[14]));
    leases().acknowledge(target("odd", SHARED.port()), new byte[14]);
    assertThat(servers.acknowledged()).isEmpty();

    servers.next().grant(TEN_MINUTES);

    assertThat(servers.acknowledged()).extracting(Target::host).containsExactly("odd");
  }

  @Test
  void barrierReachesAcrossEndpoints() {
    dirty(A, 1);
    dirty(B, 1);
    ack(B);
    ScriptedLeaseServers.Pending atA = servers.next();
    servers.next().grant(TEN_MINUTES);
    assertThat(servers.acknowledged()).isEmpty();

    atA.grant(TEN_MINUTES);

    assertThat(servers.acknowledged()).extracting(Target::host).containsExactly("b.inside");
  }

  @Test
  void ackDoesNotWaitForLaterDirties() {
    dirty(A, 1);
    ack(A);
    dirty(A, 2);
    servers.next().grant(TEN_MINUTES);

    assertThat(servers.underWay()).isEqualTo(1);
    assertThat(servers.acknowledged()).hasSize(1);
  }

  @Test
  void ackWaitsForADirtyThatWaitsBehindAnotherCall() {
    dirty(A, 1);
    dirty(A, 2);
    ack(A);
    servers.next().grant(TEN_MINUTES);
    assertThat(servers.acknowledged()).isEmpty();

    servers.next().grant(TEN_MINUTES);

    assertThat(servers.acknowledged()).hasSize(1);
  }

  @Test
  void oneFailureOfADirtyLetsTheAckGo() {
    dirty(A, 1);
    ack(A);

    servers.next().fail(OwnCallFailure.Kind.REFUSED, DeliveryStatus.NOT_SENT);

    assertThat(servers.acknowledged()).hasSize(1);
  }

  @Test
  void overloadIsNoFailure() {
    dirty(A, 1);
    ack(A);
    servers.next().fail(OwnCallFailure.Kind.OVERLOADED, DeliveryStatus.NOT_SENT);
    assertThat(servers.acknowledged()).isEmpty();

    pass(100);
    servers.next().grant(TEN_MINUTES);

    assertThat(servers.acknowledged()).hasSize(1);
  }

  @Test
  void waitingAcksAreBounded() {
    dirty(A, 1);
    for (int i = 0; i < LeaseBarrier.MAX_WAITING_ACKS + 5; i++) {
      ack(A);
    }
    assertThat(refused).containsEntry("lease-limit", 5);

    servers.next().grant(TEN_MINUTES);

    int written = 0;
    for (int more = -1; more != 0; written += more) {
      more = servers.writeAcknowledgements();
    }
    assertThat(written).isEqualTo(LeaseBarrier.MAX_WAITING_ACKS);
  }

  /** They cost the agent nothing: no credit, and no DIRTY need be open. */
  @Test
  void acksUnderWayAreBounded() {
    int most = LeaseBarrier.MAX_ACKS_UNDER_WAY;
    for (int i = 0; i < LeaseBarrier.MAX_WAITING_ACKS + most + 7; i++) {
      ack(A);
    }
    assertThat(servers.acknowledged()).hasSize(most);
    assertThat(refused).containsEntry("lease-limit", 7);

    assertThat(servers.writeAcknowledgements()).isEqualTo(most);

    assertThat(servers.acknowledged()).hasSize(2 * most);
  }

  @Test
  void acksThatWaitAreWrittenThoughTheSessionEnds() {
    for (int i = 0; i < LeaseBarrier.MAX_ACKS_UNDER_WAY + 7; i++) {
      ack(A);
    }
    leases().release();
    assertThat(all.views()).isNotEmpty();
    servers.writeAcknowledgements();

    assertThat(servers.writeAcknowledgements()).isEqualTo(7);
    assertThat(all.views()).isEmpty();
  }

  @Test
  void whateverEndsAnotherHoldWaitsForTheDirtiesBeforeIt() {
    List<String> said = new ArrayList<>();
    leases().behindDirties(() -> said.add("none"));
    assertThat(said).containsExactly("none");
    dirty(A, 1);
    leases().behindDirties(() -> said.add("one"));
    dirty(A, 2);
    leases().behindDirties(() -> said.add("two"));
    assertThat(said).containsExactly("none");

    servers.next().grant(TEN_MINUTES);
    assertThat(said).containsExactly("none", "one");
    leases().releaseAfterGrace();
    servers.next().grant(TEN_MINUTES);

    assertThat(said).containsExactly("none", "one", "two");
  }

  @Test
  void whatWaitsForDirtiesHappensThoughTheSessionEnds() {
    List<String> said = new ArrayList<>();
    dirty(A, 1);
    ack(A);
    leases().behindDirties(() -> said.add("one"));
    leases().release();
    assertThat(said).isEmpty();

    servers.next().grant(TEN_MINUTES);
    assertThat(said).containsExactly("one");
    assertThat(servers.acknowledged()).hasSize(1); // the server need not wait for it
    servers.next().done();
    leases().behindDirties(() -> said.add("two"));

    assertThat(said).containsExactly("one", "two");
    assertThat(all.views()).isEmpty();
  }

  // Failures.

  @Test
  void failedDirtyIsRepeatedWithBackoffAsLongAsTheAgentHoldsTheObject() {
    dirty(A, 1);
    long[] pauses = {100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000};
    failAndExpectPauses(OwnCallFailure.Kind.REFUSED, DeliveryStatus.NOT_SENT, pauses);
    assertThat(row().held()).isZero();
    assertThat(row().failures()).isEqualTo(pauses.length);

    servers.next().grant(TEN_MINUTES);

    assertThat(row().held()).isEqualTo(1);
    assertThat(row().failures()).isZero();
  }

  @Test
  void dirtyThatMayHaveBegunALeaseOfUnknownLengthIsRepeatedEverySecond() {
    dirty(A, 1);
    failAndExpectPauses(
        OwnCallFailure.Kind.CLOSED, DeliveryStatus.POSSIBLY_DELIVERED, 100, 200, 400, 800, 1000);
    failAndExpectPauses(OwnCallFailure.Kind.REFUSED, DeliveryStatus.NOT_SENT, 1000, 1000);
    assertThat(row().inDoubt()).isEqualTo(1);
  }

  @Test
  void pausesBetweenFailedDirtiesAreMuchShorterThanTheLease() {
    dirty(A, 1);
    servers.next().grant(6000);
    pass(2000);
    failAndExpectPauses(
        OwnCallFailure.Kind.CLOSED, DeliveryStatus.POSSIBLY_DELIVERED, 100, 200, 400, 800, 1000);
    failAndExpectPauses(OwnCallFailure.Kind.OVERLOADED, DeliveryStatus.NOT_SENT, 1000, 1000, 1000);
  }

  private void failAndExpectPauses(
      OwnCallFailure.Kind kind, DeliveryStatus delivery, long... pauses) {
    for (long pause : pauses) {
      servers.next().fail(kind, delivery);
      pass(pause - 1);
      assertThat(servers.underWay()).as("within %s ms", pause).isZero();
      pass(1);
      assertThat(servers.underWay()).as("after %s ms", pause).isEqualTo(1);
    }
  }

  @Test
  void cleansThatFailDelayNoDirtyAndNoRenewal() {
    hold(A, 1, 2);
    clean(A, 1);
    for (int i = 0; i < 4; i++) {
      servers.next().fail(OwnCallFailure.Kind.CLOSED, DeliveryStatus.POSSIBLY_DELIVERED);
      servers.next().grant(30_000); // what is held was in doubt
      pass(100L << i);
    }
    servers.next().fail(OwnCallFailure.Kind.CLOSED, DeliveryStatus.POSSIBLY_DELIVERED);
    servers.next().fail(OwnCallFailure.Kind.CLOSED, DeliveryStatus.POSSIBLY_DELIVERED);

    pass(100);

    assertThat(servers.next().dirty().objects()).containsExactly(id(2));
  }

  @Test
  void dirtyOfUnknownOutcomeIsCleanedStrong() {
    dirty(A, 1, 2);
    servers.next().fail(OwnCallFailure.Kind.LATE, DeliveryStatus.POSSIBLY_DELIVERED);
    clean(A, 1);
    pass(100);
    ScriptedLeaseServers.Pending next = servers.next();
    if (next.call() instanceof DgcCall.Dirty) {
      assertThat(next.objects()).containsExactly(id(2));
      next.grant(TEN_MINUTES);
      next = servers.next();
    }

    assertThat(next.clean().objects()).containsExactly(id(1));
    assertThat(next.clean().strong()).isTrue();
  }

  @Test
  void cleanAfterADirtyThatWentWellIsNotStrong() {
    hold(A, 1);
    clean(A, 1);

    assertThat(servers.next().clean().strong()).isFalse();
  }

  @Test
  void dirtyThatWasNeverSentNeedsNoClean() {
    dirty(A, 1);
    servers.next().fail(OwnCallFailure.Kind.REFUSED, DeliveryStatus.NOT_SENT);
    clean(A, 1);

    assertThat(held).isZero();
    assertThat(clock.alarms()).isZero();
  }

  @Test
  void exceptionOfTheServerIsAFailure() {
    dirty(A, 1);
    servers.next().exception();
    pass(100);

    assertThat(servers.next().dirty().objects()).containsExactly(id(1));
  }

  @Test
  void failedRenewalPutsEverythingInDoubt() {
    hold(A, 1, 2);
    pass(TEN_MINUTES / 3);
    ScriptedLeaseServers.Pending renewal = servers.next();
    assertThat(renewal.objects()).isEmpty();
    renewal.fail(OwnCallFailure.Kind.REFUSED, DeliveryStatus.NOT_SENT); // perhaps it restarts
    pass(100);

    ScriptedLeaseServers.Pending again = servers.next();
    assertThat(again.dirty().objects()).containsExactlyInAnyOrderElementsOf(ids(1, 2));
  }

  @Test
  void failedCleanIsRepeatedWhileTheLeaseIsRenewedForOthers() {
    hold(A, 1, 2);
    clean(A, 1);
    servers.next().fail(OwnCallFailure.Kind.CLOSED, DeliveryStatus.POSSIBLY_DELIVERED);
    pass(100);
    ScriptedLeaseServers.Pending next = servers.next();
    assertThat(next.dirty().objects()).containsExactly(id(2)); // in doubt as well
    next.grant(TEN_MINUTES);

    assertThat(servers.next().clean().objects()).containsExactly(id(1));
  }

  @Test
  void cleanThatCannotBeDeliveredIsLeftToTheLeaseOnceThatIsOver() {
    hold(A, 1);
    clean(A, 1);
    for (long passed = 0; passed < 2 * TEN_MINUTES; passed += 30_000) {
      servers.next().fail(OwnCallFailure.Kind.REFUSED, DeliveryStatus.NOT_SENT);
      pass(30_000);
    }
    servers.next().fail(OwnCallFailure.Kind.REFUSED, DeliveryStatus.NOT_SENT);
    pass(30_000);
    servers.next().fail(OwnCallFailure.Kind.REFUSED, DeliveryStatus.NOT_SENT);
    pass(TEN_MINUTES);

    assertThat(servers.underWay()).isZero();
    assertThat(held).isZero();
    assertThat(clock.alarms()).isZero();
  }

  @Test
  void cleanThatHasFailedOftenIsMadeWhenTheLeaseIsRenewedForOthers() {
    hold(A, 1);
    clean(A, 1);
    for (int i = 0; i <= 2 * EndpointLeases.MAX_CLEAN_FAILURES; i++) {
      servers.next().fail(OwnCallFailure.Kind.REFUSED, DeliveryStatus.NOT_SENT);
      pass(30_000);
    }
    servers.next().fail(OwnCallFailure.Kind.REFUSED, DeliveryStatus.NOT_SENT);
    dirty(A, 2);
    servers.next().grant(TEN_MINUTES);
    pass(30_000);

    assertThat(servers.next().clean().objects()).containsExactly(id(1));
  }

  @Test
  void cleansOfAnEndedSessionAreLeftToTheLeaseAfterSomeFailures() {
    hold(A, 1);
    leases().release();
    for (int i = 0; i <= EndpointLeases.MAX_CLEAN_FAILURES; i++) {
      servers.next().fail(OwnCallFailure.Kind.REFUSED, DeliveryStatus.NOT_SENT);
      pass(30_000);
    }

    assertThat(servers.underWay()).isZero();
    assertThat(held).isZero();
    assertThat(all.views()).isEmpty();
    assertThat(clock.alarms()).isZero();
  }

  @Test
  void cleanIsStrongThoughALaterDirtyWentWell() {
    dirty(A, 1);
    servers.next().fail(OwnCallFailure.Kind.LATE, DeliveryStatus.POSSIBLY_DELIVERED);
    pass(100);
    servers.next().grant(TEN_MINUTES);
    hold(A, 2);
    clean(A, 1, 2); // the first dirty may still be on its way

    ScriptedLeaseServers.Pending strong = servers.next();
    assertThat(strong.clean().objects()).containsExactly(id(1));
    assertThat(strong.clean().strong()).isTrue();
    strong.done();
    ScriptedLeaseServers.Pending usual = servers.next();
    assertThat(usual.clean().objects()).containsExactly(id(2));
    assertThat(usual.clean().strong()).isFalse();
  }

  @Test
  void noCleanIsMadeBetweenDirtiesThatFail() {
    dirty(A, 1, 2);
    servers.next().fail(OwnCallFailure.Kind.LATE, DeliveryStatus.POSSIBLY_DELIVERED);
    clean(A, 1);
    for (int pause : new int[] {100, 200, 400, 800}) {
      assertThat(servers.underWay()).isZero(); // a lease may run that a clean could outlast
      pass(pause);
      ScriptedLeaseServers.Pending dirty = servers.next();
      assertThat(dirty.dirty().objects()).containsExactly(id(2));
      dirty.fail(OwnCallFailure.Kind.LATE, DeliveryStatus.POSSIBLY_DELIVERED);
    }
    pass(1000);
    servers.next().grant(TEN_MINUTES);

    assertThat(servers.next().clean().objects()).containsExactly(id(1));
  }

  @Test
  void callMayTakeAPartOfTheLeaseOnly() {
    dirty(A, 1);
    assertThat(servers.next(30_000).within()).isEqualTo(Duration.ofSeconds(30));
    pass(10_000);
    assertThat(servers.next(2000).within()).isEqualTo(Duration.ofSeconds(10));
    pass(667);
    assertThat(servers.next(TEN_MINUTES).within()).isEqualTo(Duration.ofSeconds(1));
    pass(TEN_MINUTES / 3);
    assertThat(servers.next(TEN_MINUTES).within()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void newReferenceOfAFailingServerIsTriedAtOnce() {
    dirty(A, 1);
    for (int i = 0; i < 8; i++) {
      servers.next().fail(OwnCallFailure.Kind.REFUSED, DeliveryStatus.NOT_SENT);
      pass(30_000);
    }
    servers.next().fail(OwnCallFailure.Kind.REFUSED, DeliveryStatus.NOT_SENT);
    assertThat(servers.underWay()).isZero();

    dirty(A, 2);

    assertThat(servers.next().objects()).containsExactlyInAnyOrderElementsOf(ids(1, 2));
  }

  // Time.

  @Test
  void leaseIsRenewedAtAThirdOfTheGrantWithoutObjects() {
    hold(A, 1, 2, 3);
    for (int i = 0; i < 5; i++) {
      pass(TEN_MINUTES / 3 - 1);
      assertThat(servers.underWay()).isZero();
      pass(1);
      ScriptedLeaseServers.Pending renewal = servers.next();
      assertThat(renewal.dirty().objects()).isEmpty();
      renewal.grant(TEN_MINUTES);
    }
  }

  @Test
  void leaseOfTwoSecondsIsRenewedEveryTwoThirdsOfASecond() {
    dirty(A, 1);
    servers.next().grant(2000);
    for (int i = 0; i < 100; i++) {
      pass(667);
      servers.next().grant(2000);
    }
    assertThat(servers.underWay()).isZero();
    assertThat(row().held()).isEqualTo(1);
  }

  @Test
  void anyDirtyRenews() {
    hold(A, 1);
    pass(TEN_MINUTES / 3 - 10);
    hold(A, 2);
    pass(1000);

    assertThat(servers.underWay()).isZero();
  }

  @Test
  void nothingIsRenewedForWhatNobodyHolds() {
    hold(A, 1);
    clean(A, 1);
    ScriptedLeaseServers.Pending clean = servers.next();
    pass(TEN_MINUTES);
    clean.done();
    pass(TEN_MINUTES);

    assertThat(servers.underWay()).isZero();
  }

  @Test
  void objectsAreNamedAgainWhenTheLeaseMayHaveEnded() {
    hold(A, 1, 2);
    pass(TEN_MINUTES / 3);
    ScriptedLeaseServers.Pending renewal = servers.next();
    pass(TEN_MINUTES * 2 / 3 + 1000); // the answer takes that long: it may have come too late
    renewal.grant(TEN_MINUTES);

    assertThat(servers.next().dirty().objects()).containsExactlyInAnyOrderElementsOf(ids(1, 2));
  }

  @Test
  void suspendedMachineNamesItsObjectsAgainAsSoonAsItWakes() {
    hold(A, 1, 2);
    clock.suspend(Duration.ofHours(8));
    pass(1000);

    assertThat(servers.next().dirty().objects()).containsExactlyInAnyOrderElementsOf(ids(1, 2));
  }

  @Test
  void suspensionsAreNoticedThoughOneSessionFails() {
    hold(A, 1);
    boolean[] broken = {false};
    SessionLeases other =
        all.open(
            "s2",
            (endpoint, object) -> {
              if (broken[0]) {
                throw new IllegalStateException("as scripted");
              }
              return reach(endpoint, object);
            },
            answers::add);
    other.dirty(new Dirty(0, B, ids(1)));
    servers.next().grant(TEN_MINUTES);
    broken[0] = true;
    for (int i = 0; i < 2; i++) {
      clock.suspend(Duration.ofHours(8));
      pass(1000);
      servers.next().grant(TEN_MINUTES);
    }
    assertThat(servers.underWay()).isZero();
  }

  @Test
  void clockThatJumpsBackChangesNothing() {
    hold(A, 1);
    clock.suspend(Duration.ofHours(-8));
    pass(TEN_MINUTES / 3 - 1);
    assertThat(servers.underWay()).isZero();
    pass(1);
    assertThat(servers.next().dirty().objects()).isEmpty();
  }

  @Test
  void serverThatGrantsNothingIsNotCalledWithoutEnd() {
    dirty(A, 1);
    for (int i = 0; i < 10; i++) {
      servers.next().grant(i % 2 == 0 ? 0 : Long.MIN_VALUE);
      assertThat(servers.underWay()).isZero();
      pass(100);
    }
    dirty(A, 2);
    servers.next().grant(Long.MAX_VALUE);
    assertThat(row().renewalInMillis()).isBetween(1L, Duration.ofDays(1).toMillis());
  }

  // Permission and bounds.

  @Test
  void endpointThatIsNotPermittedIsIgnoredAndCounted() {
    dirty(FORBIDDEN, 1);
    ack(FORBIDDEN);
    clean(FORBIDDEN, 1);
    ask(7, FORBIDDEN, 2);
    dirty(A, 1);
    ack(A);
    servers.next().grant(TEN_MINUTES);

    assertThat(refused).containsEntry("lease-target", 3);
    assertThat(answers).hasSize(1);
    assertThat(answers.get(0).number()).isEqualTo(7);
    assertThat(answers.get(0).outcome()).isEqualTo(Leased.Outcome.REFUSED);
    assertThat(servers.acknowledged()).extracting(Target::host).containsExactly("a.inside");
    assertThat(servers.underWay()).isZero();
  }

  @Test
  void withdrawnPermissionSuspendsAndItsReturnResumes() {
    hold(A, 1);
    permitted = false;
    pass(TEN_MINUTES / 3);
    assertThat(servers.underWay()).isZero();
    permitted = true;
    pass(30_000);

    assertThat(servers.next().dirty().objects()).containsExactly(id(1));
  }

  @Test
  void objectsOfASessionAreBounded() {
    settings = new LeaseSettings(true, GRACE, 3, 3, Duration.ofSeconds(30));
    dirty(A, 1, 2);
    dirty(B, 1, 2);
    ask(9, B, 3);

    assertThat(held).isEqualTo(3);
    assertThat(refused).containsEntry("lease-limit", 2);
    assertThat(answers.get(1).number()).isEqualTo(9);
    assertThat(answers.get(1).outcome()).isEqualTo(Leased.Outcome.REFUSED);
    dirty(A, 1); // what is held already takes no more room
    assertThat(refused).containsEntry("lease-limit", 2);
  }

  @Test
  void theAgentIsToldOnceUnaskedThatNotAllIsHeld() {
    settings = new LeaseSettings(true, GRACE, 2, 3, Duration.ofSeconds(30));
    ask(9, A, 1, 2, 3); // is told by the answer
    assertThat(answers).isEmpty();
    dirty(A, 4);
    dirty(A, 5);

    assertThat(answers).hasSize(1);
    assertThat(answers.get(0).number()).isZero();
    assertThat(answers.get(0).outcome()).isEqualTo(Leased.Outcome.REFUSED);
    assertThat(answers.get(0).text()).contains("leases.max-objects");
  }

  @Test
  void endpointsOfASessionAreBounded() {
    for (int port = 1; port <= 5; port++) {
      dirty(new EndpointId("a.inside", port), 1);
    }

    assertThat(servers.underWay()).isEqualTo(3);
    assertThat(refused).containsEntry("lease-limit", 2);
  }

  @Test
  void serversThatShareANameAreToldApartByTheObject() {
    dirty(SHARED, 1, 2, 3);
    ScriptedLeaseServers.Pending odd = servers.next();
    assertThat(odd.target().host()).isEqualTo("odd");
    assertThat(odd.objects()).containsExactlyElementsOf(ids(1, 3));
    odd.grant(TEN_MINUTES);
    ScriptedLeaseServers.Pending even = servers.next();
    assertThat(even.target().host()).isEqualTo("even");
    even.grant(TEN_MINUTES);

    clean(SHARED, 2);

    assertThat(servers.next().target().host()).isEqualTo("even");
    assertThat(servers.underWay()).isZero();
  }

  @Test
  void renewalGoesWhereTheObjectsAreThoughAnotherServerHandsThemOut() {
    dirty(SHARED, 1, 3);
    servers.next().grant(TEN_MINUTES);
    shift = 1; // a registry elsewhere has them as well
    pass(TEN_MINUTES / 3);

    ScriptedLeaseServers.Pending renewal = servers.next();
    assertThat(renewal.target().host()).isEqualTo("odd");
    renewal.fail(OwnCallFailure.Kind.CLOSED, DeliveryStatus.POSSIBLY_DELIVERED);
    pass(100);
    ScriptedLeaseServers.Pending again = servers.next();
    assertThat(again.target().host()).isEqualTo("odd");
    assertThat(again.objects()).containsExactlyInAnyOrderElementsOf(ids(1, 3));
  }

  @Test
  void serverThatIsReachedByAnotherWayHasAnotherClient() {
    hold(A, 1);
    substitute = Optional.of(new Target.Substitute("elsewhere", AddressRule.NAMED));
    dirty(A, 1);
    ScriptedLeaseServers.Pending second = servers.next();
    assertThat(second.dirty().client()).isNotEqualTo(Optional.of(leases.vmId()));
    second.grant(TEN_MINUTES);

    clean(A, 1);

    assertThat(servers.next().clean().client()).isEqualTo(leases.vmId());
    assertThat(servers.next().clean().client()).isEqualTo(second.dirty().client().orElseThrow());
  }

  @Test
  void endpointsThatAreMappedToOneServerHaveAClientEachThere() {
    EndpointId alias = new EndpointId("A.inside", A.port());
    hold(A, 1);
    hold(alias, 1);
    clean(A, 1);

    assertThat(servers.next().clean().client()).isEqualTo(leases.vmId());
    dirty(alias, 2);
    assertThat(servers.next().dirty().client()).isNotEqualTo(Optional.of(leases.vmId()));
  }

  @Test
  void objectsOfAPrincipalAreBoundedOverAllItsSessions() {
    settings = new LeaseSettings(true, GRACE, 100, 3, 3, Duration.ofSeconds(30));
    hold(A, 1, 2);
    SessionLeases second = all.open("s2", "ann", "ann", new Routes(), answers::add);
    second.dirty(new Dirty(5, A, ids(3, 4)));
    SessionLeases other = all.open("s3", "bob", "bob", new Routes(), answers::add);
    other.dirty(new Dirty(0, A, ids(1, 2, 3, 4)));

    assertThat(held).isEqualTo(2 + 1 + 3);
    assertThat(refused).containsEntry("lease-limit", 2);
    servers.next().grant(TEN_MINUTES);
    assertThat(answers).extracting(Leased::number).containsExactly(0L, 5L); // unasked the first
    assertThat(answers).extracting(Leased::outcome).containsOnly(Leased.Outcome.REFUSED);
    clean(A, 1);
    servers.next(); // of the other one
    servers.next().done();
    second.dirty(new Dirty(0, A, ids(4)));
    assertThat(servers.next().objects()).containsExactlyElementsOf(ids(4));
  }

  @Test
  void refusalsAreCountedAndLoggedOncePerEndpoint() {
    try (LogLines log = new LogLines(SessionLeases.class)) {
      for (int i = 0; i < 5; i++) {
        dirty(FORBIDDEN, i);
        ack(SHARED);
      }
      assertThat(refused).containsEntry("lease-target", 10);
      assertThat(log.all()).hasSize(2);
      assertThat(log.all().get(0)).contains("forbidden.inside:1099", "allow:");
      assertThat(log.all().get(1)).contains("127.0.1.1:1099").doesNotContain("allow:");
    }
  }

  // Answers.

  @Test
  void askedDirtyIsAnsweredOnceAllItsObjectsAreHeld() {
    dirty(A, 1);
    ask(5, A, 1, 2);
    servers.next().grant(TEN_MINUTES);
    assertThat(answers).isEmpty();
    servers.next().grant(TEN_MINUTES);

    assertThat(answers).containsExactly(new Leased(5, Leased.Outcome.HELD, ""));
    ask(6, A, 1, 2);
    assertThat(answers).hasSize(2);
  }

  @Test
  void askedDirtyThatFailsIsAnsweredSoAndRepeated() {
    ask(5, A, 1);
    servers.next().fail(OwnCallFailure.Kind.CLOSED, DeliveryStatus.POSSIBLY_DELIVERED);

    assertThat(answers).containsExactly(new Leased(5, Leased.Outcome.FAILED, "as scripted"));
    pass(100);
    assertThat(servers.underWay()).isEqualTo(1);
  }

  // Ends.

  @Test
  void releaseCleansEverythingAtOnceAndForgetsTheSession() {
    hold(A, 1, 2);
    hold(B, 3);
    leases().release();

    ScriptedLeaseServers.Pending atA = servers.next();
    assertThat(atA.clean().objects()).containsExactlyInAnyOrderElementsOf(ids(1, 2));
    atA.done();
    servers.next().done();
    assertThat(held).isZero();
    assertThat(all.views()).isEmpty();
    assertThat(clock.alarms()).isZero();
  }

  @Test
  void lostSessionIsKeptForTheGraceAndThenCleaned() {
    hold(A, 1);
    leases().releaseAfterGrace();
    pass(GRACE.toMillis() - 1);
    assertThat(servers.underWay()).isZero();
    assertThat(all.views().get(0).state()).isEqualTo("GRACE");
    assertThat(all.accounts().lingering()).isEqualTo(1);

    pass(1);

    assertThat(all.accounts().lingering()).isZero();

    assertThat(servers.next().clean().objects()).containsExactly(id(1));
    assertThat(all.views().get(0).state()).isEqualTo("CLEANING");
  }

  @Test
  void lostSessionIsNotKeptByItsLeases() {
    List<Leased> hears = new ArrayList<>();
    WeakReference<List<Leased>> session = new WeakReference<>(hears);
    leases();
    SessionLeases lost = all.open("s2", "ann", "ann", new Routes(), hears::add);
    lost.dirty(new Dirty(7, A, ids(1)));
    lost.releaseAfterGrace();
    hears = null;
    await()
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(session.get()).isNull();
            });
    servers.next().grant(TEN_MINUTES);

    assertThat(held).isEqualTo(1);
  }

  @Test
  void leasesAreRenewedDuringTheGrace() {
    dirty(A, 1);
    servers.next().grant(30_000);
    leases().releaseAfterGrace();
    for (int i = 0; i < 11; i++) {
      pass(10_000);
      servers.next().grant(30_000);
    }
    pass(10_000);
    assertThat(servers.next().clean().objects()).containsExactly(id(1));
  }

  @Test
  void shutDownGatewayCleansNothingAndCallsNobodyAnyMore() {
    hold(A, 1);
    dirty(A, 2);
    ScriptedLeaseServers.Pending underWay = servers.next();
    all.close();
    underWay.grant(TEN_MINUTES);
    pass(TEN_MINUTES);

    assertThat(servers.underWay()).isZero();
    assertThat(held).isZero();
  }

  @Test
  void sessionWithoutReferencesLeavesNothing() {
    leases().releaseAfterGrace();

    assertThat(all.views()).isEmpty();
    assertThat(clock.alarms()).isZero();
  }

  @Test
  void frameThatComesWhileTheSessionEndsIsIgnored() {
    hold(A, 1);
    leases().releaseAfterGrace();
    dirty(A, 2);
    ack(A);
    assertThat(held).isEqualTo(1);
    assertThat(servers.acknowledged()).isEmpty();
    leases().release();
    dirty(A, 1, 2);
    servers.next().done();

    assertThat(servers.underWay()).isZero();
    assertThat(held).isZero();
    assertThat(all.views()).isEmpty();
    assertThat(clock.alarms()).isZero();
  }
}
