package io.rmigate.client.pac;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The language of PAC files: what is understood, what is refused, and within which bounds. */
class PacScriptTest {
  private final PacBed bed = new PacBed();

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      quoteCharacter = '`',
      value = {
        "1 + 2 * 3 => 7",
        "(1 + 2) * 3 => 9",
        "'a' + 1 + 2 => a12",
        "7 % 4 - 1 => 2",
        "1 / 4 => 0.25",
        "1 / 0 => Infinity",
        "-'3' + 1 => -2",
        "'10' == 10 => true",
        "'10' === 10 => false",
        "null == undefined => true",
        "null === undefined => false",
        "null == 0 => false",
        "'' == 0 => true",
        "'a' < 'b' => true",
        "'10' < '9' => true",
        "'10' < 9 => false",
        "2 >= 2 && 1 != 2 => true",
        "'' || 'x' => x",
        "0 && boom() => 0",
        "1 || boom() => 1",
        "!'' && !0 && !null && !undefined => true",
        "'0' ? 'yes' : 'no' => yes",
        "1 ? 2 ? 'a' : 'b' : 'c' => a",
        "typeof unnamed => undefined",
        "typeof isInNet => function",
        "typeof 'a' + typeof 1 + typeof true + typeof [] => stringnumberbooleanobject",
        "5 & 3 => 1",
        "(5 ^ 3) + (5 << 1) + (~5) + (-1 >>> 28) + (-8 >> 1) => 21",
        "0x1F + 1.5 => 32.5",
        "'a\\x41\\u0042\\'\\\"' => aAB'\"",
        "[1, 2, 3][1] => 2",
        "[1, 'a',].length => 2",
        "[1, [2, 3]] + '' => 1,2,3",
        "{a: 1, 'b c': 2}['b c'] => 2",
        "{a: {b: 5}}.a.b => 5",
        "'x' in {x: 1} => true",
        "{x: 1}.hasOwnProperty('y') => false",
        "'HoSt'.toLowerCase().toUpperCase() => HOST",
        "'a.b.c'.indexOf('.', 2) + 'a.b.c'.lastIndexOf('.') => 6",
        "'abcdef'.substring(4, 1) + 'abcdef'.substr(-2, 1) + 'abcdef'.slice(1, -3) => bcdebc",
        "'abc'.charAt(1) + 'abc'[2] + 'abc'.charAt(9) => bc",
        "'abc'.charCodeAt(1) => 98",
        "'a b'.split(' ').join('-') => a-b",
        "'abc'.startsWith('ab') && 'abc'.endsWith('bc') && 'abc'.includes('b') => true",
        "'a.b'.replace('.', '-') => a-b",
        "'  a '.trim() + '.' => a.",
        "/^(10|192\\.168)\\.[0-9.]+$/.test('192.168.1.1') => true",
        "/^A[&&[]b$/i.test('a[B') => true",
        "'gw12'.match(/([a-z]+)(\\d+)/)[2] => 12",
        "'gw'.match(/\\d/) => null",
        "'gw12'.search(/\\d/) => 2",
        "new RegExp('^G', 'i').test('gw') => true",
        "[1, 2].indexOf(2) + [3].concat([4, 5]).length => 4",
        "url + host => https://gw.example/gw.example",
      })
  void expressions(String expression, String value) throws Exception {
    assertThat(bed.value(expression)).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      value = {
        "var a = 1, b; a += 2; b = a; return b => 3",
        "if (false) return 1; else if (true) { return 2 } else return 3 => 2",
        "for (var i = 0, s = ''; i < 3; i++) { if (i == 1) continue; s += i } return s => 02",
        "var s = 0; while (true) { if (++s > 4) break } return s => 5",
        "var s = 0; do { s++ } while (s < 3); return s => 3",
        "var s = ''; for (var k in {a: 1, b: 2}) s += k; return s => ab",
        "var s = ''; for (var k in ['x', 'y']) s += k; return s => 01",
        "var s = ''; for (const k of ['x', 'y']) s += k; return s => xy",
        "switch (host) { case 'a': return 1; case 'gw': case 'b': return 2; default: return 3 } => 2",
        "switch (host) { default: return 3; case 'a': return 1 } => 3",
        "var s = ''; switch (2) { case 2: s += 2; case 3: s += 3; break; case 4: s += 4 } return s => 23",
        "var a = []; a[2] = 'c'; a.push('d'); return a => ,,c,d",
        "var o = {}; o.x = 1; o['y'] = 2; return o.x + o.y => 3",
        "implicit = 5; return implicit => 5",
        "var late = typeof early; var early = 1; return late => undefined",
        "return helper(4) => 24",
        "return table[1] + counter++ + counter => b12",
        "return; 'x' => DIRECT",
        "return '' => DIRECT",
        "return null => DIRECT",
        ";;{} return 1; => 1",
      })
  void statements(String body, String value) throws Exception {
    String script =
        """
        <!-- as some begin
        function FindProxyForURL(url, host) { %s }
        function helper(n) { return n < 2 ? 1 : n * helper(n - 1) }
        var table = ["a", "b"] // top level, behind the functions
        var counter = 1
        """;

    assertThat(bed.ask(script.formatted(body), "gw")).isEqualTo(value);
  }

  @Test
  void semicolonsMayBeMissingAtTheEndOfALine() throws Exception {
    assertThat(
            bed.ask(
                """
                function FindProxyForURL(url, host)
                {
                  var a = 'x'
                  var b = 'y' /* a comment
                     over two lines */ a = a + b
                  return a
                }
                """,
                "gw"))
        .isEqualTo("xy");
  }

  @Test
  void hundredsOfConditionsAreFlat() throws Exception {
    String links = "|| dnsDomainIs(host, '.no.example')\n".repeat(3000);
    String branches = "else if (host == 'no') return 'PROXY no:1';\n".repeat(3000);

    assertThat(
            bed.ask(
                "function FindProxyForURL(url, host) { if (false "
                    + links
                    + ") return 'PROXY a:1'; "
                    + branches
                    + " else return 'PROXY b:1' }",
                "gw"))
        .isEqualTo("PROXY b:1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      quoteCharacter = '`',
      value = {
        "`try { return 1 } catch (e) { }` => line 3: 'try' is not understood here",
        "`var f = function() { return 1 }` => line 3: 'function' is not understood here",
        "`function inner() { }` => line 3: a function within a function",
        "`return new Date().getHours()` => line 3: new Date is not understood here",
        "`return this.x` => line 3: 'this' is not understood here",
        "`return host =` => line 4: '}' is not understood here",
        "`return (host` => line 4: expected ')', got '}'",
        "`return 1 2` => line 3: expected ';', got '2'",
        "`if host` => line 3: expected '(', got 'host'",
        "`1 = 2` => line 3: what stands before '=' cannot be assigned to",
        "`return 'abc` => line 3: a string does not end",
        "`return /abc` => line 3: a regular expression does not end",
        "`return /(/.test(host)` => line 3: regular expression: Unclosed group",
        "`return /a/m.test(host)` => line 3: a regular expression is understood up to",
        "`/* for ever` => line 3: a comment begins here and does not end",
        "`return @x` => line 3: '@' is not understood here",
        "`return 1e5` => line 3: '1…' is not a number",
        "`return a = > 1` => line 3: '>' is not understood here",
        "`var if = 1` => line 3: expected a name, got 'if'",
        "`return unnamed` => line 3: unnamed is not known here",
        "`return isInNetEx(host)` => line 3: isInNetEx is not known here",
        "`return host()` => line 3: calls something that is not a function",
        "`return host.codePointAt(0)` => line 3: .codePointAt(…) of a string is not known here",
        "`return [].sort()` => line 3: .sort(…) of an array is not known here",
        "`return null.length` => line 3: asks for .length of null",
      })
  void whatIsNotUnderstoodIsNamedWithItsLine(String body, String saying) {
    String script = "// proxies\nfunction FindProxyForURL(url, host) {\n" + body + "\n}\n";

    assertThatThrownBy(() -> bed.ask(script, "gw"))
        .isInstanceOf(PacException.class)
        .hasMessageStartingWith("proxy.pac, ")
        .hasMessageContaining(saying);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "while (true) { }",
        "for (;;) ;",
        "var s = 'a'; while (true) s += s",
        "var a = [1]; while (true) a = a.concat(a)",
        "var a = [1]; while (true) a.push(1)",
        "var a = []; a[0] = a; a[1] = a; return a + ''",
        "var a = []; a[99999] = 1; return a.join('0123456789')",
        "return again(1)",
        "return /^(.*)(.*)(.*)(.*)(.*)(.*)(.*)b$/.test('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')",
        "var s = 'a'; for (i = 0; i < 9; i++) s += s; return /(a|b)*c/.test(s + s)",
        "return shExpMatch('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '*a*a*a*a*a*a*b') + loop()",
        "for (var i = 0; i < 1000; i++) dnsResolve('host' + i)",
        "return /(?:(){2147483647}){2147483647}/.test('')",
        "return /(?:(?:(?:(?:){1000}){1000}){1000}){1000}/.test('')",
        "return /(?:(?:(?:a?){1000}){1000}){1000}/.test('')",
        "return /(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)(|)x/.test('')",
        "var s = 'a'; for (i = 0; i < 16; i++) s += s; for (i = 0; i < 999; i++) dnsDomainIs(s, s)",
        "var s = 'a'; for (i = 0; i < 16; i++) s += s; for (i = 0; i < 999; i++) alert(String(s))",
        "var a = []; a[50000] = 1; for (i = 0; i < 99; i++) a.slice(0)",
        "var a = []; a[90000] = 1; for (i = 0; i < 99; i++) alert(a == 'x')",
      })
  void nothingRunsForEver(String body) {
    String script =
        "function FindProxyForURL(url, host) { "
            + body
            + " }\nfunction again(x) { return again(x) }\nfunction loop() { while (1) {} }";

    assertThatThrownBy(() -> bed.ask(script, "gw"))
        .isInstanceOf(PacException.class)
        .hasMessageContaining("line ");
    assertThat(bed.lookups).hasSizeLessThanOrEqualTo(100);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      quoteCharacter = '`',
      value = {
        "''.concat(s, s) => a text longer than",
        "'x'.replace('x', s + s) => a text longer than",
        "[s, s].join() => a text longer than",
        "a.push(1) => an array of more than",
        "a.concat(1) => an array of more than",
        "a.concat(a) => an array of more than",
      })
  void whatIsTooLargeIsNotMade(String expression, String saying) {
    String script =
        "function FindProxyForURL(url, host) { var s = 'a', a = []; a[99999] = 1;"
            + " for (i = 0; i < 16; i++) s += s; return "
            + expression
            + " }";

    assertThatThrownBy(() -> bed.ask(script, "gw"))
        .isInstanceOf(PacException.class)
        .hasMessageContaining("line 1: makes " + saying);
  }

  @Test
  void theClockIsLookedAtNowAndThen() {
    bed.patience = 3;

    String script = "function FindProxyForURL(url, host) { while (true) { } }";
    assertThatThrownBy(() -> bed.ask(script, "gw"))
        .isInstanceOf(PacException.class)
        .hasMessageContaining("line 1: is still not done, and the time for it is over");
    assertThat(bed.looksAtTheClock).isEqualTo(4);
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      value = {
        "timeRange(a) => a range of times is not understood: ",
        "a[a + s] = 1 => cannot assign to .",
      })
  void whatIsQuotedInMessagesIsCut(String expression, String saying) {
    String script =
        "function FindProxyForURL(url, host) { var a = []; a[0] = a; var s = 'a';"
            + " for (i = 0; i < 16; i++) s += s; return "
            + expression
            + " }";

    assertThatThrownBy(() -> bed.ask(script, "gw"))
        .isInstanceOf(PacException.class)
        .hasMessageContaining(saying)
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(400));
  }

  @ParameterizedTest
  @ValueSource(strings = {"(", "[", "!", "{", "if (1) ", "x ? 1 : ", "f(", "x = "})
  void deepNestingIsRefused(String opening) {
    String script = "function FindProxyForURL(url, host) { " + opening.repeat(100_000) + "1 }";

    assertThatThrownBy(() -> PacScript.parse("proxy.pac", script)).isInstanceOf(PacException.class);
  }

  @Test
  void scriptsAreBounded() {
    assertThatThrownBy(() -> PacScript.parse("proxy.pac", " ".repeat(PacScript.MAX_BYTES + 1)))
        .hasMessage("proxy.pac is longer than 1048576");
    assertThatThrownBy(() -> PacScript.parse("proxy.pac", "var a = 1"))
        .hasMessage("proxy.pac has no function FindProxyForURL(url, host)");
  }

  @Test
  void evaluationsKnowNothingOfEachOther() throws Exception {
    String script =
        "var n = 0; function FindProxyForURL(url, host) { n++; isInNet = 1; return 'N ' + n }";

    assertThat(bed.ask(script, "gw")).isEqualTo("N 1");
    PacScript parsed = PacScript.parse("proxy.pac", script);
    parsed.findProxy("https://gw/", "gw", bed);
    assertThat(parsed.findProxy("https://gw/", "gw", bed))
        .extracting(PacHop::text)
        .containsExactly("N 1");
    assertThat(bed.value("typeof isInNet")).isEqualTo("function");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      value = {
        "PROXY p:3128 => HTTP p 3128",
        "PROXY p => HTTP p 80",
        "proxy p.example:8080; => HTTP p.example 8080",
        "HTTP p:1 => HTTP p 1",
        "HTTPS p:8443 => HTTPS p 8443",
        "HTTPS p => HTTPS p 443",
        "PROXY [fd00::1]:1 => HTTP fd00::1 1",
        "direct => DIRECT  0",
        "SOCKS5 s:1080 => UNUSED  0",
        "PROXY p:99999 => UNUSED  0",
        "PROXY => UNUSED  0",
        "PROXY a:1;HTTPS b:2 ; DIRECT => HTTP a 1, HTTPS b 2, DIRECT  0",
      })
  void answersAreRead(String answer, String hops) {
    assertThat(
            PacHop.parse(answer).stream()
                .map(hop -> hop.kind() + " " + hop.host() + " " + hop.port()))
        .containsExactly(hops.split(", "));
  }

  @Test
  void passwordsThatSomeWriteIntoAnswersAreNotShown() {
    assertThat(PacHop.parse("PROXY ann:s3cret@p:1").get(0).text()).isEqualTo("PROXY …@p:1");
    assertThat(PacHop.parse("PROXY a@b:c@p:1 x@y").get(0).text()).isEqualTo("PROXY …@p:1 …@y");
  }

  @Test
  @Timeout(180) // what looks at each character once for each other one would take hours
  void longAnswersAreReadOnce() {
    String word = "a".repeat(5_000_000);

    assertThat(PacHop.parse("PROXY " + word + "; DIRECT"))
        .extracting(PacHop::kind)
        .containsExactly(PacHop.Kind.HTTP, PacHop.Kind.DIRECT);
  }
}
