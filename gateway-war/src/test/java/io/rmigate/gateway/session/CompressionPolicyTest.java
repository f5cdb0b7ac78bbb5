package io.rmigate.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.login.Principal;
import io.rmigate.protocol.coding.Compression;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CompressionPolicyTest {
  @Test
  void theFirstEntryThatNamesAPrincipalCounts() {
    CompressionPolicy policy =
        new CompressionPolicy(
            Compression.AUTO,
            List.of(
                new CompressionPolicy.ForSome(Set.of("ann"), Compression.OFF),
                new CompressionPolicy.ForSome(Set.of("ann", "ben"), Compression.ON)));
    assertThat(policy.of(named("ann"))).isEqualTo(Compression.OFF);
    assertThat(policy.of(named("ben"))).isEqualTo(Compression.ON);
    assertThat(policy.of(named("cyd"))).isEqualTo(Compression.AUTO);
  }

  @Test
  void anEntryNamesTheMembersOfItsGroups() {
    CompressionPolicy policy =
        new CompressionPolicy(
            Compression.AUTO,
            List.of(new CompressionPolicy.ForSome(Set.of("group:near"), Compression.OFF)));
    assertThat(policy.of(Principal.listed("group:near"))).isEqualTo(Compression.OFF);
    assertThat(policy.of(Principal.listed("group:far"))).isEqualTo(Compression.AUTO);
    assertThat(policy.of(named("group:near"))).as("its name").isEqualTo(Compression.AUTO);
  }

  private static Principal named(String name) {
    return new Principal(name, Principal.Scheme.BASIC);
  }
}
