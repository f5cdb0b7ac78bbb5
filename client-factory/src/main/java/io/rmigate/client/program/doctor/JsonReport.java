package io.rmigate.client.program.doctor;

import io.rmigate.protocol.jrmp.message.StubView;
import java.util.List;

/**
 * The report for scripts. Its members are described in docs/reference/client-commands.md; none is
 * removed, others may come.
 */
final class JsonReport {
  /** Counts up when a member changes its meaning or goes. */
  static final int VERSION = 1;

  private JsonReport() {}

  static String of(Diagnosis diagnosis) {
    Observations facts = diagnosis.facts();
    JsonWriter json = new JsonWriter();
    json.object(null).number("version", VERSION).number("exitCode", diagnosis.exitCode());
    facts.options().target().ifPresent(target -> json.text("target", target.text()));
    if (facts.options().hasGateway()) {
      json.text("gateway", facts.gateway());
    }
    ways(json, facts);
    findings(json, diagnosis.findings());
    facts.stub().ifPresent(stub -> stub(json, stub));
    visits(json, facts.visits());
    DecisionTable table = diagnosis.table();
    json.object("decisionTable").text("source", DecisionTable.SOURCE);
    rows(json, "published", table.columns(), table.here(), table.rows());
    rows(json, "rmigate", DecisionTable.WAY_COLUMNS, table.waysHere(), table.ways());
    json.endObject();
    recommendation(json, diagnosis);
    return json.endObject().toString();
  }

  private static void ways(JsonWriter json, Observations facts) {
    json.array("ways");
    List<io.rmigate.client.config.Way> leading = facts.leading();
    for (WayResult result : facts.ways()) {
      json.object(null)
          .text("way", result.way().text())
          .text("works", result.state().text())
          .truth("leadsThere", leading.contains(result.way()))
          .truth("configured", facts.options().config().ways().inOrder().contains(result.way()));
      result.obstacle().ifPresent(obstacle -> json.text("obstacle", obstacle.text()));
      json.number("millis", result.took().toMillis()).text("words", result.words()).endObject();
    }
    json.endArray();
  }

  private static void findings(JsonWriter json, List<Finding> findings) {
    json.array("findings");
    for (Finding finding : findings) {
      json.object(null)
          .text("level", finding.level().text())
          .text("code", finding.code())
          .text("seen", finding.seen())
          .text("means", finding.meaning())
          .text("do", finding.advice())
          .endObject();
    }
    json.endArray();
  }

  private static void stub(JsonWriter json, StubView stub) {
    json.object("stub");
    stub.stubClass().ifPresent(name -> json.text("class", name));
    json.array("interfaces");
    stub.interfaces().forEach(name -> json.text(null, name));
    json.endArray()
        .text("host", stub.reference().host())
        .number("port", stub.reference().port())
        .text("object", stub.reference().object().toString());
    stub.factory().ifPresent(name -> json.text("factory", name));
    json.array("codebases");
    stub.codebases().forEach(name -> json.text(null, name));
    json.endArray().endObject();
  }

  private static void visits(JsonWriter json, List<ServerProbe> visits) {
    json.array("visits");
    for (ServerProbe visit : visits) {
      json.object(null).text("way", visit.way().text());
      visit.registry().ifPresent(step -> step(json, "registry", step));
      visit.thrown().ifPresent(thrown -> json.text("thrown", thrown.toString()));
      json.array("names");
      visit.names().forEach(name -> json.text(null, name));
      json.endArray();
      visit.object().ifPresent(step -> step(json, "object", step));
      json.endObject();
    }
    json.endArray();
  }

  private static void step(JsonWriter json, String name, ServerProbe.Step step) {
    json.object(name).truth("answers", step.isDone());
    step.obstacle().ifPresent(obstacle -> json.text("obstacle", obstacle.text()));
    json.text("words", step.words()).endObject();
  }

  private static void rows(
      JsonWriter json,
      String name,
      List<String> columns,
      List<TableCell> here,
      List<DecisionTable.Row> rows) {
    json.object(name).object("here");
    for (int i = 0; i < columns.size(); i++) {
      json.text(columns.get(i), here.get(i).text());
    }
    json.endObject().array("rows");
    for (DecisionTable.Row row : rows) {
      json.object(null);
      for (int i = 0; i < columns.size(); i++) {
        json.text(columns.get(i), row.cells().get(i).text());
      }
      json.text("recommended", row.recommended()).truth("applies", row.applies()).endObject();
    }
    json.endArray().endObject();
  }

  private static void recommendation(JsonWriter json, Diagnosis diagnosis) {
    Recommendation prescription = diagnosis.prescription();
    json.object("recommended");
    prescription.way().ifPresent(way -> json.text("way", way.text()));
    diagnosis.facts().configured().ifPresent(way -> json.text("configured", way.text()));
    json.text("words", prescription.words()).array("lines");
    for (Recommendation.Paste paste : prescription.pastes()) {
      json.object(null).text("place", paste.code()).text("text", paste.text()).endObject();
    }
    json.endArray().endObject();
  }
}
