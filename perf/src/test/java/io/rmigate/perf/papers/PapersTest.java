package io.rmigate.perf.papers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.perf.link.Traffic;
import io.rmigate.perf.report.BarChart;
import io.rmigate.perf.report.Figures;
import io.rmigate.perf.report.TextTable;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

/** The parts of the driver that need no other JVM. */
class PapersTest {
  @Test
  void phasesComeBackFromTheirLine() {
    List<Phase> phases = List.of(new Phase("lookup", -5, 10), new Phase("void-after-idle", 10, 30));
    assertThat(Phase.line(phases)).isEqualTo("phases lookup=-5..10 void-after-idle=10..30");
    assertThat(Phase.parse(Phase.line(phases))).isEqualTo(phases);
    assertThat(Phase.parse("phases")).isEmpty();
    assertThatThrownBy(() -> Phase.parse("hello"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("hello");
    assertThatThrownBy(() -> Phase.parse("phases lookup=1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("name=from..to");
  }

  @Test
  void publishedSpeedUpsAreTheAuthorsOwn() {
    Row both = row("HelloWorld: both", "gsm");
    assertThat(Figures.times(both.published().speedUp(Contestant.UNCOMPRESSED))).isEqualTo("3.7x");
    assertThat(both.published().speedUp(Contestant.COMPRESSED)).isEmpty();
    Row text = row("Monads: reply of 14 760 bytes", "gsm");
    assertThat(Figures.times(text.published().speedUp(Contestant.COMPRESSED))).isEqualTo("8.3x");
  }

  @Test
  void fieldTrialIsComparedByLink() {
    assertThat(row("lookup, field trial", "gsm").published().plain())
        .isEqualTo(OptionalDouble.of(6.390));
    assertThat(row("lookup, field trial", "hscsd43").published().compressed())
        .isEqualTo(OptionalDouble.of(0.980));
    assertThat(row("lookup, field trial", "lan").published()).isEqualTo(Published.NOTHING);
  }

  private static Row row(String label, String link) {
    return Row.all(link).stream()
        .filter(row -> row.label().equals(label))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void helloWorldIsTheSumOfItsPhases() {
    Results results = new Results();
    results.add(hello(Contestant.PLAIN, 4, 1));
    results.add(hello(Contestant.COMPRESSED, 1, 0.25));
    assertThat(results.median("hello.total.seconds", Contestant.PLAIN)).isEqualTo(5);
    assertThat(results.median("hello.total.trips", Contestant.PLAIN)).isEqualTo(4);
    assertThat(results.median("hello.total.up", Contestant.PLAIN)).isEqualTo(200);
    assertThat(results.speedUp("hello.total", Contestant.COMPRESSED).median()).isEqualTo(4);
  }

  private static Run hello(Contestant contestant, double lookup, double call) {
    return new Run(contestant, Workload.HELLO, List.of(part("lookup", lookup), part("call", call)));
  }

  private static Run.Part part(String name, double seconds) {
    return new Run.Part(
        new Phase(name, 0, (long) (seconds * 1e9)),
        new Traffic(1, 1, 100, 50, 2, Traffic.NONE.tcp()),
        List.of());
  }

  @Test
  void aimsAreMissedWithoutMeasurements() {
    assertThat(Aim.timesFaster("fast", Double.NaN, 4).isMet()).isFalse();
    assertThat(new Aim("small", "bytes", Double.NaN, 60, true).isMet()).isFalse();
    assertThat(new Aim("small", "bytes", 60, 60, true).line())
        .matches("pass  small +at most 60 bytes: 60\\.0");
    assertThat(Aim.timesFaster("fast", 3.94, 4).line())
        .matches("MISS  fast +at least 4 times: 3\\.9");
  }

  @Test
  void tablesAreMarkdown() {
    assertThat(new TextTable("", "s").row("plain RMI", "4.68").row("rmigate", "0.7").toString())
        .isEqualTo(
            """
            |           |    s |
            |-----------|-----:|
            | plain RMI | 4.68 |
            | rmigate   |  0.7 |
            """);
    assertThatThrownBy(() -> new TextTable("", "s").row("one"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void chartIsWellFormedAndHasABarForEveryValue() throws Exception {
    BarChart chart = new BarChart("a & b", "<c>", "s", List.of("one", "two"));
    chart.group("first", List.of(bar(4), bar(1)));
    chart.group("second", List.of(bar(2), bar(Double.NaN)));
    Document svg =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(chart.svg().getBytes(StandardCharsets.UTF_8)));
    List<Double> widths = new ArrayList<>();
    for (int i = 0; i < svg.getElementsByTagName("rect").getLength(); i++) {
      var rectangle = svg.getElementsByTagName("rect").item(i).getAttributes();
      if (rectangle.getNamedItem("x") != null
          && rectangle.getNamedItem("x").getNodeValue().equals("250")) {
        widths.add(Double.valueOf(rectangle.getNamedItem("width").getNodeValue()));
      }
    }
    assertThat(widths).containsExactly(560.0, 140.0, 280.0);
  }

  private static BarChart.Bar bar(double value) {
    return new BarChart.Bar(value, value, value, value + " s");
  }

  @Test
  void commandLineSaysWhatIsWrong() {
    String jdk = System.getProperty("java.home");
    assertThat(PapersOptions.parse("monads", "--quick", "--plot", "x.svg", "--jdk", jdk))
        .satisfies(
            options -> {
              assertThat(options.link().name()).isEqualTo("gsm");
              assertThat(options.rounds()).isEqualTo(1);
              assertThat(options.results().shown()).contains(Path.of("x.svg"));
              assertThat(options.jdk()).isEqualTo(Path.of(jdk));
            });
    assertThat(PapersOptions.parse("bytes").link().name()).isEqualTo("lan");
    assertThat(PapersOptions.parse("bytes", "--link", "3g").link().name()).isEqualTo("3g");
    assertUsage("expected one of monads, bytes");
    assertUsage("unknown option papers", "papers");
    assertUsage("unknown option bytes", "monads", "bytes");
    assertUsage("--rounds needs a value", "monads", "--rounds");
    assertUsage("--rounds 0: expected at least 1", "monads", "--rounds", "0");
    assertUsage("bytes has no --plot", "bytes", "--plot", "x.svg");
    assertUsage("no link profile", "monads", "--link", "wire");
  }

  private static void assertUsage(String message, String... args) {
    assertThatThrownBy(() -> PapersOptions.parse(args))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
