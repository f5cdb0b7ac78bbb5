package io.rmigate.client.transport.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.rmigate.protocol.ProtocolViolationException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 6455 §5 as the client reads it: hex in, payload or violation out. */
class WebSocketFrameReaderTest {
  private final List<String> control = new ArrayList<>();

  /** Every control frame must have been expected. */
  @AfterEach
  void noControlFrameIsLeftOver() {
    assertThat(control).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "8203 010203, 010203", // binary, 3 bytes
    "8200 8201 07, 07", // an empty message carries nothing
    "0202 0102 8001 03, 010203", // fragmented: binary without FIN, continuation with FIN
    "0201 01 0001 02 0000 8001 03, 010203", // in many pieces, one of them empty
    "8201 01 8201 02 8201 03, 010203", // three messages are one stream
  })
  void payloadOfAllBinaryMessagesIsOneStream(String wire, String payload) throws IOException {
    assertThat(readAll(bytes(wire), false)).isEqualTo(bytes(payload));
    assertThat(readAll(bytes(wire), true)).isEqualTo(bytes(payload));
  }

  @ParameterizedTest
  @ValueSource(ints = {125, 126, 127, 0xFFFF, 0x10000, 200_000})
  void allThreeFormsOfLengthAreRead(int length) throws IOException {
    byte[] payload = random(length);
    byte[] wire = ServerFrames.binary(payload);

    assertThat(readAll(wire, false)).isEqualTo(payload);
    assertThat(readAll(wire, true)).isEqualTo(payload);
  }

  @Test
  void oneReadTakesTheFramesThatAreThere() throws IOException {
    WebSocketFrameReader reader = reader(bytes("8201 01 0201 02 8001 03 8202 0405"), false);
    byte[] target = new byte[100];

    assertThat(reader.read(target, 10, 90)).isEqualTo(5);
    assertThat(target).startsWith(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 0);
  }

  @Test
  void readNeverBlocksOnceItHasBytes() throws IOException {
    // A header without its payload behind the first frame: reading on would block for ever.
    byte[] wire = bytes("8201 01 8205");
    WebSocketFrameReader reader =
        new WebSocketFrameReader(new FailingWhenDry(wire), ByteBuffer.allocate(0), recording());

    assertThat(reader.read(new byte[10], 0, 10)).isEqualTo(1);
  }

  @Test
  void bytesThatCameWithTheHandshakeAreReadFirst() throws IOException {
    WebSocketFrameReader reader =
        new WebSocketFrameReader(
            new ByteArrayInputStream(bytes("02 8201 03")),
            ByteBuffer.wrap(bytes("8202 01")),
            recording());
    byte[] target = new byte[10];

    assertThat(reader.read(target, 0, 10)).isEqualTo(1);
    assertThat(reader.read(target, 1, 9)).isEqualTo(2);
    assertThat(target).startsWith(1, 2, 3);
    assertThat(reader.bytesReceived()).isEqualTo(7);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "8901 2a 8201 07", // before the message
        "0201 07 8901 2a 8000", // between its fragments (§5.5: control frames may be injected)
        "8201 07 8901 2a 8200",
      })
  void pingIsReportedWithItsPayload(String wire) throws IOException {
    for (boolean slowly : new boolean[] {false, true}) {
      assertThat(readAll(bytes(wire), slowly)).isEqualTo(bytes("07"));
      assertThat(control).containsExactly("ping 2a");
      control.clear();
    }
  }

  @Test
  void payloadBeforeAPingIsHandedOutFirst() throws IOException {
    WebSocketFrameReader reader = reader(bytes("8201 07 8900 8201 08"), false);

    assertThat(reader.read(new byte[10], 0, 10)).isEqualTo(1);
    assertThat(control).isEmpty();
    assertThat(reader.read(new byte[10], 0, 10)).isEqualTo(1);
    assertThat(control).containsExactly("ping ");
    control.clear();
  }

  @Test
  void unaskedPongIsIgnored() throws IOException {
    assertThat(readAll(bytes("8a02 0102 8201 07"), true)).isEqualTo(bytes("07"));
  }

  @ParameterizedTest
  @CsvSource({
    "8800, 1005", // without code
    "8802 03e8, 1000",
    "8805 03e9 627965, 1001 bye",
    "8804 1388 0d0a, 5000-is-refused", // see below: 5000 is out of range
  })
  void closeEndsTheStreamForGood(String wire, String reason) throws IOException {
    if (reason.endsWith("refused")) {
      assertViolation(wire, "close code");
      return;
    }
    WebSocketFrameReader reader = reader(bytes("8201 07" + wire + "8201 08"), false);

    assertThat(reader.read(new byte[10], 0, 10)).isEqualTo(1);
    assertThat(reader.read(new byte[10], 0, 10)).isEqualTo(-1);
    assertThat(reader.read(new byte[10], 0, 10)).isEqualTo(-1);
    assertThat(control).containsExactly("close " + reason);
    control.clear();
  }

  @Test
  void controlCharactersInAReasonDoNotReachLogs() throws IOException {
    readAll(bytes("8805 0fa0 410a1b"), false);
    assertThat(control).containsExactly("close 4000 A??");
    control.clear();
  }

  @ParameterizedTest
  @CsvSource({
    "c200, reserved bits", // RSV1
    "a200, reserved bits", // RSV2
    "9200, reserved bits", // RSV3
    "c900, reserved bits",
    "8281 00000000 07, unmasked",
    "8980 00000000, unmasked",
    "8101 41, not text",
    "0101 41, not text",
    "8300, known opcode",
    "8700, known opcode",
    "8b00, known opcode",
    "8f00, known opcode",
    "8001 07, continuation of none",
    "0001 07, continuation of none",
    "0201 07 8201 08, continuation of the message",
    "8201 07 8001 08, continuation of none", // the message was complete
    "0900, one piece",
    "0a00, one piece",
    "0800, one piece",
    "897e 0001 00, at most 125",
    "887f 0000000000000001 00, at most 125",
    "827e 007d, shortest form",
    "827f 000000000000ffff, shortest form",
    "827f 8000000000000000, below 2^63",
    "8801 03, two bytes",
    "8802 03e7, close code", // 999
    "8802 03ec, close code", // 1004
    "8802 03ed, close code", // 1005 is never on the wire
    "8802 03ee, close code", // 1006 neither
    "8802 03f7, close code", // 1015 neither
    "8802 0bb7, close code", // 2999
    "8803 03e8 ff, UTF-8",
    "8804 03e8 c328, UTF-8",
  })
  void malformedFramesAreViolations(String wire, String saying) {
    assertViolation(wire, saying);
  }

  @Test
  void violationNamesTheBytesInHex() {
    assertThatThrownBy(() -> readAll(bytes("8a80 00000000"), false))
        .hasMessageContaining("0x8a 0x80");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "82", "8202", "8202 01", "827e", "827e 01", "89", "8902 01"})
  void endWithoutCloseFrameIsNotOrderly(String wire) {
    for (boolean slowly : new boolean[] {false, true}) {
      WebSocketFrameReader reader = reader(bytes(wire), slowly);
      assertThatThrownBy(() -> readToEnd(reader))
          .isInstanceOf(EOFException.class)
          .hasMessageContaining("without a WebSocket close frame");
    }
  }

  @Test
  void longFramesAreReadIntoTheTargetWithoutDetour() throws IOException {
    byte[] payload = random(3 * WebSocketFrameReader.BUFFER_BYTES);
    WebSocketFrameReader reader = reader(ServerFrames.binary(payload), false);
    byte[] target = new byte[payload.length];

    int first = reader.read(target, 0, target.length);
    int second = reader.read(target, first, target.length - first);

    assertThat(first).isLessThan(WebSocketFrameReader.BUFFER_BYTES);
    assertThat(first + second).isEqualTo(payload.length);
    assertThat(target).isEqualTo(payload);
  }

  @Test
  void steadyStateDoesNotAllocate() throws IOException {
    byte[] wire = ServerFrames.binary(new byte[1000]);
    InputStream endless =
        new InputStream() {
          @Override
          public int read() {
            throw new AssertionError("single bytes are not asked for");
          }

          @Override
          public int read(byte[] target, int offset, int length) {
            System.arraycopy(wire, 0, target, offset, wire.length);
            return wire.length;
          }
        };
    WebSocketFrameReader reader =
        new WebSocketFrameReader(endless, ByteBuffer.allocate(0), recording());
    byte[] target = new byte[2000];
    int frames = 100_000;
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (int i = 0; i < frames; i++) {
      reader.read(target, 0, target.length); // until the compiler has seen it
    }

    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < frames; i++) {
      reader.read(target, 0, target.length);
    }

    assertThat((threads.getCurrentThreadAllocatedBytes() - before) / frames).isZero();
  }

  @Test
  void anyCutOfAnyFramesGivesTheSameStream() throws IOException {
    long seed = 6455;
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      ByteArrayOutputStream wire = new ByteArrayOutputStream();
      ByteArrayOutputStream expected = new ByteArrayOutputStream();
      for (int i = 0; i < 20; i++) {
        byte[] payload =
            random(random.nextInt(4) == 0 ? random.nextInt(70_000) : random.nextInt(200));
        expected.writeBytes(payload);
        wire.writeBytes(ServerFrames.fragmented(payload, 1 + random.nextInt(5)));
      }
      wire.writeBytes(bytes("8800"));
      InputStream in = new RandomlyCut(wire.toByteArray(), random);
      WebSocketFrameReader reader =
          new WebSocketFrameReader(in, ByteBuffer.allocate(0), recording());

      assertThat(readToEnd(reader))
          .as("seed %d round %d", seed, round)
          .isEqualTo(expected.toByteArray());
      control.clear();
    }
  }

  private void assertViolation(String wire, String saying) {
    for (boolean slowly : new boolean[] {false, true}) {
      assertThatThrownBy(() -> readToEnd(reader(bytes(wire), slowly)))
          .isInstanceOf(ProtocolViolationException.class)
          .hasMessageContaining(saying);
    }
  }

  /** Reads everything up to a close frame that is appended. */
  private byte[] readAll(byte[] wire, boolean slowly) throws IOException {
    ByteArrayOutputStream closed = new ByteArrayOutputStream();
    closed.writeBytes(wire);
    closed.writeBytes(bytes("8800"));
    byte[] read = readToEnd(reader(closed.toByteArray(), slowly));
    control.remove("close 1005");
    return read;
  }

  private static byte[] readToEnd(WebSocketFrameReader reader) throws IOException {
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    byte[] target = new byte[1000];
    for (int n; (n = reader.read(target, 3, 900)) >= 0; ) {
      assertThat(n).isPositive();
      read.write(target, 3, n);
    }
    return read.toByteArray();
  }

  private WebSocketFrameReader reader(byte[] wire, boolean slowly) {
    InputStream in = new ByteArrayInputStream(wire);
    return new WebSocketFrameReader(
        slowly ? new OneByteAtATime(in) : in, ByteBuffer.allocate(0), recording());
  }

  private WebSocketFrameReader.ControlFrames recording() {
    return new WebSocketFrameReader.ControlFrames() {
      @Override
      public void onPing(byte[] payload) {
        control.add("ping " + HexFormat.of().formatHex(payload));
      }

      @Override
      public void onClose(CloseReason reason) {
        control.add("close " + reason);
      }
    };
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  private static final class OneByteAtATime extends InputStream {
    private final InputStream in;

    OneByteAtATime(InputStream in) {
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      return in.read();
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      return in.read(target, offset, Math.min(1, length));
    }
  }

  private static final class RandomlyCut extends InputStream {
    private final InputStream in;
    private final Random random;

    RandomlyCut(byte[] bytes, Random random) {
      this.in = new ByteArrayInputStream(bytes);
      this.random = random;
    }

    @Override
    public int read() throws IOException {
      return in.read();
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      return in.read(target, offset, Math.min(1 + random.nextInt(2000), length));
    }
  }

  /** Stands for a socket on which the next read would block. */
  private static final class FailingWhenDry extends InputStream {
    private final ByteArrayInputStream in;

    FailingWhenDry(byte[] bytes) {
      this.in = new ByteArrayInputStream(bytes);
    }

    @Override
    public int read() {
      throw new AssertionError("single bytes are not asked for");
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      int count = in.read(target, offset, length);
      if (count < 0) {
        throw new AssertionError("this read would have blocked");
      }
      return count;
    }
  }
}
