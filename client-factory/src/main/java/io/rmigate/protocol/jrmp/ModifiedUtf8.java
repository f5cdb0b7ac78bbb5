package io.rmigate.protocol.jrmp;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The string form of {@link java.io.DataOutput#writeUTF}: UTF-8 of each {@code char}, with U+0000
 * as {@code C0 80}. Decoding never fails: what is no character becomes U+FFFD, so that a name that
 * only looks like another one after decoding cannot pass for it.
 */
public final class ModifiedUtf8 {
  /** One bit of each of eight bytes: none is set when all are ASCII. */
  private static final long HIGH_BITS = 0x8080808080808080L;

  /** The most that one character takes. */
  static final int MAX_CHAR_BYTES = 3;

  public static String decode(byte[] b, int at, int length) {
    int plain = 0;
    while (plain < length && b[at + plain] > 0) {
      plain++;
    }
    if (plain == length) {
      return new String(b, at, length, StandardCharsets.ISO_8859_1);
    }
    StringBuilder text = new StringBuilder(length);
    int end = at + length;
    int i = at;
    while (i < end) {
      int first = b[i] & 0xFF;
      if (first < 0x80) {
        text.append((char) first);
        i++;
      } else if (first >> 5 == 0b110 && continues(b, i + 1, end)) {
        text.append((char) ((first & 0x1F) << 6 | (b[i + 1] & 0x3F)));
        i += 2;
      } else if (first >> 4 == 0b1110 && continues(b, i + 1, end) && continues(b, i + 2, end)) {
        text.append((char) ((first & 0x0F) << 12 | (b[i + 1] & 0x3F) << 6 | (b[i + 2] & 0x3F)));
        i += 3;
      } else {
        text.append('\uFFFD');
        i++;
      }
    }
    return text.toString();
  }

  /** The bytes of a text, without their length. */
  public static byte[] encode(String text) {
    byte[] bytes = new byte[MAX_CHAR_BYTES * text.length()];
    int end = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != 0 && c < 0x80) {
        bytes[end++] = (byte) c;
      } else if (c < 0x800) {
        bytes[end++] = (byte) (0xC0 | c >> 6);
        bytes[end++] = continued(c);
      } else {
        bytes[end++] = (byte) (0xE0 | c >> 12);
        bytes[end++] = continued(c >> 6);
        bytes[end++] = continued(c);
      }
    }
    return Arrays.copyOf(bytes, end);
  }

  /** Whether these bytes are this text; decodes and allocates nothing. */
  public static boolean spells(byte[] b, int at, long length, String text) {
    if (length != text.length()) { // only ASCII takes a byte for each character
      return length > text.length()
          && length <= (long) MAX_CHAR_BYTES * text.length()
          && spellsBeyondAscii(b, at, at + (int) length, text);
    }
    for (int i = (int) length - 1; i >= 0; i--) { // names differ at their ends
      if (b[at + i] != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private static boolean spellsBeyondAscii(byte[] b, int at, int end, String text) {
    int next = at;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      int bytes = c != 0 && c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
      if (end - next < bytes) {
        return false;
      }
      boolean isSame =
          switch (bytes) {
            case 1 -> b[next] == c;
            case 2 -> b[next] == (byte) (0xC0 | c >> 6) && b[next + 1] == continued(c);
            default ->
                b[next] == (byte) (0xE0 | c >> 12)
                    && b[next + 1] == continued(c >> 6)
                    && b[next + 2] == continued(c);
          };
      if (!isSame) {
        return false;
      }
      next += bytes;
    }
    return next == end;
  }

  private static byte continued(int bits) {
    return (byte) (0x80 | (bits & 0x3F));
  }

  /** Whether {@link java.io.DataInput#readUTF} and {@link java.io.ObjectInputStream} take this. */
  public static boolean isValid(byte[] b, int at, int length) {
    return isAscii(b, at, length) || validLength(b, at, length) == length;
  }

  /** Looks at words of bytes, the last of which may overlap the one before. */
  private static boolean isAscii(byte[] b, int at, int length) {
    int end = at + length;
    if (length > 4 * Long.BYTES) {
      return isAsciiLong(b, at, end);
    }
    if (length > 2 * Long.BYTES) {
      return ((twoWords(b, at) | twoWords(b, end - 2 * Long.BYTES)) & HIGH_BITS) == 0;
    }
    if (length >= Long.BYTES) {
      return ((BigEndian.int64(b, at) | BigEndian.int64(b, end - Long.BYTES)) & HIGH_BITS) == 0;
    }
    if (length >= Integer.BYTES) {
      int both = BigEndian.int32(b, at) | BigEndian.int32(b, end - Integer.BYTES);
      return (both & (int) HIGH_BITS) == 0;
    }
    int all = 0;
    for (int i = at; i < end; i++) {
      all |= b[i];
    }
    return all >= 0;
  }

  private static boolean isAsciiLong(byte[] b, int at, int end) {
    for (int i = at; i < end - Long.BYTES; i += Long.BYTES) {
      if ((BigEndian.int64(b, i) & HIGH_BITS) != 0) {
        return false;
      }
    }
    return (BigEndian.int64(b, end - Long.BYTES) & HIGH_BITS) == 0;
  }

  private static long twoWords(byte[] b, int at) {
    return BigEndian.int64(b, at) | BigEndian.int64(b, at + Long.BYTES);
  }

  /** How many bytes of a beginning are whole characters. */
  static int validLength(byte[] b, int at, int length) {
    int end = at + length;
    int i = at;
    while (i < end) {
      if (end - i >= Long.BYTES && (BigEndian.int64(b, i) & HIGH_BITS) == 0) {
        i += Long.BYTES;
        continue;
      }
      int first = b[i] & 0xFF;
      if (first < 0x80) {
        i++;
      } else if (first >> 5 == 0b110 && continues(b, i + 1, end)) {
        i += 2;
      } else if (first >> 4 == 0b1110 && continues(b, i + 1, end) && continues(b, i + 2, end)) {
        i += 3;
      } else {
        break;
      }
    }
    return i - at;
  }

  private static boolean continues(byte[] b, int at, int end) {
    return at < end && (b[at] & 0xC0) == 0x80;
  }

  private ModifiedUtf8() {}
}
