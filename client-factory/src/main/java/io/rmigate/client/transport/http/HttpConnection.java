package io.rmigate.client.transport.http;

import io.rmigate.client.transport.net.SocketTeardown;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/**
 * A connection on which HTTP/1.1 requests follow each other (RFC 9112 §9.3), each written in one
 * piece, each after the answer to the one before. Takes answers as those who stand between may have
 * re-encoded them: with a length, in chunks, or ended by the end of the connection. Repeats
 * nothing.
 *
 * <p>Used by one thread at a time; any thread may close it.
 */
public final class HttpConnection {
  /** How long a look at a connection of which nothing is expected now may take. */
  private static final int LOOK_MILLIS = 1;

  /** How often a thread that waits for an answer looks up. */
  private static final int WAIT_MILLIS = 500;

  private static final int STATUS_BYTES = "HTTP/1.1 200".length();

  private static final byte[] CONTENT_LENGTH = ascii("content-length:");
  private static final byte[] TRANSFER_ENCODING = ascii("transfer-encoding:");
  private static final byte[] CONNECTION = ascii("connection:");

  private final Socket plain;
  private final Socket top;
  private final InputStream in;
  private final OutputStream out;
  private final LongAdder received;
  private final LongAdder sent;
  private final byte[] buffer = new byte[HttpHead.MAX_BYTES];
  private int position;
  private int limit;
  private boolean reusable = true;
  private long restsSinceNanos = System.nanoTime();
  private boolean distrusted;

  /**
   * An answer.
   *
   * @param head of one that is not 200; else null
   * @param body of one that is 200; else empty
   */
  @SuppressWarnings("ArrayRecordComponent") // wire bytes: identity, not value
  public record Answer(HttpHead head, byte[] body) {}

  /**
   * @param plain the TCP socket, below {@code top} if there is TLS
   * @param received counts bytes of all connections, as {@code sent}
   */
  public HttpConnection(Socket plain, Socket top, LongAdder received, LongAdder sent)
      throws IOException {
    this.plain = plain;
    this.top = top;
    this.in = top.getInputStream();
    this.out = top.getOutputStream();
    top.setSoTimeout(WAIT_MILLIS);
    this.received = received;
    this.sent = sent;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Writes a whole request. */
  public void send(byte[] request) throws IOException {
    out.write(request);
    sent.add(request.length);
  }

  /** Whether another request may follow on it, as far as the answers so far say. */
  public boolean isReusable() {
    return reusable;
  }

  /** The connection has been given back; see {@link #hasEnded}. */
  public void rest() {
    restsSinceNanos = System.nanoTime();
    distrusted = false;
  }

  /** The connection rests; the other side may have closed it, however short the rest is. */
  public void distrust() {
    distrusted = true;
  }

  /**
   * Whether the other side has closed it while it rested. Looks only when it has for some time, or
   * is distrusted, since a look costs a millisecond.
   */
  public boolean hasEnded(long afterNanos) {
    if (!distrusted && System.nanoTime() - restsSinceNanos < afterNanos) {
      return false;
    }
    if (position < limit) {
      return true; // bytes that no request has asked for are not wanted
    }
    position = 0;
    limit = 0;
    return look();
  }

  /**
   * Whether there will be no answer to the request that was sent, as far as can be seen without
   * waiting for one: the connection has ended, or something else than the answer has come.
   */
  public boolean hasFailed() {
    boolean ended = limit < buffer.length && look() && limit == position;
    return ended || (limit - position >= STATUS_BYTES && buffer[position + 9] > '2');
  }

  /** Whether the other side has closed it, or said something, which is then in the buffer. */
  private boolean look() {
    try {
      top.setSoTimeout(LOOK_MILLIS);
      try {
        fill();
        return true;
      } catch (SocketTimeoutException stillThere) {
        return false;
      } finally {
        top.setSoTimeout(WAIT_MILLIS);
      }
    } catch (IOException ended) {
      return true;
    }
  }

  /**
   * Reads the answer to the request that was sent.
   *
   * @param peer who is speaking, for messages
   * @param most bytes of the body
   * @param meanwhile called now and then as long as nothing comes
   */
  public Answer read(String peer, int most, Meanwhile meanwhile) throws IOException {
    int end;
    while ((end = finalHead(peer)) < 0) {
      if (position > 0) {
        System.arraycopy(buffer, position, buffer, 0, limit - position);
        limit -= position;
        position = 0;
      }
      if (limit == buffer.length) {
        throw new IOException(
            peer + ": expected a response head of at most " + buffer.length + " bytes, got more");
      }
      try {
        fill();
      } catch (SocketTimeoutException nothingYet) {
        meanwhile.lookUp();
      }
    }
    int start = position;
    position = end;
    if (!isOk(start)) {
      reusable = false; // its body is of no interest
      return new Answer(HttpHead.parse(buffer, start, end, end, peer), new byte[0]);
    }
    return new Answer(null, body(start, end, peer, most));
  }

  /** The index behind the head of a final answer, those before skipped; −1 while it is not here. */
  private int finalHead(String peer) throws IOException {
    while (true) {
      int end = HttpHead.endOfHead(buffer, position, limit);
      if (end < 0 || buffer[position + "HTTP/1.1 ".length()] != '1') {
        return end;
      }
      HttpHead.parse(buffer, position, end, end, peer); // or it is none
      position = end;
    }
  }

  /** The task of a thread while it waits for an answer. */
  @FunctionalInterface
  public interface Meanwhile {
    void lookUp() throws IOException;
  }

  /** Whether the head says {@code HTTP/1.x 200}. */
  private boolean isOk(int start) {
    String status = new String(buffer, start, STATUS_BYTES, StandardCharsets.ISO_8859_1);
    return status.equals("HTTP/1.1 200") || status.equals("HTTP/1.0 200");
  }

  private byte[] body(int start, int end, String peer, int most) throws IOException {
    boolean lasting = buffer[start + "HTTP/1.".length()] == '1';
    long length = -1;
    boolean chunked = false;
    for (int line = nextLine(start, end); line < end; line = nextLine(line, end)) {
      if (begins(line, end, CONTENT_LENGTH)) {
        length = HttpBody.number(value(line, CONTENT_LENGTH, end), 10, peer);
      } else if (begins(line, end, TRANSFER_ENCODING)) {
        chunked = value(line, TRANSFER_ENCODING, end).toLowerCase(Locale.ROOT).endsWith("chunked");
      } else if (begins(line, end, CONNECTION)) {
        String value = value(line, CONNECTION, end).toLowerCase(Locale.ROOT);
        lasting = value.contains("keep-alive") || (lasting && !value.contains("close"));
      }
    }
    reusable = lasting && (chunked || length >= 0);
    if (chunked) {
      return chunks(peer, most);
    }
    if (length > most) {
      throw tooLong(peer, most);
    }
    return length >= 0 ? exactly((int) length, peer) : rest(peer, most);
  }

  private int nextLine(int from, int end) {
    int i = from;
    while (i < end && buffer[i] != '\n') {
      i++;
    }
    return i + 1;
  }

  private boolean begins(int line, int end, byte[] name) {
    if (end - line < name.length) {
      return false;
    }
    for (int i = 0; i < name.length; i++) {
      int c = buffer[line + i];
      if ((c >= 'A' && c <= 'Z' ? c + 32 : c) != name[i]) {
        return false;
      }
    }
    return true;
  }

  private String value(int line, byte[] name, int end) {
    int from = line + name.length;
    return new String(buffer, from, nextLine(from, end) - from, StandardCharsets.ISO_8859_1)
        .strip();
  }

  private byte[] exactly(int length, String peer) throws IOException {
    byte[] body = new byte[length];
    int count = Math.min(length, limit - position);
    System.arraycopy(buffer, position, body, 0, count);
    position += count;
    while (count < length) {
      int more;
      try {
        more = in.read(body, count, length - count);
      } catch (SocketTimeoutException slow) {
        continue; // whether it is too slow is for the link's heartbeat to say
      }
      if (more < 0) {
        throw cutOff(peer);
      }
      received.add(more);
      count += more;
    }
    return body;
  }

  private byte[] rest(String peer, int most) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    try {
      while (true) {
        body.write(buffer, position, limit - position);
        position = limit;
        if (body.size() > most) {
          throw tooLong(peer, most);
        }
        limit = 0;
        position = 0;
        await();
      }
    } catch (EOFException end) {
      return body.toByteArray();
    }
  }

  private byte[] chunks(String peer, int most) throws IOException {
    ChunkedBody.Source source =
        new ChunkedBody.Source() {
          @Override
          public int read() throws IOException {
            return next();
          }

          @Override
          public byte[] read(int count) throws IOException {
            return exactly(count, peer);
          }
        };
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    if (!new ChunkedBody(source, peer).copy(body, most)) {
      throw tooLong(peer, most);
    }
    return body.toByteArray();
  }

  private int next() throws IOException {
    if (position == limit) {
      position = 0;
      limit = 0;
      await();
    }
    return buffer[position++] & 0xFF;
  }

  /** More of what has begun. */
  private void await() throws IOException {
    while (true) {
      try {
        fill();
        return;
      } catch (SocketTimeoutException slow) {
        // Whether it is too slow is for the link's heartbeat to say.
      }
    }
  }

  private void fill() throws IOException {
    int count = in.read(buffer, limit, buffer.length - limit);
    if (count < 0) {
      throw new EOFException("closed the connection instead of answering");
    }
    received.add(count);
    limit += count;
  }

  private static IOException cutOff(String peer) {
    return new EOFException(peer + " closed the connection in the middle of its answer");
  }

  private static IOException tooLong(String peer, int most) {
    return new IOException(peer + ": expected a body of at most " + most + " bytes, got more");
  }

  /** The TCP socket, for a guard that limits the time of an exchange. */
  public Socket socket() {
    return plain;
  }

  /** Wakes the threads that read or write. Never blocks. */
  public void close() {
    SocketTeardown.close(plain);
  }
}
