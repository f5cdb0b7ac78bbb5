package io.rmigate.gateway.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.gateway.policy.LearnedNotes.Note;
import io.rmigate.gateway.policy.Objection.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What mode learn notes, and the rules it asks for. */
class LearnedRulesTest {
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

  @Test
  void rulesAreExactNamesWithWhoNeedsThem() {
    String yaml =
        LearnedRules.yaml(
            List.of(
                new Note("bob", "inside:1099", Rule.CLASS, "com.acme.Order", "…"),
                new Note("ann", "inside:1099", Rule.CLASS, "com.acme.Order", "…"),
                new Note("ann", "inside:1099", Rule.SHAPE, "com.acme.Order", "…"),
                new Note("ann", "inside:1099", Rule.REFERENCE, "far:7", "…"),
                new Note("ann", "inside:1099", Rule.UNREADABLE, "…", CallRules.LONG_CALLS),
                new Note("bob", "inside:1099", Rule.STREAM, "CODEBASE", CallRules.CODEBASES),
                new Note("ann", "inside:1099", Rule.STREAM, "TOO_DEEP x", "")));
    assertThat(yaml)
        .isEqualTo(
            """
            classes:
              mode: enforce
              call-limit: 64MiB # ann at inside:1099
              codebases: true # bob at inside:1099
              allow:
                - 'com.acme.Order' # ann at inside:1099, bob at inside:1099
              # Better: their jars in a directory named by interfaces.
              opaque:
                - 'com.acme.Order' # ann at inside:1099
            # In the targets entries of those who need them:
            #   references: ['far:7'] # ann at inside:1099
            # Not allowed by a line: stream TOO_DEEP x # ann at inside:1099
            """);
  }

  @Test
  void jmxIsALineOfAnEntry() {
    assertThat(
            LearnedRules.yaml(
                List.of(
                    new Note("ann", "inside:9010", Rule.METHOD, "0123456789abcdef x", "jmx: true"),
                    new Note(
                        "ann",
                        "inside:9010",
                        Rule.METHOD,
                        "JMX class-loading",
                        "jmx-grants: [class-loading]"))))
        .isEqualTo(
            """
            classes:
              mode: enforce
            # In the targets entries of those who need them:
            #   jmx-grants: [class-loading] # ann at inside:9010
            #   jmx: true # ann at inside:9010
            """);
  }

  @Test
  void whatIsNoNameBecomesNoRule() {
    String yaml =
        LearnedRules.yaml(
            List.of(
                new Note("ann", "inside:1099", Rule.CLASS, "org.apache.**", "…"),
                new Note("ann", "inside:1099", Rule.CLASS, "a'b", "…"),
                new Note("ann", "inside:1099", Rule.SHAPE, "!com.acme.Order", "…"),
                new Note("ann", "inside:1099", Rule.CLASS, "a\nb", "…"),
                new Note("ann", "inside:1099", Rule.REFERENCE, "*:7", "…"),
                new Note("ann", "inside:1099", Rule.REFERENCE, "a'b:7", "…")));
    assertThat(yaml)
        .isEqualTo(
            """
            classes:
              mode: enforce
            # Not allowed by a line: class a?b # ann at inside:1099
            # Not allowed by a line: class a'b # ann at inside:1099
            # Not allowed by a line: class org.apache.** # ann at inside:1099
            # Not allowed by a line: class-shape !com.acme.Order # ann at inside:1099
            # Not allowed by a line: reference *:7 # ann at inside:1099
            # Not allowed by a line: reference a'b:7 # ann at inside:1099
            """);
  }

  @Test
  void ofLongNamesOnlyTheBeginningIsKept() {
    Objection objection = new Objection(Rule.SHAPE, "com.acme." + "x".repeat(60_000), "");
    assertThat(objection.subject()).hasSize(256).startsWith("com.acme.x").endsWith("x...");
  }
}
