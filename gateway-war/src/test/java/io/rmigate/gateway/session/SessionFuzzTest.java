package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.limit.CallLimits;
import io.rmigate.gateway.limit.LockoutSettings;
import io.rmigate.gateway.policy.Rulebook;
import io.rmigate.gateway.policy.rule.ClassSettings;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.policy.rule.LearningLog;
import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.relay.ScriptedRmiServer;
import io.rmigate.gateway.route.EndpointMapping;
import io.rmigate.gateway.route.Restraints;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Credit;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameOutput;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.protocol.tunnel.HeartbeatAck;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.OpenRaw;
import io.rmigate.protocol.tunnel.Sequence;
import io.rmigate.protocol.tunnel.Tunnel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Frames that are nearly right, in nearly the right order: the session works or ends. */
class SessionFuzzTest {
  private static final int SEQUENCES = 500;
  private static final long SEED = 20_261_121;

  /** It would soon let nothing more through. */
  private static final LockoutSettings NO_LOCKOUT =
      new LockoutSettings(1_000_000, Duration.ofSeconds(1), Duration.ofSeconds(1));

  @RegisterExtension final SessionBed bed = new SessionBed();

  static List<Rulebook> rules() throws IOException {
    return List.of(Rulebook.OFF, Rulebook.of(ClassSettings.DEFAULT, LearningLog.NOTHING));
  }

  @ParameterizedTest
  @MethodSource("rules")
  @Timeout(180)
  void noSequenceOfFramesBreaksTheGateway(Rulebook rules) throws Exception {
    bed.relaySettings(
        new RelaySettings(
            Duration.ofSeconds(2), Duration.ofMillis(500), Duration.ofMillis(20), 8 * 1024, 1));
    bed.policy(
        new TargetPolicy(
            List.of(
                new TargetGrant(
                    Set.of("*"),
                    List.of("127.0.0.1:*"),
                    SessionBed.READING,
                    Entry.of(Optional.empty()).rules())),
            List.of(),
            EndpointMapping.DEFAULT,
            rules,
            new Restraints(CallLimits.NONE, NO_LOCKOUT)));
    List<ScriptedRmiServer> servers = new ArrayList<>();
    for (FailurePolicy policy : FailurePolicy.values()) {
      servers.add(bed.scripted(policy));
    }
    LedgerServer ledger = bed.ledger();
    int ended = 0;
    for (int i = 0; i < SEQUENCES; i++) {
      Random random = new Random(SEED + i);
      TestAgent agent = bed.stranger();
      agent.hello(Feature.DEADLINES, Feature.SEQUENCES);
      play(agent, sequence(random, servers, ledger), random);
      assertThat(agent.port().failure()).as("sequence %d", i).isNull();
      // A turned length may have swallowed what follows, at most one frame's worth.
      Heartbeat beat = new Heartbeat(4711);
      for (int left = Tunnel.MAX_BODY_BYTES; left > 0 && isSilent(agent); left -= 5) {
        agent.say(beat);
      }
      assertThat(isSilent(agent)).as("sequence %d", i).isFalse();
      if (agent.port().closed() == null) {
        if (random.nextBoolean()) {
          agent.session().onTransportClosed();
        }
      } else {
        ended++;
        assertThat(agent.port().closed())
            .as("sequence %d", i)
            .isIn(CloseCause.PROTOCOL_VIOLATION, CloseCause.DONE);
      }
    }
    assertThat(ended).isBetween(SEQUENCES / 20, SEQUENCES - SEQUENCES / 20);
    TestAgent well = bed.agent();
    well.open(1, ledger.port());
    well.call(1, ledger.tick(), 22);
  }

  private static boolean isSilent(TestAgent agent) {
    return agent.port().closed() == null && !agent.port().frames().contains(new HeartbeatAck(4711));
  }

  private static List<Frame> sequence(
      Random random, List<ScriptedRmiServer> servers, LedgerServer ledger) {
    List<Frame> frames = new ArrayList<>();
    Set<Integer> open = new TreeSet<>();
    int length = 1 + random.nextInt(30);
    for (int i = 0; i < length; i++) {
      boolean wild = random.nextInt(60) == 0;
      int stream = 1 + 2 * random.nextInt(4) + (wild ? random.nextInt(2) : 0);
      if (!open.contains(stream) && !wild) {
        int server = random.nextInt(servers.size() + 2);
        int port =
            server < servers.size()
                ? servers.get(server).port()
                : server == servers.size() ? ledger.port() : 1;
        String host = random.nextInt(8) == 0 ? "refused.invalid" : "127.0.0.1";
        frames.add(
            random.nextInt(10) == 0
                ? new OpenRaw(stream, host, port, Duration.ZERO)
                : new Open(stream, host, port, Duration.ZERO, Duration.ofMillis(300)));
        if (random.nextInt(3) == 0) {
          frames.add(new Sequence(stream, 1 + random.nextInt(2), random.nextBoolean()));
        }
        open.add(stream);
        continue;
      }
      switch (random.nextInt(10)) {
        case 0 -> frames.add(new Credit(stream, random.nextInt(wild ? 1 << 30 : 1 << 16)));
        case 1 -> {
          frames.add(
              new Close(
                  stream, random.nextBoolean() ? CloseCause.DONE : CloseCause.INTERNAL_ERROR));
          open.remove(stream);
        }
        case 2 -> frames.add(new Heartbeat(random.nextInt(1000)));
        default -> addRequest(frames, stream, request(random, ledger), random);
      }
    }
    return frames;
  }

  private static void addRequest(List<Frame> frames, int stream, byte[] bytes, Random random) {
    int from = 0;
    while (from < bytes.length) {
      int length = Math.min(1 + random.nextInt(8 * 1024), bytes.length - from);
      boolean last = from + length == bytes.length && random.nextInt(10) > 0;
      frames.add(new Data(stream, last, Arrays.copyOfRange(bytes, from, from + length)));
      from += length;
    }
  }

  private static byte[] request(Random random, LedgerServer ledger) {
    byte[] call =
        switch (random.nextInt(7)) {
          case 0 -> Calls.list();
          case 1 -> Calls.lookup("ledger");
          case 2 -> Calls.rebind("a", null);
          case 3 -> Calls.dgcAck(15);
          case 4 -> ledger.swallow(new byte[random.nextInt(20_000)]);
          case 5 -> Calls.join(Calls.list(), Calls.list());
          default -> ledger.tick();
        };
    if (random.nextInt(4) == 0) {
      call[random.nextInt(call.length)] ^= (byte) (1 << random.nextInt(8));
    }
    return random.nextInt(12) == 0 ? Arrays.copyOf(call, random.nextInt(call.length) + 1) : call;
  }

  /** In pieces of any size, now and then with a bit turned over. */
  private static void play(TestAgent agent, List<Frame> frames, Random random) {
    FrameOutput out = new FrameOutput(4096);
    frames.forEach(out::append);
    byte[] bytes = out.toByteArray();
    if (random.nextInt(6) == 0) {
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    }
    int from = 0;
    while (from < bytes.length) {
      int length =
          Math.min(1 + random.nextInt(random.nextBoolean() ? 40 : 20_000), bytes.length - from);
      agent.session().onBytes(ByteBuffer.wrap(bytes, from, length));
      from += length;
    }
  }
}
