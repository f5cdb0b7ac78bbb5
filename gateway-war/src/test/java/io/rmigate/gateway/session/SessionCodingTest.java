package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.view.GatewayView;
import io.rmigate.protocol.coding.CodedWriter;
import io.rmigate.protocol.coding.CodingFigures;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.coding.ContentCoding;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Coded;
import io.rmigate.protocol.tunnel.Coding;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameOutput;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.protocol.tunnel.HeartbeatAck;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Welcome;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Coded links, as the gateway sees them. */
class SessionCodingTest {
  @RegisterExtension final SessionBed bed = new SessionBed();
  private final CodedWriter coder = new CodedWriter(ContentCoding.DEFLATE_1);

  @AfterEach
  void close() {
    coder.close();
  }

  @Test
  void whatTheAgentCodesIsUndone() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    TestAgent agent = agent("deflate.1", "identity");
    agent.open(1, server.port());
    for (int i = 0; i < 10; i++) {
      codedCall(agent, i);
    }
    GatewayView.CodingView view = agent.session().view().coding();
    assertThat(view.name()).isEqualTo("deflate.1");
    assertThat(view.fromAgent().codedBytes()).isEqualTo(coder.figures().codedBytes());
    assertThat(view.fromAgent().uncodedBytes()).isEqualTo(coder.figures().uncodedBytes());
    assertThat(view.fromAgent().ratio()).isLessThan(0.5);
    assertThat(view.toAgent()).isEqualTo(new GatewayView.CodedView(0, 0, 1));
    assertThat(bed.coded(true)).isEqualTo(coder.figures());
  }

  @Test
  void theGatewayCodesAsTheAgentWishes() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    TestAgent agent = agent("deflate.1");
    agent.open(1, server.port());
    agent.call(1, Calls.list(), 22);
    assertThat(agent.port().coded()).isEqualTo(CodingFigures.NONE);

    agent.say(new Coding(true));
    agent.call(1, Calls.list(), 22);
    long first = agent.port().coded().codedBytes();
    agent.call(1, Calls.list(), 22);
    assertThat(agent.port().coded().uncodedBytes()).isEqualTo(2 * (3 + 22));
    assertThat(agent.port().coded().codedBytes() - first).isLessThanOrEqualTo(9);
    assertThat(agent.session().view().coding().on()).isTrue();
    assertThat(bed.coded(false)).isEqualTo(agent.port().coded());

    agent.say(new Coding(false));
    agent.call(1, Calls.list(), 22);
    assertThat(agent.port().coded().uncodedBytes()).isEqualTo(2 * (3 + 22));
    assertThat(agent.session().view().coding().on()).isFalse();
  }

  @Test
  void aGatewayThatIsToldOnCodesUnasked() throws Exception {
    bed.compression(Compression.ON);
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    TestAgent agent = agent("deflate.1");
    agent.say(new Coding(false));
    agent.open(1, server.port());
    agent.call(1, Calls.list(), 22);
    assertThat(agent.port().coded().uncodedBytes()).isEqualTo(3 + 22);
  }

  @Test
  void aGatewayThatIsToldOffTakesNoCoding() throws Exception {
    bed.compression(Compression.OFF);
    TestAgent agent = agent("deflate.1");
    assertThat(agent.port().frames(Welcome.class).get(0).coding()).isEqualTo("identity");
    agent.say(new Coding(true));
    expectViolation(agent, "no CODING without a coding");
  }

  @Test
  void codedFramesAreAViolationWithoutACoding() {
    TestAgent agent = agent("zstd.9");
    agent.say(new Coded(true, new byte[] {1, 2, 3}));
    expectViolation(agent, "no CODED_FRESH without a coding");
  }

  @Test
  void whatCannotBeUndoneIsAViolation() {
    TestAgent agent = agent("deflate.1");
    agent.say(new Coded(true, new byte[] {-1, -1, -1}));
    expectViolation(agent, "deflated bytes, got others");
  }

  @Test
  void aViolationInsideOfACodedFrameIsOne() {
    TestAgent agent = agent("deflate.1");
    sayCoded(
        agent,
        heartbeats(10),
        new Hello(1, 1, Set.of(), SessionToken.NONE, 0, 1, List.of(), Map.of()));
    expectViolation(agent, "no HELLO inside of CODED");
  }

  @Test
  void anAgentThatReadsNoAnswersIsTooSlow() {
    TestAgent agent = agent("deflate.1");
    agent.port().sends(RecordingLinkPort.Sends.STUCK);
    Heartbeat[] many = heartbeats(10_000);
    for (int i = 0; i < 200 && agent.port().closed() == null; i++) {
      sayCoded(agent, many); // some hundred bytes each
    }
    assertThat(agent.port().closed()).isEqualTo(CloseCause.SLOW_LINK);
  }

  @Test
  void anAgentThatReadsItsAnswersMayAskForMany() {
    TestAgent agent = agent("deflate.1");
    Heartbeat[] many = heartbeats(10_000);
    for (int i = 0; i < 20; i++) {
      sayCoded(agent, many);
    }
    TestAgent.awaitThat(() -> agent.port().frames(HeartbeatAck.class).size() == 200_000);
    assertThat(agent.port().closed()).isNull();
  }

  @Test
  void anIdleContextIsGivenUpAtTheGateway() throws Exception {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    TestAgent agent = agent("deflate.1");
    agent.say(new Coding(true));
    agent.open(1, server.port());
    agent.call(1, Calls.list(), 22);
    OutboundQueue outbound = agent.session().context().outbound();
    long later = System.nanoTime() + 61_000_000_000L;
    TestAgent.awaitThat(() -> outbound.stuckNanos(later) == 0); // a coder in use is not given up
    long before = agent.session().view().bytesToAgent();
    outbound.releaseIdleCoder(later);
    agent.say(new Heartbeat(1));
    TestAgent.awaitThat(() -> agent.port().frames(HeartbeatAck.class).size() == 1);
    assertThat(agent.session().view().bytesToAgent() - before).as("with 41 00 00").isEqualTo(4 + 3);
    agent.call(1, Calls.list(), 22);
    assertThat(agent.port().coded().uncodedBytes()).isEqualTo(2 * (3 + 22));
  }

  private TestAgent agent(String... offered) {
    TestAgent agent = bed.stranger();
    agent.helloCoding(offered);
    coder.turn(true);
    return agent;
  }

  private void codedCall(TestAgent agent, int number) {
    FrameOutput request = new FrameOutput(64);
    byte[] call = Calls.list();
    request.data(1, true, call, 0, call.length);
    agent.sayBytes(coder.code(request, 0).toByteArray());
    agent.awaitData(1, 22 * (number + 1));
  }

  private void sayCoded(TestAgent agent, Heartbeat[] first, Frame... then) {
    FrameOutput batch = new FrameOutput(64);
    for (Frame frame : first) {
      batch.append(frame);
    }
    for (Frame frame : then) {
      batch.append(frame);
    }
    agent.sayBytes(coder.code(batch, 0).toByteArray());
  }

  private static Heartbeat[] heartbeats(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new Heartbeat(i % 100))
        .toArray(Heartbeat[]::new);
  }

  private void expectViolation(TestAgent agent, String named) {
    Goodbye goodbye = agent.awaitGoodbye();
    assertThat(goodbye.cause()).isEqualTo(CloseCause.PROTOCOL_VIOLATION);
    assertThat(goodbye.text()).startsWith("expected").contains(named);
    assertThat(agent.port().closed()).isEqualTo(CloseCause.PROTOCOL_VIOLATION);
  }
}
