package io.rmigate.client.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.rmigate.client.config.ClientConfig;
import io.rmigate.protocol.ProtocolViolationException;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An open WebSocket between real sockets, the server's side scripted. */
@Timeout(30)
class WebSocketTransportTest {
  private final List<AutoCloseable> opened = new ArrayList<>();

  @AfterEach
  void nothingIsLeftOver() throws Exception {
    for (AutoCloseable closeable : opened) {
      closeable.close();
    }
    await()
        .untilAsserted(
            () ->
                assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .noneMatch(
                        name -> name.startsWith("rmigate-") || name.startsWith("scripted-")));
  }

  @Test
  void bytesGoBothWays() throws Exception {
    ScriptedWebSocketPeer peer =
        peer(
            c -> {
              c.upgrade();
              assertThat(c.readFrame()).isEqualTo("82 010203");
              c.sendHex("8202 0405");
              assertThat(c.readFrame()).isEqualTo("88 03e8"); // 1000, normal
              assertThat(c.atEnd()).isTrue();
            });
    WebSocketTransport transport = connect(peer);

    transport.write(new byte[] {0, 1, 2, 3}, 1, 3);
    byte[] read = new byte[10];
    int count = transport.read(read, 4, 6);
    transport.close();

    assertThat(count).isEqualTo(2);
    assertThat(read).startsWith(0, 0, 0, 0, 4, 5);
    assertThat(transport.bytesReceived()).isEqualTo(4);
    peer.awaitEnd();
    assertThat(transport.bytesSent()).isEqualTo(6 + 3 + 6 + 2);
  }

  @Test
  void pingIsAnsweredWhileReading() throws Exception {
    ScriptedWebSocketPeer peer =
        peer(
            c -> {
              c.upgrade();
              c.sendHex("0201 07 8903 0a0b0c"); // in the middle of a message
              assertThat(c.readFrame()).isEqualTo("8a 0a0b0c");
              c.sendHex("8001 08");
            });
    WebSocketTransport transport = connect(peer);

    assertThat(readExactly(transport, 2)).containsExactly(7, 8);
    peer.awaitEnd();
  }

  @Test
  void gatewaysCloseIsAnsweredAndEndsTheStream() throws Exception {
    ScriptedWebSocketPeer peer =
        peer(
            c -> {
              c.upgrade();
              c.sendHex("8805 03e9 627965"); // 1001 bye
              assertThat(c.readFrame()).isEqualTo("88 03e9");
              assertThat(c.atEnd()).isTrue();
            });
    WebSocketTransport transport = connect(peer);

    assertThat(transport.closeReason()).isEmpty();
    assertThat(transport.read(new byte[1], 0, 1)).isEqualTo(-1);
    assertThat(transport.read(new byte[1], 0, 1)).isEqualTo(-1);
    assertThat(transport.closeReason()).contains(new CloseReason(1001, "bye"));
    assertThatThrownBy(() -> transport.write(new byte[1], 0, 1))
        .isInstanceOf(SocketException.class)
        .hasMessageContaining("1001 bye");
    transport.close();
    peer.awaitEnd();
  }

  @Test
  void violationIsAnsweredWith1002() throws Exception {
    ScriptedWebSocketPeer peer =
        peer(
            c -> {
              c.upgrade();
              c.sendHex("8101 41"); // text
              assertThat(c.readFrame()).isEqualTo("88 03ea");
              assertThat(c.atEnd()).isTrue();
            });
    WebSocketTransport transport = connect(peer);

    assertThatThrownBy(() -> transport.read(new byte[1], 0, 1))
        .isInstanceOf(ProtocolViolationException.class);
    peer.awaitEnd();
  }

  @Test
  void lostConnectionIsNotAnOrderlyEnd() throws Exception {
    ScriptedWebSocketPeer peer = peer(c -> c.upgrade());
    WebSocketTransport transport = connect(peer);

    assertThatThrownBy(() -> transport.read(new byte[1], 0, 1)).isInstanceOf(EOFException.class);
  }

  @Test
  void closeWakesAReader() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    ScriptedWebSocketPeer peer =
        peer(
            c -> {
              c.upgrade();
              end.await(10, TimeUnit.SECONDS);
            });
    WebSocketTransport transport = connect(peer);
    CompletableFuture<Throwable> failure = failureOf(() -> transport.read(new byte[1], 0, 1));
    awaitBlocked(failure, "read");

    transport.close();

    assertThat(failure.get(5, TimeUnit.SECONDS))
        .isInstanceOf(SocketException.class)
        .hasMessageContaining("transport closed");
    end.countDown();
  }

  @Test
  void closeWakesAWriterAndDoesNotWait() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    ScriptedWebSocketPeer peer =
        peer(
            c -> {
              c.upgrade();
              end.await(10, TimeUnit.SECONDS); // reads nothing
            });
    WebSocketTransport transport = connect(peer);
    CompletableFuture<Throwable> failure =
        failureOf(
            () -> {
              while (true) {
                transport.write(new byte[1 << 20], 0, 1 << 20);
              }
            });
    awaitBlocked(failure, "write");

    long before = System.nanoTime();
    transport.close();
    long tookMillis = (System.nanoTime() - before) / 1_000_000;

    assertThat(failure.get(5, TimeUnit.SECONDS))
        .isInstanceOf(SocketException.class)
        .hasMessageContaining("transport closed");
    assertThat(tookMillis).isLessThan(1000);
    end.countDown();
  }

  @Test
  void pingDoesNotWaitForABlockedWriter() throws Exception {
    CountDownLatch mayRead = new CountDownLatch(1);
    CompletableFuture<String> firstPong = new CompletableFuture<>();
    ScriptedWebSocketPeer peer =
        peer(
            c -> {
              c.upgrade();
              c.sendHex("8901 01 8901 02 8201 07"); // two pings, then what the reader waits for
              mayRead.await(10, TimeUnit.SECONDS);
              for (String frame = c.readFrame(); ; frame = c.readFrame()) {
                if (frame.startsWith("8a")) {
                  firstPong.complete(frame);
                  return;
                }
              }
            });
    WebSocketTransport transport = connect(peer);
    CountDownLatch written = new CountDownLatch(1);
    CompletableFuture<Throwable> writing =
        failureOf(
            () -> {
              transport.write(new byte[64 << 20], 0, 64 << 20); // more than any buffer holds
              written.countDown();
            });
    awaitBlocked(writing, "write");

    assertThat(readExactly(transport, 1)).containsExactly(7); // the reader was not held up
    mayRead.countDown();

    // Only the last ping is answered, once the writer is done (RFC 6455 §5.5.3).
    assertThat(firstPong.get(10, TimeUnit.SECONDS)).isEqualTo("8a 02");
    assertThat(written.await(5, TimeUnit.SECONDS)).isTrue();
    peer.awaitEnd();
  }

  @Test
  void closeIsIdempotentAndEndsBothDirections() throws Exception {
    ScriptedWebSocketPeer peer =
        peer(
            c -> {
              c.upgrade();
              assertThat(c.readFrame()).isEqualTo("88 03e8");
              assertThat(c.atEnd()).isTrue();
            });
    WebSocketTransport transport = connect(peer);

    transport.close();
    transport.close();

    assertThatThrownBy(() -> transport.write(new byte[1], 0, 1))
        .isInstanceOf(SocketException.class);
    assertThatThrownBy(() -> transport.read(new byte[1], 0, 1)).isInstanceOf(SocketException.class);
    peer.awaitEnd();
  }

  @Test
  void slowPeerDoesNotDisturbTheStream() throws Exception {
    byte[] payload = new byte[5000];
    new Random(1).nextBytes(payload);
    byte[] wire = ServerFrames.fragmented(payload, 7);
    ScriptedWebSocketPeer peer =
        peer(
            c -> {
              c.upgrade();
              c.socket().setTcpNoDelay(true);
              for (byte b : wire) {
                c.send(new byte[] {b});
              }
            });
    WebSocketTransport transport = connect(peer);

    assertThat(readExactly(transport, payload.length)).isEqualTo(payload);
    peer.awaitEnd();
  }

  @Test
  void descriptionNamesTheGateway() throws Exception {
    ScriptedWebSocketPeer peer = peer(c -> c.upgrade());

    assertThat(connect(peer))
        .hasToString("WebSocket to http://127.0.0.1:" + peer.port() + "/rmigate");
  }

  private ScriptedWebSocketPeer peer(ScriptedWebSocketPeer.Script script) throws IOException {
    ScriptedWebSocketPeer peer = new ScriptedWebSocketPeer(script);
    opened.add(peer);
    return peer;
  }

  private WebSocketTransport connect(ScriptedWebSocketPeer peer) throws IOException {
    URI gateway = URI.create("http://127.0.0.1:" + peer.port() + "/rmigate");
    ClientConfig config = ClientConfig.builder().gateways(gateway).build();
    WebSocketTransport transport = new WebSocketConnector(config).connect(Duration.ofSeconds(5));
    opened.add(transport);
    return transport;
  }

  private static byte[] readExactly(Transport transport, int length) throws IOException {
    byte[] bytes = new byte[length];
    for (int done = 0; done < length; ) {
      int count = transport.read(bytes, done, length - done);
      assertThat(count).isPositive();
      done += count;
    }
    return bytes;
  }

  private interface Action {
    void run() throws Exception;
  }

  private final List<Thread> threads = new ArrayList<>();

  /** What the action fails with, run on another thread. */
  private CompletableFuture<Throwable> failureOf(Action action) {
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                action.run();
                failure.complete(null);
              } catch (Throwable e) {
                failure.complete(e);
              }
            },
            "user-of-transport");
    threads.add(thread);
    thread.start();
    return failure;
  }

  /** Until the newest thread stands in the socket's {@code park}, twice in a row. */
  private void awaitBlocked(CompletableFuture<Throwable> failure, String method) {
    Thread thread = threads.get(threads.size() - 1);
    await()
        .pollInterval(Duration.ofMillis(50))
        .during(Duration.ofMillis(200))
        .until(
            () ->
                !failure.isDone()
                    && List.of(thread.getStackTrace()).stream()
                        .anyMatch(
                            frame ->
                                frame.getClassName().equals("sun.nio.ch.NioSocketImpl")
                                    && frame
                                        .getMethodName()
                                        .toLowerCase(Locale.ROOT)
                                        .contains(method)));
  }
}
