package io.rmigate.gateway.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests by their bytes alone. */
class RequestGateTest {
  private static final Set<RegistryOperation> NONE = Set.of();
  private static final Set<RegistryOperation> ALL = EnumSet.allOf(RegistryOperation.class);
  private static final String REGISTRY = "50 aced0005 7722" + "00".repeat(Jrmp.OBJ_ID_BYTES);
  private static final String OTHER = "50 aced0005 7722" + "01".repeat(Jrmp.OBJ_ID_BYTES);
  private static final String NAME = "74 0001 61"; // "a"
  private static final byte[] METHOD = hex(OTHER + "ffffffff 9c9e6b1308366dda");

  @ParameterizedTest
  @EnumSource
  void anOperationWithoutAGrantIsDeniedInBothForms(RegistryOperation operation) {
    assertThat(RequestGate.judge(byNumber(operation), NONE)).isEqualTo(new Verdict.Deny(operation));
    assertThat(RequestGate.judge(byHash(operation), NONE)).isEqualTo(new Verdict.Deny(operation));
  }

  @ParameterizedTest
  @EnumSource
  void anOperationIsForwardedWhenGrantedInBothForms(RegistryOperation operation) {
    for (byte[] call : new byte[][] {byNumber(operation), byHash(operation)}) {
      Verdict verdict = RequestGate.judge(call, Set.of(operation));
      assertThat(verdict).isInstanceOf(Verdict.Forward.class);
      assertThat(((Verdict.Forward) verdict).registry()).contains(operation);
    }
  }

  @ParameterizedTest
  @EnumSource
  void anOperationNumberIsBelievedWhateverItsHash(RegistryOperation operation) {
    byte[] call = byNumber(operation);
    Arrays.fill(call, 33, 41, (byte) 0x11);
    assertThat(RequestGate.judge(call, NONE)).isEqualTo(new Verdict.Deny(operation));
  }

  @ParameterizedTest
  @EnumSource
  void anOperationIsDeniedInALongBlockToo(RegistryOperation operation) {
    byte[] call =
        hex(
            "50 aced0005 7a00000022"
                + "00".repeat(Jrmp.OBJ_ID_BYTES)
                + "%08x%016x".formatted(operation.number(), RegistryOperation.INTERFACE_HASH)
                + NAME);
    assertThat(RequestGate.judge(call, NONE)).isEqualTo(new Verdict.Deny(operation));
    assertThat(RequestGate.judgeBeginning(call, call.length, NONE))
        .isEqualTo(new Verdict.Deny(operation));
  }

  @ParameterizedTest
  @EnumSource
  void theBeginningIsEnoughToDeny(RegistryOperation operation) {
    byte[] call = Arrays.copyOf(byNumber(operation), RequestGate.BEGINNING_BYTES);
    assertThat(RequestGate.judgeBeginning(call, call.length, NONE))
        .isEqualTo(new Verdict.Deny(operation));
  }

  @Test
  void aCallOfAnotherObjectNeedsNoGrant() {
    assertThat(RequestGate.judge(METHOD, NONE)).isInstanceOf(Verdict.Forward.class);
  }

  @Test
  void aSecondMessageIsRejected() {
    assertThat(RequestGate.judge(join(METHOD, METHOD), ALL)).isInstanceOf(Verdict.Reject.class);
    assertThat(RequestGate.judge(join(METHOD, new byte[] {Jrmp.PING}), ALL))
        .isInstanceOf(Verdict.Reject.class);
    assertThat(RequestGate.judge(join(dgcAck(), METHOD), ALL)).isInstanceOf(Verdict.Reject.class);
  }

  @Test
  void everyBeginningOfACallIsRejected() {
    byte[] call = byNumber(RegistryOperation.LOOKUP);
    for (int length = 1; length < call.length; length++) {
      byte[] part = Arrays.copyOf(call, length);
      Verdict verdict = RequestGate.judge(part, ALL);
      if (length == 41) { // the header block alone is a whole Call without arguments
        assertThat(verdict).isInstanceOf(Verdict.Forward.class);
      } else {
        assertThat(verdict).as("%d bytes", length).isInstanceOf(Verdict.Reject.class);
      }
    }
  }

  @Test
  void aCallThatSpellsAnotherOneIsIsolated() {
    byte[] bytes = // a byte[] whose elements are the Call
        hex("75 72 0002 5b42 acf317f8060854e0 02 0000 7870 %08x".formatted(METHOD.length));
    byte[] call = join(METHOD, bytes, METHOD);
    assertThat(RequestGate.judge(call, NONE)).isInstanceOf(Verdict.Isolate.class);
  }

  @Test
  void aBeginningIsIsolated() {
    Verdict verdict = RequestGate.judgeBeginning(METHOD, METHOD.length, NONE);
    assertThat(verdict).isInstanceOf(Verdict.Isolate.class);
    assertThat(((Verdict.Isolate) verdict).registry()).isEqualTo(Optional.empty());
  }

  @Test
  void onlyADgcAckOfFifteenBytesIsOne() {
    assertThat(RequestGate.judge(dgcAck(), NONE)).isEqualTo(new Verdict.Acknowledge());
    for (int length = 1; length < 40; length++) {
      if (length != 15) {
        assertThat(RequestGate.judge(Arrays.copyOf(dgcAck(), length), ALL))
            .isInstanceOf(Verdict.Reject.class);
      }
    }
  }

  @Test
  void whatOnlyServersSayIsRejected() {
    for (int code = 0; code < 256; code++) {
      byte[] message = METHOD.clone();
      message[0] = (byte) code;
      if (code != Jrmp.CALL) {
        assertThat(RequestGate.judge(message, ALL)).isInstanceOf(Verdict.Reject.class);
        assertThat(RequestGate.judgeBeginning(message, message.length, ALL))
            .isInstanceOf(Verdict.Reject.class);
      }
    }
  }

  @Test
  void aCallWhoseMarshallingFailedIsRejected() {
    byte[] call = join(METHOD, hex("7b 74 0001 61"));
    assertThat(RequestGate.judge(call, ALL)).isInstanceOf(Verdict.Reject.class);
  }

  @Test
  void noBytesMakeTheGateThrowOrForwardASecondCall() {
    Random random = new Random(20_261_121);
    byte[] lookup = byNumber(RegistryOperation.LOOKUP);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = random.nextBoolean() ? lookup.clone() : METHOD.clone();
      for (int changes = random.nextInt(6); changes >= 0; changes--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      byte[] cut = Arrays.copyOf(bytes, 1 + random.nextInt(bytes.length));
      RequestGate.judge(cut, ALL);
      RequestGate.judgeBeginning(cut, cut.length, ALL);
      Verdict two = RequestGate.judge(join(bytes, lookup), ALL);
      if (two instanceof Verdict.Forward) {
        throw new AssertionError("forwarded: " + HexFormat.of().formatHex(bytes));
      }
    }
  }

  private static byte[] byNumber(RegistryOperation operation) {
    return hex(
        REGISTRY
            + "%08x%016x".formatted(operation.number(), RegistryOperation.INTERFACE_HASH)
            + NAME);
  }

  private static byte[] byHash(RegistryOperation operation) {
    return hex(REGISTRY + "ffffffff" + "%016x".formatted(operation.methodHash()) + NAME);
  }

  private static byte[] dgcAck() {
    byte[] bytes = new byte[1 + Jrmp.UID_BYTES];
    bytes[0] = Jrmp.DGC_ACK;
    return bytes;
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }
}
