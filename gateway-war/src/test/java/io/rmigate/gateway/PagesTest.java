package io.rmigate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Links between the pages of the repository lead to a page and a heading that exist, and pages have
 * a length that can be read.
 */
class PagesTest {
  private static final Path ROOT = RepositoryFiles.ROOT;

  private static final Pattern LINK = Pattern.compile("(?<!!)\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+?) *$");
  private static final Pattern CODE_BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```");
  private static final Pattern CODE = Pattern.compile("`[^`\n]*`");

  /** A page below {@code docs} that a comment, a message or a file of a kit names. */
  private static final Pattern CITED = Pattern.compile("\\bdocs/[a-z-]+(?:/[a-z0-9-]+)*\\.md");

  private static final int MOST_WORDS = 3_000;
  private static final int MOST_COLUMNS = 120;

  /** Specifications, and what is read from its top only. */
  private static final Set<String> OF_ANY_LENGTH =
      Set.of("client-factory/PROTOCOL.md", "client-factory/JRMP.md", "CHANGELOG.md");

  private static final int MOST_LINES_OF_A_README = 250;

  @Test
  void everyLinkLeadsToAPageAndAHeadingThatExist() throws IOException {
    Map<Path, Set<String>> anchors = new HashMap<>();
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Path page : RepositoryFiles.endingIn(".md")) {
      Matcher link = LINK.matcher(prose(page));
      while (link.find()) {
        String target = link.group(1);
        if (target.matches("[a-z]+:.*")) {
          continue;
        }
        links++;
        String[] parts = target.split("#", 2);
        Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
        if (!Files.exists(file)) {
          broken.add(ROOT.relativize(page) + ": " + target);
        } else if (parts.length == 2) {
          if (!anchors.containsKey(file)) {
            anchors.put(file, anchors(file));
          }
          if (!anchors.get(file).contains(parts[1])) {
            broken.add(ROOT.relativize(page) + ": " + target);
          }
        }
      }
    }
    assertThat(broken).isEmpty();
    assertThat(links).isGreaterThan(100);
  }

  @Test
  void noPageIsLongerThanAReaderBears() throws IOException {
    List<String> tooLong = new ArrayList<>();
    for (Path page : RepositoryFiles.endingIn(".md")) {
      int words = Files.readString(page).strip().split("\\s+", -1).length;
      String name = name(page);
      if (words > MOST_WORDS && !OF_ANY_LENGTH.contains(name)) {
        tooLong.add(name);
      }
    }
    assertThat(tooLong).isEmpty();
  }

  @Test
  void noLineIsWiderThanAPage() throws IOException {
    Set<String> tooWide = new HashSet<>();
    for (Path page : RepositoryFiles.endingIn(".md")) {
      if (!OF_ANY_LENGTH.contains(name(page))
          && Files.readString(page).lines().anyMatch(line -> line.length() > MOST_COLUMNS)) {
        tooWide.add(name(page));
      }
    }
    assertThat(tooWide).isEmpty();
  }

  @Test
  void noReadmeIsAManual() throws IOException {
    for (Path page : RepositoryFiles.endingIn("README.md")) {
      assertThat(Files.readString(page).lines().count())
          .as(name(page))
          .isLessThanOrEqualTo(MOST_LINES_OF_A_README);
    }
  }

  private static String name(Path page) {
    return ROOT.relativize(page).toString().replace('\\', '/');
  }

  @Test
  void everyPageThatSourcesAndKitsNameExists() throws IOException {
    List<String> missing = new ArrayList<>();
    int cited = 0;
    for (Path file :
        RepositoryFiles.endingIn(
            ".java", ".yaml", ".yml", ".conf", ".cfg", ".example", ".service", ".tpl")) {
      Matcher name = CITED.matcher(Files.readString(file));
      while (name.find()) {
        cited++;
        if (!Files.isRegularFile(ROOT.resolve(name.group()))) {
          missing.add(ROOT.relativize(file) + ": " + name.group());
        }
      }
    }
    assertThat(missing).isEmpty();
    assertThat(cited).isPositive();
  }

  private static String prose(Path page) throws IOException {
    String text = CODE_BLOCK.matcher(Files.readString(page)).replaceAll("");
    return CODE.matcher(text).replaceAll("``");
  }

  /** The anchors that forges make of headings; a heading that repeats gets a number. */
  private static Set<String> anchors(Path page) throws IOException {
    Set<String> anchors = new HashSet<>();
    String text = CODE_BLOCK.matcher(Files.readString(page)).replaceAll("");
    Matcher heading = HEADING.matcher(text);
    while (heading.find()) {
      String anchor =
          heading
              .group(1)
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N}_ -]", "")
              .replace(' ', '-');
      String unique = anchor;
      for (int n = 1; !anchors.add(unique); n++) {
        unique = anchor + "-" + n;
      }
    }
    return anchors;
  }
}
