package io.rmigate.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.grant.GrantRefusal;
import io.rmigate.gateway.limit.CallLimiter;
import io.rmigate.gateway.policy.rule.Objection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page about troubleshooting has the rules and the messages of the code. */
class TroubleshootingTest {
  private static final Path ROOT = Path.of("..");
  private static final Path PAGE = ROOT.resolve("docs/troubleshooting.md");

  /** A heading that is a message, in which an ellipsis stands for anything. */
  private static final Pattern MESSAGE = Pattern.compile("(?m)^### `(.+)`$");

  /** Two literals that are one text. */
  private static final Pattern SPLIT_LITERAL = Pattern.compile("\"\\s*\\+\\s*\"");

  /** The word of a rule in the code that refuses something by it. */
  private static final Pattern REFUSED_BY =
      Pattern.compile("\\brefuse\\w*\\(\\s*\"([a-z]+(?:-[a-z]+)*)\"");

  @Test
  void eachRuleIsExplained() throws IOException {
    Set<String> rules = new TreeSet<>();
    Stream.of(Objection.Rule.values()).map(Objection.Rule::toString).forEach(rules::add);
    Stream.of(CallLimiter.Bound.values()).map(CallLimiter.Bound::word).forEach(rules::add);
    Stream.of(GrantRefusal.values()).map(GrantRefusal::word).forEach(rules::add);
    Matcher refused = REFUSED_BY.matcher(code());
    while (refused.find()) {
      if (!refused.group(1).startsWith("reply-")) {
        rules.add(refused.group(1));
      }
    }
    String page = Files.readString(PAGE);
    assertThat(rules).hasSizeGreaterThan(25).allMatch(rule -> page.contains("`" + rule + "`"));
  }

  @Test
  void eachMessageStandsInTheCode() throws IOException {
    String code = code();
    Matcher message = MESSAGE.matcher(Files.readString(PAGE));
    int found = 0;
    while (message.find()) {
      for (String part : message.group(1).split("…", -1)) {
        assertThat(code.contains(part.strip())).as(part).isTrue();
      }
      found++;
    }
    assertThat(found).isGreaterThan(30);
  }

  private static String code() throws IOException {
    StringBuilder code = new StringBuilder();
    for (String module : List.of("gateway-war", "client-factory")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
        for (Path file : (Iterable<Path>) files::iterator) {
          if (file.toString().endsWith(".java")) {
            code.append(SPLIT_LITERAL.matcher(Files.readString(file)).replaceAll(""));
          }
        }
      }
    }
    return code.toString();
  }
}
