package io.rmigate.client.program.doctor;

/**
 * Writes JSON (RFC 8259) piece by piece: what is opened must be closed, and members have names. Two
 * spaces for each level.
 */
final class JsonWriter {
  private final StringBuilder out = new StringBuilder();
  private int depth;
  private boolean first = true;

  /** Opens an object that is a member, or the whole. */
  JsonWriter object(String name) {
    return open(name, '{');
  }

  /** Opens an array that is a member. */
  JsonWriter array(String name) {
    return open(name, '[');
  }

  private JsonWriter open(String name, char bracket) {
    begin(name);
    out.append(bracket);
    depth++;
    first = true;
    return this;
  }

  /** Closes the object. */
  JsonWriter endObject() {
    return close('}');
  }

  /** Closes the array. */
  JsonWriter endArray() {
    return close(']');
  }

  private JsonWriter close(char bracket) {
    depth--;
    if (!first) {
      newLine();
    }
    out.append(bracket);
    first = false;
    return this;
  }

  /** A member; {@code name} is null for an element. */
  JsonWriter text(String name, String value) {
    begin(name);
    quote(value);
    return this;
  }

  /** A member. */
  JsonWriter number(String name, long value) {
    begin(name);
    out.append(value);
    return this;
  }

  /** A member. */
  JsonWriter truth(String name, boolean value) {
    begin(name);
    out.append(value);
    return this;
  }

  private void begin(String name) {
    if (depth > 0) {
      out.append(first ? "" : ",");
      newLine();
    }
    first = false;
    if (name != null) {
      quote(name);
      out.append(": ");
    }
  }

  private void newLine() {
    out.append('\n').append("  ".repeat(depth));
  }

  private void quote(String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        default -> {
          if (c < ' ' || c == 0x7F || Character.isSurrogate(c)) {
            out.append(String.format("\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }

  @Override
  public String toString() {
    return out + "\n";
  }
}
