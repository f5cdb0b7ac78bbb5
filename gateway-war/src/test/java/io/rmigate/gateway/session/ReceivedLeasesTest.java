package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.lease.LeaseView;
import io.rmigate.gateway.limit.CallLimits;
import io.rmigate.gateway.limit.LockoutSettings;
import io.rmigate.gateway.limit.LockoutView;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.route.EndpointMapping;
import io.rmigate.gateway.route.Restraints;
import io.rmigate.gateway.route.SessionLeaseRoutes;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.gateway.testing.LogLines;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.tunnel.Dirty;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Leased;
import io.rmigate.protocol.tunnel.RefusalReason;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** T30: by default a session takes no leases of objects that it was not given. */
class ReceivedLeasesTest {
  private static final int VOID_RETURN = 22;
  private static final int GUESSED = 100;
  private static final Principal BOB = new Principal("bob", Principal.Scheme.BASIC);

  @RegisterExtension final SessionBed bed = new SessionBed();

  private final Random random = new Random(30);
  private LedgerServer server;
  private EndpointId endpoint;

  @BeforeEach
  void permit() throws Exception {
    server = bed.ledger();
    String host = server.ledgerReference().host();
    endpoint = new EndpointId(host, server.ledgerReference().port());
    bed.policy(
        new TargetGrant(
            Set.of("*"),
            List.of("127.0.0.1:*", host + ":*"),
            SessionBed.READING,
            Entry.enforced().classes(Ledger.class.getName()).withoutSayingWhichObjects().rules()));
  }

  private static TestAgent greeted(TestAgent agent, Feature... features) {
    agent.hello(features);
    return agent;
  }

  private ObjIdentifier guessed() {
    return new ObjIdentifier(
        random.nextLong(), random.nextInt(), random.nextLong(), (short) random.nextInt());
  }

  private void lookUp(TestAgent agent) {
    agent.open(1, server.port());
    agent.request(1, Calls.lookup("ledger"));
    TestAgent.awaitThat(() -> agent.port().dataBytes(1) > VOID_RETURN);
  }

  private int held() {
    return bed.leases().views().stream()
        .flatMap(view -> view.endpoints().stream())
        .mapToInt(LeaseView.Row::held)
        .sum();
  }

  @Test
  void framesTakeLeasesOfWhatTheSessionWasGivenAndOfNothingElse() throws IOException {
    TestAgent bob = greeted(bed.stranger(BOB), Feature.LEASES);
    List<ObjIdentifier> ids =
        Stream.concat(Stream.of(server.object()), Stream.generate(this::guessed).limit(GUESSED))
            .toList();

    try (LogLines log = new LogLines("io.rmigate.gateway")) {
      bob.say(new Dirty(1, endpoint, ids));

      TestAgent.awaitThat(() -> !bob.port().frames(Leased.class).isEmpty());
      assertThat(log.warnings())
          .filteredOn(line -> line.contains("received-objects: false"))
          .hasSize(1);
    }
    assertThat(bob.port().frames(Leased.class).get(0).outcome()).isEqualTo(Leased.Outcome.REFUSED);
    assertThat(bed.leases().views()).isEmpty();
    assertThat(server.accepted()).isZero();

    TestAgent ann = greeted(bed.stranger(), Feature.LEASES);
    lookUp(ann);
    ann.say(new Dirty(0, endpoint, ids));
    TestAgent.awaitThat(() -> held() == 1);
    server.dropConnections();
  }

  private TargetPolicy lockingOut(LockoutSettings settings) {
    TargetPolicy policy =
        new TargetPolicy(
            List.of(
                new TargetGrant(
                    Set.of("*"),
                    List.of(endpoint.host() + ":*"),
                    SessionBed.READING,
                    Entry.enforced().withoutSayingWhichObjects().rules())),
            List.of(),
            EndpointMapping.DEFAULT,
            Rulebook.OFF,
            new Restraints(CallLimits.NONE, settings));
    bed.policy(policy);
    return policy;
  }

  private void guess(TestAgent agent, int objects) {
    for (int i = 0; i < objects; i += GUESSED) {
      agent.say(new Dirty(0, endpoint, Stream.generate(this::guessed).limit(GUESSED).toList()));
    }
  }

  @Test
  void whoTakesLeasesOfVeryManyObjectsThatItWasNotGivenIsLockedOut() {
    LockoutSettings after = new LockoutSettings(2, Duration.ofMinutes(10), Duration.ofMinutes(10));
    int many = lockingOut(after).lockouts().manifoldAfter() * SessionLeaseRoutes.NEVER_GIVEN;
    TestAgent bob = greeted(bed.stranger(BOB), Feature.LEASES);

    guess(bob, many - GUESSED);
    assertThat(bed.registry().lockouts()).isEmpty();
    guess(bob, GUESSED);

    assertThat(bed.registry().lockouts()).extracting(LockoutView::principal).containsExactly("bob");
  }

  /** A JVM that comes back names all that it holds, which may be stale. */
  @Test
  void asManyAsASessionCanBeGivenLockNobodyOut() {
    TargetPolicy policy = lockingOut(LockoutSettings.DEFAULTS);
    TestAgent bob = greeted(bed.stranger(BOB), Feature.LEASES);

    guess(bob, 16_384);

    assertThat(policy.lockouts().views()).isEmpty();
  }

  @Test
  void callsOfTheCollectorDoSoToo() {
    TestAgent ann = greeted(bed.stranger());
    lookUp(ann);
    int accepted = server.accepted();
    TestAgent bob = greeted(bed.stranger(BOB));
    bob.open(1, endpoint.host(), endpoint.port());

    bob.request(1, dirty(guessed()));
    bob.request(1, dirty(server.object()));

    bob.expectRefused(1, 2, RefusalReason.OPERATION_NOT_PERMITTED);
    assertThat(bob.session().context().collectorCalls().objects()).isZero();
    assertThat(server.accepted()).isEqualTo(accepted);
    long before = ann.port().dataBytes(1);
    ann.request(1, dirty(server.object()));
    TestAgent.awaitThat(() -> ann.port().dataBytes(1) > before);
    assertThat(ann.session().context().collectorCalls().objects()).isOne();
  }

  /** A JVM names what it once was refused in each later call, and would lose everything. */
  @Test
  void ofSeveralObjectsThoseThatWereGivenAreLeased() {
    TestAgent ann = greeted(bed.stranger());
    lookUp(ann);
    long before = ann.port().dataBytes(1);

    ann.request(1, dirty(guessed(), server.object(), guessed()));

    TestAgent.awaitThat(() -> ann.port().dataBytes(1) > before);
    assertThat(ann.session().context().collectorCalls().objects()).isOne();
  }

  static byte[] dirty(ObjIdentifier... objects) {
    VmIdentifier jvm = new VmIdentifier(objects[0].objNum(), 2, 3, (short) 4);
    return new DgcCall.Dirty(List.of(objects), 1, Optional.of(jvm), 60_000).encode();
  }
}
