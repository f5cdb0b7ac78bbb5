package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.JudgedMessage;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.policy.rule.Objection;
import io.rmigate.gateway.quota.Quota;
import io.rmigate.gateway.quota.Share;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.CallHeader;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.rmi.MarshalledObject;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A Call that is longer than what is kept of it, and looked into to its end all the same. */
class LongCallsTest {
  private static final int ROOM = 2 << 20;
  private static final ObjIdentifier OBJECT = new ObjIdentifier(7, 1, 2, (short) 3);
  private static final CallHeader HEADER = new CallHeader(OBJECT, -1, Calls.hash("take()V"));

  private final Share room = new Share(Quota.half(ROOM));
  private final ByteArrayOutputStream passed = new ByteArrayOutputStream();

  private static CallRules rules(ClassMode mode) {
    return Rulebook.OFF.rules(
        List.of(
            Entry.of(mode).classes(MarshalledObject.class.getName()).callLimit(1000).stream(true)
                .rules()));
  }

  /**
   * Descriptors, and references to what stands in them, before and behind much that is no class.
   */
  private static byte[] call(int times, Object last) {
    return Calls.method(
        OBJECT,
        "take()V",
        out -> {
          out.writeObject(new IllegalStateException("first"));
          for (int i = 0; i < times; i++) {
            out.writeObject(new byte[70_000]);
            out.writeObject(new long[9_000]);
            Map<String, Object> many = new HashMap<>();
            for (int n = 0; n < 1000; n++) {
              many.put("key " + i + " " + n, n);
            }
            out.writeObject(many);
            out.writeInt(i);
          }
          out.writeObject(new BigDecimal("1.5"));
          out.writeObject(Locale.GERMANY);
          out.writeObject(LocalDate.of(2020, 1, 2));
          out.writeObject(new MarshalledObject<>("hidden"));
          out.writeObject(new IllegalStateException("last"));
          out.writeObject(last);
        });
  }

  private List<Objection> pass(JudgedMessage message, byte[] bytes, int piece) {
    for (int from = 0; from < bytes.length; from += piece) {
      int length = Math.min(piece, bytes.length - from);
      List<Objection> objections = message.more(ByteBuffer.wrap(bytes, from, length));
      if (!objections.isEmpty()) {
        return objections;
      }
      passed.writeBytes(message.takeReady());
    }
    return List.of();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 777, 32 * 1024, 300_000})
  void whatMayPassDoesInAnyPieces(int piece) {
    byte[] call = call(piece == 1 ? 3 : 40, "end");
    JudgedMessage message =
        rules(ClassMode.ENFORCE)
            .longCall(HEADER, room, new Share(), reference -> false, list -> true);
    assertThat(pass(message, call, piece)).isEmpty();
    assertThat(passed.toByteArray()).isEqualTo(call);
    assertThat(room.taken()).isLessThan(ROOM / 2);
    message.close();
    assertThat(room.taken()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 777, 32 * 1024, 300_000})
  void whatMayNotIsNotEvenNamed(int piece) {
    byte[] call = call(piece == 1 ? 3 : 40, new ArrayList<>(List.of(new GatedCallsTest.Order())));
    JudgedMessage message =
        rules(ClassMode.ENFORCE)
            .longCall(HEADER, room, new Share(), reference -> false, list -> true);
    assertThat(pass(message, call, piece))
        .extracting(Objection::rule)
        .contains(Objection.Rule.CLASS);
    assertThat(passed.toString(StandardCharsets.ISO_8859_1))
        .contains("first")
        .doesNotContain("Order");
    message.close();
    assertThat(room.taken()).isZero();
  }

  @Test
  void anArrayThatHidesAStreamIsLookedIntoAsAWhole() throws Exception {
    byte[] call = call(1, new MarshalledObject<>(new GatedCallsTest.Order()));
    JudgedMessage message =
        rules(ClassMode.ENFORCE)
            .longCall(HEADER, room, new Share(), reference -> false, list -> true);
    assertThat(pass(message, call, 100)).isNotEmpty();
    assertThat(passed.toString(StandardCharsets.ISO_8859_1)).doesNotContain("Order");
    message.close();
  }

  @Test
  void whatThereIsNoRoomForDoesNotPass() {
    byte[] call =
        Calls.method(
            OBJECT, "take()V", out -> out.writeObject(new MarshalledObject<>(new byte[2 * ROOM])));
    JudgedMessage message =
        rules(ClassMode.ENFORCE)
            .longCall(HEADER, room, new Share(), reference -> false, list -> true);
    assertThat(pass(message, call, 32 * 1024)).isEqualTo(JudgedMessage.TOO_MUCH);
    assertThat(passed.size()).isLessThan(200);
    message.close();
    assertThat(room.taken()).isZero();
  }

  @Test
  void whereObjectionsAreOnlyNotedNothingIsHeldOrLost() {
    byte[] call = call(20, new GatedCallsTest.Order());
    JudgedMessage message =
        rules(ClassMode.LEARN)
            .longCall(HEADER, room, new Share(), reference -> false, list -> true);
    int objections = 0;
    for (int from = 0; from < call.length; from += 30_000) {
      int length = Math.min(30_000, call.length - from);
      objections += message.more(ByteBuffer.wrap(call, from, length)).size();
      byte[] ready = message.takeReady();
      assertThat(ready).hasSize(length);
      passed.writeBytes(ready);
    }
    assertThat(passed.toByteArray()).isEqualTo(call);
    assertThat(objections).isPositive();
    message.close();
    assertThat(room.taken()).isZero();
  }
}
