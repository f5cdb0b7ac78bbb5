package io.rmigate.gateway.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.limit.Caller;
import io.rmigate.gateway.login.Principal;
import org.junit.jupiter.api.Test;

class BridgeCallerTest {
  @Test
  void whoHasLoggedInIsTheSameCallerAsInItsSessions() {
    Principal ann = new Principal("ann", Principal.Scheme.BASIC);
    assertThat(BridgeCaller.of(ann).caller()).isEqualTo(Caller.of(ann, "192.0.2.7:1099"));
  }
}
