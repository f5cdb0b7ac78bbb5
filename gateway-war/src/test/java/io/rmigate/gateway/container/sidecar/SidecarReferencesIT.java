package io.rmigate.gateway.container.sidecar;

import static io.rmigate.gateway.container.leases.Holding.ask;
import static io.rmigate.gateway.container.leases.Holding.awaitUnreferenced;
import static io.rmigate.gateway.container.leases.Holding.tell;
import static io.rmigate.gateway.container.leases.Holding.unreferenced;
import static io.rmigate.gateway.container.sidecar.SidecarBed.SOON;
import static io.rmigate.gateway.container.sidecar.SidecarBed.reverse;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.ExportAddress;
import io.rmigate.gateway.testing.TroubledRelay;
import io.rmigate.testing.LoopbackPort;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What JVMs behind a sidecar hold, and what is held of theirs. Servers grant two seconds. */
class SidecarReferencesIT extends SidecarScenario {
  /** No leases but those of references are to be counted. */
  private static final String[] SHORT_LEASES = {
    "--listen", "127.0.0.1:0", "--lease", "2s", "--lookups", "off"
  };

  /** What was not renewed inside has ended by then. */
  private static final int MORE_THAN_ONE = 5;

  @Test
  void referencesAreHeldInsideAndReleasedWhenTheyAreDropped() throws Exception {
    ChildJvm keeper = bed.keeper(port, TWO_SECONDS);
    ChildJvm client = bed.client(bed.sidecar(SHORT_LEASES), port);
    tell(client, "many t 20");
    bed.awaitLeases(21);
    bed.awaitRenewals(MORE_THAN_ONE);
    tell(client, "callall");
    assertThat(unreferenced(keeper, "t")).isZero();

    tell(client, "dropall");

    awaitUnreferenced(keeper, "t", 20);
    bed.awaitLeases(1);
  }

  @Test
  void whatOneClientDropsStaysForTheOther() throws Exception {
    ChildJvm keeper = bed.keeper(port, TWO_SECONDS);
    int socks = bed.sidecar(SHORT_LEASES);
    ChildJvm first = bed.client(socks, port);
    ChildJvm second = bed.client(socks, port);
    tell(first, "take a");
    tell(second, "take a");
    tell(first, "take own");
    bed.awaitLeases(3);

    tell(first, "dropall");

    awaitUnreferenced(keeper, "own", 1); // the clean has come
    bed.awaitRenewals(MORE_THAN_ONE);
    tell(second, "call a");
    assertThat(unreferenced(keeper, "a")).isZero();
    tell(second, "drop a");
    awaitUnreferenced(keeper, "a", 1);
  }

  @Test
  void killedClientReleasesWhatItAloneHeld() throws Exception {
    ChildJvm keeper = bed.keeper(port, TWO_SECONDS);
    int socks = bed.sidecar(SHORT_LEASES);
    ChildJvm killed = bed.client(socks, port);
    ChildJvm living = bed.client(socks, port);
    tell(killed, "take own");
    tell(killed, "take a");
    tell(living, "take a");
    bed.awaitLeases(3);

    killed.kill();

    awaitUnreferenced(keeper, "own", 1);
    bed.awaitRenewals(MORE_THAN_ONE);
    tell(living, "call a");
    assertThat(unreferenced(keeper, "a")).isZero();
  }

  /** The gateway has that port at another address of this machine than the client's JVM. */
  @Test
  void serversInsideCallAndReleaseObjectsOfAnUnchangedJvm() throws Exception {
    int towerPort = LoopbackPort.free();
    ChildJvm tower = bed.tower(towerPort);
    try (TroubledRelay link = TroubledRelay.to(bed.gateway().port())) {
      bed.gatewayBehind(link.port());
      ExportAddress bells = new ExportAddress("127.0.0.2", bed.bellPort());
      int socks = bed.sidecar("--listen", "127.0.0.1:0", reverse(bells));
      ChildJvm client = bed.bells(socks, towerPort, bells);
      tell(client, "hang a");
      tell(client, "hang b");
      assertThat(ask(client, "ring a")).startsWith("done a rung by 127.0.0.");

      link.reset();

      assertThat(rang(tower, "a")).startsWith("a rung by 127.0.0.");
      assertThat(link.connections()).isGreaterThan(1);
      tell(client, "take a");
      awaitUnreferenced(client, "a", 1);
      assertThat(unreferenced(client, "b")).isZero();

      bed.sidecarProcess().close(); // SIGTERM
      awaitUnreferenced(client, "b", 1);
    }
  }

  @Test
  void severalJvmsShareASidecarAndEachIsCalledAndReleasedForItself() throws Exception {
    int towerPort = LoopbackPort.free();
    ChildJvm tower = bed.tower(towerPort);
    ExportAddress one = new ExportAddress("127.0.0.2", bed.bellPort());
    ExportAddress other = new ExportAddress("127.0.0.2", bed.otherBellPort());
    int socks = bed.sidecar("--listen", "127.0.0.1:0", reverse(one), reverse(other));
    ChildJvm ending = bed.bells(socks, towerPort, one);
    ChildJvm staying = bed.bells(socks, towerPort, other);
    tell(ending, "hang a");
    tell(ending, "hang b");
    tell(staying, "hang c");
    for (String bell : List.of("a", "b", "c")) {
      assertThat(rang(tower, bell)).startsWith(bell + " rung by 127.0.0.");
    }

    tell(staying, "take a"); // a bell of the other JVM
    awaitUnreferenced(ending, "a", 1);
    assertThat(unreferenced(ending, "b")).isZero();
    assertThat(unreferenced(staying, "c")).isZero();

    ending.kill();
    assertThat(rang(tower, "b")).isEqualTo("failed with ConnectException");
    assertThat(rang(tower, "c")).startsWith("c rung by 127.0.0.");
    assertThat(ask(staying, "ring c")).startsWith("done c rung by 127.0.0.");
    assertThat(unreferenced(staying, "c")).isZero();
    tell(staying, "take c");
    awaitUnreferenced(staying, "c", 1);
  }

  @Test
  void sidecarEndsInOrderAndItsClientsReferencesWithIt() throws Exception {
    ChildJvm keeper = bed.keeper(port, Duration.ofMinutes(10).toMillis());
    ChildJvm client = bed.client(bed.sidecar(SHORT_LEASES), port);
    tell(client, "take a");
    bed.awaitLeases(2);

    bed.sidecarProcess().close(); // SIGTERM

    assertThat(bed.sidecarProcess().awaitExit(SOON)).isZero();
    awaitUnreferenced(keeper, "a", 1);
    assertThat(ask(client, "call a")).startsWith("failed");
  }

  private static String rang(ChildJvm tower, String bell) throws InterruptedException {
    return tower.ask("ring " + bell, Pattern.compile("^rang (.*)$"), SOON).group(1);
  }
}
