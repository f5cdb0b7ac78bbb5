package io.rmigate.gateway.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.ClassJar;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Serializable;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code policy test}: yesterday's traffic against tomorrow's policy. */
@SuppressWarnings("serial")
class PolicyCommandTest {
  /** {@code tick()V}, by section 8.3 of the RMI specification. */
  private static final String TICK = "bc27ed61c320f1e7";

  /** What the jar has. */
  interface Clock extends Remote {
    void tick() throws RemoteException;

    void stop() throws RemoteException;
  }

  @TempDir Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int test(String policy, String capture, String... as) throws IOException {
    Path config =
        Files.writeString(
            directory.resolve("rmigate.yaml"), "logins:\n  anonymous: true\n" + policy);
    Path lines = Files.writeString(directory.resolve("capture.jsonl"), capture);
    String[] arguments = new String[5 + as.length];
    System.arraycopy(
        new String[] {"policy", "test", "--config", config.toString()}, 0, arguments, 0, 4);
    System.arraycopy(as, 0, arguments, 4, as.length);
    arguments[arguments.length - 1] = lines.toString();
    return run(arguments);
  }

  private int run(String... arguments) {
    CommandLine commandLine = Standalone.commandLine(() -> {});
    commandLine.setOut(new PrintWriter(out));
    commandLine.setErr(new PrintWriter(err));
    return commandLine.execute(arguments);
  }

  private static final String REFUSED =
      """
      {"number":7,"time":"2026-01-01T00:00:00.000Z","event":"call","outcome":"refused","verdict":"refused","rule":"class","reason":"class com.acme.Order","place":"argument 1: Order.lines[3]","remedy":"to allow it add \\"classes: ['com.acme.Order']\\" to a targets entry","refusal":"N7K2QX","principal":"alice","scheme":"basic","peer":"10.0.0.7:40000","session":"a6c89a9de472","target":"rmi.example:4711","interface":"com.acme.Clock","method":"tick"}
      """;

  private Path config(String more) throws IOException {
    return Files.writeString(
        directory.resolve("rmigate.yaml"), "logins:\n  anonymous: true\n" + NARROW + more);
  }

  /** Of a call to a port that changes with each start of the server. */
  private static String refusedCall(String session) {
    return """
        {"event":"call","verdict":"refused","rule":"class","remedy":"to allow it add \\"classes: ['A']\\" to a targets entry","refusal":"N7K2QX","principal":"alice","session":"%s","target":"rmi.example:45123"}
        """
        .formatted(session);
  }

  @Test
  void explainNamesTheRegistryWhereThePortChangesWithEachStart() throws Exception {
    Path audit = directory.resolve("audit.jsonl");
    String lookups =
        """
        {"event":"registry","verdict":"allowed","session":"one","target":"rmi.example:1099","method":"lookup"}
        {"event":"registry","verdict":"allowed","session":"one","target":"else.example:1099","method":"lookup"}
        {"event":"registry","verdict":"refused","session":"one","target":"rmi.example:1098","method":"lookup"}
        {"event":"registry","verdict":"allowed","session":"two","target":"rmi.example:1097","method":"lookup"}
        """;
    String[] explain = {"policy", "explain", "--refusal", "N7K2QX", "--audit", audit.toString()};
    Files.writeString(audit, lookups + refusedCall("one"));
    assertThat(run(explain)).isZero();
    assertThat(out.toString())
        .contains("allow: ['rmi.example:1099']\n    classes: ['A']")
        .doesNotContain("'rmi.example:45123'");
    Files.writeString(audit, lookups + refusedCall("three"));
    assertThat(run(explain)).isZero();
    assertThat(out.toString()).contains("allow: ['rmi.example:45123']");
  }

  @Test
  void aRefusalIsExplainedByItsNumberOutOfAllFilesOfTheAudit() throws Exception {
    Path config = config("audit:\n  path: audit.jsonl\n");
    Files.writeString(directory.resolve("audit.jsonl.000000000000007"), REFUSED);
    Files.writeString(
        directory.resolve("audit.jsonl"), registry("alice", "rmi.example:1099", "list", ""));
    assertThat(run("policy", "explain", "--refusal", "n7k2qx", "--config", config.toString()))
        .isZero();
    assertThat(out.toString())
        .contains("N7K2QX", "call com.acme.Clock tick at rmi.example:4711")
        .contains("alice (basic) from 10.0.0.7:40000, session a6c89a9de472")
        .contains("why      class com.acme.Order (rule class)")
        .contains("where    argument 1: Order.lines[3]")
        .contains(
            """
            targets:
              - principals: ['alice']
                allow: ['rmi.example:4711']
                classes: ['com.acme.Order']
            """);
  }

  @Test
  void whereThereIsNoSuchRefusalOrNoAuditThatIsSaid() throws Exception {
    Path config = config("audit:\n  path: audit.jsonl\n");
    String[] explain = {"policy", "explain", "--refusal", "N7K2QY", "--config", config.toString()};
    assertThat(run(explain)).isEqualTo(1);
    assertThat(out.toString()).contains("there is no audit: no file ");
    Files.writeString(directory.resolve("audit.jsonl"), REFUSED);
    assertThat(run(explain)).isEqualTo(1);
    assertThat(out.toString()).contains("there is no refusal N7K2QY in ");
    config("");
    assertThat(run(explain)).isEqualTo(1);
    assertThat(out.toString()).contains("has no audit", "search it for N7K2QY");
    explain[3] = "NO";
    assertThat(run(explain)).isEqualTo(2);
    assertThat(err.toString()).contains("six characters");
  }

  interface Desk extends Remote {
    int number() throws RemoteException;
  }

  static class Order implements Serializable {}

  static class Runner implements Serializable, Runnable {
    @Override
    public void run() {
      Runtime.getRuntime().gc();
    }
  }

  @Test
  void aClassIsExplainedByItsProof() throws Exception {
    String[] explain = {"policy", "explain", "--class", Order.class.getName(), "--interfaces", ""};
    explain[5] = ClassJar.in(directory, Desk.class, Order.class, Runner.class).toString();
    assertThat(run(explain)).isZero();
    assertThat(out.toString()).contains("proven harmless, so it may stand anywhere in a message");
    explain[3] = Runner.class.getName();
    assertThat(run(explain)).isEqualTo(1);
    assertThat(out.toString())
        .contains("not proven harmless", "Runner.run()", "java.lang.Runtime.getRuntime: processes");
    Path config = config("classes:\n  interfaces: '" + directory + "'\n");
    assertThat(run("policy", "explain", "--class", explain[3], "--config", config.toString()))
        .isEqualTo(1);

    assertThat(run("policy", "explain")).isEqualTo(2);
    assertThat(err.toString()).contains("--refusal NUMBER or --class NAME");
    assertThat(run("policy", "explain", "--class", "A", "--config", config("").toString()))
        .isEqualTo(2);
    assertThat(err.toString()).contains("name them with --interfaces DIR");
  }

  private static String registry(String who, String target, String method, String name) {
    return """
    {"number":1,"time":"2026-01-01T00:00:00.000Z","event":"registry","outcome":"returned","verdict":"allowed","principal":"%s","target":"%s","object":"[0:0:0, 0]","method":"%s","name":"%s"}
    """
        .formatted(who, target, method, name);
  }

  private static String call(String who, String target, String hash) {
    return """
    {"number":2,"time":"2026-01-01T00:00:00.000Z","event":"call","outcome":"returned","verdict":"allowed","principal":"%s","target":"%s","object":"[1:2:3, 4]","interface":"com.acme.Clock","methodHash":"%s"}
    """
        .formatted(who, target, hash);
  }

  private static final String NARROW =
      """
      targets:
        - principals: [alice]
          allow: ["rmi.example:1099"]
          registry: [lookup]
          names: [Clock]
      """;

  @Test
  void whatAnAuditHasKeptIsJudgedByTargetOperationAndName() throws Exception {
    String audit =
        registry("alice", "rmi.example:1099", "lookup", "Clock")
            + registry("alice", "rmi.example:1099", "lookup", "Clock")
            + registry("alice", "rmi.example:1099", "lookup", "Other")
            + registry("alice", "rmi.example:1099", "list", "")
            + registry("alice", "else.example:1099", "lookup", "Clock")
            + call("alice", "rmi.example:4711", TICK)
            + call("bob", "rmi.example:4711", TICK)
            + call("alice", "rmi.example:4711", TICK)
                .replace("\"methodHash\"", "\"method\":\"com.acme.Clock.tick()\",\"methodHash\"")
            + "{\"number\":3,\"event\":\"login\",\"outcome\":\"accepted\",\"principal\":\"alice\"}\n"
            + registry("alice", "rmi.example:1099", "bind", "X")
                .replace("\"allowed\"", "\"refused\",\"rule\":\"registry-operation\"");
    String unsure = ", if a registry names that target, because no entry does";
    assertThat(test(NARROW, audit)).isEqualTo(1);
    assertThat(out.toString().lines())
        .containsExactly(
            "allowed lookup of \"Clock\" at rmi.example:1099 by alice [2 times]",
            "refused lookup of \"Other\" at rmi.example:1099 by alice: to allow it add the name to"
                + " names in a targets entry [1 times]",
            "refused list at rmi.example:1099 by alice: to allow it add \"registry: [list]\" to a"
                + " targets entry [1 times]",
            "refused lookup of \"Clock\" at else.example:1099 by alice: to allow it add \"allow:"
                + " ['else.example:1099']\" to a targets entry [1 times]",
            "allowed call of com.acme.Clock "
                + TICK
                + " at rmi.example:4711 by alice"
                + unsure
                + " [1 times]",
            "refused call of com.acme.Clock "
                + TICK
                + " at rmi.example:4711 by bob: to allow it add \"allow: ['rmi.example:4711']\" to"
                + " a targets entry [1 times]",
            "allowed call of com.acme.Clock.tick() "
                + TICK
                + " at rmi.example:4711 by alice"
                + unsure
                + " [1 times]",
            "refused bind of \"X\" at rmi.example:1099 by alice (refused then): to allow it add"
                + " \"registry: [bind]\" to a targets entry [1 times]",
            "4 refused, and 2 allowed only if a registry names their targets: see above");
  }

  @Test
  void methodsAreJudgedByTheirHashes() throws Exception {
    ClassJar.in(directory, Clock.class);
    String policy =
        """
        targets:
          - principals: [alice]
            allow: ["rmi.example:*"]
            methods: ["!%s.tick"]
        classes:
          interfaces: .
        """
            .formatted(Clock.class.getName());
    String unknown = "0123456789abcdef";
    assertThat(
            test(
                policy,
                call("bob", "rmi.example:1", TICK) + call("bob", "rmi.example:1", unknown),
                "--as",
                "alice"))
        .isEqualTo(1);
    assertThat(out.toString().lines())
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .startsWith(
                        "refused call of com.acme.Clock " + TICK + " at rmi.example:1 by alice")
                    .contains("Clock.tick()"),
            line -> assertThat(line).startsWith("refused call of com.acme.Clock " + unknown),
            line -> assertThat(line).isEqualTo("2 refused"));
  }

  private static String sized(String line, long bytes) {
    return line.replace("\"methodHash\"", "\"requestBytes\":" + bytes + ",\"methodHash\"");
  }

  @Test
  void callsThatAreLongerThanMayBeLookedIntoAreRefused() throws Exception {
    String policy = NARROW + "    call-limit: 1MiB\nclasses: {mode: enforce}\n";
    String unknown = call("alice", "rmi.example:1099", "none");
    String audit = sized(unknown, 1 << 20) + sized(unknown, (1 << 20) + 1);
    assertThat(test(policy, audit)).isEqualTo(1);
    assertThat(out.toString().lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("allowed call"),
            line -> assertThat(line).startsWith("refused call").contains("call-limit"),
            line -> assertThat(line).isEqualTo("1 refused"));
    assertThat(test(policy.replace("call-limit: 1MiB", "stream: true"), audit)).isZero();
  }

  private static String refused(String rule, String more) {
    return call("alice", "rmi.example:1099", TICK)
        .replace("\"verdict\":\"allowed\"", "\"verdict\":\"refused\",\"rule\":\"" + rule + '"')
        .replace("\"methodHash\"", more + "\"methodHash\"");
  }

  @Test
  void whatWasRefusedForAClassOrAReferenceIsJudgedAnewAndIsNoLoss() throws Exception {
    String audit =
        refused("class", "\"class\":\"com.acme.Order\",")
            + refused("reference", "\"endpoint\":\"else.example:4711\",")
            + refused("no-room", "");
    String policy = NARROW + "    class-mode: enforce\n";
    assertThat(test(policy, audit)).isZero();
    assertThat(
            test(
                policy + "    classes: [com.acme.Order]\n    references: ['else.example:4711']\n",
                audit))
        .isZero();
    assertThat(out.toString().lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("refused call").contains("class com.acme.Order"),
            line -> assertThat(line).startsWith("refused call").contains("else.example:4711"),
            line -> assertThat(line).isEqualTo("0 refused"),
            line -> assertThat(line).startsWith("allowed call").contains("class com.acme.Order"),
            line -> assertThat(line).startsWith("allowed call").contains("(refused then)"),
            line -> assertThat(line).isEqualTo("0 refused"));
  }

  @Test
  void whatAQuickGatewayHasLearntIsPrintedWithTheJarsItWasGiven() throws Exception {
    Path jars = Files.createDirectory(directory.resolve("interfaces"));
    ClassJar.in(jars, Clock.class);
    Path config =
        Files.writeString(
            directory.resolve("rmigate.yaml"), "logins:\n  anonymous: true\n" + NARROW);
    Path state = Files.createDirectory(directory.resolve("state"));
    Files.writeString(
        state.resolve("learned.jsonl"),
        """
        {"principal":"bob","target":"rmi.example:1099","rule":"CLASS","subject":"com.acme.Order","remedy":""}
        """);
    assertThat(
            run(
                "policy",
                "learned",
                "--config",
                config.toString(),
                "--state",
                state.toString(),
                "--interfaces",
                jars.toString()))
        .isZero();
    assertThat(out.toString())
        .contains("interfaces: '" + jars + "'")
        .contains("principals: ['bob']")
        .doesNotContain("nothing has been learnt");
  }

  @Test
  void notesAreJudgedOneByOneAndWhatIsRefusedComesWithTheLineThatWouldAllowIt() throws Exception {
    String notes =
        """
        {"principal":"bob","target":"rmi.example:1099","rule":"CLASS","subject":"com.acme.Order","remedy":"classes: ['com.acme.Order']"}
        {"principal":"bob","target":"rmi.example:1099","rule":"NAME","subject":"Till","remedy":"names: ['Till']"}
        """;
    String policy = NARROW + "    class-mode: enforce\n";
    assertThat(test(policy, notes, "--as", "alice")).isEqualTo(1);
    String both = policy.replace("[Clock]", "[Till]") + "    classes: [com.acme.Order]\n";
    assertThat(test(both, notes, "--as", "alice")).isZero();
    assertThat(out.toString().lines())
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .startsWith(
                        "refused class com.acme.Order at rmi.example:1099 by alice: to allow it add"
                            + " \"classes: ['com.acme.Order']\" to a targets entry"),
            line ->
                assertThat(line)
                    .isEqualTo(
                        "refused registry-name Till at rmi.example:1099 by alice: to allow it add"
                            + " \"names: ['Till']\" to a targets entry"),
            line -> assertThat(line).isEqualTo("2 refused"),
            line ->
                assertThat(line)
                    .isEqualTo("allowed class com.acme.Order at rmi.example:1099 by alice"),
            line ->
                assertThat(line)
                    .isEqualTo("allowed registry-name Till at rmi.example:1099 by alice"),
            line -> assertThat(line).isEqualTo("0 refused"));
  }

  @Test
  void whoReachesNothingIsRefusedWhateverItCarries() throws Exception {
    String notes =
        """
        {"principal":"bob","target":"inner:4711","rule":"TARGET","subject":"rmi.example:1099","remedy":""}
        {"principal":"bob","target":"inner:4711","rule":"METHOD","subject":"%s","remedy":""}
        """
            .formatted(TICK);
    assertThat(test(NARROW, notes)).isEqualTo(1);
    assertThat(out.toString().lines())
        .containsExactly(
            "refused target rmi.example:1099 at inner:4711 by bob: to allow it add \"allow:"
                + " ['rmi.example:1099']\" to a targets entry",
            "refused method " + TICK + " at inner:4711 by bob",
            "2 refused");
  }

  private static final String NOTE =
      """
      {"principal":"alice","target":"rmi.example:1099","rule":"OPERATION","subject":"lookup","remedy":"registry: [lookup]"}
      """;

  @Test
  void aLineThatIsNeitherNoteNorAuditIsNamedAndNothingIsSaidOfTheRest() throws Exception {
    Map<String, String> wrong =
        Map.of(
            "garbage\n",
            "capture.jsonl:2: is no JSON: ",
            "null\n",
            "capture.jsonl:2: is no note of mode learn",
            NOTE.replace("OPERATION", "OPERATIONS"),
            "one of another version of rmigate: {",
            NOTE.replace("}", ",\"more\":1}"),
            "one of another version of rmigate: {",
            "x".repeat(2 << 20),
            "capture.jsonl:2: is longer than any note");
    for (Map.Entry<String, String> each : wrong.entrySet()) {
      assertThat(test(NARROW, NOTE + each.getKey() + NOTE)).isEqualTo(2);
      assertThat(err.toString().lines()).hasSize(1).first().asString().contains(each.getValue());
      err.getBuffer().setLength(0);
    }
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aLastLineThatIsBeingWrittenIsLeftOutButNotTheOnlyOne() throws Exception {
    String torn = "{\"principal\":\"al";
    assertThat(test(NARROW, NOTE + torn)).isZero();
    assertThat(out.toString().lines())
        .containsExactly(
            "allowed registry-operation lookup at rmi.example:1099 by alice", "0 refused");
    assertThat(err.toString())
        .endsWith("capture.jsonl is incomplete, and was skipped" + System.lineSeparator());
    assertThat(test(NARROW, torn)).isEqualTo(2);
    assertThat(test(NARROW, NOTE.strip())).as("whole, but for its end").isZero();
  }

  @Test
  void aCaptureOfNothingIsSaidToBeOne() throws Exception {
    String login = "{\"number\":3,\"event\":\"login\",\"principal\":\"alice\"}\n";
    for (String capture : List.of("", login)) {
      assertThat(test(NARROW, capture)).isZero();
    }
    assertThat(out.toString().lines().filter(line -> line.endsWith(" has no calls to judge")))
        .hasSize(2);
  }

  @Test
  void filesThatCannotBeReadAreNamedAndWhatIsWrongWithThem() throws Exception {
    Path none = directory.resolve("none");
    test(NARROW, NOTE);
    String config = directory.resolve("rmigate.yaml").toString();
    assertThat(run("policy", "test", "--config", config, none.toString())).isEqualTo(2);
    assertThat(run("policy", "test", "--config", config, directory.toString())).isEqualTo(2);
    Files.createDirectories(directory.resolve("state").resolve("learned.jsonl"));
    assertThat(run("policy", "learned", "--state", directory.resolve("state").toString()))
        .isEqualTo(2);
    assertThat(err.toString().lines())
        .containsExactly(
            "rmigate: " + none + ": no such file",
            "rmigate: " + directory + ": is a directory",
            "rmigate: " + directory.resolve("state/learned.jsonl") + ": is a directory");
  }

  @Test
  void helpSaysWhatTheExitCodesMean() {
    assertThat(run("policy", "test", "--help")).isZero();
    assertThat(out.toString().replaceAll("\\s+", " "))
        .containsSubsequence(
            "Exit codes:", "0 ", "Nothing that passed", "1 ", "2 ", "cannot be read");
  }

  @Test
  void notesThatWereTakenWithJarsAreIncompleteWithoutThem() throws Exception {
    Path jars = Files.createDirectory(directory.resolve("lib"));
    ClassJar.in(jars, Clock.class);
    String noted =
        """
        {"principal":"alice","target":"rmi.example:1099","rule":"METHOD","subject":"%s %s.tick()","remedy":"methods: ['%2$s.tick()']"}
        """
            .formatted(TICK, Clock.class.getName());
    assertThat(test(NARROW, NOTE + noted)).isEqualTo(1);
    assertThat(out.toString())
        .contains("refused the methods and classes of the jars with which the notes were taken")
        .contains("1 refused");
    assertThat(test(NARROW + "classes: {interfaces: lib}\n", NOTE + noted)).isZero();
    assertThat(test(NARROW + "classes: {mode: learn}\n", NOTE + noted)).isZero();
    Files.copy(directory.resolve("capture.jsonl"), directory.resolve("learned.jsonl"));
    String incomplete = "# Incomplete: they were noted with jars of interfaces";
    assertThat(run("policy", "learned", "--state", directory.toString())).isEqualTo(1);
    assertThat(out.toString()).contains(incomplete);
    assertThat(err.toString()).contains("classes of the jars of interfaces: they were noted with");
    out.getBuffer().setLength(0);
    run("policy", "learned", "--state", directory.toString(), "--interfaces", jars.toString());
    assertThat(out.toString()).contains("Clock.tick()").doesNotContain(incomplete);
  }

  @Test
  void whereThereAreNoNotesTheRulesSayWhy() throws Exception {
    assertThat(run("policy", "learned", "--state", directory.toString())).isZero();
    assertThat(out.toString())
        .startsWith(
            "# nothing has been learnt in "
                + directory.resolve("learned.jsonl")
                + ": there is no such file; name the");
  }

  @Test
  void whatARegistryHasNamedIsJudgedByTheEntryForThatRegistry() throws Exception {
    String notes =
        """
        {"principal":"bob","target":"inner:4711","rule":"TARGET","subject":"rmi.example:1099","remedy":""}
        {"principal":"bob","target":"inner:4711","rule":"CLASS","subject":"com.acme.Order","remedy":""}
        {"principal":"eve","target":"inner:4711","rule":"CLASS","subject":"com.acme.Order","remedy":""}
        """;
    String policy =
        NARROW
            + """
                class-mode: enforce
              - principals: [alice]
                allow: ["else.example:1099"]
                registry: [lookup]
                class-mode: enforce
                classes: [com.acme.Order]
            """;
    assertThat(test(policy, notes, "--as", "alice")).isEqualTo(1);
    assertThat(out.toString().lines())
        .containsExactly(
            "allowed target rmi.example:1099 at inner:4711 by alice",
            "refused class com.acme.Order at inner:4711 by alice",
            "allowed class com.acme.Order at inner:4711 by alice", // it is unknown by which entry
            "1 refused");
  }

  private int learned(String notes, String more) throws IOException {
    Files.writeString(directory.resolve("learned.jsonl"), notes);
    Path config =
        Files.writeString(
            directory.resolve("rmigate.yaml"),
            "logins:\n  anonymous: true\nstate: .\n"
                + more
                + "classes:\n  mode: learn\ntargets:\n"
                + "  - principals: ['*']\n    allow: ['localhost:*']\n");
    return run("policy", "learned", "--config", config.toString());
  }

  private static String note(String target, String rule, String subject, String remedy) {
    return """
    {"principal":"ann","target":"%s","rule":"%s","subject":"%s","remedy":"%s"}
    """
        .formatted(target, rule, subject, remedy);
  }

  private static final String LOOKED_UP =
      note("localhost:1099", "OPERATION", "lookup", "registry: [lookup]")
          + note("localhost:1099", "NAME", "Shop", "names: ['Shop']")
          + note("localhost:1099", "TARGET", "localhost:1099", "allow: ['localhost:1099']");

  @Test
  void learnedRulesThatPermitWhatWasDoneEndWithZero() throws Exception {
    assertThat(learned(LOOKED_UP, "")).isZero();
    assertThat(out.toString()).contains("mode: enforce", "- 'Shop'").doesNotContain("callbacks:");
    assertThat(err.toString()).isEmpty();
  }

  /** It was handed out at a new port, and asked as a registry, so that it has an entry itself. */
  @Test
  void aRegistryThatWasAlsoHandedOutNeedsNoNewPorts() throws Exception {
    String notes =
        LOOKED_UP
            + note("localhost:2099", "OPERATION", "lookup", "registry: [lookup]")
            + note("localhost:2099", "NAME", "Till", "names: ['Till']")
            + note("localhost:2099", "TARGET", "localhost:1099", "new-ports: true");
    assertThat(learned(notes, "")).as(err.toString()).isZero();
    assertThat(out.toString()).contains("allow: ['localhost:2099']").doesNotContain("new-ports");
  }

  @Test
  void whatLearnedRulesLackIsListedWithTheReasonAndTheExitCodeIsOne() throws Exception {
    String notes = LOOKED_UP + note("localhost:1099", "NAME", "a*", "names: ['a*']");
    assertThat(learned(notes, "")).isEqualTo(1);
    assertThat(out.toString()).contains("- 'Shop'");
    assertThat(err.toString())
        .contains(
            "refuse some calls",
            "registry-name a* (ann at localhost:1099): as a line it would stand for other names");
  }

  /** Its jar's classes were not noted, and the jar is gone: found by reading the rules again. */
  @Test
  void rulesThatRefuseWhatWasNotedSaySo() throws Exception {
    String notes =
        LOOKED_UP + note("localhost:1099", "UNREADABLE", "it is longer than call-limit", "");
    assertThat(learned(notes, "")).isEqualTo(1);
    assertThat(err.toString())
        .contains("unreadable it is longer than call-limit (ann at localhost:1099): nothing");
  }

  @Test
  void callbacksAreWrittenWhereTheyWereNeededAndNotPermitted() throws Exception {
    String notes =
        LOOKED_UP
            + note("localhost:1099", "REFERENCE", "127.0.0.1:41234", "references: […]")
            + note("callbacks", "REFERENCE", "port 1099", "explicit in callbacks.allow");
    assertThat(learned(notes, "")).isZero();
    String section =
        """
        callbacks:
          address: '127.0.0.1'
          from:
            - '127.*'
          allow:
            - principals:
                - ann
              explicit:
                - '1099'
        """;
    assertThat(out.toString()).startsWith(section).doesNotContain("41234");
    out.getBuffer().setLength(0);
    assertThat(learned(notes, section.replace("'1099'", "1000-1100"))).isZero();
    assertThat(out.toString()).doesNotContain("callbacks:");
    String bobs =
        "callbacks: {address: 127.0.0.1, from: ['127.*'], ports: 41000-41999,"
            + " allow: [{principals: [bob]}]}\n";
    assertThat(learned(notes, bobs)).isZero();
    assertThat(out.toString())
        .contains("- ann\n      explicit:\n        - '1099'\n    - principals:\n        - bob\n")
        .contains("  ports: '41000-41999'\n");
  }
}
