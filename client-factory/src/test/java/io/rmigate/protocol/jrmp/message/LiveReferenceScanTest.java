package io.rmigate.protocol.jrmp.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.rmigate.protocol.jrmp.CallBytes;
import io.rmigate.protocol.jrmp.EndpointId;
import io.rmigate.protocol.jrmp.MessageGrammarCorpusTest;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.net.Socket;
import java.rmi.MarshalledObject;
import java.rmi.Remote;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LiveReferenceScanTest {

  private static final class Exported implements Remote {}

  private record Factory(String note) implements RMIClientSocketFactory, Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public Socket createSocket(String host, int port) throws IOException {
      throw new IOException("not needed");
    }
  }

  private final Exported plain = new Exported();
  private final Exported withFactory = new Exported();

  @AfterEach
  void unexport() throws Exception {
    for (Remote remote : new Remote[] {plain, withFactory}) {
      try {
        UnicastRemoteObject.unexportObject(remote, true);
      } catch (java.rmi.NoSuchObjectException notExported) {
        // Not every test exports.
      }
    }
  }

  @Test
  void stubsAreFoundWithAndWithoutFactoryAndInsideMarshalledObjects() throws Exception {
    Remote stub = UnicastRemoteObject.exportObject(plain, 0);
    Remote stub2 = UnicastRemoteObject.exportObject(withFactory, 0, new Factory("n"), null);
    byte[] call =
        CallBytes.call(
            out -> {
              out.writeInt(5);
              out.writeObject(List.of(stub, "x", stub2));
              out.writeObject(new Object[] {stub, new MarshalledObject<>(stub)});
            });
    MessageGrammarCorpusTest.assertEndsExactly(call);
    List<LiveReference> found = LiveReferenceScan.scan(call, 0, call.length);
    // The second mention of the first stub is a handle.
    assertThat(found)
        .extracting(LiveReference::refType)
        .containsExactly(
            LiveReference.UNICAST_REF, LiveReference.UNICAST_REF2, LiveReference.UNICAST_REF);
    assertThat(found.get(0)).isEqualTo(found.get(2));
    assertThat(found.get(0).port()).isPositive();
    assertThat(stub.toString()).contains(":" + found.get(0).port());
    assertThat(found.get(1).object()).isNotEqualTo(found.get(0).object());
    for (int n = 0; n < call.length; n++) {
      int length = n;
      assertThat(LiveReferenceScan.scan(call, 0, length)).isSubsetOf(found);
    }
  }

  @Test
  void allFormsAreRead() {
    for (String host : new String[] {"h", "a".repeat(200), "a".repeat(255), "ü".repeat(127)}) {
      for (int form = 0; form < 5; form++) {
        byte[] bytes = reference(host, form);
        assertThat(LiveReferenceScan.scan(bytes, 0, bytes.length))
            .containsExactly(
                new LiveReference(
                    host,
                    1099,
                    new ObjIdentifier(5, 6, 7, (short) 8),
                    form == 0 ? LiveReference.UNICAST_REF : LiveReference.UNICAST_REF2,
                    form > 1,
                    form < 2));
      }
    }
  }

  @Test
  void lengthsThatDisagreeAreNoReference() {
    byte[] good = reference("host", 0);
    for (int at : new int[] {1, 3, 15}) {
      byte[] bad = good.clone();
      bad[at]++;
      assertThat(LiveReferenceScan.scan(bad, 0, bad.length)).isEmpty();
    }
    byte[] unended = Arrays.copyOf(good, good.length - 1);
    assertThat(LiveReferenceScan.scan(unended, 0, unended.length)).isEmpty();
    byte[] text = CallBytes.callWith("UnicastRef UnicastRef2 " + "UnicastRef".repeat(50));
    assertThat(LiveReferenceScan.scan(text, 0, text.length)).isSameAs(List.of());
  }

  @Test
  void hostOfMoreThan255BytesIsNone() {
    byte[] bytes = reference("a".repeat(256), 0);
    assertThat(LiveReferenceScan.scan(bytes, 0, bytes.length)).isEmpty();
  }

  @Test
  void stubInsideTheFactoryOfAnotherIsFoundToo() {
    byte[] inner = reference("inner", 0);
    byte[] outer = reference("outer", 2);
    int factory = 2 + 2 + 11 + 1 + 2 + "outer".length() + 4;
    byte[] both = new byte[outer.length + inner.length];
    System.arraycopy(outer, 0, both, 0, factory);
    System.arraycopy(inner, 0, both, factory, inner.length);
    System.arraycopy(outer, factory, both, factory + inner.length, outer.length - factory);

    assertThat(LiveReferenceScan.scan(both, 0, both.length))
        .extracting(LiveReference::host)
        .containsExactly("outer", "inner");
  }

  @Test
  void eachReferenceIsToldOnceHoweverItComes() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < 100; i++) {
      all.writeBytes(reference("host" + i, i % 5));
    }
    byte[] message = all.toByteArray();
    List<LiveReference> expected = LiveReferenceScan.scan(message, 0, message.length);
    assertThat(expected).hasSize(100);
    for (int piece : new int[] {1, 7, 100, 3000, message.length}) {
      List<LiveReference> told = new ArrayList<>();
      LiveReferenceStream stream = new LiveReferenceStream(told::add);
      for (int at = 0; at < message.length; at += piece) {
        stream.onBytes(message, at, Math.min(piece, message.length - at));
      }
      assertThat(told).isEqualTo(expected);
    }
  }

  /** Form 0 is UnicastRef; then UnicastRef2 without, with null, known and new factory. */
  private static byte[] reference(String host, int form) {
    byte[] endpoint = new EndpointId(host, 1099).encode();
    String id = HexFormat.of().formatHex(new ObjIdentifier(5, 6, 7, (short) 8).encode());
    String data = form == 0 ? "000a" + ascii("UnicastRef") : "000b" + ascii("UnicastRef2");
    if (form > 0) {
      data += form == 1 ? "00" : "01";
    }
    data += HexFormat.of().formatHex(endpoint);
    String rest =
        switch (form) {
          case 0, 1 -> {
            data += id + "01";
            yield "";
          }
          case 2 -> "70" + "7717" + id + "00";
          case 3 -> "71007e0003" + "7717" + id + "00";
          default -> "7372000141" + "0000000000000000" + "020000" + "7870" + "7717" + id + "00";
        };
    int length = data.length() / 2;
    String tag = length < 256 ? "77%02x".formatted(length) : "7a%08x".formatted(length);
    return HexFormat.of().parseHex(tag + data + rest + "78");
  }

  private static String ascii(String text) {
    return HexFormat.of().formatHex(text.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
  }
}
