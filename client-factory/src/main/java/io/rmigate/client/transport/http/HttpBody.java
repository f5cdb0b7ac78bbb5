package io.rmigate.client.transport.http;

import io.rmigate.protocol.LogText;
import io.rmigate.protocol.ProtocolViolationException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The body of a response as far as a bound (RFC 9112 §6). For small things: what a login page is
 * called, a PAC file, what stands between two steps of a login.
 *
 * @param whole whether that is all of it
 * @param framed whether its end was known otherwise than by the connection's, so that another
 *     response may follow
 */
public record HttpBody(ByteBuffer bytes, boolean whole, boolean framed) {
  /** Reads what follows {@code head}; blocks for the whole body, or {@code maxBytes} of it. */
  public static HttpBody read(HttpHead head, InputStream in, int maxBytes, String peer)
      throws IOException {
    Source source = new Source(head, in, peer);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Optional<String> length = head.first("content-length");
    boolean chunked = head.hasToken("transfer-encoding", "chunked");
    boolean whole;
    if (chunked) {
      whole = new ChunkedBody(source, peer).copy(bytes, maxBytes);
    } else if (length.isPresent()) {
      long count = number(length.get(), 10, peer);
      whole = source.copy(bytes, Math.min(count, maxBytes)) && count <= maxBytes;
    } else {
      whole = !source.copy(bytes, maxBytes + 1L);
    }
    return new HttpBody(
        ByteBuffer.wrap(bytes.toByteArray()), whole, whole && (chunked || length.isPresent()));
  }

  /** The body decoded as UTF-8; invalid bytes become replacement characters. */
  public String text() {
    return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
  }

  /**
   * A length.
   *
   * @throws ProtocolViolationException that is none
   */
  static long number(String text, int radix, String peer) throws IOException {
    try {
      long number = Long.parseLong(text.strip(), radix);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException notOne) {
      // falls through
    }
    throw new ProtocolViolationException(
        peer + ": expected the length of a body, got '" + LogText.brief(text) + "'");
  }

  /** The bytes that were read behind the head, then the rest of the input. */
  private static final class Source implements ChunkedBody.Source {
    private final HttpHead head;
    private final InputStream in;
    private final String peer;

    Source(HttpHead head, InputStream in, String peer) {
      this.head = head;
      this.in = in;
      this.peer = peer;
    }

    private int readOrEnd() throws IOException {
      return head.rest().hasRemaining() ? head.rest().get() & 0xFF : in.read();
    }

    @Override
    public int read() throws IOException {
      int b = readOrEnd();
      if (b < 0) {
        throw new ProtocolViolationException(peer + ": expected a whole chunk, got less");
      }
      return b;
    }

    @Override
    public byte[] read(int count) throws IOException {
      byte[] bytes = new byte[count];
      for (int i = 0; i < count; i++) {
        bytes[i] = (byte) read();
      }
      return bytes;
    }

    /** Whether there were {@code count} bytes. */
    boolean copy(ByteArrayOutputStream to, long count) throws IOException {
      for (long i = 0; i < count; i++) {
        int b = readOrEnd();
        if (b < 0) {
          return false;
        }
        to.write(b);
      }
      return true;
    }
  }
}
