package io.rmigate.perf.papers;

import static io.rmigate.perf.papers.Contestant.COMPRESSED;
import static io.rmigate.perf.papers.Contestant.PLAIN;
import static io.rmigate.perf.papers.Contestant.UNCOMPRESSED;

import io.rmigate.perf.link.LinkProfile;
import io.rmigate.perf.report.BarChart;
import io.rmigate.perf.report.Figures;
import io.rmigate.perf.report.TextTable;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The report on times, as text and as JSON. */
record MonadsReport(Map<String, String> circumstances, LinkProfile link, Results results) {

  List<Aim> aims() {
    return List.of(
        Aim.timesFaster("HelloWorld, link up, faster than plain RMI", speedUp("hello.total"), 4),
        Aim.timesFaster("first lookup faster than plain RMI", speedUp("hello.lookup"), 6),
        Aim.timesFaster("three lookups faster than plain RMI", speedUp("monads.lookups"), 6),
        Aim.timesFaster(
            "reply of 14 760 bytes faster than plain RMI", speedUp("monads.text14760"), 2.5));
  }

  private double speedUp(String metric) {
    return results.speedUp(metric, COMPRESSED).median();
  }

  String text() {
    StringBuilder text = new StringBuilder();
    circumstances.forEach((name, value) -> text.append(String.format("%-8s %s%n", name, value)));
    text.append("\nSeconds, median of rounds (least-greatest), and how many times faster\n\n");
    text.append(times());
    text.append("\nRound trips (connections opened and exchanges), bytes up + down\n\n");
    text.append(traffic());
    text.append("\nWhere plain RMI's go: HelloWorld, the latest round\n\n");
    text.append(plainAccount());
    text.append("\nWhere rmigate's go: the same; bytes by frame of the link protocol\n\n");
    for (Contestant contestant : Contestant.values()) {
      if (contestant != PLAIN) {
        text.append(frameAccount(contestant)).append('\n');
      }
    }
    text.append("\nAims, for this link with compression (they are meant for gsm)\n\n");
    aims().forEach(aim -> text.append(aim.line()).append('\n'));
    return text.toString();
  }

  private TextTable times() {
    TextTable table =
        new TextTable(
            link.name(),
            "plain RMI",
            "uncompressed",
            "",
            "rmigate",
            "",
            "published: RMI",
            "uncompressed",
            "",
            "mediators",
            "");
    for (Row row : Row.all(link.name())) {
      Published published = row.published();
      table.row(
          row.label(),
          seconds(row, PLAIN),
          seconds(row, UNCOMPRESSED),
          Figures.times(results.speedUp(row.metric(), UNCOMPRESSED)),
          seconds(row, COMPRESSED),
          Figures.times(results.speedUp(row.metric(), COMPRESSED)),
          Figures.seconds(published.plain()),
          Figures.seconds(published.uncompressed()),
          Figures.times(published.speedUp(UNCOMPRESSED)),
          Figures.seconds(published.compressed()),
          Figures.times(published.speedUp(COMPRESSED)));
    }
    return table.row(
        "link set-up (apart)",
        "-",
        Figures.seconds(results.median("hello.link.seconds", UNCOMPRESSED)),
        "",
        Figures.seconds(results.median("hello.link.seconds", COMPRESSED)),
        "",
        "",
        "",
        "",
        "",
        "");
  }

  private String seconds(Row row, Contestant contestant) {
    String metric = row.metric() + ".seconds";
    return Figures.seconds(results.median(metric, contestant), results.values(metric, contestant));
  }

  private TextTable traffic() {
    TextTable table =
        new TextTable(
            "",
            "plain RMI: trips",
            "bytes",
            "TCP",
            "uncompressed: trips",
            "bytes",
            "TCP",
            "rmigate: trips",
            "bytes",
            "TCP");
    List<Row> rows = new ArrayList<>(Row.all(link.name()));
    rows.removeIf(row -> row.label().startsWith("lookup,")); // the same traffic as the first row's
    rows.add(new Row("link set-up (apart)", "hello.link", Published.NOTHING));
    for (Row row : rows) {
      List<String> cells = new ArrayList<>(List.of(row.label()));
      for (Contestant contestant : Contestant.values()) {
        cells.add(count(row, "trips", contestant));
        cells.add(count(row, "up", contestant) + " + " + count(row, "down", contestant));
        cells.add(count(row, "tcp", contestant));
      }
      table.row(cells.toArray(String[]::new));
    }
    return table;
  }

  private String count(Row row, String quantity, Contestant contestant) {
    return Figures.count(results.median(row.metric() + "." + quantity, contestant));
  }

  private TextTable plainAccount() {
    Run run = results.last(Workload.HELLO, PLAIN);
    TextTable table = new TextTable("plain RMI", "round trips", "bytes up", "down");
    int connections = run.parts().stream().mapToInt(part -> part.traffic().connections()).sum();
    table.row("connections opened", Integer.toString(connections), "", "");
    Share sum = new Share(connections, 0, 0);
    for (Map.Entry<JrmpAccount.Kind, Share> entry : JrmpAccount.of(run.crossings()).entrySet()) {
      row(table, entry.getKey().label(), entry.getValue());
      sum = sum.plus(entry.getValue());
    }
    row(table, "in all", sum);
    return table;
  }

  private TextTable frameAccount(Contestant contestant) {
    Run run = results.last(Workload.HELLO, contestant);
    TextTable table = new TextTable(contestant.label(), "round trips", "bytes up", "down");
    for (Map.Entry<String, Share> entry : FrameAccount.of(run.crossings()).entrySet()) {
      Share share = entry.getValue();
      table.row(
          entry.getKey(), "", Figures.count(share.upBytes()), Figures.count(share.downBytes()));
    }
    for (Run.Part part : run.parts()) {
      boolean apart = part.phase().name().equals(Run.LINK);
      row(
          table,
          "phase: " + part.phase().name() + (apart ? " (apart)" : ""),
          new Share(
              part.traffic().roundTrips(), part.traffic().upBytes(), part.traffic().downBytes()));
    }
    return table;
  }

  private static void row(TextTable table, String label, Share share) {
    table.row(
        label,
        Integer.toString(share.exchanges()),
        Figures.count(share.upBytes()),
        Figures.count(share.downBytes()));
  }

  /** The times, as SVG. */
  String plot() {
    BarChart chart =
        new BarChart(
            "Java RMI over an emulated slow link: " + link.name(),
            String.format(
                Locale.ROOT,
                "%s; JDK %s; median, least and greatest of %s; link set-up apart",
                link.describe(),
                circumstances.get("jdk"),
                circumstances.get("rounds")),
            "s",
            Stream.of(Contestant.values()).map(Contestant::label).toList());
    for (Row row : Row.all(link.name())) {
      if (!row.label().startsWith("lookup,")) {
        chart.group(row.label(), Stream.of(Contestant.values()).map(who -> bar(row, who)).toList());
      }
    }
    return chart.svg();
  }

  private BarChart.Bar bar(Row row, Contestant contestant) {
    String metric = row.metric() + ".seconds";
    DoubleSummaryStatistics spread =
        results.values(metric, contestant).stream().mapToDouble(d -> d).summaryStatistics();
    double median = results.median(metric, contestant);
    StringBuilder text = new StringBuilder(Figures.seconds(median) + " s");
    if (contestant != PLAIN) {
      text.append(", ").append(Figures.times(results.speedUp(row.metric(), contestant).median()));
      row.published()
          .speedUp(contestant)
          .ifPresent(value -> text.append(" (published ").append(Figures.times(value)).append(')'));
    }
    return new BarChart.Bar(median, spread.getMin(), spread.getMax(), text.toString());
  }

  /** For JSON. */
  Map<String, Object> values() {
    Map<String, Object> root = new LinkedHashMap<>(circumstances);
    root.put("profile", link.describe());
    root.put("source", link.source());
    root.put("values", results.all());
    List<Object> rows = new ArrayList<>();
    for (Row row : Row.all(link.name())) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("label", row.label());
      entry.put("metric", row.metric());
      for (Contestant contestant : Contestant.values()) {
        Map<String, Object> of = new LinkedHashMap<>();
        of.put("seconds", results.median(row.metric() + ".seconds", contestant));
        of.put("times-faster", results.speedUp(row.metric(), contestant));
        row.published().of(contestant).ifPresent(value -> of.put("published-seconds", value));
        row.published()
            .speedUp(contestant)
            .ifPresent(value -> of.put("published-times-faster", value));
        entry.put(contestant.name().toLowerCase(Locale.ROOT), of);
      }
      rows.add(entry);
    }
    root.put("rows", rows);
    root.put("aims", aims());
    return root;
  }
}
