package io.rmigate.perf.box;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each box in front of a server that notes the heads of requests and returns their bodies. */
class BoxTest {
  private static final String LOGIN = "anna:secret";
  private static final String BASIC = "Basic YW5uYTpzZWNyZXQ=";

  private final BlockingQueue<HttpHead> heads = new LinkedBlockingQueue<>();
  private Listener server;

  @BeforeEach
  void start() throws Exception {
    server = new Listener("echo", loopback(0), this::echo);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void echo(Listener.Connection connection) throws IOException {
    InputStream in = new BufferedInputStream(connection.client().getInputStream());
    for (Optional<HttpHead> head = HttpHead.read(in); head.isPresent(); head = HttpHead.read(in)) {
      heads.add(head.get());
      byte[] body = HttpBody.ofRequest(head.get(), in);
      new HttpHead("HTTP/1.1 200 OK", List.of())
          .withLength(body.length)
          .write(connection.client().getOutputStream());
      connection.client().getOutputStream().write(body);
    }
  }

  private static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  private static Socket connect(int port) throws Exception {
    Socket socket = new Socket();
    socket.connect(loopback(port), 5_000);
    return socket;
  }

  private static void send(Socket socket, String text) throws Exception {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  @Test
  void interceptorDropsAnUpgradeAndUnchunksABody() throws Exception {
    try (Interceptor box = new Interceptor(loopback(0), loopback(server.port()), false);
        Socket client = connect(box.port())) {
      InputStream in = new BufferedInputStream(client.getInputStream());
      send(
          client,
          "GET /x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
      assertThat(HttpHead.read(in).orElseThrow().status()).isEqualTo(200);
      assertThat(heads.take().fields()).containsExactly("Host: a");

      send(
          client,
          "POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
      HttpHead answer = HttpHead.read(in).orElseThrow();
      assertThat(
              new String(
                  HttpBody.ofAnswer(answer, "POST", in).orElseThrow(), StandardCharsets.US_ASCII))
          .isEqualTo("abcde");
      assertThat(heads.take().field("content-length")).contains("5");
    }
  }

  @Test
  void interceptorThatClosesEachDoesSoBehindAnAnswer() throws Exception {
    try (Interceptor box = new Interceptor(loopback(0), loopback(server.port()), true);
        Socket client = connect(box.port())) {
      send(client, "POST /x HTTP/1.1\r\nContent-Length: 1\r\n\r\na");
      String all = new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertThat(all)
          .startsWith("HTTP/1.1 200 OK\r\n")
          .contains("Connection: close")
          .endsWith("\r\n\r\na");
    }
  }

  @Test
  void proxyForwardsAndTunnelsForWhoHasTheLogin() throws Exception {
    try (ForwardProxy proxy = new ForwardProxy(loopback(0), Optional.of(LOGIN));
        Socket client = connect(proxy.port())) {
      InputStream in = new BufferedInputStream(client.getInputStream());
      String url = "http://gateway.example:" + server.port() + "/p?q=1";
      send(client, "POST " + url + " HTTP/1.1\r\nContent-Length: 2\r\n\r\nhi");
      assertThat(HttpHead.read(in).orElseThrow().status()).isEqualTo(407);
      assertThat(heads).isEmpty();

      send(
          client,
          "POST "
              + url
              + " HTTP/1.1\r\nProxy-Authorization: "
              + BASIC
              + "\r\nContent-Length: 2\r\n\r\nhi");
      HttpHead answer = HttpHead.read(in).orElseThrow();
      assertThat(answer.status()).isEqualTo(200);
      HttpBody.ofAnswer(answer, "POST", in);
      HttpHead seen = heads.take();
      assertThat(seen.start()).isEqualTo("POST /p?q=1 HTTP/1.1");
      assertThat(seen.field("proxy-authorization")).isEmpty();
    }
    try (ForwardProxy proxy = new ForwardProxy(loopback(0), Optional.of(LOGIN));
        Socket client = connect(proxy.port())) {
      InputStream in = new BufferedInputStream(client.getInputStream());
      send(
          client,
          "CONNECT inside.example:"
              + server.port()
              + " HTTP/1.1\r\nProxy-Authorization: "
              + BASIC
              + "\r\n\r\n");
      assertThat(HttpHead.read(in).orElseThrow().status()).isEqualTo(200);
      send(client, "GET /within HTTP/1.1\r\n\r\n");
      assertThat(HttpHead.read(in).orElseThrow().status()).isEqualTo(200);
      assertThat(heads.take().start()).isEqualTo("GET /within HTTP/1.1");
    }
  }

  @Test
  void idleCutEndsWhatIsSilentAndNothingElse() throws Exception {
    try (IdleCut box = new IdleCut(loopback(0), loopback(server.port()), Duration.ofSeconds(1));
        Socket client = connect(box.port())) {
      InputStream in = new BufferedInputStream(client.getInputStream());
      send(client, "GET /x HTTP/1.1\r\n\r\n");
      assertThat(HttpHead.read(in).orElseThrow().status()).isEqualTo(200);
      assertThat(in.read()).as("the end, after the silence").isEqualTo(-1);
    }
  }

  @Test
  void silentPortAnswersNobody() throws Exception {
    try (SilentPort box = new SilentPort(loopback(0));
        Socket client = new Socket()) {
      assertThatThrownBy(() -> client.connect(loopback(box.port()), 300))
          .isInstanceOf(SocketTimeoutException.class);
    }
  }
}
