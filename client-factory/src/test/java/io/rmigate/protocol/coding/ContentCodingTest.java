package io.rmigate.protocol.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ContentCodingTest {

  @Test
  void theBestIsOfferedFirstAndIdentityAlways() {
    assertThat(ContentCoding.offered(Compression.ON)).containsExactly("deflate.1", "identity");
    assertThat(ContentCoding.offered(Compression.AUTO)).containsExactly("deflate.1", "identity");
    assertThat(ContentCoding.offered(Compression.OFF)).containsExactly("identity");
  }

  @Test
  void theFirstOfferThatIsKnownIsPicked() {
    assertThat(ContentCoding.picked(List.of("zstd.7", "deflate.1", "identity"), Compression.AUTO))
        .isSameAs(ContentCoding.DEFLATE_1);
    assertThat(ContentCoding.picked(List.of("identity", "deflate.1"), Compression.ON))
        .isSameAs(ContentCoding.IDENTITY);
  }

  @Test
  void identityIsPickedWhenNothingIsKnownOrAllowed() {
    assertThat(ContentCoding.picked(List.of("zstd.7"), Compression.ON))
        .isSameAs(ContentCoding.IDENTITY);
    assertThat(ContentCoding.picked(List.of(), Compression.ON)).isSameAs(ContentCoding.IDENTITY);
    assertThat(ContentCoding.picked(List.of("deflate.1"), Compression.OFF))
        .isSameAs(ContentCoding.IDENTITY);
  }

  @Test
  void anotherDictionaryWouldBeAnotherCoding() {
    assertThat(ContentCoding.named("deflate.2")).isEmpty();
  }

  @Test
  void identityHasNoContexts() {
    assertThatThrownBy(() -> new CodedWriter(ContentCoding.IDENTITY))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(ContentCoding.IDENTITY::encoder).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void modesAreKnownByTheirTexts() {
    assertThat(Compression.of("auto")).contains(Compression.AUTO);
    assertThat(Compression.of("AUTO")).isEmpty();
    assertThat(Compression.allTexts()).isEqualTo("on, off, auto");
  }
}
