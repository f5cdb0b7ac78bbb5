package io.rmigate.gateway.scan.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.scan.shape.JarClassFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;

/**
 * A chain as those of well-known libraries are made, of classes of our own: the class that does the
 * harm is not proven, nor is any that leads there; without it the same classes are.
 */
@SuppressWarnings({"ArrayRecordComponent", "UnusedVariable", "serial", "unused"})
class ChainModelsTest {
  abstract static class Step implements Serializable {
    abstract Object apply(Object input);
  }

  static final class Constant extends Step {
    private Object value;

    @Override
    Object apply(Object input) {
      return value;
    }
  }

  /** Does what its sender has chosen. */
  static final class Invoke extends Step {
    private String method;

    @Override
    Object apply(Object input) {
      try {
        return input.getClass().getMethod(method).invoke(input);
      } catch (ReflectiveOperationException e) {
        return null;
      }
    }
  }

  static final class Tied implements Serializable {
    private Step step;
    private Object key;

    @Override
    public int hashCode() {
      return step.apply(key) == null ? 0 : 1;
    }

    @Override
    public boolean equals(Object other) {
      return other == this;
    }
  }

  static final class Transforming implements Function<Object, Object>, Serializable {
    private Step step;

    @Override
    public Object apply(Object input) {
      return step.apply(input);
    }
  }

  /** Data that has nothing to do with it. */
  record Order(String customer, int lines) implements Serializable {}

  private static HarmlessClasses harmless(Set<String> allowed, Class<?>... classes)
      throws IOException {
    JarClassFiles jars = new JarClassFiles(new TreeMap<>(), new TreeSet<>());
    for (Class<?> type : classes) {
      String entry = type.getName().replace('.', '/');
      try (InputStream file = type.getClassLoader().getResourceAsStream(entry + ".class")) {
        jars.byName().put(entry, new ArrayList<>(List.of(new ClassReader(file))));
      }
    }
    return HarmlessClasses.of(jars, allowed);
  }

  private static String[] names(Class<?>... classes) {
    return List.of(classes).stream().map(Class::getName).toArray(String[]::new);
  }

  @Test
  void neitherTheClassThatDoesTheHarmNorWhatLeadsThereIsProven() throws IOException {
    HarmlessClasses harmless =
        harmless(
            Set.of(),
            Step.class,
            Constant.class,
            Invoke.class,
            Tied.class,
            Transforming.class,
            Order.class);
    assertThat(harmless.names()).contains(names(Order.class, Constant.class));
    assertThat(harmless.names())
        .doesNotContain(names(Invoke.class, Tied.class, Transforming.class));
    assertThat(harmless.verdict(Invoke.class.getName()).reason())
        .isEqualTo("java.lang.Class.getMethod: reflection");
    List<String> path = harmless.verdict(Tied.class.getName()).path();
    assertThat(path.get(0)).contains("Tied.hashCode");
    assertThat(path.get(path.size() - 1)).contains("java.lang.Class.getMethod");
    assertThat(path).anyMatch(line -> line.contains("Invoke.apply"));
  }

  @Test
  void withoutThatClassTheyAreProven() throws IOException {
    assertThat(
            harmless(Set.of(), Step.class, Constant.class, Tied.class, Transforming.class).names())
        .contains(names(Constant.class, Tied.class, Transforming.class));
  }

  /** The configuration may permit it by a line: no jar says what it does when it is called. */
  @Test
  void whatMayCallAPermittedClassThatNoJarHasIsNotProven() throws IOException {
    HarmlessClasses harmless =
        harmless(
            Set.of(Invoke.class.getName()),
            Step.class,
            Constant.class,
            Tied.class,
            Transforming.class,
            Order.class);
    assertThat(harmless.names()).contains(names(Order.class, Constant.class));
    assertThat(harmless.names()).doesNotContain(names(Tied.class, Transforming.class));
    assertThat(harmless.verdict(Transforming.class.getName()).reason())
        .contains("a class that is permitted and in no jar");
  }
}
