package io.rmigate.gateway.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.relay.address.AddressRule;
import io.rmigate.gateway.session.SessionBed;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Where leases may stay; where calls go the tests of mapped endpoints say. */
class SessionRoutesTest {
  private static final ObjIdentifier ID = new ObjIdentifier(1, 1, 2, (short) 3);

  private final TargetPolicy policy =
      permitting("alpha:1099", "beta:1099", "named:*", "localhost:1099");

  private final SessionRoutes routes = new SessionRoutes("s", SessionBed.ANN);

  private static TargetPolicy permitting(String... targets) {
    return new TargetPolicy(
        List.of(new TargetGrant(Set.of("*"), List.of(targets), SessionBed.READING)));
  }

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

  private Route routeOfMany(TargetPolicy now, String host, long object) {
    return routes.routeOfMany(
        now, new EndpointId(host, 5000), Optional.of(new ObjIdentifier(object, 1, 2, (short) 3)));
  }

  @Test
  void theWayOfManyObjectsIsLookedForOnceAsLongAsItLasts() {
    Route first = routeOfMany(policy, "named", 1);
    assertThat(first).isInstanceOf(Route.Permitted.class);
    assertThat(routeOfMany(policy, "named", 2)).isSameAs(first);
    assertThat(routeOfMany(policy, "unknown", 2)).isInstanceOf(Route.NotPermitted.class);
    assertThat(routeOfMany(permitting("alpha:*"), "named", 3))
        .isInstanceOf(Route.NotPermitted.class);
    learn("named", "alpha");
    assertThat(routeOfMany(policy, "named", 4)).isNotSameAs(first);
  }

  @Test
  void theWayOfManyObjectsIsLookedForAgainWhereItDependsOnThem() {
    learn("127.0.1.1", "alpha");
    Route ofAll = routeOfMany(policy, "127.0.1.1", 1);
    assertThat(routeOfMany(policy, "127.0.1.1", 9)).isSameAs(ofAll);
    routes.learn(
        policy,
        new EndpointId("127.0.1.1", 5000),
        Optional.of(new ObjIdentifier(2, 1, 2, (short) 3)),
        new RegistryPlace("beta", AddressRule.NAMED));
    assertThat(((Route.Permitted) routeOfMany(policy, "127.0.1.1", 1)).host()).isEqualTo("alpha");
    assertThat(((Route.Permitted) routeOfMany(policy, "127.0.1.1", 2)).host()).isEqualTo("beta");
    assertThat(routeOfMany(policy, "127.0.1.1", 9)).isInstanceOf(Route.Ambiguous.class);
  }

  private Route.Permitted registryAt(String host, int port) {
    Route route = routes.route(policy, host, port, () -> Optional.of(ObjIdentifier.REGISTRY));
    assertThat(route).isInstanceOf(Route.Permitted.class);
    return (Route.Permitted) route;
  }

  @Test
  void whatBelongsToAnEarlierCallGoesThereAgainByAnotherPolicyThatPermitsIt() {
    routes.learn(
        policy,
        new EndpointId("localhost", 1099),
        Optional.of(ID),
        new RegistryPlace("alpha", AddressRule.NAMED));
    routes.learn(
        policy,
        new EndpointId("localhost", 1099),
        Optional.of(new ObjIdentifier(2, 1, 2, (short) 3)),
        new RegistryPlace("beta", AddressRule.NAMED));
    Route.Permitted before = registryAt("localhost", 1099);
    TargetPolicy same = permitting("alpha:1099", "beta:1099", "localhost:1099");
    TargetPolicy less = permitting("alpha:1099", "beta:1099");

    assertThat(routes.again(policy, before, "localhost", 1099)).contains(before);
    assertThat(routes.again(same, before, "localhost", 1099))
        .get()
        .satisfies(
            way -> {
              assertThat(way.policy()).isSameAs(same);
              assertThat(way.host()).isEqualTo("localhost");
            });
    assertThat(routes.again(less, before, "localhost", 1099)).isEmpty();
  }

  @Test
  void whatWentBesideOthersGoesThereAgainByAnotherPolicyThatPermitsIt() {
    TargetPolicy before = permitting("alpha:*");
    routes.learn(
        before,
        new EndpointId("localhost", 1099),
        Optional.of(ID),
        new RegistryPlace("alpha", AddressRule.NAMED));
    Route.Permitted way =
        (Route.Permitted) routes.route(before, "localhost", 2000, () -> Optional.of(ID));
    assertThat(way.host()).isEqualTo("alpha");
    TargetPolicy same = permitting("alpha:2000");

    assertThat(routes.again(same, way, "localhost", 2000))
        .get()
        .satisfies(again -> assertThat(again.host()).isEqualTo("alpha"));
    assertThat(routes.again(permitting("beta:2000"), way, "localhost", 2000)).isEmpty();
    SessionRoutes ofAnother = new SessionRoutes("other", SessionBed.ANN);
    assertThat(ofAnother.again(same, way, "localhost", 2000)).isEmpty();
  }
}
