package io.rmigate.gateway.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Share;
import io.rmigate.gateway.scan.ScanResult;
import io.rmigate.protocol.jrmp.CallBytes;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How often what stands in a message is judged. */
class JudgedMessageTest {

  private record Unknown(int number) implements Serializable {}

  private static CallRules rules(ClassMode mode) {
    return Rulebook.OFF.rules(List.of(Entry.of(mode).rules()));
  }

  @Test
  void whatStandsInAMessageIsJudgedOnceThoughItComesByteByByte() {
    List<Object> values =
        new ArrayList<>(
            List.of(1, 2L, 'c', 1.5, new Object[0], new Thread.State[] {Thread.State.NEW}, "text"));
    byte[] call = CallBytes.callWith(values);
    CallRules enforced = rules(ClassMode.ENFORCE);
    List<ScanResult> judged = new ArrayList<>();
    JudgedMessage message =
        new JudgedMessage(
            enforced,
            new Share(Quota.half(1 << 20)),
            JudgedMessage.Kind.CALL,
            enforced.scanner().longCall(),
            Long.MAX_VALUE,
            seen -> {
              judged.add(seen);
              return List.of();
            });
    for (byte piece : call) {
      assertThat(message.more(ByteBuffer.wrap(new byte[] {piece}))).isEmpty();
    }
    message.close();
    assertThat(judged).hasSizeBetween(6, call.length / 2);
    assertThat(judged.stream().flatMap(seen -> seen.classes().stream()))
        .hasSizeGreaterThan(6)
        .doesNotHaveDuplicates();
  }

  @Test
  void whatIsOnlyNotedIsSaidOnceThoughTheMessageComesByteByByte() {
    byte[] call = CallBytes.callWith(new Object[] {new Unknown(1), "text"});
    JudgedMessage message =
        rules(ClassMode.LEARN).callOfServer(new Share(Quota.half(1 << 20)), reference -> {});
    List<Objection> objections = new ArrayList<>();
    for (byte piece : call) {
      objections.addAll(message.more(ByteBuffer.wrap(new byte[] {piece})));
    }
    message.close();
    assertThat(objections)
        .doesNotHaveDuplicates()
        .extracting(Objection::subject)
        .contains(Unknown.class.getName());
  }

  @Test
  void ofAMessageThatIsRefusedNothingMoreGoesOn() {
    byte[] call = CallBytes.callWith(new Object[] {new Unknown(1), "text"});
    JudgedMessage message =
        rules(ClassMode.ENFORCE).callOfServer(new Share(Quota.half(1 << 20)), reference -> {});
    List<Objection> objections = List.of();
    int passed = 0;
    for (byte piece : call) {
      List<Objection> now = message.more(ByteBuffer.wrap(new byte[] {piece}));
      if (objections.isEmpty()) {
        passed = message.ready();
        objections = now;
      }
      assertThat(now).isEqualTo(objections);
    }
    assertThat(objections).extracting(Objection::subject).contains(Unknown.class.getName());
    assertThat(message.ready()).isEqualTo(passed);
    message.close();
  }
}
