package io.rmigate.gateway.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.testing.ClassJar;
import java.io.Serializable;
import java.nio.file.Path;
import java.rmi.Remote;
import java.rmi.RemoteException;
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

  static class Order implements Serializable {}

  abstract static class Visitor implements Serializable {
    abstract Object visit(Object node);
  }

  static class Exporter extends Visitor {
    @Override
    Object visit(Object node) {
      return Runtime.getRuntime();
    }
  }

  static class Visited implements Serializable {
    private Visitor visitor;

    @Override
    public boolean equals(Object other) {
      return visitor.visit(other) == this;
    }
  }

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
    ClassProof mentioned = ClassProof.of(jars, Mentioned.class.getName());
    assertThat(mentioned.isProven()).isTrue();
    assertThat(lines(mentioned))
        .containsExactly("Mentioned: proven harmless, passes wherever it stands");
    assertThat(lines(ClassProof.of(jars, Order.class.getName())))
        .containsExactly("Order: proven harmless, passes wherever it stands");
    ClassProof visited = ClassProof.of(jars, Visited.class.getName());
    assertThat(visited.isProven()).isFalse();
    assertThat(lines(visited))
        .containsExactly(
            "Visited: not proven harmless",
            "  Visited.equals(Object)",
            "    Exporter.visit(Object)",
            "      java.lang.Runtime.getRuntime: processes",
            "it passes only where a line permits it: classes: ['Visited']");
  }

  private static java.util.List<String> lines(ClassProof proof) {
    return proof.lines().stream()
        .map(line -> line.replace("io.rmigate.gateway.policy.ClassProofTest$", ""))
        .toList();
  }
}
