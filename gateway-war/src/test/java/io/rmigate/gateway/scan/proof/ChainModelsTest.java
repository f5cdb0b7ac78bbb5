package io.rmigate.gateway.scan.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.gateway.scan.shape.JarClassFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;

/**
 * A chain as those of well-known libraries are made, of classes of our own: the class that does the
 * harm is not proven, nor is any that leads there; without it the same classes are.
 */
@SuppressWarnings({"ArrayRecordComponent", "UnusedVariable", "serial", "unused"})
class ChainModelsTest {
  interface Step extends Serializable {
    Object apply(Object input) throws ReflectiveOperationException;
  }

  record Constant(Object value) implements Step {
    @Override
    public Object apply(Object input) {
      return value;
    }
  }

  record Chain(Step[] steps) implements Step {
    @Override
    public Object apply(Object input) throws ReflectiveOperationException {
      Object value = input;
      for (Step step : steps) {
        value = step.apply(value);
      }
      return value;
    }
  }

  /** Does what its sender has chosen. */
  record Invoke(String method) implements Step {
    @Override
    public Object apply(Object input) throws ReflectiveOperationException {
      return input.getClass().getMethod(method).invoke(input);
    }
  }

  static final class Tied implements Serializable {
    private final Step step;
    private final Object key;

    Tied(Step step, Object key) {
      this.step = step;
      this.key = key;
    }

    @Override
    public int hashCode() {
      try {
        return String.valueOf(step.apply(key)).hashCode();
      } catch (ReflectiveOperationException e) {
        return 0;
      }
    }

    @Override
    public boolean equals(Object other) {
      return other == this;
    }
  }

  static final class Transforming implements Comparator<Object>, Serializable {
    private final Step step;

    Transforming(Step step) {
      this.step = step;
    }

    @Override
    public int compare(Object one, Object other) {
      try {
        return step.apply(one) == step.apply(other) ? 0 : 1;
      } catch (ReflectiveOperationException e) {
        return -1;
      }
    }
  }

  /** Data that has nothing to do with it. */
  record Order(String customer, List<String> lines) implements Serializable {}

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
            Chain.class,
            Invoke.class,
            Tied.class,
            Transforming.class,
            Order.class);
    assertThat(harmless.names()).contains(names(Order.class, Constant.class));
    assertThat(harmless.names())
        .doesNotContain(names(Chain.class, Invoke.class, Tied.class, Transforming.class));
    assertThat(harmless.verdict(Invoke.class.getName()).reason()).contains("reflection");
    List<String> path = harmless.verdict(Tied.class.getName()).path();
    assertThat(path.get(0)).contains("Tied.hashCode");
    assertThat(path.get(path.size() - 1)).contains("java.lang.Class.getMethod");
    assertThat(path).anyMatch(line -> line.contains("Invoke.apply"));
  }

  @Test
  void withoutThatClassTheyAreProven() throws IOException {
    assertThat(
            harmless(
                    Set.of(),
                    Step.class,
                    Constant.class,
                    Chain.class,
                    Tied.class,
                    Transforming.class)
                .names())
        .contains(names(Constant.class, Chain.class, Tied.class, Transforming.class));
  }

  /** The configuration may permit it by a line: no jar says what it does when it is called. */
  @Test
  void whatMayCallAPermittedClassThatNoJarHasIsNotProven() throws IOException {
    HarmlessClasses harmless =
        harmless(
            Set.of(Invoke.class.getName()),
            Step.class,
            Constant.class,
            Chain.class,
            Tied.class,
            Transforming.class,
            Order.class);
    assertThat(harmless.names()).contains(names(Order.class, Constant.class));
    assertThat(harmless.names()).doesNotContain(names(Chain.class, Tied.class, Transforming.class));
    assertThat(harmless.verdict(Transforming.class.getName()).reason())
        .contains(Invoke.class.getName());
  }
}
