package io.rmigate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the pages for people call by name exists. */
class DocumentsTest {
  private static final Path ROOT = RepositoryFiles.ROOT;

  /** In backticks: a class of ours or of the JDK, perhaps with a member. */
  private static final Pattern NAME =
      Pattern.compile("(?<![\\w./$-])([A-Z][a-z]\\w*)(?:\\.(\\w+))?(?![\\w(])");

  private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");

  /** Names of others which a page may use, with the packages in which they are found. */
  private static final List<String> FOREIGN =
      List.of(
          "java.lang.",
          "java.net.",
          "java.util.concurrent.locks.",
          "java.rmi.",
          "java.rmi.registry.",
          "java.rmi.server.",
          "javax.rmi.ssl.");

  /** Tomcat's, and words of HTTP. */
  private static final List<String> NO_CLASS_OF_OURS =
      List.of("RemoteIpValve", "Connector", "Upgrade", "Connection", "Forwarded", "Host");

  private static final Pattern SOURCES = Pattern.compile("/src/(main|test)/java/");

  /** Sources by the name of their class, which may be there once in each module. */
  private static final Map<String, List<Path>> OURS = ours();

  private static Map<String, List<Path>> ours() {
    try {
      return RepositoryFiles.endingIn(".java").stream()
          .filter(file -> SOURCES.matcher(file.toString().replace('\\', '/')).find())
          .collect(
              Collectors.groupingBy(file -> file.getFileName().toString().replace(".java", "")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "deploy/README.md",
        "docs/reference/glossary.md",
        "client-factory/README.md",
        "client-factory/CONCURRENCY.md",
        "gateway-war/CONCURRENCY.md",
        "gateway-war/OWNERSHIP.md"
      })
  void everyClassAndMemberNamedExists(String page) throws IOException {
    Matcher code = CODE.matcher(Files.readString(ROOT.resolve(page)));
    int found = 0;
    while (code.find()) {
      Matcher name = NAME.matcher(code.group(1));
      while (name.find()) {
        check(name.group(1), name.group(2));
        found++;
      }
    }
    assertThat(found).as("names in " + page).isPositive();
  }

  /** Comments in code cite pages by file name, and of some a section, such as 5.2. */
  private static final Pattern CITED =
      Pattern.compile(
          "(?<![\\w/])([A-Za-z-]+/)?([A-Z]{4,}\\.md)(?:,? (?:section )?(\\d+(?:\\.\\d+)?))?");

  private static final Pattern LINE_BREAK = Pattern.compile("\n\\s*(?:\\*|//) ?");

  private static final List<String> MODULES =
      List.of("", "client-factory", "gateway-war", "soap-bridge", "perf", "deploy");

  @ParameterizedTest
  @ValueSource(strings = {"client-factory", "gateway-war", "soap-bridge", "perf"})
  void everyPageAndSectionThatCommentsCiteExists(String module) throws IOException {
    int found = 0;
    List<Path> sources;
    try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src"))) {
      sources = files.filter(file -> file.toString().endsWith(".java")).toList();
    }
    for (Path source : sources) {
      String text = LINE_BREAK.matcher(Files.readString(source)).replaceAll(" ");
      Matcher cited = CITED.matcher(text);
      while (cited.find()) {
        assertThat(pages(cited.group(1), cited.group(2)))
            .as("%s, cited in %s", cited.group(), source)
            .anyMatch(page -> hasSection(page, cited.group(3)));
        found++;
      }
    }
    assertThat(found).as("citations in " + module).isPositive();
  }

  private static List<Path> pages(String directory, String name) {
    return MODULES.stream()
        .map(module -> ROOT.resolve(module))
        .map(at -> directory == null ? at.resolve(name) : at.resolve(directory).resolve(name))
        .filter(Files::isRegularFile)
        .toList();
  }

  private static boolean hasSection(Path page, String section) {
    try {
      return section == null
          || Pattern.compile("^#+ " + Pattern.quote(section) + "\\.? ", Pattern.MULTILINE)
              .matcher(Files.readString(page))
              .find();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void check(String type, String member) throws IOException {
    List<Path> sources = OURS.get(type);
    if (sources != null) {
      if (member != null) {
        StringBuilder all = new StringBuilder();
        for (Path source : sources) {
          all.append(Files.readString(source));
        }
        assertThat(all).as(type + "." + member).containsPattern("\\b" + member + "\\b");
      }
      return;
    }
    assertThat(NO_CLASS_OF_OURS.contains(type) || isForeign(type)).as("class " + type).isTrue();
  }

  private static boolean isForeign(String type) {
    return FOREIGN.stream().anyMatch(prefix -> exists(prefix + type));
  }

  private static boolean exists(String name) {
    try {
      Class.forName(name, false, ClassLoader.getPlatformClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
