package io.rmigate.perf.papers;

import static io.rmigate.perf.papers.Contestant.COMPRESSED;
import static io.rmigate.perf.papers.Contestant.PLAIN;
import static io.rmigate.perf.papers.Contestant.UNCOMPRESSED;

import io.rmigate.perf.link.LinkProfile;
import io.rmigate.perf.report.Figures;
import io.rmigate.perf.report.TextTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The report on bytes: on the wire, with WebSocket framing, before TLS. */
record BytesReport(Map<String, String> circumstances, LinkProfile link, Results results) {

  /**
   * One line of it.
   *
   * @param phase of {@link Workload#BYTES}
   * @param calls by which to divide
   */
  private record Line(String label, String phase, int calls) {
    static final List<Line> ALL =
        List.of(
            new Line("link set-up, apart", "link", 1),
            new Line("first lookup + sayHello(), with what follows one way", "first", 1),
            new Line("steady sayHello(), per call", "steady", Workload.STEADY_CALLS),
            new Line("100 people, first call", "people-first", 1),
            new Line("the same 100 people repeated, per call", "people-repeated", Workload.GROUPS),
            new Line("100 others each time, per call", "people-fresh", Workload.GROUPS),
            new Line("dropping two stubs", "release", 1));
  }

  List<Aim> aims() {
    return List.of(
        new Aim(
            "steady sayHello(), both ways",
            "bytes",
            bytes("steady", COMPRESSED) / Workload.STEADY_CALLS,
            60,
            true),
        new Aim(
            "steady sayHello(), both ways, uncompressed",
            "bytes",
            bytes("steady", UNCOMPRESSED) / Workload.STEADY_CALLS,
            110,
            true),
        new Aim("first lookup + call, of plain RMI's", "%", share("first", COMPRESSED), 25, true),
        new Aim(
            "100 people repeated, of plain RMI's",
            "%",
            share("people-repeated", COMPRESSED),
            20,
            true));
  }

  private double bytes(String phase, Contestant contestant) {
    return results.median("bytes." + phase + ".up", contestant)
        + results.median("bytes." + phase + ".down", contestant);
  }

  /** Percent of plain RMI's bytes. */
  private double share(String phase, Contestant contestant) {
    return 100 * bytes(phase, contestant) / bytes(phase, PLAIN);
  }

  String text() {
    StringBuilder text = new StringBuilder();
    circumstances.forEach((name, value) -> text.append(String.format("%-8s %s%n", name, value)));
    TextTable table =
        new TextTable(
            "bytes up + down",
            "plain RMI",
            "round trips",
            "uncompressed",
            "round trips",
            "of plain",
            "rmigate",
            "round trips",
            "of plain");
    for (Line line : Line.ALL) {
      table.row(
          line.label(),
          bytes(line, PLAIN),
          trips(line, PLAIN),
          bytes(line, UNCOMPRESSED),
          trips(line, UNCOMPRESSED),
          share(line, UNCOMPRESSED),
          bytes(line, COMPRESSED),
          trips(line, COMPRESSED),
          share(line, COMPRESSED));
    }
    text.append('\n').append(table).append("\nAims\n\n");
    aims().forEach(aim -> text.append(aim.line()).append('\n'));
    return text.toString();
  }

  private String bytes(Line line, Contestant contestant) {
    return Figures.count(median(line, "up", contestant))
        + " + "
        + Figures.count(median(line, "down", contestant));
  }

  private String trips(Line line, Contestant contestant) {
    return Figures.decimal(median(line, "trips", contestant));
  }

  private double median(Line line, String quantity, Contestant contestant) {
    return results.median("bytes." + line.phase() + "." + quantity, contestant) / line.calls();
  }

  private String share(Line line, Contestant contestant) {
    double share = share(line.phase(), contestant);
    return Double.isFinite(share) ? Figures.decimal(share) + " %" : "-";
  }

  /** For JSON. */
  Map<String, Object> values() {
    Map<String, Object> root = new LinkedHashMap<>(circumstances);
    root.put("profile", link.describe());
    root.put("values", results.all());
    root.put("aims", aims());
    return root;
  }
}
