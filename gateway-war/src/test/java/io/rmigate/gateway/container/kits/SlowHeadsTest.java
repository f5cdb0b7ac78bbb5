package io.rmigate.gateway.container.kits;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings that end requests which come slowly, where it is not the stand-alone gateway. */
class SlowHeadsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tomcat/README.md | connectionTimeout=\"10000\"             | tomcat/server.xml",
        "tomcat/README.md | maxHttpRequestHeaderSize=\"8192\"       | tomcat/server.xml",
        "jetty/README.md  | jetty.ssl.idleTimeout=30000             | jetty/rmigate.ini",
        "httpd/README.md  | RequestReadTimeout handshake=30 header=30 body=30,MinRate=200 |"
            + " httpd/rmigate.conf",
        "jetty/README.md  | jetty.httpConfig.requestHeaderSize=8192 | jetty/rmigate.ini",
        "jetty/README.md  | jetty.networkConnectionLimit.maxNetworkConnectionCount=20000 |"
            + " jetty/rmigate.ini",
        "tomcat/README.md | timeout http-request                    | haproxy/rmigate.cfg",
        "tomcat/README.md | client_header_timeout                   | nginx/rmigate.conf",
        "tomcat/README.md | request_headers_timeout                 | envoy/envoy.yaml"
      })
  void whatAReadmeSaysOfSlowHeadsIsSetInItsKit(String readme, String setting, String file)
      throws Exception {
    assertThat(Files.readString(KitFile.path(readme))).contains("`" + setting + "`");
    assertThat(Files.readString(KitFile.path(file)).lines())
        .anyMatch(line -> line.contains(setting) && !line.strip().startsWith("#"));
  }

  /** The table of what each kit does. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "connectionTimeout       | connectionTimeout=\"10000\"  | tomcat/server.xml",
        "jetty.ssl.idleTimeout   | jetty.ssl.idleTimeout=30000  | jetty/rmigate.ini",
        "client_header_timeout   | client_header_timeout 10s;   | nginx/rmigate.conf",
        "client_body_timeout     | client_body_timeout   30s;   | nginx/rmigate.conf",
        "timeout http-request    | timeout http-request    10s  | haproxy/rmigate.cfg",
        "mod_reqtimeout          | header=30 body=30,MinRate=200 | httpd/rmigate.conf",
        "request_headers_timeout | request_headers_timeout: 10s | envoy/envoy.yaml",
        "readTimeout             | readTimeout: 10m             | traefik/traefik.yaml"
      })
  void theTableOfTheKitsSaysWhatIsSet(String setting, String line, String file) throws Exception {
    assertThat(Files.readString(KitFile.path("README.md"))).contains("`" + setting + "`");
    assertThat(Files.readString(KitFile.path(file)).lines())
        .anyMatch(each -> each.contains(line) && !each.strip().startsWith("#"));
  }
}
