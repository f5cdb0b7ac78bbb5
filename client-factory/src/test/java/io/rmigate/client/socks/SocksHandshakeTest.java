package io.rmigate.client.socks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rmigate.protocol.ProtocolViolationException;
import io.rmigate.protocol.jrmp.EndpointId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What SOCKS clients say, and what they are answered. */
class SocksHandshakeTest {
  private static final SocksLogin LOGIN = new SocksLogin("ann", "secret");

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private SocksHandshake handshake(String hex, Optional<SocksLogin> login) {
    byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
    return new SocksHandshake(new ByteArrayInputStream(bytes), out, login);
  }

  private String answered() {
    return HexFormat.of().formatHex(out.toByteArray());
  }

  @ParameterizedTest
  @CsvSource({
    "05 02 00 02  05 01 00 03 0e 696e736964652e6578616d706c65 044b, inside.example", // a name
    "05 01 00  05 01 00 01 0a000001 044b, 10.0.0.1",
    "05 01 00  05 01 00 04 fd000000000000000000000000000001 044b, fd00:0:0:0:0:0:0:1",
    "04 01 044b 0a000001 616e6e 00, 10.0.0.1", // SOCKS 4
    "04 01 044b 00000001 00 696e736964652e6578616d706c65 00, inside.example" // SOCKS 4a
  })
  void requestNamesHostAndPort(String said, String host) throws IOException {
    assertThat(handshake(said, Optional.empty()).readRequest())
        .isEqualTo(new EndpointId(host, 1099));
  }

  @Test
  void successAndRefusalAreSaidInTheClientsVersion() throws IOException {
    SocksHandshake five = handshake("05 01 00 05 01 00 01 0a000001 044b", Optional.empty());
    five.readRequest();
    five.answer(SocksReply.CONNECTION_REFUSED);
    assertThat(answered()).isEqualTo("0500" + "05050001000000000000");
    out.reset();
    SocksHandshake four = handshake("04 01 044b 0a000001 00", Optional.empty());
    four.readRequest();
    four.answer(SocksReply.SUCCEEDED);
    assertThat(answered()).isEqualTo("005a000000000000");
    out.reset();
    SocksHandshake refused = handshake("04 01 044b 0a000001 00", Optional.empty());
    refused.readRequest();
    refused.answer(SocksReply.NOT_ALLOWED);
    assertThat(answered()).isEqualTo("005b000000000000");
  }

  @Test
  void rightPasswordIsTaken() throws IOException {
    SocksHandshake handshake =
        handshake(
            "05 02 00 02  01 03 616e6e 06 736563726574  05 01 00 03 01 61 044b",
            Optional.of(LOGIN));
    assertThat(handshake.readRequest()).isEqualTo(new EndpointId("a", 1099));
    assertThat(answered()).isEqualTo("0502" + "0100");
  }

  @Test
  void wrongPasswordIsRefused() {
    SocksHandshake handshake =
        handshake("05 01 02  01 03 616e6e 06 736563726575", Optional.of(LOGIN));
    assertThatThrownBy(handshake::readRequest).isInstanceOf(ProtocolViolationException.class);
    assertThat(answered()).isEqualTo("0502" + "0101");
  }

  @Test
  void clientWithoutALoginIsRefusedWhereThereIsOne() {
    assertThatThrownBy(() -> handshake("05 01 00", Optional.of(LOGIN)).readRequest())
        .isInstanceOf(ProtocolViolationException.class);
    assertThat(answered()).isEqualTo("05ff");
    out.reset();
    assertThatThrownBy(() -> handshake("04 01 044b 0a000001 00", Optional.of(LOGIN)).readRequest())
        .isInstanceOf(ProtocolViolationException.class);
    assertThat(answered()).isEqualTo("005b000000000000");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "05 01 00 05 02 00 01 0a000001 044b", // BIND
        "05 01 00 05 03 00 01 0a000001 044b", // UDP ASSOCIATE
        "05 01 00 05 01 00 02 0a000001 044b", // an unknown kind of address
        "05 01 00 05 01 00 03 00 044b", // no name
        "05 01 00 05 01 00 01 0a000001 0000", // no port
        "04 02 044b 0a000001 00" // BIND
      })
  void whatIsNotOfferedIsAnsweredAndEnds(String said) {
    assertThatThrownBy(() -> handshake(said, Optional.empty()).readRequest())
        .isInstanceOf(ProtocolViolationException.class);
    assertThat(out.toByteArray()).hasSizeGreaterThanOrEqualTo(8);
  }

  @Test
  void whatIsNoSocksIsAnsweredNothing() {
    assertThatThrownBy(() -> handshake("47 45 54", Optional.empty()).readRequest())
        .isInstanceOf(ProtocolViolationException.class);
    assertThat(out.toByteArray()).isEmpty();
  }

  @Test
  void textsWithoutAnEndAreBounded() {
    byte[] endless = new byte[4096];
    Arrays.fill(endless, (byte) 'a');
    byte[] start = HexFormat.of().parseHex("0401044b0a000001");
    System.arraycopy(start, 0, endless, 0, start.length);
    assertThatThrownBy(
            () ->
                new SocksHandshake(new ByteArrayInputStream(endless), out, Optional.empty())
                    .readRequest())
        .isInstanceOf(ProtocolViolationException.class);
  }

  @Test
  void anythingCutShortIsAnEnd() {
    byte[] whole = HexFormat.of().parseHex("05010005010003016104");
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      SocksHandshake handshake =
          new SocksHandshake(new ByteArrayInputStream(cut), out, Optional.empty());
      assertThatThrownBy(handshake::readRequest)
          .isInstanceOfAny(EOFException.class, ProtocolViolationException.class);
    }
  }

  @Test
  void passwordIsNotShown() {
    assertThat(LOGIN.toString()).doesNotContain("secret");
  }
}
