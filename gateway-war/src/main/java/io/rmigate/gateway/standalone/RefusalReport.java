package io.rmigate.gateway.standalone;

import com.fasterxml.jackson.databind.JsonNode;
import io.rmigate.gateway.audit.AuditField;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A line of an audit about a refusal, told to whoever has its number. */
final class RefusalReport {
  /** What an advice names to be put into an entry. */
  private static final Pattern LINE = Pattern.compile("add \"([^\"]+)\" to a targets entry");

  private static final String EXECUTED = "reply: ";

  private final JsonNode line;

  RefusalReport(JsonNode line) {
    this.line = line;
  }

  private String text(AuditField field) {
    return line.path(field.key()).asText("");
  }

  private boolean has(AuditField field) {
    return !text(field).isEmpty();
  }

  /** Who was refused what, why, and the lines that allow it. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("refusal  " + text(AuditField.REFUSAL) + " at " + text(AuditField.TIME));
    lines.add("what     " + what());
    lines.add("who      " + who());
    lines.add(
        "why      "
            + (has(AuditField.REASON) ? text(AuditField.REASON) : text(AuditField.RULE))
            + " (rule "
            + text(AuditField.RULE)
            + ")");
    if (has(AuditField.PLACE)) {
      lines.add("where    " + text(AuditField.PLACE));
    }
    if (text(AuditField.REASON).startsWith(EXECUTED)) {
      lines.add("         the server has executed the call; its result was refused");
    }
    lines.add(
        "allow    "
            + (has(AuditField.REMEDY)
                ? text(AuditField.REMEDY)
                : "nothing in the configuration allows it"));
    lines.addAll(entry());
    return lines;
  }

  private String what() {
    return Stream.of(
            text(AuditField.EVENT),
            text(AuditField.INTERFACE),
            text(AuditField.METHOD),
            has(AuditField.METHOD) ? "" : text(AuditField.METHOD_HASH),
            has(AuditField.NAME) ? "\"" + text(AuditField.NAME) + "\"" : "",
            has(AuditField.TARGET) ? "at " + text(AuditField.TARGET) : "",
            has(AuditField.DOOR) ? "by the door " + text(AuditField.DOOR) : "",
            has(AuditField.PATH) ? "for " + text(AuditField.PATH) : "")
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining(" "));
  }

  private String who() {
    return (has(AuditField.PRINCIPAL) ? text(AuditField.PRINCIPAL) : "nobody who has logged in")
        + (has(AuditField.SCHEME) ? " (" + text(AuditField.SCHEME) + ")" : "")
        + (has(AuditField.PEER) ? " from " + text(AuditField.PEER) : "")
        + (has(AuditField.SESSION) ? ", session " + text(AuditField.SESSION) : "");
  }

  /** The advice as a part of a configuration. */
  private List<String> entry() {
    Matcher remedy = LINE.matcher(text(AuditField.REMEDY));
    if (!remedy.find() || !has(AuditField.TARGET)) {
      return List.of();
    }
    List<String> entry = new ArrayList<>();
    entry.add("");
    entry.add("targets:");
    entry.add("  - principals: ['" + text(AuditField.PRINCIPAL).replace("'", "''") + "']");
    if (!remedy.group(1).startsWith("allow:")) {
      entry.add("    allow: ['" + text(AuditField.TARGET).replace("'", "''") + "']");
    }
    entry.add("    " + remedy.group(1));
    return entry;
  }
}
