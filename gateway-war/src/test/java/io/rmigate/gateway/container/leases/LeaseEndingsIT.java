package io.rmigate.gateway.container.leases;

import static io.rmigate.gateway.container.leases.Holding.ask;
import static io.rmigate.gateway.container.leases.Holding.awaitUnreferenced;
import static io.rmigate.gateway.container.leases.Holding.outliveKilled;
import static io.rmigate.gateway.container.leases.Holding.tell;
import static io.rmigate.gateway.container.leases.Holding.unreferenced;
import static io.rmigate.gateway.container.leases.LeaseBed.SOON;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.testing.Tier;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** What becomes of references when clients, links, gateways and servers end. */
class LeaseEndingsIT extends LeaseScenario {
  /** Longer than any test: an object is released only by a clean call. */
  private static final long LONG_LEASE_MILLIS = Duration.ofMinutes(10).toMillis();

  private static final int TOKENS = 20;

  /** With the keeper itself. */
  private static final int HELD = TOKENS + 1;

  private ChildJvm keeper;
  private ChildJvm client;

  /** A client that holds the keeper and {@code a}. */
  private void holdOne(TestInfo test, String session, long leaseMillis) throws Exception {
    bed(test, "session: " + session);
    keeper = bed.keeper(port, leaseMillis);
    client = bed.client(port, "");
    tell(client, "take a");
    bed.awaitLeases(2);
  }

  /** A client that holds the keeper and its tokens. */
  private void holdMany(TestInfo test, String session, long leaseMillis) throws Exception {
    bed(test, "session: " + session);
    holdMany(bed.keeper(port, leaseMillis), "");
  }

  /**
   * A client of the bed that holds the keeper and its tokens; {@code more} as {@link
   * LeaseBed#client}.
   */
  private void holdMany(ChildJvm those, String more) throws Exception {
    keeper = those;
    client = bed.client(port, more);
    tell(client, "many t " + TOKENS);
    bed.awaitLeases(HELD);
  }

  @Test
  void killedClientsReferencesAreReleasedAfterTheGrace(TestInfo test) throws Exception {
    holdOne(test, "{grace: 2s}", LONG_LEASE_MILLIS);

    long killed = System.nanoTime();
    client.kill();

    awaitUnreferenced(keeper, "a", 1);
    assertThat(Duration.ofNanos(System.nanoTime() - killed)).isGreaterThan(Duration.ofSeconds(2));
    bed.awaitLeases(0);
  }

  @Test
  void clientThatFallsSilentIsNoticedByItsMissingHeartbeats(TestInfo test) throws Exception {
    holdOne(test, "{heartbeat: 1s, grace: 1s}", LONG_LEASE_MILLIS);

    bed.relay().mute(); // the connection stays, as when a machine loses its power
    client.kill();

    awaitUnreferenced(keeper, "a", 1);
    bed.awaitLeases(0);
  }

  @Test
  void clientThatEndsInOrderReleasesAtOnce(TestInfo test) throws Exception {
    holdOne(test, "{grace: 1h}", LONG_LEASE_MILLIS);

    client.ask("exit", Pattern.compile("^bye$"), SOON);

    awaitUnreferenced(keeper, "a", 1);
  }

  @Test
  @Tag(Tier.FULL)
  void whatAnAdministratorEndsIsReleasedAndWrittenDown(TestInfo test) throws Exception {
    holdOne(test, "{grace: 1h}\naudit:\n  path: audit.jsonl", LONG_LEASE_MILLIS);
    String session = bed.gateway().admin("leases").at("/0/session").asText();
    URI leases = URI.create(bed.gateway().uri() + "/admin/leases/" + session);

    HttpResponse<String> ended =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(leases).DELETE().build(), BodyHandlers.ofString());

    assertThat(ended.statusCode()).isEqualTo(200);
    awaitUnreferenced(keeper, "a", 1);
    bed.awaitLeases(0);
    assertThat(Files.readAllLines(bed.gateway().state().resolveSibling("audit.jsonl")))
        .filteredOn(line -> line.contains("\"event\":\"admin\",\"outcome\":\"ended\""))
        .singleElement()
        .asString()
        .contains("\"reason\":\"leases of session " + session + "\"");
  }

  @Test
  void sessionThatIsResumedKeepsItsLeases(TestInfo test) throws Exception {
    holdMany(test, "{grace: 2m}", LEASE_MILLIS);

    bed.relay().cut();

    tell(client, "callall");
    bed.awaitRenewals(MORE_THAN_ONE);
    assertThat(bed.gateway().get("/admin/leases").split("\"session\"")).hasSize(2); // the same one
    assertHeldUntilDropped();
  }

  @Test
  void referencesOutliveACutLinkOfASessionThatIsNotResumed(TestInfo test) throws Exception {
    bed(test, "session: {grace: 10s}");
    holdMany(bed.keeper(port, LEASE_MILLIS), ",grace=0s");
    bed.awaitGranted(HELD);

    bed.relay().cut();

    // Declared anew without a call, and the grace of the lost session passes.
    bed.awaitLeases(2 * HELD);
    bed.awaitLeases(HELD);
    bed.awaitRenewals(MORE_THAN_ONE);
    tell(client, "callall");
    assertHeldUntilDropped();
  }

  @Test
  void referencesOfAServerThatDoesNotKnowItsNameOutliveACutLink(TestInfo test) throws Exception {
    bed(test, "session: {grace: 2m}");
    holdMany(bed.keeperThatKnowsNothing(port, LEASE_MILLIS), "");

    bed.relay().cut();

    tell(client, "callall");
    bed.awaitRenewals(MORE_THAN_ONE);
    tell(client, "callall");
    assertHeldUntilDropped();
  }

  @Test
  void referencesOutliveAKilledGateway(TestInfo test) throws Exception {
    bed(test, "session: {grace: 2m}");
    long leaseMillis = bed.outlivingMillis();
    holdMany(bed.keeper(port, leaseMillis), "");
    bed.awaitGranted(HELD);

    long killed = bed.gateway().kill();
    bed.gateway().startAgain();

    bed.awaitLeases(HELD);
    tell(client, "callall");
    outliveKilled(bed.gateway(), killed, leaseMillis);
    tell(client, "callall");
    assertHeldUntilDropped();
  }

  @Test
  void restartedServerIsTakenFromAgain(TestInfo test) throws Exception {
    holdOne(test, "{grace: 2m}", LEASE_MILLIS);
    keeper.kill();
    assertThat(ask(client, "call a")).startsWith("failed");
    ChildJvm again = bed.keeper(port, LEASE_MILLIS);
    assertThat(ask(client, "call a")).contains("NoSuchObjectException");

    tell(client, "lookup");
    tell(client, "take b");
    tell(client, "drop a");
    bed.awaitRenewals(MORE_THAN_ONE);

    tell(client, "call b");
    assertThat(unreferenced(again, "b")).isZero();
    tell(client, "drop b");
    awaitUnreferenced(again, "b", 1);
  }

  /** Of the tokens. */
  private void assertHeldUntilDropped() throws InterruptedException {
    assertThat(unreferenced(keeper, "t")).isZero();
    tell(client, "dropall");
    awaitUnreferenced(keeper, "t", TOKENS);
  }
}
