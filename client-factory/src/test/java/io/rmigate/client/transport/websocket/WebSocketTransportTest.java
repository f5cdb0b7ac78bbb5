package io.rmigate.client.transport.websocket;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.THROWABLE;

import io.rmigate.client.transport.ScriptedWebSocketPeer;
import io.rmigate.client.transport.Transport;
import io.rmigate.client.transport.TransportBed;
import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.tunnel.Tunnel;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An open WebSocket between real sockets, the server's side scripted. */
@Timeout(180)
class WebSocketTransportTest {
  @RegisterExtension final TransportBed bed = new TransportBed();

  @Test
  void bytesGoBothWays() throws Exception {
    ScriptedWebSocketPeer peer =
        bed.peer(
            c -> {
              c.upgrade();
              assertThat(c.readFrame()).isEqualTo("82 010203");
              c.sendHex("8202 0405");
              assertThat(c.readFrame()).isEqualTo("88 03e8"); // 1000, normal
              assertThat(c.atEnd()).isTrue();
            });
    WebSocketTransport transport = bed.connect(peer);

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

  /** PROTOCOL.md, section 4. */
  @Test
  void longWritesAreMessagesThatAGatewayNeedNotGather() throws Exception {
    byte[] bytes = new byte[2 * Tunnel.MAX_MESSAGE_BYTES + 1];
    new Random(1).nextBytes(bytes);
    List<Integer> lengths = new ArrayList<>();
    ByteArrayOutputStream received = new ByteArrayOutputStream();
    ScriptedWebSocketPeer peer =
        bed.peer(
            c -> {
              c.upgrade();
              while (received.size() < bytes.length) {
                assertThat(c.readBytes(1)).containsExactly(0x82); // binary, final
                byte[] payload = c.readPayload();
                lengths.add(payload.length);
                received.write(payload);
              }
            });
    WebSocketTransport transport = bed.connect(peer);

    transport.write(bytes, 0, bytes.length);

    peer.awaitEnd();
    assertThat(lengths).containsExactly(Tunnel.MAX_MESSAGE_BYTES, Tunnel.MAX_MESSAGE_BYTES, 1);
    assertThat(received.toByteArray()).isEqualTo(bytes);
  }

  @Test
  void pingIsAnsweredWhileReading() throws Exception {
    ScriptedWebSocketPeer peer =
        bed.peer(
            c -> {
              c.upgrade();
              c.sendHex("0201 07 8903 0a0b0c"); // in the middle of a message
              assertThat(c.readFrame()).isEqualTo("8a 0a0b0c");
              c.sendHex("8001 08");
            });
    WebSocketTransport transport = bed.connect(peer);

    assertThat(readExactly(transport, 2)).containsExactly(7, 8);
    peer.awaitEnd();
  }

  @Test
  void gatewaysCloseIsAnsweredAndEndsTheStream() throws Exception {
    ScriptedWebSocketPeer peer =
        bed.peer(
            c -> {
              c.upgrade();
              c.sendHex("8805 03e9 627965"); // 1001 bye
              assertThat(c.readFrame()).isEqualTo("88 03e9");
              assertThat(c.atEnd()).isTrue();
            });
    WebSocketTransport transport = bed.connect(peer);

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
        bed.peer(
            c -> {
              c.upgrade();
              c.sendHex("8101 41"); // text
              assertThat(c.readFrame()).isEqualTo("88 03ea");
              assertThat(c.atEnd()).isTrue();
            });
    WebSocketTransport transport = bed.connect(peer);

    assertThatThrownBy(() -> transport.read(new byte[1], 0, 1))
        .isInstanceOf(ProtocolViolationException.class);
    peer.awaitEnd();
  }

  @Test
  void lostConnectionIsNotAnOrderlyEnd() throws Exception {
    ScriptedWebSocketPeer peer = bed.peer(c -> c.upgrade());
    WebSocketTransport transport = bed.connect(peer);

    assertThatThrownBy(() -> transport.read(new byte[1], 0, 1)).isInstanceOf(EOFException.class);
  }

  @Test
  void closeWakesAReader() throws Exception {
    ScriptedWebSocketPeer peer =
        bed.peer(
            c -> {
              c.upgrade();
              c.fallSilent();
            });
    WebSocketTransport transport = bed.connect(peer);
    Thread[] reader = new Thread[1];
    CompletableFuture<Throwable> failure =
        TransportBed.failureOf(() -> transport.read(new byte[1], 0, 1), reader);
    awaitBlocked(reader[0], "read");

    transport.close();

    assertThat(failure)
        .succeedsWithin(PATIENCE, as(THROWABLE))
        .isInstanceOf(SocketException.class)
        .hasMessageContaining("transport closed");
  }

  @Test
  void closeWakesAWriterAndDoesNotWait() throws Exception {
    ScriptedWebSocketPeer peer =
        bed.peer(
            c -> {
              c.upgrade();
              c.fallSilent();
            });
    WebSocketTransport transport = bed.connect(peer);
    Thread[] writer = new Thread[1];
    CompletableFuture<Throwable> failure =
        TransportBed.failureOf(
            () -> {
              while (true) {
                transport.write(new byte[1 << 20], 0, 1 << 20);
              }
            },
            writer);
    awaitBlocked(writer[0], "write");

    // The peer never reads: a thread that waited for it would wait for ever.
    assertThat(TransportBed.failureOf(transport::close)).succeedsWithin(PATIENCE).isNull();

    assertThat(failure)
        .succeedsWithin(PATIENCE, as(THROWABLE))
        .isInstanceOf(SocketException.class)
        .hasMessageContaining("transport closed");
  }

  @Test
  void pingDoesNotWaitForABlockedWriter() throws Exception {
    CountDownLatch mayRead = new CountDownLatch(1);
    CompletableFuture<String> firstPong = new CompletableFuture<>();
    ScriptedWebSocketPeer peer =
        bed.peer(
            c -> {
              c.upgrade();
              c.sendHex("8901 01 8901 02 8201 07"); // two pings, then what the reader waits for
              mayRead.await();
              for (String frame = c.readFrame(); ; frame = c.readFrame()) {
                if (frame.startsWith("8a")) {
                  firstPong.complete(frame);
                  return;
                }
              }
            });
    WebSocketTransport transport = bed.connect(peer);
    Thread[] writer = new Thread[1];
    CompletableFuture<Throwable> writing =
        TransportBed.failureOf(
            () -> transport.write(new byte[64 << 20], 0, 64 << 20),
            writer); // more than buffers hold
    awaitBlocked(writer[0], "write");

    assertThat(readExactly(transport, 1)).containsExactly(7); // the reader was not held up
    mayRead.countDown();

    // Only the last ping is answered, once the writer is done (RFC 6455 §5.5.3).
    assertThat(firstPong).succeedsWithin(PATIENCE).isEqualTo("8a 02");
    assertThat(writing).succeedsWithin(PATIENCE).isNull();
    peer.awaitEnd();
  }

  @Test
  void closeIsIdempotentAndEndsBothDirections() throws Exception {
    ScriptedWebSocketPeer peer =
        bed.peer(
            c -> {
              c.upgrade();
              assertThat(c.readFrame()).isEqualTo("88 03e8");
              assertThat(c.atEnd()).isTrue();
            });
    WebSocketTransport transport = bed.connect(peer);

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
        bed.peer(
            c -> {
              c.upgrade();
              c.socket().setTcpNoDelay(true);
              for (byte b : wire) {
                c.send(new byte[] {b});
              }
            });
    WebSocketTransport transport = bed.connect(peer);

    assertThat(readExactly(transport, payload.length)).isEqualTo(payload);
    peer.awaitEnd();
  }

  @Test
  void descriptionNamesTheGateway() throws Exception {
    ScriptedWebSocketPeer peer = bed.peer(c -> c.upgrade());

    assertThat(bed.connect(peer))
        .hasToString("WebSocket to http://127.0.0.1:" + peer.port() + "/rmigate");
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

  /** Until the thread stands in the socket's {@code park}, for a while. */
  private static void awaitBlocked(Thread thread, String method) {
    await()
        .pollInterval(Duration.ofMillis(50))
        .during(Duration.ofMillis(200))
        .until(
            () ->
                List.of(thread.getStackTrace()).stream()
                    .anyMatch(
                        frame ->
                            frame.getClassName().equals("sun.nio.ch.NioSocketImpl")
                                && frame
                                    .getMethodName()
                                    .toLowerCase(Locale.ROOT)
                                    .contains(method)));
  }
}
