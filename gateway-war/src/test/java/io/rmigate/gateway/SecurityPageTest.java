package io.rmigate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * {@code SECURITY.md} names tests of each promise. The pages of threats have a section for each
 * threat of the list, with its defence in words, and tests that exist unless the words say why
 * there are none.
 */
class SecurityPageTest {
  private static final Path ROOT = RepositoryFiles.ROOT;
  private static final String PROMISES = "SECURITY.md";
  private static final List<String> THREATS =
      List.of("docs/reference/threats-rmi.md", "docs/reference/threats-access.md");

  /** Number, title, and text up to the next heading. */
  private static final Pattern SECTION =
      Pattern.compile("(?ms)^### (T\\d+) ([^\n]+)\n(.*?)(?=^#|\\z)");

  /** An item of a list, with the lines that continue it. */
  private static final Pattern ITEM = Pattern.compile("(?m)^- .*(?:\n  .*)*");

  private static final Pattern CODE = Pattern.compile("`([^`]*)`");

  private static final Pattern PROMISE = Pattern.compile("^(\\d)\\. \\*\\*", Pattern.MULTILINE);
  private static final Pattern TESTS_OF_PROMISE =
      Pattern.compile("(?m)^- \\*\\*(\\d)\\*\\*: (.*(?:\n  .*)*)");

  /** A class of tests, perhaps with one of its methods. */
  private static final Pattern TEST =
      Pattern.compile("`([A-Z]\\w*(?:Test|IT))(?:\\.([a-z]\\w*))?`");

  private static final Pattern WORDS = Pattern.compile("^(Does not apply|Not yet)\\b[^.]*");

  private static final int FEWEST_WORDS_OF_A_DEFENCE = 5;

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

  private static String page(String name) throws IOException {
    return Files.readString(ROOT.resolve(name));
  }

  private static List<MatchResult> sections(String page) throws IOException {
    return SECTION.matcher(page(page)).results().toList();
  }

  private static List<MatchResult> sections() throws IOException {
    List<MatchResult> all = new ArrayList<>();
    for (String page : THREATS) {
      all.addAll(sections(page));
    }
    return all;
  }

  @Test
  void eachPromiseNamesItsTests() throws IOException {
    String page = page(PROMISES);
    List<String> promises = PROMISE.matcher(page).results().map(found -> found.group(1)).toList();
    List<MatchResult> tests = TESTS_OF_PROMISE.matcher(page).results().toList();
    assertThat(promises).hasSize(9);
    assertThat(tests).extracting(item -> item.group(1)).isEqualTo(promises);
    assertThat(tests).allMatch(item -> TEST.matcher(item.group(2)).find());
  }

  @Test
  void eachThreatHasOneSectionAndEachPageTheirOrder() throws IOException {
    try (InputStream in = SecurityPageTest.class.getResourceAsStream("/security/threats.txt")) {
      List<String> threats =
          new String(in.readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.startsWith("#"))
              .toList();
      assertThat(threats).hasSize(61);
      assertThat(sections())
          .extracting(section -> section.group(1))
          .containsExactlyInAnyOrderElementsOf(threats);
    }
    for (String page : THREATS) {
      assertThat(sections(page)).extracting(section -> section.group(1)).isSorted();
    }
  }

  @Test
  void eachSectionSaysWhatHoldsTheThreatAndNamesTestsOrSaysWhyThereAreNone() throws IOException {
    for (MatchResult section : sections()) {
      String defence = ITEM.matcher(section.group(3)).replaceAll("").strip();
      assertThat(defence.split("\\s+", -1).length)
          .as(section.group())
          .isGreaterThanOrEqualTo(FEWEST_WORDS_OF_A_DEFENCE);
      List<MatchResult> items = ITEM.matcher(section.group(3)).results().toList();
      assertThat(items.isEmpty() && !WORDS.matcher(defence).find()).as(section.group()).isFalse();
      assertThat(items).allMatch(item -> TEST.matcher(item.group()).find());
    }
  }

  /** A name that is misspelt so that it looks like no test would not be looked for. */
  @Test
  void eachCapitalizedNameInAListOfTestsIsATest() throws IOException {
    for (MatchResult section : sections()) {
      Matcher item = ITEM.matcher(section.group(3));
      while (item.find()) {
        List<String> names =
            CODE.matcher(item.group())
                .results()
                .map(MatchResult::group)
                .filter(name -> Character.isUpperCase(name.charAt(1)))
                .toList();
        assertThat(names).as(item.group()).allMatch(name -> TEST.matcher(name).matches());
      }
    }
  }

  @Test
  void whatIsNamedExistsTestsSomethingAndIsNotSwitchedOff() throws IOException {
    int named = 0;
    Matcher test = TEST.matcher(page(PROMISES) + page(THREATS.get(0)) + page(THREATS.get(1)));
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
