package io.rmigate.gateway.container.oldjvms;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.BuiltArtefacts;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The client's jar has classes for Java 8 and for Java 17, and stays small. */
class ClientJarIT {
  private static final long MAX_BYTES = 2_500_000;
  private static final String OF_17 = "META-INF/versions/17/";
  private static final String OF_9 = "META-INF/versions/9/";

  /** Replacements of the JDK's API, and programs that a person starts and waits for. */
  private static final List<String> ONE_COPY =
      List.of(
          "io/rmigate/java8/",
          "io/rmigate/client/program/command/",
          "io/rmigate/client/program/doctor/");

  @Test
  void isNotLargerThanPromised() throws IOException {
    assertThat(Files.size(BuiltArtefacts.javaagent())).isLessThan(MAX_BYTES);
  }

  /** So JVMs of Java 17 and later run what they would run without the classes for Java 8. */
  @Test
  void theClassesForJava17AreThoseOfTheCompiler() throws IOException {
    Path compiled = Path.of("../client-factory/target/classes");
    int compared = 0;
    try (JarFile jar = new JarFile(BuiltArtefacts.javaagent().toFile())) {
      for (JarEntry entry : Collections.list(jar.entries())) {
        if (entry.getName().startsWith(OF_17) && entry.getName().endsWith(".class")) {
          String name = entry.getName().substring(OF_17.length());
          try (InputStream in = jar.getInputStream(entry)) {
            assertThat(in.readAllBytes())
                .as(name)
                .isEqualTo(Files.readAllBytes(compiled.resolve(name)));
          }
          compared++;
        }
      }
    }
    assertThat(compared).isGreaterThan(500);
  }

  @Test
  void hasEachClassForJava8AndForJava17() throws IOException {
    Map<String, Integer> versions = new TreeMap<>();
    try (JarFile jar = new JarFile(BuiltArtefacts.javaagent().toFile())) {
      assertThat(jar.isMultiRelease()).isTrue();
      for (JarEntry entry : Collections.list(jar.entries())) {
        if (entry.getName().endsWith(".class")) {
          try (DataInputStream in = new DataInputStream(jar.getInputStream(entry))) {
            in.skipBytes(6);
            versions.put(entry.getName(), in.readUnsignedShort());
          }
        }
      }
    }
    versions.forEach(
        (name, version) ->
            assertThat(version)
                .as(name)
                .isEqualTo(name.startsWith(OF_17) ? 61 : name.startsWith(OF_9) ? 53 : 52));
    assertThat(
            versions.keySet().stream()
                .filter(name -> name.startsWith(OF_17))
                .map(name -> name.substring(OF_17.length())))
        .containsExactlyInAnyOrderElementsOf(
            versions.keySet().stream()
                .filter(name -> !name.startsWith("META-INF/"))
                .filter(name -> ONE_COPY.stream().noneMatch(name::startsWith))
                .collect(Collectors.toCollection(TreeSet::new)));
  }
}
