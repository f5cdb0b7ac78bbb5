package io.rmigate.gateway.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A part of a page below {@code docs} that is generated from the code. Tests compare it, or write
 * it with {@code -Drmigate.pages=write}.
 */
public final class GeneratedPart {
  private static final Path DOCS = Path.of("../docs");
  private static final String END = "<!-- end of generated part -->";
  private static final int COLUMNS = 120;

  private GeneratedPart() {}

  /**
   * Compares a part of a page, or writes it.
   *
   * @param page relative to {@code docs}
   * @param name in the comment before the part
   * @param text that the part must have
   */
  public static void assertEqual(String page, String name, String text) throws IOException {
    Path file = DOCS.resolve(page);
    String all = Files.readString(file);
    String begin = "<!-- generated: " + name + " -->\n";
    assertThat(all).as(page).contains(begin);
    int from = all.indexOf(begin) + begin.length();
    int to = all.indexOf(END, from);
    String wanted = "\n" + text + "\n";
    if ("write".equals(System.getProperty("rmigate.pages"))) {
      Files.writeString(file, all.substring(0, from) + wanted + all.substring(to));
    } else {
      assertThat(all.substring(from, to))
          .as("%s (write it with -Drmigate.pages=write)", page)
          .isEqualTo(wanted);
    }
  }

  /** An item of a list, in lines that fit on a page. */
  public static String item(String text) {
    return wrapped("- ", "  ", text);
  }

  /** A paragraph, in lines that fit on a page. */
  public static String paragraph(String text) {
    return wrapped("", "", text);
  }

  private static String wrapped(String first, String next, String text) {
    StringBuilder lines = new StringBuilder();
    StringBuilder line = new StringBuilder(first);
    boolean empty = true;
    for (String word : text.replace("<", "&lt;").split(" ", -1)) {
      if (!empty && line.length() + 1 + word.length() > COLUMNS) {
        lines.append(line).append('\n');
        line = new StringBuilder(next);
        empty = true;
      }
      line.append(empty ? "" : " ").append(word);
      empty = false;
    }
    return lines.append(line).append('\n').toString();
  }
}
