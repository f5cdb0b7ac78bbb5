package io.rmigate.soap.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.rmigate.soap.http.BodyRoom;
import io.rmigate.soap.publish.Contract;
import io.rmigate.soap.publish.Operation;
import io.rmigate.soap.testing.Published;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole numbers of each length, at their bounds and beyond. */
class WholeNumbersTest {
  private static final String SOURCE =
      """
      public interface Shop extends Remote {
        sealed interface Node extends Serializable permits Leaf, Other {}
        record Leaf(Byte int8, Short int16, Integer int32, Long int64) implements Node {}
        record Other(int size) implements Node {}
        void put(Byte int8, Short int16, Integer int32, Long int64) throws RemoteException;
        void node(Node node) throws RemoteException;
      }
      """;
  private static final String LEAST =
      members("-128", "-32768", "-2147483648", "-9223372036854775808");
  private static final String MOST = members("127", "32767", "2147483647", "9223372036854775807");
  private static final ArgumentReader READER = new ArgumentReader(JsonLimits.DEFAULT);

  private static Contract contract;

  @BeforeAll
  static void publish(@TempDir Path directory) throws Exception {
    contract = Published.shop(directory, SOURCE).contract();
  }

  private static Object[] read(String name, String json) throws Exception {
    Operation operation = contract.operation(name).orElseThrow();
    return READER.read(
        operation,
        new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)),
        BodyRoom.UNLIMITED,
        null);
  }

  private static String refusal(String name, String json) {
    BadArgumentException bad =
        catchThrowableOfType(BadArgumentException.class, () -> read(name, json));
    return bad.pointer() + " " + bad.getMessage();
  }

  private static String members(String int8, String int16, String int32, String int64) {
    return "{\"int8\":%s,\"int16\":%s,\"int32\":%s,\"int64\":%s"
        .formatted(int8, int16, int32, int64);
  }

  @Test
  void theirBoundsAreAmongThem() throws Exception {
    assertThat(read("put", LEAST + "}"))
        .containsExactly(Byte.MIN_VALUE, Short.MIN_VALUE, Integer.MIN_VALUE, Long.MIN_VALUE);
    assertThat(read("put", MOST + "}"))
        .containsExactly(Byte.MAX_VALUE, Short.MAX_VALUE, Integer.MAX_VALUE, Long.MAX_VALUE);
    assertThat(read("put", members("-0", "0", "1", "-1") + "}"))
        .containsExactly((byte) 0, (short) 0, 1, -1L);
  }

  @Test
  void theirBoundsAreAmongThemInWhatIsReadAhead() throws Exception {
    assertThat(read("node", "{\"node\":" + LEAST + ",\"@type\":\"Leaf\"}}")[0])
        .hasToString(
            "Leaf[int8=-128, int16=-32768, int32=-2147483648, int64=-9223372036854775808]");
    assertThat(read("node", "{\"node\":" + MOST + ",\"@type\":\"Leaf\"}}")[0])
        .hasToString("Leaf[int8=127, int16=32767, int32=2147483647, int64=9223372036854775807]");
  }

  @ParameterizedTest
  @CsvSource({
    "int8, -129, is not between -128 and 127",
    "int8, 128, is not between -128 and 127",
    "int16, -32769, is not between -32768 and 32767",
    "int16, 32768, is not between -32768 and 32767",
    "int32, -2147483649, is not between -2147483648 and 2147483647",
    "int32, 2147483648, is not between -2147483648 and 2147483647",
    "int32, 9223372036854775808, is not between -2147483648 and 2147483647",
    "int64, -9223372036854775809, is not between -9223372036854775808 and 9223372036854775807",
    "int64, 9223372036854775808, is not between -9223372036854775808 and 9223372036854775807",
    "int64, 1.0, is not a whole number",
    "int64, 1e3, is not a whole number",
    "int64, true, is not a whole number",
  })
  void whatIsBeyondThemIsRefused(String type, String number, String message) {
    String member = "{\"" + type + "\":" + number;

    assertThat(refusal("put", member + "}")).isEqualTo("/" + type + " " + message);
    assertThat(refusal("node", "{\"node\":" + member + ",\"@type\":\"Leaf\"}}"))
        .isEqualTo("/node/" + type + " " + message);
  }

  /** As long as a number may be. */
  @ParameterizedTest
  @ValueSource(strings = {"int8", "int16", "int32", "int64"})
  void hundredsOfDigitsAreBeyondThem(String type) {
    assertThat(refusal("put", "{\"" + type + "\":" + "9".repeat(1000) + "}"))
        .startsWith("/" + type + " is not between -");
  }
}
