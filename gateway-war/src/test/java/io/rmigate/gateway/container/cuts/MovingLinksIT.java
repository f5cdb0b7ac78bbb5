package io.rmigate.gateway.container.cuts;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.rmigate.gateway.standalone.Standalone;
import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.DevelopmentCertificate;
import io.rmigate.gateway.testing.InterfacesOfTests;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.NetworkNamespace;
import io.rmigate.testing.Patience;
import io.rmigate.testing.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Clients that move from network to network while they call, and are called back: no call fails,
 * each is executed once on each side. The heartbeat is ten minutes, so that only the watch over the
 * silence of links notices what happens.
 *
 * <p>{@code -Drmigate.moves.clients=64} runs the large form, which {@code
 * docs/development/tests.md} describes, and prints how long calls stood still.
 */
@Tag(Tier.FULL)
@ExtendWith(LeftoverCheck.class)
class MovingLinksIT {
  private static final Duration SOON = Patience.PATIENCE;
  private static final long ENOUGH_CALLS = 40;
  private static final Duration PULLED = Duration.ofMillis(400);
  private static final Duration SUSPENDED = Duration.ofSeconds(3);
  private static final Pattern CALLING = Pattern.compile("^calling$");
  private static final Pattern FINISHED = Pattern.compile("^finished$");
  private static final Pattern SLOW = Pattern.compile("^slow (\\d+) (\\d+)$");
  private static final Pattern DONE =
      Pattern.compile("^done (\\d+) (\\d+) (\\d+) (\\d+) (\\d+) (\\d+)$");
  private static final Pattern TALLY = Pattern.compile("^tally (\\d+) (\\d+)$");

  /** What happens to the clients, in an order in which each begins where the one before ends. */
  private enum Move {
    OTHER_NETWORK {
      @Override
      void happen(MovingNetwork network, List<ChildJvm> clients) throws IOException {
        network.routeByTheOtherNetwork();
      }
    },
    FIRST_NETWORK {
      @Override
      void happen(MovingNetwork network, List<ChildJvm> clients) throws IOException {
        network.routeByTheFirstNetwork();
      }
    },
    OTHER_ADDRESS {
      @Override
      void happen(MovingNetwork network, List<ChildJvm> clients) throws IOException {
        network.changeAddress();
      }
    },
    CABLE_PULLED {
      @Override
      void happen(MovingNetwork network, List<ChildJvm> clients) throws Exception {
        network.pull();
        Thread.sleep(PULLED.toMillis()); // as long as the fault lasts
        network.plugIn();
      }
    },
    CONNECTIONS_FORGOTTEN {
      @Override
      void happen(MovingNetwork network, List<ChildJvm> clients) throws IOException {
        network.forgetConnections();
      }
    },
    VPN_ON {
      @Override
      void happen(MovingNetwork network, List<ChildJvm> clients) throws IOException {
        network.beginVpn();
      }
    },
    VPN_OFF {
      @Override
      void happen(MovingNetwork network, List<ChildJvm> clients) throws IOException {
        network.endVpn();
      }
    },
    SUSPENDED_AND_FORGOTTEN {
      @Override
      void happen(MovingNetwork network, List<ChildJvm> clients) throws Exception {
        signal("-STOP", clients);
        network.forgetConnections();
        Thread.sleep(SUSPENDED.toMillis()); // as long as the fault lasts
        signal("-CONT", clients);
      }
    };

    abstract void happen(MovingNetwork network, List<ChildJvm> clients) throws Exception;

    private static void signal(String signal, List<ChildJvm> processes) throws Exception {
      List<String> command = new ArrayList<>(List.of("kill", signal));
      processes.forEach(process -> command.add(Long.toString(process.pid())));
      assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }
  }

  private Path directory;
  private MovingNetwork network;
  private DevelopmentCertificate certificate;
  private ChildJvm server;
  private ChildJvm gateway;
  private String registryPort;
  private String uri;
  private final List<ChildJvm> clients = new ArrayList<>();

  @BeforeEach
  void startHome() throws Exception {
    Optional<String> obstacle = NetworkNamespace.obstacle();
    if (obstacle.isPresent()) {
      abort(obstacle.get());
    }
    directory = BuiltArtefacts.workDirectory(getClass()).resolve(Long.toString(System.nanoTime()));
    Files.createDirectories(directory);
    network = MovingNetwork.create();
    certificate = DevelopmentCertificate.create(directory, "ip:" + MovingNetwork.HOME);
    server =
        ChildJvm.named("tally", directory)
            .inside(network.home())
            .jvmOptions("-Xmx256m")
            .property("java.rmi.server.hostname", MovingNetwork.HOME)
            .classPath(BuiltArtefacts.codeSource(TallyServer.class))
            .main(TallyServer.class.getName())
            .start();
    registryPort = server.awaitLine(Pattern.compile("^tally ready (\\d+)$"), SOON).group(1);
    gateway =
        ChildJvm.named("gateway", directory)
            .inside(network.home())
            .jvmOptions("-Xmx384m")
            .classPath(BuiltArtefacts.gatewayClassPath())
            .main(Standalone.class.getName())
            .arguments("--config", configuration().toString())
            .start();
    uri = gateway.awaitLine(Pattern.compile("^rmigate ready (\\S+?)/?$"), SOON).group(1);
  }

  private Path configuration() throws Exception {
    return Files.writeString(
        directory.resolve("rmigate.yaml"),
        """
        listen: %1$s:443
        path: /rmigate
        tls:
          keystore: '%2$s'
          password-file: '%3$s'
        state: '%4$s'
        logins:
          anonymous: true
        session:
          heartbeat: 10m
          grace: 1h
        classes:
          interfaces: '%5$s'
        targets:
          - principals: ['*']
            allow: ['%1$s:*']
        callbacks:
          address: %1$s
          host: %1$s
          from: ['%1$s']
          allow:
            - principals: ['*']
        """
            .formatted(
                MovingNetwork.HOME,
                certificate.keystore(),
                certificate.passwordFile(),
                directory.resolve("state"),
                InterfacesOfTests.directory()));
  }

  @AfterEach
  void stopAll() throws Exception {
    for (ChildJvm client : clients) {
      client.close();
    }
    for (ChildJvm jvm : new ChildJvm[] {gateway, server}) {
      if (jvm != null) {
        jvm.close();
      }
    }
    if (network != null) {
      network.close();
    }
  }

  @Test
  void noCallIsLostOrRepeatedWhenClientsMove() throws Exception {
    for (String way : new String[] {"websocket", "post"}) {
      clients.add(client(way, 3, 0, 20));
    }
    begin();
    awaitMoreCalls();
    for (Move move : Move.values()) {
      move.happen(network, clients);
      awaitMoreCalls();
    }
    assertNothingWasLost();
  }

  private void begin() throws InterruptedException {
    for (ChildJvm client : clients) {
      client.awaitLine(Pattern.compile("^ready$"), SOON);
    }
    for (ChildJvm client : clients) {
      client.ask("go", CALLING, SOON);
    }
  }

  /** The calls of each client, since one transport may go on and the other one not. */
  private void awaitMoreCalls() throws InterruptedException {
    List<Long> before = madeCalls();
    await()
        .atMost(SOON)
        .until(
            () -> {
              List<Long> now = madeCalls();
              for (int i = 0; i < now.size(); i++) {
                if (now.get(i) < before.get(i) + ENOUGH_CALLS) {
                  return false;
                }
              }
              return true;
            });
  }

  private List<Long> madeCalls() throws InterruptedException {
    List<Long> made = new ArrayList<>();
    for (ChildJvm client : clients) {
      made.add(
          Long.parseLong(client.ask("calls", Pattern.compile("^calls (\\d+)$"), SOON).group(1)));
    }
    return made;
  }

  /** The large form. */
  @Test
  @EnabledIfSystemProperty(named = "rmigate.moves.clients", matches = "\\d+")
  void manyClientsMove() throws Exception {
    int number = Integer.getInteger("rmigate.moves.clients");
    int calls = Integer.getInteger("rmigate.moves.calls", 1_700);
    int pauseMillis = Integer.getInteger("rmigate.moves.pause", 150);
    Duration every = Duration.ofSeconds(Integer.getInteger("rmigate.moves.seconds", 5));
    for (int i = 0; i < number; i++) {
      clients.add(client(i % 2 == 0 ? "websocket" : "post", 1, calls, pauseMillis));
    }
    begin();
    Map<Long, Move> moves = new LinkedHashMap<>();
    while (clients.stream().anyMatch(client -> !has(client, FINISHED))) {
      Thread.sleep(every.toMillis()); // the fault's own rhythm
      Move move = Move.values()[moves.size() % Move.values().length];
      move.happen(network, clients);
      moves.put(System.currentTimeMillis(), move);
    }
    printStalls(moves, every.toMillis());
    assertNothingWasLost();
  }

  private static boolean has(ChildJvm client, Pattern line) {
    return client.output().stream().anyMatch(line.asPredicate());
  }

  /** For each move and client, how long after the network worked again its slowest call came. */
  private void printStalls(Map<Long, Move> moves, long everyMillis) {
    List<Long> all = new ArrayList<>();
    Map<Move, List<Long>> byMove = new LinkedHashMap<>();
    Map<String, List<Long>> byWay = new LinkedHashMap<>();
    int index = 0;
    for (ChildJvm client : clients) {
      String way = index++ % 2 == 0 ? "websocket" : "post";
      List<long[]> slow = new ArrayList<>();
      for (String line : client.output()) {
        Matcher matcher = SLOW.matcher(line);
        if (matcher.find()) {
          long begin = Long.parseLong(matcher.group(1));
          slow.add(new long[] {begin, begin + Long.parseLong(matcher.group(2))});
        }
      }
      moves.forEach(
          (at, move) -> {
            long stall =
                slow.stream()
                    .filter(call -> call[0] < at + everyMillis && call[1] > at)
                    .mapToLong(call -> call[1] - Math.max(at, call[0]))
                    .max()
                    .orElse(0);
            all.add(stall);
            byMove.computeIfAbsent(move, any -> new ArrayList<>()).add(stall);
            byWay.computeIfAbsent(way, any -> new ArrayList<>()).add(stall);
          });
    }
    System.out.println(moves.size() + " moves of " + clients.size() + " clients");
    byMove.forEach((move, stalls) -> System.out.println(move + " " + figures(stalls)));
    byWay.forEach((way, stalls) -> System.out.println(way + " " + figures(stalls)));
    System.out.println("all " + figures(all));
  }

  private static String figures(List<Long> stalls) {
    long[] sorted = stalls.stream().mapToLong(Long::longValue).sorted().toArray();
    return "stalls, ms: p50 "
        + sorted[sorted.length / 2]
        + ", p90 "
        + sorted[sorted.length * 9 / 10]
        + ", p99 "
        + sorted[sorted.length * 99 / 100]
        + ", most "
        + sorted[sorted.length - 1]
        + ", "
        + Arrays.stream(sorted).filter(stall -> stall > 2_000).count()
        + " above 2 s, of "
        + sorted.length;
  }

  private void assertNothingWasLost() throws InterruptedException {
    long calls = 0;
    for (ChildJvm client : clients) {
      Matcher done = client.ask("stop", DONE, SOON);
      assertThat(done.group(2)).as("exceptions").isEqualTo("0");
      assertThat(done.group(3)).as("wrong answers").isEqualTo("0");
      assertThat(done.group(5)).as("executed at the client").isEqualTo(done.group(4));
      assertThat(done.group(6)).as("executed more than once at the client").isEqualTo("0");
      calls += Long.parseLong(done.group(1));
    }
    Matcher tally = server.ask("", TALLY, SOON);
    assertThat(tally.group(1)).as("executed").isEqualTo(Long.toString(calls));
    assertThat(tally.group(2)).as("executed more than once").isEqualTo("0");
  }

  private ChildJvm client(String way, int threads, int calls, int pauseMillis) throws Exception {
    return ChildJvm.named("client-" + way + clients.size(), directory)
        .inside(network.client())
        .agentLogsInfo()
        .jvmOptions(
            "-Xmx48m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-javaagent:"
                + BuiltArtefacts.javaagent()
                + "="
                + uri
                + ",way="
                + way
                + ",truststore="
                + certificate.truststore()
                + ",truststore-password-file="
                + certificate.passwordFile())
        .classPath(BuiltArtefacts.codeSource(MovingClient.class))
        .main(MovingClient.class.getName())
        .arguments(
            MovingNetwork.HOME,
            registryPort,
            Integer.toString(threads),
            Integer.toString(calls),
            Integer.toString(pauseMillis))
        .start();
  }
}
