package io.rmigate.perf.dictionary;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DictionaryTest {
  private static final Path RECORDINGS = Path.of("recordings");
  private static final Path RESOURCE =
      Path.of("../client-factory/src/main/resources/io/rmigate/protocol/coding/deflate-1.dict");

  @Test
  void theRecordingsMakeTheDictionaryThatIsInUse() throws Exception {
    assertThat(Dictionary.make(RECORDINGS)).isEqualTo(Files.readAllBytes(RESOURCE));
  }

  @Test
  void theDictionaryNamesNothingOfThisProject() throws Exception {
    assertThat(new String(Files.readAllBytes(RESOURCE), StandardCharsets.ISO_8859_1))
        .doesNotContainIgnoringCase("rmigate")
        .doesNotContain("host.example", "SubjectServant");
  }

  @Test
  void whatOnlyOneRunSaysIsLeftOut() {
    byte[] accident = new byte[200];
    new Random(1).nextBytes(accident);
    byte[] dictionary =
        new Trainer(
                List.of(
                    List.of(ascii("common boilerplate of all"), accident),
                    List.of(ascii("common boilerplate of all"), accident.clone()),
                    List.of(ascii("something else"))),
                1000)
            .train();
    assertThat(dictionary).hasSize(25 + 200); // both runs had it: no accident
    byte[] other = new byte[200];
    new Random(2).nextBytes(other);
    dictionary =
        new Trainer(
                List.of(
                    List.of(ascii("common boilerplate of all"), accident),
                    List.of(ascii("common boilerplate of all"), other)),
                1000)
            .train();
    assertThat(dictionary).isEqualTo(ascii("common boilerplate of all"));
  }

  @Test
  void whatIsInMostBatchesStandsAtTheEnd() {
    List<byte[]> run =
        List.of(
            ascii("rarely said, and long enough"),
            ascii("1 often said by everybody"),
            ascii("2 often said by everybody"),
            ascii("3 often said by everybody"));
    String dictionary =
        new String(new Trainer(List.of(run, run), 1000).train(), StandardCharsets.US_ASCII);
    assertThat(dictionary).contains("rarely said").endsWith("often said by everybody");
  }

  @Test
  void theDictionaryIsNoLargerThanAskedFor() {
    List<byte[]> run = List.of(ascii("0123456789".repeat(3) + "abcdefghijklmnopqrstuvwxyz"));
    assertThat(new Trainer(List.of(run, run), 20).train()).hasSize(20);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
