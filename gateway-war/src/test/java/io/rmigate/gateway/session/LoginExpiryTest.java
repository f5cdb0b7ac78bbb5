package io.rmigate.gateway.session;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.relay.Relay;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.route.EndpointMapping;
import io.rmigate.gateway.route.RawGrant;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameOutput;
import io.rmigate.protocol.tunnel.FrameReader;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.OpenRaw;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.Refused;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Welcome;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A token that expires ends new calls, not the one in flight (docs/how-to/logins.md). */
@Timeout(180)
class LoginExpiryTest {
  private static final byte[] CALL =
      HexFormat.of()
          .parseHex(
              "50" // Call
                  + "aced0005" // serialization stream, version 5
                  + "7722" // block data, 34 bytes
                  + "0000000000000007" // ObjID: object number
                  + "0000000100000000000000010001" // and the UID of its space
                  + "ffffffff" // operation: by hash
                  + "0102030405060708"); // method hash

  private static final byte[] RETURN =
      HexFormat.of()
          .parseHex(
              "51" // ReturnData
                  + "aced0005" // serialization stream, version 5
                  + "770f" // block data, 15 bytes
                  + "01" // NormalReturn
                  + "0000000100000000000000010001"); // UID of the return

  private static final Duration HALF_AN_HOUR = Duration.ofMinutes(30);
  private static final SessionSettings PATIENT =
      new SessionSettings(
          Duration.ofHours(2),
          Duration.ofHours(2),
          new SessionSettings.Limits(256 * 1024, 16, 16, 16),
          Duration.ofHours(2),
          Duration.ZERO,
          SessionSettings.DEFAULTS.choresPerSecond());

  private final CountDownLatch mayReturn = new CountDownLatch(1);
  private final RecordedLink link = new RecordedLink();
  private ServerSocket server;
  private Relay relay;
  private SessionRegistry registry;
  private TunnelSession session;

  @BeforeEach
  void openSession() throws IOException {
    server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    Thread serving = new Thread(this::serve, "one-call-server");
    serving.setDaemon(true);
    serving.start();
    relay = new Relay(RelaySettings.DEFAULTS);
    TargetPolicy policy =
        new TargetPolicy(
            List.of(new TargetGrant(Set.of("*"), List.of("127.0.0.1:*"), Set.of())),
            List.of(new RawGrant(Set.of("*"), List.of("127.0.0.1:*"), true)),
            EndpointMapping.DEFAULT);
    registry = PlainSessions.over(relay, PATIENT, policy);
    session =
        registry.begin(
            link,
            new Principal(
                "ann", Principal.Scheme.BEARER, Optional.of(Instant.now().plus(HALF_AN_HOUR))));
    say(
        new Hello(
            Tunnel.VERSION,
            Tunnel.VERSION,
            Set.of(Feature.RAW_STREAMS, Feature.REASONS),
            SessionToken.NONE,
            0,
            256 * 1024,
            List.of(Welcome.IDENTITY),
            Map.of()));
    say(new Open(1, "127.0.0.1", server.getLocalPort(), Duration.ZERO, Duration.ZERO));
    say(new Open(3, "127.0.0.1", server.getLocalPort(), Duration.ZERO, Duration.ZERO));
  }

  @AfterEach
  void close() throws IOException {
    mayReturn.countDown();
    registry.close();
    relay.close();
    server.close();
  }

  /** Answers one call, once it may. */
  private void serve() {
    try (Socket socket = server.accept()) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      in.readNBytes(7); // magic, version, StreamProtocol
      socket.getOutputStream().write(HexFormat.of().parseHex("4e" + "000161" + "00000000"));
      in.readUTF(); // the gateway's EndpointIdentifier
      in.readInt();
      in.readNBytes(CALL.length);
      mayReturn.await();
      socket.getOutputStream().write(RETURN);
      in.read(); // until the gateway closes
    } catch (IOException | InterruptedException theTestIsOver) {
      Thread.currentThread().interrupt();
    }
  }

  private void say(Frame frame) {
    FrameOutput out = new FrameOutput(1024);
    out.append(frame);
    session.onBytes(ByteBuffer.wrap(out.toByteArray()));
  }

  private void passTime(Duration time) {
    session.tick(System.nanoTime() + time.toNanos());
  }

  @Test
  void sessionOutlivesNoLogin() {
    passTime(HALF_AN_HOUR.minusMinutes(1));
    assertThat(link.received(Goodbye.class)).isEmpty();

    passTime(HALF_AN_HOUR.plusMinutes(1));

    assertThat(link.received(Goodbye.class))
        .singleElement()
        .satisfies(goodbye -> assertThat(goodbye.cause()).isEqualTo(CloseCause.NOT_PERMITTED));
    assertThat(link.closed).containsExactly(CloseCause.NOT_PERMITTED);
  }

  @Test
  void callInFlightEndsBeforeTheSession() {
    // Given a call that the server has not answered when the login expires
    say(new Data(1, true, CALL));
    passTime(HALF_AN_HOUR.plusMinutes(1));

    // When another one comes
    say(new Data(3, true, CALL));

    // Then that one is refused, the first is answered, and then the session ends
    await().until(() -> !link.received(Refused.class).isEmpty());
    assertThat(link.received(Refused.class))
        .singleElement()
        .satisfies(
            refused -> {
              assertThat(refused.stream()).isEqualTo(3);
              assertThat(refused.reason()).isEqualTo(RefusalReason.TARGET_NOT_PERMITTED);
              assertThat(refused.text()).contains("expired");
            });
    assertThat(link.closed).isEmpty();

    mayReturn.countDown();
    await().until(() -> !link.received(Data.class).isEmpty());
    assertThat(link.received(Data.class).get(0).bytes()).isEqualTo(RETURN);
    await() // a Return counts as ended once nothing more of it has come for a moment
        .untilAsserted(
            () -> {
              passTime(HALF_AN_HOUR.plusMinutes(1));
              assertThat(link.closed).containsExactly(CloseCause.NOT_PERMITTED);
            });
  }

  @Test
  void whoIsTakenOutOfTheUsersFileBeginsNoCallAnyMore() {
    say(new Data(1, true, CALL));
    registry.checkLogins(principal -> false);
    passTime(Duration.ZERO);

    say(new Data(3, true, CALL));

    await().until(() -> !link.received(Refused.class).isEmpty());
    assertThat(link.received(Refused.class))
        .extracting(Refused::stream, Refused::reason)
        .containsExactly(tuple(3, RefusalReason.TARGET_NOT_PERMITTED));
    mayReturn.countDown();
    await().until(() -> !link.received(Data.class).isEmpty());
    assertThat(link.received(Data.class).get(0).bytes()).isEqualTo(RETURN);
    await()
        .untilAsserted(
            () -> {
              passTime(Duration.ZERO);
              assertThat(link.closed).containsExactly(CloseCause.NOT_PERMITTED);
            });
  }

  @Test
  void aRequestThatIsNotEndedKeepsNoSession() {
    say(new Data(1, false, Arrays.copyOf(CALL, 1)));

    passTime(HALF_AN_HOUR.plusMinutes(1));

    assertThat(link.received(Close.class))
        .singleElement()
        .satisfies(
            close -> {
              assertThat(close.cause()).isEqualTo(CloseCause.NOT_PERMITTED);
              assertThat(close.text()).endsWith("; the call was not executed");
            });
    assertThat(link.closed).containsExactly(CloseCause.NOT_PERMITTED);
  }

  @Test
  void aLongCallOfWhichPartWasSentMayHaveBeenExecuted() {
    say(new Data(1, false, Arrays.copyOf(CALL, Tunnel.MAX_BODY_BYTES)));
    for (int sent = 0; sent < RelaySettings.DEFAULTS.maxHeldCallBytes(); ) {
      say(new Data(1, false, new byte[Tunnel.MAX_BODY_BYTES]));
      sent += Tunnel.MAX_BODY_BYTES;
    }

    passTime(HALF_AN_HOUR.plusMinutes(1));

    assertThat(link.received(Close.class))
        .singleElement()
        .satisfies(close -> assertThat(close.text()).endsWith("it may have been executed"));
  }

  @Test
  void aLoginThatHoldsEndsWhenItWouldHaveEnded() {
    registry.checkLogins(principal -> principal.name().equals("ann"));
    passTime(HALF_AN_HOUR.minusMinutes(1));
    assertThat(link.received(Goodbye.class)).isEmpty();

    passTime(HALF_AN_HOUR.plusMinutes(1));
    assertThat(link.received(Goodbye.class)).hasSize(1);
  }

  @Test
  void rawStreamEndsAtOnceAndNoNewOneIsLetThrough() {
    say(new Data(1, true, CALL)); // which keeps the session
    say(new OpenRaw(5, "127.0.0.1", server.getLocalPort(), Duration.ZERO));
    await().until(() -> link.received(Data.class).stream().anyMatch(d -> d.stream() == 5));

    passTime(HALF_AN_HOUR.plusMinutes(1));

    await().until(() -> !link.received(Close.class).isEmpty());
    assertThat(link.received(Close.class)).containsExactly(new Close(5, CloseCause.NOT_PERMITTED));
    say(new OpenRaw(7, "127.0.0.1", server.getLocalPort(), Duration.ZERO));
    await().until(() -> !link.received(Refused.class).isEmpty());
    assertThat(link.received(Refused.class).get(0).text()).contains("expired");
  }

  /** Takes everything at once. */
  private static final class RecordedLink implements LinkPort {
    private final List<Frame> frames = new CopyOnWriteArrayList<>();
    private final List<CloseCause> closed = new CopyOnWriteArrayList<>();
    private final FrameReader reader = new FrameReader(frames::add);

    @Override
    public void send(ByteBuffer bytes, SendEnd end) {
      try {
        reader.feed(bytes);
      } catch (IOException notOurProtocol) {
        throw new UncheckedIOException(notOurProtocol);
      }
      end.sendEnded(null);
    }

    @Override
    public void close(CloseCause cause) {
      closed.add(cause);
    }

    @Override
    public String peer() {
      return "192.0.2.1:9";
    }

    <F extends Frame> List<F> received(Class<F> type) {
      return frames.stream().filter(type::isInstance).map(type::cast).toList();
    }
  }
}
