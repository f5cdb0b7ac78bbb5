package io.rmigate.soap.xml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.soap.publish.NotPublished;
import io.rmigate.soap.publish.Publication;
import io.rmigate.soap.testing.Published;
import io.rmigate.soap.type.Scalar;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetTime;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What generated clients write where XML Schema lets them. */
class XmlTextTest {
  private static final String SHOP =
      """
      public interface Shop extends Remote {
        void take(LocalTime time, java.sql.Time old, OffsetTime offset, LocalDateTime local)
            throws RemoteException;
      }
      """;

  private static Publication publication;

  @BeforeAll
  static void publish(@TempDir Path directory) throws NotPublished {
    publication = Published.shop(directory, SHOP);
  }

  @AfterAll
  static void close() {
    publication.close();
  }

  private static Scalar scalar(Class<?> type) {
    return publication.contract().operations().get(0).parameters().stream()
        .map(parameter -> (Scalar) parameter.shape())
        .filter(scalar -> scalar.javaType() == type)
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"14:20:30", "14:20:30Z", "14:20:30.0000000+00:00", "14:20:30.0000000-11:30"})
  void anOffsetBehindATimeWithoutOneIsPassedOver(String text) {
    LocalTime time = LocalTime.of(14, 20, 30);

    assertThat(XmlText.parse(scalar(LocalTime.class), text)).isEqualTo(time);
    assertThat(XmlText.parse(scalar(java.sql.Time.class), text))
        .isEqualTo(java.sql.Time.valueOf(time));
  }

  @Test
  void whereAnOffsetMeansSomethingItIsNeitherLostNorMade() {
    assertThat(XmlText.parse(scalar(OffsetTime.class), "14:20:30+01:00"))
        .isEqualTo(OffsetTime.parse("14:20:30+01:00"));
    assertThatThrownBy(() -> XmlText.parse(scalar(OffsetTime.class), "14:20:30"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> XmlText.parse(scalar(LocalDateTime.class), "2026-11-21T14:20:30Z"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
