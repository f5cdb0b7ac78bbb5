package io.rmigate.perf.papers;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.perf.link.Crossing;
import io.rmigate.perf.link.Direction;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Bytes as JDK 17 sends them, but for the arguments of dirty. */
class AccountsTest {
  private static final String HEADER = "4a524d4900024b";
  private static final String ACK = "4e 0009 3132372e302e302e31 0000c350";
  private static final String ENDPOINT = "0009 3132372e302e302e31 00000000";
  private static final String LOOKUP =
      "50 aced0005 7722 00000000000000000000000000000000000000000000 00000002 44154dc9d4e63bdf"
          + "74 0005 48656c6c6f";
  private static final String DIRTY =
      "50 aced0005 7722 00000000000000020000000000000000000000000000 00000001 f6b6898d8bf28643"
          + "70 7708 8000000000000000 70";
  private static final String CALL =
      "50 aced0005 7722 11223344556677880000000100000193aabbccdd8001 ffffffff 9c9e6b1308366dda";
  private static final String RETURN = "51 aced0005 770f 01 0000000100000193aabbccdd8001";
  private static final String DGC_ACK = "54 0000000100000193aabbccdd8001";

  private final List<Crossing> crossings = new ArrayList<>();

  private void up(int connection, String... hex) {
    add(connection, Direction.UP, false, hex);
  }

  private void down(int connection, String... hex) {
    add(connection, Direction.DOWN, true, hex);
  }

  private void add(int connection, Direction direction, boolean answers, String... hex) {
    byte[] bytes = HexFormat.of().parseHex(String.join("", hex).replace(" ", ""));
    long at = crossings.size();
    crossings.add(new Crossing(connection, direction, bytes, at, at, answers));
  }

  private static long bytes(String hex) {
    return hex.replace(" ", "").length() / 2L;
  }

  @Test
  void everyByteOfPlainRmiHasItsPlace() {
    up(1, HEADER);
    down(1, ACK);
    up(1, ENDPOINT);
    up(1, LOOKUP);
    down(1, RETURN);
    up(2, HEADER);
    down(2, ACK);
    up(2, ENDPOINT, DIRTY);
    down(2, RETURN);
    up(1, DGC_ACK, "52"); // two messages without an answer between them
    down(1, "53");
    up(2, CALL.substring(0, 17)); // in two packets
    up(2, CALL.substring(17));
    down(2, RETURN);
    up(1, DGC_ACK); // the last word

    Map<JrmpAccount.Kind, Share> shares = JrmpAccount.of(crossings);

    assertThat(shares)
        .isEqualTo(
            Map.of(
                JrmpAccount.Kind.HEADER,
                    new Share(2, 2 * (bytes(HEADER) + bytes(ENDPOINT)), 2 * bytes(ACK)),
                JrmpAccount.Kind.LOOKUP, new Share(1, bytes(LOOKUP), bytes(RETURN)),
                JrmpAccount.Kind.DGC,
                    new Share(1, bytes(DIRTY) + 2 * bytes(DGC_ACK), bytes(RETURN)),
                JrmpAccount.Kind.PING, new Share(1, 1, 1),
                JrmpAccount.Kind.INVOCATION, new Share(1, bytes(CALL), bytes(RETURN))));
  }

  @Test
  void replyInManyPacketsIsOneExchange() {
    up(1, HEADER);
    down(1, ACK);
    up(1, ENDPOINT, CALL);
    down(1, RETURN.substring(0, 12));
    add(1, Direction.DOWN, false, RETURN.substring(12));
    assertThat(JrmpAccount.of(crossings).get(JrmpAccount.Kind.INVOCATION))
        .isEqualTo(new Share(1, bytes(CALL), bytes(RETURN)));
  }

  @Test
  void framesAreToldFromWebSocketFraming() {
    // masked with 01020304: OPEN of 3 bytes on stream 1, then half of a DATA_LAST
    up(1, "82 88 01020304", xored("10 01 03 aabbcc 12 01"));
    up(1, "82 84 01020304", xored("02 dd ee 05")); // its rest, and the code of a HEARTBEAT_ACK
    up(1, "82 82 01020304", xored("00 00"));
    down(1, "82 7e 0103", "11 01 8002", "00".repeat(255)); // 256 bytes of DATA begin

    assertThat(FrameAccount.of(crossings))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                FrameAccount.WEB_SOCKET,
                new Share(0, 18, 4),
                "OPEN",
                new Share(0, 6, 0),
                "DATA_LAST",
                new Share(0, 5, 0),
                "HEARTBEAT_ACK",
                new Share(0, 3, 0),
                "DATA",
                new Share(0, 0, 259)));
  }

  private static String xored(String hex) {
    byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] ^= (byte) (i % 4 + 1);
    }
    return HexFormat.of().formatHex(bytes);
  }

  @Test
  void unknownFramesShowTheirCode() {
    down(1, "82 03 7f 00 00");
    assertThat(FrameAccount.of(crossings)).containsEntry("frame 0x7F", new Share(0, 0, 3));
  }
}
