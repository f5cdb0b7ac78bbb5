package io.rmigate.client.transport.http;

import io.rmigate.protocol.LogText;
import io.rmigate.protocol.ProtocolViolationException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

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

  /** The characters of a field's name besides letters and digits (RFC 9110 §5.6.2). */
  private static final String NAME_SIGNS = "!#$%&'*+.^_`|~-";

  /** {@code HTTP/1.1 200}; a reason may follow behind a space. */
  private static final int STATUS_LINE_LENGTH = 12;

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

  /** Parses a head from {@code start} to {@code end}; bytes up to {@code limit} are the rest. */
  static HttpHead parse(byte[] buffer, int start, int end, int limit, String peer)
      throws ProtocolViolationException {
    String text = new String(buffer, start, end - start, StandardCharsets.ISO_8859_1);
    String[] lines = text.split("\n", -1);
    String status = withoutReturn(lines[0], lines.length == 1);
    if (!isStatusLine(status)) {
      throw new ProtocolViolationException(
          peer + ": expected an HTTP/1.1 response, got '" + LogText.brief(status) + "'");
    }
    List<Field> fields = new ArrayList<>();
    for (int i = 1; i < lines.length; i++) {
      String line = withoutReturn(lines[i], i == lines.length - 1);
      if (line.isEmpty()) {
        continue; // behind the last field
      }
      int colon = line.indexOf(':');
      if (colon < 0 || !isName(line.substring(0, colon)) || !isOneLine(line)) {
        throw new ProtocolViolationException(
            peer + ": expected a header field, got '" + LogText.brief(line) + "'");
      }
      fields.add(
          new Field(
              line.substring(0, colon).toLowerCase(Locale.ROOT),
              line.substring(colon + 1).strip()));
    }
    return new HttpHead(
        status.charAt(7) - '0',
        Integer.parseInt(status.substring(9, STATUS_LINE_LENGTH)),
        status.length() == STATUS_LINE_LENGTH
            ? ""
            : LogText.brief(status.substring(STATUS_LINE_LENGTH + 1)),
        List.copyOf(fields),
        ByteBuffer.wrap(buffer, end, limit - end));
  }

  /** Lines end in CR LF or LF; behind the last one nothing ends. */
  private static String withoutReturn(String line, boolean last) {
    return !last && line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
  }

  private static boolean isStatusLine(String line) {
    return line.length() >= STATUS_LINE_LENGTH
        && line.startsWith("HTTP/1.")
        && (line.charAt(7) == '0' || line.charAt(7) == '1')
        && line.charAt(8) == ' '
        && line.charAt(9) != '0'
        && isDigit(line.charAt(9))
        && isDigit(line.charAt(10))
        && isDigit(line.charAt(11))
        && (line.length() == STATUS_LINE_LENGTH
            || (line.charAt(STATUS_LINE_LENGTH) == ' ' && isOneLine(line)));
  }

  private static boolean isName(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c))
          && NAME_SIGNS.indexOf(c) < 0) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** Whether it has no line separator of ISO 8859-1 in it. */
  private static boolean isOneLine(String text) {
    return text.indexOf('\r') < 0 && text.indexOf('\u0085') < 0;
  }

  /** All values of a field, in order; {@code name} in lower case. */
  public List<String> all(String name) {
    List<String> values = new ArrayList<>();
    for (Field field : fields) {
      if (field.name().equals(name)) {
        values.add(field.value());
      }
    }
    return values;
  }

  /** The first value of a field; {@code name} in lower case. */
  public Optional<String> first(String name) {
    List<String> all = all(name);
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(0));
  }

  /** Whether a comma-separated field contains {@code token}, in any case. */
  public boolean hasToken(String name, String token) {
    for (String value : all(name)) {
      for (String element : value.split(",", -1)) {
        if (element.strip().equalsIgnoreCase(token)) {
          return true;
        }
      }
    }
    return false;
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

  /** The status for messages: {@code 404 Not Found}. */
  public String statusLine() {
    return reason.isEmpty() ? Integer.toString(status) : status + " " + reason;
  }
}
