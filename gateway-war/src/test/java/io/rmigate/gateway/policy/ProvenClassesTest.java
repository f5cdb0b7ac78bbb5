package io.rmigate.gateway.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.policy.rule.ClassMode;
import io.rmigate.gateway.policy.rule.ClassSettings;
import io.rmigate.gateway.policy.rule.LearningLog;
import io.rmigate.gateway.policy.type.ClassPattern;
import io.rmigate.gateway.testing.ClassJar;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Classes of the jars that no signature mentions pass where they are proven harmless. */
@SuppressWarnings({
  "EqualsHashCode",
  "UnusedMethod",
  "UnusedVariable",
  "overrides",
  "serial",
  "unused"
})
class ProvenClassesTest {
  @TempDir Path directory;

  interface Desk extends Remote {
    int number() throws RemoteException;
  }

  static class Order implements Serializable {
    private transient List<String> lines;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      lines = new ArrayList<>();
    }
  }

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

  static class Alone implements Serializable {
    private Visitor visitor;

    @Override
    public boolean equals(Object other) {
      return visitor.visit(other) == this;
    }
  }

  private Path jars;
  private Path state;

  @BeforeEach
  void makeJars() throws IOException {
    state = directory.resolve("state");
    jars = Files.createDirectories(directory.resolve("jars"));
    ClassJar.in(jars, Desk.class, Order.class, Visitor.class, Exporter.class, Visited.class);
  }

  private CallRules rules(ClassSettings settings) throws IOException {
    return Rulebook.of(settings.withInterfaces(jars), LearningLog.NOTHING, Optional.of(state))
        .rules(List.of());
  }

  private CallRules rules() throws IOException {
    return rules(ClassSettings.DEFAULT);
  }

  private static ClassSettings settings(List<String> patterns, List<String> opaque) {
    return new ClassSettings(
        ClassMode.ENFORCE,
        patterns.stream().map(pattern -> ClassPattern.parse(pattern).orElseThrow()).toList(),
        opaque,
        Optional.empty(),
        ClassSettings.CALL_LIMIT);
  }

  private List<Path> kept() throws IOException {
    if (!Files.exists(state)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(state)) {
      return files.toList();
    }
  }

  @Test
  void aProvenClassPassesAndAnotherOneDoesNot() throws Exception {
    CallRules rules = rules();
    assertThat(rules.allows(Order.class.getName())).isTrue();
    assertThat(rules.allows(Visitor.class.getName())).isTrue(); // only names of interfaces travel
    assertThat(rules.allows(Exporter.class.getName())).isFalse();
    assertThat(rules.allows(Visited.class.getName())).isFalse();
    assertThat(rules.allows(Alone.class.getName())).isFalse(); // in no jar
  }

  @Test
  void aLineTakesAProvenClassAway() throws Exception {
    assertThat(rules(settings(List.of("!" + Order.class.getName()), List.of())))
        .matches(rules -> !rules.allows(Order.class.getName()));
  }

  @Test
  void itIsLookedForOnceAndKept() throws Exception {
    CallRules rules = rules();
    assertThat(rules.allows("com.acme.Nothing")).isFalse();
    assertThat(kept()).isEmpty(); // no class of the jars has been asked for yet
    assertThat(rules.allows(Order.class.getName())).isTrue();
    assertThat(kept()).hasSize(1);

    Files.writeString(kept().get(0), Exporter.class.getName() + "\n");
    assertThat(rules.allows(Order.class.getName())).isTrue();
    assertThat(rules().allows(Order.class.getName())).isFalse();
    assertThat(rules().allows(Exporter.class.getName())).isTrue();
  }

  @Test
  void ofOtherJarsItIsMadeAnewAtOnce() throws Exception {
    assertThat(rules().allows(Order.class.getName())).isTrue();
    Path first = kept().get(0);

    ClassJar.in(jars, Desk.class, Order.class, Visitor.class, Alone.class);
    CallRules rules = rules();
    assertThat(kept()).hasSize(1).doesNotContain(first);
    assertThat(rules.allows(Alone.class.getName())).isTrue();
  }

  @Test
  void eachSetOfClassesWithoutAJarHasAProofOfItsOwn() throws Exception {
    ClassSettings other = settings(List.of(), List.of("com.acme.Other"));
    assertThat(rules().allows(Order.class.getName())).isTrue();
    assertThat(rules(other).allows(Order.class.getName())).isTrue();
    assertThat(kept()).hasSize(2);

    for (Path file : kept()) {
      Files.writeString(file, Exporter.class.getName() + "\n");
    }
    assertThat(rules().allows(Exporter.class.getName())).isTrue();
    assertThat(rules(other).allows(Exporter.class.getName())).isTrue();
  }

  @Test
  void jarsThatHaveChangedProveNothing() throws Exception {
    CallRules rules = rules();
    Files.setLastModifiedTime(jars.resolve("classes.jar"), FileTime.fromMillis(0));
    assertThat(rules.allows(Order.class.getName())).isFalse();
    assertThat(rules().allows(Order.class.getName())).isTrue();
  }

  @Test
  void whatIsPermittedAndInNoJarCountsAsHarmful() throws Exception {
    ClassJar.in(jars, Desk.class, Order.class, Visitor.class, Alone.class);
    assertThat(rules().allows(Alone.class.getName())).isTrue();
    assertThat(rules(settings(List.of(), List.of("com.acme.Other"))))
        .matches(rules -> !rules.allows(Alone.class.getName()));
    assertThat(rules(settings(List.of("com.acme.Other"), List.of())))
        .matches(rules -> !rules.allows(Alone.class.getName()));
    assertThat(rules(settings(List.of(Order.class.getName() + "s*"), List.of())))
        .matches(rules -> !rules.allows(Alone.class.getName()));
    assertThat(rules(settings(List.of(Order.class.getName(), "java.sql.*"), List.of())))
        .matches(rules -> rules.allows(Alone.class.getName()));
  }
}
