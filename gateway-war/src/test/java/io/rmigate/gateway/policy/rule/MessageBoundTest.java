package io.rmigate.gateway.policy.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.config.GatewayConfig;
import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.policy.rule.LearnedNotes.Note;
import io.rmigate.gateway.scan.Finding;
import io.rmigate.gateway.scan.ScanResult;
import io.rmigate.protocol.jrmp.CallBytes;
import io.rmigate.protocol.jrmp.message.CallHeader;
import java.io.IOException;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bounds of messages: each has a key, and mode learn finds the line that is enough. */
class MessageBoundTest {
  private static final String PRINCIPAL = "ann";
  private static final String TARGET = "inside:1099";

  @TempDir Path directory;

  private static Rulebook rulebook(ClassMode mode, Map<MessageBound, Integer> bounds)
      throws IOException {
    ClassSettings settings =
        new ClassSettings(mode, List.of(), List.of(), Optional.empty(), ClassSettings.CALL_LIMIT);
    return Rulebook.of(settings.withBounds(bounds), LearningLog.NOTHING);
  }

  private static List<Objection> objections(Rulebook rulebook, byte[] call) {
    CallRules rules = rulebook.rules(List.of());
    ScanResult seen = rules.scanner().request(call, 0, call.length);
    CallHeader header = CallHeader.decode(call, 0, call.length).orElseThrow();
    return rules.call(header, seen, call, reference -> true, hash -> true);
  }

  private static byte[] numbers(int count) {
    List<Object> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add((long) i);
    }
    return CallBytes.callWith(all);
  }

  /** Sets within each other, each told twice. */
  private static byte[] sharedSets(int depth) {
    Set<Object> last = new HashSet<>(List.of("x"));
    for (int i = 0; i < depth; i++) {
      Set<Object> next = new HashSet<>();
      next.add(last);
      next.add(List.of(last));
      last = next;
    }
    return CallBytes.callWith(last);
  }

  private void assertLearnedAtOnce(
      MessageBound bound, int configured, byte[] call, String refusedAs) throws Exception {
    Rulebook enforcing = rulebook(ClassMode.ENFORCE, Map.of(bound, configured));
    List<Objection> refused = objections(enforcing, call);
    assertThat(refused).extracting(Objection::subject).allMatch(s -> s.startsWith(refusedAs));
    assertThat(refused.get(0).isHostile()).isFalse();
    assertThat(refused.get(0).advice())
        .matches("to allow it add \"" + bound.key() + ": \\d+\" to classes");

    Rulebook learning = rulebook(ClassMode.LEARN, Map.of(bound, configured));
    List<Note> notes =
        objections(learning, call).stream()
            .map(o -> new Note(PRINCIPAL, TARGET, o.rule(), o.subject(), o.remedy()))
            .toList();
    assertThat(notes).isNotEmpty();
    LearnedPolicy learnt = learning.learnt(notes);
    assertThat(learnt.gaps().isEmpty()).isEqualTo(!bound.hides());
    assertThat(learnt.sections()).containsOnlyOnce("  " + bound.key() + ": ");
    Path file =
        Files.writeString(
            directory.resolve("rmigate.yaml"),
            "logins:\n  anonymous: true\n"
                + learnt.sections()
                + "targets:\n  - {principals: ['*'], allow: ['inside:*']}\n");
    ClassSettings pasted = GatewayConfig.load(file, Map.of()).policy().classes();
    assertThat(objections(Rulebook.of(pasted, LearningLog.NOTHING), call)).isEmpty();
    assertThat(notes)
        .allMatch(note -> enforcing.rules(List.of()).refuses(note))
        .noneMatch(note -> note.rule() == Objection.Rule.STREAM && rulesOf(pasted).refuses(note));
  }

  private static CallRules rulesOf(ClassSettings settings) {
    try {
      return Rulebook.of(settings, LearningLog.NOTHING).rules(List.of());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void objectsBeyondTheLimitPassByTheLineThatIsLearned() throws Exception {
    assertLearnedAtOnce(MessageBound.OBJECTS, 1000, numbers(5000), "TOO_MANY_OBJECTS");
  }

  @Test
  void whatIsHashedBeyondTheLimitPassesByTheLineThatIsLearned() throws Exception {
    assertLearnedAtOnce(MessageBound.HASHING, 1000, sharedSets(16), "TOO_MUCH_HASHING");
  }

  /** What is beyond the bound is not kept, so that it is said that another round is needed. */
  @Test
  void proxiesBeyondTheLimitPassByTheLineThatIsLearnedInAnotherRound() throws Exception {
    List<Class<?>> interfaces =
        List.of(Comparable.class, Iterable.class, Runnable.class, CharSequence.class);
    List<Object> proxies = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      Class<?>[] list = {interfaces.get(i % 4), interfaces.get((i % 4 + 1 + i / 4) % 4)};
      proxies.add(
          Proxy.newProxyInstance(
              MessageBoundTest.class.getClassLoader(),
              list,
              (InvocationHandler & Serializable) (p, m, a) -> null));
    }
    CallRules rules =
        rulebook(ClassMode.ENFORCE, Map.of(MessageBound.PROXIES, 10)).rules(List.of());
    byte[] call = CallBytes.callWith(new ArrayList<>(proxies));
    assertThat(rules.scanner().request(call, 0, call.length).findings())
        .anyMatch(finding -> finding.kind() == Finding.Kind.TOO_MANY_PROXY_CLASSES);
    Note note =
        new Note(
            PRINCIPAL,
            TARGET,
            Objection.Rule.STREAM,
            "TOO_MANY_PROXY_CLASSES more than 10",
            MessageBound.PROXIES.remedyBeyond(10));
    Rulebook first = rulebook(ClassMode.LEARN, Map.of(MessageBound.PROXIES, 10));
    assertThat(first.learnt(List.of(note)).sections()).contains("  proxy-limit: 32 # ann");
    assertThat(first.learnt(List.of(note)).gaps())
        .extracting(LearnedPolicy.Gap::line)
        .containsExactly(
            "what is beyond proxy-limit 10: it was not looked into: paste these rules and learn"
                + " once more");
    Rulebook second = rulebook(ClassMode.LEARN, Map.of(MessageBound.PROXIES, 32));
    assertThat(second.learnt(List.of(note)).sections()).contains("  proxy-limit: 32");
    assertThat(second.learnt(List.of(note)).gaps()).isEmpty();
  }

  @Test
  void asShippedBoundsAreThoseOfTheScanner() throws Exception {
    Rulebook rulebook = rulebook(ClassMode.ENFORCE, Map.of());
    assertThat(objections(rulebook, numbers(5000))).isEmpty();
    assertThat(rulebook.learnedRules(List.of())).doesNotContain("-limit");
    Map<MessageBound, Integer> other = Map.of(MessageBound.PROXIES, 300);
    assertThat(rulebook(ClassMode.LEARN, other).learnedRules(List.of()))
        .contains("  proxy-limit: 300\n");
  }

  @Test
  void aRemedyIsThePowerOfTwoThatIsEnoughUpToTheMost() {
    assertThat(MessageBound.CLASSES.remedyBeyond(1024)).isEqualTo("class-limit: 2048");
    assertThat(MessageBound.CLASSES.remedyBeyond(4095)).isEqualTo("class-limit: 4096");
    assertThat(MessageBound.CLASSES.remedyBeyond(4096)).isEmpty();
    assertThat(MessageBound.PROXIES.remedyBeyond(300)).isEqualTo("proxy-limit: 1024");
    for (MessageBound bound : MessageBound.values()) {
      String line = bound.line(bound.usual());
      assertThat(MessageBound.of(line)).contains(bound);
      assertThat(bound.amount(line)).isEqualTo(bound.usual());
    }
  }
}
