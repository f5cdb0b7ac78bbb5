package io.rmigate.client.transport.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 6455 §5 as the client writes it. */
class WebSocketFrameWriterTest {
  /** What the network would have got, one element per write. */
  private final List<byte[]> writes = new ArrayList<>();

  private final OutputStream out =
      new OutputStream() {
        @Override
        public void write(int b) {
          throw new AssertionError("single bytes are not written");
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
          writes.add(Arrays.copyOfRange(bytes, offset, offset + length));
        }
      };

  @Test
  void exampleOfTheSpecification() throws IOException {
    // RFC 6455 §5.7: "Hello", masked with 37fa213d; there as text, here as binary
    WebSocketFrameWriter writer = writer(0x37fa213d);

    writer.writeBinary("Hello".getBytes(StandardCharsets.US_ASCII), 0, 5);

    assertThat(HexFormat.of().formatHex(writes.get(0))).isEqualTo("828537fa213d7f9f4d5158");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 7, 8, 9, 125, 126, 127, 1000, 0xFFFF, 0x10000, 128 * 1024})
  void aFrameIsOneWrite(int length) throws IOException {
    byte[] payload = random(length + 5);

    writer(0xCAFEBABE).writeBinary(payload, 3, length);

    assertThat(writes).hasSize(1);
    assertThat(unmask(writes.get(0))).isEqualTo(Arrays.copyOfRange(payload, 3, 3 + length));
  }

  @ParameterizedTest
  @ValueSource(ints = {128 * 1024 + 1, 300_001, 1 << 20})
  void longFramesAreWrittenInChunksOfConstantMemory(int length) throws IOException {
    byte[] payload = random(length);
    WebSocketFrameWriter writer = writer(0x01020304);

    writer.writeBinary(payload, 0, length);

    assertThat(unmask(joined())).isEqualTo(payload);
    assertThat(writer.bytesSent()).isEqualTo(joined().length);
  }

  @Test
  void lengthIsInItsShortestForm() throws IOException {
    for (int length : new int[] {125, 126, 0xFFFF, 0x10000}) {
      writer(0).writeBinary(new byte[length], 0, length);
    }

    assertThat(writes)
        .extracting(frame -> HexFormat.of().formatHex(frame, 0, 10))
        .containsExactly(
            "82fd0000000000000000", // 125, key 0
            "82fe007e000000000000", // 126
            "82feffff000000000000",
            "82ff0000000000010000");
  }

  @Test
  void maskIsThatOfTheSpecificationAtEveryOffset() {
    Random random = new Random(5);
    for (int length = 0; length < 70; length++) {
      for (int offset = 0; offset < 9; offset++) {
        byte[] from = random(length + offset);
        byte[] to = new byte[length + 20];
        int key = random.nextInt();
        byte[] keyBytes = ByteBuffer.allocate(4).putInt(key).array();

        WebSocketFrameWriter.copyMasked(from, offset, to, 11, length, key);

        for (int i = 0; i < length; i++) {
          // j = i MOD 4; transformed-octet-i = original-octet-i XOR masking-key-octet-j
          assertThat(to[11 + i]).isEqualTo((byte) (from[offset + i] ^ keyBytes[i % 4]));
        }
        assertThat(to[11 + length]).isZero();
      }
    }
  }

  @Test
  void everyFrameHasANewKey() throws IOException {
    WebSocketFrameWriter writer = new WebSocketFrameWriter(out, new MaskKeys(new SecureRandom()));
    Set<Integer> keys = new HashSet<>();

    for (int i = 0; i < 1000; i++) {
      writer.writeBinary(new byte[0], 0, 0);
      keys.add(ByteBuffer.wrap(writes.get(i)).getInt(2));
    }

    assertThat(keys).hasSizeGreaterThan(990); // 2^32 values: two equal ones are possible, ten not
  }

  @Test
  void steadyStateDoesNotAllocate() throws IOException {
    OutputStream nowhere = OutputStream.nullOutputStream();
    WebSocketFrameWriter writer =
        new WebSocketFrameWriter(nowhere, new MaskKeys(new SecureRandom()));
    byte[] payload = new byte[1000];
    int frames = 100_000;
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (int i = 0; i < frames; i++) {
      writer.writeBinary(payload, 0, payload.length); // until the compiler has seen it
    }

    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < frames; i++) {
      writer.writeBinary(payload, 0, payload.length);
    }

    // What SecureRandom allocates for 128 keys at a time is all there is.
    assertThat((threads.getCurrentThreadAllocatedBytes() - before) / frames).isLessThan(16);
  }

  @Test
  void controlFramesHaveAtMost125Bytes() throws IOException {
    writer(0).writeControl(WebSocketProtocol.OPCODE_PONG, new byte[125]);
    assertThat(writes.get(0)).hasSize(6 + 125).startsWith(0x8a, 0xfd);

    assertThatThrownBy(() -> writer(0).writeControl(WebSocketProtocol.OPCODE_PONG, new byte[126]))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void payloadOutsideItsArrayIsRefused() {
    assertThatThrownBy(() -> writer(0).writeBinary(new byte[3], 2, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(writes).isEmpty();
  }

  private WebSocketFrameWriter writer(int key) {
    return new WebSocketFrameWriter(out, new MaskKeys(new FixedKey(key)));
  }

  private byte[] joined() {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    writes.forEach(joined::writeBytes);
    return joined.toByteArray();
  }

  private static byte[] unmask(byte[] wire) {
    ByteBuffer frame = ByteBuffer.wrap(wire);
    assertThat(frame.get()).isEqualTo((byte) 0x82);
    int b1 = frame.get() & 0xFF;
    assertThat(b1 & 0x80).as("mask bit").isNotZero();
    int length = b1 & 0x7F;
    length =
        length == 126 ? frame.getShort() & 0xFFFF : length == 127 ? (int) frame.getLong() : length;
    byte[] key = new byte[4];
    frame.get(key);
    byte[] payload = new byte[length];
    frame.get(payload);
    assertThat(frame.hasRemaining()).isFalse();
    for (int i = 0; i < length; i++) {
      payload[i] ^= key[i % 4];
    }
    return payload;
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  private static final class FixedKey extends SecureRandom {
    private static final long serialVersionUID = 1L;
    private final int key;

    FixedKey(int key) {
      this.key = key;
    }

    @Override
    public void nextBytes(byte[] bytes) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      while (buffer.hasRemaining()) {
        buffer.putInt(key);
      }
    }
  }
}
