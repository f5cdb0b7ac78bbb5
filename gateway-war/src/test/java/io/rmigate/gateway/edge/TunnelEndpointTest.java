package io.rmigate.gateway.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.relay.Relay;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.session.SessionRegistry;
import io.rmigate.gateway.session.SessionSettings;
import io.rmigate.protocol.tunnel.FrameOutput;
import io.rmigate.protocol.tunnel.Heartbeat;
import io.rmigate.protocol.tunnel.Hello;
import io.rmigate.protocol.tunnel.SessionToken;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.protocol.tunnel.Welcome;
import io.rmigate.testing.NamedThreads;
import io.rmigate.testing.Patience;
import jakarta.websocket.CloseReason;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.RemoteEndpoint;
import jakarta.websocket.SendHandler;
import jakarta.websocket.SendResult;
import jakarta.websocket.Session;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The container's end of a link, against containers that are slow to close. */
class TunnelEndpointTest {
  private static final Duration PATIENCE = Patience.PATIENCE;
  private static final Principal ANN = new Principal("ann", Principal.Scheme.BASIC);

  /** A container's WebSocket: takes what is sent; its close lasts until the test lets it end. */
  private static final class SlowToClose {
    final Map<String, Object> userProperties = new HashMap<>();
    final CountDownLatch mayClose = new CountDownLatch(1);
    volatile MessageHandler.Partial<?> inbound;
    volatile CloseReason closing;

    @SuppressWarnings("unchecked")
    void say(FrameOutput frames) {
      ByteBuffer bytes = ByteBuffer.wrap(frames.array(), 0, frames.size());
      ((MessageHandler.Partial<ByteBuffer>) inbound).onMessage(bytes, true);
    }

    volatile Thread closedBy;
    volatile boolean closed;

    Session session() {
      return implement(
          Session.class,
          (proxy, method, arguments) ->
              switch (method.getName()) {
                case "getUserProperties" -> userProperties;
                case "getAsyncRemote" -> remote();
                case "addMessageHandler" -> {
                  inbound = (MessageHandler.Partial<?>) arguments[0];
                  yield null;
                }
                case "close" -> close((CloseReason) arguments[0]);
                default -> null;
              });
    }

    private Object close(CloseReason reason) throws InterruptedException {
      closedBy = Thread.currentThread();
      closing = reason;
      mayClose.await();
      closed = true;
      return null;
    }

    private static RemoteEndpoint.Async remote() {
      return implement(
          RemoteEndpoint.Async.class,
          (proxy, method, arguments) -> {
            ((SendHandler) arguments[1]).onResult(new SendResult());
            return null;
          });
    }

    private static <T> T implement(Class<T> type, InvocationHandler handler) {
      return type.cast(
          Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
  }

  private final List<SlowToClose> opened = new ArrayList<>();
  private final Relay relay = new Relay(RelaySettings.DEFAULTS);
  private final LinkCloser closer = new LinkCloser();
  private final SessionRegistry registry =
      StrictSessions.over(relay, Duration.ofMillis(1)); // no agent says hello in time

  @AfterEach
  void nothingIsLeft() {
    opened.forEach(container -> container.mayClose.countDown());
    registry.close();
    closer.close();
    relay.close();
    NamedThreads.awaitEnd("rmigate-closer");
  }

  private SlowToClose open() {
    return open(nanos -> true);
  }

  private SlowToClose open(TunnelEndpoint.Pause rest) {
    return open("Apache Tomcat/11.0.2", rest);
  }

  private SlowToClose open(String containerName, TunnelEndpoint.Pause rest) {
    SlowToClose container = new SlowToClose();
    opened.add(container);
    new TunnelEndpoint(
            registry,
            closer,
            new HostContainer(containerName),
            ANN,
            "192.0.2.1:9",
            rest,
            Optional.empty())
        .onOpen(container.session(), null);
    return container;
  }

  @Test
  void aLinkThatIsSlowToCloseHoldsUpNobodyElse() {
    SlowToClose first = open();
    await().atMost(PATIENCE).until(() -> first.closing != null);
    SlowToClose second = open();
    await().atMost(PATIENCE).until(() -> second.closing != null);
    second.mayClose.countDown();
    await().atMost(PATIENCE).until(() -> second.closed);
    assertThat(first.closed).isFalse();
    assertThat(List.of(first.closedBy.getName(), second.closedBy.getName()))
        .allMatch(name -> name.startsWith("rmigate-closer-"));
    assertThat(first.closing.getReasonPhrase()).isEqualTo("HELLO_TIMEOUT");
  }

  /** Three times what one may ask for in a second. */
  private static FrameOutput manyChores() {
    FrameOutput frames = new FrameOutput(1024);
    frames.append(
        new Hello(
            Tunnel.VERSION,
            Tunnel.VERSION,
            Set.of(),
            SessionToken.NONE,
            0,
            1024,
            List.of(Welcome.IDENTITY),
            Map.of()));
    for (int i = 0; i < 3 * SessionSettings.DEFAULTS.choresPerSecond(); i++) {
      frames.append(new Heartbeat(i));
    }
    return frames;
  }

  @Test
  void aLinkThatHasBroughtTooMuchIsLeftUnread() {
    List<Long> rests = new CopyOnWriteArrayList<>();
    SlowToClose link = open(rests::add);

    link.say(manyChores());

    assertThat(rests).hasSize(1);
    assertThat(link.closing).isNull();
  }

  @Test
  void aLinkThatCannotBeLeftUnreadNowIsClosed() {
    SlowToClose link = open(nanos -> false);

    link.say(manyChores());

    await().atMost(PATIENCE).until(() -> link.closing != null);
    assertThat(link.closing.getReasonPhrase()).isEqualTo("LINK_LOST");
  }

  @Test
  void closesThatNeverEndAreLeftBehindWhenTheGatewayStops() {
    SlowToClose stuck = open();
    await().atMost(PATIENCE).until(() -> stuck.closing != null);
    closer.close();
    assertThat(stuck.closed).isFalse();
  }

  /** CVE-2026-19204: an old Jetty checks lengths only where it passes on no fragments. */
  @Test
  void anOldJettyIsToldToCheckFramesBeforeItTakesMemoryForThem() {
    assertThat(open("jetty/12.1.8", nanos -> true).userProperties)
        .containsEntry("org.eclipse.jetty.websocket.autoFragment", false)
        .containsEntry("org.eclipse.jetty.websocket.maxFrameSize", 131_072L);
    assertThat(open("jetty/12.1.14", nanos -> true).userProperties)
        .doesNotContainKey("org.eclipse.jetty.websocket.autoFragment");
  }

  @Test
  void tomcatIsToldHowLongACloseMayWaitForASend() {
    SlowToClose container = open();
    assertThat(container.userProperties)
        .containsEntry("org.apache.tomcat.websocket.BLOCKING_SEND_TIMEOUT", 2_000L);
  }
}
