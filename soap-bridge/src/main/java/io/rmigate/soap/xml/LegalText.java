package io.rmigate.soap.xml;

/** Characters that XML 1.0 has (2.2): most control characters cannot even be escaped. */
public final class LegalText {
  private LegalText() {}

  static boolean isLegal(int c) {
    if (c < 0x20) {
      return c == '\t' || c == '\n' || c == '\r';
    }
    boolean halfOfPair = c >= 0xd800 && c < 0xe000;
    return !halfOfPair && c != 0xfffe && c != 0xffff;
  }

  /**
   * A text for people, with a question mark for each character that XML has not.
   *
   * @param most UTF-16 units; what is longer ends with three dots
   */
  public static String of(String text, int most) {
    StringBuilder legal = new StringBuilder();
    int c;
    for (int i = 0; i < text.length(); i += Character.charCount(c)) {
      c = text.codePointAt(i);
      if (legal.length() + 2 > most) {
        return legal.append("...").toString();
      }
      legal.appendCodePoint(isLegal(c) ? c : '?');
    }
    return legal.toString();
  }
}
