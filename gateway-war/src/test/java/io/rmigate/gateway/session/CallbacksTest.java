package io.rmigate.gateway.session;

import static io.rmigate.gateway.session.TestAgent.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.rmigate.gateway.callback.CallbackSettings;
import io.rmigate.gateway.callback.InnerPeers;
import io.rmigate.gateway.callback.ListenerView;
import io.rmigate.gateway.callback.port.PortRange;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.tunnel.Accept;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Credit;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Dirty;
import io.rmigate.protocol.tunnel.Drain;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Hold;
import io.rmigate.protocol.tunnel.Listen;
import io.rmigate.protocol.tunnel.Listening;
import io.rmigate.protocol.tunnel.Release;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Unlisten;
import io.rmigate.protocol.tunnel.Welcome;
import io.rmigate.testing.LoopbackPort;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** PROTOCOL.md, section 11, at the gateway. */
class CallbacksTest extends CallbackSides {

  // Messages.

  /** Until its Return begins all bytes belong to a Call, also those that look like a message. */
  @Test
  void theAgentIsToldWhereAnotherMessageBegins() throws Exception {
    TestAgent agent = agent();
    InnerJvm jvm = connect(listen(agent));
    int stream = call(jvm, agent).opened();
    jvm.say(CALL);
    agent.awaitData(stream, 2 * CALL.length);
    assertThat(ends(agent)).isEmpty();
    answer(agent, stream, RETURN);
    assertThat(jvm.read(RETURN.length)).isEqualTo(RETURN);
    jvm.say(Calls.join(Calls.dgcAck(15), CALL));
    agent.awaitData(stream, 3 * CALL.length + 15);
    assertThat(ends(agent))
        .containsExactly(2 * CALL.length, 2 * CALL.length + 15); // how much came before
  }

  /** How many bytes came before each DATA_LAST, on all streams together. */
  private static List<Integer> ends(TestAgent agent) {
    List<Integer> ends = new ArrayList<>();
    int bytes = 0;
    for (RecordingLinkPort.Piece piece : agent.port().pieces()) {
      bytes += piece.bytes();
      if (piece.bytes() == 0) { // a DATA_LAST, and there is no other empty one
        ends.add(bytes);
      }
    }
    return ends;
  }

  // Ports.

  @Test
  void agentsOfferIsTakenWhereTheConfigurationListens() {
    assertThat(agent().welcome().properties()).containsEntry(Welcome.INNER_HOST, "gw.inner");
    bed.callbacks(Optional.empty());
    TestAgent other = bed.stranger();
    other.say(greeting(Set.of(Feature.CALLBACKS), SessionToken.NONE, TestAgent.CREDIT));
    assertThat(other.welcome().features()).isEmpty();
    assertThat(other.welcome().properties()).doesNotContainKey(Welcome.INNER_HOST);
    other.say(new Listen(1, 0));
    assertThat(other.awaitGoodbye().cause()).isEqualTo(CloseCause.PROTOCOL_VIOLATION);
  }

  @Test
  void handshakesAndPingsAreAnsweredHereAndCostTheLinkNothing() throws Exception {
    TestAgent agent = agent();
    int port = listen(agent);
    long before = agent.port().received();
    InnerJvm jvm = connect(port);
    assertThat(jvm.seen()).isEqualTo(new EndpointId("127.0.0.1", jvm.localPort()));
    for (int i = 0; i < 3; i++) {
      assertThat(jvm.ping()).isEqualTo(Jrmp.PING_ACK);
    }
    assertThat(agent.port().received()).isEqualTo(before);
    assertThat(bed.callbacks().listeners())
        .extracting(ListenerView::port, ListenerView::principal, ListenerView::connections)
        .containsExactly(tuple(port, "ann", 1));
  }

  @Test
  void explicitPortIsThatVeryPort() throws Exception {
    int port = LoopbackPort.free();
    settings(
        PortRange.ANY,
        "127.0.0.1",
        List.of(allowance(9, new PortRange(port, port))),
        Duration.ZERO);
    assertThat(listen(agent(), 1, port)).isEqualTo(Listening.on(1, port));
    connect(port);
    assertThat(listen(agent(BOB), 1, port).outcome()).isEqualTo(Listening.Outcome.PORT_IN_USE);
  }

  @Test
  void explicitPortOfAnotherProgramIsInUse() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      settings(
          PortRange.ANY,
          "127.0.0.1",
          List.of(allowance(1, new PortRange(1, 65535))),
          Duration.ZERO);
      TestAgent agent = agent();
      assertThat(listen(agent, 1, port).outcome()).isEqualTo(Listening.Outcome.PORT_IN_USE);
      assertThat(listen(agent, 2, 0).outcome()).isEqualTo(Listening.Outcome.LISTENING);
    }
  }

  @Test
  void policySaysWhichPortsWhoseAndHowMany() throws Exception {
    int port = LoopbackPort.free();
    CallbackSettings.Allowance forAnn = new CallbackSettings.Allowance(Set.of("ann"), 1, List.of());
    settings(PortRange.ANY, "127.0.0.1", List.of(forAnn), Duration.ofHours(1));
    TestAgent ann = agent();
    assertThat(listen(ann, 1, port).outcome()).isEqualTo(Listening.Outcome.NOT_PERMITTED);
    assertThat(listen(ann, 2, 0).outcome()).isEqualTo(Listening.Outcome.LISTENING);
    assertThat(listen(agent(), 1, 0).outcome()).isEqualTo(Listening.Outcome.TOO_MANY);
    assertThat(listen(agent(BOB), 1, 0).outcome()).isEqualTo(Listening.Outcome.NOT_PERMITTED);
    assertThat(listen(ann, 3, 0).text()).startsWith("rmigate: ");
  }

  @Test
  void portsAreThoseOfTheRange() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int others = taken.getLocalPort();
      settings(
          new PortRange(others, others), "127.0.0.1", List.of(allowance(9)), Duration.ofHours(1));
      assertThat(listen(agent(), 1, 0).outcome()).isEqualTo(Listening.Outcome.TOO_MANY);
    }
    int port = LoopbackPort.free();
    settings(new PortRange(port, port), "127.0.0.1", List.of(allowance(9)), Duration.ofHours(1));
    assertThat(listen(agent(), 1, 0)).isEqualTo(Listening.on(1, port));
    assertThat(listen(agent(BOB), 1, 0).outcome()).isEqualTo(Listening.Outcome.TOO_MANY);
  }

  @Test
  void freedPortIsQuarantined() throws Exception {
    int port = LoopbackPort.free();
    settings(
        new PortRange(port, port),
        "127.0.0.1",
        List.of(allowance(9, new PortRange(port, port))),
        Duration.ofHours(1));
    TestAgent ann = agent();
    assertThat(listen(ann, 1, 0).port()).isEqualTo(port);
    ann.say(new Unlisten(1));
    expectNobodyAt(port);
    assertThat(bed.callbacks().quarantined()).containsExactly(port);
    TestAgent bob = agent(BOB);
    assertThat(listen(bob, 1, 0).outcome()).isEqualTo(Listening.Outcome.TOO_MANY);
    assertThat(listen(bob, 2, port).outcome()).isEqualTo(Listening.Outcome.PORT_IN_USE);
  }

  @Test
  void portIsHadAgainAtOnce() throws Exception {
    TestAgent agent = agent();
    int port = listen(agent);
    for (int i = 1; i <= 20; i++) {
      agent.say(new Unlisten(i), new Listen(i + 1, port));
      int next = i + 1;
      awaitThat(() -> answers(agent, next).size() == 1);
      assertThat(answers(agent, next)).containsExactly(Listening.on(next, port));
    }
    call(connect(port), agent);
  }

  @Test
  void sessionOfTheSamePrincipalGetsThePortOfAnEndedOneBack() throws Exception {
    TestAgent first = agent();
    int port = listen(first);
    first.session().end(CloseCause.SILENCE, "");
    expectNobodyAt(port);
    assertThat(listen(agent(BOB), 1, port).outcome()).isEqualTo(Listening.Outcome.NOT_PERMITTED);
    TestAgent again = agent();
    assertThat(listen(again, 1, port)).isEqualTo(Listening.on(1, port));
    call(connect(port), again);
  }

  @Test
  void portsSurviveALostLinkAndWhatInnerJvmsSayMeanwhileWaits() throws Exception {
    TestAgent agent = agent(SessionBed.ANN, Feature.RESUME);
    int port = listen(agent);
    InnerJvm before = connect(port);
    int stream = call(before, agent).opened();
    long received = agent.port().received();
    agent.session().onTransportClosed();
    InnerJvm meanwhile = connect(port);
    meanwhile.dirty(VM, 1, OBJECT);
    meanwhile.say(CALL);
    awaitThat(() -> bed.callbacks().listeners().get(0).calls() == 2);

    TestAgent again = bed.stranger();
    again.resume(agent.welcome().session(), received);

    Accept accept = awaitAccept(again, 0);
    again.awaitData(accept.opened(), CALL.length);
    assertThat(again.port().frames(Hold.class)).hasSize(1);
    answer(again, stream, RETURN);
    answer(again, accept.opened(), RETURN);
    assertThat(before.read(RETURN.length)).isEqualTo(RETURN);
    assertThat(meanwhile.read(RETURN.length)).isEqualTo(RETURN);
  }

  @Test
  void ownerIsWrittenDownBeforeTheAgentIsTold(@TempDir Path state) throws Exception {
    bed.state(state);
    TestAgent agent = agent();
    for (int i = 1; i <= 5; i++) {
      int port = listen(agent, i, 0).port();
      assertThat(Files.readString(state.resolve("callback-ports"))).contains(port + " BASIC+ann\n");
    }
  }

  @Test
  void diskThatTakesNothingHoldsNobodyUp(@TempDir Path directory) throws Exception {
    bed.state(Files.writeString(directory.resolve("state"), "no directory"));
    TestAgent agent = agent();
    call(connect(listen(agent)), agent);
  }

  @Test
  void nobodyListensWhoseLoginIsOver() throws Exception {
    TestAgent agent =
        agent(
            new Principal(
                "ann", Principal.Scheme.BASIC, Optional.of(Instant.now().plusMillis(300))));
    call(connect(listen(agent)), agent);
    awaitThat(() -> agent.session().context().standing().loginExpired());
    assertThat(listen(agent, 2, 0).outcome()).isEqualTo(Listening.Outcome.NOT_PERMITTED);
  }

  @Test
  void agentListensUntilItHasSaidThatItGoesElsewhere() throws Exception {
    TestAgent agent = agent();
    call(connect(listen(agent)), agent);
    agent.session().drain(Duration.ofMinutes(1));
    assertThat(listen(agent, 2, 0).outcome()).isEqualTo(Listening.Outcome.LISTENING);
    agent.say(new Drain(Duration.ZERO));
    assertThat(listen(agent, 3, 0).outcome()).isEqualTo(Listening.Outcome.NOT_PERMITTED);
  }

  // Calls.

  @Test
  void callComesOnAStreamOfItsOwnAndItsReturnGoesBack() throws Exception {
    TestAgent agent = agent();
    int port = listen(agent);
    InnerJvm jvm = connect(port);
    Accept accept = call(jvm, agent);
    assertThat(accept.opened()).isEqualTo(2);
    assertThat(accept.listener()).isEqualTo(1);
    assertThat(accept.peerPort()).isEqualTo(jvm.localPort());
    answer(agent, 2, RETURN);
    assertThat(jvm.read(RETURN.length)).isEqualTo(RETURN);
    assertThat(jvm.ping()).isEqualTo(Jrmp.PING_ACK);
    byte[] ack = Calls.dgcAck(1 + Jrmp.UID_BYTES);
    jvm.say(Calls.join(ack, CALL));
    assertThat(agent.awaitData(2, 2 * CALL.length + ack.length))
        .isEqualTo(Calls.join(CALL, ack, CALL));
    assertThat(agent.port().frames(Accept.class)).hasSize(1);
    assertThat(agent.session().hasCallsInFlight()).isTrue();
    assertThat(bed.callbacks().listeners().get(0).calls()).isEqualTo(2);
  }

  @Test
  void messagesMayComeInSlices() throws Exception {
    TestAgent agent = agent();
    int port = listen(agent);
    InnerJvm jvm = connect(port);
    byte[] said = Calls.join(new byte[] {Jrmp.PING}, Calls.dgcAck(1 + Jrmp.UID_BYTES), CALL);
    for (byte one : said) {
      jvm.say(new byte[] {one});
    }
    assertThat(jvm.next()).isEqualTo(Jrmp.PING_ACK);
    assertThat(agent.awaitData(2, said.length - 1))
        .isEqualTo(Arrays.copyOfRange(said, 1, said.length));
  }

  @Test
  void returnWaitsForDirtiesBeforeIt() throws Exception {
    TestAgent agent = agent(SessionBed.ANN, Feature.LEASES);
    int port = listen(agent);
    InnerJvm jvm = connect(port);
    Accept accept = call(jvm, agent);
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      EndpointId endpoint = new EndpointId("127.0.0.1", silent.getLocalPort());
      agent.say(new Dirty(0, endpoint, List.of(OBJECT)), new Data(accept.opened(), false, RETURN));
      try (var dirtying = silent.accept()) {
        assertThat(dirtying.getInputStream().read()).isEqualTo(0x4A); // and gets no answer
        assertThat(jvm.hasNews()).isFalse();
        assertThat(agent.session().hasCallsInFlight()).isTrue();
      }
    }
    assertThat(jvm.read(RETURN.length)).isEqualTo(RETURN); // the dirty has failed once
  }

  @Test
  void streamIsClosedBehindAReturnThatWaits() throws Exception {
    TestAgent agent = agent(SessionBed.ANN, Feature.LEASES);
    int port = listen(agent);
    InnerJvm jvm = connect(port);
    int stream = call(jvm, agent).opened();
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      EndpointId endpoint = new EndpointId("127.0.0.1", silent.getLocalPort());
      agent.say(
          new Dirty(0, endpoint, List.of(OBJECT)),
          new Data(stream, false, RETURN),
          new Close(stream, CloseCause.DONE));
      agent.awaitClose(stream);
    }
    assertThat(jvm.read(RETURN.length)).isEqualTo(RETURN);
    assertThat(jvm.next()).isEqualTo(-1);
  }

  @Test
  void numberOfAStreamThatBothHaveClosedIsUsedAgain() throws Exception {
    TestAgent agent = agent();
    int port = listen(agent);
    InnerJvm jvm = connect(port);
    int stream = call(jvm, agent).opened();
    jvm.close();
    agent.expectClose(stream, CloseCause.DONE);
    assertThat(call(connect(port), agent).opened()).isEqualTo(4);
    agent.close(2);
    jvm = connect(port);
    jvm.say(CALL);
    assertThat(awaitAccept(agent, 2).opened()).isEqualTo(2);
  }

  @Test
  void agentsCloseEndsTheConnectionBehindTheReturn() throws Exception {
    TestAgent agent = agent();
    int port = listen(agent);
    InnerJvm jvm = connect(port);
    int stream = call(jvm, agent).opened();
    answer(agent, stream, RETURN);
    agent.close(stream);
    agent.expectClose(stream, CloseCause.DONE);
    assertThat(jvm.read(RETURN.length)).isEqualTo(RETURN);
    assertThat(jvm.next()).isEqualTo(-1);
    jvm.close();
    awaitThat(() -> bed.callbacks().listeners().get(0).connections() == 0);
  }

  @Test
  void endOfTheSessionEndsConnectionsAndFreesPorts() throws Exception {
    TestAgent agent = agent();
    int port = listen(agent);
    InnerJvm resting = connect(port);
    InnerJvm waiting = connect(port);
    call(waiting, agent);
    agent.session().end(CloseCause.DONE, "");
    assertThat(waiting.thrown()).hasMessageContaining("may have been executed");
    assertThat(waiting.next()).isEqualTo(-1);
    assertThat(resting.next()).isEqualTo(-1);
    expectNobodyAt(port);
    assertThat(bed.callbacks().listeners()).isEmpty();
  }

  @Test
  void connectionsOutliveTheirListener() throws Exception {
    TestAgent agent = agent();
    int port = listen(agent);
    InnerJvm jvm = connect(port);
    int stream = call(jvm, agent).opened();
    agent.say(new Unlisten(1));
    expectNobodyAt(port);
    answer(agent, stream, RETURN);
    assertThat(jvm.read(RETURN.length)).isEqualTo(RETURN);
    jvm.say(CALL);
    agent.awaitData(stream, 2 * CALL.length);
  }

  @Test
  void neitherSideSendsBeyondItsCredit() throws Exception {
    int credit = 100_000;
    TestAgent agent = agent(SessionBed.ANN, credit);
    int port = listen(agent);
    InnerJvm jvm = connect(port);
    byte[] large = Calls.method(OBJECT, "take([B)V", out -> out.writeObject(new byte[300_000]));
    Thread saying =
        new Thread(
            () -> {
              try {
                jvm.say(large);
              } catch (java.io.IOException closed) {
                throw new java.io.UncheckedIOException(closed);
              }
            });
    saying.start();
    agent.awaitData(2, credit);
    agent.credit(2, credit);
    agent.awaitData(2, 2 * credit);
    agent.credit(2, 2 * credit);
    assertThat(agent.awaitData(2, large.length)).isEqualTo(large);
    saying.join();

    byte[] most = new byte[Tunnel.MAX_BODY_BYTES];
    int window = bed.settings().limits().streamCredit();
    for (int sent = 0; sent < 3 * window; sent += most.length) {
      answer(agent, 2, most);
      jvm.read(most.length);
      int all = sent + most.length;
      awaitThat(() -> all - agent.creditGiven(2) <= window / 2);
    }
    assertThat(agent.creditGiven(2)).isLessThanOrEqualTo(3L * window);
    for (int i = 0; i <= window / most.length; i++) {
      answer(
          agent, 2, most); // the client reads none of them, but the operating system may take some
    }
  }

  @Test
  void moreThanTheCreditIsAViolation() throws Exception {
    TestAgent agent = agent(SessionBed.ANN, Feature.LEASES);
    int port = listen(agent);
    InnerJvm jvm = connect(port);
    call(jvm, agent);
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      agent.say(new Dirty(0, new EndpointId("127.0.0.1", silent.getLocalPort()), List.of(OBJECT)));
      for (int i = 0; i <= bed.settings().limits().streamCredit() / Tunnel.MAX_BODY_BYTES; i++) {
        answer(agent, 2, new byte[Tunnel.MAX_BODY_BYTES]); // all held behind the dirty
      }
      assertThat(agent.awaitGoodbye().cause()).isEqualTo(CloseCause.PROTOCOL_VIOLATION);
    }
  }

  // References.

  @Test
  void dirtyIsAnsweredHereAndHoldComesBeforeWhatTheJvmSaysNext() throws Exception {
    TestAgent agent = agent();
    InnerJvm jvm = connect(listen(agent));
    assertThat(jvm.dirty(VM, 1, OBJECT).durationMillis())
        .isEqualTo(CallbackSettings.LEASE.toMillis());
    call(jvm, agent);
    assertThat(frames(agent, Hold.class, Accept.class))
        .extracting(Frame::type)
        .extracting(Enum::name)
        .containsExactly("HOLD", "ACCEPT");
    assertThat(agent.port().frames(Hold.class)).containsExactly(new Hold(1, List.of(OBJECT)));
    assertThat(bed.callbacks().listeners().get(0).held()).isEqualTo(1);
  }

  @Test
  void renewalsAndFurtherHoldersCostTheLinkNothing() throws Exception {
    TestAgent agent = agent();
    int port = listen(agent);
    InnerJvm jvm = connect(port);
    jvm.dirty(VM, 1, OBJECT);
    awaitThat(() -> agent.port().frames(Hold.class).size() == 1);
    long before = agent.port().received();
    jvm.dirty(VM, 2);
    connect(port).dirty(new VmIdentifier(9, 9, 9, (short) 9), 1, OBJECT);
    jvm.clean(VM, 3, false, OBJECT);
    assertThat(agent.port().received()).isEqualTo(before);
    call(jvm, agent); // all earlier frames have come by now
    assertThat(frames(agent, Hold.class, Release.class)).hasSize(1);
  }

  @Test
  void lastCleanReleases() throws Exception {
    TestAgent agent = agent();
    InnerJvm jvm = connect(listen(agent));
    jvm.dirty(VM, 1, OBJECT);
    jvm.clean(VM, 2, false, OBJECT);
    jvm.dirty(VM, 3, OBJECT);
    jvm.clean(VM, 4, true, OBJECT);
    awaitThat(() -> frames(agent, Hold.class, Release.class).size() == 4);
    assertThat(frames(agent, Hold.class, Release.class))
        .containsExactly(
            new Hold(1, List.of(OBJECT)),
            new Release(1, List.of(OBJECT)),
            new Hold(1, List.of(OBJECT)),
            new Release(1, List.of(OBJECT)));
  }

  @Test
  void jvmThatRenewsWhatAnEarlierSessionHasHeldIsMadeToNameIt() throws Exception {
    TestAgent agent = agent();
    int port = listen(agent);
    InnerJvm jvm = connect(port);
    assertThat(jvm.dirty(VM, 5).durationMillis()).isEqualTo(1);
    jvm.say(new DgcCall.Dirty(List.of(), 6, Optional.of(VM), 1).encode());
    assertThat(jvm.next()).isEqualTo(-1);
    assertThat(connect(port).dirty(VM, 7, OBJECT).durationMillis()).isGreaterThan(1);
    awaitThat(() -> agent.port().frames(Hold.class).size() == 1);
  }

  @Test
  void cleanBeforeDirtyIsIgnored() throws Exception {
    TestAgent agent = agent();
    InnerJvm jvm = connect(listen(agent));
    jvm.clean(VM, 7, false, OBJECT);
    call(jvm, agent); // all earlier frames have come by now
    assertThat(frames(agent, Hold.class, Release.class)).isEmpty();
  }

  @Test
  void leaseThatIsNotRenewedReleases() throws Exception {
    CallbackSettings usual = SessionBed.LISTENING;
    bed.callbacks(
        Optional.of(
            new CallbackSettings(
                usual.address(),
                usual.host(),
                usual.ports(),
                usual.from(),
                usual.allow(),
                usual.connections(),
                Duration.ofMillis(1))));
    TestAgent agent = agent();
    InnerJvm jvm = connect(listen(agent));
    jvm.dirty(VM, 1, OBJECT);
    awaitThat(() -> agent.port().frames(Release.class).size() == 1);
    assertThat(bed.callbacks().listeners().get(0).holders()).isZero();
  }

  @Test
  void manyObjectsAreHeldInSeveralFramesBeforeTheAnswer() throws Exception {
    TestAgent agent = agent();
    InnerJvm jvm = connect(listen(agent));
    ObjIdentifier[] many =
        IntStream.range(0, 1200)
            .mapToObj(i -> new ObjIdentifier(i, 1, 2, (short) 3))
            .toArray(ObjIdentifier[]::new);
    jvm.dirty(VM, 1, many);
    awaitThat(() -> agent.port().frames(Hold.class).size() == 3);
    assertThat(agent.port().frames(Hold.class).stream().flatMap(hold -> hold.objects().stream()))
        .containsExactly(many);
  }

  // Who connects.

  @Test
  void onlyListedHostsMayConnect() throws Exception {
    settings(PortRange.ANY, "10.0.0.0/8", List.of(allowance(9)), Duration.ZERO);
    TestAgent agent = agent();
    int port = listen(agent);
    InnerJvm jvm = keep(InnerJvm.silent(port));
    assertThat(jvm.next()).isEqualTo(-1);
    settings(PortRange.ANY, "127.0.0.0/8", List.of(allowance(9)), Duration.ZERO); // a reload
    call(connect(port), agent);
    assertThat(frames(agent, Accept.class)).hasSize(1);
  }

  @Test
  void listenersMayBeOnIpv6() throws Exception {
    byte[] loopback = new byte[16];
    loopback[15] = 1;
    InetAddress here = InetAddress.getByAddress(loopback);
    assumeThat(NetworkInterface.getByInetAddress(here)).isNotNull();
    CallbackSettings usual = SessionBed.LISTENING;
    bed.callbacks(
        Optional.of(
            new CallbackSettings(
                here,
                usual.host(),
                usual.ports(),
                InnerPeers.of(List.of("::/64")),
                usual.allow(),
                usual.connections(),
                usual.lease())));
    TestAgent agent = agent();
    InnerJvm jvm = keep(InnerJvm.connect(here, listen(agent)));
    assertThat(jvm.seen().host()).isEqualTo(here.getHostAddress());
    int stream = call(jvm, agent).opened();
    answer(agent, stream, RETURN);
    assertThat(jvm.read(RETURN.length)).isEqualTo(RETURN);
  }

  @Test
  void loopbackIsNeverToldToTheAgent() throws Exception {
    TestAgent agent = agent();
    Accept accept = call(connect(listen(agent)), agent);
    assertThat(accept.peer().isAnyLocalAddress()).isTrue();
  }

  @Test
  void peerOfAnotherClientIsNeverLoopback() throws Exception {
    settings(PortRange.ANY, "10.0.0.0/8", List.of(allowance(9)), Duration.ZERO);
    bed.policy(new TargetGrant(Set.of("*"), List.of("gw.inner:*"), SessionBed.READING));
    TestAgent ann = agent();
    int port = listen(ann);
    TestAgent bob = agent(BOB); // whose link comes from 192.0.2.1
    bob.open(1, "gw.inner", port); // a name that cannot be resolved
    bob.request(1, CALL);
    Accept accept = awaitAccept(ann, 0);
    assertThat(accept.peer()).isEqualTo(InetAddress.getByName("192.0.2.1"));
    assertThat(ann.awaitData(accept.opened(), CALL.length)).isEqualTo(CALL);
    answer(ann, accept.opened(), RETURN);
    assertThat(bob.awaitData(1, RETURN.length)).isEqualTo(RETURN);
  }

  @Test
  void callOfAnotherClientThatHasNoKnownEndArrivesToo() throws Exception {
    bed.policy(new TargetGrant(Set.of("*"), List.of("gw.inner:*"), SessionBed.READING));
    TestAgent ann = agent();
    int port = listen(ann);
    TestAgent bob = agent(BOB);
    bob.open(1, "gw.inner", port);
    byte[] large = Calls.method(OBJECT, "take([B)V", out -> out.writeObject(new byte[100_000]));
    bob.request(1, large);
    Accept accept = awaitAccept(ann, 0);
    assertThat(ann.awaitData(accept.opened(), large.length)).isEqualTo(large);
    answer(ann, accept.opened(), RETURN);
    assertThat(bob.awaitData(1, RETURN.length)).isEqualTo(RETURN);
    assertThat(bed.isolatedCalls()).isEqualTo(1);
  }

  @Test
  void leaseOfAnotherClientIsHeldAtTheListener() throws Exception {
    bed.policy(new TargetGrant(Set.of("*"), List.of("gw.inner:*"), SessionBed.READING));
    TestAgent ann = agent();
    int port = listen(ann);
    TestAgent bob = agent(BOB, Feature.LEASES);
    bob.say(new Dirty(0, new EndpointId("gw.inner", port), List.of(OBJECT)));
    awaitThat(() -> ann.port().frames(Hold.class).size() == 1);
    assertThat(ann.port().frames(Accept.class)).isEmpty();
    bob.session().end(CloseCause.DONE, "");
    awaitThat(() -> ann.port().frames(Release.class).size() == 1);
  }

  @Test
  void callOfAnotherClientMakesNoConnectionOnTheInnerNetwork() throws Exception {
    CallbackSettings usual = SessionBed.LISTENING;
    bed.callbacks(
        Optional.of(
            new CallbackSettings(
                InetAddress.getByName("127.0.0.9"),
                "127.0.0.1", // where another program listens at the same port
                usual.ports(),
                usual.from(),
                usual.allow(),
                usual.connections(),
                usual.lease())));
    TestAgent ann = agent();
    int port = listen(ann);
    TestAgent bob = agent(BOB, Feature.LEASES);
    try (ServerSocket network = new ServerSocket(port, 9, InetAddress.getLoopbackAddress())) {
      network.setSoTimeout(1);
      bob.open(1, "127.0.0.1", port);
      bob.request(1, CALL);
      bob.say(new Dirty(0, new EndpointId("127.0.0.1", port), List.of(OBJECT)));
      Accept accept = awaitAccept(ann, 0);
      assertThat(ann.awaitData(accept.opened(), CALL.length)).isEqualTo(CALL);
      answer(ann, accept.opened(), RETURN);
      assertThat(bob.awaitData(1, RETURN.length)).isEqualTo(RETURN);
      awaitThat(() -> ann.port().frames(Hold.class).size() == 1);
      assertThatThrownBy(network::accept).isInstanceOf(SocketTimeoutException.class);
    }
  }

  @Test
  void policyHoldsForListenersOfOthers() throws Exception {
    TestAgent ann = agent();
    int port = listen(ann);
    TestAgent bob = agent(BOB);
    bob.open(1, "gw.inner", port);
    bob.request(1, CALL);
    bob.awaitRefused(1, 0);
    assertThat(ann.port().frames(Accept.class)).isEmpty();
  }

  // What is not JRMP, or not ours.

  @ParameterizedTest
  @ValueSource(strings = {"GET / HTTP/1.1\r\n\r\n", "JRMI\0\2Kxx", "R"})
  void whoDoesNotSpeakJrmpIsEnded(String said) throws Exception {
    TestAgent agent = agent();
    InnerJvm jvm = keep(InnerJvm.silent(listen(agent)));
    byte[] bytes = said.getBytes(StandardCharsets.ISO_8859_1);
    jvm.say(bytes);
    if (bytes.length > 7 && bytes[6] == Jrmp.STREAM_PROTOCOL) {
      jvm.say(new byte[] {(byte) 0xFF, (byte) 0xFF});
      assertThat(jvm.next()).isEqualTo(Jrmp.PROTOCOL_ACK);
      jvm.read(2 + "127.0.0.1".length() + 4);
    }
    assertThat(jvm.next()).isEqualTo(-1);
    assertThat(agent.port().frames(Accept.class)).isEmpty();
  }

  @Test
  void multiplexProtocolIsNotSupported() throws Exception {
    InnerJvm jvm = keep(InnerJvm.silent(listen(agent())));
    jvm.header(Jrmp.MULTIPLEX_PROTOCOL);
    assertThat(jvm.next()).isEqualTo(Jrmp.PROTOCOL_NOT_SUPPORTED);
    assertThat(jvm.next()).isEqualTo(-1);
  }

  @Test
  void singleOpTakesOneMessage() throws Exception {
    TestAgent agent = agent();
    InnerJvm jvm = keep(InnerJvm.silent(listen(agent)));
    jvm.header(Jrmp.SINGLE_OP_PROTOCOL);
    int stream = call(jvm, agent).opened();
    jvm.say(CALL); // belongs to the Call before, as far as anybody can tell
    agent.awaitData(stream, 2 * CALL.length);
    answer(agent, stream, RETURN);
    assertThat(jvm.read(RETURN.length)).isEqualTo(RETURN);
    assertThat(jvm.next()).isEqualTo(-1);
    agent.expectClose(stream, CloseCause.DONE);
  }

  @Test
  void singleOpEndsWithItsReturnInWhateverPiecesThatComes() throws Exception {
    TestAgent agent = agent();
    int port = listen(agent);
    for (byte[] whole : List.of(Calls.returned("a value"), Calls.thrown(new Exception("it")))) {
      for (int cut = 23; cut < whole.length; cut += 7) { // header and value come in one piece
        int number = agent.port().frames(Accept.class).size();
        InnerJvm jvm = keep(InnerJvm.silent(port));
        jvm.header(Jrmp.SINGLE_OP_PROTOCOL);
        jvm.say(CALL);
        int stream = awaitAccept(agent, number).opened();
        answer(agent, stream, Arrays.copyOf(whole, cut));
        assertThat(jvm.read(cut)).hasSize(cut);
        answer(agent, stream, Arrays.copyOfRange(whole, cut, whole.length));
        assertThat(jvm.read(whole.length - cut)).hasSize(whole.length - cut);
        assertThat(jvm.next()).isEqualTo(-1);
      }
    }
  }

  @Test
  void messageThatIsNoneEndsTheConnectionAndTheStream() throws Exception {
    TestAgent agent = agent();
    InnerJvm jvm = connect(listen(agent));
    int stream = call(jvm, agent).opened();
    answer(agent, stream, RETURN);
    jvm.read(RETURN.length);
    jvm.say(new byte[] {0x7F});
    assertThat(jvm.next()).isEqualTo(-1);
    agent.expectClose(stream, CloseCause.BAD_REQUEST);
  }

  @Test
  void callsOfTheCollectorThatAreNoneEndTheConnection() throws Exception {
    TestAgent agent = agent();
    InnerJvm jvm = connect(listen(agent));
    jvm.say(Calls.call(ObjIdentifier.DGC, 5, 0, out -> out.writeObject("no")));
    assertThat(jvm.next()).isEqualTo(-1);
    assertThat(agent.port().frames(Accept.class)).isEmpty();
  }

  @Test
  void framesThatAreWrongAreViolations() {
    expectViolation(List.of(new Unlisten(1)), "the number of a listener, got 1");
    expectViolation(List.of(new Listen(1, 0), new Listen(1, 0)), "got 1 again");
    expectViolation(List.of(new Listen(2, 0), new Listen(1, 0)), "got 1 again");
    expectViolation(List.of(new Data(2, false, new byte[1])), "DATA on an open stream");
    expectViolation(List.of(new Credit(4, 1)), "CREDIT on an open stream, got stream 4");
    expectViolation(List.of(new Hold(1, List.of(OBJECT))), "no HOLD from an agent");
    expectViolation(List.of(Listening.on(1, 2)), "no LISTENING from an agent");
  }

  private void expectViolation(List<Frame> frames, String named) {
    TestAgent agent = agent();
    agent.say(frames.toArray(Frame[]::new));
    assertThat(agent.awaitGoodbye().text()).contains(named);
  }

  @Test
  void endOfARequestIsNoBusinessOfAnAcceptor() throws Exception {
    TestAgent agent = agent();
    int stream = call(connect(listen(agent)), agent).opened();
    agent.say(new Data(stream, true, new byte[0]));
    assertThat(agent.awaitGoodbye().cause()).isEqualTo(CloseCause.PROTOCOL_VIOLATION);
  }
}
