package io.rmigate.soap.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.soap.publish.Publications.Failure;
import io.rmigate.soap.publish.Publications.Use;
import io.rmigate.soap.testing.Published;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PublicationsTest {
  @TempDir private Path directory;
  private final Publications publications = new Publications();

  @AfterEach
  void close() {
    publications.close();
  }

  private Path jars(String method) throws IOException {
    Path jars =
        Published.jars(
            directory,
            """
            public interface Shop extends Remote {
              class Unused implements Serializable {}
              void %s() throws RemoteException;
            }
            """
                .formatted(method));
    // A file system may tell times of seconds only.
    Files.setLastModifiedTime(
        jars.resolve("shop.jar"), FileTime.fromMillis(method.hashCode() * 1000L));
    return jars;
  }

  private static PublishEntry entry(String path, Path jars) {
    return PublishEntry.of(path, "shop.Shop", jars);
  }

  private String operation(String path) {
    try (Use use = publications.use(path).orElseThrow()) {
      return use.publication().contract().operations().get(0).name();
    }
  }

  private static void mustBeClosed(Publication publication) {
    assertThatThrownBy(() -> Class.forName("shop.Shop$Unused", false, publication.loader()))
        .isInstanceOf(ClassNotFoundException.class);
  }

  @Test
  void whatIsLoadedIsFoundByItsPath() throws IOException {
    Path jars = jars("buy");

    assertThat(publications.load(List.of(entry("b", jars), entry("a/x", jars)))).isEmpty();

    assertThat(publications.paths()).containsExactly("b", "a/x");
    assertThat(operation("a/x")).isEqualTo("buy");
    assertThat(publications.use("a")).isEmpty();
  }

  @Test
  void whatHasNotChangedStays() throws IOException {
    Path jars = jars("buy");
    publications.load(List.of(entry("shop", jars)));
    try (Use before = publications.use("shop").orElseThrow()) {
      publications.load(List.of(entry("shop", jars), entry("other", jars)));

      try (Use after = publications.use("shop").orElseThrow()) {
        assertThat(after.publication()).isSameAs(before.publication());
      }
    }
  }

  @Test
  void changedJarsAreForTheCallsToCome() throws Exception {
    publications.load(List.of(entry("shop", jars("buy"))));
    Publication old;
    try (Use inFlight = publications.use("shop").orElseThrow()) {
      old = inFlight.publication();

      publications.load(List.of(entry("shop", jars("sell"))));

      assertThat(operation("shop")).isEqualTo("sell");
      assertThat(inFlight.publication().contract().operation("buy")).isPresent();
      assertThat(Class.forName("shop.Shop", false, old.loader())).isNotNull();
    }
    mustBeClosed(old);
  }

  @Test
  void aCallInFlightCanStillLoadClasses() throws Exception {
    publications.load(List.of(entry("shop", jars("buy"))));
    try (Use inFlight = publications.use("shop").orElseThrow()) {
      publications.close();

      assertThat(Class.forName("shop.Shop$Unused", false, inFlight.publication().loader()))
          .isNotNull();
      assertThat(publications.use("shop")).isEmpty();
    }
  }

  @Test
  void aChangedEntryIsPublishedAnew() throws IOException {
    Path jars = jars("buy");
    publications.load(List.of(entry("shop", jars)));

    List<Failure> failures =
        publications.load(
            List.of(
                new PublishEntry(
                    "shop",
                    "shop.Shop",
                    jars,
                    Set.of(),
                    Map.of(),
                    Map.of("buy()", new PublishEntry.MethodNames("purchase", List.of())))));

    assertThat(failures).isEmpty();
    assertThat(operation("shop")).isEqualTo("purchase");
  }

  @Test
  void damagedJarsLeaveInPlaceWhatWasThere() throws IOException {
    Path jars = jars("buy");
    publications.load(List.of(entry("shop", jars)));
    Files.writeString(jars.resolve("shop.jar"), "half of a jar");

    List<Failure> failures =
        publications.load(List.of(entry("shop", jars), entry("other", directory)));

    assertThat(failures).extracting(Failure::path).containsExactly("shop", "other");
    assertThat(failures).extracting(Failure::stale).containsExactly(true, false);
    assertThat(operation("shop")).isEqualTo("buy");
    assertThat(publications.paths()).containsExactly("shop");
  }

  @Test
  void aPathIsGivenOnce() throws IOException {
    Path jars = jars("buy");

    assertThat(publications.load(List.of(entry("shop", jars), entry("shop", jars))))
        .singleElement()
        .extracting(Failure::reason)
        .asString()
        .contains("another entry");
    assertThat(publications.paths()).containsExactly("shop");
  }

  @Test
  void closingAUseTwiceReleasesItOnce() throws Exception {
    publications.load(List.of(entry("shop", jars("buy"))));
    Use use = publications.use("shop").orElseThrow();

    use.close();
    use.close();

    assertThat(Class.forName("shop.Shop$Unused", false, use.publication().loader())).isNotNull();
  }

  @Test
  void whatIsNotInTheEntriesAnyMoreIsClosed() throws Exception {
    publications.load(List.of(entry("shop", jars("buy"))));
    Publication publication;
    try (Use use = publications.use("shop").orElseThrow()) {
      publication = use.publication();
    }

    publications.load(List.of());

    assertThat(publications.use("shop")).isEmpty();
    mustBeClosed(publication);
  }
}
