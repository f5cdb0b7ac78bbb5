package io.rmigate.gateway.container.ordinary;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The table {@code ordinary/kinds.txt}: what becomes of each kind of call at a gateway. */
final class ExpectedOutcomes {
  private static final String RESOURCE = "/ordinary/kinds.txt";

  /** What becomes of a kind. */
  enum Outcome {
    /** The result as shipped is the one without a gateway. */
    SAME,
    /** As shipped it is refused; it passes by learned rules. */
    LEARNED
  }

  private final Map<String, Outcome> outcomes = new LinkedHashMap<>();

  private ExpectedOutcomes() {}

  static ExpectedOutcomes read() throws IOException {
    ExpectedOutcomes table = new ExpectedOutcomes();
    try (InputStream in = ExpectedOutcomes.class.getResourceAsStream(RESOURCE)) {
      new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .forEach(table::add);
    }
    return table;
  }

  private void add(String line) {
    String[] columns = line.split("\\|", -1);
    assertThat(columns).as(line).hasSizeBetween(2, 3);
    Outcome outcome = Outcome.valueOf(columns[1].strip().toUpperCase(Locale.ROOT));
    if (outcome != Outcome.SAME) {
      assertThat(columns).as("reason of: %s", line).hasSize(3);
      assertThat(columns[2]).as("reason of: %s", line).isNotBlank();
    }
    assertThat(outcomes.put(columns[0].strip(), outcome)).as("%s once", line).isNull();
  }

  /** Of all kinds. */
  Set<String> names() {
    return outcomes.keySet();
  }

  /** Names of kinds with that outcome. */
  Set<String> names(Outcome wanted) {
    Set<String> names = new TreeSet<>();
    outcomes.forEach(
        (name, outcome) -> {
          if (outcome == wanted) {
            names.add(name);
          }
        });
    return names;
  }
}
