package io.rmigate.gateway.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.GeneratedPart;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page about metrics lists all families of the gateway. */
class MetricsReferenceTest {
  private static final Pattern HELP =
      Pattern.compile("(?m)^# HELP (rmigate_\\w+) (.+)\n# TYPE \\1 (\\w+)$");

  private static final Pattern NAME_IN_CODE = Pattern.compile("\"(rmigate\\.[a-z.]+)\"");
  private static final Pattern LABELS = Pattern.compile("(?m)^(rmigate_\\w+)\\{([^}]*)\\}");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"");

  @Test
  void thePageListsEachFamilyWithTypeAndLabels() throws Exception {
    try (GatewayMetrics metrics = new GatewayMetrics()) {
      metrics.sessionClosed("");
      metrics.refused("");
      metrics.legacyRequest("");
      metrics.callTimedOut("");
      metrics.connectFailed("");
      metrics.services().bridgeCall("", 1);
      metrics.services().serviceCall("", "", "", 200, 1);
      metrics.watchAudit(() -> 0, () -> 0);
      metrics.watchConfiguration(() -> false);
      metrics.watchHungCalls(() -> 0);
      metrics.watchConnections(() -> 0);
      metrics.services().watchHandles(() -> 0);
      String scraped = metrics.scrape();
      TreeMap<String, String> items = new TreeMap<>();
      Matcher family = HELP.matcher(scraped);
      while (family.find()) {
        String name = family.group(1);
        items.put(
            name,
            GeneratedPart.item(
                "`%s` (%s%s): %s."
                    .formatted(name, family.group(3), labels(scraped, name), family.group(2))));
      }
      assertEachNameInTheCodeIsAFamily(new ArrayList<>(items.keySet()));
      GeneratedPart.assertEqual("reference/metrics.md", "metrics", String.join("", items.values()));
    }
  }

  /** So that none is forgotten which is registered with its first event. */
  private static void assertEachNameInTheCodeIsAFamily(List<String> families) throws Exception {
    String source =
        Files.readString(Path.of("src/main/java/io/rmigate/gateway/metrics/GatewayMetrics.java"))
            + Files.readString(
                Path.of("src/main/java/io/rmigate/gateway/metrics/ServiceMetrics.java"));
    Matcher name = NAME_IN_CODE.matcher(source);
    while (name.find()) {
      String prefix = name.group(1).replace('.', '_');
      assertThat(families).as(prefix).anyMatch(family -> family.startsWith(prefix));
    }
  }

  private static String labels(String scraped, String family) {
    TreeSet<String> labels = new TreeSet<>();
    Matcher line = LABELS.matcher(scraped);
    while (line.find()) {
      if (line.group(1).startsWith(family)) {
        Matcher label = LABEL.matcher(line.group(2));
        while (label.find()) {
          labels.add("`" + label.group(1) + "`");
        }
      }
    }
    return labels.isEmpty() ? "" : ", by " + String.join(", ", labels);
  }
}
