package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.lease.LeaseSettings;
import io.rmigate.gateway.limit.CallLimits;
import io.rmigate.gateway.limit.LockoutSettings;
import io.rmigate.gateway.limit.LockoutView;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.route.EndpointMapping;
import io.rmigate.gateway.route.Restraints;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.tunnel.Dirty;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Leased;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is refused counts at every door, and every door is shut to who is locked out. */
class LockedOutDoorsTest {

  /** Of what an honest client may try many of, where one of other things is enough. */
  private static final int MANY = 50;

  private static final ObjIdentifier OBJECT = new ObjIdentifier(7, 1, 2, (short) 3);
  private static final Principal BOB = new Principal("bob", Principal.Scheme.BASIC);

  @RegisterExtension final SessionBed bed = new SessionBed();

  private ScriptedRmiServer server;
  private TargetPolicy policy;

  @BeforeEach
  void lockOutSoon() throws Exception {
    server = bed.scripted(FailurePolicy.NONE);
    permit("127.0.0.1:" + server.port());
  }

  private void permit(String target) {
    policy =
        new TargetPolicy(
            List.of(new TargetGrant(Set.of("*"), List.of(target), SessionBed.READING)),
            List.of(),
            EndpointMapping.DEFAULT,
            Rulebook.OFF,
            new Restraints(
                CallLimits.NONE,
                new LockoutSettings(1, Duration.ofMinutes(10), Duration.ofMinutes(10))));
    bed.policy(policy);
  }

  private static TestAgent withLeases(TestAgent agent) {
    agent.hello(Feature.LEASES);
    return agent;
  }

  private void assertLockedOut(String... principals) {
    assertThat(bed.registry().lockouts())
        .extracting(LockoutView::principal)
        .containsExactly(principals);
  }

  @Test
  void whoIsLockedOutTakesNoLeases() {
    bed.leaseSettings( // bob's may be under way at the end, when the server answers no more
        new LeaseSettings(true, Duration.ofMinutes(2), 100_000, 1_000, Duration.ofSeconds(1)));
    TestAgent ann = withLeases(bed.stranger());
    policy.lockouts().onRefused(ann.session().context().standing().caller(), "something");
    assertLockedOut("ann");

    ann.say(new Dirty(1, new EndpointId("127.0.0.1", server.port()), List.of(OBJECT)));

    TestAgent.awaitThat(() -> !ann.port().frames(Leased.class).isEmpty());
    assertThat(ann.port().frames(Leased.class).get(0).outcome()).isEqualTo(Leased.Outcome.REFUSED);
    assertThat(bed.leases().views()).isEmpty();
    TestAgent bob = withLeases(bed.stranger(BOB));
    bob.say(new Dirty(0, new EndpointId("127.0.0.1", server.port()), List.of(OBJECT)));
    assertThat(bed.leases().views()).hasSize(1);
  }

  @Test
  void whoseLoginIsWithdrawnTakesNoLeases() {
    server.policy(FailurePolicy.NEVER_ANSWER);
    TestAgent ann = withLeases(bed.stranger());
    ann.open(1, server.port());
    ann.request(1, Calls.method(OBJECT, "none()V", out -> {})); // keeps the session
    TestAgent.awaitThat(() -> server.received().length > 0);
    bed.registry().checkLogins(principal -> false);
    ann.session().tick(System.nanoTime());

    ann.say(new Dirty(1, new EndpointId("127.0.0.1", server.port()), List.of(OBJECT)));

    TestAgent.awaitThat(() -> !ann.port().frames(Leased.class).isEmpty());
    assertThat(ann.port().frames(Leased.class).get(0).outcome()).isEqualTo(Leased.Outcome.REFUSED);
    assertThat(bed.leases().views()).isEmpty();
  }

  @Test
  void leasesAtManyPlacesThatNobodyPermitsLockOut() {
    TestAgent ann = withLeases(bed.stranger());
    for (int i = 0; i < MANY; i++) {
      assertThat(bed.registry().lockouts()).isEmpty();
      ann.say(new Dirty(0, new EndpointId("10.1.1.1", 1 + i), List.of(OBJECT)));
    }
    assertLockedOut("ann");
  }

  @Test
  void manyHostsThatTurnOutToBePlacesThatNobodyPermitsLockOut() {
    permit("*:*");
    TestAgent ann = bed.agent();
    for (int i = 0; i < MANY; i++) {
      assertThat(bed.registry().lockouts()).isEmpty();
      int stream = 1 + 2 * i;
      ann.open(
          stream, "224.0.0.1", 1 + i); // a multicast address, to which no connection can be made
      ann.request(stream, Calls.method(OBJECT, "none()V", out -> {}));
      ann.awaitRefused(stream, 0);
    }
    assertLockedOut("ann");
    assertThat(bed.refused("address")).isEqualTo(MANY);
  }

  @Test
  void whoTakesLeasesInTheNamesOfManyOfOthersIsLockedOut() {
    TestAgent bob = bed.stranger(BOB);
    bob.hello();
    bob.awaitWelcome();
    TestAgent ann = bed.agent();
    bob.open(1, server.port());
    ann.open(1, server.port());
    for (int i = 0; i < MANY; i++) {
      assertThat(bed.registry().lockouts()).isEmpty();
      byte[] dirty =
          new DgcCall.Dirty(
                  List.of(OBJECT), 1, Optional.of(new VmIdentifier(i, 0, 0, (short) 0)), 60_000)
              .encode();
      SessionContext bobs = bob.session().context();
      assertThat(bobs.collectorCalls().objection(bobs.knowledge(), bob(), dirty)).isEmpty();
      ann.request(1, dirty);
      ann.awaitRefused(1, i);
    }
    assertLockedOut("ann");
  }

  private EndpointId bob() {
    return new EndpointId("127.0.0.1", server.port());
  }
}
