package io.rmigate.client.pac;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Regular expressions mean what they mean in JavaScript. */
class RegularExpressionTest {

  private static List<Object> match(String body, String flags, String text) throws PacException {
    return RegularExpression.of(body, flags).match(text, new Budget("proxy.pac", new PacBed()), 1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      quoteCharacter = '`',
      nullValues = "none",
      value = {
        "abc in xabcx => abc",
        "a|ab|c in ab => a",
        "^(?:a|ab)$ in ab => ab",
        "a*b+c? in aaabb => aaabb",
        "a*? in aaa => ``",
        "a+?b in aab => aab",
        "(a*)* in b => ,undefined",
        "(a*)+$ in aa => aa,aa",
        "(a|b)*c in abac => abac,a",
        "(z)?a in a => a,undefined",
        "a{2} in aaa => aa",
        "a{2,} in aaaa => aaaa",
        "a{1,2}$ in aaa => aa",
        "a{,2} in a{,2} => a{,2}",
        "x{ in x{ => x{",
        "[a-c]+ in xabcd => abc",
        "[^a-c]+ in abxyc => xy",
        "[]a] in a => none",
        "[^] in a => a",
        "[\\w-]+ in .a-1_. => a-1_",
        "[^\\d\\s]+ in 1 ab2 => ab",
        "[\\D]+ in 12ab3 => ab",
        "[a\\]]+ in x]a => ]a",
        "\\bgw\\B\\d in a gw1 => gw1",
        "\\d+\\.\\w+ in v10.a_b => 10.a_b",
        "\\x41\\u0042 in AB => AB",
        "(.)\\1 in abb => bb,b",
        "a(?=b) in acab => a",
        "a(?!b). in abac => ac",
        "(?=(a+))a*b\\1 in baaabac => aba,a",
        "^$ in a => none",
        "(?:(?:a){3}){2} in aaaaaaa => aaaaaa",
        "^(?=.*\\.)(www\\.)?(.+)$ in www.x => www.x,www.,x",
      })
  void matches(String rule, String groups) throws Exception {
    String[] parts = rule.split(" in ", 2);

    List<Object> found = match(parts[0], "", parts[1]);

    if (groups == null) {
      assertThat(found).isEmpty();
    } else {
      assertThat(found.stream().map(String::valueOf).reduce((a, b) -> a + "," + b).orElseThrow())
          .isEqualTo(groups);
    }
  }

  @ParameterizedTest
  @CsvSource({"gW, Gw", "[a-z]+, ABC", "[^A]b, xB", "(a)\\1, aA"})
  void caseIsIgnoredWhereThatIsAskedFor(String body, String text) throws Exception {
    assertThat(match(body, "i", text)).isNotEmpty();
    assertThat(match("^" + body + "$", "", text)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      value = {
        "( => Unclosed group",
        ") => Unmatched closing ')'",
        "[a => Unclosed character class",
        "[b-a] => a range of characters does not go upwards",
        "*a => there is nothing to repeat",
        "a** => there is nothing to repeat",
        "a{3,2} => a repetition from 3 to 2",
        "a{1001} => numbers are understood up to 1000",
        "a{99999999999} => numbers are understood up to 1000",
        "(?<=a) => is understood with : = and ! only",
        "(a)\\2 => there is no group 2",
        "a\\ => it ends with a backslash",
      })
  void whatIsNotUnderstoodIsRefused(String body, String saying) {
    assertThatThrownBy(() -> RegularExpression.of(body, ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("regular expression: ")
        .hasMessageContaining(saying);
  }

  @Test
  void longTextsNeedNoStack() throws Exception {
    assertThat(match("(?:a|b)*c", "", "ab".repeat(20_000) + "c")).hasSize(1);
  }
}
