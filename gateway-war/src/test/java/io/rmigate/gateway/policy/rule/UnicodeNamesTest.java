package io.rmigate.gateway.policy.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.policy.remote.InterfaceJars;
import io.rmigate.gateway.policy.type.ClassPattern;
import io.rmigate.gateway.policy.type.JavaNames;
import io.rmigate.gateway.policy.type.MethodPattern;
import io.rmigate.gateway.scan.ScanLimits;
import io.rmigate.gateway.scan.ScanResult;
import io.rmigate.gateway.scan.SeenClass;
import io.rmigate.gateway.scan.StreamScanner;
import io.rmigate.gateway.scan.shape.JarShapes;
import io.rmigate.gateway.scan.shape.Shapes;
import io.rmigate.gateway.testing.SourceJar;
import io.rmigate.protocol.jrmp.CallBytes;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of classes, fields and methods in any script, in shapes, rules and what is written. */
class UnicodeNamesTest {
  private static final String SOURCE =
      """
      package größe;
      public class Gerät implements java.io.Serializable {
        private int größe = 1;
        private 设备 名 = new 设备();
        private Zustand zustand = Zustand.GEÖFFNET;
        static class 设备 implements java.io.Serializable { int 𠮷 = 1; }
        enum Zustand { GEÖFFNET }
      }
      """;

  @TempDir Path directory;

  @Test
  void shapesExplainThem() throws Exception {
    Path jar =
        new SourceJar(Map.of("größe.Gerät", SOURCE))
            .write(directory.resolve("device.jar"), file -> true);
    Shapes shapes = Shapes.ofJdk().with(JarShapes.of(List.of(jar)).shapes());
    byte[] call;
    try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()})) {
      Object device = loader.loadClass("größe.Gerät").getDeclaredConstructor().newInstance();
      call = CallBytes.callWith(new Object[] {device});
    }
    ScanResult seen = new StreamScanner(shapes, ScanLimits.DEFAULT).request(call, 0, call.length);
    assertThat(seen.findings()).isEmpty();
    assertThat(seen.classes())
        .extracting(SeenClass::name)
        .contains("größe.Gerät", "größe.Gerät$设备", "größe.Gerät$Zustand");
  }

  @ParameterizedTest
  @ValueSource(strings = {"com.acme.Gerät", "größe.Küche$Gerät", "设备", "com.acme.𠮷野"})
  void patternsAndLearnedRulesTakeThem(String name) {
    assertThat(ClassPattern.parse(name))
        .hasValueSatisfying(p -> assertThat(p.matches(name)).isTrue());
    assertThat(ClassPattern.parse("!" + name + "*")).isPresent();
    assertThat(ClassPattern.parse(name + ".**")).isPresent();
    assertThat(MethodPattern.parse(name + ".öffne(" + name + "[], int)")).isPresent();
    LearnedEntry entry = new LearnedEntry("ann", "inside:1099", InterfaceJars.NONE);
    Objection objection = new Objection(Objection.Rule.CLASS, name, "classes: ['" + name + "']");
    entry.add(
        new LearnedNotes.Note(
            "ann", "inside:1099", objection.rule(), objection.subject(), objection.remedy()));
    assertThat(entry.yaml()).contains("- '" + name + "'\n");
    assertThat(entry.others()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"com.acme.A\u202Eb", "com.acme.A\u200Bb", "com.acme.A\u0001b", "com. b"})
  void whatIsNotSeenIsNoName(String name) {
    assertThat(ClassPattern.parse(name)).isEmpty();
    assertThat(JavaNames.isOfClass(name)).isFalse();
  }

  @Test
  void whatIsWrittenShowsThemAndNothingThatHides() {
    assertThat(Objection.printable("größe.设备 x")).isEqualTo("größe.设备 x");
    assertThat(Objection.printable("a\u202Eb\nc\uD800")).isEqualTo("a?b?c?");
    assertThat(new Objection(Objection.Rule.SHAPE, "Gerät", "").reason())
        .isEqualTo("class-shape Gerät");
  }
}
