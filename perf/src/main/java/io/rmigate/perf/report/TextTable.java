package io.rmigate.perf.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A table for terminals that is Markdown too: first column to the left, others to the right. */
public final class TextTable {
  private final List<List<String>> rows = new ArrayList<>();

  /** A table with these columns. */
  public TextTable(String... titles) {
    rows.add(List.of(titles));
  }

  /** One more row, of as many cells. */
  public TextTable row(String... cells) {
    if (cells.length != rows.get(0).size()) {
      throw new IllegalArgumentException(
          "expected " + rows.get(0).size() + " cells, got " + Arrays.toString(cells));
    }
    rows.add(List.of(cells));
    return this;
  }

  @Override
  public String toString() {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(Math.max(widths[i], row.get(i).length()), 3);
      }
    }
    StringBuilder text = new StringBuilder();
    for (int r = 0; r < rows.size(); r++) {
      for (int i = 0; i < columns; i++) {
        String cell = rows.get(r).get(i);
        String padding = " ".repeat(widths[i] - cell.length());
        text.append("| ").append(i == 0 ? cell + padding : padding + cell).append(' ');
      }
      text.append("|\n");
      if (r == 0) {
        for (int i = 0; i < columns; i++) {
          String line = "-".repeat(widths[i] + 1);
          text.append('|').append(i == 0 ? line + "-" : line + ":");
        }
        text.append("|\n");
      }
    }
    return text.toString();
  }
}
