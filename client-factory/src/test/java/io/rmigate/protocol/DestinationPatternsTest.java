package io.rmigate.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DestinationPatternsTest {

  @ParameterizedTest
  @CsvSource({
    "app.corp.example:1099, app.corp.example, 1099, true",
    "app.corp.example:1099, APP.Corp.Example., 1099, true", // case and the dot of DNS do not count
    "app.corp.example:1099, app.corp.example, 1100, false",
    "app.corp.example:1099, xapp.corp.example, 1099, false",
    "app.corp.example:1099, appXcorp.example, 1099, false", // a dot is a dot
    "*.corp.example:1099, app.corp.example, 1099, true",
    "*.corp.example:1099, a.b.corp.example, 1099, true",
    "*.corp.example:1099, corp.example, 1099, false",
    "10.1.*:1000-2000, 10.1.2.3, 1000, true",
    "10.1.*:1000-2000, 10.1.2.3, 2000, true",
    "10.1.*:1000-2000, 10.1.2.3, 2001, false",
    "10.1.*:1000-2000, 10.11.2.3, 1500, false",
    "10.*:1099, 10.evil.example, 1099, false", // numbers stand for addresses
    "*.1:1099, 10.0.0.1, 1099, true",
    "*.1:1099, evil.example.1, 1099, false",
    "10*.example:1099, 10.corp.example, 1099, true",
    "db*prod:*, db-1.prod, 1, true",
    "db*prod:*, dbprod, 1, true",
    "db*prod:*, dbpro, 1, false",
    "a*a:*, a, 1, false", // what begins it does not end it as well
    "*a*b*:*, xbxaxbx, 1, true",
    "*a*b*:*, xbxax, 1, false",
    "a**b:*, a.b, 1, true",
    "*:*, anything.example, 65535, true",
    "*:*, localhost, 1099, false", // a bare star leaves loopback out
    "*:1099, 127.0.0.1, 1099, false",
    "localhost:*, localhost, 1099, true", // named, it is meant
    "127.*:*, 127.0.1.1, 1099, true",
    "'[fd00::1]:1099', fd00:0:0:0:0:0:0:1, 1099, true",
    "'[fd00::1]:1099', '[FD00::1]', 1099, true",
    "'[fd00::1]:1099', fd00::1%eth0, 1099, true",
    "'[fd00::1]:1099', fd00::2, 1099, false",
    "'[::ffff:10.0.0.1]:1099', 10.0.0.1, 1099, true",
    "*:*, not:an:address:at:all, 1, true",
  })
  void matching(String pattern, String host, int port, boolean expected) {
    assertThat(DestinationPatterns.of(List.of(pattern)).matches(host, port)).isEqualTo(expected);
  }

  @Test
  void anyPatternOfTheListIsEnough() {
    DestinationPatterns patterns = DestinationPatterns.of(List.of("a:1", "b:2"));

    assertThat(patterns.matches("b", 2)).isTrue();
    assertThat(patterns.matches("a", 2)).isFalse();
    assertThat(patterns).hasToString("a:1|b:2");
  }

  @Test
  void noPatternMatchesNothing() {
    assertThat(DestinationPatterns.of(List.of()).matches("a", 1)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "host, write host:* for every port",
    "'[fd00::1]', write [fd00::1]:* for every port",
    ":1099, no port",
    "host:, a port is a number",
    "host:rmi, a port is a number",
    "host:99999, ports are 0-65535",
    "host:2-1, the lower one first",
    "host:1-2-3, a port is a number",
    "fd00::1:1099, in brackets",
    "'[fd00::*]:1', without *",
    "'[host]:1', one whole IPv6 address",
    "'[fd00::zz]:1', one whole IPv6 address",
    "ho st:1, a host is a name",
    "ho/st:1, a host is a name",
  })
  void whatIsNotAPatternIsRefused(String pattern, String saying) {
    assertThatThrownBy(() -> DestinationPatterns.of(List.of(pattern)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + pattern + "'")
        .hasMessageContaining(saying);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "LOCALHOST.",
        "app.localhost",
        "127.0.0.1",
        "127.0.1.1",
        "127.1",
        "::1",
        "[::1]",
        "0:0:0:0:0:0:0:1",
        "::ffff:127.0.0.1",
        "0.0.0.0",
        "::",
        "localhost.localdomain",
        ""
      })
  void loopbackBySpelling(String host) {
    assertThat(DestinationPatterns.isLoopback(host)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"localhost.example", "mylocalhost", "128.0.0.1", "127.example", "::2", "10.0.0.1"})
  void notLoopback(String host) {
    assertThat(DestinationPatterns.isLoopback(host)).isFalse();
  }
}
