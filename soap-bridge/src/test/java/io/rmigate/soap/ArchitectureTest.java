package io.rmigate.soap;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.rmigate.testing.PackageCircles;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The arrows between this module's packages, and those that must not leave it. */
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter().importPaths(Path.of("target", "classes"));

  private static void mustNotImport(String from, String... unwanted) {
    noClasses()
        .that()
        .resideInAPackage(from)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(unwanted)
        .check(CLASSES);
  }

  @Test
  void noPackagesDependOnEachOtherInACircle() throws IOException {
    assertThat(PackageCircles.of(Path.of("src", "main", "java"))).isEmpty();
  }

  @Test
  void classesAreFound() {
    assertThat(CLASSES.contain("io.rmigate.soap.publish.Publication")).isTrue();
  }

  @Test
  void gatewayAndClientAreNotKnown() {
    mustNotImport("io.rmigate.soap..", "io.rmigate.gateway..", "io.rmigate.client..");
  }

  @Test
  void typesKnowNothingOfTheRest() {
    noClasses()
        .that()
        .resideInAPackage("io.rmigate.soap.type..")
        .should()
        .dependOnClassesThat()
        .resideOutsideOfPackages("io.rmigate.soap.type..", "java..", "org.objectweb.asm..")
        .check(CLASSES);
  }

  @Test
  void whatIsPublishedKnowsOnlyTypes() {
    noClasses()
        .that()
        .resideInAPackage("io.rmigate.soap.publish..")
        .should()
        .dependOnClassesThat()
        .resideOutsideOfPackages("io.rmigate.soap.publish..", "io.rmigate.soap.type..", "java..")
        .check(CLASSES);
  }

  @Test
  void whatIsCalledKnowsNoNotation() {
    mustNotImport("io.rmigate.soap.call..", "io.rmigate.soap.json..", "com.fasterxml..");
  }

  @Test
  void notationsDoNotKnowEachOther() {
    mustNotImport("io.rmigate.soap.json..", "io.rmigate.soap.xml..", "javax.xml..");
    mustNotImport("io.rmigate.soap.xml..", "io.rmigate.soap.json..", "com.fasterxml..");
    mustNotImport("io.rmigate.soap.soap..", "io.rmigate.soap.json..", "com.fasterxml..");
  }

  @Test
  void elementsKnowNoStack() {
    mustNotImport("io.rmigate.soap.xml..", "io.rmigate.soap.soap..", "com.sun..", "com.ctc..");
    mustNotImport("io.rmigate.soap.http..", "io.rmigate.soap.json..", "io.rmigate.soap.soap..");
  }

  /** The fronts answer requests; whose requests they are is the container's business. */
  @Test
  void noContainerIsKnown() {
    mustNotImport("io.rmigate.soap..", "jakarta.servlet..", "org.eclipse.jetty..");
  }

  /** Published classes are strangers: nothing may be deserialized with them unfiltered. */
  @Test
  void nothingIsDeserializedHere() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.io.ObjectInputStream")
        .check(CLASSES);
  }
}
