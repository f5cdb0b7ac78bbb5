package io.rmigate.gateway.container.callbacks;

import static io.rmigate.gateway.container.callbacks.BellBed.SOON;
import static io.rmigate.gateway.container.callbacks.BellBed.ask;
import static io.rmigate.gateway.container.callbacks.BellBed.hang;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.gateway.testing.OpenGateway;
import io.rmigate.testing.LoopbackPort;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Two gateways with the same address and ports inside, the first of which is killed while a server
 * holds a client's object: what its stub names is then a port of the second.
 */
@ExtendWith(LeftoverCheck.class)
class AnotherGatewayIT {
  private static final Pattern LOST =
      Pattern.compile("do not reach exported objects any more whose stubs name port (\\d+).*");

  private final int port = LoopbackPort.free();
  private Path directory;
  private BellBed bed;
  private OpenGateway one;
  private OpenGateway two;
  private ChildJvm tower;
  private ChildJvm client;

  @BeforeEach
  void startTower(TestInfo test) throws Exception {
    directory =
        Files.createDirectories(
            BuiltArtefacts.workDirectory(getClass())
                .resolve(test.getTestMethod().orElseThrow().getName())
                .resolve(Long.toString(System.nanoTime())));
    bed = new BellBed(directory);
    tower = bed.tower();
  }

  @AfterEach
  void stopEverything() throws Exception {
    bed.close();
    for (OpenGateway gateway : new OpenGateway[] {one, two}) {
      if (gateway != null) {
        gateway.close();
      }
    }
  }

  /** A bell hangs in the tower that is reached at {@link #port}, by way of the first gateway. */
  private void hangBell(String callbacksOfTheOther) throws Exception {
    one = OpenGateway.start(directory.resolve("one"), bed.hosts(), settings(""));
    two = OpenGateway.start(directory.resolve("two"), bed.hosts(), settings(callbacksOfTheOther));
    client = bed.client(one.uri() + "|" + two.uri());
    hang(client, "great");
    assertThat(ask(tower, "ring great")).isEqualTo("great rung by " + bed.ringer());
    assertThat(two.metric("rmigate_sessions")).isZero();
  }

  private String[] settings(String more) {
    return new String[] {
      OpenGateway.targets(InsideHosts.INSIDE + ":*"),
      bed.callbacks(more, "ports: " + port, "lease: 4s")
    };
  }

  /** Of an entry of {@code callbacks.allow}. */
  private String explicit() {
    return "    explicit: [" + port + "]";
  }

  @Test
  void serversReachObjectsOfAKilledGatewaysClientsByTheirOldStubs() throws Exception {
    hangBell(explicit());

    one.kill();

    await().atMost(SOON).until(() -> two.metric("rmigate_callbacks_listeners") == 1);
    assertThat(ask(tower, "ring great")).isEqualTo("great rung by " + bed.ringer());
    // The tower's next renewal is made to name what it holds.
    await().atMost(SOON).until(() -> two.metric("rmigate_callbacks_objects") == 1);
    assertThat(client.output()).noneMatch(line -> line.startsWith("unreferenced"));
    assertThat(client.output()).noneMatch(line -> LOST.matcher(line).find());
    assertThat(ask(client, "lost")).isEqualTo("0");
  }

  @Test
  void theApplicationIsToldOfAPortThatTheOtherGatewayDoesNotGiveAndOfItsReturn() throws Exception {
    hangBell("");

    one.kill();

    assertThat(client.awaitLine(LOST, SOON).group()).contains("NOT_PERMITTED").contains("" + port);
    assertThat(ask(client, "lost")).isEqualTo("1");
    assertThat(ask(tower, "ring great")).isEqualTo("failed with ConnectException");

    two.reconfigure(settings(explicit()));

    await().atMost(SOON).until(() -> two.metric("rmigate_callbacks_listeners") == 1);
    assertThat(ask(tower, "ring great")).isEqualTo("great rung by " + bed.ringer());
  }
}
