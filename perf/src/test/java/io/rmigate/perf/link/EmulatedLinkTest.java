package io.rmigate.perf.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Over real sockets, with a clock of its own. */
class EmulatedLinkTest {
  private static final long MILLI = 1_000_000L;

  /** A byte takes a millisecond, and 100 ms to the other end. */
  private static final LinkProfile PROFILE = LinkProfile.parse("rate=8k,delay=100ms");

  private final TrafficRecord record = new TrafficRecord(PROFILE);
  private ServerSocket target;

  @BeforeEach
  void listen() throws Exception {
    target = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    target.close();
    await("threads of the link end")
        .until(
            () ->
                Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(thread -> thread.getName().startsWith("link ")));
  }

  private int listenAt(EmulatedLink link) throws Exception {
    return link.listen(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        new InetSocketAddress(InetAddress.getLoopbackAddress(), target.getLocalPort()));
  }

  private static Socket connect(int port) throws Exception {
    return new Socket(InetAddress.getLoopbackAddress(), port);
  }

  @Test
  void firstByteOfAConnectionIsHeldForARoundTrip() throws Exception {
    StandingClock clock = new StandingClock();
    try (EmulatedLink link = new EmulatedLink(PROFILE, record, clock);
        Socket client = connect(listenAt(link));
        Socket server = target.accept()) {
      client.getOutputStream().write(new byte[10]);
      await("both directions wait")
          .until(() -> clock.sleepers().equals(List.of(200 * MILLI, 200 * MILLI)));

      clock.advance(Duration.ofMillis(200));
      await("now it is under way").until(() -> clock.sleepers().contains(310 * MILLI));
      assertThat(server.getInputStream().available()).isZero();

      clock.advance(Duration.ofMillis(110));
      assertThat(server.getInputStream().readNBytes(10)).hasSize(10);
    }
    Crossing crossing = record.crossings().get(0);
    assertThat(crossing.sentNanos()).isEqualTo(200 * MILLI);
    assertThat(crossing.arrivesNanos()).isEqualTo(310 * MILLI);
    assertThat(record.traffic().connections()).isEqualTo(1);
  }

  @Test
  void connectionsShareTheLine() throws Exception {
    StandingClock clock = new StandingClock();
    try (EmulatedLink link = new EmulatedLink(PROFILE, record, clock)) {
      int port = listenAt(link);
      try (Socket one = connect(port);
          Socket two = connect(port)) {
        one.getOutputStream().write(new byte[100]);
        two.getOutputStream().write(new byte[100]);
        await().until(() -> clock.sleepers().size() == 4);
        clock.advance(Duration.ofMillis(200));
        await("the second packet waits for the first")
            .until(() -> clock.sleepers().containsAll(List.of(400 * MILLI, 500 * MILLI)));
      }
    }
  }

  @Test
  void refusedConnectionEndsAfterARoundTrip() throws Exception {
    StandingClock clock = new StandingClock();
    target.close();
    try (EmulatedLink link = new EmulatedLink(PROFILE, record, clock);
        Socket client = connect(listenAt(link))) {
      await().until(() -> clock.sleepers().equals(List.of(200 * MILLI)));
      clock.advance(Duration.ofMillis(200));
      assertThat(client.getInputStream().read()).isEqualTo(-1);
    }
    assertThat(record.traffic()).isEqualTo(Traffic.NONE);
  }

  @Test
  void bytesArriveWholeInOrderAndToTheEnd() throws Exception {
    byte[] request = new byte[300_000];
    byte[] reply = new byte[200_000];
    new Random(1).nextBytes(request);
    new Random(2).nextBytes(reply);
    try (EmulatedLink link = new EmulatedLink(PROFILE, record, new JumpingClock());
        Socket client = connect(listenAt(link));
        Socket server = target.accept()) {
      CompletableFuture<byte[]> received =
          CompletableFuture.supplyAsync(() -> answer(server, reply));
      client.getOutputStream().write(request);
      client.shutdownOutput();
      assertThat(client.getInputStream().readAllBytes()).isEqualTo(reply);
      assertThat(received.join()).isEqualTo(request);
    }
    Traffic traffic = record.traffic();
    assertThat(traffic.upBytes()).isEqualTo(300_000);
    assertThat(traffic.downBytes()).isEqualTo(200_000);
    assertThat(traffic.exchanges()).isEqualTo(1);
    assertThat(traffic.tcp().headerBytes()).isEqualTo(40L * traffic.packets());
    assertThat(record.crossings())
        .allSatisfy(
            crossing -> assertThat(crossing.bytes().length).isBetween(1, LinkProfile.PACKET_BYTES));
  }

  /** Takes everything to its end, then sends and ends too. */
  private static byte[] answer(Socket socket, byte[] reply) {
    try {
      byte[] request = socket.getInputStream().readAllBytes();
      socket.getOutputStream().write(reply);
      socket.shutdownOutput();
      return request;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void exchangeIsWhatComesBackForWhatWentUp() throws Exception {
    try (EmulatedLink link = new EmulatedLink(PROFILE, record, new JumpingClock());
        Socket client = connect(listenAt(link));
        Socket server = target.accept()) {
      for (int i = 0; i < 3; i++) {
        pass(client, server, 1); // two requests in a row are answered once
        pass(client, server, 1);
        pass(server, client, 5);
        pass(server, client, 5); // without a request
      }
      pass(client, server, 1); // one way
    }
    Traffic traffic = record.traffic();
    assertThat(traffic.exchanges()).isEqualTo(3);
    assertThat(traffic.roundTrips()).isEqualTo(4);
    assertThat(traffic.packets()).isEqualTo(13);
    assertThat(traffic.upBytes()).isEqualTo(7);
    assertThat(traffic.downBytes()).isEqualTo(30);
    assertThat(traffic.tcp().handshakeBytes()).isEqualTo(288);
  }

  private static void pass(Socket from, Socket to, int bytes) throws Exception {
    from.getOutputStream().write(new byte[bytes]);
    assertThat(to.getInputStream().readNBytes(bytes)).hasSize(bytes);
  }

  @Test
  void trafficIsThatOfATimeAsTheClientSawIt() throws Exception {
    StandingClock clock = new StandingClock();
    try (EmulatedLink link = new EmulatedLink(PROFILE, record, clock);
        Socket client = connect(listenAt(link));
        Socket server = target.accept()) {
      await().until(() -> clock.sleepers().size() == 2);
      clock.advance(Duration.ofMillis(200));
      client.getOutputStream().write(new byte[10]);
      await().until(() -> clock.sleepers().contains(310 * MILLI));
      clock.advance(Duration.ofMillis(110));
      server.getInputStream().readNBytes(10);
      server.getOutputStream().write(new byte[20]);
      await().until(() -> clock.sleepers().contains(430 * MILLI));
      clock.advance(Duration.ofMillis(120));
      client.getInputStream().readNBytes(20);
    }
    assertThat(record.traffic(0, 200 * MILLI).connections()).isEqualTo(1);
    assertThat(record.traffic(0, 200 * MILLI).bytes()).isZero();
    assertThat(record.traffic(200 * MILLI, 430 * MILLI).upBytes()).isEqualTo(10);
    assertThat(record.traffic(200 * MILLI, 430 * MILLI).exchanges()).isZero();
    assertThat(record.traffic(430 * MILLI, 431 * MILLI).downBytes()).isEqualTo(20);
    assertThat(record.traffic(430 * MILLI, 431 * MILLI).exchanges()).isEqualTo(1);
  }

  @Test
  void quietIsWhenNothingIsUnderWayAndWasNotForAWhile() throws Exception {
    StandingClock clock = new StandingClock();
    try (EmulatedLink link = new EmulatedLink(PROFILE, record, clock);
        Socket client = connect(listenAt(link));
        Socket server = target.accept()) {
      client.getOutputStream().write(new byte[10]);
      await().until(() -> clock.sleepers().size() == 2);
      clock.advance(Duration.ofMillis(200));
      await().until(() -> clock.sleepers().contains(310 * MILLI));
      CompletableFuture<Void> quiet = CompletableFuture.runAsync(() -> awaitQuiet(link));
      await("looks again").until(() -> clock.sleepers().contains(250 * MILLI));
      clock.advance(Duration.ofMillis(50));
      await("still busy").until(() -> clock.sleepers().contains(300 * MILLI));
      clock.advance(Duration.ofMillis(60));
      server.getInputStream().readNBytes(10);
      await("since 310").until(() -> clock.sleepers().contains(360 * MILLI));
      assertThat(quiet).isNotDone();
      clock.advance(Duration.ofMillis(50));
      quiet.join();
    }
  }

  private static void awaitQuiet(EmulatedLink link) {
    try {
      link.awaitQuiet(Duration.ofMillis(50), Duration.ofSeconds(10));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void closingTheLinkCutsWhatGoesThroughIt() throws Exception {
    EmulatedLink link = new EmulatedLink(PROFILE, record, new JumpingClock());
    try (Socket client = connect(listenAt(link));
        Socket server = target.accept()) {
      pass(client, server, 1);
      link.close();
      assertThat(ends(client.getInputStream())).isTrue();
      assertThat(ends(server.getInputStream())).isTrue();
    }
  }

  private static boolean ends(InputStream in) {
    try {
      return in.read() < 0;
    } catch (IOException reset) {
      return true;
    }
  }
}
