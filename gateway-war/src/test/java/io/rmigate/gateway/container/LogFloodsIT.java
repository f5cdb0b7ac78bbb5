package io.rmigate.gateway.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.GatewayKind;
import io.rmigate.gateway.testing.GatewaySetup;
import io.rmigate.gateway.testing.GatewayUnderTest;
import io.rmigate.gateway.testing.Handshake;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import java.io.IOException;
import java.net.SocketException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Odd requests write little into the log, whether gateway or container writes it (THREATS T56). */
@ExtendWith(LeftoverCheck.class)
class LogFloodsIT {
  private static final int REQUESTS_OF_A_KIND = 150;
  private static final String LONG = "A".repeat(7_000);

  /** Of all kinds together, whose requests would otherwise have a line each. */
  private static final int MOST_LINES = 200;

  private static final int MOST_CHARS = 100_000;

  @ParameterizedTest
  @MethodSource("io.rmigate.gateway.testing.GatewayKind#kindsOfThisTier")
  void oddRequestsFillNoLog(GatewayKind kind) throws Exception {
    Path directory = WorkDirectory.empty(BuiltArtefacts.workDirectory(getClass()));
    try (GatewayUnderTest gateway =
        kind.start(
            new GatewaySetup(
                Files.createDirectories(directory.resolve(kind.name().toLowerCase(Locale.ROOT))),
                Optional.empty(),
                InsideHosts.ofAllTests(),
                List.of(InsideHosts.INSIDE + ":*"),
                List.of("-Xmx128m")))) {
      int before = gateway.jvm().output().size();
      for (String request : oddRequests(gateway.uri())) {
        for (int i = 0; i < REQUESTS_OF_A_KIND; i++) {
          assertRefused(gateway.uri(), request);
        }
      }
      List<String> written = gateway.jvm().output().subList(before, gateway.jvm().output().size());
      int chars = written.stream().mapToInt(String::length).sum();
      System.out.printf(
          "%s: %d lines of %d characters for %d odd requests%n",
          kind, written.size(), chars, oddRequests(gateway.uri()).size() * REQUESTS_OF_A_KIND);
      assertThat(written).as("lines").hasSizeLessThan(MOST_LINES);
      assertThat(chars).as("characters of %s", written).isLessThan(MOST_CHARS);
      assertThat(Handshake.ask(gateway.uri(), "").get(0)).startsWith("HTTP/1.1 101");
    }
  }

  private static List<String> oddRequests(URI gateway) {
    String good = Handshake.request(gateway, "");
    String host = "Host: gw.example\r\n";
    return List.of(
        "CONNECT /" + LONG + " HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /rmigate/health HTTP/1.1\r\nHost: [" + LONG + "\r\n\r\n",
        "GET /rmigate/health HTTP/1.1\r\n" + host + "Host: " + LONG + "\r\n\r\n",
        "GET /" + LONG + LONG + LONG + " HTTP/1.1\r\n" + host + "\r\n",
        "GET /rmigate/health?a=%zz&b=%ff HTTP/1.1\r\n" + host + "Cookie: =;=\u0001\r\n\r\n",
        good.replace("Version: 13", "Version: 12"),
        good.replace("dGhlIHNhbXBsZSBub25jZQ==", LONG),
        good.replace("HTTP/1.1", "HTTP/1.0"),
        "POST /rmigate/tunnel HTTP/1.1\r\n"
            + host
            + "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n");
  }

  /** No answer has to come to a request whose end is not read. */
  private static void assertRefused(URI gateway, String request) throws IOException {
    try {
      List<String> head = Handshake.send(gateway, request);
      assertThat(head.isEmpty() ? "closed" : head.get(0)).doesNotContain(" 101 ", " 500 ");
    } catch (SocketException closed) {
      assertThat(request).as("reset").contains(LONG);
    }
  }
}
