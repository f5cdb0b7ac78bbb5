package io.rmigate.protocol.jrmp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.protocol.ProtocolViolationException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** JRMP.md 1.1: the server's side of the preamble. */
class ClientPreambleTest {
  private static final String HEADER = "4a524d490002";

  private static ClientPreamble after(String hex) throws ProtocolViolationException {
    ClientPreamble preamble = new ClientPreamble();
    for (byte next : HexFormat.of().parseHex(hex)) {
      preamble.take(next);
    }
    return preamble;
  }

  @Test
  void streamProtocolIsAcknowledgedAndThenSaysItsEndpoint() throws Exception {
    assertThat(after(HEADER).hasHeader()).isFalse();
    assertThat(after(HEADER + "4b").hasHeader()).isTrue();
    assertThat(after(HEADER + "4b").isOver()).isFalse();
    assertThat(after(HEADER + "4b 0003 61626300 0000".replace(" ", "")).isOver()).isFalse();
    assertThat(after(HEADER + "4b 0003 616263 00000000".replace(" ", "")).isOver()).isTrue();
    assertThat(after(HEADER + "4b 0000 00000000".replace(" ", "")).isOver()).isTrue();
  }

  @Test
  void singleOpProtocolIsOverWithItsHeader() throws Exception {
    assertThat(after(HEADER + "4c").isSingleOp()).isTrue();
    assertThat(after(HEADER + "4c").isOver()).isTrue();
  }

  @Test
  void otherProtocolsAreToBeRefused() throws Exception {
    assertThat(after(HEADER + "4d").asksForOther()).isTrue();
    assertThat(after(HEADER + "4b").asksForOther()).isFalse();
    assertThat(after(HEADER + "4c").asksForOther()).isFalse();
  }

  @Test
  void whatIsNoHeaderIsNoticedAtItsFirstByte() {
    assertThatThrownBy(() -> after("47"))
        .isInstanceOf(ProtocolViolationException.class)
        .hasMessageContaining("got 0x47 at 0");
    assertThatThrownBy(() -> after("4a524d490001"))
        .isInstanceOf(ProtocolViolationException.class)
        .hasMessageContaining("got 0x01 at 5");
  }

  @Test
  void hostOfAnyLengthIsNotTaken() {
    assertThatThrownBy(() -> after(HEADER + "4bffff"))
        .isInstanceOf(ProtocolViolationException.class)
        .hasMessageContaining("got 65535");
  }

  @Test
  void acknowledgementIsThatOfTheJdk() {
    assertThat(
            HexFormat.of()
                .formatHex(ClientPreamble.acknowledgement(new EndpointId("10.0.0.1", 40000))))
        .isEqualTo("4e" + "0008" + "31302e302e302e31" + "00009c40");
  }
}
