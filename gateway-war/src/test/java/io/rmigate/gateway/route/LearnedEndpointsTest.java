package io.rmigate.gateway.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.relay.address.AddressRule;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LearnedEndpointsTest {
  private static final RegistryPlace REGISTRY = new RegistryPlace("inside", AddressRule.NAMED);

  private final LearnedEndpoints learnt = new LearnedEndpoints();

  private static ObjIdentifier id(int number) {
    return new ObjIdentifier(number, 1, 2, (short) 3);
  }

  private void learn(int number) {
    String host = "h" + number / 60_000;
    learnt.learn(new EndpointId(host, 1 + number % 60_000), Optional.of(id(number)), REGISTRY);
  }

  @Test
  void whatIsAskedForNowAndThenIsNotForgotten() {
    learn(0);
    learn(1);
    for (int number = 2; number < 20_000; number++) {
      learn(number);
      if (number % 1000 == 0) { // as the renewal of a lease and a call do
        assertThat(learnt.named("h0", 1)).containsExactly(REGISTRY);
        assertThat(learnt.of(id(0))).contains(REGISTRY);
      }
    }
    assertThat(learnt.named("h0", 2)).isEmpty();
    assertThat(learnt.of(id(1))).isEmpty();
  }
}
