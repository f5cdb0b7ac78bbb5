package io.rmigate.perf;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.testing.PackageCircles;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

  @Test
  void noPackagesDependOnEachOtherInACircle() throws IOException {
    assertThat(PackageCircles.of(Path.of("src", "main", "java"))).isEmpty();
  }
}
