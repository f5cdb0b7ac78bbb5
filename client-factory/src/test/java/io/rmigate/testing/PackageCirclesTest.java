package io.rmigate.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PackageCirclesTest {
  @TempDir Path sources;

  @Test
  void circleOfThreePackagesIsFound() throws IOException {
    source("io.rmigate.a", "import io.rmigate.b.Type;");
    source("io.rmigate.b", "import static io.rmigate.c.Type.Nested.CONSTANT;");
    source("io.rmigate.c", "import io.rmigate.a.Type.Nested;");
    source("io.rmigate.d", "import io.rmigate.a.Type;");

    assertThat(PackageCircles.of(sources))
        .isEqualTo(
            Map.of(
                "io.rmigate.a", Set.of("io.rmigate.b"),
                "io.rmigate.b", Set.of("io.rmigate.c"),
                "io.rmigate.c", Set.of("io.rmigate.a")));
  }

  @Test
  void packageAndTheOneBelowItAreTwoPackages() throws IOException {
    source("io.rmigate.a", "import io.rmigate.a.below.Type;");
    source("io.rmigate.a.below", "import io.rmigate.b.Type;");
    source("io.rmigate.b", "");

    assertThat(PackageCircles.of(sources)).isEmpty();
  }

  @Test
  void folderWithoutSourcesIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> PackageCircles.of(sources));
  }

  private void source(String name, String imports) throws IOException {
    Path folder = Files.createDirectories(sources.resolve(name.replace('.', '/')));
    Files.writeString(
        folder.resolve("Type.java"), "package " + name + ";\n\n" + imports + "\n\nclass Type {}\n");
  }
}
