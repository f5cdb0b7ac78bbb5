package io.rmigate.perf.box;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The first line and the fields of an HTTP/1.1 message.
 *
 * @param fields as {@code Name: value}
 */
record HttpHead(String start, List<String> fields) {
  /** Header fields of one connection only (RFC 9110, 7.6.1), which the box does not pass on. */
  private static final Set<String> HOP_BY_HOP =
      Set.of(
          "connection",
          "keep-alive",
          "proxy-connection",
          "proxy-authorization",
          "te",
          "trailer",
          "upgrade");

  private static final int MOST_BYTES = 64 * 1024;

  /**
   * Empty at the end of the connection.
   *
   * @throws IOException it is longer than 64 KiB, or ends in the middle
   */
  static Optional<HttpHead> read(InputStream in) throws IOException {
    List<String> lines = new ArrayList<>();
    int left = MOST_BYTES;
    while (true) {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      int next = in.read();
      for (; next >= 0 && next != '\n'; next = in.read()) {
        if (--left == 0) {
          throw new IOException("a head of more than " + MOST_BYTES + " bytes");
        }
        line.write(next);
      }
      String text = line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
      if (next < 0) {
        if (lines.isEmpty() && text.isEmpty()) {
          return Optional.empty();
        }
        throw new EOFException("the end in the middle of a head");
      }
      if (text.isEmpty()) {
        if (lines.isEmpty()) {
          continue; // superfluous, in front of a request
        }
        return Optional.of(new HttpHead(lines.get(0), List.copyOf(lines.subList(1, lines.size()))));
      }
      lines.add(text);
    }
  }

  private static String name(String field) {
    int colon = field.indexOf(':');
    return (colon < 0 ? field : field.substring(0, colon)).strip().toLowerCase(Locale.ROOT);
  }

  Optional<String> field(String name) {
    return fields.stream()
        .filter(field -> name(field).equals(name.toLowerCase(Locale.ROOT)))
        .map(field -> field.substring(field.indexOf(':') + 1).strip())
        .findFirst();
  }

  /** The head to pass on: another first line, and no fields of one connection only. */
  HttpHead forwarded(String otherStart) {
    return new HttpHead(
        otherStart, fields.stream().filter(field -> !HOP_BY_HOP.contains(name(field))).toList());
  }

  /** This head with the body's length instead of the received framing. */
  HttpHead withLength(int length) {
    List<String> others = new ArrayList<>(fields);
    others.removeIf(
        field -> name(field).equals("content-length") || name(field).equals("transfer-encoding"));
    others.add("Content-Length: " + length);
    return new HttpHead(start, others);
  }

  HttpHead with(String field) {
    List<String> more = new ArrayList<>(fields);
    more.add(field);
    return new HttpHead(start, more);
  }

  String method() {
    return start.split(" ", 2)[0];
  }

  /** The target of a request. */
  String target() throws IOException {
    String[] words = start.split(" ", -1);
    if (words.length != 3) {
      throw new IOException("expected a request, got " + start);
    }
    return words[1];
  }

  /** The status of an answer. */
  int status() throws IOException {
    try {
      return Integer.parseInt(start.split(" ", 3)[1]);
    } catch (RuntimeException e) {
      throw new IOException("expected an answer, got " + start, e);
    }
  }

  void write(OutputStream out) throws IOException {
    out.write(
        (start + "\r\n" + String.join("", fields.stream().map(f -> f + "\r\n").toList()) + "\r\n")
            .getBytes(StandardCharsets.ISO_8859_1));
  }
}
