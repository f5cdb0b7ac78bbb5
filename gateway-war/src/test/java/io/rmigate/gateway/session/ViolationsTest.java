package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.quota.Share;
import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Credit;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Drain;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.protocol.tunnel.HeartbeatAck;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.Refused;
import io.rmigate.protocol.tunnel.ReturnEnd;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Welcome;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** PROTOCOL.md, section 13, as far as an agent can commit it: each ends the session by its name. */
class ViolationsTest {
  private static final Open OPEN = new Open(1, "127.0.0.1", 1, Duration.ZERO, Duration.ZERO);

  @RegisterExtension final SessionBed bed = new SessionBed();

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          an unknown type                     | 7f0000             | got 0x7f
          type zero                           | 000000             | got 0x00
          a DRAIN that was not asked for      | 07000100           | no DRAIN
          an ACK without resume               | 06000100           | no ACK
          DIRTY without the feature           | 20001b 0001610001 00000000000000000000000000000000000000000000 | DIRTY
          LEASED from an agent                | 230003050000       | LEASED
          LISTEN without the feature          | 30000301 0000      | LISTEN
          GRANT without the feature           | 380006 016100010051 | GRANT
          CODED without a coding              | 400000             | CODED
          a body longer than allowed          | 11018180 01        | 0x4000
          a length of four bytes              | 110180808001       | 0x4000
          a body shorter than its fields      | 150100             | expected
          a body longer than its fields       | 0400020101         | HEARTBEAT
          a superfluous byte in a field       | 0400028100         | superfluous
          a superfluous byte in a stream      | 11810000           | superfluous
          a superfluous byte in a length      | 11018000           | superfluous
          a stream number beyond the largest  | 1180808080 0100    | stream
          a session frame on a stream         | 04010101           | HEARTBEAT on stream 0
          a stream frame on the session       | 110000             | DATA on a stream
          text that is not UTF-8              | 100106 01ff04010000 | UTF-8
          OPEN without a host                 | 100105 0004010000  | host
          OPEN of port 0                      | 100106 016100000000 | port
          text beyond 1024 bytes              | 100103 811000      | 0x400
          an unknown close cause              | 16010120           | 0x20
          """)
  void aFrameThatIsNoneEndsTheSession(String what, String hex, String named) {
    TestAgent agent = bed.agent();
    agent.sayBytes(HexFormat.of().parseHex(hex.replace(" ", "")));
    expectViolation(agent, named);
  }

  @Test
  void aFrameThatIsNoneEndsTheSessionAsSoonAsItsHeaderIsThere() {
    TestAgent agent = bed.agent();
    for (byte one : HexFormat.of().parseHex("1101818001")) { // and no body
      agent.sayBytes(new byte[] {one});
    }
    expectViolation(agent, "0x4000");
  }

  static Stream<Arguments> wrongFrames() {
    return Stream.of(
        Arguments.of(TestAgent.greeting(1, 1, 1), "HELLO"),
        Arguments.of(
            new Welcome(
                1,
                Set.of(),
                SessionToken.of(new byte[32]),
                0,
                1,
                1,
                Duration.ofSeconds(1),
                Welcome.IDENTITY,
                Map.of()),
            "WELCOME"),
        Arguments.of(new Drain(Duration.ofSeconds(1)), "DRAIN"),
        Arguments.of(new ReturnEnd(1, 1), "RETURN_END"),
        Arguments.of(new Refused(1, 1, RefusalReason.NOT_JRMP, ""), "REFUSED"),
        Arguments.of(new Open(2, "127.0.0.1", 1, Duration.ZERO, Duration.ZERO), "odd number"),
        Arguments.of(OPEN, "stream number, got 1"),
        Arguments.of(new Data(3, false, new byte[1]), "DATA on an open stream, got stream 3"),
        Arguments.of(new Data(3, true, new byte[0]), "DATA_LAST on an open stream, got stream 3"),
        Arguments.of(new Credit(3, 1), "CREDIT on an open stream, got stream 3"),
        Arguments.of(new Close(3, CloseCause.DONE), "CLOSE on an open stream, got stream 3"),
        Arguments.of(new Credit(1, Tunnel.MAX_CREDIT_BYTES), "2^30"));
  }

  @ParameterizedTest
  @MethodSource("wrongFrames")
  void aFrameThatMustNotComeNowEndsTheSession(Frame frame, String named) {
    TestAgent agent = bed.agent();
    agent.say(OPEN);
    agent.say(frame);
    expectViolation(agent, named);
  }

  static Stream<Frame> framesBeforeHello() {
    return Stream.of(
        new Heartbeat(1),
        new HeartbeatAck(1),
        new Goodbye(CloseCause.DONE, ""),
        OPEN,
        new Data(1, true, new byte[1]),
        new Credit(1, 1),
        new Close(1, CloseCause.DONE));
  }

  @ParameterizedTest
  @MethodSource("framesBeforeHello")
  void nothingComesBeforeHello(Frame frame) {
    TestAgent agent = bed.stranger();
    agent.say(frame);
    expectViolation(agent, "HELLO");
  }

  @Test
  void aHelloWithoutTheMagicEndsTheSession() {
    TestAgent agent = bed.stranger();
    agent.sayBytes(HexFormat.of().parseHex("01000c474554200101000000000000"));
    expectViolation(agent, "0x524d4947");
  }

  @Test
  void aClosedStreamTakesNothing() {
    TestAgent agent = bed.agent();
    agent.say(OPEN, new Close(1, CloseCause.DONE), new Data(1, true, new byte[1]));
    expectViolation(agent, "DATA_LAST on an open stream, got stream 1");
  }

  @Test
  void aStreamIsClosedOnce() {
    TestAgent agent = bed.agent();
    agent.say(OPEN, new Close(1, CloseCause.DONE), new Close(1, CloseCause.DONE));
    expectViolation(agent, "CLOSE on an open stream, got stream 1");
  }

  @Test
  void dataBeyondTheCreditEndTheSession() {
    bed.relaySettings(
        new RelaySettings(
            Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(1), 1 << 20, 1));
    TestAgent agent = bed.agent();
    agent.say(OPEN);
    // One request, held back until its end: nothing of it is disposed of.
    for (int left = bed.settings().limits().streamCredit();
        left > 0;
        left -= Tunnel.MAX_BODY_BYTES) {
      agent.part(1, new byte[Tunnel.MAX_BODY_BYTES]);
    }
    assertThat(agent.port().closed()).isNull();
    agent.part(1, new byte[1]);
    expectViolation(agent, "credit on stream 1");
  }

  @Test
  void streamsBeyondTheAgreedNumberEndTheSession() {
    SessionSettings usual = SessionSettings.DEFAULTS;
    bed.settings(
        new SessionSettings(
            usual.heartbeat(),
            usual.helloTimeout(),
            new SessionSettings.Limits(1024, 4, 10, 10),
            usual.sendTimeout(),
            Duration.ZERO,
            SessionSettings.DEFAULTS.choresPerSecond()));
    TestAgent agent = bed.agent();
    for (int stream = 1; stream <= 7; stream += 2) {
      agent.open(stream, 1);
    }
    assertThat(agent.port().closed()).isNull();
    agent.open(9, 1);
    expectEnd(agent, CloseCause.TOO_MANY_STREAMS, "at most 4 open streams");
  }

  @Test
  void streamsOfAllSessionsOfAPrincipalTakeRoomAndWhoHasNoneOpensFew() {
    TestAgent first = bed.agent();
    TestAgent second = bed.agent();
    Share room =
        bed.registry().share(first.session().context().standing().caller()).room().streams();
    openMany(first, 100);
    openMany(second, 100);
    long eachTime = (100L - SessionStreams.FREE_STREAMS) * SessionStreams.STREAM_BYTES;
    assertThat(room.taken()).isBetween(2 * eachTime, 3 * eachTime);
    first.close(1);
    first.open(1, 1);
    assertThat(room.taken()).isBetween(2 * eachTime, 3 * eachTime);
    first.session().end(CloseCause.DONE, "");
    assertThat(room.taken()).isBetween(eachTime, 2 * eachTime);
    while (room.take(1 << 20)) {
      // as other sessions would
    }
    while (room.take(1)) {
      // to the last
    }
    TestAgent third = bed.agent();
    openMany(third, SessionStreams.FREE_STREAMS);
    assertThat(third.port().closed()).isNull();
    TestAgent bob = bed.stranger(new Principal("bob", Principal.Scheme.BASIC));
    bob.hello();
    bob.awaitWelcome();
    openMany(bob, 100);
    assertThat(bob.port().closed()).isNull();
    for (int stream = 101; third.port().closed() == null && stream < 201; stream += 2) {
      third.open(stream, 1);
    }
    expectEnd(third, CloseCause.TOO_MANY_STREAMS, "in all sessions of this login");
  }

  private static void openMany(TestAgent agent, int many) {
    for (int i = 0; i < many; i++) {
      agent.open(2 * i + 1, 1);
    }
  }

  @Test
  void aViolationEndsEverythingOfItsSessionAndNothingOfOthers() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    TestAgent bad = bed.agent();
    TestAgent good = bed.agent();
    bad.open(1, server.port());
    bad.call(1, Calls.list(), 22);
    good.open(1, server.port());
    good.call(1, Calls.list(), 22);
    bad.sayBytes(new byte[] {0});
    expectViolation(bad, "got 0x00");
    TestAgent.awaitThat(server.connections().get(0)::ended);
    good.call(1, Calls.list(), 22);
    assertThat(bed.registry().sessions()).hasSize(1);
  }

  @Test
  void nothingIsReadBehindAViolation() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    TestAgent agent = bed.agent();
    agent.open(1, server.port());
    agent.sayBytes(new byte[] {0});
    agent.request(1, Calls.list());
    expectViolation(agent, "got 0x00");
    assertThat(server.connections()).isEmpty();
  }

  private void expectViolation(TestAgent agent, String named) {
    expectEnd(agent, CloseCause.PROTOCOL_VIOLATION, named);
  }

  private void expectEnd(TestAgent agent, CloseCause cause, String named) {
    Goodbye goodbye = agent.awaitGoodbye();
    assertThat(goodbye.cause()).isEqualTo(cause);
    assertThat(goodbye.text()).startsWith("expected").contains(named);
    assertThat(agent.port().closed()).isEqualTo(cause);
    assertThat(bed.registry().sessions())
        .noneMatch(view -> view.id().equals(agent.session().view().id()));
    assertThat(agent.port().frames().get(agent.port().frames().size() - 1)).isEqualTo(goodbye);
  }
}
