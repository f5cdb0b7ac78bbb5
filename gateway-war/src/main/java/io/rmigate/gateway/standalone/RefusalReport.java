package io.rmigate.gateway.standalone;

import com.fasterxml.jackson.databind.JsonNode;
import io.rmigate.gateway.audit.AuditEntry;
import io.rmigate.gateway.audit.AuditEvent;
import io.rmigate.gateway.audit.AuditField;
import io.rmigate.gateway.policy.rule.LearnedPolicy;
import io.rmigate.protocol.LogText;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The report about a refusal in an audit, found by its number. */
final class RefusalReport {
  private static final String LOOKUP = RegistryOperation.LOOKUP.name().toLowerCase(Locale.ROOT);

  /** The line in an advice that belongs into an entry. */
  private static final Pattern LINE = Pattern.compile("add \"([^\"]+)\" to a targets entry");

  private static final String EXECUTED = "reply: ";

  private final JsonNode line;

  /** Registries that the session has asked, as {@code host:port}; see {@link #needsRegistries}. */
  private final Set<String> registries = new LinkedHashSet<>();

  RefusalReport(JsonNode line) {
    this.line = line;
  }

  /**
   * Whether the lookups of the session are needed to name the entry that allows the call: its
   * target has a port that changes with each start of the server, so that an entry has to name the
   * registry that has handed out the target.
   */
  boolean needsRegistries() {
    return text(AuditField.EVENT).equals(AuditEvent.CALL.word())
        && has(AuditField.SESSION)
        && LearnedPolicy.ephemeralPort(text(AuditField.TARGET)).isPresent();
  }

  /** Reads a line of the audit: a lookup of the session names a registry. */
  void addLookup(JsonNode other) {
    boolean isLookup =
        text(other, AuditField.EVENT).equals(AuditEvent.REGISTRY.word())
            && text(other, AuditField.METHOD).equals(LOOKUP)
            && text(other, AuditField.VERDICT).equals(AuditEntry.ALLOWED)
            && text(other, AuditField.SESSION).equals(text(AuditField.SESSION));
    if (isLookup && text(other, AuditField.TARGET).contains(":")) {
      registries.add(text(other, AuditField.TARGET));
    }
  }

  private static String text(JsonNode of, AuditField field) {
    return of.path(field.key()).asText("");
  }

  private String text(AuditField field) {
    return text(line, field);
  }

  private boolean has(AuditField field) {
    return !text(field).isEmpty();
  }

  /** The refused principal and request, the reason, and the lines that allow it. */
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
    return (has(AuditField.PRINCIPAL) ? text(AuditField.PRINCIPAL) : "a client without a login")
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
      entry.addAll(allow());
    }
    entry.add("    " + remedy.group(1));
    return entry;
  }

  /** The targets of the entry: where the target's port changes, the registries instead. */
  private List<String> allow() {
    String target = text(AuditField.TARGET);
    if (!needsRegistries()) {
      return List.of("    allow: [" + quoted(target) + "]");
    }
    if (registries.isEmpty()) {
      return List.of(
          "    # The port may change with each start of the server: name its registry instead.",
          "    allow: [" + quoted(target) + "]");
    }
    String host = host(target);
    List<String> onHost =
        registries.stream().filter(registry -> host(registry).equals(host)).toList();
    return List.of(
        "    # The registry that handed out " + LogText.of(target) + ", as the session asked it:",
        "    allow: ["
            + (onHost.isEmpty() ? registries : onHost)
                .stream().map(RefusalReport::quoted).collect(Collectors.joining(", "))
            + "]");
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  private static String host(String target) {
    return target.substring(0, target.lastIndexOf(':')).toLowerCase(Locale.ROOT);
  }
}
