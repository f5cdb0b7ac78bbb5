package io.rmigate.soap.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProblemTest {
  @ParameterizedTest
  @EnumSource
  void everyProblemIsDocumented(Problem.Kind kind) throws IOException {
    String name = kind.type().substring("urn:rmigate:problem:".length());

    assertThat(Files.readAllLines(Path.of("JSON.md")))
        .filteredOn(line -> line.startsWith("| `" + name + "`"))
        .singleElement()
        .asString()
        .endsWith("| " + kind.status() + " | " + kind.executed() + " |");
  }
}
