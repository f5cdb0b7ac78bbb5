package io.rmigate.protocol.jrmp.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.Jrmp;
import io.rmigate.protocol.jrmp.ObjIdentifier;
import io.rmigate.protocol.jrmp.StreamTokens;
import io.rmigate.protocol.jrmp.VmIdentifier;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A Call of the collector has ended exactly with its last byte, however it comes. */
class GrowingDgcCallTest {
  private static final VmIdentifier CLIENT = new VmIdentifier(1, 2, 3, (short) 4);

  private static List<DgcCall> calls() {
    List<ObjIdentifier> many =
        IntStream.range(0, 500).mapToObj(i -> new ObjIdentifier(i, 1, 2, (short) 3)).toList();
    return List.of(
        new DgcCall.Dirty(List.of(), 1, Optional.of(CLIENT), 600_000),
        new DgcCall.Dirty(many, 2, Optional.of(CLIENT), 600_000),
        new DgcCall.Clean(many, 3, CLIENT, true),
        new DgcCall.Clean(List.of(), 4, CLIENT, false));
  }

  @Test
  void callIsWholeWithItsLastByteAndNotBefore() throws Exception {
    for (DgcCall call : calls()) {
      byte[] bytes = call.encode();
      GrowingDgcCall growing = new GrowingDgcCall();
      for (int length = 1; length < bytes.length; length++) {
        assertThat(growing.whole(Arrays.copyOf(bytes, length), length)).isEmpty();
      }
      assertThat(growing.whole(bytes, bytes.length)).contains(call);
    }
  }

  @Test
  void callThatIsFollowedBySomethingIsRefused() {
    for (DgcCall call : calls()) {
      byte[] encoded = call.encode();
      byte[] bytes = Arrays.copyOf(encoded, encoded.length + 1);
      bytes[encoded.length] = Jrmp.PING;
      assertThatThrownBy(() -> new GrowingDgcCall().whole(bytes, bytes.length))
          .isInstanceOf(ProtocolViolationException.class);
    }
  }

  @Test
  void operationThatTheCollectorDoesNotKnowIsRefusedWithTheHeader() {
    byte[] bytes = new DgcCall.Clean(List.of(), 4, CLIENT, false).encode();
    int header = 1 + StreamTokens.STREAM_HEADER_BYTES + 2 + Jrmp.CALL_HEADER_BYTES;
    bytes[header - 1]++;
    assertThatThrownBy(() -> new GrowingDgcCall().whole(bytes, header))
        .isInstanceOf(ProtocolViolationException.class)
        .hasMessageContaining("clean (0) or dirty (1)");
  }

  @Test
  void whatCannotBecomeACallIsRefusedAtOnce() throws Exception {
    int header = 1 + StreamTokens.STREAM_HEADER_BYTES + 2 + Jrmp.CALL_HEADER_BYTES;
    byte[] noArray = Arrays.copyOf(calls().get(0).encode(), header + 1);
    noArray[header] = StreamTokens.TC_NULL; // in the array's place
    assertThatThrownBy(() -> new GrowingDgcCall().whole(noArray, noArray.length))
        .isInstanceOf(ProtocolViolationException.class);

    List<ObjIdentifier> tooMany =
        IntStream.rangeClosed(0, DgcCall.MAX_OBJECTS)
            .mapToObj(i -> new ObjIdentifier(i, 1, 2, (short) 3))
            .toList();
    byte[] large = new DgcCall.Dirty(tooMany, 2, Optional.of(CLIENT), 600_000).encode();
    GrowingDgcCall growing = new GrowingDgcCall();
    assertThatThrownBy(
            () -> {
              for (int length = large.length - 300; length < large.length; length++) {
                assertThat(growing.whole(large, length)).isEmpty();
              }
            })
        .isInstanceOf(ProtocolViolationException.class)
        .hasMessageContaining("at once");
  }

  @Test
  void contentsWithoutEndAreRefused() {
    byte[] encoded = new DgcCall.Clean(List.of(), 4, CLIENT, false).encode();
    GrowingDgcCall growing = new GrowingDgcCall();
    assertThatThrownBy(
            () -> {
              byte[] bytes = encoded;
              for (int i = 0; i < 100; i++) {
                bytes = Arrays.copyOf(bytes, bytes.length + 1);
                bytes[bytes.length - 1] = StreamTokens.TC_NULL;
                growing.whole(bytes, bytes.length);
              }
            })
        .isInstanceOf(ProtocolViolationException.class)
        .hasMessageContaining("contents");
  }
}
