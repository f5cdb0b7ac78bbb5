package io.rmigate.client.stats;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.client.mediator.MediatorAgent;
import io.rmigate.client.mediator.MediatorSettings;
import io.rmigate.client.socket.TunnelSocket;
import io.rmigate.protocol.coding.CodingFigures;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Drain;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.protocol.tunnel.HeartbeatAck;
import io.rmigate.protocol.tunnel.Leaving;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.Report;
import io.rmigate.testing.FakeGateway;
import io.rmigate.testing.FakeGateway.Connection;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is counted, what the gateway is told of it, and what JMX shows. */
@Timeout(180)
class UsageCountersTest {
  private static final byte[] HEADER = hex("4a524d4900024b");
  private static final byte[] ENDPOINT = hex("000161 00000000");
  private static final byte[] CALL =
      hex("50 aced0005 7722" + "00".repeat(22) + "ffffffff 9c9e6b1308366dda");
  private static final byte[] RETURN = hex("51 aced0005 770f 01" + "00".repeat(14));

  /** ProtocolAck, "gw.inner", port. */
  private static final int ACK_BYTES = 1 + 2 + 8 + 4;

  private static final long PLAIN_BYTES =
      0L + HEADER.length + ACK_BYTES + ENDPOINT.length + 2 + CALL.length + RETURN.length;

  private final FakeGateway gateway = new FakeGateway();
  private final MediatorAgent agent =
      new MediatorAgent(
          gateway,
          MediatorSettings.of(Duration.ofSeconds(10), Map.of("client", "test"), Compression.AUTO));

  @AfterEach
  void close() {
    agent.close();
  }

  @Test
  void theGatewayIsToldWhatPlainRmiWouldHaveNeeded() throws Exception {
    Connection link = oneHandshakeOnePingOneCall();

    agent.close();

    link.expect(Open.class);
    link.expect(Data.class);
    // TCP's and JRMP's handshakes, the ping, the call; of which only the call went over the link
    assertThat(link.expect(Report.class)).isEqualTo(new Report(4, PLAIN_BYTES, 1, 0, 0, 2, 0));
    link.expect(Goodbye.class);
  }

  @Test
  void aReportGoesWithTheHeartbeatsAndOnlyWhenThereIsSomethingNew() throws Exception {
    gateway.welcome(gateway.welcomeWith(256 * 1024, Duration.ofMillis(200)));
    Connection link = oneHandshakeOnePingOneCall();

    Report whole = new Report(4, PLAIN_BYTES, 1, 0, 0, 2, 0);
    await().until(() -> heard(link).contains(whole));
    long reports = countOf(link, Report.class);
    long heartbeats = countOf(link, Heartbeat.class) + 5;
    await()
        .until(() -> heard(link).stream().filter(Heartbeat.class::isInstance).count() > heartbeats);

    assertThat(countOf(link, Report.class)).isEqualTo(reports);
  }

  @Test
  void aJvmThatEndsReportsAndSaysThatItLeavesWhileTheLinkStaysUsable() throws Exception {
    Connection link = oneHandshakeOnePingOneCall();
    link.expect(Open.class);
    link.expect(Data.class);

    agent.leave();

    assertThat(link.unexpected())
        .containsExactly(new Report(4, PLAIN_BYTES, 1, 0, 0, 2, 0), new Leaving());
    assertThat(agent.currentLink()).isPresent();
  }

  @Test
  void figuresOfANewSessionBeginAtNothing() throws Exception {
    Connection first = oneHandshakeOnePingOneCall();
    first.cut();
    await().until(() -> agent.currentLink().isEmpty());

    agent.ensureLink();
    Connection second = gateway.accept();
    agent.close();

    second.expect(Goodbye.class);
    assertThat(agent.account().sums().calls()).isEqualTo(1);
  }

  @Test
  void theMBeanShowsTheFiguresUntilItIsTakenOut() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName(Stats.NAME);
    StatsRegistration registration =
        new StatsRegistration(
            () -> new Stats("https://gw.example", () -> "", List::of, agent.account(), () -> true));
    LinkTraffic carried = new LinkTraffic(70, 30, new CodingFigures(150, 30));
    agent.account().linkOpened(() -> carried);
    agent.whenFirstLinked(registration);
    assertThat(server.isRegistered(name)).isFalse();

    oneHandshakeOnePingOneCall();

    await().until(() -> server.isRegistered(name));
    assertThat(server.getAttribute(name, "Gateways")).isEqualTo("https://gw.example");
    assertThat(server.getAttribute(name, "Connected")).isEqualTo(true);
    assertThat(server.getAttribute(name, "Calls")).isEqualTo(1L);
    assertThat(server.getAttribute(name, "RoundTrips")).isEqualTo(1L);
    assertThat(server.getAttribute(name, "PlainRoundTrips")).isEqualTo(4L);
    assertThat(server.getAttribute(name, "PlainBytes")).isEqualTo(PLAIN_BYTES);
    assertThat(server.getAttribute(name, "PingsAnswered")).isEqualTo(1L);
    assertThat((Long) server.getAttribute(name, "BytesSent")).isGreaterThan(70L);
    assertThat(server.getAttribute(name, "UncompressedBytes")).isEqualTo(150L);
    assertThat(server.getAttribute(name, "CompressedBytes")).isEqualTo(30L);
    assertThat(server.getAttribute(name, "CompressionRatio")).isEqualTo(0.2);

    registration.end();

    assertThat(server.isRegistered(name)).isFalse();
  }

  @Test
  void whatCanWaitIsDoneByTheTimer() {
    AtomicReference<String> thread = new AtomicReference<>();

    agent.runLater(() -> thread.set(Thread.currentThread().getName()));

    await().until(() -> thread.get() != null);
    assertThat(thread.get()).isEqualTo("rmigate-timer");
  }

  @Test
  void whatCanWaitIsNotDoneOnceAllIsClosed() {
    agent.close();

    agent.runLater(Assertions::fail);
  }

  @Test
  void whatLinksHaveCarriedCountsOnceWhetherTheyHaveEndedOrNot() {
    UsageCounters account = new UsageCounters();
    Stats stats = new Stats("", () -> "", List::of, account, () -> true);
    assertThat(stats.getCompressionRatio()).isEqualTo(1);
    LinkTraffic.Meter first = () -> new LinkTraffic(60, 50, new CodingFigures(300, 60));
    LinkTraffic.Meter second = () -> new LinkTraffic(6, 5, new CodingFigures(100, 40));
    account.linkOpened(first);
    account.linkOpened(second);
    for (int ended = 0; ended < 3; ended++) {
      assertThat(stats.getUncompressedBytes()).isEqualTo(400);
      assertThat(stats.getCompressedBytes()).isEqualTo(100);
      assertThat(stats.getCompressionRatio()).isEqualTo(0.25);
      assertThat(stats.getBytesSent()).isEqualTo(66);
      assertThat(stats.getBytesReceived()).isEqualTo(55);
      account.linkEnded(first);
    }
  }

  @Test
  void whatALinkThatDrainsHasCarriedDoesNotVanish() throws Exception {
    Stats stats =
        new Stats("", () -> "", List::of, agent.account(), () -> agent.currentLink().isPresent());
    Connection link = oneHandshakeOnePingOneCall();
    long sent = stats.getBytesSent();
    assertThat(sent).isPositive();

    link.send(new Drain(Duration.ofMinutes(1)));
    await().until(() -> agent.currentLink().isEmpty());
    await().until(() -> !of(link, Drain.class).isEmpty()); // in answer
    long drained = stats.getBytesSent();
    assertThat(drained).isGreaterThan(sent);
    agent.ensureLink();
    assertThat(stats.getBytesSent()).isGreaterThan(drained);
    assertThat(stats.isConnected()).isTrue();
  }

  @Test
  void whatIsDoneWhileASessionDrainsIsReportedInTheOtherOneOnly() throws Exception {
    Connection first = oneHandshakeOnePingOneCall();
    first.send(new Drain(Duration.ofMinutes(1)));
    await().until(() -> agent.currentLink().isEmpty());
    agent.account().leasesChanged(3);
    Connection second = oneHandshakeOnePingOneCall();

    agent.close();

    assertThat(of(first, Report.class)).containsExactly(new Report(4, PLAIN_BYTES, 1, 0, 0, 2, 0));
    assertThat(of(second, Report.class)).containsExactly(new Report(4, PLAIN_BYTES, 1, 0, 0, 2, 3));
  }

  private static <F extends Frame> List<F> of(Connection link, Class<F> type) {
    return link.unexpected().stream().filter(type::isInstance).map(type::cast).toList();
  }

  @Test
  void twoInOneJvmHaveNamesOfTheirOwn() throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    StatsRegistration first = registration();
    StatsRegistration second = registration();
    first.run();
    second.run();

    assertThat(server.isRegistered(new ObjectName(Stats.NAME))).isTrue();
    assertThat(server.isRegistered(new ObjectName(Stats.NAME + ",id=2"))).isTrue();

    first.end();
    second.end();
    assertThat(server.queryNames(new ObjectName(Stats.NAME + ",*"), null)).isEmpty();
  }

  @Test
  void nothingIsRegisteredAfterTheEnd() throws Exception {
    StatsRegistration registration = registration();
    registration.end();

    registration.run();

    assertThat(ManagementFactory.getPlatformMBeanServer().isRegistered(new ObjectName(Stats.NAME)))
        .isFalse();
  }

  private StatsRegistration registration() {
    return new StatsRegistration(
        () -> new Stats("", () -> "", List::of, agent.account(), () -> false));
  }

  private Connection oneHandshakeOnePingOneCall() throws Exception {
    TunnelSocket socket = TunnelSocket.connect(agent, "inside.example", 1099);
    Connection link = gateway.accept();
    exchange(socket, HEADER, ACK_BYTES);
    socket.getOutputStream().write(ENDPOINT);
    exchange(socket, new byte[] {0x52}, 1);
    Thread answering = new Thread(() -> answerTheCall(link));
    answering.start();
    exchange(socket, CALL, RETURN.length);
    answering.join();
    return link;
  }

  private static void answerTheCall(Connection link) {
    await().until(() -> link.unexpected().stream().anyMatch(Data.class::isInstance));
    link.send(new Data(1, false, RETURN));
  }

  private static void exchange(TunnelSocket socket, byte[] request, int answerBytes)
      throws IOException {
    socket.getOutputStream().write(request);
    assertThat(socket.getInputStream().readNBytes(answerBytes)).hasSize(answerBytes);
  }

  /** What the agent has said, after a sign of life to it: else the link would end by silence. */
  private static List<Frame> heard(Connection link) {
    link.send(new HeartbeatAck(1));
    return link.unexpected();
  }

  private static long countOf(Connection link, Class<? extends Frame> type) {
    return link.unexpected().stream().filter(type::isInstance).count();
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }
}
