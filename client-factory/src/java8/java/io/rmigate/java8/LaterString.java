package io.rmigate.java8;

import java.io.BufferedReader;
import java.io.StringReader;
import java.util.stream.Stream;

/** Additions to {@link String}. */
public final class LaterString {
  private LaterString() {}

  public static String formatted(String format, Object... arguments) {
    return String.format(format, arguments);
  }

  public static boolean isBlank(String text) {
    return text.codePoints().allMatch(Character::isWhitespace);
  }

  public static Stream<String> lines(String text) {
    return new BufferedReader(new StringReader(text)).lines();
  }

  public static String repeat(String text, int count) {
    StringBuilder repeated = new StringBuilder(text.length() * count);
    for (int i = 0; i < count; i++) {
      repeated.append(text);
    }
    return repeated.toString();
  }

  public static String strip(String text) {
    int start = 0;
    while (start < text.length() && Character.isWhitespace(text.charAt(start))) {
      start++;
    }
    return stripTrailing(text.substring(start));
  }

  public static String stripTrailing(String text) {
    int end = text.length();
    while (end > 0 && Character.isWhitespace(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(0, end);
  }
}
