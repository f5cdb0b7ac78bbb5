package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.InnerAddress;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A gateway on the machine of a registry, which takes its calls for local ones, is told apart. */
class LocalTargetsTest {

  @Test
  void hostsOfThisMachineAreRecognised() throws Exception {
    String own = InnerAddress.find().getHostAddress();
    assertThat(
            LocalTargets.among(
                List.of("192.0.2.1", "localhost", "no-such-host.invalid", "127.0.0.1", own)))
        .containsExactly("localhost", "127.0.0.1", own);
  }

  @Test
  void whatPolicyNamesIsAskedFor() {
    TargetPolicy policy =
        new TargetPolicy(
            List.of(
                new TargetGrant(
                    Set.of("*"), List.of("localhost:1099", "*.example:*"), SessionBed.READING),
                new TargetGrant(Set.of("ann"), List.of("[::1]:*", "a.example:1"), Set.of())));
    assertThat(policy.namedHosts()).containsExactlyInAnyOrder("localhost", "::1", "a.example");
  }
}
