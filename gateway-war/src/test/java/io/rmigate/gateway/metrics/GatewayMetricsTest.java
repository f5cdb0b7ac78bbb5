package io.rmigate.gateway.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.view.Savings;
import io.rmigate.protocol.coding.CodingFigures;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GatewayMetricsTest {

  @Test
  void everyFactHasOneName() {
    try (GatewayMetrics metrics = new GatewayMetrics()) {
      metrics.sessionOpened();
      metrics.sessionOpened();
      metrics.sessionResumed();
      metrics.linkRested();
      metrics.sessionClosed("heartbeat");
      metrics.streamOpened();
      metrics.streamOpened();
      metrics.streamClosed();
      metrics.call();
      metrics.isolatedCall();
      metrics.refused("target");
      metrics.refused("target");
      metrics.bytesFromAgent(10);
      metrics.bytesToAgent(20);
      metrics.codedFromAgent(new CodingFigures(100, 8));
      metrics.codedToAgent(new CodingFigures(200, 9));
      metrics.bytesToServer(30);
      metrics.bytesFromServer(40);
      metrics.rawConnected();
      metrics.rawBytesToServer(50);
      metrics.rawBytesFromServer(60);
      metrics.saved(new Savings(1, 2, 3, 4, 5, 6, 7));
      metrics.leasesHeld(5);
      metrics.leasesHeld(-2);
      metrics.leaseCall(true);
      metrics.leaseCall(true);
      metrics.leaseCall(false);
      metrics.leaseCallFailed();
      metrics.leaseAcknowledged();
      metrics.namesWatched(3);
      metrics.namesWatched(-1);
      metrics.lookupAnswered(true);
      metrics.lookupAnswered(true);
      metrics.lookupAnswered(true);
      metrics.lookupAnswered(false);
      metrics.registryAsked();
      metrics.registryAsked();
      metrics.bindingPushed();
      metrics.grantSealed(0);
      metrics.grantSealed(400);
      metrics.grantAccepted();
      metrics.callbackListeners(2);
      metrics.callbackListeners(-1);
      metrics.callbackConnections(3);
      metrics.callbackObjects(4);
      metrics.callback();
      metrics.callbackAnswered();
      metrics.callbackAnswered();
      metrics.services().bridgeCall("returned", 2_000_000);
      metrics.services().bridgeCall("returned", 1_000_000);
      metrics.services().bridgeLookup();
      metrics.services().bridgeReferences(3);
      metrics.services().bridgeReferences(-1);
      metrics.connected(1_000_000);
      metrics.connectFailed("TIMEOUT");

      assertThat(metrics.saved()).isEqualTo(new Savings(1, 2, 3, 4, 5, 6, 3));
      assertThat(metrics.links())
          .isEqualTo(new GatewayMetrics.LinkTotals(10, 20, new CodingFigures(300, 17)));
      assertThat(metrics.scrape().lines().filter(line -> line.startsWith("rmigate_")))
          .containsExactlyInAnyOrder(
              "rmigate_sessions 1.0",
              "rmigate_sessions_closed_total{cause=\"heartbeat\"} 1.0",
              "rmigate_sessions_resumed_total 1.0",
              "rmigate_link_rests_total 1.0",
              "rmigate_callbacks_listeners 1.0",
              "rmigate_callbacks_connections 3.0",
              "rmigate_callbacks_objects 4.0",
              "rmigate_callbacks_calls_total 1.0",
              "rmigate_callbacks_answered_total 2.0",
              "rmigate_grants_sealed_total 2.0",
              "rmigate_grants_objects_total 400.0",
              "rmigate_grants_accepted_total 1.0",
              "rmigate_streams 1.0",
              "rmigate_calls_total 1.0",
              "rmigate_calls_isolated_total 1.0",
              "rmigate_refused_total{reason=\"target\"} 2.0",
              "rmigate_link_received_bytes_total 10.0",
              "rmigate_link_sent_bytes_total 20.0",
              "rmigate_link_received_uncoded_bytes_total 100.0",
              "rmigate_link_received_coded_bytes_total 8.0",
              "rmigate_link_sent_uncoded_bytes_total 200.0",
              "rmigate_link_sent_coded_bytes_total 9.0",
              "rmigate_servers_sent_bytes_total 30.0",
              "rmigate_servers_received_bytes_total 40.0",
              "rmigate_raw_connections_total 1.0",
              "rmigate_raw_sent_bytes_total 50.0",
              "rmigate_raw_received_bytes_total 60.0",
              "rmigate_saved_plain_round_trips_total 1.0",
              "rmigate_saved_round_trips_total 2.0",
              "rmigate_saved_plain_bytes_total 3.0",
              "rmigate_saved_lookups_total 4.0",
              "rmigate_saved_lease_calls_total 5.0",
              "rmigate_saved_pings_total 6.0",
              "rmigate_lookups_watched 2.0",
              "rmigate_lookups_known_total 3.0",
              "rmigate_lookups_asked_total 1.0",
              "rmigate_lookups_inside_total 2.0",
              "rmigate_lookups_pushes_total 1.0",
              "rmigate_leases 3.0",
              "rmigate_leases_dirty_total 2.0",
              "rmigate_leases_clean_total 1.0",
              "rmigate_leases_failures_total 1.0",
              "rmigate_leases_acks_total 1.0",
              "rmigate_bridge_calls_seconds_count{outcome=\"returned\"} 2",
              "rmigate_bridge_calls_seconds_sum{outcome=\"returned\"} 0.003",
              "rmigate_bridge_calls_seconds_max{outcome=\"returned\"} 0.002",
              "rmigate_bridge_lookups_total 1.0",
              "rmigate_bridge_references 2.0",
              "rmigate_servers_connect_seconds_count 1",
              "rmigate_servers_connect_seconds_sum 0.001",
              "rmigate_servers_connect_seconds_max 0.001",
              "rmigate_servers_connect_failures_total{reason=\"TIMEOUT\"} 1.0");
      assertThat(metrics.refused()).isEqualTo(Map.of("target", 2L));
    }
  }

  @Test
  void labelValuesAreBounded() {
    try (GatewayMetrics metrics = new GatewayMetrics()) {
      for (int i = 0; i < 1000; i++) {
        metrics.refused("reason" + i);
      }

      assertThat(metrics.refused()).hasSizeLessThanOrEqualTo(65).containsKey("other");
      assertThat(metrics.refused().values().stream().mapToLong(Long::longValue).sum())
          .isEqualTo(1000);
    }
  }
}
