package io.rmigate.gateway.login;

import static io.rmigate.gateway.login.UserLines.user;
import static io.rmigate.gateway.standalone.RunningGateway.basic;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.rmigate.gateway.problem.ConfigException;
import io.rmigate.gateway.route.EndpointMapping;
import io.rmigate.gateway.route.RawGrant;
import io.rmigate.gateway.route.TargetGrant;
import io.rmigate.gateway.route.TargetPolicy;
import io.rmigate.gateway.standalone.RunningGateway;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Groups of principals: where they come from, and what lists of principals they are in. */
class GroupsTest {
  private static final String INSECURE = "insecure: true\n";
  private static final String BASIC = "basic:\n  users-file: users\n";
  private static final String BEARER =
      """
      bearer:
        jwks: keys.json
        issuer: https://issuer.example/
        audience: rmigate
        algorithms: [ES256]
      """;

  @TempDir Path directory;

  private Principal letIn(String logins, String more, String... headers) throws Exception {
    try (LoginServer server = LoginServer.start(directory, logins, more)) {
      assertThat(server.get(headers).statusCode()).isEqualTo(200);
      return server.accepted();
    }
  }

  private boolean holds(Principal principal, String logins, String more) throws Exception {
    return LoginServer.login(directory, logins, more).holds(principal);
  }

  private void users(String lines) throws Exception {
    Files.writeString(directory.resolve("users"), lines);
  }

  @Test
  void theyStandBehindTheHashInTheUsersFile() throws Exception {
    users(user("alice", "wonder", "operators, tills") + user("bob", "build"));
    assertThat(letIn(BASIC, INSECURE, "Authorization", basic("alice", "wonder")).groups())
        .containsExactlyInAnyOrder("operators", "tills");
    assertThat(letIn(BASIC, INSECURE, "Authorization", basic("bob", "build")).groups()).isEmpty();
  }

  @Test
  void aGroupWithoutANameIsAnError() throws Exception {
    users(user("alice", "wonder", "operators,") + user("bob", "build", ""));
    assertThatThrownBy(() -> LoginServer.login(directory, BASIC, INSECURE))
        .isInstanceOfSatisfying(
            ConfigException.class,
            e ->
                assertThat(e.problems())
                    .hasSize(2)
                    .allMatch(problem -> problem.message().contains("name:hash:group,group")));
  }

  @Test
  void aChangeOfGroupsWithdrawsTheLogin() throws Exception {
    String line = user("alice", "wonder");
    users(line.stripTrailing() + ":operators");
    Principal alice = letIn(BASIC, INSECURE, "Authorization", basic("alice", "wonder"));
    assertThat(holds(alice, BASIC, INSECURE)).isTrue();
    users(line.stripTrailing() + ":tills");
    assertThat(holds(alice, BASIC, INSECURE)).isFalse();
  }

  @Test
  void theyComeFromAClaim() throws Exception {
    ECKey key = new ECKeyGenerator(Curve.P_256).keyID("ec").generate();
    Files.writeString(
        directory.resolve("keys.json"), new JWKSet(List.of(key.toPublicJWK())).toString());
    String token = token(key, Map.of("groups", List.of("operators", 7, "tills"), "role", "admin"));
    Principal alice = letIn(BEARER, INSECURE, "Authorization", token);
    assertThat(alice.groups()).containsExactlyInAnyOrder("operators", "tills");
    String another = BEARER + "  groups-claim: role\n";
    assertThat(letIn(another, INSECURE, "Authorization", token).groups()).containsExactly("admin");
    assertThat(holds(alice, BEARER, INSECURE)).isTrue();
    assertThat(holds(alice, another, INSECURE)).as("the claim has another name").isFalse();
    String object = token(key, Map.of("groups", Map.of("operators", true)));
    assertThat(letIn(BEARER, INSECURE, "Authorization", object).groups()).isEmpty();
    assertThat(letIn(BEARER, INSECURE, "Authorization", token(key, Map.of())).groups()).isEmpty();
  }

  private static String token(ECKey key, Map<String, ?> more) throws Exception {
    JWTClaimsSet.Builder claims =
        new JWTClaimsSet.Builder()
            .issuer("https://issuer.example/")
            .audience("rmigate")
            .subject("alice")
            .expirationTime(Date.from(Instant.now().plusSeconds(300)));
    more.forEach(claims::claim);
    SignedJWT token =
        new SignedJWT(
            new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("ec").build(), claims.build());
    token.sign(new ECDSASigner(key));
    return "Bearer " + token.serialize();
  }

  @Test
  void theContainerIsAskedForThoseThatTheConfigurationNames() throws Exception {
    String container = "container: true\n";
    String admins = INSECURE + "admin:\n  principals: [\"group:operators\", \"group:tills\"]\n";
    Principal carol =
        letIn(
            container,
            admins,
            "X-Container-User",
            "carol",
            "X-Container-Roles",
            "operators,everything");
    assertThat(carol.groups()).containsExactly("operators");
    assertThat(holds(carol, container, admins)).isTrue();
    assertThat(holds(carol, container, INSECURE)).as("fewer groups").isTrue();
    String more = admins + "preload:\n  - principals: [\"group:everything\"]\n    names: [a:1/b]\n";
    assertThat(holds(carol, container, more)).as("a group that no rule needed before").isFalse();
  }

  @Test
  void severalLoginsOfOnePrincipalAddTheirs() throws Exception {
    users(user("alice", "wonder", "tills"));
    Principal alice =
        letIn(
            BASIC + "container: true\n",
            INSECURE + "admin:\n  principals: [\"group:operators\"]\n",
            "X-Container-User",
            "alice",
            "X-Container-Roles",
            "operators",
            "Authorization",
            basic("alice", "wonder"));
    assertThat(alice.groups()).containsExactlyInAnyOrder("operators", "tills");
  }

  @Test
  void targetsAndRawTargetsAreAllowedToMembers() {
    TargetPolicy policy =
        new TargetPolicy(
            List.of(new TargetGrant(Set.of("group:tills"), List.of("a.example:1"), Set.of())),
            List.of(new RawGrant(Set.of("group:tills"), List.of("b.example:2"), false)),
            EndpointMapping.DEFAULT);
    Principal member = Principal.listed("group:tills");
    assertThat(policy.permission(member, "a.example", 1)).isPresent();
    assertThat(policy.rawPermission(member, "b.example", 2)).isPresent();
    for (Principal other :
        List.of(
            Principal.listed("tills"),
            Principal.listed("group:others"),
            new Principal("group:tills", Principal.Scheme.BEARER))) { // a name, not a group
      assertThat(policy.permission(other, "a.example", 1)).isEmpty();
      assertThat(policy.rawPermission(other, "b.example", 2)).isEmpty();
    }
  }

  @Test
  void membersAreAdministrators() throws Exception {
    users(user("alice", "wonder", "operators") + user("bob", "build", "tills"));
    String yaml =
        INSECURE
            + "state: state\nlogins:\n"
            + BASIC.indent(2)
            + "admin:\n  principals: [\"group:operators\"]\n"
            + "targets:\n  - principals: [\"group:tills\"]\n    allow: [\"a.example:1\"]\n";
    try (RunningGateway gateway = RunningGateway.start(directory, yaml)) {
      assertThat(gateway.get("/admin", "Authorization", basic("alice", "wonder")).statusCode())
          .isEqualTo(200);
      assertThat(gateway.get("/admin", "Authorization", basic("bob", "build")).statusCode())
          .isEqualTo(403);
    }
  }
}
