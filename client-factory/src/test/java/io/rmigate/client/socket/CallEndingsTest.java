package io.rmigate.client.socket;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.rmigate.client.mediator.MediatorAgent;
import io.rmigate.client.mediator.MediatorSettings;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.tunnel.Close;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Credit;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Frame;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.protocol.tunnel.ReturnEnd;
import io.rmigate.protocol.tunnel.Tunnel;
import io.rmigate.testing.FakeGateway;
import io.rmigate.testing.FakeGateway.Connection;
import io.rmigate.testing.NamedThreads;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * How a call ends that was sent and brings no whole result. Programs repeat a call on a {@link
 * SocketException}, wherever it stands in the chain of causes; so none of these is one.
 */
@Timeout(180)
class CallEndingsTest {
  private static final String POSSIBLY = "the call may have been executed";
  private static final String EXECUTED = "the call was executed";
  private static final byte[] CALL =
      hex("50 aced0005 7722" + "00".repeat(22) + "ffffffff 9c9e6b1308366dda");

  /** Where a Return begins. */
  private static final Data BEGINNING = new Data(1, false, hex("51 aced"));

  private final FakeGateway gateway = new FakeGateway();
  private final MediatorAgent agent =
      new MediatorAgent(
          gateway, MediatorSettings.of(PATIENCE, Map.of("client", "test"), Compression.AUTO));
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void nothingIsLeft() {
    agent.close();
    threads.shutdownNow();
    NamedThreads.awaitEnd("rmigate-");
  }

  /** What happens to a call that was sent. */
  private interface Ending {
    void happensTo(Connection link, TunnelSocket socket) throws Exception;
  }

  private static Ending frames(Frame... frames) {
    return (link, socket) -> link.send(frames);
  }

  private Throwable failure(Ending ending) throws Exception {
    TunnelSocket socket = handshaken();
    Connection link = gateway.accept();
    Future<Throwable> called =
        threads.submit(
            () ->
                catchThrowable(
                    () -> {
                      socket.getOutputStream().write(CALL);
                      socket.getInputStream().readAllBytes();
                    }));
    link.expect(Open.class);
    link.expect(Data.class);
    ending.happensTo(link, socket);
    return called.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private static void assertNobodyRepeats(Throwable failure, String outcome) {
    List<Class<?>> chain = new ArrayList<>();
    for (Throwable each = failure; each != null; each = each.getCause()) {
      chain.add(each.getClass());
    }
    assertThat(failure).isInstanceOf(IOException.class).hasMessageContaining(outcome);
    assertThat(chain).noneMatch(SocketException.class::isAssignableFrom);
  }

  @ParameterizedTest
  @EnumSource(CloseCause.class)
  void theEndOfTheStreamBeforeTheReturn(CloseCause cause) throws Exception {
    assertNobodyRepeats(failure(frames(new Close(1, cause))), POSSIBLY);
  }

  @ParameterizedTest
  @EnumSource(
      value = CloseCause.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"DONE", "SERVER_CLOSED"}) // as ever: the bytes end
  void theEndOfTheStreamWithinTheReturn(CloseCause cause) throws Exception {
    assertNobodyRepeats(failure(frames(BEGINNING, new Close(1, cause))), EXECUTED);
  }

  @Test
  void theEndOfTheServersConnection() throws Exception {
    Throwable failure = failure(frames(new ReturnEnd(1, 1)));
    assertThat(failure).isInstanceOf(EOFException.class);
    assertNobodyRepeats(failure, POSSIBLY);
  }

  @ParameterizedTest
  @EnumSource(CloseCause.class)
  void theEndOfTheSession(CloseCause cause) throws Exception {
    assertNobodyRepeats(failure(frames(new Goodbye(cause, "over"))), POSSIBLY);
  }

  @Test
  void theEndOfTheSessionWithinTheReturn() throws Exception {
    Throwable failure = failure(frames(BEGINNING, new Goodbye(CloseCause.DRAINING, "over")));
    assertNobodyRepeats(failure, EXECUTED);
    assertThat(((LostCallException) failure).wasExecuted()).isTrue();
  }

  @Test
  void theLossOfTheLink() throws Exception {
    Throwable failure = failure((link, socket) -> link.cut());
    assertNobodyRepeats(failure, POSSIBLY);
    assertThat(((LostCallException) failure).wasExecuted()).isFalse();
  }

  @Test
  void aGatewayThatBreaksTheProtocol() throws Exception {
    assertNobodyRepeats(failure(frames(new Credit(1, Tunnel.MAX_CREDIT_BYTES))), POSSIBLY);
  }

  @Test
  void theEndOfTheAgent() throws Exception {
    assertNobodyRepeats(failure((link, socket) -> agent.close()), POSSIBLY);
  }

  @Test
  void aSocketThatTheProgramClosesUnderItsCall() throws Exception {
    assertNobodyRepeats(failure((link, socket) -> socket.close()), POSSIBLY);
  }

  /** No part of a Call without an end is executed; but its end need not be known here. */
  @Test
  void theEndOfTheStreamWhileTheCallIsBeingSent() throws Exception {
    TunnelSocket socket = handshaken();
    Connection link = gateway.accept();
    byte[] call = new byte[1_000_000];
    call[0] = 0x50;
    CountDownLatch writing = new CountDownLatch(1);
    Future<Throwable> sent =
        threads.submit(
            () ->
                catchThrowable(
                    () -> {
                      writing.countDown();
                      socket.getOutputStream().write(call);
                    }));
    writing.await();
    link.expect(Open.class);
    link.expect(Data.class);
    link.send(new Close(1, CloseCause.NOT_PERMITTED));
    assertNobodyRepeats(sent.get(), POSSIBLY);
  }

  /** What has certainly not been sent is told of as plain RMI does it. */
  @Test
  void aCallThatWasNeverSentFailsLikeAConnect() throws Exception {
    TunnelSocket socket = handshaken();
    Connection link = gateway.accept();
    socket.getOutputStream().write(CALL);
    gateway.policy(FakeGateway.ConnectPolicy.REFUSE);
    link.send(new Goodbye(CloseCause.DONE, ""));
    await().until(() -> agent.currentLink().isEmpty());
    byte[] answer = socket.getInputStream().readNBytes(200);
    assertThat(new String(answer, StandardCharsets.ISO_8859_1))
        .contains("java.rmi.Connect")
        .doesNotContain("executed");
  }

  private TunnelSocket handshaken() throws Exception {
    TunnelSocket socket = TunnelSocket.connect(agent, "inside.example", 1099);
    socket.setSoTimeout((int) Duration.ofMinutes(1).toMillis());
    socket.getOutputStream().write(hex("4a524d49 0002 4b"));
    DataInputStream ack = new DataInputStream(socket.getInputStream());
    ack.readByte();
    ack.readUTF();
    ack.readInt();
    socket.getOutputStream().write(hex("0000 00000000"));
    return socket;
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }
}
