package io.rmigate.soap.xml;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.XMLStreamWriter;

/**
 * Base64 in pieces, so that bytes are never a text of that length as well. Of one value; confined
 * to its thread.
 */
public final class Base64Text {
  /** Bytes of one piece that is written; makes no padding inside. */
  private static final int PIECE = 3 << 12;

  /** Characters that are three bytes, or less with padding. */
  private static final int QUANTUM = 4;

  /** Characters that are decoded at a time, at most; whole quanta. */
  private static final int MOST = 64 << 10;

  /** Decoded bytes in pieces, which are not copied before the text is complete. */
  private final List<byte[]> pieces = new ArrayList<>();

  /** Characters that have not been decoded. */
  private byte[] rest = new byte[1 << 10];

  private int length;
  private boolean ended;

  /**
   * Adds characters. White space is passed over: line breaks are legal in xs:base64Binary, and
   * common.
   *
   * @throws IllegalArgumentException they are no base64
   */
  public void add(char[] text, int start, int count) {
    for (int i = start; i < start + count; i++) {
      char c = text[i];
      if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        continue;
      }
      if (c > 0x7f || ended) {
        throw new IllegalArgumentException("no base64");
      }
      if (length == MOST) {
        decode();
      } else if (length == rest.length) {
        rest = Arrays.copyOf(rest, 2 * length);
      }
      rest[length++] = (byte) c;
    }
  }

  private void decode() {
    // The JDK's decoder does without padding; xs:base64Binary does not.
    if (length % QUANTUM != 0) {
      throw new IllegalArgumentException("no base64");
    }
    pieces.add(Base64.getDecoder().decode(Arrays.copyOf(rest, length)));
    // Padding ends the text in any piece.
    ended = length > 0 && rest[length - 1] == '=';
    length = 0;
  }

  /**
   * All bytes; nothing is to be added any more.
   *
   * @throws IllegalArgumentException something is missing at the end
   */
  public byte[] end() {
    decode();
    if (pieces.size() == 1) {
      return pieces.get(0);
    }
    byte[] all = new byte[pieces.stream().mapToInt(piece -> piece.length).sum()];
    int at = 0;
    for (byte[] piece : pieces) {
      System.arraycopy(piece, 0, all, at, piece.length);
      at += piece.length;
    }
    return all;
  }

  /** Reads the content of the element at whose start the reader is, and goes to its end. */
  static byte[] read(XMLStreamReader xml) throws XMLStreamException {
    Base64Text text = new Base64Text();
    for (int event = xml.next(); event != XMLStreamConstants.END_ELEMENT; event = xml.next()) {
      switch (event) {
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE ->
            text.add(xml.getTextCharacters(), xml.getTextStart(), xml.getTextLength());
        case XMLStreamConstants.COMMENT -> {}
        default -> throw new IllegalArgumentException("no text");
      }
    }
    return text.end();
  }

  /** Writes the content of an element that was just begun. */
  static void write(byte[] bytes, XMLStreamWriter xml) throws XMLStreamException {
    for (int i = 0; i < bytes.length; i += PIECE) {
      byte[] piece = Arrays.copyOfRange(bytes, i, Math.min(i + PIECE, bytes.length));
      xml.writeCharacters(Base64.getEncoder().encodeToString(piece));
    }
  }
}
