package io.rmigate.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.GeneratedPart;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages about the configuration say what the code does. */
class ConfigReferenceTest {

  /** Sections by the page that lists their keys. */
  private static final Map<String, List<String>> PAGES =
      Map.of(
          "gateway",
          List.of(
              "listen",
              "path",
              "insecure",
              "drain",
              "state",
              "tls",
              "http",
              "logins",
              "origins",
              "hosts",
              "audit",
              "admin",
              "metrics"),
          "policy",
          List.of("targets", "classes", "long-calls", "limits", "lockout", "raw"),
          "sessions",
          List.of(
              "map-loopback",
              "map",
              "compression",
              "lookups",
              "preload",
              "callbacks",
              "session",
              "post",
              "legacy",
              "relay",
              "leases",
              "grants",
              "calls"),
          "web-services",
          List.of("publish", "services"));

  @Test
  void eachPageListsTheKeysOfItsSections() throws Exception {
    for (Map.Entry<String, List<String>> page : PAGES.entrySet()) {
      GeneratedPart.assertEqual(
          "reference/configuration-" + page.getKey() + ".md",
          "keys",
          page.getValue().stream()
              .map(ConfigReferenceTest::section)
              .collect(Collectors.joining("\n")));
    }
  }

  @Test
  void eachKeyIsOnAPage() {
    assertThat(PAGES.values().stream().flatMap(List::stream))
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(ConfigKey.values()).map(ConfigReferenceTest::sectionOf).distinct().toList());
  }

  private static String section(String name) {
    return Stream.of(ConfigKey.values())
        .filter(key -> sectionOf(key).equals(name))
        .map(ConfigReferenceTest::item)
        .collect(Collectors.joining("", "## " + name + "\n\n", ""));
  }

  private static String sectionOf(ConfigKey key) {
    return key.path().split("[.\\[]", 2)[0];
  }

  private static String item(ConfigKey key) {
    String text =
        "**`%s`**: %s. %s%s"
            .formatted(
                key.path(),
                key.allowed().text(),
                key.defaultText().isEmpty() ? "" : "Default: `" + key.defaultText() + "`. ",
                key.meaning());
    return GeneratedPart.item(text);
  }

  @Test
  void everyDefaultIsAllowed() {
    for (ConfigKey key : ConfigKey.values()) {
      if (key.lastName().equals("principals")) { // each of them takes groups
        assertThat(key.allowed()).as(key.path()).isEqualTo(Allowed.PRINCIPALS);
      }
      if (key.defaultText().isEmpty()
          && (key.path().contains("[]") || key.path().startsWith("limits."))) {
        continue; // required, or not limited
      }
      switch (key.allowed().shape()) {
        case DURATION -> assertThat(Units.duration(key.defaultText())).isPresent();
        case SIZE -> assertThat(Units.bytes(key.defaultText())).isPresent();
        case CHOICE -> assertThat(key.allowed().names()).contains(key.defaultText());
        case FLAG -> assertThat(key.defaultText()).isIn("true", "false");
        default -> {}
      }
    }
  }
}
