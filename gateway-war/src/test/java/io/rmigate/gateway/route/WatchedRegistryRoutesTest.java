package io.rmigate.gateway.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.relay.address.AddressRule;
import io.rmigate.gateway.relay.address.Target;
import io.rmigate.gateway.session.SessionBed;
import io.rmigate.protocol.jrmp.EndpointId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Where the gateway's own leases on watched bindings go. */
class WatchedRegistryRoutesTest {
  private static final EndpointMapping NOTHING_MAPPED = new EndpointMapping(false, List.of());
  private static final EndpointMapping TO_LOCALHOST =
      new EndpointMapping(
          true, List.of(new EndpointMapping.Rule("172.17.*", Optional.of("localhost"))));

  @Test
  void whatPolicyNamesMayBeLoopback() {
    TargetPolicy policy =
        new TargetPolicy(List.of(grant("ann", "localhost:*", "127.0.0.1:*")), NOTHING_MAPPED);
    Target target = WatchedRegistryRoutes.target(policy, registry("localhost"), at("127.0.0.1"));
    assertThat(target.host()).isEqualTo("127.0.0.1");
    assertThat(target.addresses()).isEqualTo(AddressRule.NAMED);
  }

  @Test
  void whereTheConfigurationSendsStubsMayBeLoopbackIfPolicyNamesIt() {
    TargetPolicy policy =
        new TargetPolicy(List.of(grant("ann", "a.example:*", "localhost:*")), TO_LOCALHOST);
    Target target = WatchedRegistryRoutes.target(policy, registry("a.example"), at("172.17.0.2"));
    assertThat(target.host()).isEqualTo("localhost");
    assertThat(target.addresses()).isEqualTo(AddressRule.NAMED);
  }

  @Test
  void whatARegistryNamesIsNoLoopbackUnlessPolicyNamesIt() {
    TargetPolicy policy =
        new TargetPolicy(List.of(grant("ann", "a.example:*", "127.*:*")), NOTHING_MAPPED);
    assertThat(
            WatchedRegistryRoutes.target(policy, registry("a.example"), at("127.0.0.1"))
                .addresses())
        .isEqualTo(AddressRule.ROUTABLE);
  }

  @Test
  void whatPolicyNamesForOthersThanThoseOfTheRegistryCountsForNothing() {
    TargetPolicy policy =
        new TargetPolicy(
            List.of(
                grant("ann", "a.example:*"),
                grant("bob", "127.0.0.1:*"),
                new TargetGrant(Set.of("bob"), List.of("a.example:*"), Set.of())),
            NOTHING_MAPPED);
    assertThat(
            WatchedRegistryRoutes.target(policy, registry("a.example"), at("127.0.0.1"))
                .addresses())
        .isEqualTo(AddressRule.ROUTABLE);
  }

  private static TargetGrant grant(String principal, String... targets) {
    return new TargetGrant(Set.of(principal), List.of(targets), SessionBed.ALL);
  }

  private static Target registry(String host) {
    return new Target(host, 1099, AddressRule.NAMED, Duration.ofSeconds(1), Duration.ofSeconds(1));
  }

  private static EndpointId at(String host) {
    return new EndpointId(host, 4000);
  }
}
