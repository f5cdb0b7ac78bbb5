package io.rmigate.gateway.boxes;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.boxes.Outcome.Verdict;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which cells a matrix may be without. */
class ToleranceTest {
  private static final Installed BOX = new Installed("box", Path.of("/usr/sbin/box"));

  @Test
  void aBoxThatIsNotInstalledIsBornUnlessItIsRequired() {
    assertThat(new Tolerance(false, Set.of()).of(BOX)).isEqualTo(Verdict.MISSING);
    assertThat(new Tolerance(false, Set.of()).bears(Verdict.MISSING)).isTrue();
    assertThat(new Tolerance(true, Set.of()).bears(Verdict.MISSING)).isFalse();
  }

  @Test
  void aBoxThatCannotBeHadIsBornEvenWhereBoxesAreRequired() {
    Tolerance tolerance = new Tolerance(true, Set.of("box"));

    assertThat(tolerance.of(BOX)).isEqualTo(Verdict.CANNOT_BE);
    assertThat(tolerance.bears(Verdict.CANNOT_BE)).isTrue();
  }

  @Test
  void aFailureIsNeverBornAndAModeThatABoxDoesNotHaveAlways() {
    assertThat(new Tolerance(false, Set.of()).bears(Verdict.FAILED)).isFalse();
    assertThat(new Tolerance(true, Set.of()).bears(Verdict.NO_SUCH_MODE)).isTrue();
  }
}
