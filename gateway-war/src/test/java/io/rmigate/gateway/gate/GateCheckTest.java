package io.rmigate.gateway.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The first check that a request fails refuses it, in the order that ARCHITECTURE.md gives. */
class GateCheckTest {
  private static final Path ARCHITECTURE = Path.of("..", "ARCHITECTURE.md");

  /** A row of the table there: its number, and the name of the check. */
  private static final Pattern ROW = Pattern.compile("(?m)^\\| \\d+ \\| `([a-z]+)` \\|");

  private final List<GateCheck> asked = new ArrayList<>();

  /** A request that fails these checks, and notes which it is asked. */
  private GateRequest failing(Set<GateCheck> failed) {
    return (GateRequest)
        Proxy.newProxyInstance(
            GateRequest.class.getClassLoader(),
            new Class<?>[] {GateRequest.class},
            (proxy, method, arguments) -> {
              GateCheck check = GateCheck.valueOf(method.getName().toUpperCase(Locale.ROOT));
              asked.add(check);
              return !failed.contains(check);
            });
  }

  private boolean passes(GateRequest request) {
    return GateCheck.passesBeginning(request) && GateCheck.passesRest(request);
  }

  @Test
  void checksAreAskedInTheOrderOfTheDocumentation() throws IOException {
    List<String> documented =
        ROW.matcher(Files.readString(ARCHITECTURE))
            .results()
            .map((MatchResult row) -> row.group(1))
            .toList();
    assertThat(passes(failing(Set.of()))).isTrue();
    assertThat(asked)
        .containsExactly(GateCheck.values())
        .extracting(check -> check.name().toLowerCase(Locale.ROOT))
        .isEqualTo(documented);
  }

  @Test
  void theFirstCheckThatARequestFailsRefusesItAndNoOtherIsAsked() {
    for (GateCheck first : GateCheck.values()) {
      for (GateCheck later : EnumSet.range(first, GateCheck.LIMIT)) {
        asked.clear();
        assertThat(passes(failing(EnumSet.of(first, later)))).isFalse();
        assertThat(asked).containsExactlyElementsOf(EnumSet.range(GateCheck.LOGIN, first));
      }
    }
  }

  @Test
  void theBeginningOfARequestIsAskedNoMoreThanItsRoute() {
    assertThat(GateCheck.passesBeginning(failing(Set.of()))).isTrue();
    assertThat(asked).endsWith(GateCheck.ROUTE);
  }
}
