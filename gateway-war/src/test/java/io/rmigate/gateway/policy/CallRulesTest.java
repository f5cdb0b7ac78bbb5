package io.rmigate.gateway.policy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.policy.remote.JmxAccess;
import io.rmigate.gateway.policy.remote.JmxGrant;
import io.rmigate.gateway.policy.remote.JmxProfile;
import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.ClassSettings;
import io.rmigate.gateway.policy.rule.Codebases;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.policy.rule.EntryRules;
import io.rmigate.gateway.policy.rule.LearnedNotes.Note;
import io.rmigate.gateway.policy.rule.LearningLog;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.policy.rule.Objection.Rule;
import io.rmigate.gateway.policy.type.ClassOutline;
import io.rmigate.gateway.policy.type.RemoteMethod;
import io.rmigate.gateway.policy.type.ValueTypes;
import io.rmigate.gateway.scan.Bombs;
import io.rmigate.gateway.scan.ScanResult;
import io.rmigate.gateway.scan.SeenClass;
import io.rmigate.protocol.jrmp.CallBytes;
import io.rmigate.protocol.jrmp.MessageEnd;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.CallHeader;
import java.io.IOException;
import java.io.ObjectStreamConstants;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the entries of a configuration come together. */
class CallRulesTest {

  private static EntryRules entry(Optional<ClassMode> mode, String... classes) {
    return Entry.of(mode)
        .classes(classes)
        .opaque(List.of("com.acme.Opaque"))
        .references("far.example:7")
        .rules();
  }

  private static CallRules rules(EntryRules... entries) {
    return asShipped().rules(List.of(entries));
  }

  private static Rulebook asShipped() {
    try {
      return Rulebook.of(ClassSettings.DEFAULT, LearningLog.NOTHING);
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
  }

  @Test
  void withoutAWordTheJdksValuesMayPassAndNothingElse() {
    for (CallRules rules : List.of(rules(EntryRules.NONE), rules())) {
      assertThat(rules.enforces()).isTrue();
      assertThat(rules.allows("java.util.ArrayList")).isTrue();
      assertThat(rules.allows("com.acme.Order")).isFalse();
    }
  }

  @Test
  void whoHasGivenNoJarsIsToldWhatToDo() {
    Objection refused = new Objection(Rule.CLASS, "com.acme.Order", "classes: ['com.acme.Order']");
    assertThat(rules().advice(refused))
        .contains("classes: ['com.acme.Order']")
        .contains("--interfaces DIR")
        .contains("--learn");
    assertThat(rules().advice(new Objection(Rule.REFERENCE, "far.example:7", "…")))
        .doesNotContain("--interfaces");
  }

  @ParameterizedTest
  @EnumSource(Codebases.class)
  void codebasesAreRefusedWhereTheConfigurationSaysSo(Codebases codebases) throws IOException {
    ClassSettings settings =
        new ClassSettings(
            ClassMode.ENFORCE,
            List.of(),
            List.of(),
            Optional.empty(),
            ClassSettings.CALL_LIMIT,
            ClassSettings.KEY_LIMIT,
            codebases);
    CallRules rules = Rulebook.of(settings, LearningLog.NOTHING).rules(List.of());
    byte[] call =
        CallBytes.call(
            "file:/srv/application.jar",
            ObjectStreamConstants.PROTOCOL_VERSION_2,
            out -> out.writeObject(new ArrayList<>()));
    CallHeader header = CallHeader.decode(call, 0, call.length).orElseThrow();
    ScanResult seen = rules.scanner().request(call, 0, call.length);
    List<Objection> objections = rules.call(header, seen, call, reference -> false, list -> true);
    assertThat(objections).hasSize(codebases == Codebases.REFUSE ? 1 : 0);
    assertThat(objections)
        .allMatch(objection -> rules.advice(objection).contains("codebases: drop"));
    assertThat(seen.dropped().isEmpty()).isEqualTo(codebases != Codebases.DROP);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 64, 1000, 1100, 3000})
  void howeverManyOpaqueClassesThereAreNothingElseIsTolerated(int classes) throws IOException {
    List<String> opaque = Bombs.foreignClasses(classes);
    CallRules rules = rules(Entry.enforced().opaque(opaque).rules());
    byte[] call = Bombs.lieBehind(classes);
    CallHeader header = CallHeader.decode(call, 0, call.length).orElseThrow();
    ScanResult seen = rules.scanner().request(call, 0, call.length);
    assertThat(rules.call(header, seen, call, reference -> false, list -> true))
        .extracting(Objection::rule)
        .containsAnyOf(Rule.SHAPE, Rule.STREAM);
  }

  @Test
  void whatIsOffStaysOffUnlessAnEntrySaysSo() {
    assertThat(Rulebook.OFF.rules(List.of(entry(Optional.empty(), "com.acme.Order"))).looks())
        .isFalse();
    assertThat(Rulebook.OFF.rules(List.of(entry(Optional.of(ClassMode.ENFORCE)))).enforces())
        .isTrue();
  }

  private static EntryRules objects(ClassMode mode, Boolean received) {
    Entry entry = Entry.of(mode);
    return (received == null ? entry.withoutSayingWhichObjects() : entry.receivedObjects(received))
        .rules();
  }

  /** Of entries that hold together. */
  @ParameterizedTest
  @CsvSource({
    "ENFORCE,       ,       , true",
    "ENFORCE, false ,       , false",
    "ENFORCE,       , false , false",
    "ENFORCE, false , false , false",
    "ENFORCE, false , true  , true",
    "ENFORCE, true  ,       , true",
    "LEARN  , false , false , true", // learning notes objects for all values of the entries
    "OFF    ,       ,       , false",
    "OFF    , true  , true  , false",
  })
  void onlyObjectsThatWereGivenMayBeCalledUnlessAnEntrySaysOtherwise(
      ClassMode mode, Boolean first, Boolean second, boolean limited) {
    CallRules both = rules(objects(mode, first), objects(mode, second));
    assertThat(both.limitsObjects()).isEqualTo(limited);
  }

  /** Where it is not known which entry holds. */
  @ParameterizedTest
  @CsvSource({
    "ENFORCE, false, ENFORCE,       , true",
    "ENFORCE, false, ENFORCE, false , false",
    "ENFORCE, false, OFF    ,       , false",
    "ENFORCE, false, LEARN  ,       , false",
    "ENFORCE,      , LEARN  , false , true",
    "LEARN  , false, OFF    , false , true",
    "OFF    , true , OFF    , true  , false",
  })
  void ofSeveralEntriesOnlyTheStrictestSayWhichObjectsMayBeCalled(
      ClassMode one, Boolean ofOne, ClassMode other, Boolean ofOther, boolean limited) {
    CallRules strictest =
        asShipped().strictestRules(List.of(objects(one, ofOne), objects(other, ofOther)));
    assertThat(strictest.limitsObjects()).isEqualTo(limited);
  }

  @Test
  void withoutAnEntryOnlyObjectsThatWereGivenMayBeCalled() {
    assertThat(rules().limitsObjects()).isTrue();
    assertThat(asShipped().strictestRules(List.of()).limitsObjects()).isTrue();
    assertThat(Rulebook.OFF.rules(List.of()).limitsObjects()).isFalse();
  }

  @Test
  void theFirstEntryThatSaysAModeDecides() {
    CallRules both =
        rules(
            EntryRules.NONE,
            entry(Optional.of(ClassMode.LEARN)),
            entry(Optional.of(ClassMode.ENFORCE)));
    assertThat(both.looks()).isTrue();
    assertThat(both.enforces()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "java.lang.String, true",
    "java.util.HashMap, false", // taken away
    "com.acme.Order, true",
    "com.acme.secret.Order, false",
    "com.acme.Opaque, true",
    "javax.swing.ImageIcon, false",
    "java.rmi.MarshalledObject, false",
  })
  void theFirstPatternThatMatchesDecides(String name, boolean allowed) {
    CallRules rules =
        rules(
            entry(Optional.empty(), "!java.util.HashMap", "!com.acme.secret.**"),
            entry(Optional.empty(), "com.acme.**", "java.util.HashMap"));
    assertThat(rules.allows(name)).isEqualTo(allowed);
  }

  @ParameterizedTest
  @CsvSource({
    "CLASS, com.acme.Order, false",
    "CLASS, com.acme.Other, true",
    "SHAPE, com.acme.Opaque, false",
    "SHAPE, com.acme.Order, true",
    "UNREADABLE, com.acme.Opaque, false",
    "REFERENCE, far.example:7, false",
    "REFERENCE, far.example:8, true",
    "METHOD, 0123456789abcdef, false",
    "STREAM, CODEBASE, true",
  })
  void whatWasNotedIsRefusedOrNot(Rule rule, String subject, boolean refused) {
    CallRules rules = rules(entry(Optional.empty(), "com.acme.Order"));
    assertThat(rules.refuses(new Note("ann", "inside:1", rule, subject, ""))).isEqualTo(refused);
    assertThat(
            rules(entry(Optional.of(ClassMode.OFF)))
                .refuses(new Note("ann", "inside:1", rule, subject, "")))
        .isFalse();
  }

  private static EntryRules entry(Optional<ClassMode> mode, boolean stream, boolean jmx) {
    return Entry.of(mode).stream(stream).jmx(jmx).rules();
  }

  @Test
  void whereItIsNotKnownWhichEntryHoldsTheStrictestDoes() {
    EntryRules off = entry(Optional.of(ClassMode.OFF), true, true);
    EntryRules strict = entry(Optional.of(ClassMode.ENFORCE), false, false);
    CallRules both = asShipped().strictestRules(List.of(off, strict));
    assertThat(both.enforces()).isTrue();
    assertThat(both.streams()).isFalse();
    assertThat(both.allows("javax.management.Notification")).isFalse();
    CallRules alone = asShipped().strictestRules(List.of(off, off));
    assertThat(alone.looks()).isFalse();
    assertThat(alone.streams()).isTrue();
    assertThat(alone.allows("javax.management.Notification")).isTrue();
  }

  /** No application has a jar with them. */
  @Test
  void ofClassesOfTheJdkNoJarIsAdvised() {
    CallRules rules = Rulebook.OFF.rules(List.of(Entry.enforced().rules()));
    for (String name : List.of("java.util.Formatter", "javax.swing.JPanel", "sun.misc.Unsafe")) {
      Objection objection = new Objection(Rule.CLASS, name, "classes: ['" + name + "']");
      assertThat(rules.advice(objection)).as(name).contains("classes: [").doesNotContain("jar");
    }
    Objection own = new Objection(Rule.CLASS, "com.acme.Order", "classes: ['com.acme.Order']");
    assertThat(rules.advice(own)).contains("jars of the remote interfaces");
  }

  /** A line with the port of an exported object is of no use the next time. */
  @Test
  void ofReferencesThatMayBeTheClientsOwnCallbacksAreAdvised() {
    CallRules rules = Rulebook.OFF.rules(List.of(Entry.enforced().rules()));
    for (String endpoint : List.of("localhost:1099", "127.0.1.1:4711", "pc.example:41793")) {
      Objection objection = new Objection(Rule.REFERENCE, endpoint, "references: ['x']");
      assertThat(rules.advice(objection)).as(endpoint).contains("section callbacks");
    }
    Objection server = new Objection(Rule.REFERENCE, "far.example:1099", "references: ['x']");
    assertThat(rules.advice(server)).doesNotContain("callbacks");
  }

  @Test
  void jmxOverTlsBringsItsSocketFactory() {
    String factory = "javax.rmi.ssl.SslRMIClientSocketFactory";
    assertThat(rules(entry(Optional.empty(), false, true)).allows(factory)).isTrue();
    assertThat(rules(entry(Optional.empty(), false, false)).allows(factory)).isFalse();
  }

  @Test
  void aReferenceToNoEndpointIsRefused() {
    CallRules rules = rules(entry(Optional.empty(), "com.acme.Order"));
    for (String subject : List.of("far.example...", "far.example:-7", "far.example:99999999999")) {
      assertThat(rules.refuses(new Note("ann", "inside:1", Rule.REFERENCE, subject, "")))
          .as(subject)
          .isTrue();
    }
  }

  /** Readers of strings take two or three bytes for what writers write as one. */
  @Test
  void forbiddenNamesOfJmxAreFoundInAnyForm() {
    CallHeader header =
        new CallHeader(
            new ObjIdentifier(7, 1, 2, (short) 3),
            -1,
            ClassOutline.hash(
                "invoke",
                "(Ljavax/management/ObjectName;Ljava/lang/String;Ljava/rmi/MarshalledObject;"
                    + "[Ljava/lang/String;Ljavax/security/auth/Subject;)Ljava/lang/Object;"));
    for (String first : List.of("D", "\u00C1\u0084", "\u00E0\u0081\u0084")) {
      byte[] call = ("x:type=" + first + "iagnosticCommand").getBytes(ISO_8859_1);
      assertThat(JmxProfile.missingGrant(header, call, Set.of())).as(first).isPresent();
    }
    assertThat(JmxProfile.missingGrant(header, "x:type=Memory".getBytes(ISO_8859_1), Set.of()))
        .isEmpty();
    for (String writer :
        List.of(
            "com.sun.management:type=DiagnosticCommand",
            "com.sun.management:type=HotSpotDiagnostic",
            "jdk.management.jfr:type=FlightRecorder")) {
      byte[] call = writer.getBytes(ISO_8859_1);
      assertThat(JmxProfile.missingGrant(header, call, Set.of())).as(writer).isPresent();
      assertThat(JmxProfile.missingGrant(header, call, Set.of(JmxGrant.DIAGNOSTIC_COMMANDS)))
          .as(writer)
          .isEmpty();
    }
  }

  @Test
  void methodsOfJmxAreRefusedWhereItIsNotSpokenAndNoJarHasThem() {
    long newClient =
        ClassOutline.hash(
            "newClient", "(Ljava/lang/Object;)Ljavax/management/remote/rmi/RMIConnection;");
    Objection refused = rules().method(-1, newClient).orElseThrow();
    assertThat(refused.subject()).contains("javax.management.remote.rmi.RMIServer.newClient");
    assertThat(refused.advice()).contains("jmx: true");
    assertThat(rules(entry(Optional.empty(), false, true)).method(-1, newClient)).isEmpty();
    for (String anybodys : List.of("close", "getVersion")) {
      String descriptor = anybodys.equals("close") ? "()V" : "()Ljava/lang/String;";
      assertThat(rules().method(-1, ClassOutline.hash(anybodys, descriptor))).isEmpty();
    }
  }

  /** Servers look at the hash alone where the number of the operation is negative. */
  @Test
  void aNegativeOperationIsNoWayAroundTheRulesForMethods() {
    long newClient =
        ClassOutline.hash(
            "newClient", "(Ljava/lang/Object;)Ljavax/management/remote/rmi/RMIConnection;");
    for (int operation : new int[] {-2, -3, Integer.MIN_VALUE}) {
      Objection refused = rules().method(operation, newClient).orElseThrow();
      assertThat(refused.subject()).isEqualTo("operation " + operation);
      assertThat(rulesOf(JmxAccess.FULL).method(operation, newClient)).isPresent();
    }
  }

  private static CallRules rulesOf(JmxAccess access) {
    return rules(Entry.enforced().jmx(access).rules());
  }

  private static List<String> refusedMethodsOfJmx(CallRules rules) {
    return JmxProfile.METHODS.stream()
        .filter(method -> rules.method(-1, method.hash()).isPresent())
        .map(RemoteMethod::toString)
        .sorted()
        .toList();
  }

  @Test
  void whoMayReadJmxChangesNothingByIt() {
    String connection = "javax.management.remote.rmi.RMIConnection.";
    String name = "javax.management.ObjectName";
    String subject = "javax.security.auth.Subject";
    String marshalled = "java.rmi.MarshalledObject";
    String listener = String.join(",", name, name, marshalled, marshalled, subject);
    assertThat(refusedMethodsOfJmx(rulesOf(JmxAccess.READ)))
        .containsExactlyInAnyOrder(
            connection + "createMBean(java.lang.String," + name + "," + subject + ")",
            connection + "createMBean(java.lang.String," + name + "," + name + "," + subject + ")",
            connection
                + "createMBean(java.lang.String,%s,%s,java.lang.String[],%s)"
                    .formatted(name, marshalled, subject),
            connection
                + "createMBean(java.lang.String,%s,%s,%s,java.lang.String[],%s)"
                    .formatted(name, name, marshalled, subject),
            connection + "unregisterMBean(" + name + "," + subject + ")",
            connection + "setAttribute(" + String.join(",", name, marshalled, subject) + ")",
            connection + "setAttributes(" + String.join(",", name, marshalled, subject) + ")",
            connection
                + "invoke(%s,java.lang.String,%s,java.lang.String[],%s)"
                    .formatted(name, marshalled, subject),
            connection + "addNotificationListener(" + listener + ")",
            connection + "removeNotificationListener(" + listener + ")",
            connection
                + "removeNotificationListener("
                + String.join(",", name, name, subject)
                + ")");
    assertThat(refusedMethodsOfJmx(rulesOf(JmxAccess.FULL))).isEmpty();
    assertThat(rulesOf(JmxAccess.READ).allows("javax.management.Notification")).isTrue();
  }

  /** A list of methods, a jar or another entry takes nothing of that away. */
  @Test
  void readingStaysReadingWhateverElseIsSaid() {
    RemoteMethod invoke =
        JmxProfile.METHODS.stream()
            .filter(method -> method.toString().contains("invoke("))
            .findFirst()
            .orElseThrow();
    EntryRules listed = Entry.enforced().jmx(JmxAccess.READ).methods(invoke.toString()).rules();
    assertThat(rules(listed).method(-1, invoke.hash()).orElseThrow().advice())
        .contains("jmx: true");
    EntryRules reading = Entry.enforced().jmx(JmxAccess.READ).rules();
    EntryRules without = Entry.enforced().rules();
    EntryRules full = Entry.enforced().jmx(JmxAccess.FULL).rules();
    assertThat(asShipped().rules(List.of(reading, without)).method(-1, invoke.hash())).isPresent();
    assertThat(asShipped().rules(List.of(reading, full)).method(-1, invoke.hash())).isEmpty();
    CallRules uncertain = asShipped().strictestRules(List.of(full, reading));
    assertThat(uncertain.method(-1, invoke.hash())).isPresent();
    assertThat(uncertain.allows("javax.management.Notification")).isTrue();
    assertThat(
            asShipped()
                .strictestRules(List.of(without, reading))
                .allows("javax.management.Notification"))
        .isFalse();
  }

  @Test
  void theAdviceForClassesOfJmxIsToSayThatItIsSpoken() {
    String stub = "javax.management.remote.rmi.RMIServerImpl_Stub";
    Objection refused = objections(rules(), stub).get(0);
    assertThat(rules().advice(refused))
        .isEqualTo("to allow it add \"jmx: true\" to a targets entry");
    assertThat(objections(rules(entry(Optional.empty(), false, true)), stub)).isEmpty();
    Objection factory = objections(rules(), "javax.rmi.ssl.SslRMIClientSocketFactory").get(0);
    assertThat(factory.advice()).contains("classes: ['javax.rmi.ssl.SslRMIClientSocketFactory']");
    CallRules without = rules(Entry.enforced().jmx(true).classes("!" + stub).rules());
    assertThat(objections(without, stub).get(0).advice()).contains("classes: ['" + stub + "']");
  }

  /** A reader of a FilePermission may look at the file. */
  @Test
  void permissionsAreForClients() {
    for (String permission : ValueTypes.FOR_CLIENTS) {
      assertThat(objections(rules(), permission)).as(permission).hasSize(1);
      assertThat(ValueTypes.NAMES).doesNotContain(permission);
    }
  }

  /** Of a call that names that class. */
  private static List<Objection> objections(CallRules rules, String className) {
    CallHeader header = new CallHeader(new ObjIdentifier(7, 1, 2, (short) 3), -1, 0);
    ScanResult seen =
        new ScanResult(
            new MessageEnd.Complete(0),
            List.of(new SeenClass(className, SeenClass.Role.DESCRIPTOR, true)),
            List.of(),
            List.of(),
            List.of(),
            new ScanResult.Figures(1, 1, 0, 0, 0, 0));
    return rules.call(header, seen, new byte[0], reference -> true, hash -> true);
  }

  @Test
  void whatWasLearntOfJmxIsRefusedUntilItIsGranted() {
    for (JmxGrant grant : JmxGrant.values()) {
      Note note = new Note("ann", "inside:1", Rule.METHOD, grant.subject(), grant.remedy());
      assertThat(rules().refuses(note)).isTrue();
      assertThat(rules(entry(Optional.empty(), false, true)).refuses(note)).isTrue();
      assertThat(rules(Entry.enforced().jmx(true).jmxGrants(grant).rules()).refuses(note))
          .isFalse();
    }
  }
}
