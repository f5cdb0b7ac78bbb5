package io.rmigate.gateway.relay.address;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts of others' become addresses, or nothing, and no question to a name service. */
class AddressLiteralTest {

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.255", "0.0.0.0", "::1", "fe80::1", "::ffff:10.0.0.1"})
  void addressesAreRead(String text) throws Exception {
    String literal = text.contains(":") ? "[" + text + "]" : text;
    assertThat(AddressLiteral.of(text)).contains(InetAddress.getByName(literal));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.0.0.300",
        "fade",
        "localhost",
        "10.0.1",
        "010.0.0.1000",
        "1:2",
        "",
        "[::1]",
        "::g"
      })
  void nothingElseIsAnAddress(String text) {
    assertThat(AddressLiteral.of(text)).isEmpty();
  }
}
