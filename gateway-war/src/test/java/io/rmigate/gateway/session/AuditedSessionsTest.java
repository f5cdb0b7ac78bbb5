package io.rmigate.gateway.session;

import static io.rmigate.gateway.audit.RecordedAudit.text;
import static io.rmigate.gateway.session.TestAgent.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.rmigate.gateway.audit.AuditEntry;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditField;
import io.rmigate.gateway.audit.AuditOutcome;
import io.rmigate.gateway.audit.RecordedAudit;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.ClassSettings;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.policy.rule.EntryRules;
import io.rmigate.gateway.policy.rule.LearningLog;
import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.route.RawGrant;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.testing.ClassJar;
import io.rmigate.gateway.testing.LogLines;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Dirty;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Grant;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.Listen;
import io.rmigate.protocol.tunnel.Listening;
import io.rmigate.protocol.tunnel.Lookup;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.RegistryName;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Unbound;
import io.rmigate.protocol.tunnel.Unlisten;
import io.rmigate.protocol.tunnel.Welcome;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Each action of a session, permitted or refused, is one line of the audit without secrets. */
class AuditedSessionsTest {
  private static final int INT_RETURN = 26;
  private static final int VOID_RETURN = 22;

  @RegisterExtension final SessionBed bed = new SessionBed();

  @TempDir Path directory;

  private final RecordedAudit audit = new RecordedAudit();

  @BeforeEach
  void record() {
    bed.audit(audit);
  }

  private AuditEntry only(AuditEvent event) {
    awaitThat(() -> !audit.of(event).isEmpty());
    assertThat(audit.of(event)).hasSize(1);
    return audit.of(event).get(0);
  }

  private static void end(TestAgent agent) {
    agent.session().onTransportClosed();
  }

  @Test
  void everyCallIsOneLineAndEveryRefusalToo() throws Exception {
    LedgerServer server = bed.ledger();
    ScriptedRmiServer trap = bed.scripted(FailurePolicy.NONE);
    bed.policy(
        new TargetGrant(
            Set.of("*"), List.of("127.0.0.1:" + server.port()), Set.of(RegistryOperation.LIST)));
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    for (int i = 0; i < 50; i++) {
      agent.call(1, server.execute("ledger" + i), INT_RETURN);
    }
    agent.open(3, trap.port());
    for (int i = 0; i < 20; i++) {
      agent.request(3, server.tick());
    }
    awaitThat(() -> agent.refusals(3).size() == 20);
    for (int i = 0; i < 10; i++) {
      agent.request(1, Calls.rebind("evil", server.stub()));
    }
    awaitThat(() -> agent.refusals(1).size() == 10);
    end(agent);

    for (int i = 0; i < 50; i++) {
      assertThat(server.executions("ledger" + i)).isEqualTo(1);
    }
    assertThat(audit.of(AuditEvent.CALL, AuditOutcome.RETURNED)).hasSize(50);
    assertThat(audit.of(AuditEvent.CALL, AuditOutcome.REFUSED)).hasSize(20);
    assertThat(audit.of(AuditEvent.REGISTRY, AuditOutcome.REFUSED)).hasSize(10);
    assertThat(audit.of(AuditEvent.CALL)).hasSize(70);
    assertThat(audit.of(AuditEvent.REGISTRY)).hasSize(10);
    assertThat(audit.lines()).doesNotContain("ledger0", "ledger49");
  }

  @Test
  void whoIsRefusedWithoutEndIsInTheAuditEachTimeAndInTheLogSixtyTimesAMinute() throws Exception {
    LedgerServer server = bed.ledger();
    bed.policy(
        new TargetGrant(
            Set.of("*"), List.of("127.0.0.1:" + server.port()), Set.of(RegistryOperation.LIST)));
    List<TestAgent> both = List.of(bed.agent(), bed.agent());
    TestAgent bob = bed.stranger(new Principal("bob", Principal.Scheme.BASIC));
    bob.hello();
    bob.awaitWelcome();
    try (LogLines log = new LogLines("io.rmigate.gateway")) {
      for (TestAgent ann : both) {
        ann.open(1, server.port());
        ann.open(3, "127.0.0.2", 9);
        for (int i = 0; i < 100; i++) {
          ann.request(1, Calls.rebind("evil", server.stub()));
          ann.request(3, server.tick());
        }
        awaitThat(() -> ann.refusals(1).size() + ann.refusals(3).size() == 200);
      }
      assertThat(log.warnings()).hasSize(60);
      bob.open(1, "127.0.0.2", 9);
      bob.request(1, server.tick());
      awaitThat(() -> bob.refusals(1).size() == 1);
      assertThat(log.warnings()).hasSize(61);
    }
    assertThat(audit.of(AuditEvent.REGISTRY, AuditOutcome.REFUSED)).hasSize(200);
    assertThat(audit.of(AuditEvent.CALL, AuditOutcome.REFUSED)).hasSize(201);
  }

  @Test
  void aCallSaysWhoAndWhatAndHowMuchAndNothingOfItsArguments() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    byte[] call = server.execute("the secret argument");
    agent.call(1, call, INT_RETURN);
    agent.close(1);
    agent.awaitClose(1);

    AuditEntry entry = only(AuditEvent.CALL);
    assertThat(entry.toString()).isNotBlank();
    assertThat(text(entry, AuditField.PRINCIPAL)).isEqualTo("ann");
    assertThat(text(entry, AuditField.SCHEME)).isEqualTo("basic");
    assertThat(text(entry, AuditField.PEER)).isEqualTo(agent.port().peer());
    assertThat(text(entry, AuditField.SESSION)).isEqualTo(agent.session().id());
    assertThat(text(entry, AuditField.TARGET)).isEqualTo("127.0.0.1:" + server.port());
    assertThat(text(entry, AuditField.OBJECT)).isEqualTo(server.object().toString());
    assertThat(text(entry, AuditField.VERDICT)).isEqualTo("allowed");
    assertThat(text(entry, AuditField.REQUEST_BYTES)).isEqualTo("" + call.length);
    assertThat(text(entry, AuditField.ANSWER_BYTES)).isEqualTo("" + INT_RETURN);
    assertThat(Long.parseLong(text(entry, AuditField.MICROS))).isPositive();
    assertThat(audit.lines())
        .contains("\"methodHash\":\"")
        .contains("\"outcome\":\"returned\"")
        .doesNotContain("the secret argument");
  }

  private void enforce(EntryRules calls, Class<?>... classes) throws IOException {
    ClassSettings settings =
        new ClassSettings(
            ClassMode.ENFORCE,
            List.of(),
            List.of(),
            Optional.of(ClassJar.in(directory, classes)),
            ClassSettings.CALL_LIMIT);
    bed.policy(
        Rulebook.of(settings, LearningLog.NOTHING),
        new TargetGrant(Set.of("*"), List.of("127.0.0.1:*"), SessionBed.READING, calls));
  }

  @Test
  void aRefusalSaysWhichClassOrEndpointItIsAbout() throws Exception {
    LedgerServer server = bed.ledger();
    LedgerServer foreign = bed.ledger();
    enforce(Entry.ANY_OBJECT, Ledger.class);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.request(1, server.take(out -> out.writeObject(new GatedCallsTest.Order())));
    agent.awaitRefused(1, 0);
    agent.request(1, server.take(out -> out.writeObject(foreign.stub())));
    agent.awaitRefused(1, 1);

    List<AuditEntry> refused = audit.of(AuditEvent.CALL, AuditOutcome.REFUSED);
    assertThat(refused).hasSize(2);
    assertThat(text(refused.get(0), AuditField.CLASS))
        .isEqualTo(GatedCallsTest.Order.class.getName());
    assertThat(text(refused.get(0), AuditField.ENDPOINT)).isEmpty();
    assertThat(text(refused.get(1), AuditField.CLASS)).isEmpty();
    assertThat(text(refused.get(1), AuditField.ENDPOINT)).endsWith(":" + foreign.port());
  }

  /** One that has a method of the other's. */
  interface Ticking extends Remote {
    void tick() throws RemoteException;
  }

  @Test
  void methodsHaveTheNamesThatTheJarsKnow() throws Exception {
    LedgerServer server = bed.ledger();
    enforce(Entry.ANY_OBJECT, Ledger.class, Ticking.class);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.call(1, server.execute("x"), INT_RETURN);
    agent.call(1, server.tick(), VOID_RETURN);
    agent.request(1, Calls.method(server.object(), "tock()V", out -> {}));
    agent.awaitRefused(1, 0);
    end(agent);

    assertThat(audit.of(AuditEvent.CALL))
        .extracting(entry -> text(entry, AuditField.METHOD))
        .containsExactlyInAnyOrder( // a refusal is written at once, a call when it is over
            Ledger.class.getName() + ".execute(java.lang.String)", "tick()", "");
    assertThat(audit.of(AuditEvent.CALL))
        .extracting(entry -> text(entry, AuditField.METHOD_HASH))
        .doesNotContain("");
  }

  @Test
  void noTokenOfASessionIsInIt() throws Exception {
    TestAgent agent = bed.stranger();
    agent.helloToStay();
    byte[] token = secretOf(agent.welcome().session());
    end(agent);
    TestAgent again = bed.stranger();
    again.resume(agent.welcome().session(), agent.port().received());
    again.welcome();

    assertThat(audit.of(AuditEvent.SESSION)).hasSize(2);
    assertThat(audit.of(AuditEvent.SESSION, AuditOutcome.RESUMED)).hasSize(1);
    assertThat(audit.lines())
        .doesNotContainIgnoringCase(HexFormat.of().formatHex(token))
        .doesNotContain(Base64.getEncoder().withoutPadding().encodeToString(token))
        .doesNotContain(Base64.getUrlEncoder().withoutPadding().encodeToString(token))
        .doesNotContain(Arrays.toString(token));
  }

  /** What no public method of it shows. */
  private static byte[] secretOf(SessionToken token) throws ReflectiveOperationException {
    Field secret = SessionToken.class.getDeclaredField("secret");
    secret.setAccessible(true);
    byte[] bytes = (byte[]) secret.get(token);
    assertThat(bytes).hasSize(SessionToken.BYTES);
    return bytes;
  }

  @Test
  void aSessionThatIsAskedForBySomebodyElseIsARefusal() {
    TestAgent agent = bed.stranger();
    agent.helloToStay();
    SessionToken token = agent.welcome().session();
    end(agent);
    TestAgent other = bed.stranger(new Principal("bob", Principal.Scheme.BASIC));
    other.resume(token, agent.port().received());
    other.awaitGoodbye();

    AuditEntry refused = audit.of(AuditEvent.SESSION, AuditOutcome.REFUSED).get(0);
    assertThat(text(refused, AuditField.PRINCIPAL)).isEqualTo("bob");
    assertThat(text(refused, AuditField.CAUSE)).isEqualTo("UNKNOWN_SESSION");
  }

  @Test
  void theLineOfACallIsWrittenWithoutWaitingForTheNext() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.call(1, server.tick(), VOID_RETURN);

    assertThat(only(AuditEvent.CALL).outcome()).isEqualTo(AuditOutcome.RETURNED);
  }

  @Test
  void anExceptionOfTheServerIsNotAValue() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.request(1, Calls.lookup("a name without a binding"));

    AuditEntry entry = only(AuditEvent.REGISTRY);
    assertThat(entry.outcome()).isEqualTo(AuditOutcome.THREW);
    assertThat(text(entry, AuditField.METHOD)).isEqualTo("lookup");
    assertThat(text(entry, AuditField.NAME)).isEqualTo("a name without a binding");
  }

  @Test
  void aServerThatClosesMayHaveExecutedIt() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.CLOSE_AFTER_CALL);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.request(1, Calls.list());
    agent.awaitReturnEnd(1);

    assertThat(only(AuditEvent.REGISTRY).outcome()).isEqualTo(AuditOutcome.SERVER_CLOSED);
  }

  @Test
  void aServerThatSpeaksNoJrmpHasNotSeenIt() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.HTTP);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.request(1, Calls.list());
    agent.expectRefused(1, 1, RefusalReason.NOT_JRMP);

    AuditEntry entry = only(AuditEvent.REGISTRY);
    assertThat(entry.outcome()).isEqualTo(AuditOutcome.NOT_CONNECTED);
    assertThat(text(entry, AuditField.REASON)).startsWith("NOT_JRMP");
  }

  @Test
  void aClientThatGoesAwayDoesNotHideItsCall() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.request(1, server.await());
    awaitThat(() -> server.waiting() == 1);
    end(agent);

    assertThat(only(AuditEvent.CALL).outcome()).isEqualTo(AuditOutcome.ABANDONED);
    server.openGate();
  }

  @Test
  void whatIsNoMessageIsARefusalWithItsReason() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.request(1, Calls.join(server.tick(), server.tick()));
    agent.expectClose(1, CloseCause.BAD_REQUEST);

    AuditEntry entry = only(AuditEvent.CALL);
    assertThat(text(entry, AuditField.RULE)).isEqualTo("bad-request");
    assertThat(text(entry, AuditField.REASON)).contains("behind its end");
    assertThat(server.ticks()).isZero();
  }

  @Test
  void aLongCallIsOneLineWithItsWholeSize() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    byte[] call = server.take(out -> out.writeObject("x".repeat(100 * 1024)));
    agent.call(1, call, VOID_RETURN);
    agent.close(1);
    agent.awaitClose(1);

    assertThat(text(only(AuditEvent.CALL), AuditField.REQUEST_BYTES)).isEqualTo("" + call.length);
  }

  /** SECURITY.md: why is in the log, whether there is an audit or not. */
  @Test
  void whyALookupIsRefusedIsInTheLogWithWhatWouldAllowIt() throws Exception {
    LedgerServer server = bed.ledger();
    String here = "127.0.0.1:" + server.port();
    bed.policy(
        new TargetGrant(
            Set.of("*"),
            List.of(here),
            SessionBed.READING,
            Entry.enforced().names("led*").rules()));
    TestAgent agent = bed.stranger();
    agent.hello(Feature.LOOKUPS);
    try (LogLines log = new LogLines(SessionLookups.class)) {
      agent.say(
          new Lookup(1, true, new RegistryName(new EndpointId("127.0.0.1", server.port()), "x")));
      agent.say(new Lookup(2, true, new RegistryName(new EndpointId("10.9.8.7", 1099), "y")));
      awaitThat(
          () -> agent.port().frames().stream().filter(Unbound.class::isInstance).count() == 2);
      bed.grant(Set.of());
      agent.say(
          new Lookup(3, true, new RegistryName(new EndpointId("127.0.0.1", server.port()), "z")));
      awaitThat(
          () -> agent.port().frames().stream().filter(Unbound.class::isInstance).count() == 3);
      assertThat(log.warnings()).hasSize(3);
      assertThat(log.warnings().get(0))
          .startsWith(here + ": lookup of \"x\" of principal ann")
          .contains("to allow it add it to names in a targets entry");
      assertThat(log.warnings().get(1))
          .startsWith("10.9.8.7:1099: lookup of \"y\" of principal ann")
          .contains("to allow it add \"allow: ['10.9.8.7:1099']\" in a targets entry");
      assertThat(log.warnings().get(2))
          .startsWith(here + ": lookup of \"z\" of principal ann")
          .contains("to allow it add \"registry: [lookup]\" in a targets entry");
    }
  }

  @Test
  void lookupsThatTheGatewayMakesForAnAgentAreLinesToo() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.stranger();
    agent.hello(Feature.LOOKUPS);
    RegistryName name = new RegistryName(new EndpointId("127.0.0.1", server.port()), "ledger");
    RegistryName elsewhere = new RegistryName(new EndpointId("10.9.8.7", 1099), "ledger");
    agent.say(new Lookup(1, true, name));
    agent.say(new Lookup(2, true, elsewhere));
    awaitThat(() -> agent.port().frames().stream().anyMatch(Unbound.class::isInstance));

    assertThat(audit.of(AuditEvent.REGISTRY)).hasSize(2);
    assertThat(
            text(audit.of(AuditEvent.REGISTRY, AuditOutcome.PERMITTED).get(0), AuditField.TARGET))
        .isEqualTo("127.0.0.1:" + server.port());
    AuditEntry refused = audit.of(AuditEvent.REGISTRY, AuditOutcome.REFUSED).get(0);
    assertThat(text(refused, AuditField.TARGET)).isEqualTo("10.9.8.7:1099");
    assertThat(text(refused, AuditField.RULE)).isEqualTo("target");
  }

  @Test
  void aLookupIsRefusedByTheSameRuleWhoeverMakesIt() throws Exception {
    LedgerServer server = bed.ledger();
    bed.policy(
        new TargetGrant(
            Set.of("*"),
            List.of("127.0.0.1:" + server.port()),
            SessionBed.READING,
            Entry.enforced().names("led*").rules()));
    TestAgent agent = preloading("127.0.0.1:" + server.port() + "/Secret");
    lookUp(agent, server, 1);
    bed.grant(Set.of());
    lookUp(agent, server, 2);

    assertThat(audit.of(AuditEvent.REGISTRY, AuditOutcome.REFUSED))
        .extracting(entry -> text(entry, AuditField.RULE))
        .containsExactly(
            "registry-name", // as a preload
            "registry-name",
            "registry-name",
            "registry-operation",
            "registry-operation");
    assertThat(bed.refused("registry-name")).isEqualTo(2);
    assertThat(bed.refused("registry-operation")).isEqualTo(2);
  }

  /** As a frame, and as a call. */
  private static void lookUp(TestAgent agent, LedgerServer server, int time) {
    EndpointId registry = new EndpointId("127.0.0.1", server.port());
    agent.say(new Lookup(time, true, new RegistryName(registry, "Secret")));
    awaitThat(() -> agent.port().frames(Unbound.class).size() == time);
    int stream = 2 * time - 1;
    agent.open(stream, server.port());
    agent.request(stream, Calls.lookup("Secret"));
    agent.expectRefused(stream, 1, RefusalReason.OPERATION_NOT_PERMITTED);
  }

  private TestAgent preloading(String names) {
    TestAgent agent = bed.stranger();
    agent.say(
        new Hello(
            Tunnel.VERSION,
            Tunnel.VERSION,
            Set.of(Feature.LOOKUPS),
            SessionToken.NONE,
            0,
            TestAgent.CREDIT,
            List.of(Welcome.IDENTITY),
            Map.of(Hello.PRELOAD, names)));
    agent.awaitWelcome();
    return agent;
  }

  @Test
  void whatAPreloadLooksUpIsALineForEachName() throws Exception {
    LedgerServer server = bed.ledger();
    preloading("127.0.0.1:" + server.port() + "/ledger|10.9.8.7:1099/ledger");

    AuditEntry told = audit.of(AuditEvent.REGISTRY, AuditOutcome.PERMITTED).get(0);
    assertThat(text(told, AuditField.TARGET)).isEqualTo("127.0.0.1:" + server.port());
    assertThat(text(told, AuditField.NAME)).isEqualTo("ledger");
    AuditEntry refused = audit.of(AuditEvent.REGISTRY, AuditOutcome.REFUSED).get(0);
    assertThat(text(refused, AuditField.TARGET)).isEqualTo("10.9.8.7:1099");
    assertThat(text(refused, AuditField.RULE)).isEqualTo("target");
    assertThat(audit.of(AuditEvent.REGISTRY)).hasSize(2);
  }

  @Test
  void leasesThatAreRefusedAreALineForEachEndpoint() throws Exception {
    TestAgent agent = bed.stranger();
    agent.hello(Feature.LEASES);
    EndpointId elsewhere = new EndpointId("10.9.8.7", 1099);
    for (int i = 0; i < 3; i++) {
      agent.say(new Dirty(0, elsewhere, List.of(new ObjIdentifier(7 + i, 1, 2, (short) 3))));
    }
    agent.say(
        new Dirty(
            0, new EndpointId("10.9.8.8", 1), List.of(new ObjIdentifier(7, 1, 2, (short) 3))));

    assertThat(audit.of(AuditEvent.LEASE, AuditOutcome.REFUSED))
        .extracting(entry -> text(entry, AuditField.TARGET), entry -> text(entry, AuditField.RULE))
        .containsExactly(
            tuple("10.9.8.7:1099", "lease-target"), tuple("10.9.8.8:1", "lease-target"));
  }

  @Test
  void aGrantThatCountsForNothingIsALine() throws Exception {
    TestAgent agent = bed.stranger();
    agent.hello(Feature.GRANTS);
    Grant forged =
        new Grant(
            new EndpointId("10.9.8.7", 1099),
            List.of(new ObjIdentifier(7, 1, 2, (short) 3)),
            new byte[60]);
    agent.say(forged, forged);

    AuditEntry refused = only(AuditEvent.GRANT);
    assertThat(text(refused, AuditField.TARGET)).isEqualTo("10.9.8.7:1099");
    assertThat(text(refused, AuditField.RULE)).startsWith("grant-");
  }

  @Test
  void aRawStreamIsOneLine() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    bed.raw(new RawGrant(Set.of("*"), List.of("127.0.0.1:" + server.port()), true));
    TestAgent agent = bed.stranger();
    agent.helloRaw(TestAgent.CREDIT);
    agent.openRaw(1, server.port());
    agent.awaitConnected(1);
    agent.part(1, HexFormat.of().parseHex("4a524d4900024b"));
    agent.awaitClose(1);
    agent.openRaw(3, 1);
    agent.awaitClose(3);

    assertThat(audit.of(AuditEvent.RAW))
        .extracting(entry -> text(entry, AuditField.RULE))
        .containsExactly("raw-beginning", "raw-target");
  }

  @Test
  void portsForCallbacksAreGivenAndGivenBackInTheOpen() throws Exception {
    TestAgent agent = bed.stranger();
    agent.say(
        CallbackSides.greeting(Set.of(Feature.CALLBACKS), SessionToken.NONE, TestAgent.CREDIT));
    int port = CallbackSides.listen(agent);
    agent.say(new Unlisten(1));
    bed.callbacks(Optional.empty());
    agent.say(new Listen(2, 0));
    awaitThat(() -> !CallbackSides.answers(agent, 2).isEmpty());

    assertThat(CallbackSides.answers(agent, 2).get(0).outcome())
        .isEqualTo(Listening.Outcome.NOT_PERMITTED);
    assertThat(audit.of(AuditEvent.CALLBACK_PORT))
        .extracting(AuditEntry::outcome)
        .containsExactly(AuditOutcome.OPENED, AuditOutcome.ENDED, AuditOutcome.REFUSED);
    assertThat(text(audit.of(AuditEvent.CALLBACK_PORT).get(0), AuditField.PORT))
        .isEqualTo("" + port);
  }

  @Test
  void whileTheAuditIsFullNothingNewIsLetThrough() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.call(1, server.tick(), VOID_RETURN);
    audit.full(true);
    agent.request(1, server.tick());
    agent.expectRefused(1, 2, RefusalReason.CONNECT_FAILED);
    audit.full(false);
    agent.request(1, server.tick());
    awaitThat(() -> server.ticks() == 2);

    assertThat(audit.of(AuditEvent.CALL, AuditOutcome.REFUSED))
        .extracting(entry -> text(entry, AuditField.RULE))
        .containsExactly("audit-full");
  }

  @Test
  void aSessionIsOpenedAndEndedWithItsCause() {
    TestAgent agent = bed.agent();
    end(agent);

    assertThat(audit.of(AuditEvent.SESSION))
        .extracting(AuditEntry::outcome)
        .containsExactly(AuditOutcome.OPENED, AuditOutcome.ENDED);
    assertThat(text(audit.of(AuditEvent.SESSION).get(1), AuditField.CAUSE)).isEqualTo("LINK_LOST");
  }

  @Test
  void aLinkThatWasNotTakenIsNoRefusal() {
    end(bed.stranger());

    assertThat(audit.of(AuditEvent.SESSION)).isEmpty();
  }

  @Test
  void withoutAnAuditNothingIsKept() throws Exception {
    RecordedAudit nothing = new RecordedAudit(Set.of());
    bed.audit(nothing);
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.call(1, server.tick(), VOID_RETURN);
    agent.request(1, Calls.rebind("evil", server.stub()));
    agent.expectRefused(1, 2, RefusalReason.OPERATION_NOT_PERMITTED);

    assertThat(nothing.lines()).isEmpty();
  }
}
