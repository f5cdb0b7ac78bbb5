package io.rmigate.client.pac;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.ZoneId;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the functions of PAC files answer. */
class PacFunctionsTest {
  private final PacBed bed = new PacBed().name("gw", "10.1.2.3").name("six", "fd00::1");

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      value = {
        "isPlainHostName('www') => true",
        "isPlainHostName('www.netscape.com') => false",
        "isPlainHostName('::1') => false",
        "dnsDomainIs('www.netscape.com', '.netscape.com') => true",
        "dnsDomainIs('www', '.netscape.com') => false",
        "localHostOrDomainIs('www.netscape.com', 'www.netscape.com') => true",
        "localHostOrDomainIs('www', 'www.netscape.com') => true",
        "localHostOrDomainIs('www.mcom.com', 'www.netscape.com') => false",
        "localHostOrDomainIs('ww', 'www.netscape.com') => false",
        "isResolvable('gw') => true",
        "isResolvable('unknown') => false",
        "isResolvable('10.0.0.1') => true",
        "dnsResolve('gw') => 10.1.2.3",
        "dnsResolve('unknown') => null",
        "dnsResolve('six') => fd00:0:0:0:0:0:0:1",
        "isInNet('gw', '10.1.0.0', '255.255.0.0') => true",
        "isInNet('gw', '10.2.0.0', '255.255.0.0') => false",
        "isInNet('198.95.249.79', '198.95.249.79', '255.255.255.255') => true",
        "isInNet('198.95.6.8', '198.95.0.0', '255.255.0.0') => true",
        "isInNet('unknown', '0.0.0.0', '0.0.0.0') => false",
        "isInNet('six', '0.0.0.0', '0.0.0.0') => false",
        "isInNet(null, '10.0.0.0', '255.0.0.0') => false",
        "isInNet('10.0.0.1', '', '') => false",
        "myIpAddress() => 10.20.30.40",
        "dnsDomainLevels('www') => 0",
        "dnsDomainLevels('www.netscape.com') => 2",
        "shExpMatch('http://home/people/ari/index.html', '*/ari/*') => true",
        "shExpMatch('http://home/people/montulli/index.html', '*/ari/*') => false",
        "shExpMatch('a.example', '?.example') => true",
        "shExpMatch('axexample', 'a.example') => false",
        "shExpMatch('gw.corp.example', '*.example*') => true",
        "shExpMatch('', '*') => true",
        "shExpMatch('ab', 'a') => false",
        "shExpMatch('b.example', '(*.example|example)') => true",
        "shExpMatch('example', '(*.example|example)') => true",
        "shExpMatch('bexample', '(*.example|example)') => false",
        "parseInt('12px') => 12",
        "alert('x') => undefined",
      })
  void answers(String expression, String value) throws Exception {
    assertThat(bed.value(expression)).isEqualTo(value);
  }

  /** Now is Wednesday, 18 March 2026, 14:30:20, an hour before universal time. */
  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      value = {
        "weekdayRange('MON', 'FRI') => true",
        "weekdayRange('MON', 'FRI', 'GMT') => true",
        "weekdayRange('WED') => true",
        "weekdayRange('SAT') => false",
        "weekdayRange('FRI', 'MON') => false",
        "weekdayRange('SAT', 'WED') => true",
        "dateRange(18) => true",
        "dateRange(1) => false",
        "dateRange(1, 17) => false",
        "dateRange(1, 18) => true",
        "dateRange(18, 'MAR') => true",
        "dateRange(24, 'DEC') => false",
        "dateRange(18, 'MAR', 2026) => true",
        "dateRange(18, 'MAR', 1995) => false",
        "dateRange('JAN', 'MAR') => true",
        "dateRange('NOV', 'FEB') => false",
        "dateRange('NOV', 'MAR') => true",
        "dateRange(19, 'MAR', 15, 'AUG') => false",
        "dateRange(1, 'FEB', 18, 'MAR') => true",
        "dateRange(1, 'JUN', 1995, 15, 'AUG', 2026) => true",
        "dateRange(1, 'JUN', 1995, 15, 'FEB', 2026) => false",
        "dateRange('OCT', 1995, 'MAR', 2026) => true",
        "dateRange(2026) => true",
        "dateRange(1995, 1997) => false",
        "dateRange(1995, 2030, 'GMT') => true",
        "timeRange(14) => true",
        "timeRange(13) => false",
        "timeRange(13, 'GMT') => true",
        "timeRange(9, 17) => true",
        "timeRange(17, 9) => false",
        "timeRange(13, 14) => true",
        "timeRange(20, 14) => true",
        "timeRange(8, 30, 14, 29) => false",
        "timeRange(8, 30, 14, 30) => true",
        "timeRange(14, 30, 20, 14, 30, 20) => true",
        "timeRange(14, 30, 21, 17, 0, 0) => false",
      })
  void calendar(String expression, String value) throws Exception {
    assertThat(bed.value(expression)).isEqualTo(value);
  }

  @Test
  void universalTimeMayBeAnotherDay() throws Exception {
    bed.now(ZonedDateTime.of(2026, 1, 1, 0, 30, 0, 0, ZoneId.of("+01:00")));

    assertThat(bed.value("dateRange(2025, 'GMT')")).isEqualTo("true");
    assertThat(bed.value("weekdayRange('WED', 'GMT')")).isEqualTo("true");
    assertThat(bed.value("weekdayRange('THU')")).isEqualTo("true");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      value = {
        "weekdayRange('Monday')",
        "weekdayRange()",
        "dateRange(1, 2, 3)",
        "dateRange('JAN', 5, 'x')",
        "timeRange(1, 2, 3)",
        "timeRange(60)",
      })
  void timesThatAreNotUnderstoodAreRefused(String expression) {
    assertThatThrownBy(() -> bed.value(expression))
        .isInstanceOf(PacException.class)
        .hasMessageContaining("proxy.pac, line 1: a range of times is not understood");
  }

  @Test
  void addressesAreNotLookedUp() throws Exception {
    bed.value("isInNet('10.1.2.3', '10.0.0.0', '255.0.0.0') + dnsResolve('fd00::1')");
    bed.value("isInNet('300.1.1.1', '300.0.0.0', '255.0.0.0') + dnsResolve('1.2.3.256')");
    bed.value("isResolvable('1:2') + isInNet('10.0.0.1', '10.0.0.0', '999.0.0.0')");

    assertThat(bed.lookups).isEmpty();
  }

  @Test
  void theOwnAddressIsAskedForOnce() throws Exception {
    bed.value("myIpAddress() + myIpAddress() + myIpAddress()");

    assertThat(bed.ownAddresses).isEqualTo(1);
  }
}
