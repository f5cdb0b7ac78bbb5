package io.rmigate.gateway.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What tests read of an audit, by other means than it was written by. */
public final class AuditLines {
  private static final ObjectMapper JSON = new ObjectMapper();

  private AuditLines() {}

  /** All events, and nothing ever rotated. */
  public static AuditSettings everything(Path path) {
    return new AuditSettings(
        path,
        Long.MAX_VALUE,
        Duration.ofDays(1),
        10,
        true,
        Set.of(AuditEvent.values()),
        AuditSettings.WhenFull.CONTINUE);
  }

  /** All lines of a file. */
  public static List<JsonNode> in(Path file) throws IOException {
    List<JsonNode> lines = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      lines.add(JSON.readTree(line));
    }
    return lines;
  }

  /** Those of one event. */
  public static List<JsonNode> of(AuditEvent event, Path file) throws IOException {
    return in(file).stream()
        .filter(line -> line.get("event").asText().equals(event.word()))
        .toList();
  }

  /** The rotated files and the last, in their order. */
  static List<Path> files(Path path) throws IOException {
    List<Path> files = new ArrayList<>(new RotatedFiles(path).list());
    files.add(path);
    return files;
  }
}
