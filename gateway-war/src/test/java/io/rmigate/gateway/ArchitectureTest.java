package io.rmigate.gateway;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.rmigate.gateway.bridge.BridgeMeters;
import io.rmigate.gateway.callback.CallbackMeters;
import io.rmigate.gateway.lease.LeaseMeters;
import io.rmigate.gateway.legacy.LegacyMeters;
import io.rmigate.gateway.lookup.LookupMeters;
import io.rmigate.gateway.services.ServiceMeters;
import io.rmigate.gateway.view.Savings;
import io.rmigate.gateway.view.SessionMeters;
import io.rmigate.protocol.coding.CodingFigures;
import io.rmigate.testing.PackageCircles;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The arrows between the gateway's packages, and from them to the other modules. */
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .importPaths(
              Path.of("target", "classes"), Path.of("..", "soap-bridge", "target", "classes"));

  private static void mustNotImport(String from, String... unwanted) {
    noClasses()
        .that()
        .resideInAPackage(from)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(unwanted)
        .check(CLASSES);
  }

  private static String gateway(String name) {
    return "io.rmigate.gateway." + name + "..";
  }

  @Test
  void noPackagesDependOnEachOtherInACircle() throws IOException {
    assertThat(PackageCircles.of(Path.of("src", "main", "java"))).isEmpty();
  }

  /** The composition root and the stand-alone program read the configuration and join the parts. */
  @Test
  void configurationIsKnownToTheRootOnly() {
    noClasses()
        .that()
        .resideOutsideOfPackages(gateway("config"), gateway("standalone"), "io.rmigate.gateway")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(gateway("config"))
        .check(CLASSES);
  }

  /** The WAR carries the client's classes, since they share a jar with the protocol. */
  @Test
  void ofClientFactoryOnlyTheProtocolIsImported() {
    mustNotImport("io.rmigate..", "io.rmigate.client..");
  }

  @Test
  void containerTypesStopAtTheEdge() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            gateway("edge"), gateway("services"), gateway("login"), gateway("standalone"))
        .and()
        .doNotHaveFullyQualifiedName(GatewayBootstrap.class.getName())
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("jakarta.servlet..", "jakarta.websocket..", "org.eclipse.jetty..")
        .check(CLASSES);
  }

  @Test
  void loginKnowsNoSessions() {
    mustNotImport(
        gateway("login"),
        gateway("session"),
        gateway("stream"),
        gateway("view"),
        gateway("route"),
        gateway("limit"),
        gateway("relay"),
        gateway("gate"),
        gateway("edge"),
        gateway("metrics"),
        gateway("standalone"));
  }

  @Test
  void edgeKnowsNoServersInside() {
    mustNotImport(gateway("edge"), gateway("relay"), gateway("gate"), gateway("standalone"));
  }

  @Test
  void sessionKnowsNeitherEdgeNorMetrics() {
    mustNotImport(gateway("session"), gateway("edge"), gateway("metrics"), gateway("standalone"));
  }

  /** A stream knows its session as {@code StreamSession}, which it owns. */
  @Test
  void streamsKnowTheirSessionByOneInterface() {
    mustNotImport(
        gateway("stream"),
        gateway("session"),
        gateway("edge"),
        gateway("config"),
        gateway("metrics"),
        gateway("standalone"));
  }

  @Test
  void viewsKnowNoSessions() {
    mustNotImport(
        gateway("view"),
        gateway("session"),
        gateway("stream"),
        gateway("route"),
        gateway("relay"),
        gateway("edge"),
        gateway("config"),
        gateway("metrics"),
        gateway("standalone"));
  }

  @Test
  void routesKnowNoSessions() {
    mustNotImport(
        gateway("route"),
        gateway("session"),
        gateway("stream"),
        gateway("view"),
        gateway("gate"),
        gateway("edge"),
        gateway("config"),
        gateway("metrics"),
        gateway("standalone"));
  }

  /** Of whom something is counted is all that is known of it. */
  @Test
  void limitsKnowNeitherServersNorSessionsNorPolicy() {
    noClasses()
        .that()
        .resideInAPackage(gateway("limit"))
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.rmigate.gateway..")
                .and(not(resideInAnyPackage(gateway("limit"), gateway("login"), gateway("quota")))))
        .check(CLASSES);
  }

  /** They count units of holders; what these are is not their affair. */
  @Test
  void quotasKnowOnlyTheJdk() {
    classes()
        .that()
        .resideInAPackage(gateway("quota"))
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", gateway("quota"))
        .check(CLASSES);
  }

  @Test
  void gateJudgesWithoutSocketsAndSessions() {
    mustNotImport(
        gateway("gate"),
        gateway("session"),
        gateway("stream"),
        gateway("view"),
        gateway("route"),
        gateway("limit"),
        gateway("relay"),
        gateway("edge"),
        gateway("login"),
        gateway("metrics"),
        gateway("standalone"),
        "java.net..",
        "java.nio.channels..");
  }

  @Test
  void relayKnowsNoSessions() {
    mustNotImport(
        gateway("relay"),
        gateway("session"),
        gateway("stream"),
        gateway("view"),
        gateway("route"),
        gateway("limit"),
        gateway("gate"),
        gateway("edge"),
        gateway("login"),
        gateway("metrics"),
        gateway("standalone"));
  }

  @Test
  void lookupKnowsSessionsOnlyAsHolders() {
    mustNotImport(
        gateway("lookup"),
        gateway("session"),
        gateway("stream"),
        gateway("view"),
        gateway("route"),
        gateway("limit"),
        gateway("gate"),
        gateway("edge"),
        gateway("login"),
        gateway("metrics"),
        gateway("standalone"));
  }

  @Test
  void callbacksKnowSessionsOnlyAsLinks() {
    mustNotImport(
        gateway("callback"),
        gateway("session"),
        gateway("stream"),
        gateway("view"),
        gateway("route"),
        gateway("limit"),
        gateway("lease"),
        gateway("gate"),
        gateway("edge"),
        gateway("config"),
        gateway("metrics"),
        gateway("standalone"));
  }

  @Test
  void oldClientsAreAgentsOfSessions() {
    mustNotImport(
        gateway("legacy"),
        gateway("relay"),
        gateway("lease"),
        gateway("gate"),
        gateway("edge"),
        gateway("config"),
        gateway("metrics"),
        gateway("standalone"));
  }

  @Test
  void servicesKnowServersOnlyThroughTheBridge() {
    mustNotImport(
        gateway("services"),
        gateway("session"),
        gateway("stream"),
        gateway("view"),
        gateway("route"),
        gateway("limit"),
        gateway("relay"),
        gateway("lease"),
        gateway("gate"),
        gateway("edge"),
        gateway("config"),
        gateway("metrics"),
        gateway("standalone"));
  }

  @Test
  void bridgeKnowsNeitherEdgeNorMetrics() {
    mustNotImport(
        gateway("bridge"),
        gateway("edge"),
        gateway("services"),
        gateway("config"),
        gateway("metrics"),
        gateway("standalone"));
  }

  /** What it reads has come from servers; where from and for whom is not its affair. */
  @Test
  void marshallingKnowsBytesOnly() {
    noClasses()
        .that()
        .resideInAPackage(gateway("bridge.marshal"))
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("io.rmigate.gateway..", "java.net..", "java.nio.channels..")
                .and(not(resideInAPackage(gateway("bridge.marshal")))))
        .check(CLASSES);
  }

  /** It tells what stands in bytes; who sent them, and what becomes of them, is not its affair. */
  @Test
  void scannerKnowsBytesOnly() {
    noClasses()
        .that()
        .resideInAPackage(gateway("scan"))
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("io.rmigate.gateway..", "java.net..", "java.nio.channels..")
                .and(not(resideInAPackage(gateway("scan"))))
                .and(not(type(URI.class))))
        .check(CLASSES);
  }

  /** Rules say what may pass; who asks, and what becomes of it, is not their affair. */
  @Test
  void policyKnowsMessagesOnly() {
    noClasses()
        .that()
        .resideInAPackage(gateway("policy"))
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("io.rmigate.gateway..", "java.net..", "java.nio.channels..")
                .and(not(resideInAnyPackage(gateway("policy"), gateway("quota"), gateway("scan")))))
        .check(CLASSES);
  }

  @Test
  void shapesKnowNoMessages() {
    noClasses()
        .that()
        .resideInAPackage(gateway("scan.shape"))
        .should()
        .dependOnClassesThat(
            resideInAPackage(gateway("scan")).and(not(resideInAPackage(gateway("scan.shape")))))
        .check(CLASSES);
  }

  /** Of all the gateway one package reads objects, and that never from agents. */
  @Test
  void onlyMarshallingDeserializes() {
    noClasses()
        .that()
        .resideOutsideOfPackage(gateway("bridge.marshal"))
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.io.ObjectInputStream")
        .check(CLASSES);
  }

  /** Nor does anything else ask for a class by a name, which a message might have told. */
  @Test
  void onlyMarshallingAsksForClassesByTheirNames() {
    noClasses()
        .that()
        .resideInAPackage("io.rmigate.gateway..")
        .and()
        .resideOutsideOfPackages(gateway("bridge.marshal"), gateway("standalone"))
        .should()
        .callMethodWhere(
            target(nameMatching("forName|loadClass|findClass|define(Hidden)?Class"))
                .and(target(owner(assignableTo(Class.class).or(assignableTo(ClassLoader.class))))))
        .check(CLASSES);
  }

  @Test
  void metricsKnowOnlyWhatIsCounted() {
    classes()
        .that()
        .resideInAPackage(gateway("metrics"))
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage("java..", "io.micrometer..", gateway("metrics"))
                .or(type(SessionMeters.class))
                .or(type(Savings.class))
                .or(type(LeaseMeters.class))
                .or(type(LookupMeters.class))
                .or(type(CallbackMeters.class))
                .or(type(ServiceMeters.class))
                .or(type(LegacyMeters.class))
                .or(type(BridgeMeters.class))
                .or(type(CodingFigures.class)))
        .check(CLASSES);
  }

  @Test
  void micrometerStopsInMetrics() {
    noClasses()
        .that()
        .resideOutsideOfPackage(gateway("metrics"))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.micrometer..")
        .check(CLASSES);
  }

  /** It runs before the libraries in the WAR can be loaded. */
  @Test
  void launcherImportsOnlyTheJdk() {
    classes()
        .that()
        .resideInAPackage("io.rmigate.launcher..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "io.rmigate.launcher..")
        .check(CLASSES);
  }

  @Test
  void soapBridgeDoesNotKnowTheGateway() {
    mustNotImport("io.rmigate.soap..", "io.rmigate.gateway..", "io.rmigate.client..");
  }

  @Test
  void everyPackageSaysWhatItIs() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("src", "main", "java"))) {
      Set<Path> packages =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .map(Path::getParent)
              .collect(Collectors.toSet());
      assertThat(packages)
          .isNotEmpty()
          .allSatisfy(path -> assertThat(path.resolve("package-info.java")).exists());
    }
  }
}
