package io.rmigate.soap.type;

import java.util.function.Function;

/**
 * A value that is one word, with one text for each value.
 *
 * @param kind what it is where more than text can be told apart, as in JSON
 * @param format its name in the registry of OpenAPI formats, or one of ours; may be empty
 * @param schemaType its local name in XML Schema
 * @param reader makes a value of its text; an IllegalArgumentException says what is wrong
 * @param printer makes the text of a value
 */
public record Scalar(
    Class<?> javaType,
    Kind kind,
    String format,
    String schemaType,
    Function<String, Object> reader,
    Function<Object, String> printer)
    implements Shape {

  /** What a scalar is in a notation that knows more than text. */
  public enum Kind {
    /** True or false. */
    BOOLEAN,
    /** A whole number of at most 64 bits. */
    INTEGER,
    /** A binary fraction, which can also be NaN or infinite. */
    FLOATING,
    /** A number of any length: a text, since most JSON parsers would round it. */
    EXACT,
    /** One UTF-16 unit. */
    CHARACTER,
    /** Everything else. */
    TEXT
  }

  /** The value of a text. */
  public Object parse(String text) {
    return reader.apply(text);
  }

  /** The text of a value. */
  public String print(Object value) {
    return printer.apply(value);
  }

  /** Smallest value of an {@link Kind#INTEGER}. */
  public long minimum() {
    return switch (javaType.getSimpleName()) {
      case "byte", "Byte" -> Byte.MIN_VALUE;
      case "short", "Short" -> Short.MIN_VALUE;
      case "int", "Integer" -> Integer.MIN_VALUE;
      default -> Long.MIN_VALUE;
    };
  }

  /** Largest value of an {@link Kind#INTEGER}. */
  public long maximum() {
    return -1 - minimum();
  }

  @Override
  public String label() {
    String name = javaType.getSimpleName();
    return Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }
}
