package io.rmigate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * {@code SECURITY.md} answers each threat of the list, by tests that exist or in plain words, and
 * names tests of each promise.
 */
class SecurityPageTest {
  private static final Path ROOT = RepositoryFiles.ROOT;
  private static final Pattern ROW =
      Pattern.compile("^\\| (T\\d+) \\| ([^|]+) \\| ([^|]+) \\|$", Pattern.MULTILINE);

  private static final Pattern PROMISE = Pattern.compile("^(\\d)\\. \\*\\*", Pattern.MULTILINE);
  private static final Pattern PROMISE_ROW =
      Pattern.compile("^\\| (\\d) \\| ([^|]+) \\|$", Pattern.MULTILINE);

  /** A class of tests, perhaps with one of its methods. */
  private static final Pattern TEST =
      Pattern.compile("`([A-Z]\\w*(?:Test|IT))(?:\\.([a-z]\\w*))?`");

  private static final Pattern WORDS = Pattern.compile("(Does not apply|Not yet)\\b[^.]*");

  /** Of all modules; a name may be there once in each of several packages. */
  private static final Map<String, List<Path>> SOURCES = sources();

  private static Map<String, List<Path>> sources() {
    try {
      return RepositoryFiles.endingIn(".java").stream()
          .filter(file -> file.toString().replace('\\', '/').contains("/src/test/java/"))
          .collect(
              Collectors.groupingBy(file -> file.getFileName().toString().replace(".java", "")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String page() throws IOException {
    return Files.readString(ROOT.resolve("SECURITY.md"));
  }

  private static List<MatchResult> rows() throws IOException {
    return ROW.matcher(page()).results().toList();
  }

  @Test
  void eachPromiseNamesItsTests() throws IOException {
    List<String> promises = PROMISE.matcher(page()).results().map(found -> found.group(1)).toList();
    List<MatchResult> rows = PROMISE_ROW.matcher(page()).results().toList();
    assertThat(promises).hasSize(9);
    assertThat(rows).extracting(row -> row.group(1)).isEqualTo(promises);
    assertThat(rows).allMatch(row -> TEST.matcher(row.group(2)).find());
  }

  @Test
  void eachThreatHasOneRow() throws IOException {
    try (InputStream in = SecurityPageTest.class.getResourceAsStream("/security/threats.txt")) {
      List<String> threats =
          new String(in.readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.startsWith("#"))
              .toList();
      assertThat(threats).hasSize(61);
      assertThat(rows()).extracting(row -> row.group(1)).containsExactlyElementsOf(threats);
    }
  }

  @Test
  void eachRowNamesTestsOrSaysWhyThereAreNone() throws IOException {
    for (MatchResult row : rows()) {
      String defence = row.group(3);
      assertThat(TEST.matcher(defence).find() || WORDS.matcher(defence).find())
          .as(row.group())
          .isTrue();
    }
  }

  @Test
  void whatIsNamedExistsTestsSomethingAndIsNotSwitchedOff() throws IOException {
    int named = 0;
    Matcher test = TEST.matcher(page());
    while (test.find()) {
      named++;
      List<Path> sources = SOURCES.getOrDefault(test.group(1), List.of());
      StringBuilder all = new StringBuilder();
      for (Path source : sources) {
        all.append(Files.readString(source));
      }
      assertThat(all).as(test.group()).containsPattern("@(Test|ParameterizedTest)\\b");
      assertThat(all.indexOf("@Disabled")).as(test.group() + " is switched off").isNegative();
      if (test.group(2) != null) {
        assertThat(all)
            .as(test.group())
            .containsPattern(
                "@(Test|ParameterizedTest)\\b((?!\\bvoid\\b)[\\s\\S])*void "
                    + test.group(2)
                    + "\\(");
      }
    }
    assertThat(named).isGreaterThan(61);
  }
}
