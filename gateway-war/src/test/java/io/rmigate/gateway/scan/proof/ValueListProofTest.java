package io.rmigate.gateway.scan.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.scan.shape.JarShapes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What the list of the JDK's values calls proven is proven, on the JDK that runs the tests. */
class ValueListProofTest {
  private static final Path LIST =
      Path.of("src/main/resources/io/rmigate/gateway/policy/type/value-types.txt");

  private final Set<String> passing = new TreeSet<>();
  private final Set<String> proven = new TreeSet<>();

  private void read() throws IOException {
    String status = "";
    for (String line : Files.readAllLines(LIST)) {
      if (line.matches("(proven|admitted|denied): .*")) {
        status = line.substring(0, line.indexOf(':'));
      } else if (!line.isBlank() && !line.startsWith("#") && !status.equals("denied")) {
        passing.add(line);
        if (status.equals("proven")) {
          proven.add(line);
        }
      }
    }
  }

  @Test
  void whatTheListCallsProvenIsProven() throws IOException {
    read();
    HarmlessClasses harmless = HarmlessClasses.ofJdk(passing);
    for (String name : proven) {
      boolean isHere = JarShapes.ofThisJdk(name.replace('.', '/')).isPresent();
      assertThat(!isHere || harmless.has(name))
          .as(() -> harmless.verdict(name).toString())
          .isTrue();
    }
    assertThat(proven).hasSizeGreaterThan(200);
  }
}
