package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.view.GatewayView;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.Tunnel;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * PROTOCOL.md, section 8: neither a slow agent nor a slow server fills memory or holds up others.
 */
class FlowControlTest {
  private static final int LARGE = 64 << 20;

  /** Header of the Return, descriptor and length of the byte[]. */
  private static final int LARGE_RETURN = 22 + 24 + LARGE;

  private static final int PIECE = 32 * 1024;

  @RegisterExtension final SessionBed bed = new SessionBed();

  @Test
  void aReturnStopsAtTheCreditAndGoesOnWithIt() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.open(3, server.port());
    agent.request(1, server.give(LARGE));
    agent.awaitData(1, TestAgent.CREDIT);
    for (int i = 0; i < 50; i++) {
      agent.call(3, server.tick(), 22);
    }
    assertThat(agent.port().dataBytes(1)).isEqualTo(TestAgent.CREDIT);
    GatewayView.SessionView view = agent.session().view();
    assertThat(view.bytesToAgent()).isLessThan(TestAgent.CREDIT + OutboundQueue.HIGH_WATER_BYTES);
    assertThat(stream(view, 1).bytesToClient()).isEqualTo(TestAgent.CREDIT);

    long granted = TestAgent.CREDIT;
    while (granted < LARGE_RETURN) {
      agent.credit(1, TestAgent.CREDIT);
      granted += TestAgent.CREDIT;
      long expected = Math.min(granted, LARGE_RETURN);
      TestAgent.awaitThat(() -> agent.port().dataBytes(1) == expected);
    }
    assertThat(agent.port().dataBytes(1)).isEqualTo(LARGE_RETURN);
    agent.call(3, server.tick(), 22);
  }

  @Test
  void creditOfOneByteGivesOneByte() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.stranger();
    agent.hello(0);
    agent.awaitWelcome();
    agent.open(1, server.port());
    agent.request(1, server.tick());
    for (int bytes = 1; bytes <= 22; bytes++) {
      assertThat(agent.port().dataBytes(1)).isEqualTo(bytes - 1);
      agent.credit(1, 1);
      agent.awaitData(1, bytes);
    }
  }

  @Test
  void aStuckLinkPausesReadingAndEndsTheSessionInTime() throws Exception {
    SessionSettings usual = SessionSettings.DEFAULTS;
    bed.settings(
        new SessionSettings(
            usual.heartbeat(),
            usual.helloTimeout(),
            new SessionSettings.Limits(usual.limits().streamCredit(), 16, 16, 16),
            Duration.ofSeconds(2),
            Duration.ZERO,
            SessionSettings.DEFAULTS.choresPerSecond()));
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.stranger();
    agent.hello(Tunnel.MAX_CREDIT_BYTES);
    agent.awaitWelcome();
    agent.port().sends(RecordingLinkPort.Sends.STUCK);
    agent.open(1, server.port());
    agent.request(1, server.give(LARGE));
    TestAgent.awaitThat(() -> stream(agent.session().view(), 1).bytesToClient() > 0);
    while (agent.port().closed() == null) {
      bed.registry().sessions().stream()
          .flatMap(view -> view.streams().stream())
          .forEach(
              view ->
                  assertThat(view.bytesToClient())
                      .isLessThanOrEqualTo(2 * (OutboundQueue.HIGH_WATER_BYTES + PIECE)));
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(agent.port().closed()).isEqualTo(CloseCause.SLOW_LINK);
    assertThat(bed.registry().sessions()).isEmpty();
    TestAgent.awaitThat(server::allConnectionsClosed);
  }

  @Test
  void aLinkThatIsSlowButMovesIsKept() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.agent(RecordingLinkPort.Sends.LATER);
    agent.open(1, server.port());
    agent.credit(1, LARGE);
    agent.request(1, server.give(LARGE));
    TestAgent.awaitThat(() -> agent.port().dataBytes(1) == LARGE_RETURN);
    assertThat(agent.port().closed()).isNull();
  }

  @Test
  void aLinkThatFailsEndsTheSession() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.call(1, server.tick(), 22);
    agent.port().sends(RecordingLinkPort.Sends.STUCK);
    agent.request(1, server.tick());
    TestAgent.awaitThat(() -> server.ticks() == 2 && agent.port().isStuck());
    agent.port().breakStuckSend(new IOException("scripted: broken"));
    TestAgent.awaitThat(() -> agent.port().closed() == CloseCause.LINK_LOST);
    assertThat(agent.port().frames(Goodbye.class)).isEmpty();
    assertThat(bed.registry().sessions()).isEmpty();
  }

  @Test
  void anArgumentThatTheServerDoesNotReadGetsNoMoreCreditThanTheWindow() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NEVER_READ);
    LedgerServer ledger = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.open(3, ledger.port());
    byte[] beginning =
        Calls.join(
            Calls.method(ledger.object(), "swallow([B)I", out -> {}),
            HexFormat.of()
                .parseHex("757200025b42acf317f8060854e0020000707870%08x".formatted(LARGE)));
    int window = bed.settings().limits().streamCredit();
    agent.part(1, beginning);
    long sent = beginning.length;
    byte[] piece = new byte[Tunnel.MAX_BODY_BYTES];
    long end = System.nanoTime() + Duration.ofSeconds(2).toNanos();
    while (sent < LARGE && System.nanoTime() - end < 0) {
      if (window + agent.creditGiven(1) - sent >= piece.length) {
        agent.part(1, piece);
        sent += piece.length;
        end = System.nanoTime() + Duration.ofSeconds(2).toNanos();
      } else {
        LockSupport.parkNanos(1_000_000);
      }
    }
    assertThat(sent).isLessThan(LARGE); // the operating system takes some megabytes
    long written = stream(agent.session().view(), 1).bytesToServer();
    assertThat(sent - written).isLessThanOrEqualTo(window);
    agent.call(3, ledger.tick(), 22); // others go on

    server.policy(FailurePolicy.NEVER_ANSWER);
    while (sent < LARGE) {
      long before = sent;
      TestAgent.awaitThat(() -> window + agent.creditGiven(1) - before >= piece.length);
      agent.part(1, piece);
      sent += piece.length;
    }
    long all = sent;
    TestAgent.awaitThat(() -> server.connections().get(1).receivedBytes() == all);
  }

  @Test
  void aCallIsHeldBackOnlyAsFarAsTheWindowSurelyReaches() throws Exception {
    SessionSettings usual = bed.settings();
    int window = 8 * 1024;
    bed.settings(
        new SessionSettings(
            usual.heartbeat(),
            usual.helloTimeout(),
            new SessionSettings.Limits(window, 16, 16, 16),
            usual.sendTimeout(),
            Duration.ZERO,
            SessionSettings.DEFAULTS.choresPerSecond()));
    bed.relaySettings(
        new RelaySettings(
            Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(60), 1 << 20, 1));
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    int longestHeld = window / 2 - 1;
    byte[] held = server.swallow(new byte[longestHeld - server.swallow(new byte[0]).length]);
    agent.call(1, held, 26);
    assertThat(bed.isolatedCalls()).isZero();
    assertThat(agent.creditGiven(1)).isZero(); // so that as little as can be is left of the window
    byte[] longer = server.swallow(new byte[20 * window]);
    long before = held.length;
    for (int from = 0; from < longer.length; ) {
      long sent = before + from;
      TestAgent.awaitThat(() -> window + agent.creditGiven(1) - sent > 0);
      int room = (int) (window + agent.creditGiven(1) - sent);
      int to = Math.min(longer.length, from + Math.min(room, Tunnel.MAX_BODY_BYTES));
      agent.say(new Data(1, to == longer.length, Arrays.copyOfRange(longer, from, to)));
      from = to;
    }
    agent.awaitData(1, 2 * 26);
    assertThat(bed.isolatedCalls()).isEqualTo(1);
  }

  @Test
  void aSmallReturnWaitsForNoMoreThanTheHighWaterMarkOfALargeOne() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.stranger();
    agent.hello(Tunnel.MAX_CREDIT_BYTES);
    agent.awaitWelcome();
    agent.open(1, server.port());
    agent.open(3, server.port());
    agent.call(3, server.execute("before"), 26);
    agent.port().sends(RecordingLinkPort.Sends.STUCK);
    agent.request(1, server.give(LARGE));
    TestAgent.awaitThat(
        () -> stream(agent.session().view(), 1).bytesToClient() >= OutboundQueue.HIGH_WATER_BYTES);
    TestAgent.awaitThat(() -> agent.session().context().outbound().waitingForRoom() == 1);
    agent.request(3, server.execute("small"));
    TestAgent.awaitThat(() -> stream(agent.session().view(), 3).bytesToClient() == 2 * 26);
    agent.port().release(RecordingLinkPort.Sends.LATER);
    TestAgent.awaitThat(() -> agent.port().dataBytes(3) == 2 * 26);
    long ahead = 0;
    int small = 0;
    for (RecordingLinkPort.Piece piece : agent.port().pieces()) {
      small += piece.stream() == 3 ? 1 : 0;
      if (small == 2) {
        break;
      }
      ahead += piece.stream() == 1 ? piece.bytes() : 0;
    }
    // What was being sent, and what had been gathered.
    assertThat(ahead).isLessThanOrEqualTo(2 * (OutboundQueue.HIGH_WATER_BYTES + PIECE));
    TestAgent.awaitThat(() -> agent.port().dataBytes(1) == LARGE_RETURN);
  }

  @Test
  void smallCallsCauseNoCreditFrames() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    for (int i = 0; i < 100; i++) {
      agent.call(1, server.tick(), 22);
    }
    assertThat(agent.creditGiven(1)).isZero();
  }

  private static GatewayView.StreamView stream(GatewayView.SessionView view, int id) {
    return view.streams().stream().filter(stream -> stream.id() == id).findFirst().orElseThrow();
  }
}
