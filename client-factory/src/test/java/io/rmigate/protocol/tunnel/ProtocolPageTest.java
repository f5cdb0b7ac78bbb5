package io.rmigate.protocol.tunnel;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.post.Post;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** PROTOCOL.md and the code say the same: the tables of frames, causes, reasons and limits. */
class ProtocolPageTest {
  private final String page = read();

  @Test
  void framesOfThePageAreThoseOfTheCode() {
    assertThat(table("## 5. Frames"))
        .isEqualTo(
            Arrays.stream(FrameType.values())
                .collect(Collectors.toMap(FrameType::code, Enum::name, (a, b) -> a, TreeMap::new)));
  }

  @Test
  void closeCausesOfThePageAreThoseOfTheCode() {
    assertThat(table("## 6. Session"))
        .isEqualTo(
            Arrays.stream(CloseCause.values())
                .collect(
                    Collectors.toMap(CloseCause::code, Enum::name, (a, b) -> a, TreeMap::new)));
    for (CloseCause cause : CloseCause.values()) {
      assertThat(page).contains("| " + cause.name() + " | " + cause.sentence() + " |");
    }
  }

  @Test
  void refusalReasonsOfThePageAreThoseOfTheCode() {
    assertThat(table("## 7. Streams"))
        .isEqualTo(
            Arrays.stream(RefusalReason.values())
                .collect(
                    Collectors.toMap(RefusalReason::code, Enum::name, (a, b) -> a, TreeMap::new)));
  }

  @Test
  void outcomesOfThePageAreThoseOfTheCode() {
    assertThat(table("## 9. Leases"))
        .isEqualTo(
            Arrays.stream(Leased.Outcome.values())
                .collect(
                    Collectors.toMap(Leased.Outcome::code, Enum::name, (a, b) -> a, TreeMap::new)));
  }

  @Test
  void reasonsOfUnboundOnThePageAreThoseOfTheCode() {
    assertThat(table("## 10. Lookups"))
        .isEqualTo(
            Arrays.stream(UnboundReason.values())
                .collect(
                    Collectors.toMap(UnboundReason::code, Enum::name, (a, b) -> a, TreeMap::new)));
  }

  @Test
  void outcomesOfListeningOnThePageAreThoseOfTheCode() {
    assertThat(table("## 11. Callbacks"))
        .isEqualTo(
            Arrays.stream(Listening.Outcome.values())
                .collect(
                    Collectors.toMap(
                        Listening.Outcome::code, Enum::name, (a, b) -> a, TreeMap::new)));
  }

  @Test
  void limitsOfThePageAreThoseOfTheCode() {
    Map<String, String> limits = new LinkedHashMap<>();
    limits.put("body of a frame", grouped(Tunnel.MAX_BODY_BYTES) + " bytes");
    limits.put("what one CODED yields", grouped(Tunnel.MAX_UNCODED_BYTES) + " bytes");
    limits.put(
        "what all of one direction yield",
        "%s bytes + %d x the bytes sent"
            .formatted(grouped(Tunnel.FREE_UNCODED_BYTES), Tunnel.MAX_EXPANSION));
    limits.put("ObjIDs in one frame", Integer.toString(ObjectList.MAX_OBJECTS));
    limits.put("text", grouped(Tunnel.MAX_TEXT_BYTES) + " bytes");
    limits.put("properties", Integer.toString(Tunnel.MAX_PROPERTIES));
    limits.put("Return in BOUND", grouped(Bound.MAX_MESSAGE_BYTES) + " bytes");
    limits.put("objects in GRANT", grouped(Grant.MAX_OBJECTS));
    limits.put("what is sealed in GRANT", grouped(Grant.MAX_SEALED_BYTES) + " bytes");
    limits.put(
        "HELLO in the header of a request", grouped(Tunnel.MAX_EARLY_HELLO_BYTES) + " bytes");
    limits.put("bytes in a POST", grouped(Post.MAX_REQUEST_BYTES) + " bytes");
    limits.put("bytes in the answer to a POST", grouped(Post.MAX_ANSWER_BYTES) + " bytes");
    limits.put("POSTs without an answer", Integer.toString(Post.MAX_UNANSWERED));
    limits.forEach((what, limit) -> assertThat(page).contains("| " + what + " | " + limit + " |"));
    assertThat(Tunnel.MAX_STREAM).isEqualTo((1 << 28) - 1);
    assertThat(Tunnel.MAX_CREDIT_BYTES).isEqualTo(1 << 30);
    assertThat(page)
        .contains("u8 version, 0x0" + Post.VERSION + ";")
        .contains("; " + Post.ID_BYTES + " bytes connection;")
        .contains("when more than " + Post.MAX_HELD + " wait");
    assertThat(page).contains("subprotocol `" + Tunnel.SUBPROTOCOL + "`");
    assertThat(page).contains("subprotocol `" + Tunnel.HELLO_SUBPROTOCOL + "`");
    assertThat(page).contains("    " + Tunnel.HELLO_HEADER + ": the frame");
  }

  @Test
  void featuresOfThePageAreThoseOfTheCode() {
    String bits =
        Arrays.stream(Feature.values())
            .map(feature -> feature.bit() + " " + feature)
            .collect(Collectors.joining(", "));
    assertThat(page).contains("Features by bit: " + bits + ".");
  }

  private static String grouped(int number) {
    return String.format("%,d", number).replace(',', ' ');
  }

  /** Code and name of each row of the first such table in a section. */
  private Map<Integer, String> table(String heading) {
    int from = page.indexOf(heading);
    int to = page.indexOf("\n## ", from + 1);
    Matcher rows =
        Pattern.compile("(?m)^\\| 0x([0-9A-F]{2}) \\| ([A-Z_]+) \\|")
            .matcher(page.substring(from, to));
    Map<Integer, String> table = new TreeMap<>();
    while (rows.find()) {
      table.put(Integer.parseInt(rows.group(1), 16), rows.group(2));
    }
    return table;
  }

  private static String read() {
    try {
      return Files.readString(Path.of("PROTOCOL.md"));
    } catch (IOException missing) {
      throw new AssertionError(missing);
    }
  }
}
