package io.rmigate.gateway.container.leases;

import static io.rmigate.gateway.container.leases.Holding.ask;
import static io.rmigate.gateway.container.leases.Holding.awaitUnreferenced;
import static io.rmigate.gateway.container.leases.Holding.tell;
import static io.rmigate.gateway.container.leases.Holding.unreferenced;
import static io.rmigate.gateway.container.leases.LeaseBed.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rmigate.gateway.testing.BuiltArtefacts;
import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.gateway.testing.LeftoverCheck;
import io.rmigate.testing.LoopbackPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * References at endpoints that policy does not name: a session has learnt them from the one
 * registry that it names. They outlive the session all the same, if gateways know each other's
 * keys.
 */
@ExtendWith(LeftoverCheck.class)
class GrantsIT {
  private static final int TOKENS = 20;

  /** With the keeper itself. */
  private static final int HELD = TOKENS + 1;

  /** The gateway's own lease on what the agent answers lookups with. */
  private static final int WATCHED = 1;

  private LeaseBed bed;
  private ChildJvm keeper;
  private ChildJvm client;

  /** What the first gateway has sealed. */
  private long sealed;

  private Path directory(TestInfo test, String variant) throws IOException {
    return Files.createDirectories(
        BuiltArtefacts.workDirectory(getClass())
            .resolve(test.getTestMethod().orElseThrow().getName() + "-" + variant));
  }

  /** A client that holds tokens of a keeper that calls itself so and is not in the policy. */
  private void hold(Path directory, String host, String lookups, String settings) throws Exception {
    int registry = LoopbackPort.free();
    bed =
        LeaseBed.allowing(
            InsideHosts.INSIDE + ":" + registry, directory, "session: {grace: 2m}", settings);
    keeper = bed.keeperThatCallsItself(host, registry, LoopbackPort.free(), bed.outlivingMillis());
    client = bed.client(registry, ",lookups=" + lookups);
    tell(client, "many t " + TOKENS);
    bed.awaitLeases(lookups.equals("on") ? HELD + WATCHED : HELD);
    bed.awaitGranted(HELD);
    sealed = bed.gateway().metric("rmigate_grants_sealed_total");
    assertThat(sealed).isGreaterThanOrEqualTo(2); // where they are, and which they are
  }

  @AfterEach
  void stopEverything() throws IOException {
    if (bed != null) {
      bed.close();
    }
  }

  private void assertEverythingIsHeld(long killed) throws InterruptedException {
    bed.awaitLeases(HELD);
    assertThat(bed.gateway().metric("rmigate_grants_accepted_total")).isEqualTo(sealed);
    tell(client, "callall");
    Holding.outliveKilled(bed.gateway(), killed, bed.outlivingMillis());
    tell(client, "callall");
    assertThat(unreferenced(keeper, "")).isZero();
    tell(client, "take another");
    tell(client, "call another");
    tell(client, "dropall");
    awaitUnreferenced(keeper, "t", TOKENS);
  }

  @ParameterizedTest
  @CsvSource({
    InsideHosts.INSIDE + ",off",
    "127.0.1.1,on",
  })
  void referencesAtLearntEndpointsOutliveAKilledGateway(String host, String lookups, TestInfo test)
      throws Exception {
    hold(directory(test, host + "-" + lookups), host, lookups, "");

    long killed = bed.gateway().kill();
    bed.gateway().startAgain();

    assertEverythingIsHeld(killed);
  }

  @Test
  void gatewayWithACommonKeyTakesOverWhatAnotherOneHasSealed(TestInfo test) throws Exception {
    Path directory = directory(test, "common");
    Path keys = directory.resolve("grants.keys");
    Files.writeString(keys, Base64.getEncoder().encodeToString(new byte[32]) + "\n");
    hold(directory, "127.0.1.1", "on", "grants: {key-file: '" + keys + "'}");

    long killed = bed.gateway().kill();
    bed.gateway().startAnother();

    assertEverythingIsHeld(killed);
  }

  @Test
  void gatewayWithAnotherKeyBelievesNothing(TestInfo test) throws Exception {
    hold(directory(test, "other"), "127.0.1.1", "off", "");

    bed.gateway().kill();
    bed.gateway().startAnother();

    await().atMost(SOON).until(() -> bed.gateway().metric("rmigate_sessions") == 1);
    await().atMost(SOON).until(() -> bed.gateway().metric("rmigate_refused_total") > 0);
    assertThat(ask(client, "callall")).startsWith("failed");
    assertThat(bed.gateway().metric("rmigate_grants_accepted_total")).isZero();
    assertThat(bed.leases()).isZero();
    tell(client, "lookup"); // has it learnt anew
    tell(client, "take another");
    tell(client, "call another");
  }
}
