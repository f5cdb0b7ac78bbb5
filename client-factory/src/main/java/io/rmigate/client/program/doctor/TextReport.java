package io.rmigate.client.program.doctor;

import io.rmigate.client.config.Way;
import io.rmigate.protocol.jrmp.message.StubView;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The report for people: 100 columns, plain text. */
final class TextReport {
  private static final int WIDTH = 100;

  private final Diagnosis diagnosis;
  private final Observations facts;
  private final StringBuilder out = new StringBuilder();

  private TextReport(Diagnosis diagnosis) {
    this.diagnosis = diagnosis;
    this.facts = diagnosis.facts();
  }

  static String of(Diagnosis diagnosis) {
    return new TextReport(diagnosis).text();
  }

  private String text() {
    facts.options().target().ifPresent(target -> line("target   " + target.text()));
    line("gateway  " + (facts.options().hasGateway() ? facts.gateway() : "none"));
    ways();
    findings();
    facts.stub().ifPresent(this::stub);
    names();
    table();
    recommendation();
    return out.toString();
  }

  private void line(String text) {
    out.append(text.stripTrailing()).append('\n');
  }

  private void title(String text) {
    line("");
    line(text);
  }

  private void ways() {
    title("WAYS");
    for (WayResult result : facts.ways()) {
      String head =
          "  %-10s %-9s %8s  "
              .formatted(
                  result.way().text(),
                  result.state().text(),
                  result.state() == WayResult.State.NOT_TRIED
                      ? ""
                      : result.took().toMillis() + " ms");
      wrapped(head, result.words());
    }
  }

  private void findings() {
    title("FINDINGS");
    for (Finding finding : diagnosis.findings()) {
      line("  " + finding.level().text().toUpperCase(Locale.ROOT) + "  " + finding.code());
      wrapped("    seen   ", finding.seen());
      wrapped("    means  ", finding.meaning());
      if (!finding.advice().isEmpty()) {
        wrapped("    do     ", finding.advice());
      }
    }
  }

  private void stub(StubView stub) {
    title("STUB");
    line("  kind        " + stub.kind());
    wrapped(
        "  interfaces  ",
        stub.interfaces().isEmpty()
            ? "unknown: a static stub does not name them"
            : String.join(", ", stub.interfaces()));
    line("  leads to    " + Observations.endpoint(stub));
    line("  object      " + stub.reference().object());
    wrapped("  factory     ", stub.factory().orElse("none"));
    if (!stub.codebases().isEmpty()) {
      wrapped("  codebase    ", String.join(" ", stub.codebases()));
    }
    for (ServerProbe visit : facts.visits()) {
      visit
          .object()
          .ifPresent(
              step ->
                  wrapped(
                      "  by %-9s ".formatted(visit.way().text())
                          + (step.isDone() ? "yes  " : "no   "),
                      step.words()));
    }
  }

  private void names() {
    facts.visits().stream()
        .filter(visit -> !visit.names().isEmpty() && facts.stub().isEmpty())
        .findFirst()
        .ifPresent(
            visit -> {
              title("BOUND IN THE REGISTRY");
              visit.names().forEach(name -> line("  " + name));
            });
  }

  private void table() {
    DecisionTable table = diagnosis.table();
    title("DECISION TABLE");
    wrapped(
        "  ",
        "After "
            + DecisionTable.SOURCE
            + ". => marks the row for this machine. \"failure is told\": the HTTP proxy, or"
            + " without one the network, reports a failure with a proper error code.");
    line("");
    rows(table.columns(), table.here(), table.rows());
    line("");
    wrapped(
        "  ",
        "Java 9 removed these tunnels from the JDK. rmigate replaces them, by the ways that lead"
            + " there:");
    line("");
    rows(DecisionTable.WAY_COLUMNS, table.waysHere(), table.ways());
  }

  private void rows(List<String> columns, List<TableCell> here, List<DecisionTable.Row> rows) {
    line("     " + String.join("  ", columns) + "  recommended");
    for (DecisionTable.Row row : rows) {
      line((row.applies() ? "  => " : "     ") + cells(columns, row.cells()) + row.recommended());
    }
    line("     " + cells(columns, here) + "this machine");
    long marked = rows.stream().filter(DecisionTable.Row::applies).count();
    if (here.contains(TableCell.UNKNOWN) && marked != 1) {
      line(
          marked == 0
              ? "     No row is marked because too little is known yet."
              : "     Several rows are marked because the columns with a ? are not known yet.");
    }
  }

  private static String cells(List<String> columns, List<TableCell> cells) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < columns.size(); i++) {
      text.append(("%-" + columns.get(i).length() + "s  ").formatted(cells.get(i).text()));
    }
    return text.toString();
  }

  private void recommendation() {
    title("RECOMMENDED");
    wrapped("  ", diagnosis.prescription().words());
    for (Recommendation.Paste paste : diagnosis.prescription().pastes()) {
      line("");
      line("  " + paste.title() + ":");
      paste.text().lines().forEach(text -> line("    " + text));
    }
    line("");
    List<Way> leading = facts.leading();
    line(
        "exit code "
            + diagnosis.exitCode()
            + ": "
            + switch (diagnosis.exitCode()) {
              case Diagnosis.FINE -> "a configured way leads there";
              case Diagnosis.WITH_WARNINGS ->
                  facts.configured().isPresent()
                      ? "a configured way leads there, but there are problems, see above"
                      : "only ways that are not configured lead there: "
                          + leading.stream().map(Way::text).collect(Collectors.joining(", "));
              default -> "no way leads there";
            });
  }

  /** Words behind a head, with the lines that follow indented as far. */
  private void wrapped(String head, String words) {
    StringBuilder current = new StringBuilder(head);
    boolean fresh = true;
    for (String word : words.split(" ", -1)) {
      if (!fresh && current.length() + 1 + word.length() > WIDTH) {
        line(current.toString());
        current = new StringBuilder(" ".repeat(head.length()));
        fresh = true;
      }
      current.append(fresh ? "" : " ").append(word);
      fresh = false;
    }
    line(current.toString());
  }
}
