package io.rmigate.protocol.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.Coded;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameOutput;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Welcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.zip.Deflater;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** PROTOCOL.md, "Coding": what a peer may not send. The sender here is a bare deflater. */
class CodedReaderTest {
  /** Of 64 KiB in frames of 16 KiB, three of them as long as can be. */
  private static final int FRAMING_BYTES = 3 * 5 + 4;

  private final List<Frame> received = new ArrayList<>();
  private final CodedReader reader = new CodedReader(received::add);
  private final Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
  private long sentBytes;

  CodedReaderTest() {
    reader.begin(ContentCoding.DEFLATE_1);
    deflater.setDictionary(PresetDictionary.ONE.bytes());
  }

  @AfterEach
  void close() {
    reader.close();
    deflater.end();
  }

  @Test
  void codedIsAViolationWithoutACoding() {
    try (CodedReader plain = new CodedReader(received::add)) {
      byte[] wire = wire(new Coded(true, deflated(bytes(new Heartbeat(1)))));
      assertThatThrownBy(() -> plain.feed(wire, 0, wire.length))
          .isInstanceOf(ProtocolViolationException.class)
          .hasMessage("expected no CODED_FRESH without a coding");
    }
  }

  @Test
  void theFirstCodedFrameIsFresh() {
    assertViolation(new Coded(false, deflated(bytes(new Heartbeat(1)))), "CODED_FRESH first");
  }

  @Test
  void theFirstCodedFrameAfterAContextWasGivenUpIsFresh() throws IOException {
    feed(new Coded(true, deflated(bytes(new Heartbeat(1)))));
    feed(new Coded(true, new byte[0]));
    assertViolation(new Coded(false, deflated(bytes(new Heartbeat(2)))), "CODED_FRESH first");
  }

  @Test
  void aContextMayBeGivenUpThatWasNeverMade() throws IOException {
    feed(new Coded(true, new byte[0]));
    feed(new Coded(true, new byte[0]));
    feed(new Coded(true, deflated(bytes(new Heartbeat(1)))));
    assertThat(received).containsExactly(new Heartbeat(1));
  }

  @Test
  void aCodedFrameHasABody() throws IOException {
    feed(new Coded(true, deflated(bytes(new Heartbeat(1)))));
    assertViolation(new Coded(false, new byte[0]), "a body of CODED, got none");
  }

  @Test
  void garbageIsAViolation() {
    Random random = new Random(20261121);
    int violations = 0;
    for (int round = 0; round < 2_000; round++) {
      byte[] noise = new byte[1 + random.nextInt(300)];
      random.nextBytes(noise);
      List<Frame> frames = new ArrayList<>();
      try (CodedReader fresh = new CodedReader(frames::add)) {
        fresh.begin(ContentCoding.DEFLATE_1);
        byte[] wire = wire(new Coded(true, noise), new Heartbeat(1));
        fresh.feed(wire, 0, wire.length);
        assertThat(frames).as("nothing that was not there").hasSizeLessThanOrEqualTo(3);
      } catch (ProtocolViolationException expected) {
        violations++;
        assertThat(expected.getMessage()).startsWith("expected ");
      } catch (IOException other) {
        throw new AssertionError(other);
      }
    }
    assertThat(violations).isGreaterThan(1_900);
  }

  @Test
  void aTruncatedBlockShowsWithTheNextPlainFrame() throws IOException {
    byte[] whole = deflated(bytes(new Data(1, false, new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9})));
    feed(new Coded(true, Arrays.copyOf(whole, whole.length - 4)));
    assertThat(received).isEmpty();
    assertViolation(new Heartbeat(1), "the rest of a frame in CODED, got HEARTBEAT");
  }

  @Test
  void aStreamWithAnEndIsAViolation() {
    byte[] ended = new byte[100];
    deflater.setInput(bytes(new Heartbeat(1)));
    deflater.finish();
    int length = deflater.deflate(ended);
    assertViolation(new Coded(true, Arrays.copyOf(ended, length)), "without an end");
  }

  @Test
  void anotherDictionaryIsAViolation() {
    byte[] longer = new byte[30_000];
    new Random(1).nextBytes(longer);
    deflater.reset();
    deflater.setDictionary(longer);
    byte[] what = bytes(new Data(1, false, Arrays.copyOf(longer, 100)));
    assertViolation(new Coded(true, deflated(what)), "deflated bytes, got others");
  }

  @Test
  void aBombIsFoundBeforeItIsLarge() {
    byte[] zeros = new byte[Tunnel.MAX_UNCODED_BYTES * 10];
    assertViolation(new Coded(true, deflated(frames(zeros))), "yield at most 0x10000 bytes");
    assertThat(received.size() * 16_000).isLessThanOrEqualTo(Tunnel.MAX_UNCODED_BYTES);
  }

  @Test
  void asMuchAsOneFrameMayYieldPasses() throws IOException {
    byte[] frames = frames(new byte[Tunnel.MAX_UNCODED_BYTES - FRAMING_BYTES]);
    assertThat(frames.length).isEqualTo(Tunnel.MAX_UNCODED_BYTES);
    feed(new Coded(true, deflated(frames)));
    assertThat(received).hasSize(4);
    byte[] more = frames(new byte[Tunnel.MAX_UNCODED_BYTES - FRAMING_BYTES + 1]);
    assertViolation(new Coded(false, deflated(more)), "yield at most 0x10000 bytes");
  }

  @Test
  void whatAllCodedFramesYieldIsBoundedByWhatWasSent() throws IOException {
    byte[] frames = frames(new byte[60_000]);
    boolean fresh = true;
    long yielded = 0;
    while (yielded + frames.length <= Tunnel.FREE_UNCODED_BYTES + 100 * (sentBytes + 60)) {
      feed(new Coded(fresh, deflated(frames)));
      fresh = false;
      yielded += frames.length;
    }
    assertThat(yielded).as("the first mebibyte is free").isGreaterThan(Tunnel.FREE_UNCODED_BYTES);
    assertViolation(new Coded(false, deflated(frames)), "at most 0x64 times");
  }

  @Test
  void plainBytesPayForCodedOnes() throws IOException {
    byte[] frames = frames(new byte[60_000]);
    boolean fresh = true;
    for (int i = 0; i < 1_000; i++) {
      feed(new Coded(fresh, deflated(frames)));
      feed(new Data(1, false, new byte[600]));
      fresh = false;
      received.clear();
    }
    assertThat(reader.figures().uncodedBytes()).isEqualTo(1_000L * frames.length);
  }

  @Test
  void codedStandsNotInsideOfCoded() {
    byte[] inner = wire(new Coded(true, deflated(bytes(new Heartbeat(1)))));
    assertViolation(new Coded(true, deflated(inner)), "no CODED_FRESH inside of CODED");
  }

  @Test
  void greetingsStandNotInsideOfCoded() {
    Hello hello = new Hello(1, 1, Set.of(), SessionToken.NONE, 0, 1, List.of(), Map.of());
    assertViolation(new Coded(true, deflated(bytes(hello))), "no HELLO inside of CODED");
    Welcome welcome =
        new Welcome(
            1,
            Set.of(),
            SessionToken.NONE,
            0,
            1,
            1,
            Duration.ofSeconds(1),
            Welcome.IDENTITY,
            Map.of());
    deflater.reset();
    deflater.setDictionary(PresetDictionary.ONE.bytes());
    assertViolation(new Coded(true, deflated(bytes(welcome))), "no WELCOME inside of CODED");
  }

  @Test
  void aFrameGoesOnInTheNextCodedFrame() throws IOException {
    byte[] frame = bytes(new Data(1, false, new byte[] {1, 2, 3, 4}));
    feed(new Coded(true, deflated(Arrays.copyOf(frame, 3))));
    feed(new Coded(false, deflated(Arrays.copyOfRange(frame, 3, frame.length))));
    assertThat(received).hasSize(1);
    feed(new Heartbeat(1));
    assertThat(received).hasSize(2);
  }

  @Test
  void aFreshContextBeginsWithAFrame() throws IOException {
    byte[] frame = bytes(new Data(1, false, new byte[] {1, 2, 3, 4}));
    feed(new Coded(true, deflated(Arrays.copyOf(frame, 3))));
    assertViolation(
        new Coded(true, deflated(Arrays.copyOfRange(frame, 3, frame.length))),
        "the rest of a frame, got CODED_FRESH");
  }

  @Test
  void aFreshContextForgetsWhatWasBefore() throws IOException {
    feed(new Coded(true, deflated(bytes(new Data(1, false, new byte[1000])))));
    deflater.reset();
    deflater.setDictionary(PresetDictionary.ONE.bytes());
    feed(new Coded(true, deflated(bytes(new Heartbeat(5)))));
    assertThat(received.get(1)).isEqualTo(new Heartbeat(5));
  }

  @Test
  void aClosedReaderIgnoresCodedFrames() throws IOException {
    feed(new Coded(true, deflated(bytes(new Heartbeat(1)))));
    reader.close();
    feed(new Coded(false, deflated(bytes(new Heartbeat(2)))));
    feed(new Coded(true, deflated(bytes(new Heartbeat(3)))));
    assertThat(received).containsExactly(new Heartbeat(1));
  }

  @Test
  void aReaderMayBeClosedByWhomItHandsAFrameTo() throws IOException {
    List<Frame> frames = new ArrayList<>();
    CodedReader[] closing = new CodedReader[1];
    closing[0] =
        new CodedReader(
            frame -> {
              frames.add(frame);
              closing[0].close();
            });
    closing[0].begin(ContentCoding.DEFLATE_1);
    byte[] many = new byte[60_000];
    byte[] wire = wire(new Coded(true, deflated(frames(many))));
    closing[0].feed(wire, 0, wire.length);
    assertThat(frames).isNotEmpty();
  }

  private void assertViolation(Frame frame, String message) {
    assertThatThrownBy(() -> feed(frame))
        .isInstanceOf(ProtocolViolationException.class)
        .hasMessageStartingWith("expected ")
        .hasMessageContaining(message);
  }

  private void feed(Frame frame) throws IOException {
    byte[] wire = wire(frame);
    sentBytes += wire.length;
    reader.feed(wire, 0, wire.length);
  }

  private byte[] deflated(byte[] frames) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] buffer = new byte[64 * 1024];
    deflater.setInput(frames);
    int count;
    do {
      count = deflater.deflate(buffer, 0, buffer.length, Deflater.SYNC_FLUSH);
      out.write(buffer, 0, count);
    } while (count == buffer.length);
    return Arrays.copyOf(out.toByteArray(), out.size() - 4);
  }

  private static byte[] bytes(Frame frame) {
    return wire(frame);
  }

  /** As data frames, each as large as it may be. */
  private static byte[] frames(byte[] payload) {
    FrameOutput out = new FrameOutput(payload.length);
    for (int from = 0; from < payload.length; from += Tunnel.MAX_BODY_BYTES) {
      int length = Math.min(Tunnel.MAX_BODY_BYTES, payload.length - from);
      out.data(1, false, payload, from, length);
    }
    return out.toByteArray();
  }

  private static byte[] wire(Frame... frames) {
    FrameOutput out = new FrameOutput(64);
    for (Frame frame : frames) {
      out.append(frame);
    }
    return out.toByteArray();
  }
}
