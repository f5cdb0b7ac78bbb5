package io.rmigate.gateway.session;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.login.Principal;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Credit;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Feature;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.FrameOutput;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.OpenRaw;
import io.rmigate.protocol.tunnel.RefusalReason;
import io.rmigate.protocol.tunnel.Refused;
import io.rmigate.protocol.tunnel.ReturnEnd;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Welcome;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;

/** The agent's end of a session: says frames, honest or not, and waits for answers. */
final class TestAgent {
  static final int CREDIT = 256 * 1024;

  private final RecordingLinkPort port;
  private final TunnelSession session;
  private long said;

  TestAgent(SessionRegistry registry, RecordingLinkPort.Sends sends, Principal principal) {
    port = new RecordingLinkPort(sends);
    session = registry.begin(port, principal);
  }

  RecordingLinkPort port() {
    return port;
  }

  TunnelSession session() {
    return session;
  }

  static Hello greeting(int minVersion, int maxVersion, int credit) {
    return greeting(minVersion, maxVersion, credit, Set.of(Feature.DEADLINES));
  }

  private static Hello greeting(int minVersion, int maxVersion, int credit, Set<Feature> offered) {
    return new Hello(
        minVersion,
        maxVersion,
        offered,
        SessionToken.NONE,
        0,
        credit,
        List.of(Welcome.IDENTITY),
        Map.of("client", "test"));
  }

  void hello() {
    hello(CREDIT);
  }

  /** Offers raw streams, and gives {@code credit} bytes on each. */
  void helloRaw(int credit) {
    say(greeting(Tunnel.VERSION, Tunnel.VERSION, credit, Set.of(Feature.RAW_STREAMS)));
    awaitWelcome();
  }

  /** Offers these codings. */
  void helloCoding(String... offered) {
    say(
        new Hello(
            Tunnel.VERSION,
            Tunnel.VERSION,
            Set.of(),
            SessionToken.NONE,
            0,
            CREDIT,
            List.of(offered),
            Map.of()));
    awaitWelcome();
  }

  /** Asks for a session that outlives its link. */
  void helloToStay() {
    say(staying(SessionToken.NONE, 0));
  }

  /** Asks to go on with a session. */
  void resume(SessionToken token, long received) {
    say(staying(token, received));
  }

  private static Hello staying(SessionToken token, long received) {
    return new Hello(
        Tunnel.VERSION,
        Tunnel.VERSION,
        Set.of(Feature.RESUME),
        token,
        received,
        CREDIT,
        List.of(Welcome.IDENTITY),
        Map.of("client", "test"));
  }

  /** What the gateway has said first. */
  Welcome welcome() {
    awaitWelcome();
    return port.frames(Welcome.class).get(0);
  }

  /** How many bytes have been said. */
  long said() {
    return said;
  }

  void hello(int credit) {
    say(greeting(Tunnel.VERSION, Tunnel.VERSION, credit));
  }

  /** Offers these. */
  void hello(Feature... offered) {
    say(greeting(Tunnel.VERSION, Tunnel.VERSION, CREDIT, Set.of(offered)));
    awaitWelcome();
  }

  void awaitWelcome() {
    awaitThat(() -> !port.frames(Welcome.class).isEmpty());
  }

  /** All in one piece of the transport. */
  void say(Frame... frames) {
    FrameOutput out = new FrameOutput(1024);
    for (Frame frame : frames) {
      out.append(frame);
    }
    sayBytes(out.toByteArray());
  }

  void sayBytes(byte[] bytes) {
    said += bytes.length;
    session.onBytes(ByteBuffer.wrap(bytes));
  }

  void open(int stream, String host, int targetPort) {
    say(new Open(stream, host, targetPort, Duration.ZERO, Duration.ZERO));
  }

  void open(int stream, int targetPort) {
    open(stream, "127.0.0.1", targetPort);
  }

  void openRaw(int stream, int targetPort) {
    say(new OpenRaw(stream, "127.0.0.1", targetPort, Duration.ZERO));
  }

  /** Waits until the gateway says that it is connected. */
  void awaitConnected(int stream) {
    awaitThat(() -> port.pieces().stream().anyMatch(piece -> piece.stream() == stream));
  }

  /** Sends a request in frames as large as they may be; it must fit the credit. */
  void request(int stream, byte[] bytes) {
    int from = 0;
    do {
      int length = Math.min(Tunnel.MAX_BODY_BYTES, bytes.length - from);
      byte[] body = Arrays.copyOfRange(bytes, from, from + length);
      from += length;
      say(new Data(stream, from == bytes.length, body));
    } while (from < bytes.length);
  }

  void part(int stream, byte[] bytes) {
    say(new Data(stream, false, bytes));
  }

  void credit(int stream, int bytes) {
    say(new Credit(stream, bytes));
  }

  void close(int stream) {
    say(new Close(stream, CloseCause.DONE));
  }

  /** Waits until {@code bytes} bytes in all have come on this stream. */
  byte[] awaitData(int stream, int bytes) {
    awaitThat(() -> port.dataBytes(stream) >= bytes);
    assertThat(port.dataBytes(stream)).isEqualTo(bytes);
    return port.data(stream);
  }

  /** Sends a Call and waits for a Return of {@code returnBytes} bytes. */
  byte[] call(int stream, byte[] call, int returnBytes) {
    int before = (int) port.dataBytes(stream);
    request(stream, call);
    byte[] all = awaitData(stream, before + returnBytes);
    return Arrays.copyOfRange(all, before, all.length);
  }

  Close awaitClose(int stream) {
    awaitThat(() -> port.frames(Close.class).stream().anyMatch(c -> c.stream() == stream));
    return port.frames(Close.class).stream()
        .filter(close -> close.stream() == stream)
        .findFirst()
        .orElseThrow();
  }

  void expectClose(int stream, CloseCause cause) {
    assertThat(awaitClose(stream).cause()).isEqualTo(cause);
  }

  /** The n-th refusal on this stream, from 0. */
  Refused awaitRefused(int stream, int number) {
    awaitThat(() -> refusals(stream).size() > number);
    return refusals(stream).get(number);
  }

  List<Refused> refusals(int stream) {
    return port.frames(Refused.class).stream().filter(r -> r.stream() == stream).toList();
  }

  void expectRefused(int stream, long request, RefusalReason reason) {
    Refused refused =
        awaitRefused(stream, 0).request() == request
            ? awaitRefused(stream, 0)
            : awaitRefused(stream, 1);
    assertThat(refused.request()).isEqualTo(request);
    assertThat(refused.reason()).isEqualTo(reason);
  }

  ReturnEnd awaitReturnEnd(int stream) {
    awaitThat(() -> !returnEnds(stream).isEmpty());
    return returnEnds(stream).get(0);
  }

  List<ReturnEnd> returnEnds(int stream) {
    return port.frames(ReturnEnd.class).stream().filter(e -> e.stream() == stream).toList();
  }

  long creditGiven(int stream) {
    return port.frames(Credit.class).stream()
        .filter(credit -> credit.stream() == stream)
        .mapToLong(Credit::moreBytes)
        .sum();
  }

  Goodbye awaitGoodbye() {
    awaitThat(() -> !port.frames(Goodbye.class).isEmpty());
    return port.frames(Goodbye.class).get(0);
  }

  static void awaitThat(Callable<Boolean> condition) {
    await().pollInterval(Duration.ofMillis(2)).pollDelay(Duration.ZERO).until(condition);
  }
}
