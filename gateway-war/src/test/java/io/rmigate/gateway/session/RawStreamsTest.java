package io.rmigate.gateway.session;

import static io.rmigate.gateway.session.TestAgent.awaitThat;
import static io.rmigate.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.quota.Share;
import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.route.RawGrant;
import io.rmigate.gateway.view.GatewayView;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.OpenRaw;
import io.rmigate.protocol.tunnel.RefusalReason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Streams whose bytes the gateway does not look into: where they may go, and how they end. */
class RawStreamsTest {
  private static final byte[] HELLO = HexFormat.of().parseHex("160301020001000001fc0303");
  private static final int PART = 16 * 1024;
  private static final byte[] JRMP = HexFormat.of().parseHex("4a524d4900024b");

  @RegisterExtension final SessionBed bed = new SessionBed();

  private final List<Socket> accepted = new ArrayList<>();
  private ServerSocket target;

  @BeforeEach
  void listen() throws IOException {
    target = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void hangUp() throws IOException {
    for (Socket socket : accepted) {
      socket.close();
    }
    target.close();
  }

  private Socket accept() throws IOException {
    target.setSoTimeout(10_000);
    Socket socket = target.accept();
    socket.setSoTimeout(10_000);
    accepted.add(socket);
    return socket;
  }

  private static RawGrant grant(boolean tlsOnly, String... allow) {
    return new RawGrant(Set.of("*"), List.of(allow), tlsOnly);
  }

  private TestAgent agent(int credit) {
    TestAgent agent = bed.stranger();
    agent.helloRaw(credit);
    return agent;
  }

  private TestAgent connected(int credit) {
    TestAgent agent = agent(credit);
    agent.openRaw(1, target.getLocalPort());
    agent.awaitConnected(1);
    return agent;
  }

  private void permit(boolean tlsOnly) {
    bed.raw(grant(tlsOnly, "127.0.0.1:" + target.getLocalPort()));
  }

  @Test
  void bytesPassBothWaysAsTheyAre() throws Exception {
    permit(true);
    TestAgent agent = connected(TestAgent.CREDIT);
    Socket server = accept();
    agent.part(1, Arrays.copyOf(HELLO, 3));
    agent.part(1, Arrays.copyOfRange(HELLO, 3, HELLO.length));
    assertThat(server.getInputStream().readNBytes(HELLO.length)).isEqualTo(HELLO);
    agent.part(1, JRMP); // within the TLS connection nothing is judged
    assertThat(server.getInputStream().readNBytes(JRMP.length)).isEqualTo(JRMP);
    server.getOutputStream().write(new byte[] {1, 2, 3});
    assertThat(agent.awaitData(1, 3)).containsExactly(1, 2, 3);
    agent.close(1);
    assertThat(server.getInputStream().read()).isEqualTo(-1);
  }

  @Test
  void whatPermitsCallsPermitsNoRawStream() throws Exception {
    bed.raw(grant(true, "127.0.0.1:1", "elsewhere.example:*"));
    TestAgent agent = agent(TestAgent.CREDIT);
    agent.openRaw(1, target.getLocalPort());
    agent.expectRefused(1, OpenRaw.NO_REQUEST, RefusalReason.TARGET_NOT_PERMITTED);
    agent.expectClose(1, CloseCause.DONE);
    assertNobodyConnected();
  }

  @Test
  void whatPermitsRawStreamsPermitsNoCalls() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    bed.policy();
    TestAgent agent = agent(TestAgent.CREDIT);
    agent.open(1, server.port());
    agent.request(1, Calls.list());
    agent.expectRefused(1, 1, RefusalReason.TARGET_NOT_PERMITTED);
  }

  @Test
  void aWildcardDoesNotStandForTheGatewaysOwnLoopback() throws Exception {
    bed.raw(grant(true, "127.*:*"));
    TestAgent agent = agent(TestAgent.CREDIT);
    agent.openRaw(1, target.getLocalPort());
    agent.expectRefused(1, OpenRaw.NO_REQUEST, RefusalReason.TARGET_NOT_PERMITTED);
    assertNobodyConnected();
  }

  @Test
  void plainJrmpDoesNotReachTheTarget() throws Exception {
    for (boolean tlsOnly : new boolean[] {true, false}) {
      permit(tlsOnly);
      TestAgent agent = connected(TestAgent.CREDIT);
      Socket server = accept();
      for (byte one : JRMP) {
        agent.part(1, new byte[] {one});
      }
      agent.expectClose(1, CloseCause.NOT_PERMITTED);
      assertThat(server.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void anotherProtocolNeedsAGrantThatSaysSo() throws Exception {
    permit(true);
    TestAgent refused = connected(TestAgent.CREDIT);
    final Socket untouched = accept();
    refused.part(1, new byte[] {'h', 'i'});
    refused.expectClose(1, CloseCause.NOT_PERMITTED);
    assertThat(untouched.getInputStream().read()).isEqualTo(-1);

    permit(false);
    TestAgent agent = connected(TestAgent.CREDIT);
    Socket server = accept();
    agent.part(1, new byte[] {'h', 'i'});
    assertThat(server.getInputStream().readNBytes(2)).isEqualTo(new byte[] {'h', 'i'});
  }

  @Test
  void aDeadTargetIsRefusedAsSuch() throws Exception {
    permit(true);
    target.close();
    TestAgent agent = agent(TestAgent.CREDIT);
    agent.openRaw(1, target.getLocalPort());
    agent.expectRefused(1, OpenRaw.NO_REQUEST, RefusalReason.CONNECTION_REFUSED);
    agent.expectClose(1, CloseCause.DONE);
    agent.close(1);
    agent.openRaw(1, target.getLocalPort()); // the number is free again
    awaitThat(() -> agent.refusals(1).size() == 2);
  }

  @Test
  void everyByteOfTheTargetComesBeforeItsEnd() throws Exception {
    permit(true);
    TestAgent agent = connected(TestAgent.CREDIT);
    Socket server = accept();
    server.getOutputStream().write(new byte[100_000]);
    server.close();
    agent.expectClose(1, CloseCause.SERVER_CLOSED);
    assertThat(agent.port().dataBytes(1)).isEqualTo(100_000);
  }

  @Test
  void everyByteOfTheClientArrivesBeforeItsEnd() throws Exception {
    permit(true);
    TestAgent agent = connected(TestAgent.CREDIT);
    Socket server = accept();
    agent.part(1, HELLO);
    int more = bed.settings().limits().streamCredit() - HELLO.length;
    for (int left = more; left > 0; left -= 16 * 1024) {
      agent.part(1, new byte[Math.min(left, 16 * 1024)]);
    }
    agent.close(1);
    assertThat(server.getInputStream().readAllBytes()).hasSize(HELLO.length + more);
  }

  @Test
  void theTargetIsReadNoFurtherThanTheAgentTakes() throws Exception {
    permit(true);
    TestAgent agent = connected(1000);
    Socket server = accept();
    server.getOutputStream().write(new byte[5000]);
    agent.awaitData(1, 1000);
    agent.credit(1, 4000);
    agent.awaitData(1, 5000);
  }

  @Test
  void bytesThatTheTargetHasTakenAreGivenBackAsCredit() throws Exception {
    permit(true);
    TestAgent agent = connected(TestAgent.CREDIT);
    Socket server = accept();
    agent.part(1, HELLO);
    int window = bed.settings().limits().streamCredit();
    for (int sent = 0; sent < window / 2; sent += 16 * 1024) {
      agent.part(1, new byte[16 * 1024]);
    }
    server.getInputStream().readNBytes(window / 2);
    awaitThat(() -> agent.creditGiven(1) >= window / 2);
  }

  @Test
  void whatTheTargetDoesNotReadTakesRoomUntilItHasThoughTheStreamIsOver() throws Exception {
    permit(true);
    TestAgent agent = connected(TestAgent.CREDIT);
    Socket server = accept();
    long sent = sendUntilNoMoreIsTaken(agent);
    agent.close(1);
    assertThat(held().taken()).isGreaterThanOrEqualTo(bed.settings().limits().streamCredit() / 2);
    assertThat(server.getInputStream().readAllBytes()).hasSize((int) sent);
    awaitThat(() -> held().taken() == 0);
  }

  @Test
  void whatTheTargetNeverReadsTakesNoRoomOnceItIsGivenUp() throws Exception {
    bed.relaySettings(new RelaySettings(PATIENCE, Duration.ofSeconds(1), PATIENCE, 64 * 1024, 1));
    permit(true);
    TestAgent agent = connected(TestAgent.CREDIT);
    accept();
    sendUntilNoMoreIsTaken(agent);
    agent.close(1);
    awaitThat(() -> held().taken() == 0);
  }

  @Test
  void aStreamEndsWhoseTargetDoesNotReadWhereThereIsNoRoomForMore() throws Exception {
    permit(true);
    TestAgent agent = connected(TestAgent.CREDIT);
    accept();
    Share mine =
        bed.registry().share(agent.session().context().standing().caller()).room().heldBytes();
    long sent = sendUntilNoMoreIsTaken(agent);
    for (long most = 1L << 60; most > 0; most /= 2) {
      mine.take(most);
    }
    int window = bed.settings().limits().streamCredit();
    long left = agent.creditGiven(1) + window - sent;
    for (; left >= PART && agent.port().frames(Close.class).isEmpty(); left -= PART) {
      agent.part(1, new byte[PART]);
    }
    agent.expectClose(1, CloseCause.NO_ROOM);
    assertThat(bed.refused("no-room")).isOne();
  }

  private Share held() {
    return bed.registry().heldBytes();
  }

  /** Returns how much that was. */
  private long sendUntilNoMoreIsTaken(TestAgent agent) {
    int window = bed.settings().limits().streamCredit();
    agent.part(1, HELLO);
    long sent = HELLO.length;
    while (held().taken() < window / 2) { // once the operating system takes no more
      long next = sent + PART;
      awaitThat(() -> agent.creditGiven(1) + window >= next || held().taken() >= window / 2);
      if (agent.creditGiven(1) + window >= next) {
        agent.part(1, new byte[PART]);
        sent = next;
      }
    }
    return sent;
  }

  @Test
  void rawStreamsAreAViolationWhereTheyWereNotAgreedOn() throws Exception {
    permit(true);
    TestAgent agent = bed.agent();
    agent.openRaw(1, target.getLocalPort());
    assertThat(agent.awaitGoodbye().cause()).isEqualTo(CloseCause.PROTOCOL_VIOLATION);
    assertNobodyConnected();
  }

  @Test
  void requestsHaveNoPlaceOnARawStream() throws Exception {
    permit(true);
    TestAgent agent = connected(TestAgent.CREDIT);
    accept();
    agent.say(new Data(1, true, HELLO));
    assertThat(agent.awaitGoodbye().cause()).isEqualTo(CloseCause.PROTOCOL_VIOLATION);
  }

  @Test
  void adminsSeeThatAStreamIsRaw() throws Exception {
    permit(true);
    TestAgent agent = connected(TestAgent.CREDIT);
    Socket server = accept();
    agent.part(1, HELLO);
    server.getInputStream().readNBytes(HELLO.length);
    awaitThat(() -> view(agent).bytesToServer() == HELLO.length);
    assertThat(view(agent).raw()).isTrue();
    assertThat(view(agent).state()).isEqualTo("READY");
    agent.open(3, 1);
    assertThat(agent.session().view().streams()).extracting("raw").contains(false);
  }

  private static GatewayView.StreamView view(TestAgent agent) {
    return agent.session().view().streams().stream().filter(s -> s.id() == 1).findFirst().get();
  }

  private void assertNobodyConnected() throws IOException {
    target.setSoTimeout(50);
    org.assertj.core.api.Assertions.assertThatThrownBy(target::accept)
        .isInstanceOf(java.net.SocketTimeoutException.class);
  }
}
