package io.rmigate.client.pac;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole files in the manners in which they are written: by hand, by vendors, by generators. */
class PacSamplesTest {
  private final PacBed bed =
      new PacBed()
          .name("intra.corp.example", "10.4.5.6")
          .name("gw.partner.example", "203.0.113.9")
          .name("trust.vendor.example", "198.51.100.7");

  /** By hand: exceptions first, networks by address, a proxy for each site, then two for all. */
  private static final String COMPANY =
      """
      // Proxies of the company. Ask the network team before you change this!
      function FindProxyForURL (url, host)
      {
          host = host.toLowerCase();

          /* what needs no proxy */
          if (isPlainHostName(host) || dnsDomainIs(host, ".corp.example")
              || shExpMatch(host, "(*.local|localhost)"))
              return "DIRECT";

          var resolved_ip = dnsResolve(host);
          if (isInNet(resolved_ip, "10.0.0.0", "255.0.0.0") ||
              isInNet(resolved_ip, "172.16.0.0",  "255.240.0.0") ||
              isInNet(resolved_ip, "192.168.0.0", "255.255.0.0"))
              return "DIRECT";

          if (url.substring(0, 4) == "ftp:" || url.substring(0, 6) == "rtmp:/")
              return "PROXY ftp.corp.example:2121";

          if (isInNet(myIpAddress(), "10.20.0.0", "255.255.0.0"))
          {
              return "PROXY proxy-b.corp.example:8080; PROXY proxy-a.corp.example:8080";
          }
          else
              return "PROXY proxy-a.corp.example:8080; DIRECT";
      }
      """;

  /** By a vendor of filters: private addresses by regular expression, own hosts by list. */
  private static final String VENDOR =
      """
      function FindProxyForURL(url, host) {
        var privateIP = /^(0|10|127|192\\.168|172\\.1[6789]|172\\.2[0-9]|172\\.3[01]|169\\.254)\\.[0-9.]+$/;
        var resolved = dnsResolve(host);
        if (isPlainHostName(host) || privateIP.test(resolved)) return "DIRECT";
        if (((localHostOrDomainIs(host, "trust.vendor.example")) || (localHostOrDomainIs(host, "trust"))) &&
            (url.substring(0,5) == "http:" || url.substring(0,6) == "https:")) return "DIRECT";
        if (weekdayRange("MON", "FRI", "GMT") && timeRange(6, 22, "GMT"))
          return "HTTPS near.vendor.example:9443; PROXY far.vendor.example:9400; DIRECT";
        return "PROXY far.vendor.example:9400; DIRECT";
      }
      """;

  /** By a generator: tables first, a loop over the labels of the name. */
  private static final String GENERATED =
      """
      var direct = "DIRECT";
      var proxy = "PROXY p1:3128; SOCKS5 s:1080; " + direct;
      var domains = {
        "partner.example": 1,
        'example.net': 1,
      };
      var patterns = ["gw-?.cloud.example", "*.eu-*.cloud.example"];

      function matchesPattern(host) {
        for (var i = 0; i < patterns.length; i++) {
          if (shExpMatch(host, patterns[i])) { return true; }
        }
        return false;
      }

      function FindProxyForURL(url, host) {
        var suffix;
        var pos = host.lastIndexOf('.');
        if (matchesPattern(host)) return proxy;
        while (1) {
          pos = host.lastIndexOf('.', pos - 1);
          suffix = host.substring(pos + 1);
          if (domains.hasOwnProperty(suffix)) return proxy;
          if (pos <= 0) break;
        }
        return direct;
      }
      """;

  /** Spreads the load over proxies by the name of the host. */
  private static final String SPREADING =
      """
      function hash(text) {
        var sum = 0;
        for (var i = 0; i < text.length; ++i)
          sum = (sum * 31 + text.charCodeAt(i)) & 0xffff;
        return sum;
      }
      function FindProxyForURL(url, host) {
        var all = new_list(), n = hash(host) % all.length;
        switch (dnsDomainLevels(host)) {
          case 0: return "DIRECT";
          default: return ["PROXY " + all[n] + ":8080", 'DIRECT'].join("; ");
        }
      }
      function new_list() { return "p0 p1 p2".split(" "); }
      """;

  @ParameterizedTest
  @CsvSource({
    "intranet, DIRECT",
    "GW.Corp.example, DIRECT",
    "printer.local, DIRECT",
    "intra.corp.example, DIRECT",
    "192.168.4.4, DIRECT",
    "gw.partner.example, PROXY proxy-b.corp.example:8080; PROXY proxy-a.corp.example:8080",
    "unnamed.example, PROXY proxy-b.corp.example:8080; PROXY proxy-a.corp.example:8080",
  })
  void byHand(String host, String answer) throws Exception {
    assertThat(bed.ask(COMPANY, host)).isEqualTo(answer);
  }

  @ParameterizedTest
  @CsvSource({
    "intranet, DIRECT",
    "intra.corp.example, DIRECT",
    "trust.vendor.example, DIRECT",
    "gw.partner.example, HTTPS near.vendor.example:9443; PROXY far.vendor.example:9400; DIRECT",
  })
  void byVendor(String host, String answer) throws Exception {
    assertThat(bed.ask(VENDOR, host)).isEqualTo(answer);
  }

  @ParameterizedTest
  @CsvSource({
    "gw.partner.example, PROXY p1:3128; SOCKS5 s:1080; DIRECT",
    "partner.example, PROXY p1:3128; SOCKS5 s:1080; DIRECT",
    "gw-7.cloud.example, PROXY p1:3128; SOCKS5 s:1080; DIRECT",
    "a.eu-west.cloud.example, PROXY p1:3128; SOCKS5 s:1080; DIRECT",
    "gw.example.org, DIRECT",
    "gw, DIRECT",
  })
  void byGenerator(String host, String answer) throws Exception {
    assertThat(bed.ask(GENERATED, host)).isEqualTo(answer);
  }

  @ParameterizedTest
  @CsvSource({
    "gw, DIRECT",
    "gw.example, PROXY p2:8080; DIRECT",
    "gx.example, PROXY p0:8080; DIRECT",
  })
  void spreadingTheLoad(String host, String answer) throws Exception {
    assertThat(bed.ask(SPREADING, host)).isEqualTo(answer);
  }
}
