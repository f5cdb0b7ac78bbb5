package io.rmigate.client.transport.http;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.client.transport.ScriptedWebSocketPeer;
import io.rmigate.client.transport.TransportBed;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers as gateways send them, and as those who stand between may have changed them. */
class HttpConnectionTest {
  private static final int MOST = 100;
  private static final byte[] REQUEST =
      "POST / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  @RegisterExtension final TransportBed bed = new TransportBed();
  private final LongAdder received = new LongAdder();
  private final LongAdder sent = new LongAdder();

  private HttpConnection to(ScriptedWebSocketPeer.Script script) throws Exception {
    ScriptedWebSocketPeer peer = bed.peer(script);
    Socket socket = bed.closing(new Socket(InetAddress.getLoopbackAddress(), peer.port()));
    return new HttpConnection(socket, socket, received, sent);
  }

  private static HttpConnection.Answer ask(HttpConnection connection) throws IOException {
    connection.send(REQUEST);
    return connection.read("gw", MOST, () -> {});
  }

  private static String body(HttpConnection.Answer answer) {
    assertThat(answer.head()).isNull();
    return new String(answer.body(), StandardCharsets.US_ASCII);
  }

  @Test
  void answersFollowEachOther() throws Exception {
    HttpConnection connection =
        to(
            c -> {
              for (String body : new String[] {"one", "", "three"}) {
                c.readRequest();
                c.send("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
              }
            });
    assertThat(body(ask(connection))).isEqualTo("one");
    assertThat(body(ask(connection))).isEmpty();
    assertThat(body(ask(connection))).isEqualTo("three");
    assertThat(connection.isReusable()).isTrue();
    assertThat(sent.sum()).isEqualTo(3L * REQUEST.length);
    assertThat(received.sum()).isEqualTo(3 * 38 + 8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\ncontent-LENGTH:4\r\n\r\nbody",
        "HTTP/1.1 200\r\nX: y\r\nContent-Length: 4\r\n\r\nbody",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nA: b\r\n\r\n"
            + "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;a=b\r\nb\r\n03\r\nody\r\n0\r\nT: x\r\n\r\n",
        "HTTP/1.1 200 OK\nContent-Length: 4\n\nbody",
      })
  void theBodyIsThatWhichWasSentHoweverItComes(String answer) throws Exception {
    HttpConnection connection =
        to(
            c -> {
              c.readRequest();
              c.send(answer);
              c.readRequest();
              for (int i = 0; i < answer.length(); i++) {
                c.send(answer.substring(i, i + 1));
              }
            });
    assertThat(body(ask(connection))).isEqualTo("body");
    assertThat(connection.isReusable()).isTrue();
    assertThat(body(ask(connection))).isEqualTo("body");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbody",
        "HTTP/1.0 200 OK\r\nContent-Length: 4\r\n\r\nbody",
        "HTTP/1.1 200 OK\r\n\r\nbody",
        "HTTP/1.0 200 OK\r\n\r\nbody",
      })
  void aConnectionThatEndsBehindItsAnswerIsNotUsedAgain(String answer) throws Exception {
    HttpConnection connection =
        to(
            c -> {
              c.readRequest();
              c.send(answer);
            });
    assertThat(body(ask(connection))).isEqualTo("body");
    assertThat(connection.isReusable()).isFalse();
  }

  @Test
  void whatIsNoAnswerOfTheGatewaysIsSeenByItsHead() throws Exception {
    HttpConnection connection =
        to(
            c -> {
              c.readRequest();
              c.send("HTTP/1.1 503 Busy\r\nRetry-After: 3\r\nContent-Length: 4\r\n\r\nwait");
            });
    HttpConnection.Answer answer = ask(connection);
    assertThat(answer.head().status()).isEqualTo(503);
    assertThat(answer.head().first("retry-after")).contains("3");
    assertThat(connection.isReusable()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SMTP ready\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nbody\r\n",
      })
  void whatCannotBeAnAnswerIsRefused(String answer) throws Exception {
    HttpConnection connection =
        to(
            c -> {
              c.readRequest();
              c.send(answer);
            });
    assertThatThrownBy(() -> ask(connection))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(EOFException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "HTTP/1.1 200 OK\r\nConte",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nbody",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbo",
      })
  void anAnswerThatBreaksOffIsNone(String answer) throws Exception {
    HttpConnection connection =
        to(
            c -> {
              c.readRequest();
              c.send(answer);
            });
    assertThatThrownBy(() -> ask(connection)).isInstanceOf(EOFException.class);
  }

  @Test
  void whoWaitsForAnAnswerLooksUp() throws Exception {
    CountDownLatch lookedUp = new CountDownLatch(2);
    HttpConnection connection =
        to(
            c -> {
              c.readRequest();
              lookedUp.await();
              c.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
            });
    connection.send(REQUEST);
    assertThat(body(connection.read("gw", MOST, lookedUp::countDown))).isEmpty();
  }

  @Test
  void aConnectionThatWasClosedWhileItRestedIsNoticed() throws Exception {
    CountDownLatch seen = new CountDownLatch(1);
    HttpConnection connection =
        to(
            c -> {
              c.readRequest();
              c.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
              seen.await();
            });
    ask(connection);
    connection.rest();
    assertThat(connection.hasEnded(0)).isFalse();
    seen.countDown();
    await().until(() -> connection.hasEnded(0));
    assertThat(connection.hasEnded(Long.MAX_VALUE)).isFalse(); // the next look is later
  }

  @Test
  void aRequestThatWillNotBeAnsweredIsNoticed() throws Exception {
    CountDownLatch seen = new CountDownLatch(1);
    HttpConnection connection =
        to(
            c -> {
              c.readRequest();
              seen.await();
            });
    connection.send(REQUEST);
    assertThat(connection.hasFailed()).isFalse();
    seen.countDown();
    await().until(connection::hasFailed);
  }

  @Test
  void anAnswerThatWasSeenEarlyIsReadAllTheSame() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    HttpConnection connection =
        to(
            c -> {
              c.readRequest();
              c.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody");
              c.readRequest();
            });
    connection.send(REQUEST);
    await()
        .until(
            () -> {
              assertThat(connection.hasFailed()).isFalse();
              looks.incrementAndGet();
              return received.sum() > 0;
            });
    assertThat(body(connection.read("gw", MOST, () -> {}))).isEqualTo("body");
    assertThat(looks.get()).isPositive();
    connection.send(REQUEST);
  }
}
