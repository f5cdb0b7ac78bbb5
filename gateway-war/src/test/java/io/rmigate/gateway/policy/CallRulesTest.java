package io.rmigate.gateway.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.policy.LearnedNotes.Note;
import io.rmigate.gateway.policy.Objection.Rule;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the entries of a configuration come together. */
class CallRulesTest {

  private static EntryRules entry(Optional<ClassMode> mode, String... classes) {
    return new EntryRules(
        mode,
        Arrays.stream(classes).map(text -> ClassPattern.parse(text).orElseThrow()).toList(),
        List.of("com.acme.Opaque"),
        List.of("far.example:7"),
        List.of(),
        OptionalInt.empty(),
        false,
        false,
        false);
  }

  private static CallRules rules(EntryRules... entries) {
    return Rulebook.NONE.rules(List.of(entries));
  }

  @Test
  void withoutAWordNothingIsLookedInto() {
    assertThat(rules(EntryRules.NONE).looks()).isFalse();
  }

  @Test
  void anEntryThatAllowsClassesMeansThatOthersAreRefused() {
    assertThat(rules(entry(Optional.empty(), "com.acme.Order")).enforces()).isTrue();
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
    "java.net.URL, false",
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
}
