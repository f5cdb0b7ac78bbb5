package io.rmigate.gateway.edge.legacy;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.rmigate.gateway.edge.door.IncomingBody;
import io.rmigate.gateway.legacy.LegacyAnswer;
import io.rmigate.gateway.legacy.LegacyClients;
import io.rmigate.gateway.legacy.LegacyMeters;
import io.rmigate.gateway.legacy.LegacyRefusal;
import io.rmigate.gateway.legacy.LegacySettings;
import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.relay.Relay;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.gateway.scan.AddressedBombs;
import io.rmigate.gateway.session.PlainSessions;
import io.rmigate.gateway.session.SessionRegistry;
import io.rmigate.gateway.session.SessionSettings;
import io.rmigate.gateway.stream.HeldPieces;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.message.CallHeader;
import io.rmigate.protocol.jrmp.message.RegistryOperation;
import io.rmigate.testing.LoopbackPort;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What a POST of an old client, with any contents, costs the gateway in memory, from its body to
 * the verdict: at most ten times its bytes, and 64 KiB, as of other clients. The test counts what
 * the judging thread allocates. Each request has another principal, because requests of a principal
 * that is locked out are refused before they are read.
 */
class LegacyCostTest {
  private static final int TIMES = 10;
  private static final int BESIDES = 64 * 1024;
  private static final byte[] HEADER = HexFormat.of().parseHex("4a524d4900024c");
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final LegacySettings SETTINGS =
      new LegacySettings(
          Optional.of("old"),
          Optional.empty(),
          16 << 20,
          100,
          Duration.ofSeconds(30),
          Duration.ofSeconds(30),
          Duration.ofMinutes(10));

  private static final byte[] HONEST =
      new CallHeader(new ObjIdentifier(7, 1, 2, (short) 3), Jrmp.OPERATION_BY_HASH, 12345)
          .encodeCall();

  private final AtomicInteger callers = new AtomicInteger();
  private final EndpointId closedPort = new EndpointId("127.0.0.1", LoopbackPort.free());
  private final TargetPolicy policy =
      new TargetPolicy(
          List.of(
              new TargetGrant(
                  Set.of("*"),
                  List.of("127.0.0.1:*"),
                  EnumSet.allOf(RegistryOperation.class),
                  Entry.enforced().rules())));
  private final Relay relay = new Relay(RelaySettings.DEFAULTS);
  private final SessionRegistry registry =
      PlainSessions.over(relay, SessionSettings.DEFAULTS, policy);
  private final LegacyClients clients =
      new LegacyClients(registry, () -> SETTINGS, LegacyMeters.NONE);

  @AfterEach
  void stop() {
    clients.close();
    registry.close();
    relay.close();
  }

  /** A body that has come as a whole, with its request's head. */
  private static final class There extends ServletInputStream {
    private final byte[] body;
    private int read;

    There(byte[] body) {
      this.body = body;
    }

    @Override
    public boolean isFinished() {
      return read == body.length;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      try {
        listener.onDataAvailable();
        listener.onAllDataRead();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public int read() {
      return read < body.length ? body[read++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] to, int offset, int length) {
      int count = Math.min(length, body.length - read);
      System.arraycopy(body, read, to, offset, count);
      read += count;
      return count == 0 ? -1 : count;
    }
  }

  /** A client that takes all that it is answered. */
  private static final class Taken implements LegacyAnswer {
    @Override
    public void begin(Runnable then) {
      then.run();
    }

    @Override
    public void write(byte[] bytes, Runnable taken) {
      taken.run();
    }

    @Override
    public void end() {}

    @Override
    public void whole(byte[] bytes) {}

    @Override
    public void refuse(LegacyRefusal reason) {}

    @Override
    public void whenGone(Runnable told) {}
  }

  private long cost(byte[] body, InetAddress host, Principal caller) {
    There there = new There(body);
    LegacyAnswer answer = new Taken();
    IncomingBody.Listener listener =
        new IncomingBody.Listener() {
          @Override
          public void onBody(HeldPieces whole) {
            clients.take(whole, caller, host, host.getHostAddress() + ":9", closedPort, answer);
          }

          @Override
          public void onFailure(IncomingBody.Failure failure) {
            throw new AssertionError(failure);
          }
        };
    long before = THREADS.getCurrentThreadAllocatedBytes();
    new IncomingBody(
            there,
            new IncomingBody.Bounds(SETTINGS.maxBodyBytes(), SETTINGS.patience(), 16 * 1024),
            any -> true,
            listener)
        .begin();
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }

  private static byte[] body(byte[] message) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(HEADER);
    body.writeBytes(message);
    return body.toByteArray();
  }

  /** A new principal without refusals, which has a session: that cost is paid before the test. */
  private Principal newPrincipal(InetAddress host) {
    Principal next = new Principal("old" + callers.incrementAndGet(), Principal.Scheme.CONFIGURED);
    cost(body(HONEST), host, next);
    return next;
  }

  @Test
  void aRequestCostsNoMoreThanTenTimesItsBytesAnd64KiB() throws Exception {
    Map<String, byte[]> bodies = new LinkedHashMap<>();
    bodies.put("nothing", new byte[0]);
    bodies.put("no message", new byte[50_000]);
    bodies.put("a ping", body(new byte[] {0x52}));
    bodies.put("many pings", body("R".repeat(50_000).getBytes(StandardCharsets.US_ASCII)));
    AddressedBombs.calls().forEach((name, call) -> bodies.put(name, body(call)));
    Map<String, String> beyond = new LinkedHashMap<>();
    InetAddress host = InetAddress.getByName("192.0.2.1");
    bodies.forEach(
        (name, body) -> {
          long cost = Long.MAX_VALUE;
          for (int i = 0; i < 3; i++) { // the first with what is made once
            cost = Math.min(cost, cost(body, host, newPrincipal(host)));
          }
          if (cost > (long) TIMES * body.length + BESIDES) {
            beyond.put(name, cost + " for " + body.length);
          }
        });
    assertThat(beyond).isEmpty();
  }

  @Test
  void theFirstRequestOfAnAddressCostsNoMoreEither() throws Exception {
    byte[] body = body(HONEST);
    Principal old = new Principal("old", Principal.Scheme.CONFIGURED);
    cost(body, InetAddress.getByName("192.0.2.1"), old);
    long cost = cost(body, InetAddress.getByName("192.0.2.2"), old);
    assertThat(cost).isLessThanOrEqualTo((long) TIMES * body.length + BESIDES);
  }
}
