package io.rmigate.perf.report;

import java.util.Locale;

/**
 * A picture with a title, element by element. Colours follow the reader's light or dark scheme;
 * nothing outside of the file is needed. Confined to one thread.
 */
public final class Svg {
  /** No CSS variables: what is no browser seldom knows them. */
  private static final String STYLE =
      """
      <style>
        text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328; }
        .paper { fill: #ffffff; }
        .title { font-size: 18px; font-weight: 600; }
        .faint { fill: #59636e; }
        .grid { stroke: #d1d9e0; stroke-width: 1; }
        @media (prefers-color-scheme: dark) {
          text { fill: #f0f6fc; }
          .paper { fill: #0d1117; }
          .faint { fill: #9198a1; }
          .grid { stroke: #3d444d; }
        }
      """;

  private final StringBuilder text = new StringBuilder();

  /**
   * Begins one.
   *
   * @param style further rules
   */
  public Svg(int width, int height, String title, String subtitle, String style) {
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\">",
        width, height);
    add("<title>%s</title>", escaped(title));
    text.append(STYLE).append(style).append("</style>\n");
    add("<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>");
    add("<text class=\"title\" x=\"20\" y=\"32\">%s</text>", escaped(title));
    add("<text class=\"faint\" x=\"20\" y=\"54\">%s</text>", escaped(subtitle));
  }

  /** An element, as with {@link String#format}. */
  public void add(String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  /** As content of an element. */
  public static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** The whole file. */
  @Override
  public String toString() {
    return text + "</svg>\n";
  }
}
