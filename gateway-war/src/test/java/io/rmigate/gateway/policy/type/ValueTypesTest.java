package io.rmigate.gateway.policy.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.gateway.scan.shape.Shape;
import io.rmigate.gateway.scan.shape.Shapes;
import java.io.IOException;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A class is a value of the JDK by a decision with a reason, not because its shape is known. */
class ValueTypesTest {

  /** Each of these reaches for something, or carries something else in bytes. */
  @Test
  void whatReachesOutOrHidesAnotherStreamIsDenied() {
    assertThat(ValueTypes.DENIED)
        .contains(
            "java.rmi.MarshalledObject",
            "java.security.SecureRandom",
            "java.security.SignedObject",
            "javax.crypto.SealedObject",
            "javax.naming.Reference",
            "javax.swing.ImageIcon",
            "java.util.Collections$CopiesList",
            "java.lang.invoke.SerializedLambda",
            "java.rmi.server.UnicastRemoteObject",
            "java.rmi.server.RemoteServer",
            "sun.rmi.server.UnicastRef",
            "javax.rmi.ssl.SslRMIClientSocketFactory");
    assertThat(ValueTypes.NAMES).doesNotContainAnyElementsOf(ValueTypes.DENIED);
    assertThat(ValueTypes.FOR_CLIENTS)
        .doesNotContainAnyElementsOf(ValueTypes.DENIED)
        .doesNotContainAnyElementsOf(ValueTypes.NAMES);
  }

  @Test
  void eachClassStandsOnceUnderAReasonWithATest() throws IOException {
    List<String> names = new ArrayList<>();
    Set<String> tests = new TreeSet<>();
    for (ValueTypes.Group group : groups()) {
      assertThat(group.reason()).hasSizeGreaterThan(10);
      assertThat(group.names()).as(group.reason()).isNotEmpty();
      names.addAll(group.names());
      tests.addAll(group.tests());
    }
    assertThat(names).doesNotHaveDuplicates().hasSizeGreaterThan(800);
    try (Stream<Path> sources = Files.walk(Path.of("src/test/java"))) {
      Set<String> found =
          sources
              .map(file -> file.getFileName().toString().replace(".java", ""))
              .collect(Collectors.toSet());
      assertThat(found).containsAll(tests);
    }
  }

  private static List<ValueTypes.Group> groups() {
    return Stream.of(ValueTypes.GROUPS, ValueTypes.GROUPS_FOR_CLIENTS)
        .flatMap(List::stream)
        .toList();
  }

  @Test
  void whatHasAShapeStandsInTheList() {
    Set<String> listed =
        groups().stream().flatMap(group -> group.names().stream()).collect(Collectors.toSet());
    assertThat(Shapes.ofJdk().all()).extracting(Shape::name).isSubsetOf(listed);
  }

  /** Else an object would be refused for a part that each of its kind has. */
  @Test
  void superclassesAndFieldsOfWhatPassesAreFollowed() throws Exception {
    Set<String> missing = new TreeSet<>();
    for (Shape shape : Shapes.ofJdk().all()) {
      if (!ValueTypes.NAMES.contains(shape.name())) {
        continue;
      }
      if (!shape.superclass().isEmpty() && !ValueTypes.NAMES.contains(shape.superclass())) {
        missing.add(shape.superclass() + " of " + shape.name());
      }
      for (var field : shape.fields()) {
        Optional<String> type = nameOfField(field.signature());
        if (type.isPresent()
            && !ValueTypes.NAMES.contains(type.get())
            && !ValueTypes.DENIED.contains(type.get())
            && !ValueTypes.FOR_CLIENTS.contains(type.get())
            && isSerializableClass(type.get())) {
          missing.add(type.get() + " in " + shape.name());
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  private static Optional<String> nameOfField(String signature) {
    String element = signature.replace("[", "");
    return element.startsWith("L")
        ? Optional.of(element.substring(1, element.length() - 1).replace('/', '.'))
        : Optional.empty();
  }

  private static boolean isSerializableClass(String name) {
    try {
      Class<?> type = Class.forName(name, false, null);
      return Serializable.class.isAssignableFrom(type) && !type.isInterface();
    } catch (ClassNotFoundException ofAnotherRelease) {
      return true;
    }
  }

  /** Those without shapes are refused as objects, wherever they stand. */
  @Test
  void whatHasNoShapeIsAnInterfaceOrCannotBeWrittenAsItself() throws Exception {
    Set<String> shaped = Shapes.ofJdk().all().stream().map(Shape::name).collect(Collectors.toSet());
    for (String name : ValueTypes.NAMES) {
      if (!shaped.contains(name) && name.contains(".")) {
        Class<?> type = Class.forName(name);
        assertThat(
                type.isInterface()
                    || Modifier.isAbstract(type.getModifiers())
                    || type == Object.class
                    || type == Class.class
                    || type.getPackageName().equals("java.time"))
            .as(name)
            .isTrue();
        assertThat(InvocationHandler.class.isAssignableFrom(type)).isFalse();
      }
    }
  }

  @Test
  void aNameWithoutAReasonIsRefused() {
    assertThatThrownBy(() -> ValueTypes.parse(List.of("java.lang.String")))
        .hasMessageContaining("java.lang.String");
    assertThatThrownBy(() -> ValueTypes.parse(List.of("admitted: because", "java.lang.String")))
        .hasMessageContaining("admitted: because");
    assertThat(ValueTypes.parse(List.of("denied: because (ATest, BTest)", "a.B")))
        .containsExactly(
            new ValueTypes.Group("denied", "because", List.of("ATest", "BTest"), List.of("a.B")));
  }
}
