package io.rmigate.gateway.session;

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
import io.rmigate.gateway.policy.rule.EntryRules;
import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.route.EndpointMapping;
import io.rmigate.gateway.route.Restraints;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.Deadline;
import java.io.Serializable;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A call that fails several checks is refused by the first of them: {@code GateCheck}. */
class RefusalOrderTest {
  private static final ObjIdentifier UNKNOWN = new ObjIdentifier(7, 1, 2, (short) 3);
  private static final byte[] PLAIN = Calls.method(UNKNOWN, "m()V", out -> {});
  private static final int CALL_LIMIT = 4096;

  /** A class that no jar explains. */
  private static final class Unknown implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  /** A call that carries an object of that class. */
  private static final byte[] CARRYING =
      Calls.method(UNKNOWN, "m(Ljava/lang/Object;)V", out -> out.writeObject(new Unknown()));

  @RegisterExtension final SessionBed bed = new SessionBed();

  private final RecordedAudit audit = new RecordedAudit();
  private ScriptedRmiServer server;

  @BeforeEach
  void audited() throws Exception {
    bed.audit(audit);
    server = bed.scripted(FailurePolicy.NEVER_ANSWER);
  }

  private void policy(EntryRules rules, CallLimits limits) {
    bed.policy(
        new TargetPolicy(
            List.of(
                new TargetGrant(
                    Set.of("*"),
                    List.of("127.0.0.1:" + server.port()),
                    SessionBed.READING,
                    rules,
                    limits)),
            List.of(),
            EndpointMapping.DEFAULT,
            Rulebook.OFF,
            new Restraints(
                CallLimits.NONE,
                new LockoutSettings(50, Duration.ofMinutes(10), Duration.ofMinutes(10)))));
  }

  private List<AuditEntry> refused(AuditEvent event) {
    return audit.of(event, AuditOutcome.REFUSED);
  }

  /** The rule by which a request is refused. */
  private String refusal(TestAgent agent, int stream, AuditEvent event, byte[] request) {
    int before = refused(event).size();
    agent.request(stream, request);
    awaitThat(() -> refused(event).size() > before);
    return RecordedAudit.text(refused(event).get(before), AuditField.RULE);
  }

  private String refusedCall(TestAgent agent, int stream, byte[] call) {
    return refusal(agent, stream, AuditEvent.CALL, call);
  }

  private String refusedLookup(TestAgent agent, int stream, String name) {
    return refusal(agent, stream, AuditEvent.REGISTRY, Calls.lookup(name));
  }

  private static byte[] endedTwice(byte[] call) {
    return Arrays.copyOf(call, call.length + 1);
  }

  @Test
  void loginAuditLockoutDeadlineRoute() {
    policy(EntryRules.NONE, CallLimits.NONE);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.request(1, PLAIN); // keeps the session when its login has expired
    awaitThat(() -> server.received().length > 0);
    agent.open(3, "10.9.8.7", 1099);

    assertThat(refusedCall(agent, 3, PLAIN)).isEqualTo("target");
    agent.say(new Deadline(3, 2, Duration.ZERO));
    assertThat(refusedCall(agent, 3, PLAIN)).isEqualTo("deadline");
    for (int i = 0; i < 50; i++) {
      agent
          .session()
          .context()
          .standing()
          .policy()
          .lockouts()
          .onRefused(agent.session().context().standing().caller(), "" + i);
    }
    agent.say(new Deadline(3, 3, Duration.ZERO));
    assertThat(refusedCall(agent, 3, PLAIN)).isEqualTo("locked-out");
    audit.full(true);
    assertThat(refusedCall(agent, 3, PLAIN)).isEqualTo("audit-full");
    bed.registry().checkLogins(any -> false);
    agent.session().tick(System.nanoTime());
    assertThat(refusedCall(agent, 3, PLAIN)).isEqualTo("login-expired");
  }

  @Test
  void routeFormObjectContentsTurnNameLimit() {
    policy(
        Entry.enforced()
            .classes("java.util.Date")
            .names("known")
            .callLimit(CALL_LIMIT)
            .receivedObjects(true)
            .rules(),
        CallLimits.NONE);
    TestAgent agent = bed.agent();
    agent.open(1, "10.9.8.7", 1099);
    assertThat(refusedCall(agent, 1, endedTwice(PLAIN))).isEqualTo("target");
    agent.open(3, server.port());
    assertThat(refusedCall(agent, 3, Arrays.copyOf(CARRYING, CALL_LIMIT + 1)))
        .isEqualTo("unreadable");
    assertThat(refusedCall(agent, 3, CARRYING)).isEqualTo("object");
    assertThat(refusedCall(agent, 3, endedTwice(CARRYING))).isEqualTo("bad-request");

    policy(
        Entry.enforced().classes("java.util.Date").names("known").rules(),
        new CallLimits(
            OptionalInt.empty(), OptionalInt.empty(), OptionalInt.of(1), OptionalInt.empty()));
    agent.open(5, server.port());
    agent.request(5, PLAIN);
    awaitThat(() -> server.received().length > 0);
    assertThat(refusedCall(agent, 5, CARRYING)).isEqualTo("class-shape");
    agent.open(7, server.port());
    assertThat(refusedLookup(agent, 7, "unknown")).isEqualTo("registry-name");
    assertThat(refusedLookup(agent, 7, "known")).isEqualTo("limit-in-progress");
    assertThat(refusedLookup(agent, 5, "unknown")).isEqualTo("bad-request");
  }
}
