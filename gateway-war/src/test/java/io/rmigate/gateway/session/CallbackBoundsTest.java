package io.rmigate.gateway.session;

import static io.rmigate.gateway.session.TestAgent.awaitThat;
import static io.rmigate.testing.Patience.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.callback.CallbackMeters;
import io.rmigate.gateway.callback.CallbackSettings;
import io.rmigate.gateway.callback.InnerPeers;
import io.rmigate.gateway.callback.ListenerView;
import io.rmigate.gateway.callback.SessionCallbacks;
import io.rmigate.gateway.callback.port.PortRange;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.VmIdentifier;
import io.rmigate.protocol.jrmp.message.DgcCall;
import io.rmigate.protocol.tunnel.Accept;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Dirty;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Hold;
import io.rmigate.protocol.tunnel.Listen;
import io.rmigate.protocol.tunnel.Listening;
import io.rmigate.protocol.tunnel.Release;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Unlisten;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What neither an agent nor an inner host can have of the gateway beyond its bound. */
class CallbackBoundsTest extends CallbackSides {
  private final Map<String, Integer> refused = new ConcurrentHashMap<>();
  private final AtomicInteger heldObjects = new AtomicInteger();

  private void bounds(int maxConnections, int inAll, Duration lease) {
    bed.callbacks(
        Optional.of(
            new CallbackSettings(
                InetAddress.getLoopbackAddress(),
                "gw.inner",
                new CallbackSettings.ListenerPorts(PortRange.ANY, Duration.ZERO),
                InnerPeers.of(List.of("127.0.0.*")),
                List.of(allowance(9)),
                new CallbackSettings.ConnectionLimits(maxConnections, inAll),
                lease)));
    bed.callbackMeters(
        new CallbackMeters() {
          @Override
          public void refused(String reason) {
            refused.merge(reason, 1, Integer::sum);
          }

          @Override
          public void callbackObjects(int change) {
            heldObjects.addAndGet(change);
          }
        });
  }

  private void bounds(int maxConnections, int inAll) {
    bounds(maxConnections, inAll, CallbackSettings.LEASE);
  }

  private void expectEnded(int host, int port) throws Exception {
    InetAddress from = InetAddress.getByName("127.0.0." + host);
    assertThat(keep(InnerJvm.silentFrom(from, port)).next()).isEqualTo(-1);
  }

  // Connections.

  @Test
  void oneHostDoesNotGetAllConnectionsOfASession() throws Exception {
    bounds(10, 1000);
    int port = listen(agent());
    for (int i = 0; i < 8; i++) {
      assertThat(connectFrom(1, port).ping()).isEqualTo(Jrmp.PING_ACK);
    }
    expectEnded(1, port);
    assertThat(connectFrom(2, port).ping()).isEqualTo(Jrmp.PING_ACK);
    assertThat(connectFrom(3, port).ping()).isEqualTo(Jrmp.PING_ACK);
    expectEnded(4, port);
    assertThat(refused).containsEntry("callback-limit", 2);
    inner.get(0).close();
    awaitThat(() -> connections() == 9);
    assertThat(connectFrom(4, port).ping()).isEqualTo(Jrmp.PING_ACK);
  }

  @Test
  void connectionsToAllSessionsAreBoundedTogether() throws Exception {
    bounds(1000, 4);
    int ann = listen(agent());
    int bob = listen(agent(BOB));
    connectFrom(1, ann);
    connectFrom(1, bob);
    connectFrom(1, bob);
    expectEnded(1, ann);
    connectFrom(2, ann);
    expectEnded(3, bob);
    inner.get(0).close();
    awaitThat(() -> connections() == 3);
    connectFrom(3, bob);
  }

  private int connections() {
    return bed.callbacks().listeners().stream().mapToInt(ListenerView::connections).sum();
  }

  @Test
  void streamBehindADirtyKeepsItsPlaceUntilThatIsDone() throws Exception {
    TestAgent agent = agent(SessionBed.ANN, Feature.LEASES);
    InnerJvm jvm = connect(listen(agent));
    int stream = call(jvm, agent).opened();
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      agent.say(dirtyAt(silent), new Data(stream, false, RETURN));
      agent.say(new Close(stream, CloseCause.DONE));
      agent.awaitClose(stream);
      jvm.close();
      connect(bed.callbacks().listeners().get(0).port()).say(CALL);
      assertThat(awaitAccept(agent, 1).opened()).isEqualTo(stream); // the number is free
      assertThat(connections()).isEqualTo(2);
    }
    awaitThat(() -> connections() == 1);
  }

  private static Dirty dirtyAt(ServerSocket server) {
    return new Dirty(0, new EndpointId("127.0.0.1", server.getLocalPort()), List.of(OBJECT));
  }

  // Bytes.

  @Test
  void hostForWhichMostWaitsLosesItsConnectionBeyondTheBudget() throws Exception {
    bounds(1000, 1000);
    TestAgent agent = agent(SessionBed.ANN, Feature.LEASES);
    int port = listen(agent);
    InnerJvm modest = connectFrom(2, port);
    int modestStream = call(modest, agent).opened();
    List<Integer> greedy = new ArrayList<>();
    for (int i = 0; i <= 32 * 1024 * 1024 / bed.settings().limits().streamCredit(); i++) {
      greedy.add(call(connectFrom(1, port), agent).opened());
    }
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      agent.say(dirtyAt(silent), new Data(modestStream, false, RETURN));
      byte[] piece = new byte[Tunnel.MAX_BODY_BYTES];
      for (int stream : greedy) {
        for (int i = 0; i < bed.settings().limits().streamCredit() / piece.length; i++) {
          answer(agent, stream, piece);
        }
      }
      awaitThat(() -> !agent.port().frames(Close.class).isEmpty());
      List<Close> closed = agent.port().frames(Close.class);
      assertThat(closed).hasSizeBetween(1, 2).noneMatch(close -> close.stream() == modestStream);
      assertThat(closed).extracting(Close::cause).containsOnly(CloseCause.SLOW_LINK);
      assertThat(refused).containsEntry("callback-waiting", closed.size());
    }
    assertThat(modest.read(RETURN.length)).isEqualTo(RETURN);
  }

  @Test
  void whoDoesNotReadIsNotAnswered() throws Exception {
    int port = listen(agent());
    connect(port); // the listener has begun
    try (SocketChannel channel = SocketChannel.open()) {
      channel.setOption(StandardSocketOptions.SO_RCVBUF, 4 * 1024);
      channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      channel.configureBlocking(false);
      ByteBuffer preamble = ByteBuffer.allocate(64);
      preamble.putInt(Jrmp.MAGIC).putShort((short) Jrmp.VERSION).put((byte) Jrmp.STREAM_PROTOCOL);
      preamble.putShort((short) 0).putInt(0).flip();
      channel.write(preamble);
      byte[] pings = new byte[64 * 1024];
      Arrays.fill(pings, (byte) Jrmp.PING);
      long[] said = new long[1];
      int[] stalled = new int[1];
      awaitThat(
          () -> {
            int taken = channel.write(ByteBuffer.wrap(pings));
            said[0] += taken;
            stalled[0] = taken == 0 ? stalled[0] + 1 : 0;
            assertThat(said[0]).isLessThan(64 * 1024 * 1024);
            return stalled[0] > 100;
          });
      long[] heard = new long[1];
      ByteBuffer answers = ByteBuffer.allocate(64 * 1024);
      awaitThat(
          () -> {
            heard[0] += Math.max(0, channel.read(answers.clear()));
            return heard[0] > said[0]; // the preamble's answer is among it
          });
    }
  }

  @Test
  void endOfTheSessionEndsAReturnThatWaits() throws Exception {
    TestAgent agent = agent(SessionBed.ANN, Feature.LEASES);
    InnerJvm jvm = connect(listen(agent));
    int stream = call(jvm, agent).opened();
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      agent.say(dirtyAt(silent), new Data(stream, false, RETURN));
      agent.session().end(CloseCause.DONE, "");
      assertThat(jvm.thrown()).hasMessageContaining("may have been executed");
      assertThat(jvm.next()).isEqualTo(-1);
    }
  }

  @Test
  void callsOfTheCollectorThatDoNotEndAreBoundedEachAndByHost() throws Exception {
    bounds(1000, 1000);
    int port = listen(agent());
    byte[] endless =
        Calls.call(
            ObjIdentifier.DGC,
            1,
            DgcCall.INTERFACE_HASH,
            out -> out.writeObject(new byte[1 << 20]));
    InnerJvm alone = connect(port);
    alone.say(Arrays.copyOf(endless, 513 * 1024));
    assertThat(alone.next()).isEqualTo(-1);
    assertThat(refused).containsOnly(Map.entry("callback-jrmp", 1));
    List<InnerJvm> together = new ArrayList<>();
    for (int i = 0; i < 17; i++) {
      together.add(connect(port));
      together.get(i).say(Arrays.copyOf(endless, 511 * 1024));
    }
    awaitThat(() -> refused.containsKey("callback-limit"));
    InnerJvm honest = connectFrom(2, port);
    assertThat(honest.dirty(OTHER_VM, 1, objects(0)).durationMillis()).isPositive();
    awaitThat(() -> connections() + refused.get("callback-limit") == 18);
    assertThat(connections() - 1).isBetween(8, 12); // three quarters of 8 MiB
    assertThat(refused).containsOnlyKeys("callback-jrmp", "callback-limit");
    assertThat(refused).containsEntry("callback-jrmp", 1);
    for (InnerJvm jvm : together) {
      jvm.close();
    }
    awaitThat(() -> connections() == 1);
    assertThat(connect(port).dirty(VM, 1, objects(1)).durationMillis()).isPositive(); // room again
  }

  // References.

  @Test
  void oneHostDoesNotGetAllReferencesAndIsNotSaidToBreakJrmp() throws Exception {
    bounds(10, 10);
    int port = listen(agent());
    for (int i = 0; i < 7; i++) {
      assertThat(connect(port).dirty(VM, i, objects(i)).durationMillis()).isPositive();
    }
    InnerJvm beyond = inner.get(0);
    beyond.say(new DgcCall.Dirty(List.of(objects(7)), 7, Optional.of(VM), 1).encode());
    assertThat(beyond.next()).isEqualTo(-1);
    assertThat(connectFrom(2, port).dirty(OTHER_VM, 1, objects(8)).durationMillis()).isPositive();
    assertThat(refused).containsOnly(Map.entry("callback-limit", 1));
  }

  private static ObjIdentifier[] objects(int tenThousand) {
    return LongStream.range(tenThousand * 10_000L, (tenThousand + 1) * 10_000L)
        .mapToObj(number -> new ObjIdentifier(number, 1, 2, (short) 3))
        .toArray(ObjIdentifier[]::new);
  }

  @Test
  void listenerIsGivenBackWithItsReleasesStillToBeSaid() throws Exception {
    Pending pending = new Pending();
    pending.letGo(pending.first, VM, 0, 3); // the last of which finds the link full
    pending.awaitFullLink();

    pending.agent.say(new Unlisten(1));
    pending.agent.port().release(RecordingLinkPort.Sends.INLINE);
    pending.letGo(pending.second, OTHER_VM, 5, 1);

    pending.expectReleased(2, 10_000);
    assertThat(pending.released(1)).hasSizeBetween(10_000, 29_999);
    pending.expectNothingLeft();
  }

  @Test
  void releasesOfAListenerStillComeWhenAnotherOneIsGivenBack() throws Exception {
    Pending pending = new Pending();
    pending.letGo(pending.second, OTHER_VM, 5, 3);
    pending.awaitFullLink();

    pending.agent.say(new Unlisten(1));
    pending.agent.port().release(RecordingLinkPort.Sends.INLINE);

    pending.expectReleased(2, 30_000);
    assertThat(pending.released(1)).isEmpty();
    pending.expectNothingLeft();
  }

  @Test
  void releasesOfLeasesThatEndTogetherComeButForAListenerGivenBack() throws Exception {
    Pending pending = new Pending();
    SessionCallbacks callbacks = pending.agent.session().context().parts().callbacks();
    callbacks.tick(System.nanoTime()); // which sees that the link is not full any more
    callbacks.tick(System.nanoTime() + CallbackSettings.LEASE.multipliedBy(2).toNanos());
    pending.awaitFullLink();

    pending.agent.say(new Unlisten(1));
    pending.agent.port().release(RecordingLinkPort.Sends.INLINE);

    pending.expectReleased(2, 30_000);
    assertThat(pending.released(1)).hasSizeLessThan(30_000);
    pending.expectNothingLeft();
  }

  /** Two listeners with 30 000 objects held each, and a link that takes nothing any more. */
  private final class Pending {
    final TestAgent agent;
    final InnerJvm first;
    final InnerJvm second;
    final int secondPort;

    Pending() throws Exception {
      bounds(1000, 1000);
      agent = agent();
      first = connectFrom(1, listen(agent));
      secondPort = listen(agent, 2, 0).port();
      second = connectFrom(2, secondPort);
      for (int i = 0; i < 3; i++) {
        first.dirty(VM, i, objects(i));
        second.dirty(OTHER_VM, i, objects(5 + i));
      }
      assertThat(heldObjects).hasValue(60_000);
      awaitThat(() -> agent.port().frames(Hold.class).size() == 6 * 20);
      agent.port().sends(RecordingLinkPort.Sends.STUCK);
    }

    /** Ten thousand at a time. */
    void letGo(InnerJvm jvm, VmIdentifier vm, int from, int times) throws Exception {
      for (int i = from; i < from + times; i++) {
        jvm.clean(vm, 100, false, objects(i));
      }
    }

    /** Some must wait to be said. */
    void awaitFullLink() {
      awaitThat(() -> agent.session().context().outbound().waitingForRoom() > 0);
    }

    List<ObjIdentifier> released(int listener) {
      return agent.port().frames(Release.class).stream()
          .filter(release -> release.listener() == listener)
          .flatMap(release -> release.objects().stream())
          .toList();
    }

    /** Each once. */
    void expectReleased(int listener, int objects) {
      awaitThat(() -> released(listener).size() >= objects);
      assertThat(released(listener)).doesNotHaveDuplicates().hasSize(objects);
    }

    /** All room is there again, of references and of the link. */
    void expectNothingLeft() throws Exception {
      second.clean(OTHER_VM, 100, false, objects(5));
      second.clean(OTHER_VM, 100, false, objects(6));
      second.clean(OTHER_VM, 100, false, objects(7));
      expectReleased(2, 30_000);
      assertThat(heldObjects).hasValue(0);
      awaitThat(() -> agent.session().context().outbound().waitingForRoom() == 0);
      for (int i = 0; i < 7; i++) {
        assertThat(second.dirty(VM, i, objects(i)).durationMillis()).isPositive();
      }
      assertThat(refused).isEmpty();
    }
  }

  // Ports.

  @Test
  void portsAreNotLookedForMoreThanAFewTimesASecondInVain() throws Exception {
    TestAgent agent = agent();
    int count = 200;
    Frame[] questions = new Frame[count];
    for (int i = 0; i < count; i++) {
      questions[i] = new Listen(i + 1, 1); // which policy does not give
    }
    agent.say(questions);
    awaitThat(() -> agent.port().frames(Listening.class).size() == count);
    long looked =
        agent.port().frames(Listening.class).stream()
            .filter(answer -> answer.outcome() == Listening.Outcome.NOT_PERMITTED)
            .count();
    assertThat(looked).isBetween(16L, 40L);
    assertThat(agent.port().frames(Listening.class).get(count - 1).outcome())
        .isEqualTo(Listening.Outcome.TOO_MANY);
  }

  // Time.

  @Test
  void connectionThatRestsForTwoHoursEndsAndOneThatWaitsDoesNot() throws Exception {
    TestAgent agent = agent(SessionBed.ANN, Feature.LEASES);
    int port = listen(agent);
    InnerJvm neverCalled = connect(port);
    InnerJvm answered = connect(port);
    int answeredStream = call(answered, agent).opened();
    answer(agent, answeredStream, RETURN);
    assertThat(answered.read(RETURN.length)).isEqualTo(RETURN);
    InnerJvm waiting = connect(port);
    int waitingStream = call(waiting, agent).opened();
    InnerJvm behindLeases = connect(port);
    int heldStream = call(behindLeases, agent).opened();
    SessionCallbacks callbacks = agent.session().context().parts().callbacks();
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      agent.say(dirtyAt(silent), new Data(heldStream, false, RETURN));
      callbacks.tick(System.nanoTime() + Duration.ofMinutes(119).toNanos());
      for (InnerJvm jvm : List.of(neverCalled, answered)) {
        assertThat(jvm.ping()).isEqualTo(Jrmp.PING_ACK);
      }
      assertThat(connections()).isEqualTo(4);

      callbacks.tick(System.nanoTime() + Duration.ofMinutes(121).toNanos());

      assertThat(neverCalled.next()).isEqualTo(-1);
      assertThat(answered.next()).isEqualTo(-1);
      agent.expectClose(answeredStream, CloseCause.DONE);
      neverCalled.close();
      answered.close();
      awaitThat(() -> connections() == 2);
      assertThat(agent.port().frames(Close.class)).hasSize(1);
    }
    assertThat(behindLeases.read(RETURN.length)).isEqualTo(RETURN);
    answer(agent, waitingStream, RETURN);
    assertThat(waiting.read(RETURN.length)).isEqualTo(RETURN);
    call(connect(port), agent);
  }

  @Test
  void whoDoesNotEndWhatItBeganIsEnded() throws Exception {
    bed.relaySettings(handshakes(Duration.ofMillis(50)));
    int port = listen(agent());
    assertThat(keep(InnerJvm.silent(port)).next()).isEqualTo(-1);
    InnerJvm begins = connect(port);
    begins.say(Arrays.copyOf(CALL, 7));
    assertThat(begins.next()).isEqualTo(-1);
    assertThat(connect(port).ping()).isEqualTo(Jrmp.PING_ACK);
  }

  @Test
  void nobodyIsLateForWhatIsNotRead() throws Exception {
    bed.relaySettings(handshakes(Duration.ofMillis(50)));
    TestAgent agent = agent();
    int port = listen(agent);
    int other = listen(agent(BOB));
    fill(agent, port);
    InnerJvm jvm = keep(InnerJvm.silent(port));
    jvm.header(Jrmp.STREAM_PROTOCOL);
    for (int i = 0; i < 5; i++) {
      assertThat(keep(InnerJvm.silent(other)).next()).isEqualTo(-1); // was late meanwhile
    }
    agent.port().release(RecordingLinkPort.Sends.INLINE);
    assertThat(jvm.next()).isEqualTo(Jrmp.PROTOCOL_ACK);
  }

  private static RelaySettings handshakes(Duration within) {
    return new RelaySettings(PATIENCE, within, PATIENCE, 64 * 1024, 1);
  }

  /** The link takes nothing, and no room is left for what inner JVMs say. */
  private void fill(TestAgent agent, int port) throws Exception {
    List<InnerJvm> talkers = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      talkers.add(connect(port));
    }
    agent.port().sends(RecordingLinkPort.Sends.STUCK);
    byte[] large = Calls.method(OBJECT, "take([B)V", out -> out.writeObject(new byte[100_000]));
    for (InnerJvm talker : talkers) {
      talker.say(large);
    }
    awaitThat(
        () -> !agent.session().context().outbound().hasRoom(OutboundQueue.NO_BATCH, () -> {}));
  }

  @Test
  void noLeaseEndsWhileTheLinkIsFull() throws Exception {
    bounds(1000, 1000, Duration.ofSeconds(2));
    TestAgent agent = agent();
    int port = listen(agent);
    TestAgent bob = agent(BOB);
    int other = listen(bob);
    connect(port).dirty(VM, 1, OBJECT);
    fill(agent, port);
    connect(other).dirty(VM, 1, OBJECT);
    awaitThat(() -> bob.port().frames(Release.class).size() == 1);
    bounds(1000, 1000, Duration.ofMillis(1));
    connect(other).dirty(VM, 2, OBJECT);
    awaitThat(() -> bob.port().frames(Release.class).size() == 2); // all were looked at again
    assertThat(heldAt(port)).isEqualTo(1);
    agent.port().release(RecordingLinkPort.Sends.INLINE);
    awaitThat(() -> agent.port().frames(Release.class).size() == 1);
  }

  private int heldAt(int port) {
    return bed.callbacks().listeners().stream()
        .filter(listener -> listener.port() == port)
        .mapToInt(ListenerView::held)
        .sum();
  }

  @Test
  void streamsOfAnAgentThatNeverClosesAreBounded() throws Exception {
    bounds(2, 1000);
    TestAgent agent = agent();
    int port = listen(agent);
    for (int i = 0; i < 4; i++) {
      InnerJvm jvm = connect(port);
      call(jvm, agent);
      jvm.close();
      int closed = i + 1;
      awaitThat(() -> agent.port().frames(Close.class).size() == closed);
      awaitThat(() -> connections() == 0);
    }
    InnerJvm jvm = connect(port);
    jvm.say(CALL);
    assertThat(jvm.next()).isEqualTo(-1);
    assertThat(agent.port().frames(Accept.class)).hasSize(4);
  }
}
