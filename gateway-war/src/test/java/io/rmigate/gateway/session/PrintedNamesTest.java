package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.limit.LockoutSettings;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.rule.LearnedNotes;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.testing.LogLines;
import io.rmigate.protocol.tunnel.CloseCause;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tokens may have any character in a name; a log line stays one (THREATS T56). */
class PrintedNamesTest {
  private static final String NAME = "ann\n12:00 INFO target opened to bob\u202e";

  @RegisterExtension final SessionBed bed = new SessionBed();
  @TempDir Path directory;

  private static void assertOneLineEach(LogLines lines) {
    assertThat(lines.all())
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line).doesNotContainPattern("[\\p{Cntrl}\u202e]"))
        .anySatisfy(line -> assertThat(line).contains("ann?12:00 INFO target opened to bob?"));
  }

  @ParameterizedTest
  @EnumSource(Principal.Scheme.class)
  void aNameBeginsNoOtherLineInTheLogOfASession(Principal.Scheme scheme) throws Exception {
    try (LogLines lines = new LogLines("io.rmigate.gateway")) {
      TestAgent agent = bed.stranger(new Principal(NAME, scheme));
      agent.hello();
      agent.awaitWelcome();
      agent.open(1, "elsewhere.example", 1099);
      agent.request(1, Calls.list());
      for (int i = 0; i < LockoutSettings.DEFAULTS.after(); i++) {
        agent.open(2 * i + 3, bed.scripted(FailurePolicy.NONE).port());
        agent.request(2 * i + 3, new byte[] {(byte) i, 1, 2});
      }
      agent.session().end(CloseCause.DONE, "");
      assertThat(bed.registry().lockouts()).hasSize(1);
      assertOneLineEach(lines);
    }
  }

  @Test
  void aNameBeginsNoOtherLineWhereItIsNotedWhatIsNeeded() throws Exception {
    try (LogLines lines = new LogLines("io.rmigate.gateway");
        LearnedNotes notes = new LearnedNotes(directory.resolve("learned"))) {
      notes.add(NAME, "inside:1099", new Objection(Objection.Rule.CLASS, "com.acme.Order", ""));
      assertOneLineEach(lines);
    }
  }
}
