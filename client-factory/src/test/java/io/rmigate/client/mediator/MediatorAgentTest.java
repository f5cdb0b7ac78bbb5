package io.rmigate.client.mediator;

import static io.rmigate.testing.Patience.PATIENCE;
import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.client.deadline.CallClock;
import io.rmigate.client.deadline.CallTimeouts;
import io.rmigate.client.deadline.Deadlines;
import io.rmigate.client.jvm.ThreadShortage;
import io.rmigate.client.link.LinkStream;
import io.rmigate.client.transport.Transport;
import io.rmigate.protocol.coding.Compression;
import io.rmigate.protocol.tunnel.CloseCause;
import io.rmigate.protocol.tunnel.Data;
import io.rmigate.protocol.tunnel.Goodbye;
import io.rmigate.protocol.tunnel.Open;
import io.rmigate.testing.FakeGateway;
import io.rmigate.testing.FakeGateway.ConnectPolicy;
import io.rmigate.testing.FakeGateway.Connection;
import io.rmigate.testing.Interrupted;
import io.rmigate.testing.NamedThreads;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** How links are opened, and what is left of one that was being opened when it was closed. */
class MediatorAgentTest {
  private final FakeGateway gateway = new FakeGateway();
  private final AtomicInteger attempts = new AtomicInteger();

  /** Connections are made once this is open. */
  private final CountDownLatch network = new CountDownLatch(1);

  private final MediatorAgent agent =
      new MediatorAgent(this::connect, MediatorSettings.of(PATIENCE, Map.of(), Compression.AUTO));

  private Transport connect(Duration timeout) throws IOException {
    attempts.incrementAndGet();
    try {
      if (network.getCount() > 0) { // who is interrupted would be told so by an open one, too
        network.await();
      }
    } catch (InterruptedException stop) {
      throw new IOException(stop);
    }
    return gateway.connect(timeout);
  }

  @AfterEach
  void nothingIsLeft() {
    network.countDown();
    agent.close();
    NamedThreads.awaitEnd("rmigate-");
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void aLinkCanBeOpenedFromAVirtualThread() throws Exception {
    network.countDown();
    CompletableFuture<Thread> opened = new CompletableFuture<>();
    Runnable opening =
        () -> {
          try {
            agent.ensureLink();
            opened.complete(Thread.currentThread());
          } catch (Throwable failed) {
            opened.completeExceptionally(failed);
          }
        };
    Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, opening);
    Thread virtual = opened.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    Connection connection = gateway.accept();
    assertThat(agent.currentLink()).isPresent();
    assertThat(connection.writers()).isNotEmpty().doesNotContain(virtual);
    assertThat(connection.readers()).isNotEmpty().doesNotContain(virtual);
  }

  @Test
  void theNextCallFindsALinkAfterAThreadCouldNotBeStarted() throws Exception {
    network.countDown();
    try (ThreadShortage shortage = new ThreadShortage("rmigate-reader")) {
      assertThatThrownBy(agent::ensureLink)
          .isInstanceOf(ConnectException.class)
          .hasMessageContaining("rmigate-reader");
      assertThat(shortage.refused()).isEqualTo(1);
    }
    agent.ensureLink();
    assertThat(agent.currentLink()).isPresent();
  }

  /** The RMI runtime reads it for its first connection, long after the agent was made. */
  @Test
  void theHandshakeObeysWhatTheProgramSetsBeforeItsFirstConnection() throws Exception {
    String property = "sun.rmi.transport.tcp.handshakeTimeout";
    String before = System.getProperty(property);
    network.countDown();
    agent.ensureLink();
    Connection connection = gateway.accept();
    try {
      System.setProperty(property, "3000");
      assertThat(opened(connection).handshakeTimeout()).isEqualTo(Duration.ofSeconds(3));
      System.setProperty(property, "4000");
      assertThat(opened(connection).handshakeTimeout()).isEqualTo(Duration.ofSeconds(3));
    } finally {
      if (before == null) {
        System.clearProperty(property);
      } else {
        System.setProperty(property, before);
      }
    }
  }

  private Open opened(Connection connection) throws Exception {
    LinkStream stream = agent.openStream("inside.example", 1099, CallClock.UNBOUNDED);
    stream.beginRequest();
    stream.send(true, new byte[10], 0, 10);
    Open open = connection.expect(Open.class);
    connection.expect(Data.class);
    return open;
  }

  @Test
  void anInterruptedThreadWaitsForTheLinkThatAnotherOneOpens() throws Exception {
    CompletableFuture<Throwable> opening = openLink();
    await().until(() -> attempts.get() == 1);
    Interrupted.thisThread(network::countDown);
    agent.ensureLink();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(opening.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isNull();
    assertThat(attempts).hasValue(1);
  }

  @Test
  void anInterruptedThreadWaitsUntilTheNextAttemptIsDue() throws Exception {
    network.countDown();
    gateway.policy(ConnectPolicy.REFUSE);
    for (int i = 0; i < 4; i++) { // from here on the pause is long enough to be met
      assertThat(openLink().get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .isInstanceOf(ConnectException.class);
    }
    gateway.policy(ConnectPolicy.ACCEPT);
    Thread.currentThread().interrupt();
    agent.ensureLink();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(attempts).hasValue(5);
  }

  @Test
  void anInterruptedThreadWaitsForAnAttemptThatIsMadeForIt() throws Exception {
    LinkAttempt attempt =
        new LinkAttempt(
            unbounded -> {
              connect(PATIENCE);
              return null;
            });
    Interrupted.thisThread(network::countDown);
    CallTimeouts rules = new CallTimeouts(PATIENCE, List.of(), List.of());
    attempt.await(new Deadlines(rules).connecting("inside.example", 1099, System.nanoTime()));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(attempts).hasValue(1);
  }

  @Test
  void closedWhileALinkAwaitsItsWelcomeItLeavesNothing() throws Exception {
    network.countDown();
    gateway.policy(ConnectPolicy.STAY_SILENT);
    CompletableFuture<Throwable> opening = openLink();
    Connection connection = gateway.accept();
    await().until(() -> connection.hello() != null);
    agent.close();
    assertRefusedAsClosed(opening);
    assertThat(connection.isClosed()).isTrue();
    assertThat(connection.unexpected()).isEmpty();
    assertThat(attempts).hasValue(1);
  }

  @Test
  void closedWhileALinkConnectsItLeavesNothing() throws Exception {
    CompletableFuture<Throwable> opening = openLink();
    await().until(() -> attempts.get() == 1);
    agent.close();
    network.countDown();
    assertRefusedAsClosed(opening);
    assertThat(gateway.accept().isClosed()).isTrue();
    assertThat(agent.currentLink()).isEmpty();
  }

  @Test
  void closedWhileItWaitsToTryAgainItDoesNotTry() throws Exception {
    network.countDown();
    gateway.policy(ConnectPolicy.REFUSE);
    for (int i = 0; i < 4; i++) { // from here on the pause is long enough to be met
      assertThat(openLink().get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .isInstanceOf(ConnectException.class);
    }
    Thread[] opener = new Thread[1];
    CompletableFuture<Throwable> opening = openLink(opener);
    await()
        .pollInterval(Duration.ofMillis(5))
        .until(() -> opener[0].getState() == Thread.State.TIMED_WAITING);
    agent.close();
    gateway.policy(ConnectPolicy.ACCEPT);
    assertRefusedAsClosed(opening);
    assertThat(attempts).hasValue(4);
  }

  @Test
  void sessionsThatEndSoonAreFollowedByPauses() throws Exception {
    network.countDown();
    gateway.behindWelcome(new Goodbye(CloseCause.PROTOCOL_VIOLATION, "scripted"));
    for (int i = 0; i < 4; i++) {
      openLink().get(PATIENCE.toSeconds(), TimeUnit.SECONDS); // had one, or found it ended
      Connection connection = gateway.accept();
      await().until(connection::isClosed);
    }
    Thread[] opener = new Thread[1];
    CompletableFuture<Throwable> opening = openLink(opener);
    await()
        .pollInterval(Duration.ofMillis(5))
        .until(() -> opener[0].getState() == Thread.State.TIMED_WAITING);
    agent.close();
    assertRefusedAsClosed(opening);
    assertThat(attempts).hasValue(4);
  }

  @Test
  void whoCannotWaitForTheNextAttemptIsToldWhyTheLastOneFailed() throws Exception {
    network.countDown();
    gateway.policy(ConnectPolicy.REFUSE);
    try (MediatorAgent impatient =
        new MediatorAgent(
            this::connect, MediatorSettings.of(Duration.ofMillis(1), Map.of(), Compression.OFF))) {
      for (int i = 0; i < 20; i++) { // most of them within the pause after another
        assertThatThrownBy(impatient::ensureLink)
            .isInstanceOf(ConnectException.class)
            .hasMessageEndingWith("scripted: refused");
      }
    }
    assertThat(attempts.get()).isPositive();
  }

  @Test
  void whenClosedItSaysGoodbyeToTheGatewayThatWelcomedIt() throws Exception {
    network.countDown();
    agent.ensureLink();
    Connection connection = gateway.accept();
    agent.close();
    connection.expect(Goodbye.class);
    assertThat(connection.isClosed()).isTrue();
    assertRefusedAsClosed(openLink());
    assertThat(attempts).hasValue(1);
  }

  private CompletableFuture<Throwable> openLink() {
    return openLink(new Thread[1]);
  }

  /** What {@link MediatorAgent#ensureLink} throws on a thread of its own; null for nothing. */
  private CompletableFuture<Throwable> openLink(Thread[] opener) {
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    opener[0] =
        new Thread(
            () -> {
              try {
                agent.ensureLink();
                thrown.complete(null);
              } catch (Throwable failed) {
                thrown.complete(failed);
              }
            },
            "opener");
    opener[0].setDaemon(true);
    opener[0].start();
    return thrown;
  }

  private static void assertRefusedAsClosed(CompletableFuture<Throwable> opening) throws Exception {
    assertThat(opening.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .isInstanceOf(ConnectException.class)
        .hasMessage("rmigate is closed");
  }
}
