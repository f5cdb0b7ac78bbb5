package io.rmigate.gateway.session;

import static io.rmigate.gateway.audit.RecordedAudit.text;
import static io.rmigate.gateway.session.TestAgent.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.audit.AuditEntry;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditField;
import io.rmigate.gateway.audit.AuditOutcome;
import io.rmigate.gateway.audit.RecordedAudit;
import io.rmigate.gateway.limit.CallLimits;
import io.rmigate.gateway.limit.LockoutSettings;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.route.EndpointMapping;
import io.rmigate.gateway.route.Restraints;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.gateway.session.GatedCallsTest.Order;
import io.rmigate.protocol.tunnel.Accept;
import io.rmigate.protocol.tunnel.Listening;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each call of an inner JVM to an object of an agent's is one line of the audit. */
class AuditedCallbacksTest extends CallbackSides {
  private static final byte[] SECRET =
      Calls.method(OBJECT, "take(Ljava/lang/Object;)V", out -> out.writeObject("the argument"));

  private final RecordedAudit audit = new RecordedAudit();

  @BeforeEach
  void record() {
    bed.audit(audit);
  }

  private AuditEntry only() {
    awaitThat(() -> !audit.of(AuditEvent.CALLBACK_CALL).isEmpty());
    assertThat(audit.of(AuditEvent.CALLBACK_CALL)).hasSize(1);
    return audit.of(AuditEvent.CALLBACK_CALL).get(0);
  }

  private Accept called(InnerJvm jvm, TestAgent agent) throws Exception {
    jvm.say(SECRET);
    Accept accept = awaitAccept(agent, 0);
    agent.awaitData(accept.opened(), SECRET.length);
    return accept;
  }

  @Test
  void aLineSaysWhoAndWhatAndHowMuchAndNothingOfItsArguments() throws Exception {
    TestAgent agent = agent();
    int port = listen(agent);
    InnerJvm jvm = connect(port);
    Accept accept = called(jvm, agent);
    answer(agent, accept.opened(), RETURN);
    awaitThat(() -> !audit.of(AuditEvent.CALLBACK_CALL).isEmpty()); // nothing more comes

    AuditEntry line = only();
    assertThat(line.outcome()).isEqualTo(AuditOutcome.RETURNED);
    assertThat(text(line, AuditField.VERDICT)).isEqualTo(AuditEntry.ALLOWED);
    assertThat(text(line, AuditField.PRINCIPAL)).isEqualTo("ann");
    assertThat(text(line, AuditField.PEER)).startsWith("127.0.0.1:");
    assertThat(text(line, AuditField.TARGET)).isEqualTo("gw.inner:" + port);
    assertThat(text(line, AuditField.OBJECT)).isEqualTo(OBJECT.toString());
    assertThat(text(line, AuditField.METHOD_HASH))
        .isEqualTo("" + Calls.hash("take(Ljava/lang/Object;)V"));
    assertThat(text(line, AuditField.REQUEST_BYTES)).isEqualTo("" + SECRET.length);
    assertThat(text(line, AuditField.ANSWER_BYTES)).isEqualTo("" + RETURN.length);
    assertThat(text(line, AuditField.MICROS)).matches("\\d+");
    assertThat(audit.lines()).doesNotContain("the argument");
  }

  @Test
  void anExceptionIsToldFromAValue() throws Exception {
    TestAgent agent = agent();
    InnerJvm jvm = connect(listen(agent));
    Accept accept = called(jvm, agent);
    answer(agent, accept.opened(), Calls.thrown(new IllegalStateException("secret")));
    awaitThat(() -> !audit.of(AuditEvent.CALLBACK_CALL).isEmpty());
    assertThat(only().outcome()).isEqualTo(AuditOutcome.THREW);
    assertThat(audit.lines()).doesNotContain("secret");
  }

  @Test
  void whoDoesNotWaitHasAbandonedItsCall() throws Exception {
    TestAgent agent = agent();
    InnerJvm jvm = connect(listen(agent));
    called(jvm, agent);
    jvm.close();
    assertThat(only().outcome()).isEqualTo(AuditOutcome.ABANDONED);
  }

  @Test
  void whatMayNotPassIsOneLineWithItsRule() throws Exception {
    bed.policy(
        new TargetGrant(
            Set.of("*"), List.of("127.0.0.1:*"), SessionBed.READING, Entry.enforced().rules()));
    TestAgent agent = agent();
    InnerJvm jvm = connect(listen(agent));
    jvm.say(Calls.method(OBJECT, "take(Ljava/lang/Object;)V", out -> out.writeObject(new Order())));
    AuditEntry line = only();
    assertThat(line.outcome()).isEqualTo(AuditOutcome.REFUSED);
    assertThat(text(line, AuditField.RULE)).isEqualTo("class-shape");
    assertThat(text(line, AuditField.CLASS)).isEqualTo(Order.class.getName());
  }

  @Test
  void whoDoesNotSpeakJrmpHasALineBesideThatOfItsConnection() throws Exception {
    TestAgent agent = agent();
    int port = listen(agent);
    InnerJvm jvm = connect(port);
    jvm.say(new byte[] {0x51}); // ReturnData, which no caller says
    awaitThat(() -> audit.of(AuditEvent.CALLBACK_CONNECTION).size() == 2);

    AuditEntry accepted = audit.of(AuditEvent.CALLBACK_CONNECTION).get(0);
    AuditEntry refused = audit.of(AuditEvent.CALLBACK_CONNECTION).get(1);
    assertThat(accepted.outcome()).isEqualTo(AuditOutcome.ACCEPTED);
    assertThat(refused.outcome()).isEqualTo(AuditOutcome.REFUSED);
    assertThat(text(refused, AuditField.VERDICT)).isEqualTo(AuditEntry.REFUSED);
    assertThat(text(refused, AuditField.RULE)).isEqualTo("callback-jrmp");
    assertThat(text(refused, AuditField.REASON)).contains("got 0x51");
    assertThat(text(refused, AuditField.PRINCIPAL)).isEqualTo("ann");
    assertThat(text(refused, AuditField.PEER)).isEqualTo(text(accepted, AuditField.PEER));
    assertThat(text(refused, AuditField.PORT)).isEqualTo("" + port);
    assertThat(audit.of(AuditEvent.CALLBACK_CALL)).isEmpty();
  }

  @Test
  void whoIsLockedOutIsGivenNoPortAndNoCall() throws Exception {
    TargetPolicy policy =
        new TargetPolicy(
            List.of(new TargetGrant(Set.of("*"), List.of("127.0.0.1:*"), SessionBed.READING)),
            List.of(),
            EndpointMapping.DEFAULT,
            Rulebook.OFF,
            new Restraints(
                CallLimits.NONE,
                new LockoutSettings(1, Duration.ofMinutes(10), Duration.ofMinutes(10))));
    bed.policy(policy);
    TestAgent agent = agent();
    InnerJvm jvm = connect(listen(agent));
    policy.lockouts().onRefused(agent.session().context().standing().caller(), "something");

    Listening answer = listen(agent, 2, 0);
    jvm.say(SECRET);

    assertThat(answer.outcome()).isEqualTo(Listening.Outcome.NOT_PERMITTED);
    AuditEntry line = only();
    assertThat(line.outcome()).isEqualTo(AuditOutcome.REFUSED);
    assertThat(text(line, AuditField.RULE)).isEqualTo("locked-out");
    TestAgent bob = agent(BOB);
    assertThat(listen(bob, 1, 0).outcome()).isEqualTo(Listening.Outcome.LISTENING);
  }
}
