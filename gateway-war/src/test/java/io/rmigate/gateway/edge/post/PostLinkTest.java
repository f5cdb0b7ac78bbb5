package io.rmigate.gateway.edge.post;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.client.Rmigate;
import io.rmigate.client.config.ClientConfig;
import io.rmigate.client.config.ConfigKey;
import io.rmigate.gateway.edge.post.Middlebox.Habit;
import io.rmigate.gateway.standalone.RunningGateway;
import io.rmigate.gateway.testing.InterfacesOfTests;
import io.rmigate.testing.NamedThreads;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RMISocketFactory;
import java.rmi.server.UnicastRemoteObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * RMI over POST, from the client's socket factory to a registry, with any intermediary. Binding a
 * name twice is an error, so that nothing here has been done twice.
 */
class PostLinkTest {
  private static final int CALLS = 200;
  private static final int THREADS = 8;
  private static final int BINDS_A_THREAD = 12;

  @TempDir Path directory;
  private final List<AutoCloseable> opened = new ArrayList<>();
  private final List<Rmigate> clients = new ArrayList<>();
  private Registry inner;
  private int innerPort;
  private RunningGateway gateway;

  @BeforeEach
  void start() throws Exception {
    inner =
        LocateRegistry.createRegistry(
            0,
            null,
            port -> {
              ServerSocket socket = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
              innerPort = socket.getLocalPort();
              return socket;
            });
    gateway =
        closing(
            RunningGateway.start(
                directory,
                """
            path: /rmigate
            insecure: true
            logins:
              anonymous: true
            metrics: open
            targets:
              - principals: ["*"]
                allow: ["127.0.0.1:*"]
                registry: [lookup, list, bind, rebind, unbind]
                references: ['127.0.0.1:*'] # what is bound is an object inside
            """
                    + InterfacesOfTests.section()));
  }

  @AfterEach
  void stop() throws Exception {
    clients.forEach(Rmigate::close);
    NamedThreads.awaitEnd(
        "rmigate-post-close"); // the gateway waits for agents that gave up unheard
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
    UnicastRemoteObject.unexportObject(inner, true);
    NamedThreads.awaitEnd("rmigate-post");
  }

  private <T extends AutoCloseable> T closing(T closeable) {
    opened.add(closeable);
    return closeable;
  }

  private Middlebox box(Habit... habits) throws Exception {
    return closing(new Middlebox(gateway.uri().getPort(), habits));
  }

  private Registry through(Middlebox box, String way) throws Exception {
    return to(box.port(), way);
  }

  private Registry to(int port, String way) throws Exception {
    return LocateRegistry.getRegistry("127.0.0.1", innerPort, client(port, way).socketFactory());
  }

  private Rmigate client(int port, String way) {
    return client(settings(port, way));
  }

  private Rmigate client(ClientConfig.Builder settings) {
    Rmigate client = Rmigate.with(settings.build(), RMISocketFactory.getDefaultSocketFactory());
    clients.add(client);
    return client;
  }

  private static ClientConfig.Builder settings(int port, String way) {
    return ClientConfig.builder()
        .gateways(URI.create("http://127.0.0.1:" + port + "/rmigate"))
        .set(ConfigKey.TUNNEL, "127.0.0.1:*")
        .set(ConfigKey.WAY, way)
        .set(ConfigKey.WAY_RETRY, "50ms")
        .set(ConfigKey.LOOKUPS, "off")
        .set(ConfigKey.EXPORT, "none")
        .set(ConfigKey.STATS, "off")
        .set(ConfigKey.COMPRESSION, "off");
  }

  @Test
  void aCallIsOnePost() throws Exception {
    Middlebox box = box();
    Registry registry = through(box, "post");
    registry.list();
    int before = box.posts();
    for (int call = 0; call < CALLS; call++) {
      registry.list();
    }
    // The thread may not get the processor for so long that the link is read by itself.
    assertThat(box.posts() - before).isBetween(CALLS, CALLS + CALLS / 2);
    assertThat(box.connections()).isLessThanOrEqualTo(3);
    assertThat(resumed()).isZero();
  }

  static Stream<List<Habit>> habits() {
    return Stream.concat(
        Stream.of(Habit.values()).map(List::of),
        Stream.of(
            List.of(Habit.CLOSES_EACH, Habit.STRIPS_HEADERS, Habit.DELAYS),
            List.of(Habit.RECHUNKS, Habit.REPEATS, Habit.DELAYS),
            List.of(Habit.LOSES_ANSWERS, Habit.LOSES_REQUESTS, Habit.DELAYS, Habit.REPEATS)));
  }

  @ParameterizedTest
  @MethodSource("habits")
  void eachCallIsExecutedOnceWhoeverStandsBetween(List<Habit> habits) throws Exception {
    Middlebox box = box(habits.toArray(Habit[]::new));
    Registry registry = through(box, "post");
    bindFromManyThreads(registry);
    assertThat(inner.list()).hasSize(THREADS * BINDS_A_THREAD);
    if (habits.contains(Habit.LOSES_ANSWERS) || habits.contains(Habit.LOSES_REQUESTS)) {
      assertThat(box.lost()).isPositive();
    }
    if (!habits.contains(Habit.IS_IMPATIENT)) {
      assertThat(resumed()).isZero(); // the session has noticed nothing
    }
  }

  private void bindFromManyThreads(Registry registry) throws Exception {
    List<CompletableFuture<Void>> threads = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      String prefix = "thread" + thread + "-";
      threads.add(
          CompletableFuture.runAsync(
              () -> {
                try {
                  for (int i = 0; i < BINDS_A_THREAD; i++) {
                    registry.bind(prefix + i, inner); // a second time it would be bound already
                  }
                } catch (Exception failed) {
                  throw new AssertionError(prefix, failed);
                }
              },
              task -> new Thread(task, "binder").start()));
    }
    for (CompletableFuture<Void> thread : threads) {
      thread.get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void aLargeResultComesInManyAnswersAndALargeRequestInManyPosts() throws Exception {
    Middlebox box = box(Habit.RECHUNKS);
    Registry registry = through(box, "post");
    String name = "x".repeat(60_000);
    int names = 20;
    for (int i = 0; i < names; i++) {
      registry.bind(name + i, inner);
    }
    String[] listed = registry.list();
    assertThat(listed).hasSize(names).allMatch(each -> each.startsWith(name));
    assertThat(resumed()).isZero();
  }

  @Test
  void aLinkThatRestsIsKeptByRequestsThatWaitNoLongerThanAnybodyBetween() throws Exception {
    Middlebox box = box(Habit.IS_IMPATIENT);
    Registry registry = through(box, "post");
    registry.list();
    await().until(() -> box.timeouts() > 0);
    int posts = box.posts();
    await().until(() -> box.posts() > posts + 3); // those that wait less long are answered
    int timeouts = box.timeouts();
    int later = box.posts();
    await().until(() -> box.posts() > later + 3);
    assertThat(box.timeouts()).isEqualTo(timeouts);
    registry.list();
    assertThat(resumed()).isZero();
  }

  @Test
  void theSessionGoesOnWhenAllConnectionsBreak() throws Exception {
    Middlebox box = box();
    Registry registry = through(box, "post");
    for (int cut = 0; cut < 5; cut++) {
      registry.bind("before" + cut, inner);
      box.cut();
      registry.bind("after" + cut, inner);
    }
    assertThat(inner.list()).hasSize(10);
    assertThat(metric("rmigate_sessions ")).isEqualTo(1);
  }

  @Test
  void postIsUsedWhereTheUpgradeIsRefused() throws Exception {
    Middlebox box = box();
    Registry registry = through(box, "auto");
    registry.bind("one", inner);
    assertThat(inner.list()).containsExactly("one");
    assertThat(box.posts()).isPositive();
  }

  @Test
  void webSocketIsUsedWhereItCan() throws Exception {
    // On a busy machine a POST would otherwise be tried beside it.
    ClientConfig.Builder patient =
        settings(gateway.uri().getPort(), "auto").set(ConfigKey.WAY_STAGGER, "1m");
    Registry registry =
        LocateRegistry.getRegistry("127.0.0.1", innerPort, client(patient).socketFactory());
    registry.bind("one", inner);
    assertThat(inner.list()).containsExactly("one");
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .doesNotContain("rmigate-posts"); // which is there from the first POST on
  }

  /**
   * Down where WebSockets break and are refused, up again where they are not, all in one session.
   */
  @Test
  void theLinkClimbsBackToWebSocketWhileCallsGoOnEachExecutedOnce() throws Exception {
    UpgradeDoor door = closing(new UpgradeDoor(gateway.uri().getPort()));
    Rmigate client = client(door.port(), "websocket|post");
    Registry registry = LocateRegistry.getRegistry("127.0.0.1", innerPort, client.socketFactory());
    registry.bind("first", inner);
    AtomicBoolean enough = new AtomicBoolean();
    List<CompletableFuture<Integer>> threads = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      threads.add(bindAndUnbindUntil(enough, registry, "thread" + thread + "-"));
    }
    String gatewayUrl = "http://127.0.0.1:" + door.port() + "/rmigate";
    for (int round = 0; round < 3; round++) {
      door.open();
      long resumed = resumed();
      await()
          .until(
              () ->
                  resumed() > resumed
                      && client.ways().toString().contains(gatewayUrl + ": websocket: "));
      door.shut();
      await().until(() -> client.ways().toString().contains(gatewayUrl + ": post: websocket: "));
    }
    enough.set(true);
    int kept = 1;
    for (CompletableFuture<Integer> thread : threads) {
      kept += thread.get(60, TimeUnit.SECONDS);
    }
    assertThat(inner.list()).hasSize(kept);
    assertThat(metric("rmigate_sessions ")).isEqualTo(1);
    assertThat(metric("rmigate_sessions_closed_total")).as("no session was lost").isZero();
  }

  /** Both fail when they are executed twice. Returns how many names it has left. */
  private CompletableFuture<Integer> bindAndUnbindUntil(
      AtomicBoolean enough, Registry registry, String prefix) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            int i = 0;
            for (; !enough.get(); i++) {
              registry.bind(prefix + i, inner);
              if (i >= BINDS_A_THREAD) {
                registry.unbind(prefix + (i - BINDS_A_THREAD));
              }
            }
            return Math.min(i, BINDS_A_THREAD);
          } catch (Exception failed) {
            throw new AssertionError(prefix, failed);
          }
        },
        task -> new Thread(task, "binder").start());
  }

  @Test
  void aDrainingGatewayLetsCallsEndAndSaysGoodbye() throws Exception {
    Middlebox box = box();
    Registry registry = through(box, "post");
    registry.bind("one", inner);
    gateway.bootstrap().drain(Duration.ofSeconds(30));
    assertThat(metric("rmigate_sessions ")).isZero();
    assertThat(inner.list()).containsExactly("one");
  }

  private long resumed() throws Exception {
    return metric("rmigate_sessions_resumed_total ");
  }

  private long metric(String name) throws Exception {
    return gateway
        .get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(name.length())))
        .sum();
  }
}
