package io.rmigate.gateway.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.Jrmp;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client sees of a registry's list, however it comes. */
class ListedNamesTest {

  private static byte[] reply(int kind, Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(Jrmp.RETURN);
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeByte(kind);
      out.write(new byte[Jrmp.UID_BYTES]);
      out.writeObject(value);
    }
    return bytes.toByteArray();
  }

  private static byte[] pass(byte[] reply, int step) throws ProtocolViolationException {
    ListedNames names = new ListedNames(name -> name.startsWith("a"));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int from = 0; from < reply.length; from += step) {
      ByteBuffer next =
          names.more(ByteBuffer.wrap(reply, from, Math.min(step, reply.length - from)));
      byte[] bytes = new byte[next.remaining()];
      next.get(bytes);
      out.writeBytes(bytes);
    }
    return out.toByteArray();
  }

  private static Object value(byte[] reply) throws IOException, ClassNotFoundException {
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(reply, 1, reply.length - 1))) {
      in.readByte();
      in.readFully(new byte[Jrmp.UID_BYTES]);
      return in.readObject();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 100_000})
  void onlyThePermittedNamesAreLeft(int step) throws Exception {
    String twice = "aa";
    byte[] reply =
        reply(Jrmp.NORMAL_RETURN, new String[] {"b", twice, "ä", "a\u00e4\u0000", twice, null, ""});
    assertThat((String[]) value(pass(reply, step))).containsExactly("aa", "a\u00e4\u0000", "aa");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100_000})
  void nothingIsLeftOfAListWithoutAny(int step) throws Exception {
    assertThat((String[]) value(pass(reply(Jrmp.NORMAL_RETURN, new String[] {"b", "c"}), step)))
        .isEmpty();
    assertThat((String[]) value(pass(reply(Jrmp.NORMAL_RETURN, new String[0]), step))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100_000})
  void exceptionsPassAsTheyAre(int step) throws Exception {
    byte[] reply = reply(Jrmp.EXCEPTIONAL_RETURN, new IllegalStateException("b"));
    assertThat(pass(reply, step)).isEqualTo(reply);
  }

  @Test
  void whatIsNoListDoesNotPass() throws Exception {
    for (Object other :
        new Object[] {new Object[] {"a"}, "a", null, new String[][] {{"a"}}, new int[1]}) {
      assertThatThrownBy(() -> pass(reply(Jrmp.NORMAL_RETURN, other), 100_000))
          .isInstanceOf(ProtocolViolationException.class);
    }
  }

  @Test
  void aListThatIsTooLongIsHeldToABoundAndNoFurther() throws Exception {
    String[] many = new String[40];
    for (int i = 0; i < many.length; i++) {
      many[i] = i + "b".repeat(60_000);
    }
    byte[] reply = reply(Jrmp.NORMAL_RETURN, many);
    assertThatThrownBy(() -> pass(reply, 32 * 1024)).isInstanceOf(ProtocolViolationException.class);
  }
}
