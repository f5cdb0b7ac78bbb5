package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.relay.AddressRule;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Where leases may stay; where calls go the tests of mapped endpoints say. */
class InsideRoutesTest {
  private static final ObjIdentifier ID = new ObjIdentifier(1, 1, 2, (short) 3);

  private final TargetPolicy policy =
      new TargetPolicy(
          List.of(
              new TargetGrant(
                  Set.of("*"), List.of("alpha:1099", "beta:1099", "named:*"), SessionBed.READING)));

  private final InsideRoutes routes = new InsideRoutes("s", SessionBed.ANN);

  private void learn(String host, String place) {
    routes.learn(
        policy,
        new EndpointId(host, 5000),
        Optional.of(ID),
        new RegistryPlace(place, AddressRule.NAMED));
  }

  private boolean mayBeAt(String host, String place) {
    return routes.mayBeAt(policy, host, 5000, place);
  }

  @Test
  void leaseMayStayAtAnyServerThatHasTheNameOfItsEndpoint() {
    learn("127.0.1.1", "alpha");
    assertThat(mayBeAt("127.0.1.1", "Alpha")).isTrue();
    learn("127.0.1.1", "beta");
    assertThat(mayBeAt("127.0.1.1", "alpha")).isTrue();
    assertThat(mayBeAt("127.0.1.1", "beta")).isTrue();
    assertThat(mayBeAt("127.0.1.1", "gamma")).isFalse();
    assertThat(mayBeAt("127.0.1.1", "127.0.1.1")).isFalse();
  }

  @Test
  void leaseMayStayWhereItsEndpointSays() {
    assertThat(mayBeAt("named", "named")).isTrue();
    assertThat(mayBeAt("named", "alpha")).isFalse();
    assertThat(mayBeAt("unknown", "unknown")).isFalse();
    learn("unknown", "alpha");
    assertThat(mayBeAt("unknown", "unknown")).isTrue();
  }
}
