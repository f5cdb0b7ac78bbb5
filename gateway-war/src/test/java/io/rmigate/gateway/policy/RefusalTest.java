package io.rmigate.gateway.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A refusal has a number by which it is found again, and keeps its reason to itself. */
class RefusalTest {
  @Test
  void numbersHaveSixCharactersThatLookLikeNoOthers() {
    Set<String> numbers = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      String number = Refusal.of("class com.acme.Order").number();
      assertThat(number).matches("[2-9A-HJ-NP-Z]{6}");
      assertThat(Refusal.isNumber(number)).isTrue();
      numbers.add(number);
    }
    assertThat(numbers).hasSizeGreaterThan(990);
    assertThat(Refusal.isNumber("N7K2Q")).isFalse();
    assertThat(Refusal.isNumber("N7K2QO")).isFalse();
  }

  @Test
  void theClientIsToldTheReasonOnlyWhereThatIsExplained() {
    Refusal refusal = new Refusal("N7K2QX", "class com.acme.Order", "add it");
    assertThat(refusal.told("rmigate: not permitted", false))
        .isEqualTo("rmigate: not permitted [refusal N7K2QX]");
    assertThat(refusal.told("rmigate: not permitted", true))
        .isEqualTo("rmigate: not permitted [refusal N7K2QX]: class com.acme.Order; add it");
  }

  @Test
  void whatIsToldAnywayIsNotToldTwice() {
    Refusal refusal = new Refusal("N7K2QX", "rmigate: no room", "");
    assertThat(refusal.told("rmigate: no room", true))
        .isEqualTo("rmigate: no room [refusal N7K2QX]");
  }
}
