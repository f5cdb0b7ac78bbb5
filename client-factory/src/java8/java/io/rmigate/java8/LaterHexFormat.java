package io.rmigate.java8;

/** The class java.util.HexFormat. */
public final class LaterHexFormat {
  private LaterHexFormat() {}

  private static final LaterHexFormat PLAIN = new LaterHexFormat();

  public static LaterHexFormat of() {
    return PLAIN;
  }

  public String formatHex(byte[] bytes) {
    StringBuilder text = new StringBuilder(2 * bytes.length);
    for (byte octet : bytes) {
      text.append(Character.forDigit((octet >> 4) & 0xf, 16))
          .append(Character.forDigit(octet & 0xf, 16));
    }
    return text.toString();
  }
}
