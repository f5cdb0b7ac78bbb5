package io.rmigate.soap.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.management.ThreadMXBean;
import io.rmigate.soap.http.BodyRoom;
import io.rmigate.soap.publish.Operation;
import io.rmigate.soap.testing.Published;
import java.io.ByteArrayInputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Choices within choices that say last which they are. */
class ObjectAheadTest {
  private static final String SOURCE =
      """
      public interface Shop extends Remote {
        sealed interface Node extends Serializable permits Leaf, Branch {}
        record Leaf(List<Integer> values) implements Node {}
        record Branch(Node inner, Map<String, String> words) implements Node {}
        void put(Node node) throws RemoteException;
      }
      """;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final ArgumentReader READER = new ArgumentReader(JsonLimits.DEFAULT);

  private static Operation put;

  @BeforeAll
  static void publish(@TempDir Path directory) throws Exception {
    put = Published.shop(directory, SOURCE).contract().operation("put").orElseThrow();
  }

  private static String branches(int depth, String innermost) {
    return "{\"inner\":".repeat(depth) + innermost + ",\"@type\":\"Branch\"}".repeat(depth);
  }

  private static String leaf(int values) {
    return "{\"values\":[" + "1,".repeat(values) + "1],\"@type\":\"Leaf\"}";
  }

  private static Object read(String node) throws Exception {
    byte[] json = ("{\"node\":" + node + "}").getBytes(StandardCharsets.UTF_8);
    return READER.read(put, new ByteArrayInputStream(json), BodyRoom.UNLIMITED, null)[0];
  }

  private static String refusal(String node) {
    BadArgumentException bad = catchThrowableOfType(BadArgumentException.class, () -> read(node));
    return bad.pointer() + " " + bad.getMessage();
  }

  @Test
  void eachIsWhatItSays() throws Exception {
    assertThat(read(branches(2, leaf(1))))
        .hasToString("Branch[inner=Branch[inner=Leaf[values=[1, 1]], words=null], words=null]");
    assertThat(read(branches(1, "{\"@type\":\"Leaf\",\"values\":[]}")))
        .hasToString("Branch[inner=Leaf[values=[]], words=null]");
    assertThat(
            read(
                "{\"words\":{\"@type\":\"Leaf\"},\"inner\":{\"words\":{\"a\":\"b\"},"
                    + "\"@type\":\"Branch\",\"inner\":null},\"@type\":\"Branch\"}"))
        .hasToString("Branch[inner=Branch[inner=null, words={a=b}], words={@type=Leaf}]");
  }

  @Test
  void whatIsWrongIsPointedAt() {
    assertThat(refusal(branches(2, "{\"values\":[]}")))
        .startsWith("/node/inner/inner has no @type that says which AnyNode it is");
    assertThat(refusal(branches(2, "{}"))).startsWith("/node/inner/inner has no @type");
    assertThat(refusal(branches(1, "{\"values\":[],\"@type\":\"Other\"}")))
        .isEqualTo("/node/inner/@type is no AnyNode");
    assertThat(refusal(branches(1, "{\"values\":[],\"@type\":\"Leaf\",\"@type\":\"Leaf\"}")))
        .isEqualTo("/node/inner/@type is there twice");
    assertThat(refusal(branches(1, "{\"values\":[],\"@type\":7}")))
        .startsWith("/node/inner has no @type");
    for (String odd : List.of("7", "[1]", "[{\"values\":[]}]", "{\"values\":[]}", "null")) {
      assertThat(refusal(branches(1, "{\"values\":[],\"@type\":" + odd + ",\"@type\":\"Leaf\"}")))
          .startsWith("/node/inner has no @type");
      assertThat(refusal(branches(1, "{\"values\":[],\"@type\":\"Leaf\",\"@type\":" + odd + "}")))
          .isEqualTo("/node/inner/@type is there twice");
    }
    assertThat(refusal(branches(1, "{\"values\":[1,\"x\"],\"@type\":\"Leaf\"}")))
        .isEqualTo("/node/inner/values/1 is not a whole number");
  }

  private static long allocatedFor(String node) throws Exception {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      read(node);
      least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
    }
    return least;
  }

  /** Read ahead at each depth, it would be copied forty times. */
  @Test
  void whatIsDeepIsReadAheadOnce() throws Exception {
    assertThat(allocatedFor(branches(40, leaf(50_000))))
        .isLessThan(3 * allocatedFor(branches(1, leaf(50_000))));
  }
}
