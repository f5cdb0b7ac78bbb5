package io.rmigate.soap.xml;

import java.util.ArrayDeque;
import java.util.Deque;

/** Writes an indented document, element by element. */
final class Markup {
  private final StringBuilder text =
      new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  private final Deque<String> open = new ArrayDeque<>();

  /**
   * Begins an element.
   *
   * @param attributes names and values by turns
   */
  Markup begin(String name, String... attributes) {
    tag(name, ">", attributes);
    open.push(name);
    return this;
  }

  /** An element without content. */
  Markup empty(String name, String... attributes) {
    tag(name, "/>", attributes);
    return this;
  }

  /** An element with text only. */
  Markup text(String name, String content) {
    indent();
    text.append('<').append(name).append('>').append(escaped(content));
    text.append("</").append(name).append(">\n");
    return this;
  }

  /** Ends the element that was begun last. */
  Markup end() {
    String name = open.pop();
    indent();
    text.append("</").append(name).append(">\n");
    return this;
  }

  private void tag(String name, String end, String... attributes) {
    indent();
    text.append('<').append(name);
    for (int i = 0; i < attributes.length; i += 2) {
      text.append(' ').append(attributes[i]).append("=\"");
      text.append(escaped(attributes[i + 1])).append('"');
    }
    text.append(end).append('\n');
  }

  private void indent() {
    text.append("  ".repeat(open.size()));
  }

  private static String escaped(String value) {
    return value
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
