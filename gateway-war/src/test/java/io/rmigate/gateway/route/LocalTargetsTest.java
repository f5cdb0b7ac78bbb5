package io.rmigate.gateway.route;

import static io.rmigate.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.relay.address.AddressRule;
import io.rmigate.gateway.relay.address.LocalAddresses;
import io.rmigate.gateway.session.SessionBed;
import io.rmigate.gateway.standalone.RunningGateway;
import io.rmigate.gateway.testing.InnerAddress;
import io.rmigate.gateway.testing.LogLines;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway on the machine of a registry, which takes its calls for local ones, is told apart. */
class LocalTargetsTest {
  @TempDir Path directory;

  @Test
  void hostsOfThisMachineAreRecognised() throws Exception {
    String own = InnerAddress.find().getHostAddress();
    assertThat(
            LocalTargets.among(
                List.of("192.0.2.1", "localhost", "no-such-host.invalid", "127.0.0.1", own),
                new LocalAddresses()))
        .containsExactly("localhost", "127.0.0.1", own);
  }

  @Test
  void theGatewaySaysAtItsStartAndWhenItsConfigurationChangesWhichTargetsAreBesideIt()
      throws Exception {
    String yaml =
        """
        insecure: true
        logins:
          anonymous: true
        targets:
          - principals: ["*"]
            allow: ["%s:1099", "192.0.2.1:1099"]
        """;
    try (LogLines log = new LogLines(LocalTargets.class);
        RunningGateway gateway = RunningGateway.start(directory, yaml.formatted("localhost"))) {
      assertThat(gateway.get("/health/live").statusCode()).isEqualTo(200);
      await().until(() -> !log.all().isEmpty());
      assertThat(log.all())
          .singleElement()
          .asString()
          .contains("on the machine of targets (localhost)", "bind, rebind and unbind");

      Files.writeString(
          directory.resolve("rmigate.yaml"), "listen: 127.0.0.1:0\n" + yaml.formatted("127.0.0.1"));

      await().until(() -> log.all().size() > 1);
      assertThat(log.all().get(1)).contains("on the machine of targets (127.0.0.1)");
    }
  }

  @Test
  void nothingIsSaidOfOtherMachines() {
    assertThat(saidOf("192.0.2.1:*", "no-such-host.invalid:1099")).isEmpty();
    assertThat(saidOf("192.0.2.1:*", "localhost:1099")).hasSize(1);
  }

  /** No warning is needed: a wildcard never leads to the gateway's own machine. */
  @Test
  void nothingIsSaidOfWildcardsWhichDoNotLeadToTheGatewaysOwnMachine() throws Exception {
    String own = InnerAddress.find().getHostAddress();
    TargetPolicy policy = policy("*:*", own.substring(0, own.length() - 1) + "*:*");
    try (LogLines log = new LogLines(LocalTargets.class)) {
      new LocalTargets(policy, new LocalAddresses()).run();
      assertThat(log.all()).isEmpty();
    }
    Principal anybody = new Principal("ann", Principal.Scheme.BASIC);
    assertThat(policy.permission(anybody, own, 1099).orElseThrow().addresses())
        .isEqualTo(AddressRule.ROUTABLE);
  }

  private static List<String> saidOf(String... targets) {
    try (LogLines log = new LogLines(LocalTargets.class)) {
      new LocalTargets(policy(targets), new LocalAddresses()).run();
      return log.all();
    }
  }

  private static TargetPolicy policy(String... targets) {
    return new TargetPolicy(
        List.of(new TargetGrant(Set.of("*"), List.of(targets), SessionBed.READING)));
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
