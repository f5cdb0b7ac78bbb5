package io.rmigate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Each Javadoc of main and test code can be understood without the one before it. */
class JavadocTest {
  private static final Pattern JAVADOC = Pattern.compile("(?s)/\\*\\*(.*?)\\*/");
  private static final Pattern BORDER = Pattern.compile("\n\\s*\\*");
  private static final Pattern LEANING =
      Pattern.compile("\\s*(?:Likewise|The same|As above|Also)\\b");

  private static final Pattern PRONOUN =
      Pattern.compile("(?i)\\b(?:whoever|whatever|nobody|somebody|so many)\\b");

  private static final Pattern SPACE = Pattern.compile("\\s+");
  private static final Pattern LITERAL = Pattern.compile("\"(?:[^\"\\\\\n]|\\\\.)*\"");

  /** Modules whose log lines and messages have no pronoun. */
  private static final List<String> MODULES = List.of("gateway-war", "soap-bridge");

  /** Pronouns for 1 000 words of Javadoc; of main and test code of all modules. */
  private static final double MOST_PRONOUNS = 1;

  @Test
  void noneOpensWithAReferenceToTheOneBefore() throws IOException {
    List<String> leaning = new ArrayList<>();
    long words = 0;
    long pronouns = 0;
    for (Path file : RepositoryFiles.endingIn(".java")) {
      String code = Files.readString(file);
      Matcher javadoc = JAVADOC.matcher(code);
      while (javadoc.find()) {
        String text = BORDER.matcher(javadoc.group(1)).replaceAll(" ");
        words += SPACE.splitAsStream(text).filter(word -> !word.isEmpty()).count();
        pronouns += PRONOUN.matcher(text).results().count();
        if (LEANING.matcher(text).lookingAt()) {
          long line = code.substring(0, javadoc.start()).lines().count();
          leaning.add(RepositoryFiles.ROOT.relativize(file) + ":" + line + ":" + text);
        }
      }
    }
    assertThat(leaning).isEmpty();
    assertThat(words).isGreaterThan(100_000);
    assertThat(1000.0 * pronouns / words).as("pronouns for 1 000 words").isLessThan(MOST_PRONOUNS);
  }

  @Test
  void noTextOfTheGatewayHasAPronoun() throws IOException {
    List<String> found = new ArrayList<>();
    for (String module : MODULES) {
      for (Path file : RepositoryFiles.endingIn(".java")) {
        if (file.startsWith(RepositoryFiles.ROOT.resolve(module).resolve("src/main"))) {
          Matcher literal = LITERAL.matcher(Files.readString(file));
          while (literal.find()) {
            if (PRONOUN.matcher(literal.group()).find()) {
              found.add(RepositoryFiles.ROOT.relativize(file) + ": " + literal.group());
            }
          }
        }
      }
    }
    assertThat(found).isEmpty();
  }
}
