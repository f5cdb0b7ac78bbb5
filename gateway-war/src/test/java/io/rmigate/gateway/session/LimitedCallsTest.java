package io.rmigate.gateway.session;

import static io.rmigate.gateway.session.TestAgent.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditField;
import io.rmigate.gateway.audit.AuditOutcome;
import io.rmigate.gateway.audit.RecordedAudit;
import io.rmigate.gateway.limit.Admission;
import io.rmigate.gateway.limit.CallLimits;
import io.rmigate.gateway.limit.LockoutSettings;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.policy.rule.EntryRules;
import io.rmigate.gateway.route.EndpointMapping;
import io.rmigate.gateway.route.Restraints;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.gateway.stream.RefusalTexts;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Lookup;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.RegistryName;
import io.rmigate.protocol.tunnel.Unbound;
import io.rmigate.protocol.tunnel.UnboundReason;
import io.rmigate.testing.RefusingPort;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Calls beyond a limit reach no server, and those within it are not touched. */
class LimitedCallsTest {
  private static final Principal BOB = new Principal("bob", Principal.Scheme.BASIC);
  private static final int VOID_RETURN = 22;
  private static final int INT_RETURN = 26;
  private static final OptionalInt ANY = OptionalInt.empty();

  @RegisterExtension final SessionBed bed = new SessionBed();

  private final AtomicLong clock = new AtomicLong();

  private static CallLimits rate(int perSecond, int burst) {
    return new CallLimits(OptionalInt.of(perSecond), OptionalInt.of(burst), ANY, ANY);
  }

  private static CallLimits inProgress(int calls) {
    return new CallLimits(ANY, ANY, OptionalInt.of(calls), ANY);
  }

  private static CallLimits bytes(int perSecond) {
    return new CallLimits(ANY, ANY, ANY, OptionalInt.of(perSecond));
  }

  private TargetPolicy limit(CallLimits ofEach, CallLimits ofEntry) {
    TargetPolicy policy =
        new TargetPolicy(
            List.of(
                new TargetGrant(
                    Set.of("*"),
                    List.of("127.0.0.1:*", "localhost:*"),
                    SessionBed.READING,
                    EntryRules.NONE,
                    ofEntry)),
            List.of(),
            EndpointMapping.DEFAULT,
            Rulebook.OFF,
            new Restraints(ofEach, LockoutSettings.DEFAULTS),
            clock::get);
    bed.policy(policy);
    return policy;
  }

  private void pass(Duration time) {
    clock.addAndGet(time.toNanos());
  }

  private TestAgent agentOf(Principal principal, LedgerServer server) {
    TestAgent agent = bed.stranger(principal);
    agent.hello();
    agent.awaitWelcome();
    agent.open(1, server.port());
    return agent;
  }

  private static void assertTooMuch(TestAgent agent, int number) {
    assertThat(agent.awaitRefused(1, number).reason()).isEqualTo(RefusalReason.CONNECT_FAILED);
    assertThat(agent.awaitRefused(1, number).text())
        .startsWith("rmigate: " + RefusalTexts.TOO_MUCH + " [refusal ");
  }

  @Test
  void callsBeyondTheRateAreRefusedInAllSessionsOfAPrincipalUntilTimeHasPassed() throws Exception {
    LedgerServer server = bed.ledger();
    RecordedAudit audit = new RecordedAudit();
    bed.audit(audit);
    limit(rate(2, 3), CallLimits.NONE);
    TestAgent one = agentOf(SessionBed.ANN, server);
    TestAgent two = agentOf(SessionBed.ANN, server);
    one.call(1, server.tick(), VOID_RETURN);
    two.call(1, server.tick(), VOID_RETURN);
    one.call(1, server.tick(), VOID_RETURN);
    one.request(1, server.tick());
    assertTooMuch(one, 0);
    two.request(1, server.tick());
    assertTooMuch(two, 0);
    agentOf(BOB, server).call(1, server.tick(), VOID_RETURN);
    assertThat(server.ticks()).isEqualTo(4);
    assertThat(bed.refused("limit-rate")).isEqualTo(2);
    assertThat(audit.of(AuditEvent.CALL, AuditOutcome.REFUSED))
        .hasSize(2)
        .allMatch(line -> RecordedAudit.text(line, AuditField.RULE).equals("limit-rate"));
    pass(Duration.ofMillis(500));
    one.call(1, server.tick(), VOID_RETURN);
    one.request(1, server.tick());
    assertTooMuch(one, 1);
    assertThat(server.ticks()).isEqualTo(5);
  }

  @Test
  void callsWithoutASessionAreUnderTheSameLimits() throws Exception {
    LedgerServer server = bed.ledger();
    TargetPolicy policy = limit(rate(2, 3), inProgress(2));
    TestAgent agent = agentOf(SessionBed.ANN, server);
    agent.call(1, server.tick(), VOID_RETURN);
    EndpointId target = new EndpointId("127.0.0.1", server.port());
    Admission one = policy.begin(SessionBed.ANN, "10.0.0.1:1", target);
    Admission two = policy.begin(BOB, "10.0.0.1:2", target);
    assertThat(one.refusedBy()).isEmpty();
    assertThat(two.refusedBy()).isEmpty();
    assertThat(policy.begin(BOB, "10.0.0.1:3", target).refusedBy()).contains("limit-in-progress");
    one.end();
    one.end(); // counts once
    Admission three = policy.begin(SessionBed.ANN, "10.0.0.1:1", target);
    assertThat(three.refusedBy()).isEmpty();
    two.end();
    three.end();
    agent.request(1, server.tick());
    assertTooMuch(agent, 0);
    assertThat(policy.begin(SessionBed.ANN, "10.0.0.1:1", target).refusedBy())
        .contains("limit-rate");
    EndpointId nowhere = new EndpointId("nowhere.example", 1099);
    assertThat(policy.begin(SessionBed.ANN, "10.0.0.1:1", nowhere).refusedBy())
        .contains("limit-rate");
  }

  @Test
  void bytesOfCallsWithoutASessionArePaidForByTheNextOnes() throws Exception {
    TargetPolicy policy = limit(bytes(1000), CallLimits.NONE);
    EndpointId target = new EndpointId("127.0.0.1", 1099);
    Admission one = policy.begin(SessionBed.ANN, "10.0.0.1:1", target);
    one.carried(3000);
    one.end();
    assertThat(policy.begin(SessionBed.ANN, "10.0.0.1:1", target).refusedBy())
        .contains("limit-bytes");
    pass(Duration.ofSeconds(3));
    assertThat(policy.begin(SessionBed.ANN, "10.0.0.1:1", target).refusedBy()).isEmpty();
  }

  @Test
  void moreCallsInProgressAreRefusedUntilOneIsAnswered() throws Exception {
    LedgerServer server = bed.ledger();
    limit(inProgress(2), CallLimits.NONE);
    TestAgent agent = agentOf(SessionBed.ANN, server);
    agent.open(3, server.port());
    agent.open(5, server.port());
    agent.request(3, server.await());
    agent.request(5, server.await());
    awaitThat(() -> server.waiting() == 2);
    agent.request(1, server.tick());
    assertTooMuch(agent, 0);
    assertThat(bed.refused("limit-in-progress")).isEqualTo(1);
    server.openGate();
    agent.awaitData(3, VOID_RETURN);
    agent.awaitData(5, VOID_RETURN);
    for (int i = 0; i < 10; i++) {
      agent.call(1, server.tick(), VOID_RETURN);
    }
    assertThat(server.ticks()).isEqualTo(10);
  }

  @Test
  void aCallThatIsGivenUpIsInProgressNoMore() throws Exception {
    LedgerServer server = bed.ledger();
    limit(inProgress(1), inProgress(1));
    TestAgent agent = agentOf(SessionBed.ANN, server);
    for (int stream = 3; stream < 9; stream += 2) {
      int waiting = server.waiting();
      agent.open(stream, server.port());
      agent.request(stream, server.await());
      awaitThat(() -> server.waiting() == waiting + 1);
      agent.close(stream);
    }
    agent.call(1, server.tick(), VOID_RETURN);
    TestAgent other = agentOf(SessionBed.ANN, server);
    other.request(1, server.await());
    awaitThat(() -> server.waiting() == 4);
    other.session().onTransportClosed();
    agent.call(1, server.tick(), VOID_RETURN);
    assertThat(server.ticks()).isEqualTo(2);
    assertThat(agent.refusals(1)).isEmpty();
    server.openGate();
  }

  @Test
  void aCallThatReachesNobodyIsInProgressNoMore() throws Exception {
    LedgerServer server = bed.ledger();
    limit(CallLimits.NONE, inProgress(1));
    TestAgent agent = agentOf(SessionBed.ANN, server);
    try (RefusingPort closed = new RefusingPort()) {
      agent.open(3, closed.number());
      agent.request(3, server.tick());
      assertThat(agent.awaitRefused(3, 0).reason()).isEqualTo(RefusalReason.CONNECTION_REFUSED);
    }
    agent.call(1, server.tick(), VOID_RETURN);
  }

  @Test
  void anEntryLimitsAllWhomItIsForTogether() throws Exception {
    LedgerServer server = bed.ledger();
    limit(CallLimits.NONE, rate(1, 2));
    TestAgent ann = agentOf(SessionBed.ANN, server);
    TestAgent bob = agentOf(BOB, server);
    ann.call(1, server.tick(), VOID_RETURN);
    bob.call(1, server.tick(), VOID_RETURN);
    ann.request(1, server.tick());
    assertTooMuch(ann, 0);
    bob.request(1, server.tick());
    assertTooMuch(bob, 0);
    assertThat(server.ticks()).isEqualTo(2);
  }

  /** What one limit refuses uses nothing of the others up. */
  @Test
  void whatTheCallerMayNotDoIsNotTakenFromTheEntry() throws Exception {
    LedgerServer server = bed.ledger();
    limit(rate(1, 1), rate(1, 3));
    TestAgent ann = agentOf(SessionBed.ANN, server);
    ann.call(1, server.tick(), VOID_RETURN);
    for (int i = 0; i < 5; i++) {
      ann.request(1, server.tick());
      assertTooMuch(ann, i);
    }
    agentOf(BOB, server).call(1, server.tick(), VOID_RETURN);
    assertThat(server.ticks()).isEqualTo(2);
  }

  @Test
  void aLongCallAndALongAnswerPassWholeAndAreThenPaidFor() throws Exception {
    LedgerServer server = bed.ledger();
    limit(bytes(64 * 1024), CallLimits.NONE);
    TestAgent agent = agentOf(SessionBed.ANN, server);
    agent.call(1, server.swallow(new byte[100_000]), INT_RETURN);
    agent.request(1, server.tick());
    assertTooMuch(agent, 0);
    assertThat(bed.refused("limit-bytes")).isEqualTo(1);
    pass(Duration.ofSeconds(1));
    int given = Calls.returned(new byte[100_000]).length + 1; // RMI annotates the class
    agent.call(1, server.give(100_000), given);
    agent.request(1, server.tick());
    assertTooMuch(agent, 1);
    pass(Duration.ofSeconds(2));
    agent.call(1, server.tick(), VOID_RETURN);
    assertThat(server.ticks()).isEqualTo(1);
  }

  @Test
  void lookupsThatTheGatewayAnswersCountToo() throws Exception {
    LedgerServer server = bed.ledger();
    limit(rate(1, 2), CallLimits.NONE);
    TestAgent agent = bed.stranger();
    agent.hello(Feature.LOOKUPS);
    RegistryName name = new RegistryName(new EndpointId("127.0.0.1", server.port()), "nothing");
    for (int i = 1; i <= 3; i++) {
      int asked = i;
      agent.say(new Lookup(i, true, name));
      awaitThat(() -> agent.port().frames(Unbound.class).size() == asked);
    }
    assertThat(agent.port().frames(Unbound.class))
        .extracting(Unbound::reason)
        .containsExactly(
            UnboundReason.NOT_BOUND, UnboundReason.NOT_BOUND, UnboundReason.CONNECT_FAILED);
  }
}
