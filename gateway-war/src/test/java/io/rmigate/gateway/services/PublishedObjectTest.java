package io.rmigate.gateway.services;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.login.Principal;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PublishedObjectTest {
  @Test
  void anObjectExistsForTheMembersOfItsGroups() {
    PublishedObject object = new PublishedObject(null, null, Set.of("alice", "group:shops"));
    assertThat(object.isFor(Principal.listed("alice"))).isTrue();
    assertThat(object.isFor(Principal.listed("group:shops"))).isTrue();
    assertThat(object.isFor(Principal.listed("group:others"))).isFalse();
    assertThat(object.isFor(new Principal("group:shops", Principal.Scheme.BASIC))).isFalse();
  }
}
