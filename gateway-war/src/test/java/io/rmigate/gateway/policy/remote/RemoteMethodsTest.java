package io.rmigate.gateway.policy.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.policy.type.RemoteMethod;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class RemoteMethodsTest {
  private static RemoteMethod run(String type) {
    return new RemoteMethod(type, "run", List.of("int"), 7);
  }

  @Test
  void theFirstInterfaceOfAMethodIsTheSameInAnyOrderOfTheJars() {
    List<RemoteMethod> sorted = List.of(run("a.A"), run("a.B"), run("b.A"));
    List<RemoteMethod> shuffled = new ArrayList<>(sorted);
    for (int i = 0; i < sorted.size(); i++) {
      Collections.rotate(shuffled, 1);
      assertThat(RemoteMethods.with(shuffled).named(7)).isEqualTo(sorted);
    }
  }
}
