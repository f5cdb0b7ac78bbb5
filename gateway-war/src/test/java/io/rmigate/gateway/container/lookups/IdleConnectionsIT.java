package io.rmigate.gateway.container.lookups;

import static io.rmigate.gateway.container.lookups.LookupBed.ask;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.ChildJvm;
import io.rmigate.gateway.testing.InsideHosts;
import io.rmigate.testing.Patience;
import org.junit.jupiter.api.Test;

/** Connections that rest, and are closed meanwhile, cost no round trip. */
class IdleConnectionsIT extends LookupScenario {
  @Test
  void aCallTakesOneRoundTripAfterTheClientHasClosedItsIdleConnections() throws Exception {
    bed.server(InsideHosts.INSIDE);
    bed.gateway(NO_POLL);
    ChildJvm client = bed.client("", "-Dsun.rmi.transport.connectionTimeout=500");
    assertThat(ask(client, "hello")).isEqualTo(GREETING);
    for (int i = 0; i < 3; i++) {
      Patience.await().until(() -> bed.gateway().metric("rmigate_streams") == 0);
      assertOneTripOverANewConnection(client, "call");
      Patience.await().until(() -> bed.gateway().metric("rmigate_streams") == 0);
      assertOneTripOverANewConnection(client, "hello");
    }
  }

  @Test
  void aCallTakesOneRoundTripAfterTheServerHasClosedItsIdleConnections() throws Exception {
    bed.server(InsideHosts.INSIDE, "-Dsun.rmi.transport.tcp.readTimeout=500");
    bed.gateway(NO_POLL);
    ChildJvm client = bed.client("", "-Dsun.rmi.transport.connectionTimeout=3600000");
    assertThat(ask(client, "hello")).isEqualTo(GREETING);
    for (int i = 0; i < 3; i++) {
      Patience.await().until(() -> bed.gateway().connectionsToServers() == 0);
      assertOneTripOverANewConnection(client, "call");
    }
  }

  /** Since the one before was closed while nothing was to do. */
  private void assertOneTripOverANewConnection(ChildJvm client, String what) throws Exception {
    long before = bed.gateway().metric("rmigate_servers_connect_seconds_count");
    assertThat(bed.trips(client, what, GREETING)).isEqualTo(1);
    assertThat(bed.gateway().metric("rmigate_servers_connect_seconds_count")).isEqualTo(before + 1);
  }
}
