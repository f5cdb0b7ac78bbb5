package io.rmigate.protocol.coding;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameType;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.protocol.tunnel.Tunnel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What leaves instead of a batch, and that the reader makes the same frames of it. */
class CodedWriterTest {
  /** {@code sayHello()}: header, ObjID, operation −1, method hash. */
  private static final byte[] CALL =
      hex("50aced0005772200000000000000020a1b2c3d0000019aa6b9c0ffee8001ffffffff65446a9fd9e38bd4");

  /** The call in its frame. */
  private static final long CALL_BYTES = 3L + CALL.length;

  private final CodedLine line = new CodedLine();
  private final Random random = new Random(20261121);

  @AfterEach
  void close() {
    line.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MAX_VALUE, 1, 7, 1000})
  void framesComeOutAsTheyWentIn(int pieceBytes) throws IOException {
    line.pieceBytes = pieceBytes;
    CodedLine plain = new CodedLine();
    plain.writer.turn(false);
    for (int round = 0; round < 200; round++) {
      byte[] bytes = new byte[random.nextInt(round % 10 == 0 ? Tunnel.MAX_BODY_BYTES : 200)];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) random.nextInt(round % 3 == 0 ? 256 : 5);
      }
      Frame[] batch = {new Heartbeat(round), new Data(round + 1, round % 2 == 0, bytes)};
      line.writer.turn(round % 7 != 0);
      line.send(batch);
      plain.send(batch);
    }
    assertThat(line.receivedData()).isEqualTo(plain.receivedData());
    assertThat(line.allBytes).isLessThan(plain.allBytes);
  }

  @Test
  void theFirstCodedFrameIsFreshAndTheContextLasts() throws IOException {
    assertThat(line.send(call())[0]).isEqualTo((byte) FrameType.CODED_FRESH.code());
    assertThat(line.send(call())[0]).isEqualTo((byte) FrameType.CODED.code());
    assertThat(line.lastBytes).as("the same call again").isLessThanOrEqualTo(9);
  }

  @Test
  void theDictionaryMakesTheFirstCallShorter() throws IOException {
    line.send(call());
    // No coder could know the 26 bytes of ObjID, operation and method hash.
    assertThat(line.lastBytes).isLessThan(CALL_BYTES - 5);
  }

  @Test
  void aFrameMayBeSplitOverCodedFrames() throws IOException {
    byte[] bytes = new byte[Tunnel.MAX_BODY_BYTES];
    random.nextBytes(bytes);
    line.send(CodedLine.data(bytes));
    assertThat(line.lastBytes).isGreaterThan(Tunnel.MAX_BODY_BYTES + 2 * 4);
    assertThat(((Data) line.received.get(0)).bytes()).isEqualTo(bytes);
  }

  @Test
  void shortBatchesStayAsTheyAre() throws IOException {
    assertThat(line.send(new Heartbeat(7))).isEqualTo(hex("04000107"));
    assertThat(line.writer.figures()).isEqualTo(CodingFigures.NONE);
  }

  @Test
  void nothingIsTouchedWhileCodingIsOff() throws IOException {
    line.writer.turn(false);
    line.send(call(), call(), call());
    assertThat(line.lastBytes).isEqualTo(3 * CALL_BYTES);
    assertThat(line.writer.figures()).isEqualTo(CodingFigures.NONE);
  }

  @Test
  void figuresAreThoseOfBothEnds() throws IOException {
    line.send(call());
    line.send(call());
    assertThat(line.writer.figures()).isEqualTo(line.reader.figures());
    assertThat(line.writer.figures()).isEqualTo(new CodingFigures(2 * CALL_BYTES, line.allBytes));
    assertThat(line.writer.figures().savedBytes()).isEqualTo(2 * CALL_BYTES - line.allBytes);
    assertThat(line.writer.figures().ratio()).isBetween(0.1, 1.0);
    assertThat(CodingFigures.NONE.ratio()).isEqualTo(1);
  }

  @Test
  void anIdleContextIsGivenUpAndSaidSoWithWhateverIsSentNext() throws IOException {
    line.send(call());
    line.nowNanos = CodedWriter.IDLE_NANOS;
    line.writer.releaseIfIdle(line.nowNanos);
    assertThat(line.send(new Heartbeat(1))).as("not yet").isEqualTo(hex("04000101"));
    line.writer.releaseIfIdle(line.nowNanos + 1);
    assertThat(line.send(new Heartbeat(2))).isEqualTo(hex("410000" + "04000102"));
    assertThat(line.send(new Heartbeat(3))).isEqualTo(hex("04000103"));
    assertThat(line.send(call())[0]).isEqualTo((byte) FrameType.CODED_FRESH.code());
    assertThat(line.received).hasSize(5);
  }

  @Test
  void aContextGivenUpNeedsNoWordsWhenTheNextFrameIsFreshAnyway() throws IOException {
    line.send(call());
    line.nowNanos = CodedWriter.IDLE_NANOS + 1;
    line.writer.releaseIfIdle(line.nowNanos);
    byte[] wire = line.send(call());
    assertThat(wire[0]).isEqualTo((byte) FrameType.CODED_FRESH.code());
    assertThat(wire[2]).as("length").isGreaterThan((byte) 0);
    assertThat(line.send(new Heartbeat(1))).isEqualTo(hex("04000101"));
  }

  @Test
  void theContextOfCodingThatWasTurnedOffIsGivenUpAtOnce() throws IOException {
    line.send(call());
    line.writer.turn(false);
    line.writer.releaseIfIdle(line.nowNanos);
    assertThat(line.send(new Heartbeat(2))).isEqualTo(hex("410000" + "04000102"));
  }

  @Test
  void dataThatShrinkTooWellToBeBelievedGoPlainNowAndThen() throws IOException {
    long sent = 0;
    byte[] zeros = new byte[Tunnel.MAX_BODY_BYTES];
    while (sent < 100L << 20) {
      line.send(CodedLine.data(zeros)); // the reader would throw
      line.received.clear();
      sent += zeros.length;
    }
    assertThat(sent / (double) line.allBytes).isBetween(80.0, 102.0);
  }

  @Test
  void whatDoesNotShrinkCostsNextToNothing() throws IOException {
    byte[] bytes = new byte[Tunnel.MAX_BODY_BYTES];
    long sent = 0;
    while (sent < 64L << 20) {
      random.nextBytes(bytes);
      line.send(CodedLine.data(bytes));
      line.received.clear();
      sent += bytes.length;
    }
    assertThat(line.writer.figures().uncodedBytes())
        .as("bytes that went through the deflater, of " + sent)
        .isLessThan(sent / 50);
    assertThat(line.allBytes).isLessThan(sent + sent / 1000);
  }

  @Test
  void smallCallsStayShortBesideWhatDoesNotShrink() throws IOException {
    byte[] bytes = new byte[Tunnel.MAX_BODY_BYTES];
    for (int i = 0; i < 100; i++) {
      random.nextBytes(bytes);
      line.send(CodedLine.data(bytes));
      if (i > 50) {
        line.send(call());
        line.send(call());
        assertThat(line.lastBytes).isLessThanOrEqualTo(9);
      }
    }
  }

  @Test
  void theSecondCopyOfAnImageIsRecognized() throws IOException {
    byte[] image = new byte[5_998];
    random.nextBytes(image);
    line.send(CodedLine.data(image));
    for (int i = 0; i < 20; i++) {
      line.send(CodedLine.data(image));
      assertThat(line.lastBytes).isLessThan(150);
    }
  }

  @Test
  void aClosedWriterMayBeClosedAgain() throws IOException {
    line.send(call());
    line.writer.close();
    line.writer.close();
  }

  private static Data call() {
    return new Data(1, true, CALL.clone());
  }

  private static byte[] hex(String hex) {
    return HexFormat.of().parseHex(hex);
  }

  @Test
  void textShrinksToAThirdAtLeast() throws IOException {
    StringBuilder text = new StringBuilder();
    String[] words =
        "the of and to in is that for it as was with be by on not he his".split(" ", -1);
    while (text.length() < 14_000) {
      text.append(words[random.nextInt(words.length)]).append(' ');
    }
    byte[] bytes = text.toString().getBytes(StandardCharsets.US_ASCII);
    line.send(CodedLine.data(bytes));
    assertThat(line.lastBytes).isLessThan(bytes.length / 3);
  }
}
