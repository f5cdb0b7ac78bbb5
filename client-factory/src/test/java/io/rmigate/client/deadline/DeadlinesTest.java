package io.rmigate.client.deadline;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.DestinationPatterns;
import io.rmigate.protocol.NamePatterns;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which bound a call has. */
class DeadlinesTest {
  private static final ObjIdentifier OBJECT = new ObjIdentifier(7, 1, 2, (short) 3);
  private static final Duration ALL = Duration.ofSeconds(30);
  private static final Duration SLOW = Duration.ofMinutes(5);
  private static final Duration REPORTS = Duration.ofMinutes(10);

  private final CallTimeouts rules =
      new CallTimeouts(
          ALL,
          List.of(
              new CallTimeouts.TargetRule(
                  DestinationPatterns.of(List.of("*.slow.example:*")), SLOW)),
          List.of(
              new CallTimeouts.InterfaceRule(
                  NamePatterns.of(List.of("com.acme.Reports")), REPORTS)));

  @Test
  void theInterfaceGoesBeforeTheTargetAndThatBeforeAll() {
    Deadlines deadlines = new Deadlines(rules);
    assertThat(limit(deadlines, "a.example", OBJECT)).isEqualTo(ALL);
    assertThat(limit(deadlines, "a.slow.example", OBJECT)).isEqualTo(SLOW);
    deadlines.learn(OBJECT, List.of("java.rmi.Remote", "com.acme.Reports"));
    assertThat(limit(deadlines, "a.slow.example", OBJECT)).isEqualTo(REPORTS);
    assertThat(limit(deadlines, "a.example", OBJECT)).isEqualTo(REPORTS);
  }

  @Test
  void aScopeGoesBeforeAllRulesBeItLonger() {
    Deadlines deadlines = new Deadlines(rules);
    try (CallTimeout scope = CallTimeout.of(Duration.ofHours(1))) {
      assertThat(scope).isNotNull();
      assertThat(limit(deadlines, "a.example", OBJECT)).isEqualTo(Duration.ofHours(1));
    }
    try (CallTimeout scope = CallTimeout.of(Duration.ZERO)) {
      assertThat(scope).isNotNull();
      assertThat(limit(deadlines, "a.example", OBJECT)).isNull();
    }
  }

  @Test
  void registryAndCollectorHaveTheirInterfacesWithoutAStub() {
    Deadlines deadlines =
        new Deadlines(
            new CallTimeouts(
                Duration.ZERO,
                List.of(),
                List.of(
                    new CallTimeouts.InterfaceRule(
                        NamePatterns.of(List.of("java.rmi.registry.*")), SLOW))));
    assertThat(limit(deadlines, "a.example", ObjIdentifier.REGISTRY)).isEqualTo(SLOW);
    assertThat(limit(deadlines, "a.example", ObjIdentifier.DGC)).isNull();
  }

  @Test
  void aConnectionIsWaitedForAsLongAsAnyCallItMayBeFor() {
    assertThat(rules.longest("a.example", 1)).isEqualTo(REPORTS);
    assertThat(new CallTimeouts(ALL, rules.targets(), List.of()).longest("a.slow.example", 1))
        .isEqualTo(SLOW);
    assertThat(new CallTimeouts(Duration.ZERO, List.of(), rules.interfaces()).longest("a", 1))
        .isZero();
  }

  @Test
  void objectsWithoutNumberAreNotRemembered() {
    ObjectInterfaces interfaces = new ObjectInterfaces();
    for (int i = 0; i < 10_000; i++) {
      interfaces.learn(new ObjIdentifier(i, 1, 2, (short) 3), List.of("a.B"));
    }
    assertThat(interfaces.size()).isEqualTo(4096);
    assertThat(interfaces.of(new ObjIdentifier(9_999, 1, 2, (short) 3))).containsExactly("a.B");
    assertThat(interfaces.of(new ObjIdentifier(1, 1, 2, (short) 3))).isEmpty();
  }

  /** Null for none. */
  private static Duration limit(Deadlines deadlines, String host, ObjIdentifier object) {
    byte[] call = HexFormat.of().parseHex("50aced00057722" + "00".repeat(34));
    System.arraycopy(object.encode(), 0, call, 7, 22);
    CallClock clock = deadlines.calling(host, 1099, call, call.length, System.nanoTime());
    return clock.isBounded() ? clock.notSent().limit() : null;
  }
}
