package io.rmigate.client.transport.http;

import io.rmigate.protocol.ProtocolViolationException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** Reads bodies in chunked coding (RFC 9112 §7.1), wherever their bytes come from. */
final class ChunkedBody {
  /** Limit of a line: the length of a chunk in hex, and its extensions, which are ignored. */
  private static final int MAX_LINE_BYTES = 1024;

  /** Where the bytes come from. */
  interface Source {
    /**
     * The next byte.
     *
     * @throws IOException there is none
     */
    int read() throws IOException;

    /**
     * The next {@code count} bytes.
     *
     * @throws IOException there are fewer
     */
    byte[] read(int count) throws IOException;
  }

  private final Source source;
  private final String peer;

  /**
   * @param peer who is speaking, for messages
   */
  ChunkedBody(Source source, String peer) {
    this.source = source;
    this.peer = peer;
  }

  /**
   * Reads all of it; blocks.
   *
   * @return false: it is longer than {@code most} bytes, of which some are in {@code to}
   * @throws ProtocolViolationException it is none
   */
  boolean copy(ByteArrayOutputStream to, int most) throws IOException {
    while (true) {
      long length = HttpBody.number(line().split(";", 2)[0], 16, peer);
      if (length == 0) {
        while (!line().isEmpty()) {
          // trailers (§7.1.2): of no interest
        }
        return true;
      }
      if (length > most - to.size()) {
        return false;
      }
      to.writeBytes(source.read((int) length));
      if (!line().isEmpty()) {
        throw new ProtocolViolationException(peer + ": expected the end of a chunk, got more");
      }
    }
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = source.read(); b != '\n'; b = source.read()) {
      if (line.length() == MAX_LINE_BYTES) {
        throw new ProtocolViolationException(
            peer + ": expected a line of a chunked body, got one without end");
      }
      line.append((char) b);
    }
    return line.toString().strip();
  }
}
