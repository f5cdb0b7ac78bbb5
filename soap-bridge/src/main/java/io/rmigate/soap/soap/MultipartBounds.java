package io.rmigate.soap.soap;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;

/**
 * A multipart body that fails when it has too many parts, a part whose head is too long, or too
 * many blanks behind a boundary: Metro's parser bounds none of them, and keeps a buffer for each
 * place at which it sees the boundary, wherever that is in a line. Blanks that fill its buffer (of
 * 9 KiB and more) make it go round for ever, without reading.
 *
 * <p>The body also fails at a Content-ID that another part has, or at the second one of a part:
 * Metro's parser takes one of them, and another reader may take the other one.
 */
final class MultipartBounds extends FilterInputStream {
  private static final int MAX_HEAD = 16 << 10;

  /** RFC 2046, 5.1.1 allows any number; clients send none. */
  private static final int MAX_PADDING = 100;

  private final byte[] delimiter;

  /** For each length of a match, that of the longest other one which ends at the same byte. */
  private final int[] fallback;

  private final int most;

  /** Matched bytes of the delimiter. */
  private int matched;

  private int delimiters;

  /**
   * Whether the current bytes belong to the head of a part, or to the text before the first part.
   */
  private boolean inHead = true;

  private int headBytes;
  private boolean emptyLine;

  /** There was nothing but blanks since the delimiter. */
  private boolean inPadding;

  private int padding;

  /** The line of a part's head that is being read, with the lines folded to it. */
  private final StringBuilder line = new StringBuilder();

  /** Content-IDs of all parts so far. */
  private final Set<String> contentIds = new HashSet<>();

  /** Whether the head that is being read has named one. */
  private boolean hasContentId;

  /**
   * @param most delimiters, of which the last is the end
   */
  MultipartBounds(InputStream body, String boundary, int most) {
    super(body);
    this.most = most;
    delimiter = ("--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
    fallback = new int[delimiter.length + 1];
    for (int i = 1, length = 0; i < delimiter.length; i++) {
      length = longer(length, delimiter[i]);
      fallback[i + 1] = length;
    }
  }

  /** The match of some length, with one more byte. */
  private int longer(int length, byte next) {
    int shorter = length;
    while (shorter > 0 && (shorter == delimiter.length || delimiter[shorter] != next)) {
      shorter = fallback[shorter];
    }
    return delimiter[shorter] == next ? shorter + 1 : 0;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    int count = super.read(target, offset, length);
    for (int i = offset; i < offset + count; i++) {
      pass(target[i]);
    }
    return count;
  }

  /**
   * Leaves the body open: Metro's parser closes it behind the last part, and the rest is read then.
   */
  @Override
  public void close() {}

  private void pass(byte b) throws BrokenRuleException {
    if (inPadding) {
      padding(b);
    } else if (inHead && delimiters > 0) {
      line(b);
    }
    if (inHead) {
      head(b);
    }
    matched = longer(matched, b);
    if (matched == delimiter.length) {
      if (++delimiters > most) {
        throw new BrokenRuleException("has too many parts");
      }
      inHead = true;
      headBytes = 0;
      emptyLine = false;
      inPadding = true;
      padding = 0;
      line.setLength(0);
      hasContentId = false;
    }
  }

  /** A line begins with the first byte of the next one, which shows that it is not folded. */
  private void line(byte b) throws BrokenRuleException {
    char last = line.isEmpty() ? 0 : line.charAt(line.length() - 1);
    if (last == '\r' && b != '\n') {
      throw new BrokenRuleException("has a part whose head has a line that ends with CR alone");
    }
    if (last == '\n' && b != ' ' && b != '\t') {
      field(line.toString());
      line.setLength(0);
    }
    line.append((char) (b & 0xff));
  }

  private void field(String field) throws BrokenRuleException {
    int colon = field.indexOf(':');
    if (colon < 0 || !field.substring(0, colon).strip().equalsIgnoreCase("Content-ID")) {
      return;
    }
    String id = field.substring(colon + 1).strip();
    boolean bracketed = id.length() > 1 && id.startsWith("<") && id.endsWith(">");
    boolean isNew = contentIds.add(bracketed ? id.substring(1, id.length() - 1) : id);
    if (!isNew || hasContentId) {
      throw new BrokenRuleException(
          isNew ? "has a part with two Content-IDs" : "has two parts with one Content-ID");
    }
    hasContentId = true;
  }

  private void padding(byte b) throws BrokenRuleException {
    inPadding = b == ' ' || b == '\t';
    if (inPadding && ++padding > MAX_PADDING) {
      throw new BrokenRuleException("has too many blanks behind a boundary");
    }
  }

  private void head(byte b) throws BrokenRuleException {
    if (++headBytes > MAX_HEAD) {
      throw new BrokenRuleException("has a part whose head is too long");
    }
    if (b == '\n') {
      // Of what is in front of the first part, all counts.
      inHead = delimiters == 0 || !emptyLine;
      emptyLine = true;
    } else if (b != '\r') {
      emptyLine = false;
    }
  }
}
