package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.scan.AddressedBombs;
import io.rmigate.protocol.coding.CodedWriter;
import io.rmigate.protocol.coding.ContentCoding;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.FrameOutput;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What one request of any contents costs the gateway in memory, from its frames to the verdict: no
 * more than ten times its bytes, and 64 KiB. Counted is what the thread that does all of that
 * allocates, which is more than what is ever held at once. The bytes are those that frames hold,
 * for coded ones are shorter by as much as the sender likes ({@code CodedReaderTest} has their
 * bound). Each call has another principal, because calls of a principal that is locked out are
 * refused before they are read.
 */
class AmplificationTest {
  private static final int TIMES = 10;

  /** In mode {@code learn} all classes are objected to, to be noted, and not just the first. */
  private static final int TIMES_TO_LEARN = 14;

  private static final int BESIDES = 64 * 1024;
  private static final int PART = 16 * 1024;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** How the frames of a request come. */
  private enum Link {
    PLAIN,
    /** In pieces that are no frames. */
    CUT,
    CODED
  }

  /** Of what comes cut, which is no part of a frame's length. */
  private static final int CUT = 1_000;

  @RegisterExtension final SessionBed bed = new SessionBed();

  private final AtomicInteger callers = new AtomicInteger();

  private TestAgent agent(Link link) {
    Principal next = new Principal("caller" + callers.incrementAndGet(), Principal.Scheme.BASIC);
    TestAgent agent = bed.stranger(next);
    if (link == Link.CODED) {
      agent.helloCoding(ContentCoding.DEFLATE_1.name());
    } else {
      agent.hello();
      agent.awaitWelcome();
    }
    return agent;
  }

  /** Bytes that were allocated on the way from the link to the verdict. */
  private long cost(ScriptedRmiServer server, Link link, byte[] call) {
    TestAgent agent = agent(link);
    agent.open(1, server.port());
    assertThat(agent.session().context().refusals().lockout().isOn()).isFalse();
    long credit = SessionSettings.DEFAULTS.limits().streamCredit();
    long cost = 0;
    try (CodedWriter coder = new CodedWriter(ContentCoding.DEFLATE_1)) {
      coder.turn(link == Link.CODED);
      for (int from = 0; from < call.length && !isClosed(agent); from += PART) {
        int end = Math.min(from + PART, call.length);
        TestAgent.awaitThat(() -> agent.creditGiven(1) + credit >= end || isClosed(agent));
        FrameOutput frame = new FrameOutput(PART);
        frame.append(new Data(1, end == call.length, Arrays.copyOfRange(call, from, end)));
        cost += say(agent, coder.code(frame, 0).toByteArray(), link == Link.CUT ? CUT : PART + 9);
      }
    }
    agent.close(1);
    return cost;
  }

  /** The verdict has been given: it was too long for what it claims to be. */
  private static boolean isClosed(TestAgent agent) {
    return !agent.port().frames(Close.class).isEmpty();
  }

  private static long say(TestAgent agent, byte[] bytes, int most) {
    long cost = 0;
    for (int from = 0; from < bytes.length; from += most) {
      byte[] piece = Arrays.copyOfRange(bytes, from, Math.min(from + most, bytes.length));
      long before = THREADS.getCurrentThreadAllocatedBytes();
      agent.sayBytes(piece);
      cost += THREADS.getCurrentThreadAllocatedBytes() - before;
    }
    return cost;
  }

  private void expectBounded(ClassMode mode, Link link) throws IOException {
    ScriptedRmiServer server = bed.scripted(FailurePolicy.NONE);
    bed.policy(
        new TargetGrant(
            Set.of("*"), List.of("127.0.0.1:*"), SessionBed.ALL, Entry.of(mode).rules()));
    Map<String, String> beyond = new LinkedHashMap<>();
    AddressedBombs.calls()
        .forEach(
            (name, call) -> {
              cost(server, link, call); // what is made once
              long cost = Math.min(cost(server, link, call), cost(server, link, call));
              int times = mode == ClassMode.LEARN ? TIMES_TO_LEARN : TIMES;
              if (cost > (long) times * call.length + BESIDES) {
                beyond.put(name, cost + " for " + call.length);
              }
            });
    assertThat(beyond).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(ClassMode.class)
  void aRequestCostsNoMoreThanTenTimesItsBytesAnd64KiB(ClassMode mode) throws Exception {
    expectBounded(mode, Link.PLAIN);
  }

  @Test
  void norDoesOneWhoseFramesComeInPieces() throws Exception {
    expectBounded(ClassMode.ENFORCE, Link.CUT);
  }

  @Test
  void norDoesOneThatComesCoded() throws Exception {
    expectBounded(ClassMode.ENFORCE, Link.CODED);
  }
}
