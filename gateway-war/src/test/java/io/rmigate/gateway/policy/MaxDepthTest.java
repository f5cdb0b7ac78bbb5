package io.rmigate.gateway.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.ClassSettings;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.policy.rule.LearnedNotes.Note;
import io.rmigate.gateway.policy.rule.LearningLog;
import io.rmigate.gateway.policy.rule.MessageBound;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Share;
import io.rmigate.gateway.scan.ScanResult;
import io.rmigate.protocol.jrmp.CallBytes;
import io.rmigate.protocol.jrmp.message.CallHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Objects of one message within each other: up to a limit, and no more. */
class MaxDepthTest {
  private static final int HONEST = 900;
  private static final int TOO_DEEP = 1_500;

  private static Rulebook rulebook(int maxDepth) {
    try {
      return Rulebook.of(
          ClassSettings.DEFAULT.withBounds(Map.of(MessageBound.DEPTH, maxDepth)),
          LearningLog.NOTHING);
    } catch (IOException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private static CallRules rules(int maxDepth) {
    return rulebook(maxDepth).rules(List.of(Entry.enforced().rules()));
  }

  private static CallRules learning() {
    return rulebook(MessageBound.DEPTH.usual()).rules(List.of(Entry.of(ClassMode.LEARN).rules()));
  }

  private static List<Objection> objections(CallRules rules, byte[] call) {
    CallHeader header = CallHeader.decode(call, 0, call.length).orElseThrow();
    ScanResult seen = rules.scanner().request(call, 0, call.length);
    return rules.call(header, seen, call, reference -> false, list -> true);
  }

  /** Written by a thread with a stack that is large enough for any depth that may be configured. */
  private static byte[] call(int depth, UnaryOperator<Object> around) throws InterruptedException {
    Object value = null;
    for (int i = 0; i < depth; i++) {
      value = around.apply(value);
    }
    Object argument = value;
    byte[][] call = new byte[1][];
    Thread writer =
        new Thread(null, () -> call[0] = CallBytes.callWith(argument), "writer", 512L << 20);
    writer.start();
    writer.join();
    return call[0];
  }

  private static Object array(Object value) {
    return new Object[] {value};
  }

  private static Object list(Object value) {
    List<Object> list = new ArrayList<>();
    list.add(value);
    return list;
  }

  private static Object value(Object value) {
    Map<Object, Object> map = new HashMap<>();
    map.put("value", value);
    return map;
  }

  @Test
  void linkedObjectsPassAsShipped() throws InterruptedException {
    CallRules shipped = rules(MessageBound.DEPTH.usual());
    assertThat(objections(shipped, call(HONEST, MaxDepthTest::array))).isEmpty();
    assertThat(objections(shipped, call(HONEST, MaxDepthTest::list))).isEmpty();
    assertThat(objections(shipped, call(HONEST, MaxDepthTest::value))).isEmpty();
  }

  @Test
  void deeperOnesAreRefusedUnlessTheConfigurationSaysMore() throws InterruptedException {
    CallRules shipped = rules(MessageBound.DEPTH.usual());
    byte[] call = call(TOO_DEEP, MaxDepthTest::list);
    List<Objection> objections = objections(shipped, call);
    assertThat(objections).extracting(Objection::subject).containsExactly("TOO_DEEP");
    assertThat(shipped.advice(objections.get(0)))
        .isEqualTo("to allow it add \"max-depth: 2048\" to classes");
    assertThat(objections(rules(2_048), call)).isEmpty();
  }

  @Test
  void fewerMayBeAllowed() throws InterruptedException {
    assertThat(objections(rules(20), call(20, MaxDepthTest::array))).isEmpty();
    assertThat(objections(rules(20), call(22, MaxDepthTest::array))).hasSize(1);
  }

  @Test
  void whatTheConfigurationAllowsIsReadToItsEnd() throws InterruptedException {
    int most = MessageBound.DEPTH.most() - 1;
    CallRules deepest = rules(MessageBound.DEPTH.most());
    assertThat(objections(deepest, call(most, MaxDepthTest::array))).isEmpty();
    assertThat(objections(deepest, call(most, MaxDepthTest::value))).isEmpty();
    List<Objection> more = objections(deepest, call(most + 3, MaxDepthTest::array));
    assertThat(more).extracting(Objection::subject).containsExactly("TOO_DEEP");
    assertThat(deepest.advice(more.get(0))).isEqualTo("nothing in the configuration allows it");
  }

  /** It is not scanned further either, so that its depth takes no memory. */
  @Test
  void aMessageThatIsFarTooDeepIsNotReadToItsEnd() throws InterruptedException {
    byte[] call = call(MessageBound.DEPTH.most(), MaxDepthTest::array);
    CallRules shipped = rules(MessageBound.DEPTH.usual());
    assertThat(shipped.scanner().request(call, 0, call.length).figures().depth())
        .isLessThan(5 * MessageBound.DEPTH.usual());
    assertThat(objections(shipped, call).get(0).subject()).isEqualTo("TOO_DEEP");
  }

  @Test
  void aReplyThatComesInPiecesEndsWhereItIsTooDeep() throws InterruptedException {
    CallRules few = rules(20);
    byte[] reply =
        CallBytes.normalReturn(
            out -> {
              Object value = null;
              for (int i = 0; i < 100; i++) {
                value = array(value);
              }
              out.writeObject(value);
            });
    JudgedMessage message = few.replyOfServer(new Share(Quota.half(1 << 20)), reference -> {});
    int pieces = 0;
    List<Objection> objections = List.of();
    while (objections.isEmpty() && pieces < reply.length) {
      objections = message.more(ByteBuffer.wrap(reply, pieces++, 1));
    }
    message.close();
    assertThat(objections).extracting(Objection::subject).containsExactly("TOO_DEEP");
    assertThat(pieces).isLessThan(reply.length / 2);
  }

  @Test
  void aReplyThatGrowsDeeperIsNotedUntilItIsOver() throws InterruptedException {
    byte[] call = call(3_000, MaxDepthTest::array);
    Set<String> noted = new LinkedHashSet<>();
    JudgedMessage message =
        learning().callOfServer(new Share(Quota.half(1 << 20)), reference -> {});
    for (int i = 0; i < call.length; i += 100) {
      message
          .more(ByteBuffer.wrap(call, i, Math.min(100, call.length - i)))
          .forEach(objection -> noted.add(objection.remedy()));
    }
    message.close();
    assertThat(noted).containsExactly("max-depth: 1024", "max-depth: 2048", "max-depth: 4096");
  }

  @Test
  void whatIsLearntIsOneLineForAll() throws InterruptedException {
    List<Note> notes = new ArrayList<>();
    for (int depth : List.of(TOO_DEEP, 70_000)) {
      byte[] call = call(depth, MaxDepthTest::array);
      Objection objection = objections(learning(), call).get(0);
      notes.add(
          new Note(
              depth > TOO_DEEP ? "bob" : "ann",
              "inside:1099",
              objection.rule(),
              objection.subject(),
              objection.remedy()));
    }
    assertThat(notes)
        .extracting(Note::remedy)
        .containsExactly("max-depth: 2048", "max-depth: 100000");
    String learned = rulebook(MessageBound.DEPTH.usual()).learnedRules(notes);
    assertThat(learned)
        .containsOnlyOnce("max-depth")
        .contains("  max-depth: 100000 # bob at inside:1099\n")
        .doesNotContain("Not allowed");
    assertThat(rulebook(4_096).learnedRules(notes.subList(0, 1))).contains("  max-depth: 4096\n");
    assertThat(rules(MessageBound.DEPTH.usual()).refuses(notes.get(0))).isTrue();
    assertThat(rules(2_048).refuses(notes.get(0))).isFalse();
  }
}
