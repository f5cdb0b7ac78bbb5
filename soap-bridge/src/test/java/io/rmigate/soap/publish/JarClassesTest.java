package io.rmigate.soap.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.soap.testing.Published;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JarClassesTest {
  private static final String TWO =
      """
      public interface Shop extends Remote {
        class Used implements Serializable {}
        class Unused implements Serializable {}
        Used used() throws RemoteException;
      }
      """;

  @TempDir private Path directory;

  @Test
  void nothingOfTheGatewayIsVisible() throws Exception {
    try (JarClasses classes = JarClasses.in(Published.jars(directory, TWO))) {
      assertThat(classes.named("shop.Shop").getClassLoader()).isSameAs(classes);
      assertThat(classes.named("java.sql.Date")).isSameAs(java.sql.Date.class);
      assertThatThrownBy(() -> classes.named(JarClasses.class.getName()))
          .isInstanceOf(ClassNotFoundException.class);
      assertThatThrownBy(() -> classes.named("org.junit.jupiter.api.Test"))
          .isInstanceOf(ClassNotFoundException.class);
    }
  }

  @Test
  void entriesShareNoClass() throws Exception {
    Path jars = Published.jars(directory, TWO);
    try (JarClasses one = JarClasses.in(jars);
        JarClasses other = JarClasses.in(jars)) {
      assertThat(one.named("shop.Shop")).isNotSameAs(other.named("shop.Shop"));
    }
  }

  @Test
  void jarsCanBeReplacedWhileTheirClassesAreInUse() throws Exception {
    Path jars = Published.jars(directory, TWO);
    try (JarClasses classes = JarClasses.in(jars)) {
      Files.writeString(jars.resolve("shop.jar"), "no jar any more");

      assertThat(classes.named("shop.Shop$Used")).isNotNull();
    }
  }

  @Test
  void afterCloseNoClassIsLoaded() throws Exception {
    JarClasses classes = JarClasses.in(Published.jars(directory, TWO));
    Class<?> used = classes.named("shop.Shop$Used");

    classes.close();

    assertThat(used.getDeclaredConstructors()).hasSize(1);
    assertThatThrownBy(() -> classes.named("shop.Shop$Unused"))
        .isInstanceOf(ClassNotFoundException.class)
        .hasMessageContaining("closed");
  }

  /** No resource, and so no service provider, of a jar is found by code that looks for one. */
  @Test
  void onlyClassesAreTakenFromJars() throws Exception {
    Path jars = Published.jars(directory, TWO);
    Path extra = Files.createDirectories(directory.resolve("extra/META-INF/services"));
    Files.writeString(extra.resolve("java.lang.Runnable"), "shop.Evil");
    Published.pack(directory.resolve("extra"), jars.resolve("extra.jar"));

    try (JarClasses classes = JarClasses.in(jars)) {
      assertThat(classes.getResource("META-INF/services/java.lang.Runnable")).isNull();
      assertThat(classes.getResourceAsStream("META-INF/services/java.lang.Runnable")).isNull();
      assertThat(classes.names())
          .containsExactly("shop.Shop", "shop.Shop$Unused", "shop.Shop$Used");
    }
  }

  @Test
  void classesOfAllJarsTogetherAreBounded() throws Exception {
    Path jars = Published.jars(directory, TWO);

    assertThatThrownBy(() -> JarClasses.in(jars, 100))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("too large");
  }

  @Test
  void aDirectoryWithoutJarsIsAMistake() {
    assertThatThrownBy(() -> JarClasses.in(directory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no jar");
  }
}
