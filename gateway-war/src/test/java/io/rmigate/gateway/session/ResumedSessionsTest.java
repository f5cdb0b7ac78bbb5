package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.login.Principal;
import io.rmigate.protocol.tunnel.Ack;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Welcome;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A session outlives its transport connection, for its own agent and for a while. */
class ResumedSessionsTest {
  private static final int TICK_RETURN_BYTES = 22;

  @RegisterExtension final SessionBed bed = new SessionBed();

  private TestAgent staying() {
    TestAgent agent = bed.stranger();
    agent.helloToStay();
    assertThat(agent.welcome().features()).containsExactly(Feature.RESUME);
    return agent;
  }

  private static void loseLink(TestAgent agent) {
    agent.session().onTransportClosed();
    assertThat(agent.port().closed()).isEqualTo(CloseCause.LINK_LOST);
  }

  private TestAgent comeBack(TestAgent before, TestAgent again, long received) {
    again.resume(before.welcome().session(), received);
    assertThat(again.welcome().received()).isEqualTo(before.said());
    return again;
  }

  @Test
  void aReturnThatWasNotReceivedComesAgainAndNothingIsExecutedTwice() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = staying();
    agent.open(1, server.port());
    agent.call(1, server.tick(), TICK_RETURN_BYTES);
    agent.port().sends(RecordingLinkPort.Sends.STUCK);
    agent.request(1, server.tick());
    TestAgent.awaitThat(() -> server.ticks() == 2 && agent.port().isStuck());

    agent.port().breakStuckSend(new IOException("scripted: broken"));

    assertThat(bed.registry().sessions()).hasSize(1);
    TestAgent again = comeBack(agent, bed.stranger(), agent.port().received());
    again.awaitData(1, TICK_RETURN_BYTES);
    again.call(1, server.tick(), TICK_RETURN_BYTES);
    assertThat(server.ticks()).isEqualTo(3);
    assertThat(bed.registry().sessions()).hasSize(1);
  }

  @Test
  void whatTheServerSaysMeanwhileComesWithTheNextLink() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = staying();
    agent.open(1, server.port());
    agent.call(1, server.tick(), TICK_RETURN_BYTES);
    agent.port().sends(RecordingLinkPort.Sends.STUCK);
    agent.request(1, server.tick());
    TestAgent.awaitThat(() -> agent.port().isStuck());
    long received = agent.port().received();
    loseLink(agent);

    TestAgent again = comeBack(agent, bed.stranger(), received);

    again.awaitData(1, TICK_RETURN_BYTES);
    assertThat(server.ticks()).isEqualTo(2);
  }

  @Test
  void theLatestLinkCounts() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = staying();
    agent.open(1, server.port());

    TestAgent again = comeBack(agent, bed.stranger(), agent.port().received());

    assertThat(agent.port().closed()).isEqualTo(CloseCause.LINK_LOST);
    agent.request(1, server.tick()); // over the one that was given up
    again.call(1, server.tick(), TICK_RETURN_BYTES);
    assertThat(server.ticks()).isEqualTo(1);
  }

  @Test
  void nobodyElseGoesOnWithASession() {
    TestAgent agent = staying();
    loseLink(agent);
    TestAgent other = bed.stranger(new Principal("bob", Principal.Scheme.BASIC));

    other.resume(agent.welcome().session(), agent.port().received());

    assertThat(other.awaitGoodbye().cause()).isEqualTo(CloseCause.UNKNOWN_SESSION);
    assertThat(bed.registry().sessions()).hasSize(1);
  }

  @Test
  void aLoginThatWasRenewedIsTheSamePrincipals() {
    Principal ann = new Principal("carol", Principal.Scheme.BEARER, expiry(1));
    TestAgent agent = bed.stranger(ann);
    agent.helloToStay();
    agent.awaitWelcome();
    loseLink(agent);

    comeBack(
        agent,
        bed.stranger(new Principal("carol", Principal.Scheme.BEARER, expiry(2))),
        agent.port().received());

    assertThat(bed.registry().sessions()).hasSize(1);
  }

  /** What the groups of a session may its agent must not do that has lost one of them. */
  @Test
  void aLoginWithOtherGroupsDoesNotGoOnWithASession() {
    TestAgent agent = bed.stranger(Principal.listed("group:operators"));
    agent.helloToStay();
    agent.awaitWelcome();
    loseLink(agent);
    TestAgent later = bed.stranger(new Principal("group:operators", Principal.Scheme.CONTAINER));

    later.resume(agent.welcome().session(), agent.port().received());

    assertThat(later.awaitGoodbye().cause()).isEqualTo(CloseCause.UNKNOWN_SESSION);
    comeBack(agent, bed.stranger(Principal.listed("group:operators")), agent.port().received());
  }

  @Test
  void whoHasLoggedInAnewGoesOnWhateverBecameOfTheLoginBefore() {
    Principal before = new Principal("carol", Principal.Scheme.BEARER, expiry(1));
    Principal after = new Principal("carol", Principal.Scheme.BEARER, expiry(2));
    TestAgent agent = bed.stranger(before);
    agent.helloToStay();
    agent.awaitWelcome();
    loseLink(agent);
    bed.registry().checkLogins(after::equals);

    comeBack(agent, bed.stranger(after), agent.port().received());
    bed.registry().checkLogins(after::equals);
    agent.session().tick(System.nanoTime());

    assertThat(agent.session().context().standing().loginExpired()).isFalse();
    bed.registry().checkLogins(principal -> false);
    agent.session().tick(System.nanoTime());
    assertThat(agent.session().context().standing().loginExpired()).isTrue();
  }

  private static Optional<Instant> expiry(int hours) {
    return Optional.of(Instant.now().plus(Duration.ofHours(hours)));
  }

  @Test
  void aSessionThatNobodyKnowsIsNotResumed() {
    TestAgent agent = bed.stranger();
    agent.resume(SessionToken.of(new byte[SessionToken.BYTES]), 0);
    assertThat(agent.awaitGoodbye().cause()).isEqualTo(CloseCause.UNKNOWN_SESSION);
  }

  @Test
  void aPositionThatWasNeverReachedIsRefused() {
    TestAgent agent = staying();
    loseLink(agent);
    TestAgent again = bed.stranger();
    again.resume(agent.welcome().session(), agent.port().received() + 1);
    assertThat(again.awaitGoodbye().cause()).isEqualTo(CloseCause.UNKNOWN_SESSION);
  }

  @Test
  void aSessionEndsWhenItsAgentDoesNotComeBackInTime() throws Exception {
    bed.settings(bed.settings().withGrace(Duration.ofMillis(200)));
    LedgerServer server = bed.ledger();
    TestAgent agent = staying();
    assertThat(agent.welcome().properties()).containsEntry(Welcome.GRACE, "200");
    agent.open(1, server.port());
    agent.call(1, server.tick(), TICK_RETURN_BYTES);
    loseLink(agent);
    TestAgent.awaitThat(() -> bed.registry().sessions().isEmpty());
    TestAgent.awaitThat(server::allConnectionsClosed);
  }

  @Test
  void anAgentThatDoesNotAskForItLosesItsSessionWithItsLink() {
    TestAgent agent = bed.agent();
    agent.session().onTransportClosed();
    assertThat(bed.registry().sessions()).isEmpty();
  }

  @Test
  void whatWasNeverSentCannotBeConfirmed() {
    TestAgent agent = staying();
    agent.say(new Ack(agent.port().received() + 1));
    assertThat(agent.awaitGoodbye().cause()).isEqualTo(CloseCause.PROTOCOL_VIOLATION);
  }

  @Test
  void anAgentThatConfirmsNothingIsSentNoMoreThanTheLimit() throws Exception {
    LedgerServer server = bed.ledger();
    TestAgent agent = staying();
    agent.open(1, server.port());
    agent.credit(1, 8 << 20);
    agent.request(1, server.give(4 << 20));
    TestAgent.awaitThat(() -> agent.port().received() >= Tunnel.MAX_UNCONFIRMED_BYTES);
    TestAgent.awaitThat(() -> agent.session().context().outbound().waitingForRoom() == 1);
    assertThat(agent.port().received())
        .isLessThan(Tunnel.MAX_UNCONFIRMED_BYTES + OutboundQueue.FULL_BYTES);
    while (agent.port().dataBytes(1) < (4 << 20)) {
      agent.say(new Ack(agent.port().received()));
    }
  }

  @Test
  void aLostSessionGivesItsPlaceToOneThatIsThere() {
    SessionSettings usual = bed.settings();
    bed.settings(
        new SessionSettings(
            usual.heartbeat(),
            usual.helloTimeout(),
            new SessionSettings.Limits(
                usual.limits().streamCredit(),
                usual.limits().maxStreams(),
                1,
                usual.limits().maxSessions()),
            usual.sendTimeout(),
            usual.grace(),
            SessionSettings.DEFAULTS.choresPerSecond()));
    TestAgent agent = staying();
    loseLink(agent);
    TestAgent next = staying();
    assertThat(bed.registry().sessions()).hasSize(1);
    assertThat(next.port().closed()).isNull();
  }
}
