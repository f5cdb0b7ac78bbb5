package io.rmigate.gateway.scan.shape;

import io.rmigate.gateway.scan.shape.Shape.Form;
import io.rmigate.protocol.jrmp.StreamClass;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Shapes as text, one a line, parts between blanks:
 *
 * <pre>
 *  java.util.HashMap fields_and_own_data 0507dac1c31660d1 - as_declared loadFactor:F threshold:I
 *  <i>class name     form                serialVersionUID superclass reading fields…</i>
 * </pre>
 *
 * <p>A class with several serial forms has several lines. Lines that begin with {@code #} say
 * something to readers.
 */
final class ShapeTable {
  private static final int FIXED_PARTS = 5;
  private static final String NO_SUPERCLASS = "-";

  static String line(Shape shape) {
    StringBuilder line =
        new StringBuilder(shape.name())
            .append(' ')
            .append(lower(shape.form()))
            .append(" %016x ".formatted(shape.serialVersionUid()))
            .append(shape.superclass().isEmpty() ? NO_SUPERCLASS : shape.superclass())
            .append(' ')
            .append(lower(shape.reading()));
    for (StreamClass.Field field : shape.fields()) {
      line.append(' ').append(field.name()).append(':').append(field.signature());
    }
    return line.toString();
  }

  /** Reads a table to its end. */
  static List<Shape> read(BufferedReader table) throws IOException {
    List<Shape> shapes = new ArrayList<>();
    for (String line = table.readLine(); line != null; line = table.readLine()) {
      if (!line.isBlank() && !line.startsWith("#")) {
        shapes.add(parse(line));
      }
    }
    return shapes;
  }

  static Shape parse(String line) {
    String[] parts = line.split(" ", -1);
    if (parts.length < FIXED_PARTS) {
      throw new IllegalArgumentException("expected a shape, got: " + line);
    }
    List<StreamClass.Field> fields = new ArrayList<>();
    for (int i = FIXED_PARTS; i < parts.length; i++) {
      int colon = parts[i].lastIndexOf(':');
      if (colon < 0) {
        throw new IllegalArgumentException("expected name:type, got: " + parts[i]);
      }
      fields.add(
          new StreamClass.Field(parts[i].substring(0, colon), parts[i].substring(colon + 1)));
    }
    return new Shape(
        parts[0],
        Form.valueOf(upper(parts[1])),
        Long.parseUnsignedLong(parts[2], 16),
        fields,
        parts[3].equals(NO_SUPERCLASS) ? "" : parts[3],
        Reading.valueOf(upper(parts[4])));
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static String upper(String word) {
    return word.toUpperCase(Locale.ROOT);
  }

  private ShapeTable() {}
}
