package io.rmigate.gateway.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.login.Principal;
import io.rmigate.gateway.policy.CallRules;
import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.Entry;
import io.rmigate.gateway.relay.address.AddressRule;
import io.rmigate.gateway.session.SessionBed;
import io.rmigate.protocol.jrmp.EndpointId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a pattern of the policy lets its names stand for. */
class TargetPolicyTest {

  @ParameterizedTest
  @CsvSource({
    "*:*, a.example",
    "**:1099, a.example",
    "*.example:1099, a.example",
    "local*:*, localhost",
    "*host:*, localhost",
    "127.*:*, 127.0.0.1",
    "169.254.*:*, 169.254.169.254"
  })
  void aNameThatAWildcardMatchesMustBeRoutable(String pattern, String host) {
    assertThat(addresses(host, pattern)).isEqualTo(AddressRule.ROUTABLE);
  }

  @ParameterizedTest
  @CsvSource({
    "localhost:*, localhost",
    "127.0.0.1:1099, 127.0.0.1",
    "169.254.169.254:*, 169.254.169.254"
  })
  void aNameThatThePolicyWritesMayStandForAnyMachine(String pattern, String host) {
    assertThat(addresses(host, pattern)).isEqualTo(AddressRule.NAMED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "127.0.0.1", "::1", "a.localhost", "0.0.0.0"})
  void starsAloneMatchNoSpellingOfThisMachine(String host) {
    assertThat(permission(host, "*:*")).isEmpty();
    assertThat(permission(host, "**:1099")).isEmpty();
  }

  @Test
  void theGrantThatWritesTheNameCountsBesideWildcards() {
    assertThat(addresses("a.example", "*:*", "a.example:1099")).isEqualTo(AddressRule.NAMED);
    assertThat(addresses("a.example", "a.example:1100", "*:*")).isEqualTo(AddressRule.ROUTABLE);
  }

  private static AddressRule addresses(String host, String... patterns) {
    return permission(host, patterns).orElseThrow().addresses();
  }

  private static Optional<TargetPolicy.Permission> permission(String host, String... patterns) {
    TargetPolicy policy =
        new TargetPolicy(List.of(new TargetGrant(Set.of("*"), List.of(patterns), Set.of())));
    return policy.permission(SessionBed.ANN, host, 1099);
  }

  private static TargetGrant grant(String target, ClassMode mode, boolean stream) {
    return new TargetGrant(
        Set.of("*"), List.of(target), SessionBed.ALL, Entry.of(mode).stream(stream).rules());
  }

  private static CallRules learnt(TargetPolicy policy, String registry) {
    return policy
        .learnt(
            SessionBed.ANN,
            AddressRule.ROUTABLE,
            List.of(new RegistryPlace(registry, AddressRule.ROUTABLE)))
        .rules();
  }

  @Test
  void whatARegistryNamesIsUnderTheRulesOfItsHost() {
    TargetPolicy policy =
        new TargetPolicy(
            List.of(
                grant("legacy.example:1099", ClassMode.OFF, true),
                grant("prod.example:1099", ClassMode.ENFORCE, false)));
    assertThat(learnt(policy, "prod.example").enforces()).isTrue();
    assertThat(learnt(policy, "prod.example").streams()).isFalse();
    assertThat(learnt(policy, "legacy.example").looks()).isFalse();
    assertThat(learnt(policy, "legacy.example").streams()).isTrue();
    assertThat(learnt(policy, "elsewhere.example").enforces()).isTrue();
    assertThat(policy.rules(SessionBed.ANN, "elsewhere.example:7").streams()).isFalse();
  }

  /** A reference to it may stand in an argument. */
  @ParameterizedTest
  @CsvSource({
    "rmi.example, 1099, true",
    "RMI.example, 1099, true",
    "rmi.example, 1100, false",
    "any.wild.example, 1099, false", // by a wildcard only
    "localhost, 1099, false", // to its reader another one
    "127.0.0.1, 1099, false",
    "else.example, 1099, false",
    "all.example, 22, false", // only with every other port
    "some.example, 1099, false",
  })
  void whatPolicyNamesIsNoWildcardAndNoLoopback(String host, int port, boolean named) {
    TargetPolicy policy =
        new TargetPolicy(
            List.of(
                new TargetGrant(
                    Set.of("ann"),
                    List.of(
                        "rmi.example:1099",
                        "*.wild.example:1099",
                        "localhost:1099",
                        "127.0.0.1:1099",
                        "all.example:*",
                        "some.example:1000-1100"),
                    Set.of())));
    assertThat(policy.names(SessionBed.ANN, host, port)).isEqualTo(named);
    assertThat(policy.names(new Principal("bob", Principal.Scheme.BASIC), host, port)).isFalse();
  }

  @Test
  void whatIsSaidOfAllIsTheLaxestModeOfAny() {
    TargetGrant strict = grant("prod.example:1099", ClassMode.ENFORCE, false);
    TargetGrant off = grant("legacy.example:1099", ClassMode.OFF, false);
    assertThat(new TargetPolicy(List.of(strict)).classMode()).isEqualTo(ClassMode.ENFORCE);
    assertThat(new TargetPolicy(List.of(strict, off)).classMode()).isEqualTo(ClassMode.OFF);
  }

  @Test
  void ofTwoRegistriesOnOneHostTheStricterRulesHold() {
    TargetPolicy policy =
        new TargetPolicy(
            List.of(
                grant("one.example:1099", ClassMode.OFF, true),
                grant("one.example:1100", ClassMode.ENFORCE, false)));
    assertThat(learnt(policy, "one.example").enforces()).isTrue();
    assertThat(learnt(policy, "one.example").streams()).isFalse();
  }

  @Test
  void ofTwoRegistriesOnOneHostTheOneThatWasAskedCountsUnlessTheOtherIsStricter() {
    TargetPolicy alike =
        new TargetPolicy(
            List.of(
                grant("one.example:1099", ClassMode.ENFORCE, true),
                grant("one.example:1100", ClassMode.ENFORCE, false)));
    assertThat(askedAt(alike, 1099).streams()).isTrue();
    assertThat(askedAt(alike, 1100).streams()).isFalse();
    assertThat(askedAt(alike, 1099, 1100).streams()).isFalse();
    assertThat(askedAt(alike, 1101).streams()).isFalse(); // it is unknown by which entry
    TargetPolicy unlike =
        new TargetPolicy(
            List.of(
                grant("one.example:1099", ClassMode.OFF, true),
                grant("one.example:1100", ClassMode.ENFORCE, false)));
    assertThat(askedAt(unlike, 1099).enforces()).isTrue();
    assertThat(askedAt(unlike, 1099).streams()).isFalse();
  }

  private static TargetPolicy atTwoPorts(Entry one, Entry other) {
    return new TargetPolicy(
        List.of(
            new TargetGrant(Set.of("*"), List.of("one.example:1099"), SessionBed.ALL, one.rules()),
            new TargetGrant(
                Set.of("*"), List.of("one.example:1100"), SessionBed.ALL, other.rules())));
  }

  /** Else who needs it at one registry would have to say it of all on its host. */
  @Test
  void anyObjectOfARegistryMayBeCalledThatSaysSoUnlessAnotherOneOnItsHostSaysTheContrary() {
    TargetPolicy silent =
        atTwoPorts(
            Entry.enforced().receivedObjects(false), Entry.enforced().withoutSayingWhichObjects());
    assertThat(askedAt(silent, 1099).limitsObjects()).isFalse();
    assertThat(askedAt(silent, 1100).limitsObjects()).isTrue();
    assertThat(askedAt(silent, 1099, 1100).limitsObjects()).isTrue();
    TargetPolicy contrary =
        atTwoPorts(Entry.enforced().receivedObjects(false), Entry.enforced().receivedObjects(true));
    assertThat(askedAt(contrary, 1099).limitsObjects()).isTrue();
  }

  private static CallRules askedAt(TargetPolicy policy, Integer... ports) {
    return policy
        .learnt(
            SessionBed.ANN,
            AddressRule.ROUTABLE,
            Stream.of(ports)
                .map(
                    port ->
                        new RegistryPlace(
                            new EndpointId("One.example", port),
                            "one.example",
                            AddressRule.ROUTABLE))
                .toList())
        .rules();
  }
}
