package io.rmigate.soap.xml;

import io.rmigate.soap.type.Scalar;
import io.rmigate.soap.type.Scalar.Kind;
import io.rmigate.soap.type.UnreadableValueException;
import java.util.Set;
import java.util.regex.Pattern;

/** Where the text of a scalar in XML differs from the one that it has everywhere. */
final class XmlText {
  /** The formats of dates and times whose Java types have no offset. */
  private static final Set<String> WITHOUT_OFFSET =
      Set.of("time-local", "date-time-local", "date", "year", "year-month", "month-day");

  /** The offset that XML Schema allows behind each date and each time. */
  private static final Pattern OFFSET = Pattern.compile("(?:Z|[+-]\\d\\d:\\d\\d)$");

  private XmlText() {}

  /** The value of an element's text. Space around it counts for nothing, except in a string. */
  static Object parse(Scalar scalar, String text) {
    if (scalar.javaType() == String.class) {
      return text;
    }
    String word = text.strip();
    return switch (scalar.kind()) {
      case BOOLEAN -> scalar.parse(word.equals("1") ? "true" : word.equals("0") ? "false" : word);
      case FLOATING -> scalar.parse(javaFloating(word));
      case CHARACTER -> character(word);
      case INTEGER, EXACT -> scalar.parse(word);
      case TEXT ->
          scalar.parse(WITHOUT_OFFSET.contains(scalar.format()) ? withoutOffset(word) : word);
    };
  }

  /**
   * {@code xs:time}, {@code xs:date}, {@code xs:dateTime} and those of years and months are each
   * one type for values with an offset and without. .NET's generated classes and Java's {@code
   * XMLGregorianCalendar} write the client's own, and often cannot leave it out. What stands before
   * it is the value of a Java type that has none.
   */
  private static String withoutOffset(String word) {
    return OFFSET.matcher(word).replaceFirst("");
  }

  private static String javaFloating(String word) {
    return switch (word) {
      case "INF", "+INF" -> "Infinity";
      case "-INF" -> "-Infinity";
      case "Infinity", "-Infinity" -> "";
      default -> word;
    };
  }

  /** A number, as Jakarta XML Binding has it: half of all characters cannot stand in XML. */
  private static Object character(String word) {
    try {
      int unit = Integer.parseInt(word);
      if (unit == (char) unit) {
        return (char) unit;
      }
    } catch (NumberFormatException e) {
      // The same answer.
    }
    throw new IllegalArgumentException("is no number of a UTF-16 unit");
  }

  static String print(Scalar scalar, Object value) throws UnreadableValueException {
    if (scalar.kind() == Kind.CHARACTER) {
      return Integer.toString((Character) value);
    }
    String text = scalar.print(value);
    if (scalar.kind() == Kind.FLOATING) {
      return text.replace("Infinity", "INF");
    }
    return scalar.kind() == Kind.TEXT ? checked(text) : text;
  }

  private static String checked(String text) throws UnreadableValueException {
    int c;
    for (int i = 0; i < text.length(); i += Character.charCount(c)) {
      c = text.codePointAt(i);
      if (!LegalText.isLegal(c)) {
        throw new UnreadableValueException(
            "a text has the character " + Integer.toHexString(c) + ", which XML has not");
      }
    }
    return text;
  }
}
