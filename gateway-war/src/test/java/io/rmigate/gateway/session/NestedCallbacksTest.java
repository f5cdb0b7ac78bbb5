package io.rmigate.gateway.session;

import static io.rmigate.gateway.session.TestAgent.awaitThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.protocol.tunnel.Accept;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.Refused;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A client calls a server, which calls the client, which calls the server … The peers are scripted,
 * so that all calls are in flight at the same time, and no thread of theirs is what they wait for.
 */
class NestedCallbacksTest extends CallbackSides {
  private static final int CALLERS = 32;

  /** A call and a callback each. */
  private static final int LEVELS = 25;

  /** What either side has of the other; more than half of a message. */
  private static final int WINDOW = 4 * 1024;

  private static final byte[] CALLBACK =
      Calls.method(OBJECT, "up([B)V", out -> out.writeObject(new byte[6000]));
  private static final byte[] LARGE_RETURN = Calls.returned(new byte[6000]);

  private TestAgent agent;
  private ScriptedRmiServer server;
  private int port;

  /** The calls of one depth, of all callers. */
  private record Level(
      List<Integer> calls,
      List<ScriptedRmiServer.Connection> called,
      List<InnerJvm> callingBack,
      List<Integer> callbacks) {}

  @Test
  void callsNestFiftyDeepFromThirtyTwoCallersInTheSmallestWindows() throws Exception {
    SessionSettings usual = SessionSettings.DEFAULTS;
    bed.settings(
        new SessionSettings(
            usual.heartbeat(),
            usual.helloTimeout(),
            new SessionSettings.Limits(
                WINDOW,
                usual.limits().maxStreams(),
                usual.limits().maxSessionsPerPrincipal(),
                usual.limits().maxSessions()),
            usual.sendTimeout(),
            usual.grace(),
            SessionSettings.DEFAULTS.choresPerSecond()));
    agent = agent(SessionBed.ANN, WINDOW);
    server = bed.scripted(FailurePolicy.NEVER_ANSWER);
    port = listen(agent);

    List<Level> levels = new ArrayList<>(List.of(descend(0)));
    Set<String> threads = threads();
    for (int depth = 1; depth < LEVELS; depth++) {
      levels.add(descend(depth));
    }
    assertThat(bed.registry().calls()).hasSize(2 * LEVELS * CALLERS); // each waits for its Return
    assertThat(threads()).isEqualTo(threads);
    for (int depth = LEVELS - 1; depth >= 0; depth--) {
      ascend(levels.get(depth));
    }

    assertThat(bed.registry().calls()).isEmpty();
    assertThat(frames(agent, Close.class, Refused.class)).isEmpty();
    assertThat(bed.callbacks().listeners().get(0).calls()).isEqualTo(LEVELS * CALLERS);
    for (InnerJvm jvm : inner) {
      jvm.close();
    }
    awaitThat(() -> bed.callbacks().listeners().get(0).connections() == 0);
  }

  /** All call, and are called back. */
  private Level descend(int depth) throws Exception {
    int before = depth * CALLERS;
    List<Integer> calls = numbers(i -> 2 * (before + i) + 1);
    for (int stream : calls) {
      agent.open(stream, server.port());
      agent.request(stream, CALL);
    }
    awaitThat(
        () ->
            server.connections().size() == before + CALLERS
                && server.connections().stream().allMatch(c -> c.receivedBytes() == CALL.length));
    List<InnerJvm> callingBack = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      callingBack.add(connect(port));
      callingBack.get(i).say(CALLBACK);
    }
    awaitThat(() -> agent.port().frames(Accept.class).size() == before + CALLERS);
    List<Accept> accepted = agent.port().frames(Accept.class);
    List<Integer> callbacks = numbers(i -> accepted.get(before + i).opened());
    for (int stream : callbacks) {
      assertThat(take(stream, CALLBACK.length)).isEqualTo(CALLBACK);
    }
    return new Level(
        calls,
        List.copyOf(server.connections().subList(before, before + CALLERS)),
        callingBack,
        callbacks);
  }

  /** All are answered, callbacks first. */
  private void ascend(Level level) throws Exception {
    for (int stream : level.callbacks) {
      answerWithinTheWindow(stream);
    }
    for (InnerJvm jvm : level.callingBack) {
      assertThat(jvm.read(LARGE_RETURN.length)).isEqualTo(LARGE_RETURN);
    }
    for (ScriptedRmiServer.Connection called : level.called) {
      called.say(LARGE_RETURN);
    }
    for (int stream : level.calls) {
      assertThat(take(stream, LARGE_RETURN.length)).isEqualTo(LARGE_RETURN);
    }
  }

  /** A message of which the window takes no more than a part. */
  private byte[] take(int stream, int bytes) {
    awaitThat(() -> agent.port().dataBytes(stream) > WINDOW - 64);
    assertThat(agent.port().dataBytes(stream)).isLessThanOrEqualTo(WINDOW);
    agent.credit(stream, WINDOW);
    return agent.awaitData(stream, bytes);
  }

  private void answerWithinTheWindow(int stream) {
    for (int said = 0; said < LARGE_RETURN.length; ) {
      int from = said;
      awaitThat(() -> WINDOW + agent.creditGiven(stream) > from);
      int to = (int) Math.min(LARGE_RETURN.length, WINDOW + agent.creditGiven(stream));
      answer(agent, stream, Arrays.copyOfRange(LARGE_RETURN, from, to));
      said = to;
    }
  }

  private static List<Integer> numbers(IntUnaryOperator number) {
    return IntStream.range(0, CALLERS).map(number).boxed().toList();
  }

  /** Those of the gateway, but for those that look up names: eight, once that many have done so. */
  private Set<String> threads() {
    return bed.newThreads().stream()
        .filter(name -> !name.startsWith("rmigate-resolver"))
        .collect(Collectors.toSet());
  }
}
