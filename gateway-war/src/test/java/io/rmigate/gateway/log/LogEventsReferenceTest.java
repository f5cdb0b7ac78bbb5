package io.rmigate.gateway.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.GeneratedPart;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The pages about log events have each line at INFO and above that the sources of gateway, bridge
 * and client log by a literal.
 */
class LogEventsReferenceTest {
  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/");
  private static final Pattern STATEMENT =
      Pattern.compile(
          "\\b(?:LOG|log|logger|lines)\\s*\\.\\s*(?<log>info|warn|error)\\((?!log,)"
              + "|\\b(?<bounded>info|warn)\\(\\s*(?=LOG,)"
              + "|System\\.Logger\\.Level\\.(?<system>INFO|WARNING|ERROR),");

  private static final Pattern LOGGER =
      Pattern.compile("getLogger\\((\\w+)\\.class(?:\\.getName\\(\\))?\\)");
  private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern MEANING = Pattern.compile("(\\S+) \\| (.+?) = (.+)");
  private static final int SHORTEST = 4;

  @Test
  void thePageOfTheGatewayHasEachEvent() throws IOException {
    Map<String, Set<String>> events = new TreeMap<>();
    scan(Path.of("src/main/java"), "", events);
    scan(Path.of("../soap-bridge/src/main/java"), "", events);
    compare("reference/log-events.md", "", events, 100);
  }

  @Test
  void thePageOfTheClientHasEachEvent() throws IOException {
    Map<String, Set<String>> events = new TreeMap<>();
    scan(Path.of("../client-factory/src/main/java"), "client.", events);
    compare("reference/log-events-client.md", "client.", events, 20);
  }

  @Test
  void eachMeaningOfALineIsOfOneLine() throws IOException {
    Map<String, Set<String>> events = new TreeMap<>();
    scan(Path.of("src/main/java"), "", events);
    scan(Path.of("../soap-bridge/src/main/java"), "", events);
    scan(Path.of("../client-factory/src/main/java"), "client.", events);
    for (LineMeaning meaning : lineMeanings()) {
      assertThat(events.get(meaning.logger()))
          .as(meaning.toString())
          .filteredOn(event -> event.contains(meaning.part()))
          .hasSize(1);
    }
  }

  @Test
  void eachMeaningIsOfALogger() throws IOException {
    Map<String, Set<String>> events = new TreeMap<>();
    scan(Path.of("src/main/java"), "", events);
    scan(Path.of("../soap-bridge/src/main/java"), "", events);
    scan(Path.of("../client-factory/src/main/java"), "client.", events);
    assertThat(events.keySet()).containsAll(meanings().stringPropertyNames());
  }

  private static void compare(
      String page, String prefix, Map<String, Set<String>> events, int least) throws IOException {
    Properties meanings = meanings();
    List<LineMeaning> lineMeanings = lineMeanings();
    assertThat(meanings.stringPropertyNames())
        .as("loggers with a meaning")
        .containsAll(events.keySet());
    assertThat(events.values().stream().mapToInt(Set::size).sum()).isGreaterThan(least);
    GeneratedPart.assertEqual(
        page,
        "log events",
        events.entrySet().stream()
            .map(
                logger ->
                    "## "
                        + logger.getKey().substring(prefix.length())
                        + "\n\n"
                        + GeneratedPart.paragraph(meanings.getProperty(logger.getKey()))
                        + "\n"
                        + logger.getValue().stream()
                            .map(event -> withMeaning(logger.getKey(), event, lineMeanings))
                            .map(GeneratedPart::item)
                            .collect(Collectors.joining()))
            .collect(Collectors.joining("\n")));
  }

  private static Properties meanings() throws IOException {
    Properties meanings = new Properties();
    try (InputStream in =
        LogEventsReferenceTest.class.getResourceAsStream("/log/meanings.properties")) {
      meanings.load(in);
    }
    return meanings;
  }

  /** Meaning of the line of a logger that contains a part. */
  private record LineMeaning(String logger, String part, String meaning) {}

  private static List<LineMeaning> lineMeanings() throws IOException {
    return Files.readAllLines(Path.of("src/test/resources/log/lines.txt")).stream()
        .filter(line -> !line.startsWith("#"))
        .map(MEANING::matcher)
        .peek(line -> assertThat(line.matches()).isTrue())
        .map(line -> new LineMeaning(line.group(1), line.group(2), line.group(3)))
        .toList();
  }

  private static String withMeaning(String logger, String event, List<LineMeaning> meanings) {
    return meanings.stream()
        .filter(one -> one.logger().equals(logger) && event.contains(one.part()))
        .map(one -> event + ". " + one.meaning())
        .findFirst()
        .orElse(event);
  }

  private static void scan(Path sources, String prefix, Map<String, Set<String>> events)
      throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(sources)) {
      files = all.filter(file -> file.toString().endsWith(".java")).toList();
    }
    for (Path file : files) {
      String code = COMMENT.matcher(Files.readString(file)).replaceAll("");
      Matcher named = LOGGER.matcher(code);
      String logger =
          prefix
              + (named.find()
                  ? named.group(1)
                  : file.getFileName().toString().replace(".java", ""));
      Matcher statement = STATEMENT.matcher(code);
      while (statement.find()) {
        String level =
            Stream.of("log", "bounded", "system")
                .map(statement::group)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow();
        events
            .computeIfAbsent(logger, none -> new TreeSet<>(Comparator.naturalOrder()))
            .add(
                level.toUpperCase(Locale.ROOT).replace("WARNING", "WARN")
                    + " "
                    + text(code, statement.end()));
      }
    }
  }

  /** The literals of one statement's arguments, with an ellipsis for what is between them. */
  private static String text(String code, int from) {
    String arguments = code.substring(from, end(code, from));
    StringBuilder text = new StringBuilder();
    Matcher literal = LITERAL.matcher(arguments);
    int before = -1;
    while (literal.find()) {
      if (before >= 0) {
        String between = arguments.substring(before, literal.start()).strip();
        if (between.startsWith(",")) {
          break; // arguments of the format
        }
        text.append(between.equals("+") ? "" : "…");
      }
      text.append(literal.group(1));
      before = literal.end();
    }
    String found =
        text.toString().replace("\\\"", "\"").replace("\\n", " ").replace("''", "'").strip();
    return found.length() < SHORTEST ? "the refusal or failure" : "`" + found + "`";
  }

  /** Where the parenthesis ends within which the text at an index stands. */
  private static int end(String code, int from) {
    int depth = 1;
    boolean quoted = false;
    for (int i = from; i < code.length(); i++) {
      char c = code.charAt(i);
      if (quoted) {
        if (c == '\\') {
          i++;
        } else if (c == '"') {
          quoted = false;
        }
      } else if (c == '"') {
        quoted = true;
      } else if (c == '(') {
        depth++;
      } else if (c == ')') {
        depth--;
        if (depth == 0) {
          return i;
        }
      }
    }
    return code.length();
  }
}
