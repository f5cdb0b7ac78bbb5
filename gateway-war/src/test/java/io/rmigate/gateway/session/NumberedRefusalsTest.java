package io.rmigate.gateway.session;

import static io.rmigate.gateway.audit.RecordedAudit.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.audit.AuditEntry;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditField;
import io.rmigate.gateway.audit.RecordedAudit;
import io.rmigate.gateway.limit.CallLimits;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.testing.LogLines;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Dirty;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Listen;
import io.rmigate.protocol.tunnel.Lookup;
import io.rmigate.protocol.tunnel.RegistryName;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Unbound;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One number is in the client's exception, in the line of the log, and in the audit. */
class NumberedRefusalsTest {
  private static final Pattern NUMBER = Pattern.compile("\\[refusal ([2-9A-HJ-NP-Z]{6})\\]");
  private static final String ORDER = GatedCallsTest.Order.class.getName();

  @RegisterExtension final SessionBed bed = new SessionBed();
  private final RecordedAudit audit = new RecordedAudit();
  private ScriptedRmiServer server;

  @BeforeEach
  void start() throws Exception {
    bed.audit(audit);
    server = bed.scripted(FailurePolicy.NONE);
  }

  private void policy(boolean explain) {
    bed.policy(
        new TargetGrant(
            Set.of("*"),
            List.of("127.0.0.1:" + server.port()),
            SessionBed.READING,
            Entry.enforced().rules(),
            CallLimits.NONE,
            explain));
  }

  private static byte[] call(Object argument) {
    return Calls.method(
        new ObjIdentifier(7, 1, 2, (short) 3), "take()V", out -> out.writeObject(argument));
  }

  private static String number(String told) {
    Matcher number = NUMBER.matcher(told);
    assertThat(number.find()).as(told).isTrue();
    return number.group(1);
  }

  private void assertIsInLogAndAudit(String number, AuditEvent event, LogLines log, TestAgent by) {
    TestAgent.awaitThat(
        () -> audit.of(event).stream().anyMatch(e -> number.equals(text(e, AuditField.REFUSAL))));
    assertThat(log.warnings())
        .filteredOn(line -> line.contains("refusal " + number))
        .singleElement()
        .asString()
        .contains(" of principal ann refused: ")
        .contains("session " + by.session().id() + " from ");
  }

  private String refused(TestAgent agent, int stream, byte[] request) {
    int before = agent.refusals(stream).size();
    agent.request(stream, request);
    TestAgent.awaitThat(() -> agent.refusals(stream).size() > before);
    return agent.refusals(stream).get(before).text();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCallThatCarriesWhatIsNotAllowed(boolean explain) throws Exception {
    policy(explain);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    try (LogLines log = new LogLines("io.rmigate.gateway.stream")) {
      String told = refused(agent, 1, call(new GatedCallsTest.Order()));
      assertIsInLogAndAudit(number(told), AuditEvent.CALL, log, agent);
      if (explain) {
        assertThat(told).contains(ORDER, "classes.interfaces");
      } else {
        assertThat(told).endsWith("]").doesNotContain(ORDER);
      }
    }
    AuditEntry entry = audit.of(AuditEvent.CALL).get(0);
    assertThat(text(entry, AuditField.REMEDY)).contains("classes.interfaces");
    assertThat(text(entry, AuditField.REASON)).contains(ORDER);
  }

  @Test
  void thePlaceInTheMessageIsInTheLineInTheAuditAndForTheClientThatIsToldWhy() throws Exception {
    policy(true);
    server.answer(Calls.returned(List.of("x", new GatedCallsTest.Order())));
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    try (LogLines log = new LogLines("io.rmigate.gateway.stream")) {
      String told = refused(agent, 1, call(new Object[] {"x", new GatedCallsTest.Order()}));
      assertThat(told).contains(" in argument 1: Object[][1]; ");
      assertThat(log.warnings()).anyMatch(line -> line.contains(" in argument 1: Object[][1]; "));
      agent.request(1, call("x"));
      agent.expectClose(1, CloseCause.NOT_PERMITTED);
      assertThat(log.warnings()).anyMatch(line -> line.contains(" in result: CollSer[1]; "));
    }
    TestAgent.awaitThat(() -> audit.of(AuditEvent.CALL).size() == 2);
    assertThat(audit.of(AuditEvent.CALL))
        .extracting(entry -> text(entry, AuditField.PLACE))
        .containsExactly("argument 1: Object[][1]", "result: CollSer[1]");
  }

  /** The beginning has passed and has a line of its own in the audit: that is ended, too. */
  @Test
  void aLongCallOfWhichALaterPartIsRefused() throws Exception {
    bed.policy(
        new TargetGrant(
            Set.of("*"),
            List.of("127.0.0.1:" + server.port()),
            SessionBed.READING,
            Entry.enforced().callLimit(1000).stream(true).rules()));
    TestAgent agent = bed.stranger();
    agent.hello(Feature.REASONS);
    agent.awaitWelcome();
    agent.open(1, server.port());
    byte[] call =
        Calls.method(
            new ObjIdentifier(7, 1, 2, (short) 3),
            "take()V",
            out -> {
              out.writeObject(new byte[200_000]);
              out.writeObject(new GatedCallsTest.Order());
            });
    try (LogLines log = new LogLines("io.rmigate.gateway.stream")) {
      agent.request(1, call);
      String told = agent.awaitClose(1).text();
      assertIsInLogAndAudit(number(told), AuditEvent.CALL, log, agent);
      assertThat(log.warnings()).anyMatch(line -> line.contains(": call of method "));
    }
    assertThat(audit.of(AuditEvent.CALL))
        .singleElement()
        .satisfies(
            entry -> {
              assertThat(text(entry, AuditField.METHOD_HASH)).isNotEmpty();
              assertThat(text(entry, AuditField.VERDICT)).isEqualTo("refused");
              assertThat(text(entry, AuditField.CLASS)).isEqualTo(ORDER);
              assertThat(text(entry, AuditField.PLACE)).isEqualTo("object 2");
            });
  }

  @Test
  void whatIsRefusedWithoutBeingLookedInto() throws Exception {
    policy(false);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.open(3, "far.example", 1);
    try (LogLines log = new LogLines("io.rmigate.gateway.stream")) {
      String rebind = refused(agent, 1, Calls.rebind("evil", null));
      assertIsInLogAndAudit(number(rebind), AuditEvent.REGISTRY, log, agent);
      String target = refused(agent, 3, call("x"));
      assertThat(target).contains("far.example:1 is not permitted");
      assertIsInLogAndAudit(number(target), AuditEvent.CALL, log, agent);
      assertThat(number(target)).isNotEqualTo(number(rebind));
    }
  }

  @Test
  void aResultThatIsRefused() throws Exception {
    policy(false);
    server.answer(Calls.returned(new GatedCallsTest.Order()));
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    try (LogLines log = new LogLines("io.rmigate.gateway.stream")) {
      agent.request(1, call("x"));
      agent.expectClose(1, CloseCause.NOT_PERMITTED);
      String told = Calls.thrownIn(agent.port().data(1)).getMessage();
      assertThat(told).contains("the call was executed; the result was refused");
      assertIsInLogAndAudit(number(told), AuditEvent.CALL, log, agent);
      assertThat(log.warnings()).anyMatch(line -> line.contains("the reply to a call of "));
    }
  }

  @Test
  void aPortForCallbacksAndALease() throws Exception {
    policy(false);
    TestAgent agent = bed.stranger();
    agent.say(
        CallbackSides.greeting(
            Set.of(Feature.CALLBACKS, Feature.LEASES), SessionToken.NONE, TestAgent.CREDIT));
    try (LogLines log = new LogLines("io.rmigate.gateway.session")) {
      agent.say(
          new Dirty(
              0, new EndpointId("10.9.8.7", 1099), List.of(new ObjIdentifier(7, 1, 2, (short) 3))));
      TestAgent.awaitThat(() -> !audit.of(AuditEvent.LEASE).isEmpty());
      AuditEntry lease = audit.of(AuditEvent.LEASE).get(0);
      assertIsInLogAndAudit(text(lease, AuditField.REFUSAL), AuditEvent.LEASE, log, agent);
      assertThat(text(lease, AuditField.REMEDY)).contains("allow: ['10.9.8.7:1099']");
    }
    try (LogLines log = new LogLines("io.rmigate.gateway.callback")) {
      bed.callbacks(Optional.empty());
      agent.say(new Listen(1, 0));
      TestAgent.awaitThat(() -> !CallbackSides.answers(agent, 1).isEmpty());
      String told = CallbackSides.answers(agent, 1).get(0).text();
      assertIsInLogAndAudit(number(told), AuditEvent.CALLBACK_PORT, log, agent);
      assertThat(text(audit.of(AuditEvent.CALLBACK_PORT).get(0), AuditField.REMEDY))
          .contains("callbacks.allow");
    }
  }

  @Test
  void aLookupThatTheGatewayAnswers() throws Exception {
    policy(false);
    TestAgent agent = bed.stranger();
    agent.hello(Feature.LOOKUPS);
    agent.awaitWelcome();
    try (LogLines log = new LogLines("io.rmigate.gateway.session")) {
      agent.say(new Lookup(1, false, new RegistryName(new EndpointId("far.example", 1), "ledger")));
      TestAgent.awaitThat(() -> !agent.port().frames(Unbound.class).isEmpty());
      String told = agent.port().frames(Unbound.class).get(0).text();
      assertIsInLogAndAudit(number(told), AuditEvent.REGISTRY, log, agent);
    }
  }
}
