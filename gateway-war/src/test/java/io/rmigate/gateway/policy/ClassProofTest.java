package io.rmigate.gateway.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.policy.ProvenClassesTest.Exporter;
import io.rmigate.gateway.policy.ProvenClassesTest.Order;
import io.rmigate.gateway.policy.ProvenClassesTest.Visited;
import io.rmigate.gateway.policy.ProvenClassesTest.Visitor;
import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.ClassSettings;
import io.rmigate.gateway.testing.ClassJar;
import java.io.Serializable;
import java.nio.file.Path;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of a class of the jars: whether it is proven harmless, and whether it passes. */
@SuppressWarnings({"EqualsHashCode", "overrides", "serial", "unused"})
class ClassProofTest {
  @TempDir Path directory;

  interface Desk extends Remote {
    Mentioned number() throws RemoteException;
  }

  static class Mentioned implements Serializable {}

  @Test
  void itSaysWhetherAClassIsProvenAndWhetherItPasses() throws Exception {
    Path jars =
        ClassJar.in(
            directory,
            Desk.class,
            Mentioned.class,
            Order.class,
            Visitor.class,
            Exporter.class,
            Visited.class);
    ClassSettings settings = ClassSettings.DEFAULT.withInterfaces(jars);
    ClassProof mentioned = ClassProof.of(settings, Mentioned.class.getName());
    assertThat(mentioned.isProven()).isTrue();
    assertThat(lines(mentioned))
        .containsExactly("Mentioned: proven harmless, so it may stand anywhere in a message");
    assertThat(lines(ClassProof.of(settings, Order.class.getName())))
        .containsExactly("Order: proven harmless, so it may stand anywhere in a message");
    ClassProof visited = ClassProof.of(settings, Visited.class.getName());
    assertThat(visited.isProven()).isFalse();
    assertThat(lines(visited))
        .containsExactly(
            "Visited: not proven harmless",
            "  Visited.equals(Object)",
            "    Exporter.visit(Object)",
            "      java.lang.Runtime.getRuntime: processes",
            "it passes only if a rule permits it: classes: ['Visited']");
  }

  /** As the gateway would: a class that a line permits may stand where the visitor is. */
  @Test
  void aClassWithoutAJarCounts() throws Exception {
    ClassJar.in(directory, Desk.class, Mentioned.class, Visitor.class, Visited.class);
    ClassSettings none = ClassSettings.DEFAULT.withInterfaces(directory);
    ClassSettings other =
        new ClassSettings(
                ClassMode.ENFORCE,
                List.of(),
                List.of("com.acme.Other"),
                Optional.empty(),
                ClassSettings.CALL_LIMIT)
            .withInterfaces(directory);
    assertThat(ClassProof.of(none, Visited.class.getName()).isProven()).isTrue();
    assertThat(ClassProof.of(other, Visited.class.getName()).isProven()).isFalse();
  }

  private static List<String> lines(ClassProof proof) {
    return proof.lines().stream()
        .map(line -> line.replaceAll("io\\.rmigate\\.gateway\\.policy\\.\\w+\\$", ""))
        .toList();
  }
}
