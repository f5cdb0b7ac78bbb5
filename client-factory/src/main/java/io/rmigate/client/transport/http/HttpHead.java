package io.rmigate.client.transport.http;

import io.rmigate.protocol.LogText;
import io.rmigate.protocol.ProtocolViolationException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The head of an HTTP/1 response (RFC 9112 §4, §5): status line and header fields, of which there
 * may be {@link #MAX_BYTES} together.
 *
 * @param minorVersion of HTTP/1
 * @param reason printable, may be empty
 * @param rest bytes that were read behind the head
 */
public record HttpHead(
    int minorVersion, int status, String reason, List<Field> fields, ByteBuffer rest) {
  public static final int MAX_BYTES = 16 * 1024;

  private static final Pattern STATUS_LINE =
      Pattern.compile("HTTP/1\\.([01]) ([1-9][0-9][0-9])(?: (.*))?");
  private static final Pattern FIELD = Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+):(.*)");

  /** One header field line; the name in lower case. */
  record Field(String name, String value) {}

  /**
   * Reads heads until one is final: 1xx other than 101 are skipped (RFC 9110 §15.2).
   *
   * @param peer who is speaking, for messages
   */
  public static HttpHead read(InputStream in, String peer) throws IOException {
    byte[] buffer = new byte[MAX_BYTES];
    int limit = 0;
    int start = 0;
    while (true) {
      int end = endOfHead(buffer, start, limit);
      if (end >= 0) {
        HttpHead head = parse(buffer, start, end, limit, peer);
        if (head.status >= 200 || head.status == 101) {
          return head;
        }
        start = end;
      } else if (limit == buffer.length) {
        throw new ProtocolViolationException(
            peer + ": expected a response head of at most " + MAX_BYTES + " bytes, got more");
      } else {
        int count = in.read(buffer, limit, buffer.length - limit);
        if (count < 0) {
          throw new EOFException(
              peer
                  + (limit == 0
                      ? " closed the connection instead of answering"
                      : " closed the connection in the middle of its answer"));
        }
        limit += count;
      }
    }
  }

  /** The index behind the empty line, or −1. Lines may end in LF alone (RFC 9112 §2.2). */
  static int endOfHead(byte[] buffer, int start, int limit) {
    for (int i = start; i < limit; i++) {
      if (buffer[i] == '\n') {
        int next = i + 1 < limit && buffer[i + 1] == '\r' ? i + 2 : i + 1;
        if (next < limit && buffer[next] == '\n') {
          return next + 1;
        }
      }
    }
    return -1;
  }

  /** Of bytes from {@code start} to {@code end}; those up to {@code limit} are the rest. */
  static HttpHead parse(byte[] buffer, int start, int end, int limit, String peer)
      throws ProtocolViolationException {
    String text = new String(buffer, start, end - start, StandardCharsets.ISO_8859_1);
    String[] lines = text.split("\r?\n", -1);
    Matcher status = STATUS_LINE.matcher(lines[0]);
    if (!status.matches()) {
      throw new ProtocolViolationException(
          peer + ": expected an HTTP/1.1 response, got '" + LogText.brief(lines[0]) + "'");
    }
    List<Field> fields = new ArrayList<>();
    for (int i = 1; i < lines.length; i++) {
      if (lines[i].isEmpty()) {
        continue; // behind the last field
      }
      Matcher field = FIELD.matcher(lines[i]);
      if (!field.matches()) {
        throw new ProtocolViolationException(
            peer + ": expected a header field, got '" + LogText.brief(lines[i]) + "'");
      }
      fields.add(new Field(field.group(1).toLowerCase(Locale.ROOT), field.group(2).strip()));
    }
    return new HttpHead(
        Integer.parseInt(status.group(1)),
        Integer.parseInt(status.group(2)),
        status.group(3) == null ? "" : LogText.brief(status.group(3)),
        List.copyOf(fields),
        ByteBuffer.wrap(buffer, end, limit - end));
  }

  /** All values of a field, in order; {@code name} in lower case. */
  public List<String> all(String name) {
    return fields.stream().filter(f -> f.name().equals(name)).map(Field::value).toList();
  }

  /** The first value of a field; {@code name} in lower case. */
  public Optional<String> first(String name) {
    return all(name).stream().findFirst();
  }

  /** Whether a comma-separated field contains {@code token}, in any case. */
  public boolean hasToken(String name, String token) {
    return all(name).stream()
        .flatMap(value -> Arrays.stream(value.split(",")))
        .anyMatch(element -> element.strip().equalsIgnoreCase(token));
  }

  /**
   * Whether the connection is said to stay after the body (RFC 9112 §9.3). The field that an HTTP
   * proxy sends instead of Connection is no standard, but what squid sends.
   */
  public boolean keepsAlive() {
    boolean close = hasToken("connection", "close") || hasToken("proxy-connection", "close");
    boolean keep =
        hasToken("connection", "keep-alive") || hasToken("proxy-connection", "keep-alive");
    return !close && (minorVersion == 1 || keep);
  }

  /** Whether the body is meant for people: what login pages and refusals of HTTP proxies are. */
  public boolean isWebPage() {
    return first("content-type").orElse("").toLowerCase(Locale.ROOT).startsWith("text/html");
  }

  /** For messages: {@code 404 Not Found}. */
  public String statusLine() {
    return reason.isEmpty() ? Integer.toString(status) : status + " " + reason;
  }
}
