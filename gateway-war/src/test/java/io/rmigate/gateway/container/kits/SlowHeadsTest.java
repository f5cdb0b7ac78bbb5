package io.rmigate.gateway.container.kits;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What bounds heads of requests that trickle, where it is not the stand-alone gateway. */
class SlowHeadsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tomcat/README.md | connectionTimeout=\"10000\"             | tomcat/server.xml",
        "tomcat/README.md | maxHttpRequestHeaderSize=\"8192\"       | tomcat/server.xml",
        "jetty/README.md  | jetty.ssl.idleTimeout=60000             | jetty/rmigate.ini",
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
}
