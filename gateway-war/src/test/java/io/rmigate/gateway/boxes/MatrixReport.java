package io.rmigate.gateway.boxes;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The table of all outcomes, for people and for programs. */
record MatrixReport(List<Outcome> outcomes) {
  private static final int SHOWN_CHARS = 120;

  MatrixReport {
    outcomes = List.copyOf(outcomes);
  }

  /** Markdown. */
  String table() {
    StringBuilder table =
        new StringBuilder(
            """
            | box | mode | rung expected | rung chosen | links lost | verdict | why |
            |---|---|---|---|---|---|---|
            """);
    for (Outcome outcome : outcomes) {
      table.append(
          "| %s | %s | %s | %s | %s | %s | %s |%n"
              .formatted(
                  outcome.journey().box(),
                  outcome.journey().mode(),
                  outcome.journey().expected(),
                  outcome.rung().map(Rung::toString).orElse(""),
                  outcome.rung().isPresent() ? outcome.losses() : "",
                  outcome.verdict(),
                  firstLine(outcome.remark())));
    }
    return table.toString();
  }

  private static String firstLine(String remark) {
    String line = remark.lines().findFirst().orElse("").replace("|", "\\|");
    return line.length() > SHOWN_CHARS ? line.substring(0, SHOWN_CHARS) + "…" : line;
  }

  /** An array with an object for each outcome. */
  String json() throws IOException {
    ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    ArrayNode all = mapper.createArrayNode();
    for (Outcome outcome : outcomes) {
      ObjectNode one =
          all.addObject()
              .put("box", outcome.journey().box())
              .put("mode", outcome.journey().mode())
              .put("expected", outcome.journey().expected().toString())
              .put("verdict", outcome.verdict().toString())
              .put("remark", outcome.remark());
      outcome
          .rung()
          .ifPresent(rung -> one.put("rung", rung.toString()).put("losses", outcome.losses()));
    }
    return mapper.writeValueAsString(all) + "\n";
  }

  /** Writes {@code matrix.md} and {@code matrix.json}. */
  void writeTo(Path directory) throws IOException {
    Files.writeString(directory.resolve("matrix.md"), table());
    Files.writeString(directory.resolve("matrix.json"), json());
  }
}
