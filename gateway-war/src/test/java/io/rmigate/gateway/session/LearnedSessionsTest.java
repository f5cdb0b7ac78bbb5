package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.config.GatewayConfig;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.ClassSettings;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.policy.rule.EntryRules;
import io.rmigate.gateway.policy.rule.LearnedNotes;
import io.rmigate.gateway.policy.rule.LearningLog;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.session.GatedCallsTest.ResolvedOrder;
import io.rmigate.gateway.testing.ClassJar;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.tunnel.Bound;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Lookup;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.RegistryName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What each principal does while a gateway learns is what each may do by the rules learnt. */
class LearnedSessionsTest {
  private static final Principal BOB = new Principal("bob", Principal.Scheme.BASIC);
  private static final int VOID_RETURN = 22;
  private static final int INT_RETURN = 26;

  @RegisterExtension final SessionBed bed = new SessionBed();
  @TempDir Path directory;

  private LedgerServer one;
  private LedgerServer other;

  @BeforeEach
  void startServers() throws Exception {
    one = bed.ledger();
    other = bed.ledger();
    one.rebind("far", other.stub());
  }

  private TestAgent agent(Principal principal) {
    TestAgent agent = bed.stranger(principal);
    agent.hello();
    agent.awaitWelcome();
    return agent;
  }

  private static void lookUp(TestAgent agent, int stream, String name) {
    long before = agent.port().dataBytes(stream);
    agent.request(stream, Calls.lookup(name));
    TestAgent.awaitThat(() -> agent.port().dataBytes(stream) > before + VOID_RETURN);
  }

  private static void expectRefused(TestAgent agent, int stream, byte[]... calls) {
    for (int i = 0; i < calls.length; i++) {
      agent.request(stream, calls[i]);
      assertThat(agent.awaitRefused(stream, i).reason())
          .isEqualTo(RefusalReason.OPERATION_NOT_PERMITTED);
    }
  }

  /** Lets everything pass while {@code traffic} does, and has what was learnt enforced. */
  private String learn(Optional<Path> jars, EntryRules entry, Runnable traffic) throws Exception {
    return learn(
        jars,
        List.of(new TargetGrant(Set.of("*"), List.of("127.0.0.1:*"), SessionBed.ALL, entry)),
        traffic);
  }

  /**
   * Lets everything of these entries pass while {@code traffic} does, and has what was learnt
   * enforced.
   */
  private String learn(Optional<Path> jars, List<TargetGrant> entries, Runnable traffic)
      throws Exception {
    ClassSettings settings =
        new ClassSettings(ClassMode.LEARN, List.of(), List.of(), jars, ClassSettings.CALL_LIMIT);
    String rules;
    try (LearnedNotes notes = new LearnedNotes(directory.resolve("state"))) {
      Rulebook rulebook = Rulebook.of(settings, notes);
      bed.policy(rulebook, entries.toArray(TargetGrant[]::new));
      traffic.run();
      rules = rulebook.learnedRules(notes.notes());
    }
    Path file = directory.resolve("rmigate.yaml");
    Files.writeString(file, "logins:\n  anonymous: true\n" + rules);
    GatewayConfig loaded = GatewayConfig.load(file, Map.of());
    bed.policy(
        Rulebook.of(loaded.policy().classes(), LearningLog.NOTHING),
        loaded.policy().targets().toArray(TargetGrant[]::new));
    return rules;
  }

  private void doAsAnn() {
    TestAgent ann = agent(SessionBed.ANN);
    ann.open(1, one.port());
    lookUp(ann, 1, "far");
    ann.call(1, one.tick(), VOID_RETURN);
    ann.open(3, other.port());
    ann.call(3, other.take(out -> out.writeObject(new ResolvedOrder())), VOID_RETURN);
  }

  private void doAsBob() {
    TestAgent bob = agent(BOB);
    bob.open(1, one.port());
    lookUp(bob, 1, "ledger");
    bob.call(1, one.execute("bob"), INT_RETURN);
  }

  private void doAsBoth() {
    doAsAnn();
    doAsBob();
  }

  @Test
  void byJarsEachMayLookUpCallAndSendWhatItDidAndNothingElse() throws Exception {
    Path jars = ClassJar.in(directory, Ledger.class, ResolvedOrder.class);
    String rules = learn(Optional.of(jars), EntryRules.NONE, this::doAsBoth);
    assertThat(rules)
        .doesNotContain("opaque", "127.0.0.1:" + other.port())
        .containsOnlyOnce(ResolvedOrder.class.getName());
    doAsBoth();
    assertThat(other.taken()).isEqualTo(2);
    TestAgent ann = agent(SessionBed.ANN);
    ann.open(1, one.port());
    expectRefused(ann, 1, Calls.lookup("ledger"), one.execute("ann"), Calls.list());
    TestAgent bob = agent(BOB);
    bob.open(1, one.port());
    lookUp(bob, 1, "ledger"); // so that its object may be called
    expectRefused(
        bob,
        1,
        Calls.lookup("far"),
        one.tick(),
        one.take(out -> out.writeObject(new ResolvedOrder())),
        Calls.list());
    assertThat(one.executions("ann") + one.taken()).isZero();
  }

  /** Rules that were learned and pasted learn again what another program does, and stay. */
  @Test
  void whatIsLearntInSeveralRoundsAddsUp() throws Exception {
    Path jars = ClassJar.in(directory, Ledger.class, ResolvedOrder.class);
    Runnable lookUp =
        () -> {
          TestAgent ann = agent(SessionBed.ANN);
          ann.open(1, one.port());
          lookUp(ann, 1, "far");
          ann.open(3, other.port());
          ann.call(3, other.tick(), VOID_RETURN);
        };
    Runnable list =
        () -> {
          TestAgent ann = agent(SessionBed.ANN);
          ann.open(1, one.port());
          lookUp(ann, 1, "ledger");
          ann.call(1, one.execute("again"), INT_RETURN);
          listAll(ann);
        };
    String first = learn(Optional.of(jars), EntryRules.NONE, lookUp);
    assertThat(first).contains("registry: [lookup]").doesNotContain("'ledger'", "list-all");
    List<TargetGrant> pasted =
        GatewayConfig.load(directory.resolve("rmigate.yaml"), Map.of()).policy().targets();
    String second = learn(Optional.of(jars), pasted, list);
    assertThat(second)
        .contains("registry: [list, lookup]", "- 'far'\n      - 'ledger'\n    list-all: true\n")
        .contains("Ledger.tick()", "Ledger.execute(");
    assertThat(learn(Optional.of(jars), pasted, () -> {})).isEqualTo(second);
    lookUp.run();
    list.run();
    assertThat(one.executions("again")).isEqualTo(2);
  }

  private void listAll(TestAgent agent) {
    long before = agent.port().dataBytes(1);
    int length = Calls.returned(new String[] {"far", "ledger"}).length;
    agent.request(1, Calls.list());
    TestAgent.awaitThat(() -> agent.port().dataBytes(1) > before + length);
  }

  @Test
  void withoutJarsEachMayLookUpAndSendWhatItDidAndNothingElse() throws Exception {
    String rules = learn(Optional.empty(), EntryRules.NONE, this::doAsBoth);
    assertThat(rules).contains("opaque").doesNotContain("methods", "127.0.0.1:" + other.port());
    doAsBoth();
    TestAgent bob = agent(BOB);
    bob.open(1, one.port());
    lookUp(bob, 1, "ledger"); // so that its object may be called
    expectRefused(
        bob,
        1,
        Calls.lookup("far"),
        one.take(out -> out.writeObject(new ResolvedOrder())),
        Calls.list());
    assertThat(one.taken()).isZero();
  }

  @Test
  void whatTheLearningEntrySaysItselfIsLearntLikeEverythingElse() throws Exception {
    String order = ResolvedOrder.class.getName();
    learn(
        Optional.empty(),
        Entry.of(ClassMode.LEARN)
            .classes(order, Ledger.class.getName())
            .opaque(List.of(order))
            .rules(),
        this::doAsBoth);
    doAsBoth();
    assertThat(other.taken()).isEqualTo(2);
  }

  @Test
  void lookupsThatTheGatewayMakesAreLearntForWhoAsked() throws Exception {
    RegistryName name = new RegistryName(new EndpointId("127.0.0.1", one.port()), "far");
    String rules =
        learn(
            Optional.empty(),
            EntryRules.NONE,
            () -> {
              TestAgent bob = bed.stranger(BOB);
              bob.hello(Feature.LOOKUPS);
              bob.say(new Lookup(1, false, name));
              TestAgent.awaitThat(() -> bob.port().frames(Bound.class).size() == 1);
            });
    assertThat(rules).contains("principals: ['bob']", "- 'far'").doesNotContain("ann", "ledger");
  }

  @Test
  void whatNoRegistryHasNamedIsAnEntryOfItsOwn() throws Exception {
    String rules =
        learn(
            Optional.empty(),
            EntryRules.NONE,
            () -> {
              TestAgent ann = agent(SessionBed.ANN);
              ann.open(1, other.port());
              ann.call(1, other.tick(), VOID_RETURN);
            });
    assertThat(rules)
        .contains("allow: ['127.0.0.1:" + other.port() + "']\n    registry: []")
        .contains("received-objects: false");
    TestAgent ann = agent(SessionBed.ANN);
    ann.open(1, other.port());
    ann.call(1, other.tick(), VOID_RETURN);
    expectRefused(ann, 1, Calls.lookup("ledger"));
    assertThat(other.ticks()).isEqualTo(2);
  }

  @Test
  void whatIsBoundFromOutsideIsLearntByItsNameAndMayBeBoundByNobodyElse() throws Exception {
    Runnable binding =
        () -> {
          TestAgent ann = agent(SessionBed.ANN);
          ann.open(1, one.port());
          lookUp(ann, 1, "far");
          ann.call(1, Calls.rebind("near", other.stub()), VOID_RETURN);
          doAsBob();
        };
    String rules = learn(Optional.empty(), EntryRules.NONE, binding);
    assertThat(rules)
        .contains("    registry: [lookup, rebind]\n    names:\n      - 'far'\n      - 'near'\n")
        .contains("principals: ['bob']");
    binding.run();
    TestAgent bob = agent(BOB);
    bob.open(1, one.port());
    expectRefused(bob, 1, Calls.rebind("near", one.stub()), Calls.lookup("near"));
  }

  /** Which an entry that names it would let be the gateway's own. */
  @ParameterizedTest
  @ValueSource(strings = {"2130706433", "0x7f.1", "169.254.169.254"})
  void addressesThatAWildcardDoesNotReachAreLearntAsNoEntry(String host) throws Exception {
    ClassSettings settings =
        new ClassSettings(
            ClassMode.LEARN, List.of(), List.of(), Optional.empty(), ClassSettings.CALL_LIMIT);
    try (LearnedNotes notes = new LearnedNotes(directory.resolve("state"))) {
      Rulebook rulebook = Rulebook.of(settings, notes);
      bed.policy(
          rulebook, new TargetGrant(Set.of("*"), List.of("*:*"), SessionBed.ALL, EntryRules.NONE));
      TestAgent ann = agent(SessionBed.ANN);
      ann.open(1, host, 9);

      ann.request(1, one.tick());

      TestAgent.awaitThat(() -> !notes.notes().isEmpty());
      assertThat(rulebook.learnedRules(notes.notes()))
          .contains("# Not allowed by a line: target " + host + ":9 ")
          .doesNotContain("allow:");
    }
  }
}
