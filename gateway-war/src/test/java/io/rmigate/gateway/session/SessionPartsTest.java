package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.gateway.lease.Leases;
import io.rmigate.gateway.lease.SessionLeases;
import io.rmigate.gateway.relay.FailurePolicy;
import io.rmigate.gateway.relay.RelaySettings;
import io.rmigate.gateway.route.PrincipalRoutes;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.tunnel.Dirty;
import io.rmigate.protocol.tunnel.Feature;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a session has beside its streams is opened as a whole or not at all. */
class SessionPartsTest {
  @RegisterExtension final SessionBed bed = new SessionBed();

  @Test
  void whenOnePartCannotBeOpenedThoseBeforeItAreClosed() throws IOException {
    bed.registry();
    Leases leases = bed.leases();
    TargetPolicy policy =
        new TargetPolicy(
            List.of(new TargetGrant(Set.of("*"), List.of("127.0.0.1:*"), SessionBed.READING)));
    PrincipalRoutes routes =
        new PrincipalRoutes("a test", SessionBed.ANN, () -> policy, RelaySettings.DEFAULTS);
    AtomicReference<SessionLeases> opened = new AtomicReference<>();

    assertThatThrownBy(
            () ->
                SessionParts.agree(
                    Set.of(Feature.LEASES, Feature.CALLBACKS),
                    () -> {
                      opened.set(leases.open("1", "ann", "ann", routes.leases(), answer -> {}));
                      return opened.get();
                    },
                    () -> null, // which are not agreed on
                    () -> null,
                    () -> {
                      throw new IllegalStateException("no more of these");
                    }))
        .hasMessage("no more of these");

    EndpointId server = new EndpointId("127.0.0.1", bed.scripted(FailurePolicy.NONE).port());
    opened.get().dirty(new Dirty(0, server, List.of(new ObjIdentifier(7, 1, 2, (short) 3))));
    assertThat(leases.views()).isEmpty(); // where what is open would hold it, or try to
  }
}
