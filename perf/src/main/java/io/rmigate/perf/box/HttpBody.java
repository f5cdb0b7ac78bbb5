package io.rmigate.perf.box;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.Optional;

/** How an HTTP/1.1 message's body is framed, and reading it whole (RFC 9112, 6). */
final class HttpBody {
  /** A longer body ends its connection. */
  static final int MOST_BYTES = 64 * 1024 * 1024;

  private HttpBody() {}

  /** All of a request's. */
  static byte[] ofRequest(HttpHead head, InputStream in) throws IOException {
    return whole(head, in, false);
  }

  /** All of an answer's; empty where its kind has none, not even one without a byte. */
  static Optional<byte[]> ofAnswer(HttpHead head, String method, InputStream in)
      throws IOException {
    int status = head.status();
    boolean none = method.equals("HEAD") || status / 100 == 1 || status == 204 || status == 304;
    return none ? Optional.empty() : Optional.of(whole(head, in, true));
  }

  private static byte[] whole(HttpHead head, InputStream in, boolean toItsEnd) throws IOException {
    Optional<String> coding = head.field("transfer-encoding");
    Optional<String> length = head.field("content-length");
    if (coding.isPresent() && coding.get().toLowerCase(Locale.ROOT).endsWith("chunked")) {
      return chunks(in);
    }
    if (length.isPresent()) {
      return exactly(in, bounded(Long.parseLong(length.get())));
    }
    return toItsEnd ? in.readNBytes(MOST_BYTES) : new byte[0];
  }

  private static byte[] chunks(InputStream in) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (true) {
      String size = line(in).split(";", 2)[0].strip();
      int length = bounded(body.size() + Long.parseLong(size, 16)) - body.size();
      if (length == 0) {
        while (!line(in).isEmpty()) {
          // trailer
        }
        return body.toByteArray();
      }
      body.writeBytes(exactly(in, length));
      line(in);
    }
  }

  private static int bounded(long length) throws IOException {
    if (length < 0 || length > MOST_BYTES) {
      throw new IOException("a body of " + length + " bytes");
    }
    return (int) length;
  }

  private static byte[] exactly(InputStream in, int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("the end in the middle of a body");
    }
    return bytes;
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0 || line.length() > 8 * 1024) {
        throw new EOFException("expected the size of a chunk");
      }
      line.append((char) next);
    }
    return line.toString().strip();
  }
}
