package io.rmigate.soap.type;

import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * A value that is one word, with one text for each value.
 *
 * @param kind what it is where more than text can be told apart, as in JSON
 * @param format its name in the registry of OpenAPI formats, or one of ours; may be empty
 * @param schemaType its local name in XML Schema
 * @param range of an {@link Kind#INTEGER}; null: it is none
 * @param reader makes a value of its text; an IllegalArgumentException says what is wrong
 * @param printer makes the text of a value
 */
public record Scalar(
    Class<?> javaType,
    Kind kind,
    String format,
    String schemaType,
    Range range,
    Function<String, Object> reader,
    Function<Object, String> printer)
    implements Shape {

  /** The kind of a scalar, for notations that have more types than text. */
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

  /**
   * The whole numbers of one type. Millions of them can be in a request, which is why none of them
   * has to be a text first.
   *
   * @param boxed makes a value of a number within the bounds
   */
  public record Range(long minimum, long maximum, LongFunction<Object> boxed) {
    static final Range BYTE = new Range(Byte.MIN_VALUE, Byte.MAX_VALUE, value -> (byte) value);
    static final Range SHORT = new Range(Short.MIN_VALUE, Short.MAX_VALUE, value -> (short) value);
    static final Range INT = new Range(Integer.MIN_VALUE, Integer.MAX_VALUE, value -> (int) value);
    static final Range LONG = new Range(Long.MIN_VALUE, Long.MAX_VALUE, value -> value);

    /** Whether it is one of them. */
    public boolean contains(long value) {
      return value >= minimum && value <= maximum;
    }
  }

  /** The value of a text. */
  public Object parse(String text) {
    return reader.apply(text);
  }

  /** The text of a value. */
  public String print(Object value) {
    return printer.apply(value);
  }

  @Override
  public String label() {
    String name = javaType.getSimpleName();
    return Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }
}
