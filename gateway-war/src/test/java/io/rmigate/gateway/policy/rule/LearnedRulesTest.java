package io.rmigate.gateway.policy.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.gateway.config.GatewayConfig;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.policy.remote.InterfaceJars;
import io.rmigate.gateway.policy.remote.JmxGrant;
import io.rmigate.gateway.policy.rule.LearnedNotes.Note;
import io.rmigate.gateway.policy.rule.Objection.Rule;
import io.rmigate.gateway.policy.type.ClassOutline;
import io.rmigate.gateway.policy.type.ClassPattern;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.testing.ClassJar;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What mode learn notes, and the rules it asks for. */
class LearnedRulesTest {
  interface Shop extends Remote {
    void add(Order order) throws RemoteException;
  }

  interface Till extends Remote {
    void drop() throws RemoteException;
  }

  static final class Order implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  /** In no signature. */
  static final class Audit implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  @TempDir Path state;

  private static Objection ofClass(String name) {
    return new Objection(Rule.CLASS, name, "classes: ['" + name + "']");
  }

  @Test
  void eachNoteIsWrittenOnce() throws Exception {
    try (LearnedNotes notes = new LearnedNotes(state)) {
      notes.add("ann", "inside:1099", ofClass("com.acme.Order"));
      notes.add("ann", "inside:1099", ofClass("com.acme.Order"));
      notes.add("bob", "inside:1099", ofClass("com.acme.Order"));
      assertThat(notes.notes()).hasSize(2);
    }
    assertThat(LearnedNotes.read(state.resolve(LearnedNotes.FILE)))
        .extracting(Note::principal)
        .containsExactly("ann", "bob");
  }

  @Test
  void notesComeByPrincipalAndTargetWhateverWasLearntFirst() {
    List<Note> inOrder = new ArrayList<>();
    for (String principal : List.of("ann", "bob")) {
      for (String target : List.of("inside:1099", "inside:1100", "other:1099")) {
        inOrder.add(new Note(principal, target, Rule.CLASS, "com.acme.Item", "a"));
        inOrder.add(new Note(principal, target, Rule.CLASS, "com.acme.Order", "a"));
        inOrder.add(new Note(principal, target, Rule.CLASS, "com.acme.Order", "b"));
        inOrder.add(new Note(principal, target, Rule.NAME, "Shop", "a"));
      }
    }
    List<Note> asLearnt = new ArrayList<>(inOrder);
    Collections.shuffle(asLearnt, new Random(4));
    try (LearnedNotes notes = new LearnedNotes(state)) {
      for (Note note : asLearnt) {
        Objection objection = new Objection(note.rule(), note.subject(), note.remedy());
        notes.add(note.principal(), note.target(), objection);
      }
      assertThat(notes.notes()).isEqualTo(inOrder);
    }
  }

  @Test
  void whatWasLearntIsKnownAfterARestartAndNotWrittenAgain() throws Exception {
    try (LearnedNotes notes = new LearnedNotes(state)) {
      notes.add("ann", "inside:1099", ofClass("com.acme.Order"));
    }
    try (LearnedNotes notes = new LearnedNotes(state)) {
      notes.add("ann", "inside:1099", ofClass("com.acme.Order"));
      notes.add("bob", "inside:1099", ofClass("com.acme.Order"));
      assertThat(notes.notes()).extracting(Note::principal).containsOnly("ann", "bob");
    }
    assertThat(Files.readAllLines(state.resolve(LearnedNotes.FILE))).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "{}", "7", "{\"principal\": \"ann\"}", "{\"princ"})
  void whatIsNoNoteIsAnErrorToReadersAndKeepsNoGatewayFromStarting(String line) throws Exception {
    Path file = Files.writeString(state.resolve(LearnedNotes.FILE), line + "\n");
    assertThatThrownBy(() -> LearnedNotes.read(file)).isInstanceOf(IOException.class);
    try (LearnedNotes notes = new LearnedNotes(state)) {
      assertThat(notes.notes()).isEmpty();
    }
  }

  @Test
  void noteThatWasNotWrittenToItsEndSpoilsNoOther() throws Exception {
    Path file = state.resolve(LearnedNotes.FILE);
    try (LearnedNotes notes = new LearnedNotes(state)) {
      notes.add("ann", "inside:1099", ofClass("com.acme.Order"));
    }
    Files.writeString(file, "{\"principal\": \"b", StandardOpenOption.APPEND);
    try (LearnedNotes notes = new LearnedNotes(state)) {
      notes.add("bob", "inside:1099", ofClass("com.acme.Order"));
      assertThat(notes.notes()).extracting(Note::principal).containsOnly("ann", "bob");
    }
    assertThat(LearnedNotes.read(file)).extracting(Note::principal).containsExactly("ann", "bob");
  }

  @Test
  void whereNothingWasLearntNothingIsRead() throws Exception {
    assertThat(LearnedNotes.read(state.resolve(LearnedNotes.FILE))).isEmpty();
  }

  private static final String INSIDE = "inside:1099";
  private static final String OTHER = "inside:2099";

  private static String yaml(Note... notes) {
    return LearnedRules.yaml(List.of(notes), ClassSettings.DEFAULT, InterfaceJars.NONE);
  }

  private static Note note(String principal, String target, Objection need) {
    return new Note(principal, target, need.rule(), need.subject(), need.remedy());
  }

  private static Note asked(String principal, String target, String name) {
    return note(
        principal,
        target,
        RequiredPermissions.operation(RegistryOperation.LOOKUP, Optional.of(name)).stream()
            .filter(need -> need.rule() == Rule.NAME)
            .findFirst()
            .orElseThrow());
  }

  private static Note asked(String principal, String target, RegistryOperation operation) {
    return note(
        principal, target, RequiredPermissions.operation(operation, Optional.empty()).get(0));
  }

  private static Note called(String principal, String target, String name, String descriptor) {
    String hash = MethodRules.number(ClassOutline.hash(name, descriptor));
    return new Note(principal, target, Rule.METHOD, hash + " …", "");
  }

  @Test
  void whereNoNameCanBeSaidNoneIsPermitted() {
    String yaml =
        yaml(
            asked("ann", INSIDE, RegistryOperation.LOOKUP),
            asked("ann", INSIDE, RegistryOperation.REBIND),
            asked("ann", INSIDE, "a*"));
    assertThat(yaml)
        .contains("registry: []")
        .contains("registry-operation lookup", "registry-operation rebind", "registry-name a*")
        .doesNotContain("names:");
  }

  @Test
  void whatWasReachedByAnotherWordIsNoEntry() {
    String target = "127.0.0.1:8080";
    String yaml =
        yaml(
            note("ann", target, RequiredPermissions.otherTarget(target)),
            asked("ann", target, RegistryOperation.LIST),
            new Note("ann", target, Rule.CLASS, "com.acme.Order", OF_CLASS));
    assertThat(yaml).contains("# Not allowed by a line: target " + target).doesNotContain("allow:");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a:g:5", "1:2:3"})
  void whatIsNoTargetIsNoEntry(String target) {
    assertThat(yaml(asked("ann", target, RegistryOperation.LIST))).doesNotContain("allow:");
  }

  @Test
  void whoDoesVeryMuchLeavesRoomForOthersAndIsSaidToHaveDoneMore() throws Exception {
    try (LearnedNotes notes = new LearnedNotes(state)) {
      for (int i = 0; i <= LearnedNotes.MAX_NOTES_OF_ONE; i++) {
        notes.add("ann", INSIDE, ofClass("com.acme.Order" + i));
      }
      notes.add("bob", INSIDE, ofClass("com.acme.Order"));

      assertThat(notes.notes()).hasSize(LearnedNotes.MAX_NOTES_OF_ONE + 1);
      assertThat(yaml(notes.notes().toArray(Note[]::new)))
          .contains("# Incomplete: as many notes as are kept of one: ann")
          .contains("principals: ['bob']");
    }
  }

  /** Its jar shows where its data end. */
  @SuppressWarnings("serial")
  public static class Tag implements Externalizable {
    @Override
    public void writeExternal(ObjectOutput out) {}

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      in.readInt();
    }
  }

  /** Its jar does not. */
  @SuppressWarnings("serial")
  public static class Odd extends Tag {
    @Override
    public void readExternal(ObjectInput in) throws IOException {
      if (in.available() > 0) {
        in.readInt();
      }
    }
  }

  private static final String OF_CLASS = "classes: …";
  private static final String OF_SHAPE = "its jar in classes.interfaces, or opaque: …";

  /** What two do at two places, with an application's classes and methods. */
  private static List<Note> twoAtTwo() {
    String order = Order.class.getName();
    String audit = Audit.class.getName();
    return List.of(
        asked("bob", OTHER, "Till"),
        asked("bob", OTHER, RegistryOperation.LOOKUP),
        asked("ann", INSIDE, "Shop"),
        asked("ann", INSIDE, "Cellar"),
        asked("ann", INSIDE, RegistryOperation.LOOKUP),
        asked("ann", OTHER, RegistryOperation.LIST),
        asked("bob", INSIDE, "Shop"),
        asked("bob", INSIDE, RegistryOperation.LOOKUP),
        called("ann", INSIDE, "add", "(L" + order.replace('.', '/') + ";)V"),
        called("bob", OTHER, "drop", "()V"),
        new Note("ann", INSIDE, Rule.CLASS, order, OF_CLASS),
        new Note("ann", INSIDE, Rule.SHAPE, order, OF_SHAPE),
        new Note("bob", OTHER, Rule.CLASS, audit, OF_CLASS),
        new Note("bob", OTHER, Rule.SHAPE, audit, OF_SHAPE));
  }

  @Test
  void everyPrincipalGetsAtEachTargetWhatItHasUsedThereAndNothingElse() throws Exception {
    List<Note> notes = twoAtTwo();
    String yaml = yaml(notes.toArray(Note[]::new));
    assertThat(yaml)
        .isEqualTo(
            """
            classes:
              mode: enforce
            targets: # in place of the entries that were learning
              - principals: ['ann']
                allow: ['inside:1099']
                registry: [lookup]
                names:
                  - 'Cellar'
                  - 'Shop'
                classes:
                  - '%1$s'
                # Better: their jars in a directory named by classes.interfaces.
                # A call that carries one goes alone on a connection: out of order, and to
                # another thread of the server.
                opaque:
                  - '%1$s'
              - principals: ['ann']
                allow: ['inside:2099']
                registry: [list]
              - principals: ['bob']
                allow: ['inside:1099']
                registry: [lookup]
                names:
                  - 'Shop'
              - principals: ['bob']
                allow: ['inside:2099']
                registry: [lookup]
                names:
                  - 'Till'
                classes:
                  - '%2$s'
                # Better: their jars in a directory named by classes.interfaces.
                # A call that carries one goes alone on a connection: out of order, and to
                # another thread of the server.
                opaque:
                  - '%2$s'
            """
                .formatted(Order.class.getName(), Audit.class.getName()));
    assertThat(load(yaml)).hasSize(4);
    List<Note> reversed = new ArrayList<>(notes);
    Collections.reverse(reversed);
    assertThat(yaml(reversed.toArray(Note[]::new))).isEqualTo(yaml);
  }

  @Test
  void whereThereAreJarsMethodsAreNamedAndClassesNeedNotBeOpaque() throws Exception {
    Path jars = ClassJar.in(state, Shop.class, Till.class, Order.class, Audit.class);
    ClassSettings settings =
        new ClassSettings(
            ClassMode.LEARN,
            List.of(ClassPattern.parse("com.acme.**").orElseThrow()),
            List.of("com.acme.Blob"),
            Optional.of(jars),
            1 << 20);
    String yaml = Rulebook.of(settings, LearningLog.NOTHING).learnedRules(twoAtTwo());
    assertThat(yaml)
        .isEqualTo(
            """
            classes:
              mode: enforce
              interfaces: '%4$s'
              call-limit: 1048576B
              allow:
                - 'com.acme.**'
              opaque:
                - 'com.acme.Blob'
            targets: # in place of the entries that were learning
              - principals: ['ann']
                allow: ['inside:1099']
                registry: [lookup]
                names:
                  - 'Cellar'
                  - 'Shop'
                methods:
                  - '%1$s.add(%3$s)'
              - principals: ['ann']
                allow: ['inside:2099']
                registry: [list]
                methods:
                  - '!%1$s.*'
                  - '!%2$s.*'
              - principals: ['bob']
                allow: ['inside:1099']
                registry: [lookup]
                names:
                  - 'Shop'
                methods:
                  - '!%1$s.*'
                  - '!%2$s.*'
              - principals: ['bob']
                allow: ['inside:2099']
                registry: [lookup]
                names:
                  - 'Till'
                methods:
                  - '%2$s.drop()'
                classes:
                  - '%5$s'
            """
                .formatted(
                    Shop.class.getName(),
                    Till.class.getName(),
                    Order.class.getName(),
                    jars,
                    Audit.class.getName()));
    assertThat(load(yaml)).hasSize(4);
  }

  /** The entries, as a gateway reads them. */
  private List<TargetGrant> load(String rules) throws Exception {
    Path file = state.resolve("rmigate.yaml");
    Files.writeString(file, "logins:\n  anonymous: true\n" + rules);
    return GatewayConfig.load(file, Map.of()).policy().targets();
  }

  /** The jars may come after learning. */
  @Test
  void anExternalizableIsOpaqueOnlyWhereItsJarDoesNotShowWhereItEnds() throws Exception {
    String remedy = "its jar in classes.interfaces, or opaque: …";
    List<Note> notes =
        List.of(
            new Note("ann", INSIDE, Rule.UNREADABLE, Tag.class.getName(), remedy),
            new Note("ann", INSIDE, Rule.UNREADABLE, Odd.class.getName(), remedy));
    Path jars = ClassJar.in(state, Shop.class, Tag.class, Odd.class);
    String with =
        LearnedRules.yaml(
            notes, ClassSettings.DEFAULT.withInterfaces(jars), InterfaceJars.of(jars));
    assertThat(load(with).get(0).calls().get(OpaqueRule.KEY)).containsExactly(Odd.class.getName());
    assertThat(with).contains("goes alone on a connection", "# its jar is there, but not enough");
    String without = LearnedRules.yaml(notes, ClassSettings.DEFAULT, InterfaceJars.NONE);
    assertThat(load(without).get(0).calls().get(OpaqueRule.KEY))
        .containsExactlyInAnyOrder(Tag.class.getName(), Odd.class.getName());
  }

  @Test
  void aClassThatIsNotAsItsJarSaysStaysOpaque() throws Exception {
    Path jars = ClassJar.in(state, Shop.class, Order.class);
    String yaml =
        LearnedRules.yaml(
            List.of(
                new Note("ann", INSIDE, Rule.SHAPE, Order.class.getName(), "opaque: …"),
                called("ann", INSIDE, "nobody", "()V")),
            ClassSettings.DEFAULT.withInterfaces(jars),
            InterfaceJars.of(jars));
    assertThat(yaml)
        .contains(
            "    opaque:\n      - '"
                + Order.class.getName()
                + "' # its jar is there, but not enough: docs/explanation/classes.md\n")
        .contains("# Not allowed by a line: method ")
        .doesNotContain("Better: their jars");
    assertThat(load(yaml).get(0).calls().get(OpaqueRule.KEY))
        .containsExactly(Order.class.getName());
  }

  @Test
  void whatARegistryHasNamedIsUnderItsEntryUnlessItWasReachedWithoutIt() {
    Note listed = asked("ann", INSIDE, RegistryOperation.LOOKUP);
    Note named = note("ann", "Inside:4711", RequiredPermissions.namedBy(INSIDE));
    Note carried = new Note("ann", "inside:4711", Rule.CLASS, "com.acme.Order", OF_CLASS);
    String under =
        """
        classes:
          mode: enforce
        targets: # in place of the entries that were learning
          - principals: ['ann']
            allow: ['inside:1099']
            registry: [lookup]
            names:
              - 'Shop'
            classes:
              - 'com.acme.Order'
        """;
    Note shop = asked("ann", INSIDE, "Shop");
    assertThat(yaml(listed, shop, named, carried)).isEqualTo(under);
    assertThat(
            yaml(
                listed,
                shop,
                named,
                carried,
                note("ann", "inside:4711", RequiredPermissions.target("inside:4711"))))
        .endsWith(
            """
            targets: # in place of the entries that were learning
              - principals: ['ann']
                allow: ['inside:1099']
                registry: [lookup]
                names:
                  - 'Shop'
              - principals: ['ann']
                allow: ['inside:4711']
                registry: []
                classes:
                  - 'com.acme.Order'
            """);
    assertThat(yaml(named, carried)).contains("allow: ['inside:4711']");
  }

  @Test
  void objectsThatNobodyHasGivenAreCalledByALineOnceForAll() {
    Note listed = asked("ann", INSIDE, RegistryOperation.LOOKUP);
    Note shop = asked("ann", INSIDE, "Shop");
    Note object = note("ann", INSIDE, RequiredPermissions.anyObjects());
    assertThat(yaml(listed, shop, object))
        .endsWith(
            """
                names:
                  - 'Shop'
                received-objects: false # objects were called that no server had given this way
            """);
    assertThat(yaml(listed, shop)).doesNotContain("received-objects");
  }

  @Test
  void whatAServerHandedOutAtANewPortIsUnderTheEntryOfTheRegistryThatNamedTheServer() {
    Note listed = asked("ann", INSIDE, RegistryOperation.LOOKUP);
    Note shop = asked("ann", INSIDE, "Shop");
    Note handedOut = note("ann", "inside:4711", RequiredPermissions.newPort("Inside:1099"));
    Note carried = new Note("ann", "inside:4711", Rule.CLASS, "com.acme.Order", OF_CLASS);
    assertThat(yaml(listed, shop, handedOut, carried))
        .isEqualTo(
            """
            classes:
              mode: enforce
            targets: # in place of the entries that were learning
              - principals: ['ann']
                allow: ['inside:1099']
                registry: [lookup]
                names:
                  - 'Shop'
                new-ports: true
                classes:
                  - 'com.acme.Order'
            """);
    assertThat(yaml(handedOut, carried))
        .contains("allow: ['inside:4711']\n    registry: []\n    classes:")
        .doesNotContain("new-ports");
  }

  @Test
  void whatCallbacksCarryIsForTheTargetsThatWereGivenAnObjectToCall() {
    Note carried =
        new Note("ann", RequiredPermissions.CALLBACKS, Rule.CLASS, "com.acme.Event", OF_CLASS);
    Note one = asked("ann", INSIDE, RegistryOperation.LIST);
    Note other = asked("ann", OTHER, RegistryOperation.LIST);
    Note bobs = asked("bob", OTHER, RegistryOperation.LIST);
    assertThat(yaml(carried, one, other, bobs, note("ann", OTHER, RequiredPermissions.callbacks())))
        .containsOnlyOnce("com.acme.Event")
        .contains("allow: ['inside:2099']\n    registry: [list]\n    classes:\n");
    assertThat(yaml(carried)).contains("# Not allowed by a line: class com.acme.Event # ann");
  }

  @ParameterizedTest
  @CsvSource({
    "DROP, , ''",
    "KEEP, , 'codebases: keep'",
    "REFUSE, , 'codebases: refuse'",
    "REFUSE, DROP, 'codebases: drop # bob at inside:1099'",
    "REFUSE, KEEP, 'codebases: keep # bob at inside:1099'",
    "DROP, KEEP, 'codebases: keep # bob at inside:1099'",
    "KEEP, KEEP, 'codebases: keep'",
  })
  void ofCodebasesIsSaidWhatLetsThemPass(Codebases set, Codebases noted, String line)
      throws IOException {
    Rulebook book = Rulebook.of(ClassSettings.DEFAULT.withCodebases(set), LearningLog.NOTHING);
    List<Note> notes =
        noted == null
            ? List.of()
            : List.of(new Note("bob", INSIDE, Rule.STREAM, "CODEBASE", noted.line()));
    assertThat(book.learnedRules(notes).lines().filter(each -> each.contains("codebases")))
        .containsExactlyElementsOf(line.isEmpty() ? List.of() : List.of("  " + line));
    assertThat(notes)
        .allMatch(
            note ->
                book.rules(List.of(Entry.enforced().rules())).refuses(note) == line.contains("#"));
  }

  @Test
  void whatIsLongOrHasCodebasesOrReferencesIsSaidWhereItCanBe() throws Exception {
    String yaml =
        yaml(
            new Note("ann", INSIDE, Rule.REFERENCE, "far:7", "…"),
            new Note("ann", INSIDE, Rule.REFERENCE, "fe80::1:7", "…"),
            new Note("ann", INSIDE, Rule.UNREADABLE, "…", LengthRule.LONG_CALLS),
            new Note("bob", INSIDE, Rule.UNREADABLE, "…", LengthRule.STREAM),
            new Note("bob", INSIDE, Rule.STREAM, "CODEBASE", Codebases.KEEP.line()),
            new Note("ann", INSIDE, Rule.STREAM, "TOO_DEEP x", ""));
    assertThat(yaml)
        .isEqualTo(
            """
            classes:
              mode: enforce
              codebases: keep # bob at inside:1099
            targets: # in place of the entries that were learning
              - principals: ['ann']
                allow: ['inside:1099']
                registry: []
                references:
                  - '[fe80::1]:7'
                  - 'far:7'
                call-limit: 64MiB
              - principals: ['bob']
                allow: ['inside:1099']
                registry: []
                stream: true
            # Not allowed by a line: stream TOO_DEEP x # ann at inside:1099
            """);
    assertThat(load(yaml)).hasSize(2);
  }

  @Test
  void jmxIsALineOfAnEntryWhichItsClassesNeedNoMore() throws Exception {
    String yaml =
        yaml(
            new Note("ann", "inside:9010", Rule.METHOD, "0123456789abcdef x", "jmx: true"),
            new Note("ann", "inside:9010", Rule.CLASS, "javax.management.ObjectName", OF_CLASS),
            note("ann", "inside:9010", MethodRules.missing(JmxGrant.CLASS_LOADING)));
    assertThat(yaml)
        .isEqualTo(
            """
            classes:
              mode: enforce
            targets: # in place of the entries that were learning
              - principals: ['ann']
                allow: ['inside:9010']
                registry: []
                jmx: true
                jmx-grants: [class-loading]
            """);
    assertThat(load(yaml)).hasSize(1);
  }

  @Test
  void whoOnlyReadsByJmxMayOnlyRead() throws Exception {
    Note read = new Note("ann", "inside:9010", Rule.METHOD, "0123456789abcdef x", "jmx: read");
    Note full = new Note("ann", "inside:9010", Rule.METHOD, "0123456789abcdee y", "jmx: true");
    assertThat(yaml(read)).contains("    jmx: read\n");
    for (String both : List.of(yaml(read, full), yaml(full, read))) {
      assertThat(both).contains("    jmx: true\n").doesNotContain("jmx: read");
    }
    assertThat(load(yaml(read))).hasSize(1);
  }

  @Test
  void whatIsNoNameBecomesNoRule() throws Exception {
    String yaml =
        yaml(
            new Note("ann", INSIDE, Rule.CLASS, "org.apache.**", "…"),
            new Note("ann", INSIDE, Rule.CLASS, "a'b", "…"),
            new Note("ann", INSIDE, Rule.SHAPE, "!com.acme.Order", "…"),
            new Note("ann", INSIDE, Rule.CLASS, "a\nb", "…"),
            new Note("ann", INSIDE, Rule.REFERENCE, "*:7", "…"),
            new Note("ann", INSIDE, Rule.REFERENCE, "a'b:7", "…"),
            new Note("ann", INSIDE, Rule.REFERENCE, "a:70000", "…"),
            asked("ann", INSIDE, "it's"),
            asked("ann", INSIDE, "all*"),
            asked("ann", INSIDE, "two\nlines"),
            asked("ann", "*:1099", RegistryOperation.LIST),
            asked("*", INSIDE, RegistryOperation.LIST),
            asked("o'neill", INSIDE, RegistryOperation.LIST),
            asked("b\nc", INSIDE, RegistryOperation.LIST));
    assertThat(yaml)
        .isEqualTo(
            """
            classes:
              mode: enforce
            targets: # in place of the entries that were learning
              - principals: ['ann']
                allow: ['inside:1099']
                registry: []
                names:
                  - 'it''s'
              - principals: ['o''neill']
                allow: ['inside:1099']
                registry: [list]
            # Not allowed by a line: class a?b # ann at inside:1099
            # Not allowed by a line: class a'b # ann at inside:1099
            # Not allowed by a line: class org.apache.** # ann at inside:1099
            # Not allowed by a line: class-shape !com.acme.Order # ann at inside:1099
            # Not allowed by a line: reference *:7 # ann at inside:1099
            # Not allowed by a line: reference a'b:7 # ann at inside:1099
            # Not allowed by a line: reference a:70000 # ann at inside:1099
            # Not allowed by a line: registry-name all* # ann at inside:1099
            # Not allowed by a line: registry-name two?lines # ann at inside:1099
            # Not allowed by a line: target *:1099 # ann at *:1099
            # Not allowed by a line: target inside:1099 # * at inside:1099, b?c at inside:1099
            """);
    assertThat(load(yaml)).hasSize(2);
  }

  private static LearnedPolicy learnt(Note... notes) {
    return LearnedRules.learnt(List.of(notes), ClassSettings.DEFAULT, InterfaceJars.NONE);
  }

  @Test
  void namesOfAnyScriptAreRulesAndListsShowWhatTheyShowed() throws Exception {
    LearnedPolicy learnt =
        learnt(
            asked("ann", INSIDE, RegistryOperation.LIST),
            asked("ann", INSIDE, RegistryOperation.LOOKUP),
            asked("ann", INSIDE, "Küche/größe $1"),
            asked("ann", INSIDE, "オーブン"));
    assertThat(learnt.sections())
        .contains("    registry: [list, lookup]\n    names:\n")
        .contains("      - 'Küche/größe $1'\n      - 'オーブン'\n    list-all: true\n");
    assertThat(learnt.gaps()).isEmpty();
    TargetGrant entry = load(learnt.sections()).get(0);
    assertThat(entry.calls().get(NameRule.KEY)).containsExactly("Küche/größe $1", "オーブン");
    assertThat(entry.calls().get(NameRule.LIST_ALL)).isTrue();
  }

  @Test
  void anObjectAtAnEphemeralPortIsTheClientsAndNoReferenceUnlessAServerIsThere() {
    Note own = new Note("ann", INSIDE, Rule.REFERENCE, "127.0.0.1:41234", "…");
    Note ofClient = new Note("ann", OTHER, Rule.REFERENCE, "desk7:50001", "…");
    Note ofServer = new Note("ann", INSIDE, Rule.REFERENCE, "inside:50001", "…");
    Note fixed = new Note("ann", INSIDE, Rule.REFERENCE, "127.0.0.1:18777", "…");
    Note carried =
        new Note("ann", RequiredPermissions.CALLBACKS, Rule.CLASS, "com.acme.Event", OF_CLASS);
    Note lists = asked("bob", INSIDE, RegistryOperation.LIST);
    LearnedPolicy learnt = learnt(own, ofClient, ofServer, fixed, carried, lists);
    assertThat(learnt.callbacks()).isEqualTo(Map.of("ann", Set.of()));
    assertThat(learnt.callers()).containsExactly("inside");
    assertThat(learnt.sections())
        .contains("    references:\n      - '127.0.0.1:18777'\n      - 'inside:50001'\n")
        .contains("com.acme.Event")
        .doesNotContain("41234", "desk7");
    assertThat(learnt.gaps()).isEmpty();
  }

  @Test
  void aPortThatIsAskedForByNumberIsExplicitUnlessItIsAnEphemeralOne() {
    LearnedPolicy learnt =
        learnt(
            asked("ann", INSIDE, RegistryOperation.LIST),
            note("ann", RequiredPermissions.CALLBACKS, RequiredPermissions.callbackPort(1099)),
            note("ann", RequiredPermissions.CALLBACKS, RequiredPermissions.callbackPort(40_123)));
    assertThat(learnt.callbacks()).isEqualTo(Map.of("ann", Set.of(1099)));
    assertThat(learnt.gaps())
        .extracting(LearnedPolicy.Gap::line)
        .containsExactly(
            "reference port 40123 (ann at callbacks): the program asks for a port that JVMs are"
                + " given at random; let it ask for none");
  }

  @Test
  void whatNoLineAllowsIsAGapWithAReason() {
    LearnedPolicy learnt =
        learnt(
            asked("ann", INSIDE, RegistryOperation.LOOKUP),
            asked("ann", INSIDE, "all*"),
            new Note("ann", INSIDE, Rule.STREAM, "ODD_REFERENCE x", ""),
            note("ann", "127.0.0.1:80", RequiredPermissions.otherTarget("127.0.0.1:80")));
    assertThat(learnt.gaps())
        .allSatisfy(gap -> assertThat(gap.why()).isNotEmpty())
        .extracting(LearnedPolicy.Gap::what)
        .containsExactly(
            "registry-name all*",
            "registry-operation lookup",
            "stream ODD_REFERENCE x",
            "target 127.0.0.1:80");
  }

  @Test
  void ofLongNamesOnlyTheBeginningIsKept() {
    Objection objection = new Objection(Rule.SHAPE, "com.acme." + "x".repeat(60_000), "");
    assertThat(objection.subject()).hasSize(256).startsWith("com.acme.x").endsWith("x...");
  }
}
