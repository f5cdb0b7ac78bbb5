package io.rmigate.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressLiteralTest {

  @ParameterizedTest
  @CsvSource({
    "10.0.0.1, 10.0.0.1",
    "255.255.255.255, 255.255.255.255",
    "10.0.100.9, 10.0.100.9",
    "0.0.0.0, 0.0.0.0",
    "::1, 0:0:0:0:0:0:0:1",
    "fe80::1, fe80:0:0:0:0:0:0:1",
    "::ffff:10.0.0.1, 10.0.0.1",
    "[fd00::1], fd00:0:0:0:0:0:0:1",
  })
  void addresses(String text, String address) {
    assertThat(AddressLiteral.parse(text)).map(InetAddress::getHostAddress).contains(address);
  }

  /** The JDK would look most of them up. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[",
        "[]",
        "gw",
        "fade",
        "300.1.1.1",
        "1.2.3.256",
        "1.2.3",
        "1.2.3.4.5",
        "1.2.3.4.",
        "010.1.2.3",
        "1.2.3.00",
        "0x7f.1.2.3",
        "1:2",
        "a:b",
        "::g",
        "[127.0.0.1]",
        "::ffff:010.1.2.3",
        "fe80::1%lo",
        "[fe80::1%1]",
        "2001:db8::1%lo"
      })
  void whatIsNoAddressIsNotLookedUp(String text) {
    assertThat(AddressLiteral.parse(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"fe80::1%2", "fe80::1%eth0", "[fe80::1%2]", "fe80::1"})
  void theZoneOfAPeerIsLeftOut(String text) {
    assertThat(AddressLiteral.ofPeer(text))
        .map(InetAddress::getHostAddress)
        .contains("fe80:0:0:0:0:0:0:1");
  }
}
