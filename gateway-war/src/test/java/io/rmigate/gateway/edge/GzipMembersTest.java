package io.rmigate.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.soap.http.DamagedBodyException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Inflating what comes in pieces of any length. */
class GzipMembersTest {

  /** Gives at most {@code most} bytes at a time. */
  private static final class Pieces extends ByteArrayInputStream {
    private final int most;

    Pieces(byte[] bytes, int most) {
      super(bytes);
      this.most = most;
    }

    @Override
    public synchronized int read(byte[] target, int offset, int length) {
      return super.read(target, offset, Math.min(length, most));
    }
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }

  /** With a number of bytes that do not compress, or do. */
  private static byte[] content(int length) {
    byte[] content = new byte[length];
    new Random(length).nextBytes(content);
    Arrays.fill(content, length / 2, length, (byte) 'a');
    return content;
  }

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private static byte[] inflated(byte[] bytes, int piece) throws IOException {
    try (InputStream members = new GzipMembers(new Pieces(bytes, piece))) {
      byte[] all = members.readAllBytes();
      assertThat(members.read()).isEqualTo(-1);
      return all;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 100, 8192, 1_000_000})
  void membersAreReadHoweverTheyCome(int piece) throws IOException {
    byte[] first = content(50_000);
    byte[] second = content(13);
    byte[] members = concat(gzip(first), gzip(new byte[0]), gzip(second));
    assertThat(inflated(members, piece)).isEqualTo(concat(first, second));
    assertThat(inflated(gzip(new byte[0]), piece)).isEmpty();
  }

  /** RFC 1952, 2.3: extra field, name, comment and checksum of the head. */
  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void fieldsOfTheHeadArePassedOver(int piece) throws IOException {
    byte[] plain = gzip(content(100));
    byte[] head =
        HexFormat.of().parseHex("1f8b081f00000000000003000102036e616d6500636f6d6d656e74001234");
    byte[] full = concat(head, Arrays.copyOfRange(plain, 10, plain.length));
    assertThat(inflated(full, piece)).isEqualTo(content(100));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8192})
  void anythingElseIsDamaged(int piece) throws IOException {
    byte[] whole = gzip(content(1000));
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> inflated(cut, piece)).isInstanceOf(DamagedBodyException.class);
      if (length > 0) {
        assertThatThrownBy(() -> inflated(concat(whole, cut), piece))
            .isInstanceOf(DamagedBodyException.class);
      }
    }
    for (int place : new int[] {0, 1, 2, whole.length - 1, whole.length - 5}) {
      byte[] turned = whole.clone();
      turned[place] ^= 1;
      assertThatThrownBy(() -> inflated(turned, piece)).isInstanceOf(DamagedBodyException.class);
    }
    byte[] reserved = whole.clone();
    reserved[3] = 0x20;
    assertThatThrownBy(() -> inflated(reserved, piece)).isInstanceOf(DamagedBodyException.class);
  }

  @Test
  void aByteBehindTheLastMemberIsDamage() throws IOException {
    for (int piece : new int[] {1, 2, 7, 20, 21, 1000}) {
      byte[] behind = concat(gzip(content(1)), new byte[] {0});
      assertThatThrownBy(() -> inflated(behind, piece)).isInstanceOf(DamagedBodyException.class);
    }
  }
}
