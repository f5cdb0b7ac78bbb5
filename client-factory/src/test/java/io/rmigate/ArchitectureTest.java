package io.rmigate;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.rmigate.testing.PackageCircles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The arrows of client-factory: {@code client → protocol}, and nothing else but the JDK. That there
 * is no dependency at all is checked by the enforcer in pom.xml.
 */
class ArchitectureTest {
  private static final String[] JDK = {
    "java..",
    "javax.net..",
    "javax.security..",
    "javax.crypto..",
    "javax.naming..",
    "javax.management.."
  };

  private static final JavaClasses CLASSES =
      new ClassFileImporter().importPath(Path.of("target", "classes"));

  private static String[] jdkAnd(String name) {
    return Stream.concat(Stream.of(JDK), Stream.of(name)).toArray(String[]::new);
  }

  @Test
  void noPackagesDependOnEachOtherInACircle() throws IOException {
    assertThat(PackageCircles.of(Path.of("src", "main", "java"))).isEmpty();
  }

  @Test
  void protocolImportsOnlyTheJdk() {
    classes()
        .that()
        .resideInAPackage("io.rmigate.protocol..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(jdkAnd("io.rmigate.protocol.."))
        .check(CLASSES);
  }

  @Test
  void clientImportsOnlyTheJdkAndProtocol() {
    classes()
        .that()
        .resideInAPackage("io.rmigate.client..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(jdkAnd("io.rmigate.."))
        .check(CLASSES);
  }

  @Test
  void linkDoesNotKnowWhatRmiSpeaks() {
    noClasses()
        .that()
        .resideInAPackage("io.rmigate.client.link..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.rmigate.protocol.jrmp..")
        .check(CLASSES);
  }

  @Test
  void partsOfTheTransportsKnowTheirBaseOnly() {
    transportMustNotImport("net", "http", "proxy", "websocket", "post");
    transportMustNotImport("http", "proxy", "websocket", "post");
    transportMustNotImport("proxy", "websocket", "post");
    transportMustNotImport("websocket", "post");
    transportMustNotImport("post", "websocket");
    noClasses()
        .that()
        .resideInAnyPackage(transport("net"), transport("http"), transport("proxy"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.rmigate.client.transport")
        .check(CLASSES);
  }

  private static void transportMustNotImport(String from, String... unwanted) {
    noClasses()
        .that()
        .resideInAPackage(transport(from))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            Stream.of(unwanted).map(ArchitectureTest::transport).toArray(String[]::new))
        .check(CLASSES);
  }

  private static String transport(String name) {
    return "io.rmigate.client.transport." + name;
  }

  @Test
  void programsAreImportedByProgramsOnly() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.rmigate.client.program..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.rmigate.client.program..")
        .check(CLASSES);
  }

  @Test
  void everyPackageSaysWhatItIs() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src", "main", "java"))) {
      Set<Path> packages =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> !file.endsWith("module-info.java"))
              .map(Path::getParent)
              .collect(Collectors.toSet());
      assertThat(packages)
          .isNotEmpty()
          .allSatisfy(path -> assertThat(path.resolve("package-info.java")).exists());
    }
  }
}
